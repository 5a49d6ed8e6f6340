import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '@mailroom/behavior';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import { UNRESTRICTED } from '../../core/entities/outgoing.ts';
import {
  asMailbox,
  held,
  home,
  idempotency,
  openHouse,
  settledOf,
  submission,
  T,
  TestClock,
  waiting,
} from './house.ts';

const UNTIL = T + 60_000;
const SECRET = 'open-sesame';
const secret: Outcome = {
  kind: 'reply',
  body: 'It was told once.',
  data: { about: 'a door' },
  sealed: { body: `It is ${SECRET}.`, data: { word: SECRET }, until: UNTIL },
};
const NOTE = { body: 'It was told once.', data: { about: 'a door', sealed: true } };
const SECRET_REPLY = { body: `It is ${SECRET}.`, data: { word: SECRET } };

const replyOf = (message: Message | undefined) => ({
  body: message?.reply?.body,
  data: JSON.parse(message?.reply?.data ?? 'null') as unknown,
});

describe('a sealed reply', () => {
  test('is told in the exchange that waits for it, and only its note is ever written', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => secret;
    const { message } = await house.post.send(submission(alice, alice, asMailbox(alice)), waiting());
    assert.deepEqual(replyOf(message), SECRET_REPLY);
    const stored = await house.store.messages.byId(message.id);
    assert.deepEqual(replyOf(stored), NOTE);
    assert.equal(await house.store.states.get('sealed', message.id, T), undefined);
    const filed = await house.store.messages.page({ mailbox_id: alice.box.id }, null, 10);
    assert.equal(JSON.stringify(filed).includes(SECRET), false);
    assert.deepEqual(replyOf(await house.sealed.open(stored as Message, 'sender')), NOTE);
  });

  test('is a note for a retry with the same idempotency key, whether before or after', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => secret;
    const again = () => house.post.send(submission(alice, alice, { idempotency: idempotency(alice, 'k') }), waiting());
    const both = await Promise.all([again(), again()]);
    assert.equal(both.filter(({ replayed }) => replayed).length, 1);
    for (const { message, replayed } of [...both, await again()]) {
      assert.deepEqual(replyOf(message), replayed ? NOTE : SECRET_REPLY);
    }
  });

  test('that took longer is told in the exchange that waited, and then no more', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held(secret);
    house.handle = slow.handle;
    const sent = house.post.send(submission(alice, alice), waiting());
    await slow.begun;
    await new Promise((resolve) => setTimeout(resolve, 150));
    slow.release();
    const { message } = await sent;
    assert.deepEqual(replyOf(message), SECRET_REPLY);
    const stored = (await house.store.messages.byId(message.id)) as Message;
    assert.deepEqual(replyOf(stored), NOTE);
    assert.deepEqual(replyOf(await house.sealed.open(stored, 'sender')), NOTE);
  });

  test('that nobody waited for is kept for its sender, and of twenty readers one is told it', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => secret;
    const { message } = await house.post.send(submission(alice, alice));
    const settled = await settledOf(house, message.id);
    assert.deepEqual(replyOf(settled), NOTE);
    assert.deepEqual(replyOf(await house.sealed.open(settled, 'recipient')), NOTE);
    const read = await Promise.all(Array.from({ length: 20 }, () => house.sealed.open(settled, 'sender')));
    assert.equal(read.filter(({ reply }) => reply?.body === SECRET_REPLY.body).length, 1);
    assert.deepEqual(replyOf(await house.sealed.open(settled, 'sender')), NOTE);
  });

  test('is gone when its time is over', async () => {
    const clock = new TestClock();
    await using house = await openHouse({ clock });
    const alice = await home(house);
    house.handle = () => secret;
    const { message } = await house.post.send(submission(alice, alice));
    const settled = await settledOf(house, message.id);
    clock.now = UNTIL;
    assert.deepEqual(replyOf(await house.sealed.open(settled, 'sender')), NOTE);
  });

  for (const change of ['none', 'another secret', 'the secret of a later run'])
    test(`that was approved is told with the secret that it was held with: ${change}`, async () => {
      await using house = await openHouse();
      const alice = await home(house, { outgoing: { ...UNRESTRICTED, review: 'always' } });
      house.handle = () => secret;
      const { message } = await house.post.send(submission(alice, alice), waiting());
      const review = await house.store.reviews.ofLeaving(replyIdOf(message.id));
      assert.ok(review !== undefined);
      assert.match(review.message.data ?? '', /"sealed":true,"sealed_sha256":"[0-9a-f]{64}"/);
      assert.equal(JSON.stringify(review).includes(SECRET), false);
      const hash = (JSON.parse(review.message.data ?? '{}') as { sealed_sha256: string }).sealed_sha256;
      const { states } = house.store;
      const id = `${message.id} ${hash}`;
      const stored = await states.get('sealed', id, T);
      assert.ok(stored);
      assert.ok(stored.value.includes(SECRET));
      const other = JSON.stringify({ ...JSON.parse(stored.value), body: 'Another.' });
      if (change === 'another secret') await states.set({ ...stored, value: other });
      if (change === 'the secret of a later run')
        await house.sealed.seal(message.id, { body: 'Another.', salt: 'other' }, UNTIL, 'once');
      await house.reviewDesk.approve(review, review.hash, { actor: 'other', key: 'other' });
      const settled = await settledOf(house, message.id);
      const read = await house.sealed.open(settled, 'sender');
      assert.equal(read.reply?.body, change === 'another secret' ? NOTE.body : SECRET_REPLY.body);
    });

  test('is not told to a mailbox that wrote because of another message', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => secret;
    const { message } = await house.post.send(submission(alice, alice, { hops: 1 }), waiting());
    assert.deepEqual(replyOf(message), NOTE);
  });

  test('says that it is one even when its note has no data, or data that is no object', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    for (const [data, wanted] of [
      [undefined, { sealed: true }],
      [[1, 2], { value: [1, 2], sealed: true }],
      [null, { sealed: true }],
    ] as const) {
      house.handle = () => ({ ...secret, data }) as Outcome;
      const { message } = await house.post.send(submission(alice, alice));
      assert.deepEqual(replyOf(await settledOf(house, message.id)).data, wanted);
    }
  });
});

describe('a sealed message', () => {
  test('is read by its recipient as often as they like until it expires, and by nobody else', async () => {
    const clock = new TestClock();
    await using house = await openHouse({ clock });
    const alice = await home(house);
    const data = { code: true, sealed: true };
    const note = submission(alice, alice, { body: 'A code.', data: JSON.stringify(data) });
    const { message } = await house.post.send(note, waiting());
    await house.sealed.seal(message.id, { body: 'It is ABCD-EFGH.' }, UNTIL, 'until_expiry');
    for (let time = 0; time < 2; time++) {
      assert.equal((await house.sealed.open(message, 'recipient')).body, 'It is ABCD-EFGH.');
    }
    assert.equal((await house.sealed.open(message, 'sender')).body, 'A code.');
    assert.equal((await house.store.messages.byId(message.id))?.body, 'A code.');
    clock.now = UNTIL;
    assert.equal((await house.sealed.open(message, 'recipient')).body, 'A code.');
  });
});
