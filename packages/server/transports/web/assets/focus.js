// Keeps the place of who works by keys: a menu is left by Escape, and a page that a form loads goes on where it was sent.
import { find } from './page.js';

const MENUS = `details[open]:is(.more-acts, .more-ways, .turn-acts, .note-form, .bulk-menu, .refuse, .narrow, .switch,
  .sure, .remove, .participants)`;
const KEY = 'place';

/** Whether the last input was a key. */
let byKeys = false;
addEventListener('pointerdown', () => {
  byKeys = false;
});
addEventListener(
  'keydown',
  () => {
    byKeys = true;
  },
  true,
);

/** Closes the menu that this element is in; false where it is in none. */
export function closeMenu(at) {
  const menu = at.closest(MENUS);
  if (menu === null) return false;
  menu.open = false;
  find('summary', menu).focus();
  return true;
}

/** Has the next page go on at the conversation that is open then, at this row of the list, or where the page begins. */
export function keepPlace({ row = '', inConversation = false }) {
  if (byKeys) sessionStorage.setItem(KEY, JSON.stringify({ row, inConversation }));
}

/** Goes on where the page before was left, unless this one says where to be. */
export function continueAtPlace() {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (kept === null || document.activeElement !== document.body) return;
  const { row, inConversation } = JSON.parse(kept);
  const place = inConversation ? find('[data-conversation] .thread') : find(`[data-row="${CSS.escape(row)}"] a`);
  (place ?? find('#main')).focus({ preventScroll: true });
}
