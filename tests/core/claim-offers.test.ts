import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reservation } from '../../src/core/delivery/answer-queue.ts';
import { AnswerQueue } from '../../src/core/delivery/answer-queue.ts';
import type { Notice, Shared } from '../../src/core/ports/shared.ts';
import type { Store } from '../../src/core/ports/store.ts';
import { replaced } from '../process/proof/wrap.ts';
import { waitingOf, world } from '../store/made.ts';
import { newFile, openFile, T, TestClock } from './house.ts';

const DAY = 86_400_000;

/** Queues of two nodes on one store, whose notices arrive unless `isLost` says otherwise. */
async function twoNodes(isLost: (notice: Notice) => boolean = () => false) {
  const clock = new TestClock();
  const store = await openFile(newFile(), clock);
  const listeners = new Map<number, Parameters<Shared['subscribe']>[0]>();
  const queueOf = (at: number): AnswerQueue => {
    const shared = {
      subscribe: (listener) => void listeners.set(at, listener),
      publish: (notice) => {
        if (!isLost(notice)) setImmediate(() => listeners.get(1 - at)?.(notice, `node ${at}`));
      },
    } as Shared;
    return new AnswerQueue({ store: replaced(store, { shared } as Partial<Store>), clock: clock.read });
  };
  const [here, there] = [queueOf(0), queueOf(1)];
  const [alice, bob] = [await world(store), await world(store)];
  return {
    ...{ store, here, there, mailbox: bob.mailbox.id },
    call: (queue: AnswerQueue, signal = new AbortController().signal) =>
      queue.claim(bob.mailbox.id, { max: 1, wait_ms: 60_000, lease_ms: 10_000, signal }),
    /** A reservation at `here`, once the offer of a call at `there` has arrived. */
    async reserve(): Promise<Reservation> {
      for (;;) {
        const reservation = here.reserve(bob.mailbox.id);
        if (reservation !== undefined) return reservation;
        await pause(2);
      }
    },
    async accept({ claimed }: Pick<Reservation, 'claimed'>) {
      const message = waitingOf(alice, bob, { created_at: T });
      const terms = { answer_by: T + DAY, max_waiting: 100, from_mailbox_id: null };
      assert.equal((await store.messages.accept({ message, claimed, ...terms })).kind, 'accepted');
      return message;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test('a message is accepted under the claim of a call that waits on another node, which gets it', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  const reservation = await nodes.reserve();
  assert.equal(nodes.here.reserve(nodes.mailbox), undefined, 'an offer is for one message');
  const message = await nodes.accept(reservation);
  reservation.grant(message);
  const [claimed] = await calling;
  const { claim, until } = reservation.claimed;
  assert.deepEqual(
    [claimed?.message_id, claimed?.claim, claimed?.lease_expires_at, claimed?.message?.body],
    [message.id, claim, until, message.body],
  );
  assert.equal((await nodes.store.answers.holder(message.id))?.claim, claim);
});

test('an offer that was not used is good for the next message', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  (await nodes.reserve()).cancel();
  const reservation = await nodes.reserve();
  reservation.grant(await nodes.accept(reservation));
  assert.equal((await calling).length, 1);
});

test('a message for a call that ended meanwhile is for the next call', async () => {
  await using nodes = await twoNodes();
  const gone = new AbortController();
  const calling = nodes.call(nodes.there, gone.signal);
  const reservation = await nodes.reserve();
  const message = await nodes.accept(reservation);
  gone.abort();
  assert.deepEqual(await calling, []);
  reservation.grant(message);
  const [claimed] = await nodes.call(nodes.there);
  assert.equal(claimed?.message_id, message.id);
  assert.equal((await nodes.store.answers.holder(message.id))?.claim, claimed?.claim);
});

test('a message that was answered before its notice came is handed to none', async () => {
  await using nodes = await twoNodes();
  const gone = new AbortController();
  const calling = nodes.call(nodes.there, gone.signal);
  const reservation = await nodes.reserve();
  const message = await nodes.accept(reservation);
  await nodes.store.messages.cancel(message.id, T + 1);
  reservation.grant(message);
  const next = await nodes.accept({ claimed: undefined as unknown as Reservation['claimed'] });
  nodes.there.announce(nodes.mailbox);
  const [claimed] = await calling;
  assert.equal(claimed?.message_id, next.id);
});

test('a message whose notice is lost is found by the call that offered its claim', async () => {
  await using nodes = await twoNodes(({ kind }) => kind === 'granted');
  const calling = nodes.call(nodes.there);
  const reservation = await nodes.reserve();
  const message = await nodes.accept(reservation);
  reservation.grant(message);
  const [claimed] = await calling;
  assert.equal(claimed?.message_id, message.id);
});
