import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import type { Store } from '../../core/ports/store.ts';
import { columnsOf } from '../../store/schema/table.ts';
import { mailboxes, messages } from '../../store/schema/tables.ts';
import { openSqlite } from '../../store/sqlite/store.ts';
import { accept, fromMailbox, messageOf, T, type World, world } from './made.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailroom-scale-'));
const path = join(folder, 'm.db');
let store: Store;
let one: World;
/** Enough rows to notice when all of them are read on the thread that answers HTTP. */
const ROWS = 20_000;
const LOOKS = 200;

before(async () => {
  store = await openSqlite(path, { clock: () => T });
  one = await world(store);
  const db = new DatabaseSync(path);
  const many = (sql: string, ...values: string[]): void => {
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})`;
    db.prepare(`${numbers} ${sql}`).run(...values);
  };
  many(
    `insert into states (kind, id, subject, value, expires_at)
     select 'session', 'id' || i, 'other' || i, 'v', ${T + 1_000_000} from n`,
  );
  const { namespace, mailbox, key } = one;
  const changed = mailboxes.names.map((name) =>
    name === 'id' ? "'mbx_0' || i" : name === 'deleted_at' ? String(T) : name,
  );
  many(
    `insert into mailboxes (${columnsOf(mailboxes)})
     select ${changed.join(', ')} from mailboxes, n where id = ?`,
    mailbox.id,
  );
  many(
    `insert into keys (id, namespace_id, namespace, prefix, sha256, scopes, created_at, revoked_at)
     select 'key_0' || i, ?, namespace, prefix, 'h' || i, scopes, created_at, ${T} from keys, n where id = ?`,
    namespace.id,
    key.id,
  );
  await accept(store, messageOf(one, one, fromMailbox(one)), { from_mailbox_id: one.mailbox.id });
  const [first] = db.prepare('select id from messages').all();
  const other: Readonly<Record<string, string>> = {
    id: "'msg_0' || i",
    sender_kind: "'email'",
    sender_id: "'s' || i || '@far.example'",
    from: 'null',
    from_mailbox_id: 'null',
  };
  many(
    `insert into messages (${columnsOf(messages)})
     select ${messages.names.map((name) => other[name] ?? `"${name}"`).join(', ')} from messages, n where id = ?`,
    String(first?.id),
  );
  db.close();
});
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const often = async (look: () => Promise<void>): Promise<void> => {
  for (let times = 0; times < LOOKS; times++) await look();
};

test('SQLite: what belongs to a subject is found among many others of its kind', async () => {
  await store.states.set({ kind: 'session', id: 'mine', subject: 'me', value: 'v', expires_at: T + 5 });
  await assertEffort(10, 'a look at the states of a subject', () =>
    often(async () => assert.equal((await store.states.of('session', 'me', T)).length, 1)),
  );
});

test('SQLite: an address that was often deleted is found as one that never was', async () => {
  const { mailbox, namespace } = one;
  await assertEffort(10, 'a look for an address', () =>
    often(async () => assert.equal((await store.mailboxes.byAddress('hello', namespace.name))?.id, mailbox.id)),
  );
  await assertEffort(10, 'a list of the living ones', () =>
    often(async () => {
      assert.deepEqual(await store.mailboxes.ids(namespace.id), [mailbox.id]);
      const of = { namespace: namespace.name, listed: true, seen_by: null };
      assert.equal((await store.mailboxes.page(of, null, 10)).items.length, 1);
      assert.equal((await store.mailboxes.page({ listed: true, seen_by: null }, null, 10)).items.length, 1);
    }),
  );
});

test('SQLite: keys are listed past many that were revoked', async () => {
  await assertEffort(10, 'a list of keys', () =>
    often(async () => {
      assert.equal((await store.keys.page({ namespace_id: one.namespace.id }, null, 10)).items.length, 1);
    }),
  );
});

test('SQLite: whether an address wrote to a mailbox is found among all that it received', async () => {
  const { mailbox, namespace } = one;
  await assertEffort(10, 'a look for those who wrote', () =>
    often(async () => {
      const addresses = ['s7@far.example', 'none@far.example', 'none@none', `hello@${namespace.name}`];
      const contacts = await store.reviews.contacts(mailbox.id, addresses);
      assert.deepEqual([...contacts], [`hello@${namespace.name}`]);
    }),
  );
});
