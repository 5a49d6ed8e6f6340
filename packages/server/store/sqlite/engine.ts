import type { DatabaseSync } from 'node:sqlite';
import type { Millis } from '@mailroom/behavior/values/clock';
import { makeAudited } from './audited.ts';
import { makeHotStatements } from './hot-statements.ts';
import { ACCEPT, type Batch, type Failure, type Results } from './wire.ts';

const failure = (place: number, error: unknown): Failure => [
  place,
  error instanceof Error ? error.message : String(error),
  (error as { readonly errcode?: number }).errcode ?? 0,
];

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;

/**
 * Runs a batch of operations as one transaction. When an operation or the commit fails, all is rolled back and each
 * operation gets a transaction of its own, so that only those at fault fail. `onErase` is called in the
 * transaction of a deletion, with the ms after which its content is to leave the files.
 */
export function makeEngine(db: DatabaseSync, onErase: (after: Millis) => void = () => {}): (batch: Batch) => Results {
  const { operations, look, insertCollected, forget } = makeHotStatements(db, onErase);
  const hotStatements = [...operations, makeAudited(db, operations, insertCollected)];
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');

  function transaction(batch: Batch, from: number, to: number): unknown[] {
    try {
      begin.run();
      look();
      const results: unknown[] = [];
      for (let offset = from; offset < to; ) {
        const count = batch[offset + 1] as number;
        if (batch[offset] !== ACCEPT) insertCollected();
        results.push(hotStatements[batch[offset] as number]?.(batch, offset + 2, count));
        offset += 2 + count;
      }
      insertCollected();
      commit.run();
      return results;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      forget();
      throw error;
    }
  }

  function oneByOne(batch: Batch, first: unknown): Results {
    const results: unknown[] = [];
    const failures: Failure[] = [];
    // The lock on the file was already waited for, so the remaining operations do not each wait again.
    let locked = isBusy(first) ? first : undefined;
    for (let offset = 0; offset < batch.length; ) {
      const end = offset + 2 + (batch[offset + 1] as number);
      try {
        if (locked !== undefined) throw locked;
        results.push(...transaction(batch, offset, end));
      } catch (error) {
        if (isBusy(error)) locked = error;
        failures.push(failure(results.push(0) - 1, error));
      }
      offset = end;
    }
    return [results, failures];
  }

  return (batch) => {
    try {
      const results = transaction(batch, 0, batch.length);
      return [results.every((result) => result === 0) ? null : results, null];
    } catch (error) {
      return oneByOne(batch, error);
    }
  };
}
