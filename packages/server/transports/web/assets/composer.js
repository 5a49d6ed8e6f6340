// Keeps an answer or a message as it is typed, and its files as they are chosen, dropped or pasted. Without it the forms keep both.
import { chips } from './chips.js';
import { find, say } from './page.js';

/** How long after the last key the text is kept, and how often while one types. */
const PAUSE_MS = 800;
const OFTEN_MS = 2500;

const composing = new WeakSet();

/** Gives the composer within this element its script, and opens what is about the sender where there is room. */
export function composer(within) {
  const sender = find('[data-sender]', within);
  if (matchMedia('(min-width: 1400px)').matches) sender?.setAttribute('open', '');
  chips(within);
  // On phones a line says whom it goes to until it is opened.
  if (matchMedia('(max-width: 960px)').matches)
    for (const one of within.querySelectorAll('.recipients:not([data-wanted])')) one.open = false;
  for (const form of within.querySelectorAll('[data-compose]')) keeping(form);
}

function keeping(form) {
  // A form that stays while its conversation changes has its script.
  if (composing.has(form)) return;
  composing.add(form);
  form.classList.add('scripted');
  const [choice, drop] = [find('[name=files]', form), find('[data-drop]', form)];
  const [state, files] = [find('[data-kept]', form), find('[data-kept-files]', form)];
  // A phone has no keys to press and nothing to drop.
  for (const one of form.querySelectorAll('[data-keys]')) one.hidden = !matchMedia('(hover: hover)').matches;
  for (const one of form.querySelectorAll('[data-keep]')) one.hidden = true;
  preview(form);
  /** A scheduled message is kept by its buttons alone, and its new files with it. */
  const byHand = form.dataset.compose === 'by-hand';
  let timer;
  let last = 0;
  let kept = Promise.resolve();
  let open = 0;
  let typed = 0;
  /** One request at a time, so that an earlier text never replaces a later one. */
  function keep(added = []) {
    clearTimeout(timer);
    timer = undefined;
    last = Date.now();
    open++;
    kept = kept.then(() => send(added)).finally(() => open--);
    return kept;
  }
  function fields() {
    const data = new FormData(form);
    data.delete('files');
    data.set('do', 'keep');
    return data;
  }
  async function send(added) {
    if (form.dataset.sent) return;
    const mine = typed;
    const data = fields();
    for (const file of added) data.append('files', file, file.name);
    if (added.length > 0) state.textContent = 'Keeping the files…';
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: data,
    }).catch(() => undefined);
    const body = await response?.json().catch(() => undefined);
    if (!response?.ok || body === undefined) {
      state.textContent = body?.errors?.[0]?.message ?? body?.detail ?? 'Not kept: the connection broke.';
      state.classList.add('bad');
      return;
    }
    state.classList.remove('bad');
    if (mine === typed) state.textContent = body.kept ? 'Kept as a draft' : '';
    for (const [name, value] of Object.entries(body.fields ?? {})) find(`[name=${name}]`, form).value = value;
    if (body.drafts !== undefined)
      for (const place of document.querySelectorAll('[data-waiting=drafts]')) place.textContent = body.drafts;
    // Answers that the page does not show so far.
    if (body.seen !== undefined && body.seen !== find('[name=seen]', form)?.value)
      form.dispatchEvent(new CustomEvent('stale', { bubbles: true }));
    if (added.length > 0) {
      files.innerHTML = body.files;
      // The page may be below the paths of the answer.
      const root = form.dataset.root ?? '';
      for (const link of files.querySelectorAll('a')) link.setAttribute('href', root + link.getAttribute('href'));
      choice.value = '';
      say(added.length === 1 ? `${added[0].name} is attached.` : `${added.length} files are attached.`);
    }
  }

  form.addEventListener('input', ({ target }) => {
    if (byHand || !target.matches('[type=text], [type=email], input:not([type]), select, textarea')) return;
    typed++;
    state.textContent = '';
    clearTimeout(timer);
    timer = setTimeout(keep, Math.min(PAUSE_MS, Math.max(0, last + OFTEN_MS - Date.now())));
  });
  function add(added) {
    if (!byHand) return void keep(added);
    const all = new DataTransfer();
    for (const file of [...choice.files, ...added]) all.items.add(file);
    choice.files = all.files;
    say(added.length === 1 ? `${added[0].name} is chosen.` : `${added.length} files are chosen.`);
  }
  if (!byHand) choice.addEventListener('change', () => choice.files.length > 0 && void keep([...choice.files]));
  if (!byHand) files.addEventListener('change', () => void keep());
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'])
    form.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      drop.classList.toggle('dropping', name === 'dragenter' || name === 'dragover');
      if (name === 'drop') add([...event.dataTransfer.files]);
    });
  form.addEventListener('paste', (event) => {
    const { files: pasted, types } = event.clipboardData ?? { files: [], types: [] };
    // Tables of an office program come as a picture too; the text is what is wanted.
    if (pasted.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    add([...pasted]);
  });
  // What is being kept must not return after the form was sent, which sends the draft as it is then.
  form.addEventListener('submit', (event) => {
    clearTimeout(timer);
    timer = undefined;
    if (open === 0 || form.dataset.waits !== undefined || event.defaultPrevented) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void kept.then(() => {
      form.dataset.waits = '';
      form.requestSubmit(event.submitter);
      delete form.dataset.waits;
    });
  });
  addEventListener('pagehide', () => {
    if (timer === undefined || form.dataset.sent) return;
    clearTimeout(timer);
    void fetch(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: fields(),
      keepalive: true,
    });
  });
}

/** Shows the text as Markdown in its place, and the field again. */
function preview(form) {
  const [button, text] = [find('[data-markdown]', form), find('textarea[name=body]', form)];
  if (button === null) return;
  const shown = document.createElement('div');
  shown.className = 'prose md-preview';
  shown.tabIndex = 0;
  shown.hidden = true;
  shown.setAttribute('role', 'region');
  shown.setAttribute('aria-label', 'Preview');
  text.after(shown);
  const word = find('span', button);
  const edit = () => {
    shown.hidden = true;
    text.hidden = false;
    word.textContent = 'Preview';
  };
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    if (!shown.hidden) {
      edit();
      return text.focus();
    }
    if (text.value.trim() === '') return say('Write something first.');
    const body = new URLSearchParams({ csrf: find('[name=csrf]', form).value, body: text.value });
    const headers = { accept: 'application/json' };
    const response = await fetch(button.formAction, { method: 'POST', headers, body }).catch(() => undefined);
    const made = response?.ok ? await response.json() : undefined;
    if (made === undefined) return say('There is no preview now.');
    shown.innerHTML = made.html;
    shown.style.minBlockSize = `${text.offsetHeight}px`;
    text.hidden = true;
    shown.hidden = false;
    word.textContent = 'Edit';
    shown.focus();
  });
  // An error of the field, or a key that sends, needs the field.
  form.addEventListener('submit', edit);
}
