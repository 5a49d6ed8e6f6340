import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Message } from '../../src/core/entities/message.ts';
import type { MessageQuery, Store } from '../../src/core/ports/store.ts';
import { firstOf, newId, replyIdOf } from '../../src/core/values/ids.ts';
import type { World } from './made.ts';
import {
  accept,
  fromMailbox,
  idempotencyOf,
  keyOf,
  mailboxOf,
  messageOf,
  purgeAll,
  settlementOf,
  T,
  waitingOf,
  world,
} from './made.ts';

const ACCEPTED = { kind: 'accepted', held: false };
const HELD = { kind: 'accepted', held: true };
const refused = (code: string) => ({ kind: 'refused', code });

export function messagesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: accepting`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    test('a settled message is kept whole, every field of it', async () => {
      const first = messageOf(alice, bob);
      const full = messageOf(alice, bob, {
        thread_id: first.thread_id,
        in_reply_to: replyIdOf(first.id),
        retry_of: first.id,
        to: `hello+tag@${bob.namespace.name}`,
        channel: 'mcp',
        hops: 3,
        subject: 'Grüße 👋',
        body: 'line\n\t"quoted" \\ 𝒳'.repeat(1000),
        data: '{"x":[1,null]}',
        status: 'failed',
        error_code: 'internal',
        error_message: 'It broke',
        ...fromMailbox(alice),
      });
      assert.deepEqual(await accept(store, first), ACCEPTED);
      assert.deepEqual(await accept(store, full), ACCEPTED);
      assert.deepEqual(await store.messages.byId(first.id), first);
      assert.deepEqual(await store.messages.byId(full.id), full);
    });

    test('an unknown id finds nothing', async () => {
      assert.equal(await store.messages.byId(newId('msg', T)), undefined);
    });

    test('a settled message makes no job', async () => {
      await accept(store, messageOf(alice, bob));
      assert.equal(await store.jobs.nextDue(), undefined);
    });

    test('a revoked, an expired and an unknown key write nothing', async () => {
      const revoked = keyOf(alice.namespace);
      const expiring = keyOf(alice.namespace, { expires_at: T + 10 });
      await store.keys.create(revoked);
      await store.keys.create(expiring);
      const by = (id: string | null, at = T) => messageOf(alice, bob, { key_id: id, created_at: at });
      assert.deepEqual(await accept(store, by(revoked.id)), ACCEPTED);
      await store.keys.revoke(revoked.id, alice.namespace.id, T);
      const late = by(revoked.id);
      assert.deepEqual(await accept(store, late), refused('invalid_key'));
      assert.equal(await store.messages.byId(late.id), undefined);
      assert.deepEqual(await accept(store, by(expiring.id, T + 9)), ACCEPTED);
      assert.deepEqual(await accept(store, by(expiring.id, T + 10)), refused('invalid_key'));
      assert.deepEqual(await accept(store, by(newId('key', T))), refused('invalid_key'));
      assert.deepEqual(await accept(store, by(null)), ACCEPTED);
    });

    test('once a revocation was answered nothing is accepted, and of those under way each is accepted or refused', async () => {
      const key = keyOf(alice.namespace);
      await store.keys.create(key);
      const sent = Array.from({ length: 60 }, () => messageOf(alice, bob, { key_id: key.id }));
      let answered = false;
      const done = sent.map(async (message, at) => {
        if (at === 30) await store.keys.revoke(key.id, alice.namespace.id, T).then(() => (answered = true));
        const after = answered;
        return { after, result: await accept(store, message), stored: await store.messages.byId(message.id) };
      });
      for (const { after, result, stored } of await Promise.all(done)) {
        if (after) assert.deepEqual(result, refused('invalid_key'));
        assert.equal(stored !== undefined, result.kind === 'accepted');
      }
      assert.deepEqual(await accept(store, messageOf(alice, bob, { key_id: key.id })), refused('invalid_key'));
    });

    test('a deleted mailbox takes nothing, and a deleted mailbox sends nothing', async () => {
      const from = await world(store);
      const to = await world(store);
      await accept(store, messageOf(from, to, fromMailbox(from)), { from_mailbox_id: from.mailbox.id });
      await store.mailboxes.delete(from.mailbox.id, T);
      const sent = accept(store, messageOf(from, to, fromMailbox(from)), { from_mailbox_id: from.mailbox.id });
      assert.deepEqual(await sent, refused('sender_not_allowed'));
      await store.mailboxes.delete(to.mailbox.id, T);
      assert.deepEqual(await accept(store, messageOf(alice, to)), refused('mailbox_gone'));
    });

    test('a repeated request tells the first one and writes nothing', async () => {
      const idempotency = idempotencyOf(alice.key.id, 'a1', { hash: 'h1' });
      const first = messageOf(alice, bob);
      const again = messageOf(alice, bob);
      assert.deepEqual(await accept(store, first, { idempotency }), ACCEPTED);
      const replayed = { kind: 'replayed', id: first.id, hash: 'h1' };
      assert.deepEqual(await accept(store, again, { idempotency: { ...idempotency, hash: 'h2' } }), replayed);
      assert.equal(await store.messages.byId(again.id), undefined);
      const waiting = waitingOf(alice, bob);
      assert.deepEqual(await accept(store, waiting, { idempotency }), replayed);
      assert.equal(await store.jobs.depth(), 0);
    });

    test('of many repeated at once, one is stored', async () => {
      const idempotency = idempotencyOf(alice.key.id, 'a2');
      const sent = Array.from({ length: 20 }, () => waitingOf(alice, bob));
      const done = await Promise.all(sent.map((message) => accept(store, message, { idempotency })));
      assert.equal(done.filter(({ kind }) => kind === 'accepted').length, 1);
      const replays = done.filter((one) => one.kind === 'replayed');
      assert.equal(new Set(replays.map(({ id }) => id)).size, 1);
      assert.equal(await store.messages.cancel(replays[0]?.id as string, T), true);
    });

    test('an idempotency key is free again when it expired, and was never taken by what was refused', async () => {
      const idempotency = idempotencyOf(alice.key.id, 'a3', { expires_at: T + 10 });
      await accept(store, messageOf(alice, bob), { idempotency });
      assert.deepEqual(await accept(store, messageOf(alice, bob, { created_at: T + 10 }), { idempotency }), ACCEPTED);
      const other = idempotencyOf(alice.key.id, 'a4');
      await accept(store, messageOf(alice, bob, { key_id: newId('key', T) }), { idempotency: other });
      await accept(store, waitingOf(alice, bob), { idempotency: other, max_waiting: 0 });
      assert.equal(await store.idempotency(alice.key.id, 'a4', T), undefined);
    });

    test('a mailbox holds so many waiting ones and no more; what settled or was canceled makes room', async () => {
      const to = await world(store);
      const send = (message = waitingOf(alice, to)) => accept(store, message, { max_waiting: 2 });
      const [one, two] = [waitingOf(alice, to), waitingOf(alice, to)];
      const idempotency = idempotencyOf(alice.key.id, 'full');
      await accept(store, one, { max_waiting: 2, idempotency });
      await accept(store, two, { max_waiting: 2, leased_until: T + 1000 });
      const third = waitingOf(alice, to);
      assert.deepEqual(await send(third), refused('mailbox_full'));
      assert.equal(await store.messages.byId(third.id), undefined);
      const replayed = await accept(store, waitingOf(alice, to), { max_waiting: 2, idempotency });
      assert.equal(replayed.kind, 'replayed');
      assert.deepEqual(await send(messageOf(alice, to)), ACCEPTED, 'what is settled does not wait');
      await store.messages.settle({ id: two.id, fence: 1 }, settlementOf());
      assert.deepEqual(await send(), ACCEPTED);
      assert.deepEqual(await send(), refused('mailbox_full'));
      await store.messages.cancel(one.id, T);
      assert.deepEqual(await send(), ACCEPTED);
      assert.deepEqual(await send(), refused('mailbox_full'));
      await store.mailboxes.delete(to.mailbox.id, T);
    });

    test('an unsettled message is due at once; one for a paused or offline mailbox is held', async () => {
      const to = await world(store);
      const message = waitingOf(alice, to);
      assert.deepEqual(await accept(store, message), ACCEPTED);
      assert.equal((await store.messages.byId(message.id))?.status, 'submitted');
      assert.equal(await store.jobs.nextDue(), T);
      await store.messages.cancel(message.id, T);
      for (const status of ['paused', 'offline'] as const) {
        await store.mailboxes.change(to.mailbox.id, { status }, T);
        const held = waitingOf(alice, to);
        assert.deepEqual(await accept(store, held, { leased_until: T + 1000 }), HELD);
        assert.equal((await store.messages.byId(held.id))?.status, 'submitted');
        assert.equal(await store.jobs.nextDue(), undefined);
        assert.deepEqual(await store.jobs.claim(10, T + 5000, 1000), []);
      }
    });

    test('one whose handler runs already is born claimed with fence 1', async () => {
      const message = waitingOf(alice, bob);
      await accept(store, message, { leased_until: T + 1000 });
      assert.equal((await store.messages.byId(message.id))?.status, 'working');
      assert.deepEqual(await store.jobs.claim(10, T + 999, 1000), []);
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), true);
    });

    test('the reply to a mailbox is filed there as a message of its own that triggers nothing', async () => {
      const message = messageOf(alice, bob, {
        ...fromMailbox(alice),
        to: `hello+tag@${bob.namespace.name}`,
        subject: 'Re',
      });
      await accept(store, message, { from_mailbox_id: alice.mailbox.id });
      const copy = await store.messages.byId(replyIdOf(message.id));
      assert.deepEqual(copy, {
        ...message,
        id: replyIdOf(message.id),
        in_reply_to: message.id,
        mailbox_id: alice.mailbox.id,
        to: `hello@${alice.namespace.name}`,
        from: `hello@${bob.namespace.name}`,
        sender_id: bob.mailbox.id,
        sender_namespace_id: null,
        key_id: null,
        status: 'completed',
        body: message.reply_body,
        data: message.reply_data,
        reply_body: null,
        reply_data: null,
        created_at: message.settled_at,
      });
      assert.equal(await store.jobs.nextDue(), undefined);
    });
  });

  describe(`${name}: settling`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    before(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    after(() => store[Symbol.asyncDispose]());

    const running = async (fields: Partial<Message> = {}, from_mailbox_id: string | null = null) => {
      const message = waitingOf(alice, bob, fields);
      await accept(store, message, { leased_until: T + 1000, from_mailbox_id });
      return message;
    };

    test('a settlement shows in the message, and happens once', async () => {
      const message = await running();
      const settlement = settlementOf({ status: 'input_required', reply_data: '[1]' });
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlement), true);
      assert.deepEqual(await store.messages.byId(message.id), { ...message, ...settlement });
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), false);
      assert.deepEqual(await store.messages.byId(message.id), { ...message, ...settlement });
      assert.equal(await store.jobs.depth(), 0);
    });

    test('of many who settle one at once, one does', async () => {
      const { id } = await running();
      const done = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          store.messages.settle({ id, fence: 1 }, settlementOf({ reply_body: `${i}` })),
        ),
      );
      assert.equal(done.filter(Boolean).length, 1);
      assert.equal((await store.messages.byId(id))?.reply_body, `${done.indexOf(true)}`);
    });

    test('whoever lost the lease writes nothing', async () => {
      const { id } = await running();
      const [claim] = await store.jobs.claim(1, T + 1000, 1000);
      assert.equal(claim?.fence, 2);
      assert.equal(await store.messages.settle({ id, fence: 1 }, settlementOf()), false);
      assert.equal((await store.messages.byId(id))?.status, 'working');
      assert.equal(await store.messages.settle({ id, fence: 2 }, settlementOf()), true);
    });

    test('a later settlement files the reply to a mailbox too', async () => {
      const message = await running(fromMailbox(alice), alice.mailbox.id);
      assert.equal(await store.messages.byId(replyIdOf(message.id)), undefined);
      await store.messages.settle({ id: message.id, fence: 1 }, settlementOf());
      const copy = await store.messages.byId(replyIdOf(message.id));
      assert.equal(copy?.body, 'Done.');
      assert.equal(copy?.mailbox_id, alice.mailbox.id);
      assert.equal(copy?.in_reply_to, message.id);
    });

    test('no reply, or a sender deleted meanwhile, files nothing', async () => {
      const silent = await running(fromMailbox(alice), alice.mailbox.id);
      await store.messages.settle(
        { id: silent.id, fence: 1 },
        settlementOf({ status: 'rejected', reply_body: null, error_code: 'behavior_unavailable' }),
      );
      assert.equal(await store.messages.byId(replyIdOf(silent.id)), undefined);
      const gone = mailboxOf(alice.namespace, 'gone');
      await store.mailboxes.create(gone);
      const message = await running({ ...fromMailbox(alice), sender_id: gone.id }, gone.id);
      await store.mailboxes.delete(gone.id, T);
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), true);
      await purgeAll(store, T);
    });

    test('canceling settles whatever has not settled, whoever works on it, and once', async () => {
      const message = await running();
      assert.equal(await store.messages.cancel(message.id, T + 7), true);
      const canceled = { ...message, status: 'canceled', settled_at: T + 7 };
      assert.deepEqual(await store.messages.byId(message.id), canceled);
      assert.equal(await store.messages.cancel(message.id, T + 8), false);
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), false);
      assert.deepEqual(await store.messages.byId(message.id), canceled);
      assert.equal(await store.messages.cancel(newId('msg', T), T), false);
      assert.equal(await store.jobs.depth(), 0);
    });

    test('what a deleted mailbox was working on can be neither settled nor canceled', async () => {
      const to = await world(store);
      const [one, two] = [waitingOf(alice, to), waitingOf(alice, to)];
      await accept(store, one, { leased_until: T + 1000 });
      await accept(store, two, { leased_until: T + 1000 });
      await store.mailboxes.delete(to.mailbox.id, T);
      assert.equal(await store.messages.settle({ id: one.id, fence: 1 }, settlementOf()), false);
      assert.equal(await store.messages.cancel(two.id, T), false);
    });
  });

  describe(`${name}: reading`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    before(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    after(() => store[Symbol.asyncDispose]());

    async function all(of: MessageQuery, size = 3): Promise<string[]> {
      const ids: string[] = [];
      let before: string | null = null;
      do {
        const page = await store.messages.page(of, before, size);
        assert.ok(page.items.length <= size);
        ids.push(...page.items.map(({ id }) => id));
        before = page.next;
      } while (before !== null);
      return ids;
    }

    test('what a mailbox received comes newest first, each once, and what others received does not', async () => {
      const to = await world(store);
      const sent = Array.from({ length: 8 }, (_, i) => messageOf(alice, to, { created_at: T + i }));
      await Promise.all([...sent.map((message) => accept(store, message)), accept(store, messageOf(alice, bob))]);
      const newestFirst = sent.map(({ id }) => id).reverse();
      assert.deepEqual(await all({ mailbox_id: to.mailbox.id }), newestFirst);
      assert.deepEqual(await all({ mailbox_id: to.mailbox.id }, 8), newestFirst);
      assert.equal((await store.messages.page({ mailbox_id: to.mailbox.id }, null, 8)).next, null);
      assert.deepEqual(await all({ mailbox_id: to.mailbox.id, since: T + 5 }), newestFirst.slice(0, 3));
    });

    test('what keys of a namespace sent is listed, with no replies among it, and can be narrowed to a mailbox', async () => {
      const from = await world(store);
      const plain = messageOf(from, bob);
      const as = messageOf(from, bob, { ...fromMailbox(from), created_at: T + 1 });
      await accept(store, plain);
      await accept(store, as, { from_mailbox_id: from.mailbox.id });
      await accept(store, messageOf(alice, from));
      assert.deepEqual(await all({ sender_namespace_id: from.namespace.id }), [as.id, plain.id]);
      const narrowed = { sender_namespace_id: from.namespace.id, sender_mailbox_id: from.mailbox.id };
      assert.deepEqual(await all(narrowed), [as.id]);
      assert.equal((await all({ sender_namespace_id: bob.namespace.id })).length, 0);
    });

    test('a status narrows a list by how messages stand now', async () => {
      const to = await world(store);
      const working = waitingOf(alice, to);
      const waiting = waitingOf(alice, to);
      const completed = messageOf(alice, to);
      await accept(store, working, { leased_until: T + 1000 });
      await accept(store, waiting);
      await accept(store, completed);
      const ids = (status: Message['status']) => all({ mailbox_id: to.mailbox.id, status });
      assert.deepEqual(await ids('working'), [working.id]);
      assert.deepEqual(await ids('submitted'), [waiting.id]);
      assert.deepEqual(await ids('completed'), [completed.id]);
      assert.deepEqual(await ids('failed'), []);
      await store.mailboxes.delete(to.mailbox.id, T);
    });

    test('a search finds a part of subject, body or reply in any case, and takes % and _ as they are', async () => {
      const to = await world(store);
      const subject = messageOf(alice, to, { subject: 'The Analytical Engine', body: 'x', reply_body: null });
      const body = messageOf(alice, to, { body: 'about an ENGINE', reply_body: null });
      const reply = messageOf(alice, to, { body: 'x', reply_body: 'no engine, 100%_sure' });
      for (const message of [subject, body, reply]) await accept(store, message);
      const ids = async (query: string) => (await all({ mailbox_id: to.mailbox.id, query })).sort();
      assert.deepEqual(await ids('eNgInE'), [subject.id, body.id, reply.id].sort());
      assert.deepEqual(await ids('%_s'), [reply.id]);
      assert.deepEqual(await ids('1%0'), []);
      assert.deepEqual(await ids('n_engine'), []);
    });

    test('a rare match is found through pages that hold nothing yet go on', async () => {
      const to = await world(store);
      const rare = messageOf(alice, to, { subject: 'needle' });
      await accept(store, rare);
      for (let bulk = 0; bulk < 21; bulk++) {
        await Promise.all(
          Array.from({ length: 1000 }, () => accept(store, messageOf(alice, to, { created_at: T + 1 }))),
        );
      }
      const query = { mailbox_id: to.mailbox.id, query: 'needle' };
      const first = await store.messages.page(query, null, 10);
      assert.deepEqual(first.items, []);
      assert.notEqual(first.next, null);
      const second = await store.messages.page(query, first.next, 10);
      assert.deepEqual(
        second.items.map(({ id }) => id),
        [rare.id],
      );
      assert.equal(second.next, null);
    });

    test('a thread is read from its first message on, without the filed copies', async () => {
      const first = messageOf(alice, bob, fromMailbox(alice));
      const rest = [1, 2, 3].map((i) =>
        messageOf(alice, bob, { ...fromMailbox(alice), thread_id: first.thread_id, created_at: T + i }),
      );
      for (const message of [first, ...rest]) await accept(store, message, { from_mailbox_id: alice.mailbox.id });
      await accept(store, messageOf(alice, bob));
      const ids: string[] = [];
      let after: string | null = null;
      do {
        const page = await store.messages.thread(first.thread_id, after, 2);
        ids.push(...page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      assert.equal(first.id, firstOf(first.thread_id));
      assert.deepEqual(
        ids,
        [first, ...rest].map(({ id }) => id),
      );
      const ends: string[][] = [];
      let before: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof store.messages.threadEnd>> = await store.messages.threadEnd(
          first.thread_id,
          before,
          2,
        );
        ends.push(page.items.map(({ id }) => id));
        before = page.next;
      } while (before !== null);
      assert.deepEqual(ends, [ids.slice(2), ids.slice(0, 2)]);
      assert.deepEqual((await store.messages.threadEnd(first.thread_id, ids[1] as string, 5)).items, [first]);
      assert.deepEqual((await store.messages.threadEnd(first.thread_id, first.id, 5)).items, []);
      const one = await store.messages.thread(first.thread_id, null, 1);
      assert.deepEqual([one.items.length, one.next], [1, first.id]);
      assert.deepEqual(await store.messages.thread(newId('thr', T), null, 5), { items: [], next: null });
    });

    test('the ids of what a mailbox received, or keys of a namespace sent, come oldest first between two bounds', async () => {
      const from = await world(store);
      const to = await world(store);
      const sent = Array.from({ length: 7 }, (_, i) => messageOf(from, i % 2 === 0 ? to : bob, { created_at: T + i }));
      for (const message of [...sent].reverse()) await accept(store, message);
      await accept(store, messageOf(alice, bob));
      const ids = sent.map(({ id }) => id);
      const received = ids.filter((_, i) => i % 2 === 0);
      const ofSender = { sender_namespace_id: from.namespace.id };
      const ofMailbox = { mailbox_id: to.mailbox.id };
      assert.deepEqual(await store.messages.idsOf(ofSender, '', '~', 100), ids);
      assert.deepEqual(await store.messages.idsOf(ofSender, '', '~', 3), ids.slice(0, 3));
      assert.deepEqual(await store.messages.idsOf(ofSender, ids[2] ?? '', ids[5] ?? '', 100), ids.slice(3, 5));
      assert.deepEqual(await store.messages.idsOf(ofMailbox, '', '~', 100), received);
      assert.deepEqual(await store.messages.idsOf(ofMailbox, received[0] ?? '', '~', 2), received.slice(1, 3));
      assert.deepEqual(await store.messages.idsOf({ mailbox_id: newId('mbx', T) }, '', '~', 5), []);
    });

    test('of many ids those that are there are read at once, oldest first', async () => {
      const to = await world(store);
      const working = waitingOf(alice, to, { created_at: T + 2 });
      const settled = messageOf(alice, to, { created_at: T + 1 });
      await accept(store, working, { leased_until: T + 1000 });
      await accept(store, settled);
      const ids = [working.id, newId('msg', T), settled.id];
      assert.deepEqual(await store.messages.byIds(ids), [settled, { ...working, status: 'working' }]);
      assert.deepEqual(await store.messages.byIds([]), []);
      await store.mailboxes.delete(to.mailbox.id, T);
      assert.deepEqual(await store.messages.byIds(ids), []);
    });

    test('the messages of a deleted mailbox are gone at once, by id, list and thread', async () => {
      const to = await world(store);
      const message = messageOf(alice, to, fromMailbox(alice));
      await accept(store, message, { from_mailbox_id: alice.mailbox.id });
      await store.mailboxes.delete(to.mailbox.id, T);
      for (let purged = 0; purged < 2; purged++) {
        assert.equal(await store.messages.byId(message.id), undefined);
        assert.deepEqual(await all({ mailbox_id: to.mailbox.id }), []);
        assert.equal((await all({ sender_namespace_id: alice.namespace.id }, 100)).includes(message.id), false);
        assert.deepEqual((await store.messages.thread(message.thread_id, null, 5)).items, []);
        const copy = await store.messages.byId(replyIdOf(message.id));
        assert.equal(copy?.body, message.reply_body, 'the filed reply belongs to who asked');
        assert.deepEqual([copy?.from, copy?.sender_id, copy?.sender_kind], [null, null, 'mailbox']);
        assert.ok((await purgeAll(store, T)) > 0 || purged === 1);
      }
    });

    test('what a deleted mailbox sent stays, from nobody', async () => {
      const from = await world(store);
      const plain = messageOf(from, bob);
      const as = messageOf(from, bob, fromMailbox(from));
      await accept(store, plain);
      await accept(store, as, { from_mailbox_id: from.mailbox.id });
      await store.mailboxes.delete(from.mailbox.id, T);
      for (let purged = 0; purged < 2; purged++) {
        assert.deepEqual(await store.messages.byId(as.id), { ...as, from: null, sender_id: null });
        assert.deepEqual(await store.messages.byId(plain.id), plain);
        assert.equal(await store.messages.byId(replyIdOf(as.id)), undefined);
        await purgeAll(store, T);
      }
    });

    test('what a deleted namespace sent stays, from nobody', async () => {
      const from = await world(store);
      const plain = messageOf(from, bob);
      const as = messageOf(from, bob, fromMailbox(from));
      await accept(store, plain);
      await accept(store, as, { from_mailbox_id: from.mailbox.id });
      await store.namespaces.delete(from.namespace.id, T);
      const noSender = { from: null, sender_id: null, sender_namespace_id: null, key_id: null };
      for (let purged = 0; purged < 2; purged++) {
        assert.deepEqual(await store.messages.byId(plain.id), { ...plain, ...noSender });
        assert.deepEqual(await store.messages.byId(as.id), { ...as, ...noSender });
        await purgeAll(store, T);
      }
    });
  });

  describe(`${name}: retiring`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const send = async (at: number, fields: Partial<Message> = {}, rest = {}) => {
      const message = messageOf(alice, bob, { created_at: at, settled_at: at, ...fields });
      await accept(store, message, rest);
      return message;
    };
    const left = async (messages: readonly Message[]) => {
      const found = await store.messages.byIds(messages.map(({ id }) => id));
      return messages.map(({ id }) => found.some((message) => message.id === id));
    };

    test('what settled before a time goes, oldest first, so many at a time and on from where it came to', async () => {
      const messages = [];
      for (let i = 0; i < 7; i++) messages.push(await send(T + i));
      const ids = messages.map(({ id }) => id);
      assert.deepEqual(await store.messages.retire(T + 5, '', 3), { retired: 3, next: ids[2] });
      assert.deepEqual(await left(messages), [false, false, false, true, true, true, true]);
      assert.deepEqual(await store.messages.retire(T + 5, ids[2] as string, 3), { retired: 2, next: ids[4] });
      assert.deepEqual(await store.messages.retire(T + 5, ids[4] as string, 3), { retired: 0, next: null });
      assert.deepEqual(await left(messages), [false, false, false, false, false, true, true]);
    });

    test('what waits or is worked on never goes, and goes when it settled as long ago', async () => {
      const waiting = waitingOf(alice, bob, { created_at: T });
      const working = waitingOf(alice, bob, { created_at: T + 1 });
      await accept(store, waiting);
      await accept(store, working, { leased_until: T + 1e12 });
      const settled = await send(T + 2);
      assert.deepEqual(await store.messages.retire(T + 1e9, '', 10), { retired: 1, next: settled.id });
      assert.deepEqual(await left([waiting, working, settled]), [true, true, false]);
      assert.equal(await store.jobs.depth(), 2);
      await store.messages.settle({ id: working.id, fence: 1 }, settlementOf({ settled_at: T + 2e9 }));
      assert.equal((await store.messages.retire(T + 2e9, '', 10)).retired, 0);
      assert.equal((await store.messages.retire(T + 2e9 + 1, '', 10)).retired, 1);
      assert.deepEqual(await left([waiting, working]), [true, false]);
    });

    test('a filed reply goes as its message does, and a thread is read on without its first', async () => {
      const from = { ...fromMailbox(alice), settled_at: T + 5 };
      const first = await send(T, from, { from_mailbox_id: alice.mailbox.id });
      const second = await send(T + 10, { thread_id: first.thread_id });
      await store.messages.retire(T + 5, '', 10);
      assert.ok(await store.messages.byId(replyIdOf(first.id)));
      assert.equal((await store.messages.retire(T + 6, '', 10)).retired, 2);
      assert.equal(await store.messages.byId(replyIdOf(first.id)), undefined);
      assert.deepEqual((await store.messages.thread(first.thread_id, null, 5)).items, [second]);
    });

    test('of large messages fewer go at a time', async () => {
      const body = 'x'.repeat(800_000);
      for (let i = 0; i < 5; i++) await send(T + i, { body });
      const { retired } = await store.messages.retire(T + 10, '', 100);
      assert.ok(retired > 0 && retired < 5, `${retired}`);
    });
  });
}
