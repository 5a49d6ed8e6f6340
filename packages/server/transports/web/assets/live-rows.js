// Keeps the rows of a list as they are now. However much arrives, the list stays as long as a page and the tab answers.
import { collected } from './collected.js';
import { find } from './page.js';
import { isPicking, picks } from './picks.js';
import { times } from './times.js';

/** How long changes are collected, in milliseconds, and how many are applied together. */
const PAUSE_MS = 100;
const BATCH = 50;
/** Arrivals that are counted one by one. */
const MAX_COUNTED = 999;

const element = (markup) => document.createRange().createContextualFragment(markup).firstElementChild;
export const rowOf = (id) => find(`[data-row="${CSS.escape(id)}"]`);

/** Follows the rows of the list; `changed` is called once for those that changed together. Returns what takes a change. */
export function liveRows(wide, changed) {
  const chip = find('[data-new-rows]');
  const list = find('[data-rows]');
  const box = find('[data-scroll]');
  const max = Number(list.dataset.rows);
  const isOlderPage = new URLSearchParams(location.search).has('cursor');
  /** Changes that are not applied yet, by message. */
  const queue = new Map();
  /** What arrived and may not move the rows now: while some are selected, or the reader is further down in a full list. */
  const waiting = new Map();
  /** What arrived above the reader. */
  const unseen = new Set();
  /** Whether the reader asked for what arrived, and goes to the first row once it is shown. */
  let isAskedFor = false;

  const scrolled = () => (wide.matches ? box.scrollTop : Math.max(0, scrollY - 150)) > 8;

  function showUnseen() {
    chip.hidden = unseen.size === 0;
    chip.textContent = unseen.size > MAX_COUNTED ? `${MAX_COUNTED}+ new` : `${unseen.size} new`;
  }
  function count(id) {
    if (unseen.size <= MAX_COUNTED) unseen.add(id);
  }
  /** Shows what waited. */
  function seen() {
    if (unseen.size === 0 || isPicking()) return;
    unseen.clear();
    showUnseen();
    for (const [id, event] of waiting) if (!queue.has(id)) queue.set(id, event);
    waiting.clear();
    apply();
  }
  const atTop = () => !scrolled() && seen();
  picks(list, atTop);
  chip.addEventListener('click', () => {
    if (wide.matches) box.scrollTo({ top: 0 });
    else scrollTo({ top: 0 });
    isAskedFor = !isPicking();
    seen();
  });
  box.addEventListener('scroll', atTop, { passive: true });
  addEventListener('scroll', atTop, { passive: true });

  const groupOf = ({ dataset }) => Number(dataset.group ?? 0);
  const rowsIn = (group) => [...list.children].filter((one) => one.dataset.row && groupOf(one) === group);

  /** Puts a row where it belongs: by its group, then the latest first. */
  function insert(fresh) {
    const [at, group] = [Number(fresh.dataset.at), groupOf(fresh)];
    const next = [...list.children].find((one) => {
      if (groupOf(one) !== group) return groupOf(one) > group;
      return Number(one.dataset.at) < at || (Number(one.dataset.at) === at && one.dataset.row < fresh.dataset.row);
    });
    list.insertBefore(fresh, next ?? null);
    return next;
  }

  /** Removes the oldest rows beyond a page, but for the open one and the one that the reader is at. */
  function cut(group) {
    const rows = rowsIn(group);
    const over = rows
      .toReversed()
      .slice(0, Math.max(0, rows.length - max))
      .filter((one) => !one.contains(document.activeElement) && find('[aria-current]', one) === null);
    if (over.length === 0) return;
    for (const one of over) one.remove();
    // The link to the next page would leave out what was removed.
    find('.pages')?.remove();
    find('[data-reload]').hidden = false;
  }

  /** Replaces a row in place, or inserts a new one; true for one that is new. */
  function put(event, below) {
    const { id, thread, in: mailbox, html, fits } = event;
    const old = rowOf(id);
    // A newer message now stands for the conversation.
    const earlier = old ?? find(`[data-thread="${CSS.escape(thread)}"][data-in="${CSS.escape(mailbox)}"]`, list);
    if (earlier !== null && earlier.dataset.row > id) return false;
    if (!fits) {
      waiting.delete(id);
      if (unseen.delete(id)) showUnseen();
      if (old !== null && !old.contains(document.activeElement)) old.remove();
      return false;
    }
    if (old === null && isOlderPage) return false;
    const fresh = element(html);
    if (old === null && (isPicking() || (earlier === null && below && rowsIn(groupOf(fresh)).length >= max))) {
      waiting.set(id, event);
      // What is beyond a page is found by loading the list again.
      if (waiting.size > max) waiting.delete(waiting.keys().next().value);
      count(id);
      return false;
    }
    times(fresh);
    const box = find('.pick input', fresh);
    box.checked = earlier !== null && find('.pick input', earlier).checked;
    const focused = earlier?.contains(document.activeElement) === true;
    const { at, group } = old?.dataset ?? {};
    // A late answer moves it up, but for what the reader is in.
    if (old !== null && (focused || (at === fresh.dataset.at && group === fresh.dataset.group))) old.replaceWith(fresh);
    else {
      earlier?.remove();
      const next = insert(fresh);
      // Older than the rows shown: it belongs on a later page.
      if (old === null && next === undefined && list.children.length > 1 && find('.pages') !== null) fresh.remove();
    }
    if (focused && fresh.isConnected) find('a', fresh).focus({ preventScroll: true });
    cut(groupOf(fresh));
    if (!fresh.isConnected || old !== null) return false;
    if (below) count(id);
    else fresh.classList.add('new');
    return true;
  }

  const apply = collected(() => {
    const events = [...queue.values()].slice(0, BATCH);
    if (events.length === 0) return;
    for (const { id } of events) queue.delete(id);
    const below = scrolled();
    const keeps = below && wide.matches && getComputedStyle(box).overflowAnchor === 'none';
    const height = keeps ? box.scrollHeight : 0;
    const isNew = events.map((event) => put(event, below)).some(Boolean);
    if (keeps && isNew) box.scrollTop += box.scrollHeight - height;
    if (isNew) {
      find('[data-empty]')?.remove();
      find('[data-hint]')?.removeAttribute('hidden');
    }
    showUnseen();
    changed(events);
    if (queue.size > 0) apply();
    else if (isAskedFor) {
      isAskedFor = false;
      find('[data-rows] a')?.focus({ preventScroll: true });
    }
  }, PAUSE_MS);

  return (event) => {
    queue.delete(event.id);
    queue.set(event.id, event);
    apply();
  };
}
