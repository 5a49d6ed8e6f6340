import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Logger } from 'pino';

interface Compacted {
  readonly ms: number;
  readonly before?: number;
  readonly after?: number;
  readonly error?: string;
}

interface ClockSet {
  readonly by_ms: number;
  readonly followed: boolean;
}

/** What an operator does about a damaged database. */
const REPAIR = 'Restore the last backup, or recover what can be read: docs/operations.md, A damaged database';

/**
 * Logs `damaged`, what is known to be so in the database, and until it is disposed long or failed compactions of the
 * SQLite file, damage to the database, and a clock that was set.
 */
export function logChannels(log: Logger, damaged: string | undefined): Disposable {
  const damage = (what: string): void => log.fatal({ what }, `the database is damaged. ${REPAIR}`);
  if (damaged !== undefined) damage(damaged);
  const listeners: Readonly<Record<string, (message: unknown) => void>> = {
    'mailroom:store:compacted'(message) {
      const { error, ...compaction } = message as Compacted;
      if (error !== undefined) log.warn({ ...compaction, error }, 'the database was not compacted; it is tried again');
      else log[compaction.ms > 1_000 ? 'info' : 'debug'](compaction, 'the database was compacted');
    },
    'mailroom:store:damaged'(message) {
      damage((message as { readonly what: string }).what);
    },
    'mailroom:clock:set'(message) {
      const { by_ms, followed } = message as ClockSet;
      log.warn({ by_ms }, followed ? 'the clock was set' : 'the clock was set; it is followed if that stays');
    },
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  return {
    [Symbol.dispose]() {
      for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener);
    },
  };
}
