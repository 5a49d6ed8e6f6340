// Calls the reader by a notification of the browser when something new waits, once they asked for it.
import { find } from './page.js';

const KEY = 'bell';
const isOn = () => localStorage.getItem(KEY) === 'on' && Notification.permission === 'granted';

/** Shows the bell, which alone asks for permission. */
export function bell() {
  const button = find('[data-bell]');
  if (button === null || !('Notification' in window) || !isSecureContext) return;
  const show = () => button.setAttribute('aria-pressed', String(isOn()));
  button.hidden = false;
  show();
  button.addEventListener('click', async () => {
    if (isOn()) localStorage.removeItem(KEY);
    else if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(KEY, 'on');
    show();
  });
}

/** A row came into the inbox. */
export function called(row) {
  if (!('Notification' in window) || !isOn() || !document.hidden || row.dataset.group === undefined) return;
  const text = (name) => find(name, row)?.textContent.trim() ?? '';
  const notice = new Notification(text('.from b'), { body: text('.line'), tag: row.dataset.thread });
  notice.addEventListener('click', () => {
    window.focus();
    find('a', row).click();
    notice.close();
  });
}
