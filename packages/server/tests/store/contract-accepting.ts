import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import { forwardJobOf } from '../../core/ports/claim.ts';
import type { Store } from '../../core/ports/store.ts';
import {
  accept,
  fromMailbox,
  idempotencyOf,
  keyOf,
  messageOf,
  opened,
  settlementOf,
  T,
  type World,
  waitingOf,
  world,
} from './made.ts';

const ACCEPTED = { kind: 'accepted', held: false };
const HELD = { kind: 'accepted', held: true };
const refused = (code: string) => ({ kind: 'refused', code });

/** Tests of how messages are accepted. */
export function acceptingContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: accepting`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());

    test('a settled message is kept whole, every field of it', async () => {
      const first = messageOf(alice, bob);
      const full = messageOf(alice, bob, {
        thread_id: first.thread_id,
        in_reply_to: replyIdOf(first.id),
        retry_of: first.id,
        to: `hello+tag@${bob.namespace.name}`,
        sender_agent: 'https://agent.example',
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

    test('what rules did is written with its message once, with its labels and the job that forwards it', async () => {
      const rules = {
        ids: ['one', 'two'],
        labels: ['a', 'b/c'],
        forward_to: ['ada@example.com'],
        review: true,
      } as const;
      const idempotency = idempotencyOf('rules', 'k');
      const settled = messageOf(alice, bob, { rules });
      const waiting = waitingOf(alice, bob, { rules });
      const other = waitingOf(alice, bob, { rules: { ids: ['three'] } });
      const repeated = messageOf(alice, bob, { rules });
      const plain = messageOf(alice, bob);
      await Promise.all([
        accept(store, settled),
        accept(store, waiting, { idempotency }),
        accept(store, other),
        accept(store, plain),
      ]);
      assert.deepEqual(await accept(store, repeated, { idempotency }), {
        kind: 'replayed',
        id: waiting.id,
        hash: idempotency.hash,
      });
      const read = async ({ id }: { id: string }) => {
        const message = await store.messages.byId(id);
        return [message?.rules, message?.labels?.map(({ label }) => label).sort()];
      };
      assert.deepEqual(await read(settled), [rules, ['a', 'b/c']]);
      assert.deepEqual(await read(waiting), [rules, ['a', 'b/c']]);
      assert.deepEqual(await read(other), [{ ids: ['three'] }, undefined]);
      assert.deepEqual(await read(plain), [undefined, undefined]);
      const jobs = await store.jobs.claim(10, Date.now() + 1e12, 1_000, 'forward');
      assert.deepEqual(
        new Map(jobs.map(({ id, subject }) => [id, subject])),
        new Map([settled, waiting].map(({ id }) => [forwardJobOf(id), id])),
      );
    });

    test('an unknown id finds nothing', async () => {
      assert.equal(await store.messages.byId(newId('msg', T)), undefined);
    });

    test('a settled message makes no job', async () => {
      await accept(store, messageOf(alice, bob));
      assert.equal(await store.handlings.nextDue(), undefined);
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
      assert.equal(await store.handlings.depth(), 0);
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
      assert.equal(await store.handlings.nextDue(), T);
      await store.messages.cancel(message.id, T);
      for (const status of ['paused', 'offline'] as const) {
        await store.mailboxes.change(to.mailbox.id, { status }, T);
        const held = waitingOf(alice, to);
        assert.deepEqual(await accept(store, held, { leased_until: T + 1000 }), HELD);
        assert.equal((await store.messages.byId(held.id))?.status, 'submitted');
        assert.equal(await store.handlings.nextDue(), undefined);
        assert.deepEqual(await store.handlings.claim(10, T + 5000, 1000), []);
      }
    });

    test('one whose handler runs already is born claimed with fence 1', async () => {
      const message = waitingOf(alice, bob);
      await accept(store, message, { leased_until: T + 1000 });
      assert.equal((await store.messages.byId(message.id))?.status, 'working');
      assert.deepEqual(await store.handlings.claim(10, T + 999, 1000), []);
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
        kind: 'reply',
        in_reply_to: message.id,
        mailbox_id: alice.mailbox.id,
        to: `hello@${alice.namespace.name}`,
        from: `hello@${bob.namespace.name}`,
        sender_id: bob.mailbox.id,
        key_id: null,
        status: 'completed',
        body: message.reply?.body,
        data: message.reply?.data,
        reply: null,
        replies_count: 0,
        created_at: message.settled_at,
      });
      assert.equal(await store.handlings.nextDue(), undefined);
    });
  });
}
