/**
 * Solves a challenge of `POST /api/v1/challenges` in workers, so that the page stays responsive. Resolves with the
 * payload that a form or the header `Altcha` carries; rejects when `signal` aborts or the browser has no
 * `crypto.subtle` (it needs https).
 */
export function solve(challenge, { worker, onProgress, signal }) {
  const began = performance.now();
  const count = Math.min(4, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
  const workers = [];
  return new Promise((resolve, reject) => {
    let tried = 0;
    const abort = () => reject(signal.reason);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    for (let start = 0; start < count; start++) {
      const one = new Worker(worker, { type: 'module' });
      workers.push(one);
      one.onerror = (event) => reject(new Error(event.message || 'The worker could not be loaded.'));
      one.onmessage = ({ data }) => {
        if (data.error) return reject(new Error(data.error));
        if (data.tried) {
          tried += data.tried;
          return onProgress?.({ tried, seconds: (performance.now() - began) / 1000 });
        }
        const { parameters, signature } = challenge;
        const solution = { counter: data.counter, derivedKey: data.derivedKey, time: performance.now() - began };
        // A challenge holds only ASCII, which is all that btoa accepts.
        resolve(btoa(JSON.stringify({ challenge: { parameters, signature }, solution })));
      };
      one.postMessage({ parameters: challenge.parameters, start, step: count });
    }
  }).finally(() => {
    for (const one of workers) one.terminate();
  });
}
