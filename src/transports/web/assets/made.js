// Asks before the page that shows the key is left, for a key that was not kept is gone. Without this file it is as safe as
// any page.
import { find } from './page.js';

const key = find('#owner-key');
if (key !== null) {
  const leaving = new AbortController();
  const kept = () => leaving.abort();
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: leaving.signal });
  // Downloaded, or taken along to the console.
  key.closest('section').addEventListener('submit', kept);
  key.closest('section').addEventListener('copied', kept);
  // Selected and copied by hand.
  document.addEventListener('copy', () => getSelection().containsNode(key, true) && kept());
}
