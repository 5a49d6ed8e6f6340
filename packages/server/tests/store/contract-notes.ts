import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Effect } from '@mailroom/behavior/effect';
import { type Owner, ownerOf } from '@mailroom/behavior/note';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Store } from '../../core/ports/store.ts';
import { acts } from './acts.ts';
import { claimDue, fromMailbox, mailboxOf, opened, purgeAll, settlementOf, T, type World } from './made.ts';

/** Tests of notes, as effects write them. */
export function notesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: notes`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());
    const { note, aliceAtBob, working, settle, scheduleOf, plan, statusOf, eventsOf } = acts(() => ({
      store,
      alice,
      bob,
    }));

    test('a settlement writes, replaces and removes the notes of its sender in its mailbox', async () => {
      assert.equal(await settle([note('tea', 'green'), note('milk', 'no')]), true);
      const owner = aliceAtBob();
      assert.deepEqual(await store.notes.get(owner, 'tea'), { name: 'tea', text: 'green', updated_at: T + 50 });
      assert.equal(await store.notes.count(owner), 2);
      assert.equal(await settle([note('tea', 'black'), note('milk', null), note('none', null)]), true);
      assert.deepEqual(await store.notes.find(owner, '', 10), [{ name: 'tea', text: 'black', updated_at: T + 50 }]);
      assert.equal(await store.notes.get(owner, 'milk'), undefined);
    });

    test('effects happen in their order', async () => {
      await settle([note('a', '1'), note('a', null), note('b', null), note('b', '2')]);
      assert.deepEqual(
        (await store.notes.find(aliceAtBob(), '', 10)).map(({ name, text }) => [name, text]),
        [['b', '2']],
      );
    });

    test('of a name each sender has its own note in each mailbox', async () => {
      const other = mailboxOf(bob.namespace, 'other');
      await store.mailboxes.create(other);
      const guest = {
        sender_kind: 'guest',
        sender_id: newId('thr', T),
        sender_namespace_id: null,
        key_id: null,
      } as const;
      const sent = [
        await working(alice, bob),
        await working(alice, bob, fromMailbox(alice)),
        await working(alice, bob, guest),
        await working(alice, { ...bob, mailbox: other }),
        await working(bob, bob),
      ];
      for (const [at, { id }] of sent.entries()) {
        assert.equal(await store.messages.settle({ id, fence: 1 }, settlementOf(), [note('n', `${at}`)]), true);
      }
      for (const [at, { sender_kind: kind, sender_id: id, mailbox_id }] of sent.entries()) {
        const owner = ownerOf({ kind, id }, mailbox_id) ?? assert.fail();
        assert.deepEqual([await store.notes.count(owner), (await store.notes.get(owner, 'n'))?.text], [1, `${at}`]);
      }
    });

    test('notes are found by a part of name or text, in any case, by name, and no more than asked for', async () => {
      await settle([note('b', 'Likes GREEN tea'), note('Green', 'x'), note('c', '100%_'), note('d', 'ÄRGER')]);
      const find = async (query: string, max = 10) =>
        (await store.notes.find(aliceAtBob(), query, max)).map((found) => found.name);
      assert.deepEqual(await find('green'), ['Green', 'b']);
      assert.deepEqual(await find('green', 1), ['Green']);
      assert.deepEqual(await find('GREEN'), ['Green', 'b']);
      assert.deepEqual(await find('%'), ['c']);
      assert.deepEqual(await find('0%_'), ['c']);
      assert.deepEqual(await find('Ärger'), ['d']);
      assert.deepEqual(await find(''), ['Green', 'b', 'c', 'd']);
      assert.deepEqual(await find('nothing'), []);
    });

    test('a settlement that lost its fence writes no note and no schedule, and removes none', async () => {
      const mine = await plan(scheduleOf());
      await settle([note('tea', 'green')]);
      const { id } = await working();
      const [claim] = await claimDue(store, 10, T + 1000, 1000).then((all) => all.filter((one) => one.id === id));
      assert.equal(claim?.fence, 2);
      const lost: Effect[] = [
        note('new', 'x'),
        note('tea', null),
        { kind: 'schedule', schedule: scheduleOf() },
        { kind: 'unschedule', id: mine.id },
      ];
      assert.equal(await store.messages.settle({ id, fence: 1 }, settlementOf(), lost), false);
      assert.deepEqual(
        (await store.notes.find(aliceAtBob(), '', 10)).map(({ name }) => name),
        ['tea'],
      );
      assert.deepEqual(await store.schedules.of(aliceAtBob(), 10), [mine]);
      assert.equal((await store.messages.byId(id))?.status, 'working');
      assert.equal(await store.messages.settle({ id, fence: 2 }, settlementOf(), lost), true);
      assert.equal(await store.schedules.count(aliceAtBob()), 1);
      assert.equal(await store.schedules.countIn(bob.mailbox.id, 9), 1);
      assert.equal(await store.schedules.byId(mine.id), undefined);
    });

    test('of a settlement that is written twice the effects happen once', async () => {
      const { id } = await working();
      const twice = [1, 2].map((n) =>
        store.messages.settle({ id, fence: 1 }, settlementOf(), [
          note(`n${n}`, 'x'),
          { kind: 'schedule', schedule: scheduleOf() },
        ]),
      );
      assert.equal((await Promise.all(twice)).filter(Boolean).length, 1);
      assert.equal(await store.notes.count(aliceAtBob()), 1);
      assert.equal(await store.schedules.count(aliceAtBob()), 1);
      assert.equal(await store.handlings.depth(), 0);
    });

    test('what is canceled or whose mailbox is deleted writes no effect', async () => {
      const canceled = await working();
      await store.messages.cancel(canceled.id, T + 1);
      const effects = [note('n', 'x'), { kind: 'schedule', schedule: scheduleOf() } as const];
      assert.equal(await store.messages.settle({ id: canceled.id, fence: 1 }, settlementOf(), effects), false);
      const gone = await working();
      await store.mailboxes.delete(bob.mailbox.id, T + 2);
      assert.equal(await store.messages.settle({ id: gone.id, fence: 1 }, settlementOf(), effects), false);
      assert.equal(await store.notes.count(aliceAtBob()), 0);
      assert.equal(await store.schedules.count(aliceAtBob()), 0);
      assert.equal(await store.jobs.nextDue(), T + 2, 'the purge');
    });

    test('of a settlement and a cancel at once either both outcome and effects are there or neither', async () => {
      for (let i = 0; i < 10; i++) {
        const { id } = await working();
        const [settled, canceled] = await Promise.all([
          store.messages.settle({ id, fence: 1 }, settlementOf(), [note(`n${i}`, 'x')]),
          store.messages.cancel(id, T + 1),
        ]);
        assert.notEqual(settled, canceled);
        assert.equal((await store.notes.get(aliceAtBob(), `n${i}`)) !== undefined, settled);
      }
    });

    test('of a settlement and the deletion of its mailbox at once no note outlives the purge', async () => {
      for (let i = 0; i < 10; i++) {
        const mailbox = mailboxOf(bob.namespace, `box${i}`);
        await store.mailboxes.create(mailbox);
        const { id } = await working(alice, { ...bob, mailbox });
        await Promise.all([
          store.messages.settle({ id, fence: 1 }, settlementOf(), [note('n', 'x')]),
          store.mailboxes.delete(mailbox.id, T + 1),
        ]);
        await purgeAll(store, T + 1);
        assert.equal(await store.notes.count({ ...aliceAtBob(), mailbox_id: mailbox.id }), 0);
      }
    });

    test('an effect that cannot be written takes the settlement with it, and nobody else’s', async () => {
      const [one, two] = [await working(), await working()];
      const broken = scheduleOf({ body: null as unknown as string });
      const results = await Promise.allSettled([
        store.messages.settle({ id: one.id, fence: 1 }, settlementOf(), [
          note('n', 'x'),
          { kind: 'schedule', schedule: broken },
        ]),
        store.messages.settle({ id: two.id, fence: 1 }, settlementOf(), [note('m', 'x')]),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['rejected', 'fulfilled'],
      );
      assert.deepEqual(await statusOf(one.id), ['working', null, null]);
      assert.deepEqual(
        (await store.notes.find(aliceAtBob(), '', 10)).map(({ name }) => name),
        ['m'],
      );
      assert.equal(await store.messages.settle({ id: one.id, fence: 1 }, settlementOf()), true);
    });

    test('a settlement with effects tells its event and files its reply as any other', async () => {
      const { id } = await working(alice, bob, fromMailbox(alice));
      await store.messages.settle({ id, fence: 1 }, settlementOf(), [note('n', 'x')]);
      assert.deepEqual((await eventsOf(bob)).slice(1), [`message.received ${id}`, `message.completed ${id}`]);
      assert.equal((await store.messages.byId(replyIdOf(id)))?.mailbox_id, alice.mailbox.id);
    });

    test('a deleted mailbox’s notes go with it, others stay', async () => {
      await settle(Array.from({ length: 1100 }, (_, at) => note(`n${at}`, 'x')));
      const other = mailboxOf(bob.namespace, 'other');
      await store.mailboxes.create(other);
      const { id } = await working(alice, { ...bob, mailbox: other });
      await store.messages.settle({ id, fence: 1 }, settlementOf(), [note('stays', 'x')]);
      await store.mailboxes.delete(bob.mailbox.id, T + 1);
      await purgeAll(store, T + 1);
      assert.equal(await store.notes.count(aliceAtBob()), 0);
      assert.equal(await store.notes.count({ ...aliceAtBob(), mailbox_id: other.id }), 1);
    });

    test('a deleted namespace’s and a deleted mailbox’s notes and schedules with others go, others’ stay', async () => {
      const keepAll = async (): Promise<readonly Owner[]> => {
        const kept: Owner[] = [];
        for (const [from, fields] of [
          [alice, {}],
          [alice, fromMailbox(alice)],
          [bob, {}],
        ] as const) {
          const { id, sender_kind, sender_id } = await working(from, bob, fields);
          const schedule = scheduleOf();
          const effects = [note('n', 'x'), { kind: 'schedule', schedule } as const];
          assert.equal(await store.messages.settle({ id, fence: 1 }, settlementOf(), effects), true);
          kept.push({ mailbox_id: bob.mailbox.id, owner: `${sender_kind}:${sender_id}` });
        }
        return kept;
      };
      const owners = await keepAll();
      const counts = () =>
        Promise.all(owners.map(async (of) => [await store.notes.count(of), await store.schedules.count(of)]));
      assert.deepEqual(await counts(), [
        [1, 1],
        [1, 1],
        [1, 1],
      ]);
      await store.mailboxes.delete(alice.mailbox.id, T + 1);
      await purgeAll(store, T + 1);
      assert.deepEqual(await counts(), [
        [1, 1],
        [0, 0],
        [1, 1],
      ]);
      await store.namespaces.delete(alice.namespace.id, T + 2);
      await purgeAll(store, T + 2);
      assert.deepEqual(await counts(), [
        [0, 0],
        [0, 0],
        [1, 1],
      ]);
      const left = await store.jobs.claim(10, T + 5000, 1000);
      assert.deepEqual(
        left.map(({ id }) => id),
        (await store.schedules.of(owners[2] as Owner, 10)).map(({ id }) => id),
      );
    });

    test('what a deleted namespace sent still settles, and keeps nothing for it', async () => {
      const { id } = await working();
      await store.namespaces.delete(alice.namespace.id, T + 1);
      const effects = [note('n', 'x'), { kind: 'schedule', schedule: scheduleOf() } as const];
      assert.equal(await store.messages.settle({ id, fence: 1 }, settlementOf(), effects), true);
      assert.equal(await store.notes.count(aliceAtBob()), 0);
      assert.equal(await store.schedules.count(aliceAtBob()), 0);
    });
  });
}
