import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Logger } from 'pino';

const CHANNEL = 'mailroom:store:compacted';

interface Compacted {
  readonly ms: number;
  readonly before?: number;
  readonly after?: number;
  readonly error?: string;
}

/** Logs each compaction of the SQLite file that took long or failed, until it is disposed. */
export function logCompactions(log: Logger): Disposable {
  const listener = (message: unknown): void => {
    const { error, ...compaction } = message as Compacted;
    if (error !== undefined) log.warn({ ...compaction, error }, 'the database was not compacted; it is tried again');
    else log[compaction.ms > 1_000 ? 'info' : 'debug'](compaction, 'the database was compacted');
  };
  subscribe(CHANNEL, listener);
  return { [Symbol.dispose]: () => unsubscribe(CHANNEL, listener) };
}
