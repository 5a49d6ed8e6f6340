/** What goes on in a later turn of the event loop, the oldest first. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, so that other work of this thread is done first. One of those that wait
 * goes on in each turn: however many read long lists at once, a turn is as long as one piece of one of them.
 */
export function yieldToEventLoop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.push(resolve) === 1) setImmediate(proceed);
  return promise;
}

function proceed(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(proceed);
}
