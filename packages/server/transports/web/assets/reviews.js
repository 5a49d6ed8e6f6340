// Keys of the page of what waits for a decision. All they do is also done by a link or a button of the page.
import { find } from './page.js';

const links = () => [...document.querySelectorAll('.review-rows a')];

/** Opens the next or the previous one; the first where none is open. */
function step(by) {
  const all = links();
  const at = all.findIndex((one) => one.getAttribute('aria-current') !== null);
  const next = at < 0 ? all[0] : all[at + by];
  next?.click();
}

function reject() {
  const details = find('.decision .refuse') ?? find('.approval .refuse');
  if (details === null) return;
  details.open = true;
  find('input.input', details).focus();
}

const ACTS = {
  j: () => step(1),
  k: () => step(-1),
  a: () => (find('[data-act=a]') ?? find('.approval [value=approve]'))?.click(),
  r: reject,
  e: () => find('[data-act=e]')?.click(),
};

document.addEventListener('keydown', (event) => {
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.repeat || event.metaKey || event.ctrlKey || event.altKey) return;
  if (at.closest('input:not([type=checkbox]), textarea, select, dialog[open]') !== null) return;
  const act = ACTS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

find('#changes')?.focus();
find('.review-rows [aria-current]')?.scrollIntoView({ block: 'nearest' });
