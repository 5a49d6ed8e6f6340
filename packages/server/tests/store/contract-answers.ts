import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { AnswerClaim } from '../../core/ports/answers.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Acceptance } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import { idempotencyOf, settlementOf, T, type World, waitingOf, world } from './made.ts';

const DAY = 86_400_000;

/** Messages that wait for an answer from a program or a person outside. */
export function answersContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: answers`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const send = async (at = T) => {
      const message = waitingOf(alice, bob, { created_at: at });
      const accepted = await store.messages.accept({
        message,
        answer_by: at + DAY,
        max_waiting: 100,
        from_mailbox_id: null,
      });
      assert.deepEqual(accepted.kind, 'accepted');
      return message;
    };
    const claim = async (claims: readonly string[], now = T, until = now + 1000) =>
      (await store.answers.claim(bob.mailbox.id, claims, now, until)).claims;
    const ids = (claims: readonly AnswerClaim[]) => claims.map(({ message_id }) => message_id);
    const answer = (id: string, by: string | null, at = T + 10) =>
      store.answers.answer(id, by, { ...settlementOf(), settled_at: at });

    test('those that wait longest are claimed, so many as there are claims, and are worked on from then', async () => {
      const first = await send(T);
      const second = await send(T + 1);
      await send(T + 2);
      assert.equal((await store.messages.byId(first.id))?.status, 'submitted');
      assert.equal((await store.messages.byId(first.id))?.waiting_for, 'answer');
      assert.deepEqual(ids(await claim(['clm_a', 'clm_b'], T + 5)).sort(), [first.id, second.id].sort());
      assert.equal((await store.messages.byId(first.id))?.status, 'working');
      assert.equal(ids(await claim(['clm_c', 'clm_d'], T + 5)).length, 1);
      assert.deepEqual(await claim(['clm_e'], T + 5), []);
    });

    test('of concurrent claims no two get the same message', async () => {
      for (let i = 0; i < 20; i++) await send();
      const names = (of: number) => Array.from({ length: 10 }, (_, i) => `clm_${of}_${i}`);
      const taken = (await Promise.all([1, 2, 3, 4].map((of) => claim(names(of))))).flat();
      assert.equal(new Set(ids(taken)).size, taken.length);
      assert.ok(taken.length <= 20);
    });

    test('the dispatcher does not handle it before its deadline, and then it does', async () => {
      const { id } = await send();
      assert.deepEqual(await store.handlings.claim(10, T + DAY - 1, 1000), []);
      const [due] = await store.handlings.claim(10, T + DAY, 1000);
      assert.equal(due?.id, id);
      assert.deepEqual(await claim(['clm_a'], T + DAY), [], 'and no program gets it meanwhile');
    });

    test('an expired lease is for the next, a renewed and a released one are not and are', async () => {
      const { id } = await send();
      const [first] = (await claim(['clm_a'])) as [AnswerClaim];
      assert.deepEqual(await store.answers.claim(bob.mailbox.id, ['clm_n'], T, T + 1000), {
        claims: [],
        next: T + 1000,
      });
      assert.equal(await store.answers.renew(first, T + 5000, '[]'), true);
      assert.deepEqual(await claim(['clm_b'], T + 4999), []);
      assert.deepEqual(ids(await claim(['clm_b'], T + 5000)), [id]);
      assert.equal(await store.answers.renew(first, T + 9000), false);
      assert.equal(await store.answers.release(first, T), false);
      assert.equal(await store.answers.release({ message_id: id, claim: 'clm_b' }, T + 7000), true);
      assert.equal((await store.messages.byId(id))?.status, 'submitted');
      assert.deepEqual(await claim(['clm_c'], T + 6999), []);
      assert.deepEqual(ids(await claim(['clm_c'], T + 7000)), [id]);
    });

    test('the holder answers, once, and the reply is there', async () => {
      const { id } = await send();
      await claim(['clm_a']);
      assert.equal(await answer(id, 'clm_b'), false);
      assert.equal(await answer(id, 'clm_a'), true);
      const settled = await store.messages.byId(id);
      assert.deepEqual([settled?.status, settled?.waiting_for], ['completed', null]);
      assert.deepEqual(settled?.reply, settlementOf().reply);
      assert.equal(await answer(id, 'clm_a'), false);
      assert.deepEqual(await claim(['clm_c'], T + DAY), []);
    });

    const accept = (more: Partial<Acceptance> = {}) => {
      const message = waitingOf(alice, bob, { created_at: T });
      const claimed = { claim: 'clm_a', until: T + 1000 };
      const terms = { answer_by: T + DAY, max_waiting: 100, from_mailbox_id: null };
      return store.messages.accept({ message, claimed, ...terms, ...more }).then((accepted) => ({ message, accepted }));
    };

    test('a message that is accepted under a claim is worked on, and is for others once the lease ended', async () => {
      const { message } = await accept();
      assert.equal((await store.messages.byId(message.id))?.status, 'working');
      assert.deepEqual(await claim(['clm_b'], T + 999), []);
      assert.equal(await answer(message.id, 'clm_b'), false);
      assert.deepEqual(ids(await claim(['clm_b'], T + 1000)), [message.id]);
      assert.equal(await answer(message.id, 'clm_a', T + 1001), false);
      const other = await accept({ claimed: { claim: 'clm_c', until: T + 9000 } });
      assert.equal(await answer(other.message.id, 'clm_c'), true);
    });

    test('a paused mailbox and a thread that is taken over accept under no claim', async () => {
      const { message: first } = await accept();
      const taken = { thread_id: first.thread_id, mailbox_id: bob.mailbox.id };
      await store.threads.takeOver(taken, DAY, T);
      const next = waitingOf(alice, bob, { thread_id: first.thread_id, created_at: T + 1 });
      assert.deepEqual((await accept({ message: next })).accepted, { kind: 'accepted', held: false, taken: true });
      assert.deepEqual(await store.answers.holder(next.id), { claim: null, answerable_at: null, taken_over: true });
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 2);
      const { message, accepted } = await accept();
      assert.deepEqual(accepted, { kind: 'accepted', held: true });
      assert.equal((await store.messages.byId(message.id))?.status, 'submitted');
    });

    test('an answer takes its idempotency key, and one whose key is used writes nothing', async () => {
      const used = idempotencyOf(alice.key.id, 'once', { expires_at: T + DAY });
      const [one, two] = [await send(), await send()];
      await claim(['clm_a', 'clm_b']);
      const by = async (id: string) => (await store.answers.holder(id))?.claim ?? null;
      const settled = { ...settlementOf(), settled_at: T + 10 };
      assert.equal(await store.answers.answer(one.id, await by(one.id), settled, { idempotency: used }), true);
      assert.equal((await store.idempotency(alice.key.id, 'once', T + 20))?.id, replyIdOf(one.id));
      assert.equal(await store.answers.answer(two.id, await by(two.id), settled, { idempotency: used }), false);
      assert.equal((await store.messages.byId(two.id))?.status, 'working');
      const failed = { ...settled, status: 'failed', error_code: 'behavior_failed', reply: null } as const;
      const other = { ...used, key: 'other' };
      assert.equal(await store.answers.answer(two.id, await by(two.id), failed, { idempotency: other }), true);
      assert.equal((await store.idempotency(alice.key.id, 'other', T + 20))?.id, two.id);
    });

    test('of equal answers at once, with one idempotency key, one settles', async () => {
      const idempotency = idempotencyOf(alice.key.id, 'once', { expires_at: T + DAY });
      const [one, two] = [await send(), await send()];
      const settled = { ...settlementOf(), settled_at: T + 10 };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          store.answers.answer((i % 2 ? one : two).id, null, settled, { idempotency }),
        ),
      );
      assert.equal(answers.filter(Boolean).length, 1);
    });

    test('an answer that writes nothing takes no idempotency key', async () => {
      const idempotency = idempotencyOf(alice.key.id, 'once', { expires_at: T + DAY });
      const { id } = await send();
      await claim(['clm_a']);
      assert.equal(await store.answers.answer(id, 'clm_b', settlementOf(), { idempotency }), false);
      await store.mailboxes.delete(bob.mailbox.id, T + 5);
      assert.equal(await store.answers.answer(id, 'clm_a', settlementOf(), { idempotency }), false);
      assert.equal(await store.idempotency(alice.key.id, 'once', T + 20), undefined);
    });

    test('a key that was revoked answers nothing', async () => {
      const { id } = await send();
      await claim(['clm_a']);
      const terms = { key_id: bob.key.id };
      await store.keys.revoke(bob.key.id, bob.namespace.id, T + 5);
      assert.equal(await store.answers.answer(id, 'clm_a', settlementOf(), terms), false);
      assert.equal(await store.answers.answer(id, 'clm_a', settlementOf(), { key_id: alice.key.id }), true);
    });

    test('an expired claim still answers while no other has the message', async () => {
      const { id } = await send();
      await claim(['clm_a']);
      assert.equal(await answer(id, 'clm_a', T + 60_000), true);
    });

    test('an expired claim answers nothing once another has the message', async () => {
      const { id } = await send();
      await claim(['clm_a']);
      await claim(['clm_b'], T + 2000);
      assert.equal(await answer(id, 'clm_a', T + 2001), false);
      assert.equal(await answer(id, 'clm_b', T + 2002), true);
    });

    test('of ten answers at once one settles it', async () => {
      const { id } = await send();
      await claim(['clm_a']);
      const all = await Promise.all(Array.from({ length: 10 }, (_, i) => answer(id, i % 2 ? 'clm_a' : null)));
      assert.equal(all.filter(Boolean).length, 1);
    });

    test('by hand it is answered whoever holds it, also while its mailbox is paused', async () => {
      const { id } = await send();
      await claim(['clm_a']);
      assert.equal(await answer(id, null), true);
      assert.deepEqual((await store.messages.byId(id))?.reply, { ...settlementOf().reply, by_hand: true });
      const further = { id: newId('msg', T + 15), body: 'More.', data: null, at: T + 15 };
      await store.answers.reply({ id }, { ...further, by_hand: true });
      assert.equal((await store.messages.byId(further.id))?.by_hand, true);
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 20);
      const held = await send(T + 30);
      assert.equal(await answer(held.id, null, T + 40), true);
    });

    test('by hand nothing is answered that a behavior is handling, or will', async () => {
      const message = waitingOf(alice, bob);
      await store.messages.accept({ message, max_waiting: 100, from_mailbox_id: null });
      assert.equal(await answer(message.id, null), false);
      assert.equal(await answer(message.id, 'clm_a'), false);
      await store.handlings.claim(1, T, 1000);
      assert.equal(await answer(message.id, null), false);
    });

    test('while its mailbox is paused it is given to none and does not run out of time', async () => {
      const { id } = await send();
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 1);
      assert.deepEqual(await claim(['clm_a'], T + 5), []);
      assert.deepEqual(await store.handlings.claim(10, T + 2 * DAY, 1000), []);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 2 * DAY);
      const [again] = (await store.handlings.claim(10, T + 2 * DAY, 1000)) as [Claim];
      const suspension = { for: 'answer', deadline: T + 3 * DAY } as const;
      assert.equal(await store.messages.suspend(again, suspension, T + 2 * DAY), true);
      assert.deepEqual(ids(await claim(['clm_b'], T + 2 * DAY)), [id]);
    });

    test('with another behavior it waits for no answer any more', async () => {
      const { id } = await send();
      await claim(['clm_a']);
      await store.mailboxes.change(bob.mailbox.id, { behavior: 'other' }, T + 5);
      assert.equal(await store.answers.holder(id), undefined);
      assert.equal(await store.handlings.nextDue(), T + 5);
      assert.equal(await answer(id, 'clm_a'), false);
    });

    test('a further reply is a message of its own in the thread, and is counted', async () => {
      const { id, thread_id } = await send();
      const further = { id: newId('msg', T + 50), body: 'One more thing.', data: '{"n":1}', at: T + 50 };
      assert.equal(await store.answers.reply({ id }, further), false, 'not before it is settled');
      await answer(id, null);
      assert.equal(await store.answers.reply({ id }, further), true);
      const { items } = await store.messages.thread(thread_id, null, 10);
      assert.deepEqual(
        items.map((one) => [one.id, one.kind, one.body]),
        [
          [id, 'message', items[0]?.body],
          [further.id, 'reply', 'One more thing.'],
        ],
      );
      assert.deepEqual([items[0]?.replies_count, items[1]?.in_reply_to, items[1]?.data], [2, id, '{"n":1}']);
    });

    test('of further replies whose authors saw the same ones, at once, one is added, and it says who gave it', async () => {
      const { id } = await send();
      await answer(id, null);
      const reply = (seen?: number) => {
        const further = {
          id: newId('msg', T + 50),
          body: 'Mine.',
          data: null,
          at: T + 50,
          answered_by: { key_id: 'key_a' },
        };
        return store.answers.reply({ id }, further, seen);
      };
      const all = await Promise.all(Array.from({ length: 8 }, () => reply(1)));
      assert.equal(all.filter(Boolean).length, 1);
      assert.deepEqual([await reply(1), await reply(2), await reply()], [false, true, true]);
      const { items } = await store.messages.threadEnd((await store.messages.byId(id))?.thread_id ?? '', null, 10);
      assert.equal(items[0]?.replies_count, 4);
      assert.deepEqual(
        items.slice(1).map(({ answered_by }) => answered_by),
        Array(3).fill({ key_id: 'key_a' }),
      );
    });

    test('a canceled message gets no reply', async () => {
      const { id } = await send();
      await store.messages.cancel(id, T + 1);
      assert.equal(await answer(id, null), false);
      const further = { id: newId('msg', T + 50), body: 'x', data: null, at: T + 50 };
      assert.equal(await store.answers.reply({ id }, further), false);
    });
  });
}
