import assert from 'node:assert/strict';
import type { Claim, Store } from '../../src/core/ports/store.ts';
import { accept, settlementOf, T, waitingOf, world } from './made.ts';

/** Reverts each version's changes, in SQL for both databases. */
const BACK: ReadonlyMap<number, string> = new Map([
  [8, 'drop table kept_settings; alter table jobs drop column behavior;'],
  [
    7,
    `drop table storage; drop index keys_working; alter table namespaces drop column network;
     alter table namespaces drop column claimed_at;`,
  ],
  [6, 'drop index keys_living;'],
  [5, 'drop index mailboxes_public; drop index mailboxes_public_behavior; drop index mailboxes_of;'],
  [
    4,
    `drop table accounts; drop table subjects; drop table passkeys; drop table ownerships; drop table clients;
     drop table allowances; alter table jobs drop column decides; drop index messages_asking; drop index states_subject;
     create index states_subject on states (kind, subject) where subject is not null;`,
  ],
  [
    3,
    `drop table notes; drop table schedules; alter table jobs drop column checkpoint;
     alter table jobs drop column plan; alter table jobs drop column parked;`,
  ],
]);

/** Turns a database of the newest version with its rows into one of an older version. */
export const backTo = (version: number): string =>
  `${[...BACK]
    .filter(([brought]) => brought > version)
    .map(([, sql]) => sql)
    .join(' ')}update schema_version set version = ${version};`;

const KEPT = { checkpoint: null, plan: null, decides: 'recipient', approved: false };

/** Shows that work in a database continues after an upgrade: `begin` fills it, `goOn` checks. */
export const OLDER: readonly {
  readonly version: number;
  begin(store: Store): Promise<string>;
  goOn(store: Store, id: string): Promise<void>;
}[] = [
  {
    version: 2,
    async begin(store) {
      const message = waitingOf(await world(store), await world(store));
      await accept(store, message);
      return message.id;
    },
    async goOn(store, id) {
      const [claim] = await store.jobs.claim(1, T, 1000);
      assert.equal(claim?.id, id);
      assert.deepEqual(await store.jobs.kept(id), KEPT);
      const note = { kind: 'note', name: 'n', text: 'x' } as const;
      assert.equal(await store.messages.settle(claim as Claim, settlementOf(), [note]), true);
    },
  },
  {
    version: 7,
    async begin(store) {
      const one = await world(store, { behavior: 'do', settings: { a: 'b' } });
      const message = waitingOf(one, one);
      await accept(store, message, { leased_until: T + 1000 });
      await store.messages.suspend({ id: message.id, fence: 1 }, '{"plan":1}', null, T);
      return message.id;
    },
    async goOn(store, id) {
      const message = await store.messages.byId(id);
      const box = message?.mailbox_id as string;
      await store.mailboxes.change(box, { behavior: 'hello', settings: {} }, T);
      assert.deepEqual([...(await store.mailboxes.keptSettings(box))], [['do', { a: 'b' }]]);
      assert.equal(await store.messages.approve(id, '{"plan":1}', T + 1), true, 'nobody knows whose plan it is');
    },
  },
  {
    version: 3,
    async begin(store) {
      const message = waitingOf(await world(store), await world(store));
      await accept(store, message, { leased_until: T + 1000 });
      await store.messages.suspend({ id: message.id, fence: 1 }, '{"plan":1}', '{"at":1}', T);
      await store.states.put({ kind: 'session', id: 's', subject: 'ns_1', value: '{}', expires_at: T + 1e9 }, T);
      return message.id;
    },
    async goOn(store, id) {
      const message = await store.messages.byId(id);
      assert.deepEqual([message?.plan, message?.decides], ['{"plan":1}', 'recipient']);
      assert.equal(await store.messages.approve(id, '{"plan":1}', T + 1), true);
      assert.deepEqual(await store.jobs.kept(id), {
        ...KEPT,
        checkpoint: '{"at":1}',
        plan: '{"plan":1}',
        approved: true,
      });
      assert.equal((await store.states.of('session', 'ns_1', T)).length, 1);
      const [namespace] = await store.storage.totals([message?.sender_namespace_id as string]);
      assert.ok((namespace?.bytes ?? 0) > 1024, 'what was there counts');
      const account = { id: 'acc_1', address: 'ada@example.org', created_at: T };
      assert.deepEqual(await store.accounts.getOrPut(account), account);
    },
  },
];
