// Makes chips of typed addresses. Without it a field of addresses is a line of text with commas.
import { find } from './page.js';

/** Each address of a text, with its name where it has one. */
const split = (text) =>
  (text.match(/(?:"[^"\n]{0,200}"[^<,;\n"]{0,20})?[^,;\n"]+/g) ?? []).flatMap((part) => {
    const words = part.trim().split(/\s+/).filter(Boolean);
    return words.length > 1 && words.every((word) => word.includes('@')) ? words : [part.trim()].filter(Boolean);
  });
const address = (text) => /<([^<>]*)>\s*$/.exec(text)?.[1].trim() ?? text;
const looksRight = (text) => /^[^@\s]+(@[^@\s]+)?$/.test(address(text));

/** Gives the fields within this element their chips. */
export function chips(within) {
  for (const field of within.querySelectorAll('[data-chips]')) if (field.type !== 'hidden') chipField(field);
}

function chipField(field) {
  const box = document.createElement('div');
  box.className = 'chipfield input';
  const list = document.createElement('ul');
  const entry = document.createElement('input');
  for (const name of ['id', 'aria-describedby', 'aria-invalid', 'autocapitalize', 'inputmode', 'placeholder'])
    if (field.hasAttribute(name)) entry.setAttribute(name, field.getAttribute(name));
  entry.autocomplete = 'off';
  entry.spellcheck = false;
  entry.dir = 'auto';
  field.removeAttribute('id');
  const typed = field.value;
  field.type = 'hidden';
  field.after(box);
  box.append(list, entry);
  /** The field that is sent has what is typed too, so that nothing is lost. */
  const sync = () => {
    const all = [...list.children].map((one) => one.dataset.address);
    const rest = entry.value.trim();
    field.value = [...all, ...(rest === '' ? [] : [rest])].join(', ');
  };
  const changed = () => {
    sync();
    entry.dispatchEvent(new Event('input', { bubbles: true }));
  };
  function add(text) {
    const known = [...list.children].some(
      (one) => address(one.dataset.address).toLowerCase() === address(text).toLowerCase(),
    );
    if (known) return;
    const chip = document.createElement('li');
    chip.className = `who-chip${looksRight(text) ? '' : ' wrong'}`;
    chip.dataset.address = text;
    const name = document.createElement('bdi');
    name.textContent = text.replace(/\s*<[^<>]*>\s*$/, '') || text;
    chip.title = address(text);
    const remove = document.createElement('button');
    remove.type = 'button';
    remove.textContent = '×';
    remove.setAttribute('aria-label', `Remove ${text}`);
    remove.addEventListener('click', () => {
      chip.remove();
      changed();
      entry.focus();
    });
    chip.append(name, remove);
    list.append(chip);
  }
  /** Makes chips of what stands in the field; false where there is nothing. */
  function take() {
    const all = split(entry.value);
    entry.value = '';
    for (const one of all) add(one);
    if (all.length > 0) changed();
    return all.length > 0;
  }
  entry.addEventListener('input', () => {
    if (/[,;\n]/.test(entry.value) && !/^\s*"[^"]*$/.test(entry.value)) take();
    else sync();
  });
  entry.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!/[,;\n@]/.test(text)) return;
    event.preventDefault();
    entry.setRangeText(text.replace(/\s*\n\s*/g, ', '));
    take();
  });
  entry.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !(event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      take();
    } else if (event.key === 'Backspace' && entry.value === '' && list.lastElementChild !== null) {
      event.preventDefault();
      entry.value = list.lastElementChild.dataset.address;
      list.lastElementChild.remove();
      changed();
    }
  });
  entry.addEventListener('blur', take);
  box.addEventListener('click', (event) => event.target === box && find('input', box).focus());
  for (const one of split(typed)) add(one);
  sync();
}
