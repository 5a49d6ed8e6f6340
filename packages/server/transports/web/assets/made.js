// Asks before the reader leaves the page that shows the key, since a key that was not saved is lost. Without this
// script the page behaves like any other.
import { find } from './page.js';

/** Read by the form for a new address, which one steps back to. */
try {
  sessionStorage.setItem('made', find('[data-made]').dataset.made);
} catch {
  // Storage may be disabled; then the form says that the name is taken.
}

const key = find('#owner-key');
if (key !== null) {
  const leaving = new AbortController();
  const kept = () => leaving.abort();
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: leaving.signal });
  // The key was downloaded, or used to open the console.
  key.closest('section').addEventListener('submit', kept);
  key.closest('section').addEventListener('copied', kept);
  // The key was selected and copied by hand.
  document.addEventListener('copy', () => getSelection().containsNode(key, true) && kept());
}
