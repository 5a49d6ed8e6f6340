import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps one tick of `process.nextTick` for good. Where a collection of garbage finds none alive, V8 forgets what their
 * properties are, and from then on Node adds each property of each tick by a search: with five ticks that takes 6 µs of
 * every request.
 */
export function keepTick(): void {
  const hook = createHook({
    // Promises that were followed once stay slower.
    trackPromises: false,
    init: (_id, type, _trigger, tick) => void (type === 'TickObject' && kept.push(tick)),
  });
  hook.enable();
  process.nextTick(() => {});
  hook.disable();
}
