/** What goes on in a later turn of the event loop, the oldest first. */
const waiting: (() => void)[] = [];

/** The longest time that those who wait leave to other work after a piece. */
const MAX_REST_MS = 10;

/**
 * Resolves in a later turn of the event loop, so that other work of this thread is done first. One of those that wait
 * goes on in each turn, and where several wait, they leave as much time after a piece as it took: however many read long
 * lists at once, a turn is as long as one piece of one of them.
 */
export function yieldToEventLoop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.push(resolve) === 1) setImmediate(proceed);
  return promise;
}

function proceed(): void {
  const began = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(rest, began);
}

function rest(began: number): void {
  const ms = Math.min(performance.now() - began, MAX_REST_MS);
  if (waiting.length > 1 && ms >= 1) setTimeout(proceed, ms);
  else proceed();
}
