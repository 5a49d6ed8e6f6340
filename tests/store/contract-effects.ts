import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Effect } from '../../src/core/entities/effect.ts';
import type { Decider, Message } from '../../src/core/entities/message.ts';
import type { Owner } from '../../src/core/entities/note.ts';
import { ownerOf } from '../../src/core/entities/note.ts';
import type { Schedule } from '../../src/core/entities/schedule.ts';
import type { Claim, Store } from '../../src/core/ports/store.ts';
import { newId, replyIdOf } from '../../src/core/values/ids.ts';
import type { World } from './made.ts';
import { accept, fromMailbox, mailboxOf, messageOf, purgeAll, settlementOf, T, waitingOf, world } from './made.ts';

const PLAN = '{"steps":["send it"]}';
const OTHER = '{"steps":["send it twice"]}';

/** Tests of effects, approvals and schedules. */
export function effectsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: effects`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const note = (name: string, text: string | null): Effect => ({ kind: 'note', name, text });
    const aliceAtBob = (): Owner => ({ mailbox_id: bob.mailbox.id, owner: `key:${alice.key.id}` });

    /** A message that is being handled under fence 1. */
    async function working(from = alice, to = bob, fields: Partial<Message> = {}): Promise<Message> {
      const message = waitingOf(from, to, fields);
      const from_mailbox_id = fields.sender_kind === 'mailbox' ? (fields.sender_id ?? null) : null;
      await accept(store, message, { leased_until: T + 1000, from_mailbox_id });
      return message;
    }
    const settle = async (
      effects: readonly Effect[],
      fields: Partial<Message> = {},
      from = alice,
    ): Promise<boolean> => {
      const { id } = await working(from, bob, fields);
      return store.messages.settle({ id, fence: 1 }, settlementOf(), effects);
    };
    const scheduleOf = (fields: Partial<Schedule> = {}): Schedule => ({
      id: newId('sch', T),
      ...aliceAtBob(),
      sender: '{"kind":"key"}',
      from_mailbox_id: null,
      thread_id: newId('thr', T),
      hops: 1,
      name: 'Report',
      body: 'Report, please.',
      data: '{"a":1}',
      rule: '0 8 * * *',
      time_zone: 'Europe/Berlin',
      next_at: T + 1000,
      last_at: null,
      created_at: T,
      ...fields,
    });
    const plan = async (schedule: Schedule, fields: Partial<Message> = {}, from = alice): Promise<Schedule> => {
      assert.equal(await settle([{ kind: 'schedule', schedule }], fields, from), true);
      return schedule;
    };
    const wake = async (now: number, lease = 1000): Promise<Claim> => {
      const [claim] = await store.jobs.claim(1, now, lease);
      assert.equal(claim?.kind, 'wake');
      return claim as Claim;
    };
    const suspended = async (fields: Partial<Message> = {}): Promise<Message> => {
      const message = await working(alice, bob, fields);
      assert.equal(await store.messages.suspend({ id: message.id, fence: 1 }, PLAN, '{"at":3}', T + 10), true);
      return message;
    };
    const statusOf = async (id: string) => {
      const message = await store.messages.byId(id);
      return [message?.status, message?.waiting_for, message?.plan ?? null];
    };
    const eventsOf = async ({ namespace }: World): Promise<string[]> => {
      const { items } = await store.events.page({ namespace_id: namespace.id }, null, 100);
      return items.map((event) => `${event.type} ${'message' in event ? event.message.id : event.mailbox.id}`);
    };

    describe('notes', () => {
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
        const [claim] = await store.jobs.claim(10, T + 1000, 1000).then((all) => all.filter((one) => one.id === id));
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
        assert.equal(await store.jobs.depth(), 0);
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

    describe('schedules', () => {
      test('what is planned is told as it was planned, the next due first', async () => {
        const later = await plan(scheduleOf({ next_at: T + 2000, from_mailbox_id: alice.mailbox.id }));
        const idempotency = await plan(scheduleOf({ rule: null, data: null }));
        assert.deepEqual(await store.schedules.byId(later.id), later);
        assert.deepEqual(await store.schedules.of(aliceAtBob(), 10), [idempotency, later]);
        assert.deepEqual(await store.schedules.of(aliceAtBob(), 1), [idempotency]);
        assert.equal(await store.schedules.count(aliceAtBob()), 2);
        assert.equal(await store.jobs.nextDue(), T + 1000);
        assert.deepEqual(await store.jobs.claim(10, T + 999, 1000), []);
      });

      test('a schedule is the settled message’s sender’s, whatever it says itself', async () => {
        const { id } = scheduleOf();
        await plan(scheduleOf({ id, owner: `key:${bob.key.id}`, mailbox_id: alice.mailbox.id }));
        assert.deepEqual(await store.schedules.byId(id), {
          ...scheduleOf(),
          ...(await store.schedules.byId(id)),
          ...aliceAtBob(),
        });
        assert.equal(await store.schedules.count(aliceAtBob()), 1);
      });

      test('of two nodes that claim a due schedule one gets it', async () => {
        const { id } = await plan(scheduleOf());
        const claims = (await Promise.all([1, 2, 3].map(() => store.jobs.claim(4, T + 1000, 1000)))).flat();
        assert.deepEqual(claims, [{ id, kind: 'wake', fence: 1, attempt: 1, subject: id }]);
      });

      test('a schedule that ran is due at its next time, as if for the first time', async () => {
        const schedule = await plan(scheduleOf());
        const first = await wake(T + 1000);
        assert.equal(await store.schedules.ran(first, T + 9000, T + 1001), true);
        assert.deepEqual(await store.schedules.byId(schedule.id), {
          ...schedule,
          next_at: T + 9000,
          last_at: T + 1001,
        });
        assert.equal(await store.jobs.nextDue(), T + 9000);
        assert.equal(await store.schedules.ran(first, T + 99_000, T + 1002), false, 'twice');
        assert.equal((await store.schedules.byId(schedule.id))?.next_at, T + 9000);
        const second = await wake(T + 9000);
        assert.deepEqual([second.attempt, second.fence], [1, 2]);
      });

      test('a schedule that ran for the last time is gone with its job', async () => {
        const { id } = await plan(scheduleOf());
        const claim = await wake(T + 1000);
        assert.equal(await store.schedules.ran(claim, null, T + 1001), true);
        assert.equal(await store.schedules.byId(id), undefined);
        assert.equal(await store.schedules.count(aliceAtBob()), 0);
        assert.equal(await store.jobs.nextDue(), undefined);
        assert.equal(await store.schedules.ran(claim, null, T + 1001), false);
      });

      test('who lost the claim of a schedule changes nothing of it', async () => {
        const schedule = await plan(scheduleOf());
        const lost = await wake(T + 1000);
        const held = await wake(T + 2000);
        assert.equal(await store.schedules.ran(lost, null, T + 2001), false);
        assert.equal(await store.schedules.ran(lost, T + 9000, T + 2001), false);
        assert.deepEqual(await store.schedules.byId(schedule.id), schedule);
        assert.equal(await store.schedules.ran(held, T + 5000, T + 2001), true);
      });

      test('a schedule that breaks is due again later, and a lease that runs out too', async () => {
        await plan(scheduleOf());
        assert.equal(await store.jobs.later(await wake(T + 1000), T + 3000), true);
        assert.deepEqual(await store.jobs.claim(1, T + 2999, 1000), []);
        assert.equal((await wake(T + 3000)).attempt, 2);
        assert.equal((await wake(T + 4000)).attempt, 3);
      });

      test('only its owner removes a schedule, in the mailbox where it is', async () => {
        const { id } = await plan(scheduleOf());
        const unschedule: Effect = { kind: 'unschedule', id };
        assert.equal(await settle([unschedule], {}, bob), true);
        assert.equal(await settle([unschedule], fromMailbox(alice)), true);
        const other = mailboxOf(bob.namespace, 'other');
        await store.mailboxes.create(other);
        const elsewhere = await working(alice, { ...bob, mailbox: other });
        assert.equal(await store.messages.settle({ id: elsewhere.id, fence: 1 }, settlementOf(), [unschedule]), true);
        assert.equal(await store.jobs.nextDue(), T + 1000);
        assert.equal(await store.schedules.count(aliceAtBob()), 1);
        const claim = await wake(T + 1000);
        assert.equal(await settle([unschedule]), true);
        assert.equal(await store.schedules.count(aliceAtBob()), 0);
        assert.equal(await store.schedules.ran(claim, T + 9000, T + 1001), false, 'gone while it ran');
        assert.equal(await store.jobs.nextDue(), undefined);
      });

      test('an effect that names a message’s job removes nothing of it', async () => {
        const waits = waitingOf(alice, bob);
        await accept(store, waits);
        await settle([{ kind: 'unschedule', id: waits.id }]);
        assert.equal(await store.jobs.nextDue(), T);
      });

      test('a paused mailbox’s schedules go on, and count for nothing that waits in it', async () => {
        await plan(scheduleOf());
        await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 1);
        await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 2);
        assert.equal(await store.jobs.nextDue(), T + 1000);
        assert.equal((await accept(store, waitingOf(alice, bob), { max_waiting: 1 })).kind, 'accepted');
      });

      test('a deleted mailbox’s schedules never wake: nobody finds them, and the purge takes them with their jobs', async () => {
        const { id } = await plan(scheduleOf());
        await plan(scheduleOf({ next_at: T + 1001 }));
        await store.mailboxes.delete(bob.mailbox.id, T + 1);
        assert.equal(await store.schedules.byId(id), undefined);
        await purgeAll(store, T + 1);
        assert.equal(await store.schedules.count(aliceAtBob()), 0);
        assert.equal(await store.jobs.nextDue(), undefined);
      });

      test('what a deleted namespace planned is found by nobody', async () => {
        const { id } = await plan(scheduleOf());
        await store.namespaces.delete(alice.namespace.id, T + 1);
        assert.equal(await store.schedules.byId(id), undefined);
        const claim = (await store.jobs.claim(10, T + 1000, 1000)).find(({ kind }) => kind === 'wake') as Claim;
        assert.equal(await store.schedules.ran(claim, null, T + 1001), true);
        assert.equal(await store.schedules.count(aliceAtBob()), 0);
      });
    });

    describe('approval', () => {
      test('what is saved is there for the next run, whoever makes it', async () => {
        const { id } = await working();
        const first = { id, fence: 1 };
        assert.deepEqual(await store.jobs.kept(id), {
          checkpoint: null,
          plan: null,
          decides: 'recipient',
          approved: false,
        });
        assert.equal(await store.jobs.save(first, '{"at":1}'), true);
        await store.jobs.later({ ...first, kind: 'handle', attempt: 1, subject: id }, T + 5);
        assert.equal(await store.jobs.save(first, '{"at":2}'), false, 'given back');
        assert.equal((await store.jobs.claim(1, T + 5, 1000))[0]?.fence, 2);
        assert.equal(await store.jobs.save(first, '{"at":2}'), false, 'lost');
        assert.deepEqual(await store.jobs.kept(id), {
          checkpoint: '{"at":1}',
          plan: null,
          decides: 'recipient',
          approved: false,
        });
        await store.messages.settle({ id, fence: 2 }, settlementOf());
        assert.equal(await store.jobs.kept(id), undefined);
      });

      test('a message that waits for approval is worked on by nobody, and shows what it waits for', async () => {
        const { id, thread_id } = await suspended();
        const message = await store.messages.byId(id);
        assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
        const of = { mailbox_id: bob.mailbox.id };
        for (const found of [
          (await store.messages.page(of, null, 10)).items,
          (await store.messages.page({ ...of, status: 'working' }, null, 10)).items,
          (await store.messages.thread(thread_id, null, 10)).items,
          (await store.messages.threadEnd(thread_id, null, 10)).items,
          await store.messages.byIds([id]),
        ]) {
          assert.deepEqual(found, [message]);
        }
        assert.deepEqual((await store.messages.page({ ...of, status: 'submitted' }, null, 10)).items, []);
        assert.deepEqual(await store.messages.settledOf([id]), []);
        assert.equal(await store.jobs.nextDue(), undefined);
        assert.equal(await store.jobs.depth(), 0);
        assert.deepEqual(await store.jobs.claim(10, T + 1e9, 1000), []);
        assert.deepEqual(await store.jobs.kept(id), {
          checkpoint: '{"at":3}',
          plan: PLAN,
          decides: 'recipient',
          approved: false,
        });
        assert.deepEqual((await eventsOf(bob)).slice(1), [`message.received ${id}`, `message.waiting ${id}`]);
      });

      test('it still counts among what waits in its mailbox', async () => {
        await suspended();
        const refused = await accept(store, waitingOf(alice, bob), { max_waiting: 1 });
        assert.deepEqual(refused, { kind: 'refused', code: 'mailbox_full' });
      });

      test('the claim that asked is over: it renews, gives back, reports, saves, asks and settles nothing', async () => {
        const { id } = await working();
        const claim: Claim = { id, fence: 1, kind: 'handle', attempt: 1, subject: id };
        await store.jobs.report(claim, '[{"text":"a"}]');
        await store.jobs.save(claim, '{"at":1}');
        assert.equal(await store.messages.suspend(claim, PLAN, null, T + 10), true);
        assert.deepEqual(await store.jobs.kept(id), {
          checkpoint: '{"at":1}',
          plan: PLAN,
          decides: 'recipient',
          approved: false,
        });
        assert.deepEqual(await store.jobs.renew([claim], T + 9000), []);
        assert.equal(await store.jobs.later(claim, T), false);
        assert.equal(await store.jobs.report(claim, '[]'), false);
        assert.equal(await store.jobs.save(claim, '{}'), false);
        assert.equal(await store.messages.suspend(claim, OTHER, null, T + 11), false);
        assert.equal(await store.messages.settle(claim, settlementOf()), false);
        assert.equal(await store.messages.settle(claim, settlementOf(), [note('n', 'x')]), false);
        assert.equal(await store.notes.count(aliceAtBob()), 0);
        assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
        assert.equal((await eventsOf(bob)).length, 3);
      });

      test('what was reported before it was asked is not shown of the run after', async () => {
        const { id } = await working();
        await store.jobs.report({ id, fence: 1 }, '[{"text":"a"}]');
        assert.equal((await store.messages.byId(id))?.progress, '[{"text":"a"}]');
        await store.messages.suspend({ id, fence: 1 }, PLAN, null, T + 10);
        assert.equal((await store.messages.byId(id))?.progress, undefined);
        await store.messages.approve(id, PLAN, T + 20);
        await store.jobs.claim(1, T + 20, 1000);
        assert.equal((await store.messages.byId(id))?.progress, undefined);
      });

      test('who lost the claim, or works on what was canceled or deleted, asks nothing', async () => {
        const lost = await working();
        await store.jobs.claim(1, T + 1000, 1000);
        assert.equal(await store.messages.suspend({ id: lost.id, fence: 1 }, PLAN, null, T + 1001), false);
        assert.deepEqual(await statusOf(lost.id), ['working', null, null]);
        const canceled = await working();
        await store.messages.cancel(canceled.id, T + 2);
        assert.equal(await store.messages.suspend({ id: canceled.id, fence: 1 }, PLAN, null, T + 3), false);
        assert.deepEqual(await statusOf(canceled.id), ['canceled', null, null]);
        const before = await eventsOf(bob);
        assert.ok(!before.some((event) => event.startsWith('message.waiting')));
        const gone = await working();
        await store.mailboxes.delete(bob.mailbox.id, T + 4);
        assert.equal(await store.messages.suspend({ id: gone.id, fence: 1 }, PLAN, null, T + 5), false);
      });

      test('an approved message is due at once, its waiting was no attempt, and its run knows', async () => {
        const { id } = await suspended();
        assert.equal(await store.messages.approve(id, PLAN, T + 20), true);
        assert.deepEqual(await statusOf(id), ['submitted', null, null]);
        assert.deepEqual(await store.jobs.kept(id), {
          checkpoint: '{"at":3}',
          plan: PLAN,
          decides: 'recipient',
          approved: true,
        });
        const [claim] = await store.jobs.claim(1, T + 20, 1000);
        assert.deepEqual([claim?.id, claim?.attempt], [id, 1]);
        assert.equal((await store.jobs.kept(id))?.approved, true);
        assert.deepEqual(await statusOf(id), ['working', null, null]);
        assert.equal(await store.messages.approve(id, PLAN, T + 21), false, 'twice');
        assert.equal(await store.messages.refuse(id, PLAN, settlementOf()), false, 'after a yes');
        assert.equal(await store.messages.settle(claim as Claim, settlementOf()), true);
        assert.deepEqual(await statusOf(id), ['completed', null, null]);
      });

      test('another plan in the next run needs another approval', async () => {
        const { id } = await suspended();
        await store.messages.approve(id, PLAN, T + 20);
        const [claim] = await store.jobs.claim(1, T + 20, 1000);
        assert.equal(await store.messages.suspend(claim as Claim, OTHER, null, T + 30), true);
        assert.deepEqual(await statusOf(id), ['working', 'approval', OTHER]);
        assert.deepEqual(await store.jobs.kept(id), {
          checkpoint: '{"at":3}',
          plan: OTHER,
          decides: 'recipient',
          approved: false,
        });
        assert.equal(await store.messages.approve(id, PLAN, T + 40), false);
        assert.equal(await store.messages.approve(id, OTHER, T + 40), true);
        assert.equal((await eventsOf(bob)).filter((event) => event.startsWith('message.waiting')).length, 2);
      });

      test('whose owner decides is kept with the plan and shown with it, and the next plan says it anew', async () => {
        const decides = async (id: string) => [
          (await store.messages.byId(id))?.decides,
          (await store.jobs.kept(id))?.decides,
        ];
        const { id } = await working();
        assert.deepEqual(await decides(id), [undefined, 'recipient']);
        await store.messages.suspend({ id, fence: 1 }, PLAN, null, T + 10, 'sender');
        assert.deepEqual(await decides(id), ['sender', 'sender']);
        const listed = await store.messages.page({ mailbox_id: bob.mailbox.id }, null, 10);
        assert.deepEqual(
          listed.items.map((message) => message.decides),
          ['sender'],
        );
        assert.equal(await store.messages.approve(id, PLAN, T + 20), true);
        assert.deepEqual(await decides(id), [undefined, 'sender']);
        const [claim] = await store.jobs.claim(1, T + 20, 1000);
        await store.messages.suspend(claim as Claim, OTHER, null, T + 30);
        assert.deepEqual(await decides(id), ['recipient', 'recipient']);
      });

      test('an approval or a refusal of another plan changes nothing', async () => {
        const { id } = await suspended();
        const message = await store.messages.byId(id);
        assert.equal(await store.messages.approve(id, OTHER, T + 20), false);
        assert.equal(await store.messages.refuse(id, OTHER, settlementOf()), false);
        assert.deepEqual(await store.messages.byId(id), message);
        assert.equal(await store.jobs.nextDue(), undefined);
        assert.equal((await store.jobs.kept(id))?.approved, false);
        const plain = await working();
        assert.equal(await store.messages.approve(plain.id, PLAN, T + 20), false);
        assert.equal(await store.messages.refuse(plain.id, PLAN, settlementOf()), false);
      });

      test('of a yes and a no at once one counts', async () => {
        for (let i = 0; i < 10; i++) {
          const { id } = await suspended();
          const [yes, no] = await Promise.all([
            store.messages.approve(id, PLAN, T + 20),
            store.messages.refuse(id, PLAN, settlementOf({ status: 'rejected', reply_body: null })),
          ]);
          assert.notEqual(yes, no);
          assert.deepEqual(await statusOf(id), [yes ? 'submitted' : 'rejected', null, null]);
          assert.equal((await store.jobs.kept(id)) !== undefined, yes);
        }
      });

      test('a refused message is settled, told and filed as any other, and its job is gone', async () => {
        const { id } = await suspended(fromMailbox(alice));
        const refusal = settlementOf({ status: 'rejected', reply_body: 'The owner said no.', settled_at: T + 30 });
        assert.equal(await store.messages.refuse(id, PLAN, refusal), true);
        const { progress, plan: waits, ...settled } = (await store.messages.byId(id)) as Message;
        assert.deepEqual([progress, waits], [undefined, undefined]);
        assert.deepEqual(settled, { ...settled, ...refusal, waiting_for: null });
        assert.equal(await store.jobs.kept(id), undefined);
        assert.equal((await store.messages.byId(replyIdOf(id)))?.reply_body, null);
        assert.equal((await store.messages.byId(replyIdOf(id)))?.body, 'The owner said no.');
        assert.equal((await eventsOf(bob)).at(-1), `message.rejected ${id}`);
        assert.equal((await accept(store, waitingOf(alice, bob), { max_waiting: 1 })).kind, 'accepted');
        assert.equal(await store.messages.refuse(id, PLAN, refusal), false);
      });

      test('a no brings effects along, and one that comes too late or to another plan none', async () => {
        const effects = [note('kept', 'x')];
        const refusal = settlementOf({ status: 'rejected', reply_body: 'No.' });
        const left = async () => (await store.notes.find(aliceAtBob(), '', 10)).map(({ name }) => name);
        const first = await suspended();
        assert.equal(await store.messages.refuse(first.id, OTHER, refusal, effects), false);
        assert.deepEqual(await statusOf(first.id), ['working', 'approval', PLAN]);
        assert.equal(await store.messages.approve(first.id, PLAN, T + 20), true);
        assert.equal(await store.messages.refuse(first.id, PLAN, refusal, effects), false);
        assert.deepEqual(await left(), []);
        const { id } = await suspended();
        assert.equal(await store.messages.refuse(id, PLAN, refusal, effects), true);
        assert.deepEqual(await statusOf(id), ['rejected', null, null]);
        assert.equal(await store.jobs.kept(id), undefined);
        assert.deepEqual(await left(), ['kept']);
      });

      test('what a mailbox sent and its owner is to decide on is found by them, the newest first', async () => {
        const asking = async (of: World, before: string | null = null, size = 10) =>
          (await store.messages.awaitingApproval(of.namespace.id, before, size)).items.map(({ id }) => id);
        const ask = async (by: Decider | undefined, at: number): Promise<string> => {
          const { id } = await working(alice, bob, {
            ...fromMailbox(alice),
            created_at: T + at,
            id: newId('msg', T + at),
          });
          assert.equal(await store.messages.suspend({ id, fence: 1 }, PLAN, null, T + 10, by), true);
          return id;
        };
        const [first, second] = [await ask('sender', 1), await ask('sender', 2)];
        const theirs = [await ask('recipient', 3), await ask(undefined, 4)];
        assert.deepEqual(await asking(alice), [second, first]);
        assert.deepEqual(await asking(alice, second), [first]);
        assert.deepEqual(await asking(bob), []);
        const page = await store.messages.awaitingApproval(alice.namespace.id, null, 1);
        assert.deepEqual([page.items.map(({ id }) => id), page.next], [[second], second]);
        assert.equal((await store.messages.byId(first))?.decides, 'sender');
        for (const id of theirs) assert.equal((await store.messages.byId(id))?.decides, 'recipient');
        await store.messages.approve(first, PLAN, T + 20);
        assert.deepEqual(await asking(alice), [second]);
        await store.messages.cancel(second, T + 20);
        assert.deepEqual(await asking(alice), []);
        const last = await ask('sender', 5);
        assert.deepEqual(await asking(alice), [last]);
        await store.mailboxes.delete(alice.mailbox.id, T + 30);
        assert.deepEqual(await asking(alice), [], 'nobody owns what sent it');
      });

      test('a message that waits for approval can be canceled, and then waits for nothing', async () => {
        const { id } = await suspended();
        assert.equal(await store.messages.cancel(id, T + 20), true);
        assert.deepEqual(await statusOf(id), ['canceled', null, null]);
        assert.equal(await store.messages.approve(id, PLAN, T + 30), false);
        assert.equal(await store.jobs.kept(id), undefined);
      });

      test('pausing and resuming its mailbox makes nothing due that waits for approval', async () => {
        const { id } = await suspended();
        await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 20);
        await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 30);
        assert.equal(await store.jobs.nextDue(), undefined);
        assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
      });

      test('a paused mailbox’s approved message is due when it is resumed', async () => {
        const { id } = await suspended();
        await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 20);
        assert.equal(await store.messages.approve(id, PLAN, T + 30), true);
        assert.equal(await store.jobs.nextDue(), undefined);
        assert.deepEqual(await statusOf(id), ['submitted', null, null]);
        await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 40);
        assert.equal((await store.jobs.claim(1, T + 40, 1000))[0]?.id, id);
        assert.equal((await store.jobs.kept(id))?.approved, true);
      });

      test('an approval while its mailbox is resumed is not left behind', async () => {
        for (let i = 0; i < 10; i++) {
          const { id } = await suspended();
          await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 20);
          await Promise.all([
            store.messages.approve(id, PLAN, T + 30),
            store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 30),
          ]);
          const claims = await store.jobs.claim(10, T + 30, 1000);
          assert.ok(claims.some((claim) => claim.id === id));
          await store.messages.cancel(id, T + 40);
        }
      });

      test('a plan is approved only while its mailbox has the behavior that asked, and is refused at any time', async () => {
        const one = await world(store, { behavior: 'do' });
        const waiting = async (): Promise<string> => {
          const { id } = await accepted(one);
          const claim = { id, fence: 1 };
          assert.equal(await store.messages.suspend(claim, PLAN, null, T + 10, 'recipient', 'do'), true);
          return id;
        };
        const accepted = async (to: typeof one) => {
          const message = waitingOf(to, to);
          await accept(store, message, { leased_until: T + 1000 });
          return message;
        };
        const [id, refused] = [await waiting(), await waiting()];
        await store.mailboxes.change(one.mailbox.id, { behavior: 'hello', settings: {} }, T + 20);
        assert.equal(await store.messages.approve(id, PLAN, T + 21), false);
        const asking = async (behavior: string, max = 9) => store.jobs.countAsking(one.mailbox.id, behavior, max);
        assert.deepEqual([await asking('do'), await asking('do', 1), await asking('hello')], [2, 1, 0]);
        assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
        assert.equal(await store.messages.refuse(refused, PLAN, settlementOf({ status: 'rejected' })), true);
        await store.mailboxes.change(one.mailbox.id, { behavior: 'do', settings: {} }, T + 22);
        assert.equal(await store.messages.approve(id, PLAN, T + 23), true);
        assert.equal((await store.jobs.kept(id))?.approved, true);
        await store.mailboxes.change(one.mailbox.id, { behavior: 'hello', settings: {} }, T + 24);
        assert.equal((await store.jobs.kept(id))?.approved, false, 'another behavior is handed no plan of do');
      });

      test('the time that an owner takes to decide counts as none of an answer', async () => {
        const one = await world(store);
        const [asked, plain] = [waitingOf(one, one), waitingOf(one, one)];
        for (const message of [asked, plain]) await accept(store, message, { leased_until: T + 1000 });
        await store.messages.suspend({ id: asked.id, fence: 1 }, PLAN, null, T + 10);
        await store.messages.approve(asked.id, PLAN, T + 9_000);
        const claims = await store.jobs.claim(10, T + 9_000, 1000);
        for (const claim of claims) await store.messages.settle(claim, settlementOf({ settled_at: T + 9_001 }));
        const { items } = await store.events.tally(one.namespace.id, { before: null }, 100);
        const ends = items.filter(({ type }) => type === 'message.completed').map(({ took_ms }) => took_ms);
        assert.deepEqual(new Set(ends), new Set([9_001, null]));
      });

      test('of a deleted mailbox nothing is approved or refused, and the purge takes what waited', async () => {
        const { id } = await suspended();
        await store.mailboxes.delete(bob.mailbox.id, T + 20);
        assert.equal(await store.messages.approve(id, PLAN, T + 30), false);
        assert.equal(await store.messages.byId(id), undefined);
        await purgeAll(store, T + 30);
        assert.equal(await store.messages.refuse(id, PLAN, settlementOf()), false);
        assert.equal(await store.jobs.kept(id), undefined);
      });

      test('what waits for approval is not retired, however old', async () => {
        const { id } = await suspended();
        await accept(store, messageOf(alice, bob));
        const { retired } = await store.messages.retire(T + 1e9, '', 100);
        assert.equal(retired, 1);
        assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
      });
    });
  });
}
