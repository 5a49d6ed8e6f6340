import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { WORKER_REPLACED } from '../pool.ts';

/** Threads that are closed at the end of the test, with the notices of replaced threads. */
export function watched<T extends { close(): Promise<void> }>(threads: T) {
  const replacements: unknown[] = [];
  const record = (message: unknown): void => {
    replacements.push(message);
  };
  subscribe(WORKER_REPLACED, record);
  return {
    threads,
    replacements,
    async [Symbol.asyncDispose]() {
      unsubscribe(WORKER_REPLACED, record);
      await threads.close();
    },
  };
}
