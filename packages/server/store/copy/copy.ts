import type { Clock } from '@mailroom/behavior/values/clock';
import { systemClock } from '../../core/values/steady-clock.ts';
import { openSource } from './source.ts';
import { type Digest, digest, type Table } from './table.ts';
import { openTarget } from './target.ts';

/** Progress of a copy. */
export type CopyEvent =
  /** It starts: the number of rows in the source, and how many of them an earlier run copied. */
  | {
      readonly kind: 'began';
      readonly path: string;
      readonly tables: number;
      readonly rows: number;
      readonly there: number;
      /** Whether the source was written since that run, so that everything is copied again. */
      readonly changed: boolean;
    }
  /** How many of `of` rows are copied, or read again on both sides. */
  | { readonly kind: 'copying' | 'checking'; readonly rows: number; readonly of: number }
  | { readonly kind: 'same'; readonly table: string; readonly digest: Digest };

export interface CopyOptions {
  readonly clock?: Clock;
  /** Ends the copy after the current batch; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  readonly on?: (event: CopyEvent) => void;
}

/** The copy differs from the source; continuing does not fix it. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

/**
 * Copies a SQLite store at `path` into an empty PostgreSQL database at `url` and compares both, cell by cell. An
 * interrupted copy continues when it is called again; no service starts on the database before the copy is complete.
 * Throws, with one line, when one of the two cannot be used and when the connection is lost; CopyError when a table
 * differs.
 */
export async function copyStore(path: string, url: string, options: CopyOptions = {}): Promise<void> {
  const { clock = systemClock, signal, on = () => {} } = options;
  using source = openSource(path, clock());
  await using target = await openTarget(url, source);
  const { tables } = source;
  const counts = new Map<Table, number>(tables.map((table) => [table, source.count(table)]));
  const all = [...counts.values()].reduce((sum, rows) => sum + rows, 0);
  on({
    kind: 'began',
    path: source.path,
    tables: tables.length,
    rows: all,
    there: target.found.rows,
    changed: target.found.changed,
  });

  let copied = target.found.rows;
  for (const table of tables) {
    // The next batch is read while the previous one is written.
    let written: Promise<void> = Promise.resolve();
    for (const batch of source.batches(table, target.placeOf(table).key)) {
      await written;
      signal?.throwIfAborted();
      written = target.write(table, batch);
      copied += batch.length;
      on({ kind: 'copying', rows: copied, of: all });
    }
    await written;
  }

  let read = 0;
  const onRows = (rows: number): void => {
    signal?.throwIfAborted();
    read += rows;
    on({ kind: 'checking', rows: read, of: 2 * all });
  };
  const wrong: string[] = [];
  for (const table of tables) {
    const [here, there] = await Promise.all([
      digest(source.batches(table), onRows),
      digest(target.batches(table), onRows),
    ]);
    if (here.sha256 === there.sha256 && here.rows === counts.get(table)) {
      on({ kind: 'same', table: table.name, digest: here });
    } else {
      wrong.push(`${table.name} (${here.rows} rows, ${there.rows} in the copy)`);
    }
  }
  if (wrong.length > 0) {
    throw new CopyError(
      `The copy is not the same: ${wrong.join(', ')}. Create the database again and rerun this command.`,
    );
  }
  await target.finish(tables);
}
