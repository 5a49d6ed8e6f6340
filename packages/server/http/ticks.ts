import type { Millis } from '@mailroom/behavior/values/clock';

/**
 * The values of the source, and `undefined` whenever it gave none for `every_ms`, for example to send a heartbeat. A
 * pending read of the source is kept, not repeated.
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
    // A consumer that stops early does not wait for the pending read.
    next.catch(() => {});
    void pieces.return?.();
  }
}
