import type { Millis } from '../core/values/clock.ts';

/**
 * What the source gives, and `undefined` whenever it has given nothing for `every_ms`: for whoever has to do something
 * meanwhile, such as to say that it is still there. A source that is waited for is left alone until it gives.
 */
export async function* orEvery<T>(
  source: AsyncIterable<T>,
  every_ms: Millis,
): AsyncGenerator<T | undefined, void, undefined> {
  const pieces = source[Symbol.asyncIterator]();
  let next = pieces.next();
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const tick = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, every_ms, undefined);
      });
      const piece = await Promise.race([next, tick]).finally(() => clearTimeout(timer));
      if (piece === undefined) yield undefined;
      else if (piece.done === true) return;
      else {
        yield piece.value;
        next = pieces.next();
      }
    }
  } finally {
    // Who leaves early does not wait for what the source is waiting for.
    next.catch(() => {});
    void pieces.return?.();
  }
}
