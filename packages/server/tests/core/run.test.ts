import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, SECOND } from '@mailroom/behavior/values/clock';
import { backoff } from '../../core/runs/run.ts';
import { heedful, held, home, openHouse, settledOf, submission, until, waiting } from './house.ts';

test('each try comes four times as late as the one before, with up to a quarter more', () => {
  for (const [attempt, least] of [1000, 4000, 16_000, 64_000, 256_000].entries()) {
    assert.equal(
      backoff(SECOND, attempt + 1, () => 0),
      least,
    );
    assert.equal(
      backoff(SECOND, attempt + 1, () => 1),
      least * 1.25,
    );
  }
});

test('no try comes later than a quarter of an hour and its jitter, or without a time', () => {
  for (const after of [0, -5, Number.NaN, 1, MINUTE, 1e12, Number.POSITIVE_INFINITY]) {
    for (let attempt = 1; attempt <= 5; attempt++) {
      for (const random of [() => 0, () => 1]) {
        const at = backoff(after, attempt, random);
        assert.ok(Number.isSafeInteger(at) && at >= 0 && at <= 15 * MINUTE * 1.25, `${after} ${attempt}: ${at}`);
      }
    }
  }
});

test('what no database would keep of an answer is written as marks', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const odd = 'a\0b \ud800 c';
  const kept = 'a\ufffdb \ufffd c';
  house.handle = () => ({ kind: 'reply', body: odd });
  const { message } = await house.post.send(submission(alice, alice));
  assert.equal((await settledOf(house, message.id)).reply?.body, kept);
  house.handle = () => ({ kind: 'fail', detail: odd, body: odd, data: null });
  const { message: second } = await house.post.send(submission(alice, alice));
  const failed = await settledOf(house, second.id);
  assert.deepEqual([failed.error_message, failed.reply?.body], [kept, kept]);
});

test('a behavior that ends because it was told to is not told to the log as broken', async () => {
  await using house = await openHouse({ dispatch: { run_ms: 20 } });
  const alice = await home(house);
  house.handle = heedful;
  const { message: late } = await house.post.send(submission(alice, alice));
  assert.equal((await settledOf(house, late.id)).status, 'failed');
  const { message } = await house.post.send(submission(alice, alice));
  await until(() => house.handled === 2);
  assert.equal((await house.post.cancel(message)).status, 'canceled');
  await until(() => house.dispatch.running === 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(house.errors, []);
});

test('one that broke by itself is, with what it threw', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const broken = new Error('inside');
  house.handle = (_message, { signal }) => {
    assert.ok(!signal.aborted);
    throw broken;
  };
  await house.post.send(submission(alice, alice), waiting(1));
  assert.deepEqual(house.errors, [broken]);
});

test('two messages run side by side have a signal each', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const [one, two] = [held(), held()];
  house.handle = (message, context) => (message.body === 'one' ? one : two).handle(message, context);
  const first = await house.post.send(submission(alice, alice, { body: 'one' }));
  const second = await house.post.send(submission(alice, alice, { body: 'two' }));
  await Promise.all([one.begun, two.begun]);
  await house.post.cancel(first.message);
  assert.ok(one.signal().aborted);
  assert.ok(!two.signal().aborted);
  two.release();
  assert.equal((await settledOf(house, second.message.id)).status, 'completed');
});
