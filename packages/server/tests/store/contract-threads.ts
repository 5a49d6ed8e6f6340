import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Message } from '../../core/entities/message.ts';
import type { Acceptance } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import { acts, PLAN } from './acts.ts';
import { accept, claimDue, messageOf, purgeAll, settlementOf, T, type World, waitingOf, world } from './made.ts';

const DAY = 86_400_000;

/** Threads that a person took over: their messages wait for an answer by hand. */
export function threadsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: threads that are taken over`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    let first: Message;
    const { suspended, eventsOf } = acts(() => ({ store, alice, bob }));
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
      first = messageOf(alice, bob);
      await accept(store, first);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const of = () => ({ thread_id: first.thread_id, mailbox_id: bob.mailbox.id });
    const take = (now = T) => store.threads.takeOver(of(), DAY, now);
    const giveBack = (now = T) => store.threads.handBack(of(), now);
    const next = async (rest: Partial<Acceptance> = {}, at = T) => {
      const message = waitingOf(alice, bob, { thread_id: first.thread_id, created_at: at });
      return { message, accepted: await accept(store, message, rest) };
    };
    const stateOf = async (id: string) => {
      const message = await store.messages.byId(id);
      return [message?.status, message?.waiting_for, message?.taken_over ?? false];
    };
    const BY_HAND = ['submitted', 'answer', true];
    const byHand = (id: string, at = T + 10) => store.answers.answer(id, null, { ...settlementOf(), settled_at: at });
    const due = async (now: number) => (await claimDue(store, 10, now, 1000)).map(({ id }) => id);

    test('its later messages wait for an answer by hand, whatever was meant for them, and others are handled', async () => {
      assert.deepEqual(await take(), []);
      assert.deepEqual(await store.threads.takenOver(of()), { taken_at: T, answer_within_ms: DAY });
      for (const rest of [{}, { leased_until: T + 1000 }, { answer_by: T + 60_000 }]) {
        const { message, accepted } = await next(rest);
        assert.deepEqual(accepted, { kind: 'accepted', held: false, taken: true });
        assert.deepEqual(await stateOf(message.id), BY_HAND);
        assert.equal(await byHand(message.id), true);
      }
      const elsewhere = waitingOf(alice, bob);
      assert.deepEqual(await accept(store, elsewhere), { kind: 'accepted', held: false });
      assert.deepEqual(await due(T + DAY - 1), [elsewhere.id]);
    });

    test('what waits to be handled waits for a person from then on, for as long as was said, and then is handled once', async () => {
      const { message } = await next();
      await take(T + 5);
      assert.deepEqual(await stateOf(message.id), BY_HAND);
      assert.deepEqual(await due(T + 5 + DAY - 1), []);
      assert.deepEqual(await due(T + 5 + DAY), [message.id]);
      assert.equal((await store.messages.byId(message.id))?.waiting_for, 'answer', 'so that it is known to be late');
    });

    test('handed back to a program, what waits can be claimed at once, and is late at the new deadline', async () => {
      await take();
      const { message } = await next({ answer_by: T + 60_000 });
      assert.equal(await store.threads.handBack(of(), T + 5, T + 5 + DAY), true);
      assert.deepEqual(await stateOf(message.id), ['submitted', 'answer', false]);
      assert.deepEqual(await due(T + 4 + DAY), []);
      const [claim] = (await store.answers.claim(bob.mailbox.id, ['clm_1'], T + 5, T + 1000)).claims;
      assert.equal(claim?.message_id, message.id);
      assert.equal(await store.answers.answer(message.id, 'clm_1', settlementOf()), true);
    });

    test('what is being handled waits for a person from then on, and its run writes nothing any more', async () => {
      const { message } = await next({ leased_until: T + 1000 });
      assert.deepEqual(await take(), [message.id]);
      assert.deepEqual(await stateOf(message.id), BY_HAND);
      const claim = { id: message.id, kind: 'handle', fence: 1, attempt: 1, subject: bob.mailbox.id } as const;
      assert.equal(await store.messages.settle(claim, settlementOf()), false);
      assert.equal(await store.handlings.later(claim, T + 20), false);
      assert.deepEqual(await store.handlings.renew([claim], T + 2000), []);
      const asks = { for: 'approval', plan: PLAN, behavior: 'hello', state: null } as const;
      assert.equal(await store.messages.suspend(claim, asks, T + 20), false);
      assert.deepEqual(await due(T + 60_000), []);
      assert.equal(await byHand(message.id), true);
    });

    test('what a dead process handled waits for a person, and is given back to the behavior', async () => {
      const { message } = await next({ leased_until: T + 1000 });
      await take();
      assert.deepEqual(await due(T + 2000), []);
      assert.deepEqual(await stateOf(message.id), BY_HAND);
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), false);
      await giveBack(T + 3000);
      assert.deepEqual(await due(T + 3000), [message.id]);
    });

    test('what waits for an approval keeps waiting for it, and is carried out after it', async () => {
      const { id } = await suspended({ thread_id: first.thread_id });
      await take(T + 20);
      assert.deepEqual(await stateOf(id), ['working', 'approval', true]);
      assert.equal(await byHand(id, T + 30), false);
      assert.equal(await store.messages.approve(id, PLAN, T + 40), true);
      const [claim] = await claimDue(store, 10, T + 50, 1000);
      assert.equal(claim?.id, id);
      assert.equal(await store.messages.settle({ id, fence: claim?.fence ?? 0 }, settlementOf()), true);
    });

    test('no program claims its messages, and one that holds one answers it no more', async () => {
      const held = await next({ answer_by: T + DAY });
      const free = await next({ answer_by: T + DAY }, T + 1);
      const { claims } = await store.answers.claim(bob.mailbox.id, ['clm_a'], T + 2, T + 1000);
      assert.deepEqual(
        claims.map(({ message_id, claim }) => [message_id, claim]),
        [[held.message.id, 'clm_a']],
      );
      await take(T + 3);
      assert.deepEqual((await store.answers.claim(bob.mailbox.id, ['clm_b', 'clm_c'], T + 5000, T + 6000)).claims, []);
      const claim = { message_id: held.message.id, claim: 'clm_a' };
      assert.equal(await store.answers.renew(claim, T + 9000), false);
      assert.equal(await store.answers.answer(held.message.id, 'clm_a', settlementOf()), false);
      assert.equal((await store.answers.holder(held.message.id))?.taken_over, true);
      for (const { message } of [held, free]) assert.equal(await byHand(message.id), true);
    });

    test('what a program held in a thread that is taken over is for the person alone', async () => {
      const { message } = await next({ answer_by: T + DAY });
      await store.answers.claim(bob.mailbox.id, ['clm_a'], T + 2, T + 1000);
      await take(T + 3);
      assert.equal(await store.answers.release({ message_id: message.id, claim: 'clm_a' }, T + 4), false);
      assert.equal((await store.answers.claim(bob.mailbox.id, ['clm_n'], T, T + 1000)).next, undefined);
      assert.deepEqual((await store.answers.claim(bob.mailbox.id, ['clm_b'], T + 2000, T + 3000)).claims, []);
      assert.deepEqual(await stateOf(message.id), BY_HAND);
      assert.equal(await byHand(message.id, T + 2000), true);
    });

    test('what is given back is handled by the behavior, each message once, and so is what comes then', async () => {
      await take();
      const open = await next();
      const answered = await next();
      assert.equal(await byHand(answered.message.id), true);
      assert.equal(await giveBack(T + 20), true);
      assert.equal(await store.threads.takenOver(of()), undefined);
      assert.deepEqual(await stateOf(open.message.id), ['submitted', null, false]);
      assert.equal(await byHand(open.message.id, T + 30), false);
      assert.deepEqual(await due(T + 30), [open.message.id]);
      assert.deepEqual((await next({ leased_until: T + 1000 })).accepted, { kind: 'accepted', held: false });
    });

    test('a paused mailbox keeps neither its messages from a person nor loses them when they are given back', async () => {
      const before = await next();
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T);
      await take(T + 5);
      const after = await next({}, T + 6);
      assert.deepEqual(await stateOf(before.message.id), BY_HAND);
      assert.deepEqual(await stateOf(after.message.id), BY_HAND);
      assert.equal(await byHand(before.message.id), true);
      await giveBack(T + 20);
      assert.deepEqual(await due(T + 2 * DAY), []);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 30);
      assert.deepEqual(await due(T + 30), [after.message.id]);
    });

    test('pausing and resuming the mailbox, or giving it another behavior, leaves its messages to the person', async () => {
      await take();
      const { message } = await next();
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 5);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 6);
      await store.mailboxes.change(bob.mailbox.id, { behavior: 'proofread', settings: {} }, T + 7);
      assert.deepEqual(await stateOf(message.id), BY_HAND);
      assert.deepEqual(await due(T + DAY - 1), []);
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + DAY - 1);
      assert.deepEqual(await due(T + DAY), [message.id], 'and its deadline holds');
    });

    test('repeated it changes nothing, and each change is one event', async () => {
      assert.equal(await giveBack(), false);
      assert.deepEqual([await take(T + 1), await take(T + 2)], [[], undefined]);
      assert.equal((await store.threads.takenOver(of()))?.taken_at, T + 1);
      assert.deepEqual([await giveBack(T + 3), await giveBack(T + 4)], [true, false]);
      const events = (await eventsOf(bob)).filter((event) => event.startsWith('thread.'));
      assert.deepEqual(events, [`thread.taken_over ${first.id}`, `thread.handed_back ${first.id}`]);
    });

    test('a message that arrives while a thread is taken over or given back is either found or finds it', async () => {
      for (let round = 0; round < 10; round++) {
        const [a, , b] = await Promise.all([next(), round % 2 ? giveBack() : take(), next()]);
        const taken = (await store.threads.takenOver(of())) !== undefined;
        for (const { message } of [a, b])
          assert.deepEqual(await stateOf(message.id), taken ? BY_HAND : ['submitted', null, false]);
      }
    });

    test('it is forgotten with its mailbox', async () => {
      await take();
      await store.mailboxes.delete(bob.mailbox.id, T + 5);
      await purgeAll(store, T + 10);
      assert.equal(await store.threads.takenOver(of()), undefined);
      assert.equal(await take(T + 20), undefined);
    });
  });
}
