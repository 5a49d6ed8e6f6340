import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../core/ports/store.ts';
import type { Sent } from '../../core/runs/submission.ts';
import {
  acceptingAfter,
  commitsOf,
  held,
  home,
  idempotency,
  newFile,
  openFile,
  openHouse,
  reply,
  settledOf,
  submission,
  TestClock,
  until,
  waiting,
} from './house.ts';

const DAY = 86_400_000;

test('1,000 sends at once with one key run the behavior once, make one message and get one answer', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  house.handle = () => Promise.resolve(reply('Once.'));
  let sent: Sent[] = [];
  const commits = await commitsOf(async () => {
    const all = Array.from({ length: 1000 }, () =>
      house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), waiting()),
    );
    sent = await Promise.all(all);
  });
  assert.equal(house.handled, 1);
  assert.deepEqual(commits, [1]);
  const [first, ...others] = sent;
  assert.equal(first?.replayed, false);
  for (const { message, replayed } of others) {
    assert.ok(replayed);
    assert.deepEqual({ ...message }, { ...first?.message });
  }
  const { items } = await house.store.messages.page({ mailbox_id: alice.box.id }, null, 10);
  assert.equal(items.length, 1);
});

test('1,000 sends at once that nobody waits for, with one key, make one message', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const sent = await Promise.all(
    Array.from({ length: 1000 }, () =>
      house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') })),
    ),
  );
  assert.equal(new Set(sent.map(({ message }) => message.id)).size, 1);
  assert.equal(sent.filter(({ replayed }) => !replayed).length, 1);
  await settledOf(house, sent[0]?.message.id as string);
  assert.equal(house.handled, 1);
});

test('a second attempt attaches to the one that runs and gets the same answer', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const slow = held(reply('For both.'));
  house.handle = slow.handle;
  const send = () => house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), waiting());
  const first = send();
  const { id } = await slow.begun;
  const early = send();
  await until(() => house.store.messages.byId(id));
  const late = send();
  await until(() => house.bus.size === 3);
  slow.release();
  const all = await Promise.all([first, early, late]);
  assert.deepEqual(
    all.map(({ replayed, message }) => [replayed, message.id, message.reply?.body]),
    [
      [false, id, 'For both.'],
      [true, id, 'For both.'],
      [true, id, 'For both.'],
    ],
  );
  assert.equal(house.handled, 1);
});

test('a key used with another request is refused, while the first runs and afterwards', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const slow = held();
  house.handle = slow.handle;
  const send = (hash: string) =>
    house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k', hash) }), waiting());
  const first = send('a');
  await slow.begun;
  await assert.rejects(send('b'), { code: 'idempotency_mismatch' });
  slow.release();
  await first;
  await assert.rejects(send('b'), { code: 'idempotency_mismatch' });
  assert.equal((await send('a')).replayed, true);
  assert.equal(house.handled, 1);
});

test('a message that settled is told as it stands, and nothing runs', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const send = (wait = true) =>
    house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), wait ? waiting() : undefined);
  const { message } = await send(false);
  await settledOf(house, message.id);
  for (const again of [await send(true), await send(false)]) {
    assert.equal(again.replayed, true);
    assert.equal(again.message.reply?.body, 'Hello!');
    assert.equal(again.message.id, message.id);
  }
  assert.equal(house.handled, 1);
});

test('one key of two callers is two keys', async () => {
  await using house = await openHouse();
  const [alice, bob] = [await home(house), await home(house)];
  const a = await house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), waiting());
  const b = await house.post.send(submission(bob, alice, { idempotency: idempotency(bob, 'k', 'other') }), waiting());
  assert.notEqual(a.message.id, b.message.id);
  assert.equal(b.replayed, false);
});

test('a request that was refused keeps no key: the next one with it is a first one', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const { namespace } = alice;
  const to = { local: 'later', namespace: namespace.name, tag: null };
  const send = () => house.post.send(submission(alice, alice, { to, idempotency: idempotency(alice, 'k') }), waiting());
  const failed = await Promise.allSettled(Array.from({ length: 10 }, send));
  for (const one of failed) {
    assert.equal(one.status === 'rejected' && (one.reason as { code: string }).code, 'mailbox_not_found');
  }
  await house.registry.createMailbox({ kind: 'key', key: alice.key, network: '' }, namespace.name, {
    local_part: 'later',
    behavior: { name: 'script' },
  });
  const { message, replayed } = await send();
  assert.deepEqual([message.status, replayed], ['completed', false]);
});

test('a write that failed keeps no key: of many that wait, the next one tries', async () => {
  let failures = 3;
  await using house = await openHouse({
    wrap: acceptingAfter(() => {
      if (failures-- > 0) throw Object.assign(new Error('The disk is full'), { code: 'unavailable' });
      return undefined;
    }),
  });
  const alice = await home(house);
  const all = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), waiting()),
    ),
  );
  assert.deepEqual(
    all.map((one) => (one.status === 'rejected' ? 'failed' : one.value.replayed ? 'replayed' : 'made')),
    ['failed', 'failed', 'failed', 'made', ...Array.from({ length: 6 }, () => 'replayed')],
  );
  assert.equal(house.handled, 4);
});

test('a full mailbox keeps no key, and still tells of what the key made before', async () => {
  await using house = await openHouse({ max_waiting: 1 });
  const alice = await home(house, { status: 'paused' });
  const send = (key: string) => house.post.send(submission(alice, alice, { idempotency: idempotency(alice, key) }));
  const { message } = await send('a');
  await assert.rejects(send('b'), { code: 'mailbox_full' });
  assert.equal((await send('a')).replayed, true);
  await house.post.cancel(message);
  assert.equal((await send('b')).replayed, false);
});

test('a key works for a day and is then free again', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const send = () =>
    house.post.send(
      submission(alice, alice, { idempotency: { ...idempotency(alice, 'k'), expires_at: house.clock.now + DAY } }),
      waiting(),
    );
  const first = await send();
  house.clock.pass(DAY - 1);
  assert.equal((await send()).replayed, true);
  house.clock.pass(1);
  const second = await send();
  assert.equal(second.replayed, false);
  assert.notEqual(second.message.id, first.message.id);
});

test('a repeated request to a mailbox that is paused does not wait for what is held', async () => {
  await using house = await openHouse();
  const alice = await home(house, { status: 'paused' });
  const send = () => house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), waiting());
  const { message } = await send();
  const again = await send();
  assert.deepEqual([again.replayed, again.message.id, again.message.status], [true, message.id, 'submitted']);
});

test('the message of a key may be deleted; the key is not used for another meanwhile', async () => {
  await using house = await openHouse();
  const [alice, bob] = [await home(house), await home(house)];
  const send = () => house.post.send(submission(alice, bob, { idempotency: idempotency(alice, 'k') }), waiting());
  await send();
  await house.registry.deleteMailbox({ kind: 'key', key: bob.key, network: '' }, bob.address);
  await assert.rejects(send(), { code: 'message_not_found' });
});

test('two processes with one store make one message of one key: the second tells the first’s', async () => {
  const clock = new TestClock();
  const store: Store = await openFile(newFile(), clock);
  await using _ = store;
  await using one = await openHouse({ store, clock });
  await using two = await openHouse({ store, clock });
  const alice = await home(one);
  // Both look first and find nothing; then both write.
  const gates = [held(reply('One.')), held(reply('Two.'))] as const;
  one.handle = gates[0].handle;
  two.handle = gates[1].handle;
  const send = (house: typeof one) =>
    house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), waiting());
  const both = [send(one), send(two)] as const;
  await Promise.all(gates.map(({ begun }) => begun));
  gates[0].release();
  const first = await both[0];
  gates[1].release();
  const second = await both[1];
  assert.equal(second.message.id, first.message.id);
  assert.equal(second.message.reply?.body, first.message.reply?.body);
  const { items } = await store.messages.page({ mailbox_id: alice.box.id }, null, 10);
  assert.equal(items.length, 1);
});
