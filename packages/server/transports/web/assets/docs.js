// Shows search results in the docs while the reader types; without this script the form does the same.
import { find, say } from './page.js';

const PAUSE_MS = 200;
const form = find('.docs-search');
const input = find('.docs-search [name=query]');
const place = find('[data-results]');

let timer;
let asked;

async function look() {
  asked?.abort();
  asked = new AbortController();
  const url = new URL(form.action);
  url.searchParams.set('query', input.value);
  try {
    const response = await fetch(url, { headers: { accept: 'text/html' }, signal: asked.signal });
    if (!response.ok) return;
    const found = find('[data-results]', new DOMParser().parseFromString(await response.text(), 'text/html'));
    if (found === null) return;
    place.replaceChildren(...found.childNodes);
    history.replaceState(null, '', url);
    say(find('[data-count]', place)?.textContent ?? 'Nothing found.');
  } catch {
    // On an error the form itself still works.
  }
}

if (place !== null) {
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  });
}
