// Shows when the address goes online or offline, without a reload.
import { find, say } from './page.js';

/** How often one looks, while the page is seen; more rarely where it stays open for long. */
const LOOK_MS = 1000;
const RARELY_MS = 10_000;
const LONG_MS = 10 * 60_000;

const place = find('[data-presence]');
const turns = find('[data-turns]');
const since = Date.now();
let timer;

function show({ mark, away }) {
  const fresh = document.createRange().createContextualFragment(mark);
  if (fresh.textContent === place.textContent) return;
  place.replaceChildren(fresh);
  say(place.textContent);
  const note = turns && find(':scope > .note', turns);
  note?.remove();
  turns?.prepend(document.createRange().createContextualFragment(away));
}

async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  const response = await fetch(place.dataset.presence, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const body = response?.ok ? await response.json().catch(() => undefined) : undefined;
  if (body !== undefined) show(body);
  clearTimeout(timer);
  timer = setTimeout(look, body === undefined || Date.now() - since > LONG_MS ? RARELY_MS : LOOK_MS);
}
if (place !== null) {
  document.addEventListener('visibilitychange', look);
  timer = setTimeout(look, LOOK_MS);
}
