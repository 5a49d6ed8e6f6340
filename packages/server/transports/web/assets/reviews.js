// Keys of the page of what waits for a decision. All they do is also done by a link or a button of the page.
import { collected } from './collected.js';
import { closeMenu } from './focus.js';
import { find, say } from './page.js';
import { times } from './times.js';

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
  y: () => (find('[data-act=y]') ?? find('.approval [value=approve]'))?.click(),
  n: reject,
  i: () => find('[data-act=i]')?.click(),
};

document.addEventListener('keydown', (event) => {
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.repeat || event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.key === 'Escape') return closeMenu(at);
  if (at.closest('input:not([type=checkbox]), textarea, select, dialog[open]') !== null) return;
  const act = ACTS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

// A text is edited at once, but for phones, whose keyboard would cover it.
(find('#changes') ?? (matchMedia('(hover: hover)').matches ? find('.review-form textarea') : null))?.focus();
find('.review-rows [aria-current]')?.scrollIntoView({ block: 'nearest' });

/** How long changes are collected before the page is read again, in milliseconds. */
const PAUSE_MS = 200;
const SAYS = {
  approved: 'It was approved meanwhile.',
  rejected: 'It was rejected meanwhile.',
  expired: 'Its time is over: no one decided.',
  pending: 'It was changed meanwhile: look at it again.',
};

/** Whether a person types in this part of the page, or has typed. */
const isTyped = (within) =>
  [...within.querySelectorAll('textarea, input.input')].some((one) => one.value !== one.defaultValue) ||
  find('textarea, details[open] input.input', within) !== null;

/** What happened to what is open. */
let opened;

/** Shows the list as it is now, and what is open where it changed; what a person types stays, with a word above it. */
async function refresh() {
  const response = await fetch(location.href).catch(() => undefined);
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = find('.desk > .list', page);
  const list = find('.desk > .list');
  if (fresh === null || list === null) return;
  const place = list.scrollTop;
  list.replaceWith(fresh);
  fresh.scrollTop = place;
  times(fresh);
  if (opened === undefined) return;
  const text = SAYS[opened.status] ?? SAYS.pending;
  opened = undefined;
  const side = find('.desk-side');
  const note = document.createElement('p');
  note.className = 'done';
  note.setAttribute('role', 'status');
  note.textContent = text;
  if (!isTyped(side)) {
    const now = find('.desk-side', page);
    for (const one of now.querySelectorAll('.done')) one.remove();
    side.replaceChildren(...now.childNodes);
    times(side);
  }
  find('[data-meanwhile]', side)?.remove();
  note.dataset.meanwhile = '';
  side.prepend(note);
  say(text);
}

const readAgain = collected(refresh, PAUSE_MS);
addEventListener('review', ({ detail }) => {
  const { open } = find('[data-reviews]').dataset;
  if (detail.id === open || open === 'all') opened = detail;
  readAgain();
});
