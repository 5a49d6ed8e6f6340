// A guest's wait: counted down on the button that sends, or ended at once by work for the machine.
import { countDown, find, say, secondsIn, waitWords } from './page.js';

/**
 * Holds `send` back for as long as the note in `place` says. `goOn(altcha)` is called with a solved challenge when the
 * guest would rather have the machine work. Returns what ends the wait; undefined where there is none.
 */
export function holdBack({ place, send, worker, goOn }) {
  if (find('.note', place) === null) return undefined;
  const left = find('[data-left]', place);
  const label = find('span', send);
  // As it reads when there is nothing to wait for.
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
  // Without a safe connection a browser has no means to do it in time.
  if (offer !== null && crypto.subtle !== undefined) {
    offer.hidden = false;
    find('button', offer).addEventListener('click', async () => {
      try {
        const altcha = await work(offer, worker);
        free();
        goOn(altcha);
      } catch {
        offer.textContent = 'That did not work. Wait for the time to pass.';
      }
    });
  }
  const heard = place.cloneNode(true);
  find('[data-go-on]', heard)?.remove();
  say(heard.textContent.trim());
  return free;
}

/** Solves a challenge, saying so in `place`. */
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
