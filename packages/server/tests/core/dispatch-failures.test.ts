import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Incoming } from '@mailroom/behavior';
import { lateText } from '@mailroom/behavior/values/time-limit';
import type { Store } from '../../core/ports/store.ts';
import {
  type Handle,
  type House,
  heedful,
  held,
  home,
  newFile,
  openFile,
  openHouse,
  reply,
  settledOf,
  submission,
  T,
  TestClock,
  until,
  waiting,
} from './house.ts';

const DAY = 86_400_000;

/** Lets time pass while there is nothing to do, so that no lease ends, until `holds` is true. */
async function later(house: House, holds: () => unknown, step = 1000): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    if (house.dispatch.idle && house.dispatch.running === 0) {
      house.clock.pass(step);
      house.dispatch.checkDue();
    }
    return false;
  });
}

const withJobs = (store: Store, jobs: Partial<Store['jobs']>, handlings: Partial<Store['handlings']> = {}): Store => ({
  ...store,
  jobs: { ...store.jobs, ...jobs },
  handlings: { ...store.handlings, ...handlings },
  [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
});

describe('a behavior that breaks', () => {
  for (const wait of [undefined, 1]) {
    const how = wait === undefined ? 'async' : 'sync';
    test(`is tried again, later each time, five times in all, then the message failed, ${how}`, async () => {
      await using house = await openHouse();
      const alice = await home(house);
      const times: number[] = [];
      house.handle = () => {
        times.push(house.clock.now - T);
        throw new Error('the secret inside');
      };
      const { message } = await house.post.send(
        submission(alice, alice),
        wait === undefined ? undefined : waiting(wait),
      );
      await later(house, async () => (await house.store.messages.byId(message.id))?.status === 'failed');
      const failed = await house.store.messages.byId(message.id);
      assert.equal(failed?.error_code, 'behavior_failed');
      assert.ok(!failed?.error_message?.includes('secret'));
      assert.equal(failed?.reply, null);
      assert.equal(times.length, 5);
      const pauses = times.slice(1).map((time, i) => time - (times[i] as number));
      for (const [i, pause] of pauses.entries()) {
        // 1, 4, 16 and 64 s with up to a quarter more, plus what the test's clock runs ahead.
        assert.ok(pause >= 1000 * 4 ** i, `${i}: ${pause}`);
      }
      assert.equal(house.errors.length, 5);
    });
  }

  test('after it had done something fails with what was done, and what that leaves is written', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => ({
      kind: 'retry',
      after_ms: 1,
      detail: 'The far end is busy.',
      done: { body: 'I told Bob.', data: { told: 1 }, effects: [{ kind: 'note', name: 'told', text: 'Bob' }] },
    });
    const { message } = await house.post.send(submission(alice, alice));
    await later(house, async () => (await house.store.messages.byId(message.id))?.status === 'failed');
    const failed = await house.store.messages.byId(message.id);
    assert.deepEqual(
      [failed?.error_message, failed?.reply?.body, failed?.reply?.data],
      ['The far end is busy.', 'I told Bob.', '{"told":1}'],
    );
    const owner = { mailbox_id: alice.box.id, owner: `key:${alice.key.id}` };
    assert.equal((await house.store.notes.get(owner, 'told'))?.text, 'Bob');
    assert.equal(house.handled, 5);
  });

  test('and then works answers the message', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => {
      if (house.handled < 3) throw new Error('not yet');
      return reply('Third time.');
    };
    const { message } = await house.post.send(submission(alice, alice));
    await later(house, async () => (await house.store.messages.byId(message.id))?.settled_at);
    assert.equal((await house.store.messages.byId(message.id))?.reply?.body, 'Third time.');
    assert.equal(house.handled, 3);
  });

  test('is seen as submitted while it waits to be tried again, and can be canceled then', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => ({ kind: 'retry', after_ms: 60_000, detail: 'Busy.' });
    const { message } = await house.post.send(submission(alice, alice));
    await until(async () => (await house.store.handlings.nextDue()) !== undefined && house.dispatch.running === 0);
    assert.equal((await house.store.messages.byId(message.id))?.status, 'submitted');
    assert.equal((await house.post.cancel(message)).status, 'canceled');
    house.clock.pass(DAY);
    house.dispatch.checkDue();
    await until(() => house.dispatch.idle);
    assert.equal(house.handled, 1);
  });

  test('a retry is not before its time, and its last one fails with what the behavior said', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const times: number[] = [];
    house.handle = () => {
      times.push(house.clock.now);
      return { kind: 'retry', after_ms: 5000, detail: 'The far end is busy.' };
    };
    const { message } = await house.post.send(submission(alice, alice), waiting(1));
    await later(house, async () => (await house.store.messages.byId(message.id))?.settled_at);
    const failed = await house.store.messages.byId(message.id);
    assert.deepEqual([failed?.status, failed?.error_message], ['failed', 'The far end is busy.']);
    assert.equal(times.length, 5);
    assert.ok((times[1] as number) - (times[0] as number) >= 5000);
  });

  for (const wait of [undefined, waiting(1)]) {
    const how = wait === undefined ? 'async' : 'sync';
    test(`an answer that cannot be written as JSON is a break of the behavior, ${how}`, async () => {
      await using house = await openHouse();
      const alice = await home(house);
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      house.handle = () => ({ kind: 'reply', body: 'Round.', data: circle as never });
      const { message } = await house.post.send(submission(alice, alice), wait);
      await later(house, async () => (await house.store.messages.byId(message.id))?.settled_at);
      assert.equal((await house.store.messages.byId(message.id))?.error_code, 'behavior_failed');
      assert.equal(house.handled, 5);
    });
  }
});

describe('a message that ends the process', () => {
  test('is tried five times, then failed without being handed to its behavior', async () => {
    const file = newFile();
    const clock = new TestClock();
    let id = '';
    let handled = 0;
    for (let start = 0; start < 6; start++) {
      const store = await openFile(file, clock);
      const house = await openHouse({ store, clock });
      // A process that is killed in the middle: none of its messages arrive any more.
      const begun = Promise.withResolvers<Incoming>();
      house.handle = (message) => {
        handled++;
        begun.resolve(message);
        return new Promise(() => {});
      };
      if (start === 0) {
        const { message } = await house.post.send(submission(await home(house), await home(house)));
        id = message.id;
      } else {
        house.dispatch.checkDue();
      }
      if (start < 5) {
        await begun.promise;
      } else {
        const failed = await settledOf(house, id);
        assert.deepEqual([failed.status, failed.error_code], ['failed', 'behavior_failed']);
      }
      await store[Symbol.asyncDispose]();
      await house.dispatch.stop(0);
      clock.pass(1);
    }
    assert.equal(handled, 5);
  });

  test('what was being handled then is handled one at a time, and other messages meanwhile', async () => {
    const file = newFile();
    const clock = new TestClock();
    const store = await openFile(file, clock);
    const killed = await openHouse({ store, clock });
    const [alice, bob] = [await home(killed), await home(killed)];
    killed.handle = () => new Promise(() => {});
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await killed.post.send(submission(alice, alice))).message.id);
    await until(() => killed.handled === 3);
    await store[Symbol.asyncDispose]();
    await killed.dispatch.stop(0);
    await using house = await openHouse({ store: await openFile(file, clock), clock });
    await using _ = house.store;
    const ends: (() => void)[] = [];
    house.handle = ({ body }) =>
      body === 'quick' ? reply('At once.') : new Promise((resolve) => ends.push(() => resolve(reply('At last.'))));
    house.dispatch.checkDue();
    for (let suspects = 1; suspects <= 3; suspects++) {
      await until(() => ends.length === suspects);
      for (const wait of [waiting(), undefined]) {
        const { message } = await house.post.send(submission(bob, bob, { body: 'quick' }), wait);
        assert.equal((await settledOf(house, message.id)).reply?.body, 'At once.');
      }
      assert.equal(ends.length, suspects);
      ends.at(-1)?.();
    }
    for (const id of ids) assert.equal((await settledOf(house, id)).reply?.body, 'At last.');
  });
});

describe('a run that takes too long', () => {
  for (const [name, handle] of [
    ['that heeds its signal', heedful],
    ['that does not', (_message, { signal }) => new Promise(() => signal)],
  ] satisfies [string, Handle][]) {
    for (const wait of [undefined, waiting()]) {
      const how = wait === undefined ? 'async' : 'sync';
      test(`${name} is aborted, its message failed, its place free, ${how}`, async () => {
        await using house = await openHouse({ dispatch: { run_ms: 150, max: 1 } });
        const alice = await home(house);
        const signals: AbortSignal[] = [];
        house.handle = (message, context) => {
          signals.push(context.signal);
          return handle(message, context);
        };
        const { message } = await house.post.send(submission(alice, alice), wait);
        const failed = await settledOf(house, message.id);
        assert.deepEqual([failed.status, failed.error_code], ['failed', 'behavior_failed']);
        assert.match(failed.error_message ?? '', /longer/);
        assert.ok(signals[0]?.aborted);
        assert.equal(house.handled, 1);
        house.handle = () => reply('Next.');
        const next = await house.post.send(submission(alice, alice));
        assert.equal((await settledOf(house, next.message.id)).reply?.body, 'Next.');
      });
    }
  }

  test('tells what it had done, when it does so at once', async () => {
    await using house = await openHouse({ dispatch: { run_ms: 150 } });
    const alice = await home(house);
    house.handle = (_message, { signal }) =>
      new Promise((resolve) => {
        const end = () =>
          resolve({ kind: 'fail', detail: lateText(signal) ?? '', body: 'Half of it.', data: { n: 1 } });
        signal.addEventListener('abort', end);
      });
    const { message } = await house.post.send(submission(alice, alice));
    const failed = await settledOf(house, message.id);
    assert.deepEqual([failed.status, failed.reply?.body, failed.reply?.data], ['failed', 'Half of it.', '{"n":1}']);
    assert.match(failed.error_message ?? '', /longer than the limit of 0\.15 s/);
  });

  test('what it answers afterwards is not kept', async () => {
    await using house = await openHouse({ dispatch: { run_ms: 20 } });
    const alice = await home(house);
    const slow = held(reply('Too late.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await settledOf(house, message.id);
    slow.release();
    await until(() => house.dispatch.running === 0);
    const failed = await house.store.messages.byId(message.id);
    assert.deepEqual([failed?.status, failed?.reply], ['failed', null]);
  });
});

describe('a store that fails for a while', () => {
  test('delays messages and loses none', async () => {
    let broken = false;
    const fail = (): void => {
      if (broken) throw Object.assign(new Error('The disk is full'), { code: 'unavailable' });
    };
    await using house = await openHouse({
      dispatch: { lease_ms: 60 },
      wrap: (store) => ({
        ...withJobs(
          store,
          {},
          {
            claim: async (...args) => {
              fail();
              return store.handlings.claim(...args);
            },
            renew: async (...args) => {
              fail();
              return store.handlings.renew(...args);
            },
          },
        ),
        messages: {
          ...store.messages,
          settle: async (...args) => {
            fail();
            return store.messages.settle(...args);
          },
        },
      }),
    });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    broken = true;
    slow.release(reply('Not written.'));
    await until(() => house.dispatch.running === 0);
    assert.equal((await house.store.messages.byId(message.id))?.reply, null);
    house.handle = () => reply('Written.');
    house.clock.pass(60);
    await until(() => house.errors.length > 2);
    broken = false;
    assert.equal((await settledOf(house, message.id)).reply?.body, 'Written.');
  });
});
