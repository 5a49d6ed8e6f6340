// What was just done or sent can be taken back for a while. Without it the same form stays on the page.
import { find } from './page.js';

/** How long a toast stays, unless the reader is at it. */
const SHOWN_MS = 10_000;
let timer;

/** Shows the toast of a page that was read, in the place of the last one. */
export function toast(page) {
  const fresh = find('[data-toast]', page);
  if (fresh === null) return;
  if (page !== document) {
    find('[data-toast]')?.remove();
    find('.inbox')?.append(fresh);
  } else {
    // A reload would offer again what was done long ago.
    const { searchParams, href } = new URL(location);
    if (searchParams.has('undo')) {
      const url = new URL(href);
      url.searchParams.delete('undo');
      history.replaceState(history.state, '', url);
    }
  }
  for (const key of fresh.querySelectorAll('[data-keys]')) key.hidden = !matchMedia('(hover: hover)').matches;
  clearTimeout(timer);
  const end = () => {
    if (fresh.matches(':hover, :focus-within')) timer = setTimeout(end, 1000);
    else fresh.remove();
  };
  if (fresh.dataset.leaves === undefined) timer = setTimeout(end, SHOWN_MS);
}

/** Takes back what was done last; false where that is over. */
export function undo() {
  const button = find('[data-undo]');
  button?.click();
  return button !== null;
}

/** Counts down what leaves. */
export function leaving(left) {
  for (const form of document.querySelectorAll('[data-leaves]')) {
    form.until ??= Date.now() + Number(form.dataset.leaves) * 1000;
    const seconds = Math.ceil((form.until - Date.now()) / 1000);
    if (seconds > 0) {
      find('[data-left]', form).textContent = String(seconds);
      continue;
    }
    // It has a moment to leave before what became of it is read.
    if (seconds > -1) find('[data-undo]', form).setAttribute('aria-disabled', 'true');
    else if (form.dataset.toast !== undefined) form.remove();
    else {
      delete form.dataset.leaves;
      left();
    }
  }
}
