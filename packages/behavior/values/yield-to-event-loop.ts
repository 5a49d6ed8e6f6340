/** Resolves in the next iteration of the event loop, so that other work of this thread is done first. */
export { setImmediate as yieldToEventLoop } from 'node:timers/promises';
