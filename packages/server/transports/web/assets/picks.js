// Selecting conversations of a list by keys and by ranges. Without it each has a checkbox, and the bar its buttons.
import { find, say } from './page.js';

const boxes = () => [...document.querySelectorAll('.pick input')];
const picked = () => boxes().filter((one) => one.checked);
export const isPicking = () => picked().length > 0;

/** The checkbox from which a range begins. */
let from;
let changed = () => {};

/** Presses a button of the bar, or opens its menu, for what is selected; false where nothing is. */
export function actOnPicked(what) {
  if (!isPicking()) return false;
  const menu = find(`[data-bulk-menu="${what}"]`);
  if (menu === null) find(`[data-bulk] [value="${what}"]`)?.click();
  else {
    menu.open = true;
    find('input, button', menu).focus();
  }
  return true;
}

/** Selects the row, or no longer; with `range` all from the last one. */
export function pick(row, range) {
  const box = row && find('.pick input', row);
  if (box === null) return;
  if (range && from?.isConnected) {
    const all = boxes();
    const [one, other] = [all.indexOf(from), all.indexOf(box)].sort((a, b) => a - b);
    for (const each of all.slice(one, other + 1)) each.checked = true;
  } else box.checked = !box.checked;
  from = box;
  show();
}

/** Selects nothing; false where nothing was. */
export function pickNone() {
  const was = isPicking();
  for (const one of boxes()) one.checked = false;
  if (was) show();
  return was;
}

function show() {
  const count = picked().length;
  const bar = find('[data-bulk]');
  find('[data-picked]', bar).textContent = `${count} selected`;
  const all = find('[data-all] input', bar);
  all.checked = count > 0 && count === boxes().length;
  all.indeterminate = count > 0 && !all.checked;
  if (count > 0) say(`${count} selected.`);
  else changed();
}

/** Gives the list its selection; `none` is called when nothing is selected any more. */
export function picks(list, none) {
  changed = none;
  const bar = find('[data-bulk]');
  for (const one of bar.querySelectorAll('[data-all], [data-none]')) one.hidden = false;
  list.addEventListener('click', (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement)) return;
    if (event.shiftKey && from?.isConnected) {
      box.checked = !box.checked;
      pick(box.closest('li'), true);
    } else {
      from = box;
      show();
    }
  });
  find('[data-all] input', bar).addEventListener('change', ({ target }) => {
    for (const one of boxes()) one.checked = target.checked;
    show();
  });
  find('[data-none]', bar).addEventListener('click', pickNone);
  // The browser may have kept what was selected before the page was left.
  pickNone();
}
