// Functions for every page: copy, share, and count down a wait.

/** Returns the first matching element inside `within`, or null. */
export const find = (selector, within = document) => within.querySelector(selector);

/** Copies a text to the clipboard; uses the older API where the page was not loaded over a secure connection. */
export async function copy(text) {
  if (navigator.clipboard?.writeText !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('Copying was not allowed.');
}

const COPIED = 'Copied';
const CHECK = 'M3 8.5 6.5 12 13 4.5';

/** Shows a confirmation on the button itself for a short time. */
function confirm(button, said) {
  const label = find('span', button);
  const path = find('path', button);
  if (label === null || path === null || button.dataset.said) return;
  button.dataset.said = said;
  const before = { text: label.textContent, drawing: path.getAttribute('d') };
  label.textContent = said;
  if (said === COPIED) path.setAttribute('d', CHECK);
  button.classList.toggle('done', said === COPIED);
  say(`${said}.`);
  setTimeout(() => {
    label.textContent = before.text;
    path.setAttribute('d', before.drawing);
    button.classList.remove('done');
    delete button.dataset.said;
  }, 1600);
}

let live;
/** Announces a text to screen readers. */
export function say(text) {
  if (live === undefined) {
    live = document.createElement('div');
    live.className = 'sr';
    live.setAttribute('role', 'status');
    document.body.append(live);
  }
  live.textContent = text;
}

/** Shows the controls that need scripts, in a new part of the page. */
export function enhance(within = document) {
  for (const button of within.querySelectorAll('[data-copy]')) button.hidden = false;
  if (navigator.share !== undefined)
    for (const button of within.querySelectorAll('[data-share]')) button.hidden = false;
}

/** Why the text of a field is not sent: its bytes are over the field's limit. Undefined for one that may be. */
export const sizeError = ({ dataset: { maxBytes, over } }, text) =>
  new TextEncoder().encode(text).length > Number(maxBytes) ? over : undefined;

/** Formats a wait: “38 s”, “12 min”. */
export const waitWords = (seconds) => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

/** Returns the seconds left in `[data-left]`: its value, or its text where that is only the number. */
export const secondsIn = (place) => Number(place.dataset.left || place.textContent);

/** Counts the seconds in `[data-left]` down, then calls `over`. */
export function countDown(within, over) {
  const place = find('[data-left]', within);
  if (place === null) return () => {};
  const end = Date.now() + secondsIn(place) * 1000;
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    if (place.dataset.left) place.textContent = waitWords(left);
    else place.textContent = String(left);
    within.dispatchEvent(new CustomEvent('left', { detail: left, bubbles: true }));
    if (left > 0) return;
    clearInterval(timer);
    over();
  }, 250);
  return () => clearInterval(timer);
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy], [data-share]') : null;
  if (button === null) return;
  if (button.dataset.share !== undefined) {
    navigator.share({ title: document.title, url: button.dataset.share }).catch(() => {});
    return;
  }
  const from = button.dataset.copyFrom;
  const text = from === undefined ? button.dataset.copy : (document.getElementById(from)?.textContent ?? '');
  copy(text).then(
    () => {
      confirm(button, COPIED);
      button.dispatchEvent(new CustomEvent('copied', { bubbles: true }));
    },
    () => confirm(button, 'Select the text instead'),
  );
});

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey) return;
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  const search = find('[data-search]');
  if (typing || search === null) return;
  event.preventDefault();
  search.focus();
});

for (const button of document.querySelectorAll('[data-operator]')) {
  const search = find('[data-search]');
  button.hidden = search === null;
  button.addEventListener('click', () => {
    search.value = `${search.value.trimEnd()} ${button.dataset.operator}`;
    search.focus();
  });
}

enhance();
const closed = find('[data-reopens]');
if (closed !== null) countDown(closed, () => location.reload());
