import { channel } from 'node:diagnostics_channel';
import { MINUTE } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';

/** Published once for each store whose database turns out to be damaged: `{ what }`, as the database says it. */
const damaged = channel('mailroom:store:damaged');

/** Whether an error says so: SQLite's CORRUPT and NOTADB, PostgreSQL's data_corrupted and index_corrupted (appendix A). */
export const isDamage = (error: unknown): boolean => {
  const { errcode, code } = (error ?? {}) as { readonly errcode?: number; readonly code?: unknown };
  if (errcode !== undefined) return [11, 26].includes(errcode & 0xff);
  return code === 'XX001' || code === 'XX002';
};

/** A repair takes an operator, so callers ask rarely. */
const REPAIR_MS = MINUTE;

/** What is known of damage to the database, which nothing repairs while the service runs. */
export class Damage {
  #found: AppError | undefined;

  /** As the database says it. */
  get what(): string | undefined {
    return (this.#found?.cause as Error | undefined)?.message;
  }

  /** The error for callers, once any damage was found. */
  get found(): AppError | undefined {
    return this.#found;
  }

  /** The error for the caller where `error` tells of damage, else undefined. */
  of(error: unknown): AppError | undefined {
    return isDamage(error) ? this.note(error as Error) : undefined;
  }

  note(cause: Error): AppError {
    if (this.#found !== undefined) return this.#found;
    damaged.publish({ what: cause.message });
    this.#found = new AppError(
      'unavailable',
      'The database is damaged, so nothing of this was stored. Its operator has to repair it.',
      { cause, retry_after_ms: REPAIR_MS },
    );
    return this.#found;
  }
}
