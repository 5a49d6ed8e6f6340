import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { AnswerQueue } from '../../src/core/delivery/answer-queue.ts';
import type { Unwritten } from '../../src/core/delivery/unwritten-messages.ts';
import { UnwrittenMessages } from '../../src/core/delivery/unwritten-messages.ts';
import { withUnwritten } from '../../src/core/delivery/unwritten-reads.ts';
import type { Messages } from '../../src/core/ports/messages.ts';
import type { Notice, Shared } from '../../src/core/ports/shared.ts';
import type { Store } from '../../src/core/ports/store.ts';
import { replaced } from '../process/proof/wrap.ts';
import { settlementOf, T, waitingOf, world } from '../store/made.ts';
import { newFile, openFile, TestClock } from './house.ts';

const DAY = 86_400_000;
const TERMS = { max_waiting: 100, from_mailbox_id: null };
const never = new AbortController().signal;

/** The queues of two nodes on one store, whose notices arrive unless `isLost` says otherwise. */
async function twoNodes(isLost: (notice: Notice) => boolean = () => false) {
  const clock = new TestClock();
  const store = await openFile(newFile(), clock);
  const listeners = [new Set<(notice: Notice) => void>(), new Set<(notice: Notice) => void>()];
  const nodeOf = (at: number) => {
    const shared = {
      subscribe: (listener) => void listeners[at]?.add((notice) => listener(notice, `node ${at}`)),
      publish: (notice) => {
        if (isLost(notice)) return;
        setImmediate(() => {
          for (const listener of listeners[1 - at] ?? []) listener(notice);
        });
      },
    } as Shared;
    // PostgreSQL notifies by the commit, and says of a message that is known that it is.
    const accept: Messages['accept'] = async (acceptance) => {
      const known = (await store.messages.byId(acceptance.message.id)) !== undefined;
      const accepted = known ? ({ kind: 'known' } as const) : await store.messages.accept(acceptance);
      if (accepted.kind === 'accepted' && acceptance.notice !== undefined) shared.publish(acceptance.notice);
      return accepted;
    };
    const unwritten = new UnwrittenMessages({ shared, accept, clock: clock.read });
    const its = withUnwritten(replaced(store, { shared } as Partial<Store>), unwritten);
    return { unwritten, store: its, queue: new AnswerQueue({ store: its, unwritten, clock: clock.read }) };
  };
  const [here, there] = [nodeOf(0), nodeOf(1)];
  const [alice, bob] = [await world(store), await world(store)];
  const mailbox = bob.mailbox.id;
  return {
    ...{ store, here, there, clock, mailbox },
    call: ({ queue }: typeof here, signal: AbortSignal = never, max = 1) =>
      queue.claim(mailbox, { max, wait_ms: 60_000, lease_ms: 10_000, signal }),
    /** A message that `here` handed over, once it knows of a call at `there`. */
    async handOver(): Promise<Unwritten> {
      for (;;) {
        const begun = here.unwritten.begin(waitingOf(alice, bob, { created_at: clock.read() }), TERMS);
        if (here.queue.handOver(begun)) return begun;
        here.unwritten.end(begun, 'gone', false);
        await pause(2);
      }
    },
    /** Writes it without an answer, as its sender's submission does. */
    async write(begun: Unwritten): Promise<void> {
      const { message, claimed } = begun;
      begun.write();
      const accepted = await store.messages.accept({ message, claimed, answer_by: T + DAY, ...TERMS });
      assert.equal(accepted.kind, 'accepted');
      here.unwritten.end(begun, 'written', here.queue.written(begun));
      if (claimed === undefined) here.queue.announce(mailbox);
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

const early = { settlement: settlementOf(), key_id: null };

test('a message is handed to a call on another node before it is written, which writes it with its answer', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  const [claimed] = await calling;
  assert.deepEqual(
    [claimed?.message_id, claimed?.claim, claimed?.lease_expires_at, claimed?.message?.body, claimed?.message?.status],
    [begun.message.id, begun.claimed?.claim, begun.claimed?.until, begun.message.body, 'working'],
  );
  const { id } = begun.message;
  const answering = nodes.there.unwritten.answer(id, claimed?.claim ?? '', early);
  assert.deepEqual(await begun.within(1_000, never), { written: early.settlement });
  nodes.here.unwritten.end(begun, 'settled', false);
  assert.equal(await answering, true);
  const { body, status, reply } = (await nodes.store.messages.byId(id)) ?? {};
  assert.deepEqual([body, status, reply], [begun.message.body, 'completed', early.settlement.reply]);
});

test('an answer that is too long for a notice is written by its node and read by the other', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  const [claimed] = await calling;
  const reply = { body: 'long '.repeat(2_000), data: null };
  const long = { settlement: settlementOf({ reply }), key_id: null };
  assert.equal(await nodes.there.unwritten.answer(begun.message.id, claimed?.claim ?? '', long), true);
  assert.deepEqual(await begun.within(1_000, never), { written: undefined });
  assert.deepEqual((await nodes.store.messages.byId(begun.message.id))?.reply, reply);
});

test('what may not be written with its answer the node that has it writes, or refuses', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  const [claimed] = await calling;
  const writing = begun.within(60_000, never).then(() => nodes.write(begun));
  const revoked = { ...early, key_id: 'key_gone' };
  assert.equal(await nodes.there.unwritten.answer(begun.message.id, claimed?.claim ?? '', revoked), false);
  await writing;
  assert.equal((await nodes.store.answers.holder(begun.message.id))?.claim, claimed?.claim);
});

test('an answer that comes when the message is written is for the store to decide', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  const [claimed] = await calling;
  await nodes.write(begun);
  await pause(20);
  assert.equal(await nodes.there.unwritten.answer(begun.message.id, claimed?.claim ?? '', early), false);
  assert.equal((await nodes.store.messages.byId(begun.message.id))?.status, 'working');
});

test('an answer under another claim, by hand, or after the time is up is for the store to decide', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  const [claimed] = await calling;
  assert.equal(await nodes.there.unwritten.answer(begun.message.id, 'clm_other', early), false);
  const writing = begun.within(60_000, never).then(() => nodes.write(begun));
  assert.equal(await nodes.here.unwritten.answer(begun.message.id, null, early), false);
  await writing;
  assert.equal(await nodes.there.unwritten.answer(begun.message.id, claimed?.claim ?? '', early), false);
  assert.equal((await nodes.store.answers.holder(begun.message.id))?.claim, claimed?.claim);
});

test('who reads a message that another node has not written finds it, and its program keeps it', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  const writing = begun.within(60_000, never).then(() => nodes.write(begun));
  const [claimed] = await calling;
  const { id } = begun.message;
  assert.equal((await nodes.there.store.messages.byId(id))?.status, 'working');
  await writing;
  assert.equal((await nodes.store.answers.holder(id))?.claim, claimed?.claim);
  const other = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  assert.equal(await nodes.here.store.messages.byId(other), undefined);
});

test('a message whose notice is lost is given to the call once it is written', async () => {
  await using nodes = await twoNodes(({ kind }) => kind === 'handed');
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  await nodes.write(begun);
  const [claimed] = await calling;
  assert.deepEqual([claimed?.message_id, claimed?.claim], [begun.message.id, begun.claimed?.claim]);
});

test('a message for a call that ended is for the next one, whether it was written meanwhile or not', async () => {
  for (const lost of [false, true]) {
    await using nodes = await twoNodes(({ kind }) => lost && kind === 'handed');
    const gone = new AbortController();
    const calling = nodes.call(nodes.there, gone.signal);
    const begun = await nodes.handOver();
    gone.abort();
    assert.deepEqual(await calling, []);
    await begun.within(lost ? 1 : 60_000, never);
    await nodes.write(begun);
    const [claimed] = await nodes.call(nodes.there);
    assert.equal(claimed?.message_id, begun.message.id);
    assert.equal((await nodes.store.answers.holder(begun.message.id))?.claim, claimed?.claim);
  }
});

test('a node that says nothing of a message gets no other until it does', async () => {
  let silent = true;
  await using nodes = await twoNodes(({ kind }) => silent && (kind === 'handed' || kind === 'granted'));
  const calling = nodes.call(nodes.there);
  const begun = await nodes.handOver();
  await nodes.write(begun);
  const another = nodes.here.unwritten.begin({ ...begun.message }, TERMS);
  assert.equal(nodes.here.queue.handOver(another), false);
  silent = false;
  assert.equal((await calling)[0]?.message_id, begun.message.id);
});

test('messages of one moment go to one call, and those that come before the next call wait for it', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.here, never, 2);
  await pause(20);
  const begun = [await nodes.handOver(), await nodes.handOver(), await nodes.handOver()];
  const ids = begun.map(({ message }) => message.id);
  assert.deepEqual(
    (await calling).map(({ message_id }) => message_id),
    ids.slice(0, 2),
  );
  assert.deepEqual(
    (await nodes.call(nodes.here)).map(({ message_id }) => message_id),
    ids.slice(2),
  );
  assert.equal((await nodes.handOver()).claimed, undefined, 'no call came for it so far');
});

test('a message that no call comes for is written without a claim, and older ones of the store go first', async () => {
  await using nodes = await twoNodes();
  const calling = nodes.call(nodes.here);
  await pause(20);
  await nodes.handOver();
  await calling;
  const begun = await nodes.handOver();
  assert.equal(await begun.within(60_000, never), undefined);
  assert.equal(begun.claimed, undefined);
  await nodes.write(begun);
  const later = nodes.here.unwritten.begin({ ...begun.message });
  assert.equal(nodes.here.queue.handOver(later), false);
  assert.equal((await nodes.call(nodes.here))[0]?.message_id, begun.message.id);
});
