import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { eventIdOf } from '@mailroom/behavior/values/ids';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { openSqlite } from '../../store/sqlite/store.ts';
import { T, world } from './made.ts';

const folder = newFolder();
after(() => removeFolder(folder));

const MANY = 200_000;

test('deep in the log a page and a count cost what they cost at its ends', async () => {
  const path = join(folder, 'many.db');
  await using store = await openSqlite(path);
  const { namespace, mailbox } = await world(store);
  {
    using db = new DatabaseSync(path);
    db.exec(`
      with recursive n(n) as (select 1 union all select n + 1 from n where n < ${MANY})
      insert into events (namespace_id, mailbox_id, type, message_id, at, arrived, took_ms)
      select '${namespace.id}', '${mailbox.id}', 'message.completed', null, ${T} + n, 1, 5 from n`);
  }
  const id = namespace.id;
  const middle = eventIdOf(0, MANY / 2);
  /** The fastest of ten runs of each, alternating, to ignore other load on the machine. */
  const best = async (...reads: readonly (() => Promise<unknown>)[]): Promise<number[]> => {
    const least = reads.map(() => Infinity);
    for (let i = 0; i < 10; i++) {
      for (const [at, read] of reads.entries()) {
        const from = performance.now();
        await read();
        least[at] = Math.min(least[at] as number, performance.now() - from);
      }
    }
    return least;
  };
  const page = (place: string | null) => () => store.events.page({ namespace_id: id }, place, 50);
  const back = (before: string | null) => () => store.events.tally(id, { before }, 500);
  const forth = (place: string) => () => store.events.tally(id, { after: place }, 500);
  for (const [what, end, deep] of [
    ['a page', page(null), page(middle)],
    ['a count back', back(null), back(middle)],
    ['a count on', forth(eventIdOf(0, 0)), forth(middle)],
  ] as const) {
    const [at_end = 0, within = Infinity] = await best(end, deep);
    assert.ok(within < 3 * at_end + 1, `${what}: ${at_end} and ${within} ms`);
  }
});
