// Counts down the limit on reports, which a solved challenge ends. Without this script the sender waits and sends
// again.
import { find } from './page.js';
import { holdBack, submitSolved } from './wait.js';

const form = find('[data-report]');
const place = find('[data-limit]', form);
holdBack({
  place,
  send: find('[data-send]', form),
  worker: place.dataset.worker,
  goOn: (altcha) => submitSolved(form, altcha),
});
form.addEventListener('submit', (event) => {
  if (form.dataset.sent || find('[data-send]', form).ariaDisabled === 'true') event.preventDefault();
  form.dataset.sent = '1';
});
addEventListener('pageshow', () => delete form.dataset.sent);
