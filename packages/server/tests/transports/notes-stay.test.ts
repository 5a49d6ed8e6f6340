import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../../tests/harness/chance.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { ACTS } from './notes-acts.ts';
import {
  agent,
  BEHAVIORS,
  CHANNELS,
  client,
  hook,
  model,
  newest,
  newWorld,
  readByMember,
  sink,
  wiretap,
} from './notes-world.ts';

// Notes of members are beside conversations that are made up by chance; all that leaves the process is looked through.

const SEED = Number(process.env.NOTES_SEED ?? 42);
/** Acts in each conversation; after all of them, each was done several times. */
const ACTS_EACH = 9;
const CONVERSATIONS = amount(7, 200);
const random = chance(SEED);
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
/** Gives each item as often as any other, in an order of chance. */
function deck<T>(items: readonly T[]): () => T {
  let cards: T[] = [];
  return () => {
    if (cards.length === 0) cards = shuffled(items);
    return cards.pop() as T;
  };
}
const nextChannel = deck(CHANNELS);
const nextBehavior = deck(Object.keys(BEHAVIORS));
const nextAct = deck(Object.keys(ACTS));
const done = new Map<string, number>(Object.keys(ACTS).map((name) => [name, 0]));

for (let nth = 0; nth < CONVERSATIONS; nth++) {
  const [channel, behavior] = [nextChannel(), nextBehavior()];
  const acts = Array.from({ length: ACTS_EACH }, nextAct);
  test(`seed ${SEED}, conversation ${nth}, by ${channel} with ${behavior}: no note leaves`, async () => {
    const world = await newWorld(channel, behavior);
    const notes: string[] = [];
    for (const [at, name] of acts.entries()) {
      if (at % 3 === 0) notes.push(await world.note());
      const leaks = wiretap.leaks.length;
      if (await ACTS[name]?.(world)) done.set(name, (done.get(name) ?? 0) + 1);
      assert.deepEqual(wiretap.leaks.slice(leaks), [], `after: ${name}`);
    }
    await newest(world);
    const read = await readByMember(world);
    for (const note of notes) assert.ok(read.includes(note), 'its members read it');
  });
}

test('what left later has no note either, and every way out was used', async () => {
  const world = await newWorld('API', 'agent that is called');
  await world.note();
  const from = { pushed: agent.received.length, posted: hook.posted.length };
  await world.again('The last one.');
  await until(
    30_000,
    async () => [agent.received.length > from.pushed, hook.posted.length > from.posted],
    (all) => all.every(Boolean),
  );
  assert.deepEqual(wiretap.leaks, []);
  assert.ok(sink.arrived.length > 0 && model.requests.length > 0 && agent.received.length > 0);
  assert.ok(
    hook.posted.some(({ body }) => body.type === 'thread.note'),
    'webhooks are told of notes without their text',
  );
  assert.deepEqual(
    [...done].filter(([, times]) => times === 0),
    [],
    `of ${wiretap.bytes} bytes`,
  );
});

test('the check can fail: what a member reads where it is looked, is found', async () => {
  const world = await newWorld('API', 'hello');
  const note = await world.note();
  await client.api('GET', `/mail/threads/${world.thread_id}`, { key: world.member.key });
  assert.deepEqual([...new Set(wiretap.leaks.map(({ text, way }) => `${way} ${text}`))].sort(), [
    `read ${note}`,
    `written ${note}`,
  ]);
  for (const text of [Buffer.from(`ab ${note}`).toString('base64'), Buffer.from(note, 'utf16le').toString('latin1')]) {
    const leaks = wiretap.leaks.length;
    await client.api('POST', '/mail/try', { raw: text });
    assert.ok(wiretap.leaks.length > leaks, text);
  }
});
