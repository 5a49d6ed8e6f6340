// A guest's wait after a rate limit: counted down on the send button, or ended by a solved challenge.
import { countDown, find, say, secondsIn, waitWords } from './page.js';

/**
 * Disables `send` for as long as the note in `place` says. Calls `goOn(altcha)` with a solved challenge when the guest
 * chooses to solve one. Returns a function that ends the wait; undefined where there is no wait.
 */
export function holdBack({ place, send, worker, goOn }) {
  if (find('.note', place) === null) return undefined;
  const left = find('[data-left]', place);
  const label = find('span', send);
  // The label without a countdown.
  const verb = label.textContent.replace(/ in \d+ (s|min)$/, '');
  const counted = (seconds) => {
    label.textContent = `${verb} in ${waitWords(seconds)}`;
  };
  send.setAttribute('aria-disabled', 'true');
  if (left !== null) counted(secondsIn(left));
  const over = new AbortController();
  place.addEventListener('left', ({ detail }) => counted(detail), { signal: over.signal });
  const free = () => {
    over.abort();
    stop();
    send.removeAttribute('aria-disabled');
    label.textContent = verb;
    place.replaceChildren();
  };
  const stop = countDown(place, free);
  const offer = find('[data-go-on]', place);
  // Without a secure connection browsers lack `crypto.subtle`, and solving would take too long.
  if (offer !== null && crypto.subtle !== undefined) {
    offer.hidden = false;
    find('button', offer).addEventListener('click', async () => {
      try {
        const altcha = await work(offer, worker);
        free();
        goOn(altcha);
      } catch {
        offer.textContent = 'That did not work. Please wait.';
      }
    });
  }
  const announced = place.cloneNode(true);
  find('[data-go-on]', announced)?.remove();
  say(announced.textContent.trim());
  return free;
}

/** Solves a challenge and shows the progress in `place`. */
async function work(place, worker) {
  const said = (seconds) => {
    place.textContent = `Checking that you are not a script… ${Math.floor(seconds)} s`;
  };
  said(0);
  const [{ solve }, response] = await Promise.all([
    import('./solve.js'),
    fetch('api/v1/challenges', { method: 'POST' }),
  ]);
  if (!response.ok) throw new Error(`${response.status}`);
  return solve(await response.json(), { worker, onProgress: ({ seconds }) => said(seconds) });
}

/** Submits a form with a solved challenge, by its button `send` when one is given. */
export function submitSolved(form, altcha, send) {
  const solved = document.createElement('input');
  solved.type = 'hidden';
  solved.name = 'altcha';
  solved.value = altcha;
  form.append(solved);
  form.requestSubmit(send);
}
