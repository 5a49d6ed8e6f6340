import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimRequest } from '../../core/answers/answer-call.ts';
import type { Acceptance, Accepted } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import { replaced } from '../process/proof/wrap.ts';
import { type Home, type House, home, openHouse, submission, T, until, waiting } from './house.ts';

/** A house with an agent, whose acceptances `accepting` sees before their sender does. */
async function openAgent(accepting: (accept: () => Promise<Accepted>, acceptance: Acceptance) => Promise<Accepted>) {
  const house = await openHouse({
    behaviors: ['agent'],
    wrap: (store) => {
      const accept = (acceptance: Acceptance) => accepting(() => store.messages.accept(acceptance), acceptance);
      return replaced(store, { messages: { ...store.messages, accept } } as Partial<Store>);
    },
  });
  const [alice, agent] = [await home(house), await home(house, { behavior: 'agent' })];
  // A program was there, so that senders wait for it.
  await house.answering.claim(agent.box, { ...CALL, wait_ms: 0 });
  return { house, alice, agent };
}

const CALL: ClaimRequest = { max: 1, wait_ms: 20_000, lease_ms: 30_000, signal: new AbortController().signal };

const call = (house: House, { box }: Home, request: Partial<ClaimRequest> = {}) =>
  house.answering.claim(box, { ...CALL, ...request });

/** Until calls wait that take `count` messages together. */
const callsWait = (house: House, { box }: Home, count = 1): Promise<void> =>
  until(() => {
    const reservations = Array.from({ length: count }, () => house.queue.reserve(box.id));
    for (const reservation of reservations) reservation?.cancel();
    return !reservations.includes(undefined);
  });

const settle = (house: House, { box }: Home, [claimed]: Awaited<ReturnType<typeof call>>) => {
  assert.ok(claimed !== undefined);
  const answer = { status: 'completed', claim: claimed.claim, body: 'Yes.', data: null, error: null } as const;
  return house.answering.answer(claimed.message, box, answer);
};

test('a program has a message only once it is on disk, whether or not its call waited and its sender does', async () => {
  const order: string[] = [];
  const { house, alice, agent } = await openAgent(async (accept) => {
    const accepted = await accept();
    order.push('written');
    return accepted;
  });
  await using _house = house;
  const program = async (): Promise<void> => {
    const claimed = await call(house, agent);
    order.push('handed over');
    await settle(house, agent, claimed);
  };
  for (const wait of [waiting(), waiting(), undefined, waiting()]) {
    const [{ message }] = await Promise.all([house.post.send(submission(alice, agent), wait), program()]);
    assert.equal(message.status === 'completed', wait !== undefined);
  }
  assert.deepEqual(order, Array(4).fill(['written', 'handed over']).flat());
});

test('messages of one moment go to free calls first and then fill one up to its maximum', async () => {
  const { house, alice, agent } = await openAgent((accept) => accept());
  await using _house = house;
  const calls = [call(house, agent, { max: 2 }), call(house, agent, { max: 1 })];
  await callsWait(house, agent, 3);
  const sent = await Promise.all([1, 2, 3, 4].map(() => house.post.send(submission(alice, agent))));
  const claimed = [...(await Promise.all(calls)), await call(house, agent)];
  assert.deepEqual(
    claimed.map(({ length }) => length),
    [2, 1, 1],
  );
  const ids = claimed.flat().map(({ message_id }) => message_id);
  assert.deepEqual(ids.toSorted(), sent.map(({ message }) => message.id).toSorted());
});

test('a call whose message was refused as it was written waits for the next one', async () => {
  let refused = 0;
  const { house, alice, agent } = await openAgent(async (accept, { claimed }) => {
    assert.ok(claimed !== undefined);
    return refused++ === 0 ? { kind: 'refused', code: 'mailbox_full' } : accept();
  });
  await using _house = house;
  const calling = call(house, agent);
  await callsWait(house, agent);
  await assert.rejects(house.post.send(submission(alice, agent)), /Too many messages/);
  const { message } = await house.post.send(submission(alice, agent));
  assert.equal((await calling)[0]?.message_id, message.id);
});

test('a message for a call that ended while it was written is for the next one', async () => {
  const gone = new AbortController();
  const { house, alice, agent } = await openAgent(async (accept, { claimed }) => {
    if (claimed !== undefined) gone.abort();
    return accept();
  });
  await using _house = house;
  const calling = call(house, agent, { signal: gone.signal });
  await callsWait(house, agent);
  const { message } = await house.post.send(submission(alice, agent));
  assert.deepEqual(await calling, []);
  const [claimed] = await call(house, agent);
  assert.equal(claimed?.message_id, message.id);
  assert.deepEqual(await house.store.answers.holder(message.id), {
    claim: claimed?.claim,
    answerable_at: T + CALL.lease_ms,
    taken_over: false,
  });
});
