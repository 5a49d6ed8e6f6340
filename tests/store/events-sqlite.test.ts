import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { eventIdOf } from '../../src/core/ids.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { newFolder, removeFolder } from '../harness/service.ts';
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
  /** The fastest of ten: what else the machine does is left out. */
  const best = async (read: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 10; i++) {
      const from = performance.now();
      await read();
      times.push(performance.now() - from);
    }
    return Math.min(...times);
  };
  const page = (place: string | null) => () => store.events.page({ namespace_id: id }, place, 50);
  const back = (before: string | null) => () => store.events.tally(id, { before }, 500);
  const forth = (place: string) => () => store.events.tally(id, { after: place }, 500);
  const shallow = [await best(page(null)), await best(back(null)), await best(forth(eventIdOf(0, 0)))];
  const deep = [await best(page(middle)), await best(back(middle)), await best(forth(middle))];
  for (const [at, ms] of deep.entries()) assert.ok(ms < 3 * (shallow[at] as number) + 1, `${shallow} and ${deep} ms`);
});
