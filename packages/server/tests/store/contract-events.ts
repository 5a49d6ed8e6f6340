import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { FIRST_EVENT, isId, newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { EventQuery } from '../../core/ports/events.ts';
import type { Store } from '../../core/ports/store.ts';
import {
  accept,
  freshName,
  fromMailbox,
  keyOf,
  mailboxOf,
  messageOf,
  namespaceOf,
  purgeAll,
  settlementOf,
  subjectOf,
  T,
  waitingOf,
  world,
} from './made.ts';

/** Tests of the log: all events, in order, each once. */
export function eventsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: events`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    /** All of them after a cursor, by pages of `size`. */
    async function all(of: EventQuery, place: string | null = null, size = 50) {
      const found = [];
      for (let at = place; ; ) {
        const page = await store.events.page(of, at, size);
        assert.ok(page.items.length <= size);
        found.push(...page.items);
        at = page.next;
        if (!page.more) return found;
      }
    }
    const eventsOf = async (of: EventQuery): Promise<string[]> =>
      (await all(of)).map((event) => `${event.type} ${subjectOf(event)}`);

    test('what is answered as it arrives has its end, what waits its arrival and its end', async () => {
      const one = await world(store);
      const of = { namespace_id: one.namespace.id };
      const answered = messageOf(one, one);
      const waits = waitingOf(one, one);
      const canceled = waitingOf(one, one);
      await accept(store, answered);
      await accept(store, waits, { leased_until: T + 1000 });
      await accept(store, canceled);
      assert.equal(await store.messages.settle({ id: waits.id, fence: 1 }, settlementOf({ status: 'failed' })), true);
      assert.equal(await store.messages.cancel(canceled.id, T + 9), true);
      assert.deepEqual(await eventsOf(of), [
        `mailbox.created ${one.mailbox.id}`,
        `message.completed ${answered.id}`,
        `message.received ${waits.id}`,
        `message.received ${canceled.id}`,
        `message.failed ${waits.id}`,
        `message.canceled ${canceled.id}`,
      ]);
      const events = await all(of);
      assert.deepEqual(
        events.map(({ at }) => at - T),
        [0, 5, 0, 0, 50, 9],
      );
      for (const { id } of events) assert.ok(isId('evt', id), id);
      assert.deepEqual(
        [...events].sort((a, b) => (a.id < b.id ? -1 : 1)),
        events,
      );
      // The current state, not the state at the time of the event.
      const received = events[2];
      assert.ok(received !== undefined && 'message' in received && received.message.status === 'failed');
    });

    test('what was refused, repeated, settled too late or canceled twice is no event', async () => {
      const one = await world(store);
      const of = { namespace_id: one.namespace.id };
      const idempotency = { scope: one.key.id, key: 'k', hash: 'h', expires_at: T + DAY };
      const first = messageOf(one, one);
      await accept(store, first, { idempotency });
      await accept(store, messageOf(one, one), { idempotency });
      await accept(store, messageOf(one, one, { key_id: newId('key', T) }));
      const waits = waitingOf(one, one);
      await accept(store, waits);
      await accept(store, waitingOf(one, one), { max_waiting: 1 });
      await store.messages.cancel(waits.id, T);
      await store.messages.cancel(waits.id, T);
      assert.equal(await store.messages.settle({ id: waits.id, fence: 1 }, settlementOf()), false);
      assert.deepEqual((await eventsOf(of)).slice(1), [
        `message.completed ${first.id}`,
        `message.received ${waits.id}`,
        `message.canceled ${waits.id}`,
      ]);
    });

    test('the filed reply is told to the namespace that asked, the message to the one that answered', async () => {
      const [asks, answers] = [await world(store), await world(store)];
      const immediate = messageOf(asks, answers, fromMailbox(asks));
      const later = waitingOf(asks, answers, fromMailbox(asks));
      await accept(store, immediate, { from_mailbox_id: asks.mailbox.id });
      await accept(store, later, { from_mailbox_id: asks.mailbox.id, leased_until: T + 1000 });
      await store.messages.settle({ id: later.id, fence: 1 }, settlementOf());
      assert.deepEqual((await eventsOf({ namespace_id: asks.namespace.id })).slice(1), [
        `message.received ${replyIdOf(immediate.id)}`,
        `message.received ${replyIdOf(later.id)}`,
      ]);
      assert.deepEqual((await eventsOf({ namespace_id: answers.namespace.id })).slice(1), [
        `message.completed ${immediate.id}`,
        `message.received ${later.id}`,
        `message.completed ${later.id}`,
      ]);
    });

    test('a mailbox is made, changed and deleted, each once', async () => {
      const one = await world(store);
      const made = mailboxOf(one.namespace, 'other');
      const idempotency = { scope: one.key.id, key: 'm', hash: 'h', expires_at: T + DAY };
      await store.mailboxes.create(made, idempotency);
      await store.mailboxes.create(mailboxOf(one.namespace, 'third'), idempotency);
      await store.mailboxes.create(mailboxOf(one.namespace, 'other'));
      await store.mailboxes.change(made.id, { status: 'paused' }, T + 1);
      await store.mailboxes.delete(made.id, T + 2);
      await store.mailboxes.delete(made.id, T + 2);
      await store.mailboxes.change(made.id, { status: 'online' }, T + 3);
      const of = { namespace_id: one.namespace.id, mailbox_ids: [made.id] };
      // Of a deleted mailbox only this event remains.
      assert.deepEqual(await eventsOf(of), [`mailbox.deleted ${made.id}`]);
      await store.mailboxes.change(one.mailbox.id, { description: 'x' }, T + 4);
      assert.deepEqual(await eventsOf({ ...of, mailbox_ids: [one.mailbox.id] }), [
        `mailbox.created ${one.mailbox.id}`,
        `mailbox.updated ${one.mailbox.id}`,
      ]);
    });

    test('pages go on where the last one ended, by mailbox too, and tell where to wait', async () => {
      const one = await world(store);
      const rare = mailboxOf(one.namespace, 'rare');
      await store.mailboxes.create(rare);
      const sent = Array.from({ length: 1_200 }, (_, at) =>
        messageOf(one, at % 400 === 7 ? { ...one, mailbox: rare } : one),
      );
      await Promise.all(sent.map((message) => accept(store, message)));
      const of = { namespace_id: one.namespace.id };
      const events = await all(of, null, 7);
      assert.equal(events.length, 1_202);
      assert.equal(new Set(events.map(({ id }) => id)).size, 1_202);
      assert.deepEqual(await all(of, null, 200), events);
      assert.deepEqual(
        await all({ ...of, mailbox_ids: [rare.id] }, null, 2),
        events.filter((event) => event.mailbox_id === rare.id),
      );
      assert.equal(await store.events.last(one.namespace.id), events.at(-1)?.id);
      const end = await store.events.page(of, events.at(-1)?.id ?? null, 5);
      assert.deepEqual(end, { items: [], next: events.at(-1)?.id, more: false });
      const next = messageOf(one, one);
      await accept(store, next);
      assert.deepEqual(
        (await all(of, end.next)).map((event) => 'message' in event && event.message.id),
        [next.id],
      );
    });

    test('a namespace without events has no last place, and a place that never was counts as the end', async () => {
      const empty = namespaceOf(freshName());
      await store.namespaces.create({ namespace: empty, key: keyOf(empty), mailboxes: [] });
      const of = { namespace_id: empty.id };
      assert.equal(await store.events.last(empty.id), null);
      assert.deepEqual(await store.events.page(of, null, 5), { items: [], next: FIRST_EVENT, more: false });
      const one = await world(store);
      const page = await store.events.page({ namespace_id: one.namespace.id }, `evt_${'z'.repeat(20)}`, 5);
      assert.deepEqual(page, { items: [], next: await store.events.last(one.namespace.id), more: false });
    });

    test('deleted means gone: of messages, of a mailbox, of a namespace', async () => {
      const [one, other] = [await world(store), await world(store)];
      const of = { namespace_id: one.namespace.id };
      const second = mailboxOf(one.namespace, 'second');
      await store.mailboxes.create(second);
      await accept(store, messageOf(one, { ...one, mailbox: second }));
      await accept(store, messageOf(other, one));
      await accept(store, messageOf(one, other));
      await store.mailboxes.delete(second.id, T + 1);
      await purgeAll(store, T + 2);
      const tally = async (id: string) => {
        const page = await store.events.tally(id, { before: null }, 100);
        return page.items.length;
      };
      assert.equal((await all(of)).length, 3);
      assert.equal(await tally(one.namespace.id), 3);
      await store.namespaces.delete(one.namespace.id, T + 3);
      await purgeAll(store, T + 4);
      assert.equal(await tally(one.namespace.id), 0);
      assert.equal((await all({ namespace_id: other.namespace.id })).length, 2);
    });

    test('a stretch is counted from either end, without gap or overlap', async () => {
      const one = await world(store);
      for (let i = 0; i < 10; i++)
        await accept(store, messageOf(one, one, { created_at: T + i, settled_at: T + 2 * i }));
      const id = one.namespace.id;
      const end = await store.events.tally(id, { before: null }, 4);
      assert.deepEqual(end.items, [
        { mailbox_id: one.mailbox.id, at: T + 18, type: 'message.completed', arrived: true, took_ms: 9 },
        ...end.items.slice(1),
      ]);
      assert.ok(end.more && end.items.length === 4);
      const rest = await store.events.tally(id, { before: end.first }, 100);
      assert.deepEqual([rest.items.length, rest.items[0]?.at, rest.more], [7, T + 10, false]);
      assert.equal(rest.items.at(-1)?.arrived, false);
      assert.deepEqual(
        (await store.events.tally(id, { after: rest.last as string }, 100)).items,
        end.items.toReversed(),
      );
      await accept(store, messageOf(one, one, { created_at: T, settled_at: T + 77 }));
      const fresh = await store.events.tally(id, { after: end.last as string }, 100);
      assert.deepEqual(
        fresh.items.map(({ took_ms }) => took_ms),
        [77],
      );
      const nothing = await store.events.tally(id, { after: fresh.last as string }, 100);
      assert.deepEqual(nothing, { items: [], first: null, last: null, more: false });
    });

    test('what is reported of a message shows while its claim holds, and no longer', async () => {
      const one = await world(store);
      const message = waitingOf(one, one);
      await accept(store, message, { leased_until: T + 1000 });
      const report = '[{"text":"Half","at":1}]';
      assert.equal(await store.handlings.report({ id: message.id, fence: 2 }, '[]'), false);
      assert.equal(await store.handlings.report({ id: message.id, fence: 1 }, report), true);
      assert.equal((await store.messages.byId(message.id))?.progress, report);
      await store.messages.settle({ id: message.id, fence: 1 }, settlementOf());
      assert.equal((await store.messages.byId(message.id))?.progress ?? null, null);
    });

    test('of each living mailbox of a namespace the newest message is known, below an id too', async () => {
      const one = await world(store);
      const boxes = ['a', 'b', 'c'].map((local) => mailboxOf(one.namespace, local));
      for (const box of boxes) await store.mailboxes.create(box);
      const [a, b] = boxes.map((mailbox) => ({ ...one, mailbox }));
      assert.ok(a !== undefined && b !== undefined);
      const sent = [messageOf(one, a), messageOf(one, b), messageOf(one, a), messageOf(one, b)];
      for (const message of sent) await accept(store, message);
      await store.mailboxes.change(b.mailbox.id, { status: 'paused' }, T);
      const heads = async (before: string | null) =>
        (await store.messages.heads(one.namespace.id, before))
          .map((head) => ({ ...head }))
          .sort((x, y) => (x.id < y.id ? -1 : 1));
      assert.deepEqual(await heads(null), [
        { mailbox_id: a.mailbox.id, online: true, id: sent[2]?.id },
        { mailbox_id: b.mailbox.id, online: false, id: sent[3]?.id },
      ]);
      assert.deepEqual(
        (await heads(sent[2]?.id as string)).map(({ id }) => id),
        [sent[0]?.id, sent[1]?.id],
      );
      await store.mailboxes.delete(a.mailbox.id, T);
      assert.equal((await heads(null)).length, 1);
    });

    test('a loop is an event of each mailbox in it, in its own namespace, unless the mailbox was deleted', async () => {
      const [one, two, three] = [await world(store), await world(store), await world(store)];
      await store.mailboxes.delete(three.mailbox.id, T);
      await store.events.loopDetected([one.mailbox.id, two.mailbox.id, three.mailbox.id], T + 5);
      for (const { namespace, mailbox } of [one, two]) {
        const last = (await all({ namespace_id: namespace.id })).at(-1);
        assert.deepEqual(
          [last?.type, last?.mailbox_id, last?.at, last !== undefined && 'mailbox' in last && last.mailbox.id],
          ['mailbox.loop_detected', mailbox.id, T + 5, mailbox.id],
        );
      }
      const gone = await all({ namespace_id: three.namespace.id });
      assert.ok(gone.every(({ type }) => type !== 'mailbox.loop_detected'));
    });

    test('a trim removes what is old, a bounded number, the oldest first', async () => {
      const own = await open();
      const one = await world(own);
      for (let i = 1; i <= 6; i++) await accept(own, messageOf(one, one, { created_at: T + i, settled_at: T + i }));
      assert.equal(await own.events.trim(T + 4, 3), 3);
      assert.equal(await own.events.trim(T + 4, 100), 1);
      assert.equal(await own.events.trim(T + 4, 100), 0);
      const page = await own.events.page({ namespace_id: one.namespace.id }, null, 100);
      assert.deepEqual(
        page.items.map(({ at }) => at - T),
        [4, 5, 6],
      );
      await own.events.trim(T + 100, 100);
      const place = page.next;
      await accept(own, messageOf(one, one));
      // The numbers continue, even after all events are gone.
      assert.equal((await own.events.page({ namespace_id: one.namespace.id }, place, 100)).items.length, 1);
      await own[Symbol.asyncDispose]();
    });
  });
}
