// Calls the reader by a notice of the browser when something begins to wait while no tab is in view. Asks for permission
// at its button alone.
import { find } from './page.js';

const KEY = 'notices';
/** When a tab of the console was last in view: written this often, and counts for twice as long. */
const VIEWED = 'viewed';
const VIEWED_MS = 2000;

const isAble = 'Notification' in window && isSecureContext;
/** Whether this browser shows notices. */
export const isOn = () => isAble && localStorage.getItem(KEY) === 'on' && Notification.permission === 'granted';

/** The button that turns notices on and off in this browser. */
export function noticesButton() {
  const button = find('[data-notices]');
  if (button === null || !isAble) return;
  const state = find('[data-notices-state]');
  const show = () => {
    find('span', button).textContent = isOn() ? 'Stop notices in this browser' : 'Allow notices in this browser';
    button.disabled = Notification.permission === 'denied';
    state.textContent = button.disabled
      ? 'Your browser blocks notices of this site. Allow them in its settings, then load this page again.'
      : isOn()
        ? 'On in this browser.'
        : 'Off in this browser.';
  };
  button.hidden = false;
  show();
  button.addEventListener('click', async () => {
    if (isOn()) localStorage.removeItem(KEY);
    else if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(KEY, 'on');
    show();
  });
}

const viewed = () => !document.hidden && localStorage.setItem(VIEWED, String(Date.now()));
viewed();
setInterval(viewed, VIEWED_MS);

/** Conversations of which a notice was shown since the tab was last in view. */
const called = new Set();
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return localStorage.removeItem(VIEWED);
  called.clear();
  viewed();
});

/** Something began to wait. The tag keeps several tabs from showing it more than once. */
export function call({ message, thread, title, line }, root) {
  const isViewed = Date.now() - Number(localStorage.getItem(VIEWED)) < 2 * VIEWED_MS;
  if (!isOn() || !document.hidden || isViewed || called.has(thread)) return;
  called.add(thread);
  const notice = new Notification(title, { body: line, tag: thread });
  notice.addEventListener('click', () => {
    window.focus();
    location.assign(`${root}console/messages/${message}`);
    notice.close();
  });
}
