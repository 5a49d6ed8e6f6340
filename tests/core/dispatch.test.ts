import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Incoming } from '../../src/core/ports/behavior.ts';
import type { Claim, Store } from '../../src/core/ports/store.ts';
import { lateText } from '../../src/core/values/time-limit.ts';
import type { Handle, House } from './house.ts';
import {
  acceptingAfter,
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

const withJobs = (store: Store, jobs: Partial<Store['jobs']>): Store => ({
  ...store,
  jobs: { ...store.jobs, ...jobs },
  [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
});

describe('a behavior that breaks', () => {
  for (const wait of [undefined, 1]) {
    const how = wait === undefined ? 'async' : 'sync';
    test(`is tried again, later each time, five times in all, then the message failed, ${how}`, async () => {
      await using house = await openHouse();
      const alice = await home(house);
      const at: number[] = [];
      house.handle = () => {
        at.push(house.clock.now - T);
        throw new Error('the secret inside');
      };
      const { message } = await house.post.send(
        submission(alice, alice),
        wait === undefined ? undefined : waiting(wait),
      );
      await later(house, async () => (await house.store.messages.byId(message.id))?.status === 'failed', 100);
      const failed = await house.store.messages.byId(message.id);
      assert.equal(failed?.error_code, 'behavior_failed');
      assert.ok(!failed?.error_message?.includes('secret'));
      assert.equal(failed?.reply_body, null);
      assert.equal(at.length, 5);
      const pauses = at.slice(1).map((time, i) => time - (at[i] as number));
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
    await later(house, async () => (await house.store.messages.byId(message.id))?.status === 'failed', 100);
    const failed = await house.store.messages.byId(message.id);
    assert.deepEqual(
      [failed?.error_message, failed?.reply_body, failed?.reply_data],
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
    assert.equal((await house.store.messages.byId(message.id))?.reply_body, 'Third time.');
    assert.equal(house.handled, 3);
  });

  test('is seen as submitted while it waits to be tried again, and can be canceled then', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => ({ kind: 'retry', after_ms: 60_000, detail: 'Busy.' });
    const { message } = await house.post.send(submission(alice, alice));
    await until(async () => (await house.store.jobs.nextDue()) !== undefined && house.dispatch.running === 0);
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
    const at: number[] = [];
    house.handle = () => {
      at.push(house.clock.now);
      return { kind: 'retry', after_ms: 5000, detail: 'The far end is busy.' };
    };
    const { message } = await house.post.send(submission(alice, alice), waiting(1));
    await later(house, async () => (await house.store.messages.byId(message.id))?.settled_at);
    const failed = await house.store.messages.byId(message.id);
    assert.deepEqual([failed?.status, failed?.error_message], ['failed', 'The far end is busy.']);
    assert.equal(at.length, 5);
    assert.ok((at[1] as number) - (at[0] as number) >= 5000);
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
        assert.equal((await settledOf(house, next.message.id)).reply_body, 'Next.');
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
    assert.deepEqual([failed.status, failed.reply_body, failed.reply_data], ['failed', 'Half of it.', '{"n":1}']);
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
    assert.deepEqual([failed?.status, failed?.reply_body], ['failed', null]);
  });
});

describe('cancel', () => {
  test('a message that waits in line is never handled', async () => {
    await using house = await openHouse({ dispatch: { max: 1 } });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message: running } = await house.post.send(submission(alice, alice));
    const { message: queued } = await house.post.send(submission(alice, alice));
    await slow.begun;
    const waits = house.post.settled(queued.id, waiting());
    const canceled = await house.post.cancel(queued);
    assert.deepEqual([canceled.status, canceled.settled_at, canceled.reply_body], ['canceled', T, null]);
    assert.equal((await waits)?.status, 'canceled');
    slow.release();
    await settledOf(house, running.id);
    await until(() => house.dispatch.idle);
    assert.equal(house.handled, 1);
  });

  test('a running one is aborted, who waits is woken, its late outcome is not kept', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held(reply('Too late.'));
    house.handle = slow.handle;
    const sent = house.post.send(submission(alice, alice), waiting());
    const { id } = await slow.begun;
    await until(async () => (await house.store.messages.byId(id))?.status === 'working' && house.bus.size === 1);
    const message = await house.store.messages.byId(id);
    assert.ok(message);
    const canceled = await house.post.cancel(message);
    assert.equal(canceled.status, 'canceled');
    assert.ok(slow.signal().aborted);
    assert.equal((await sent).message.status, 'canceled');
    slow.release();
    await until(() => house.dispatch.running === 0);
    assert.deepEqual({ ...(await house.store.messages.byId(id)) }, { ...canceled });
  });

  test('frees the place of a run that does not heed its signal', async () => {
    await using house = await openHouse({ dispatch: { max: 1 } });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    await house.post.cancel(message);
    house.handle = () => reply('Next.');
    const next = await house.post.send(submission(alice, alice));
    assert.equal((await settledOf(house, next.message.id)).reply_body, 'Next.');
  });

  test('a settled message stays as it is', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { message } = await house.post.send(submission(alice, alice), waiting());
    house.clock.pass(1000);
    assert.deepEqual({ ...(await house.post.cancel(message)) }, { ...message });
    // The caller read it before it settled.
    assert.deepEqual({ ...(await house.post.cancel({ ...message, status: 'working' })) }, { ...message });
  });

  test('of many cancels and one settlement at once exactly one wins', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    for (let i = 0; i < 20; i++) {
      const slow = held();
      house.handle = slow.handle;
      const { message } = await house.post.send(submission(alice, alice));
      await slow.begun;
      if (i % 2 === 0) slow.release();
      const answers = await Promise.all(Array.from({ length: 5 }, () => house.post.cancel(message)));
      slow.release();
      await until(() => house.dispatch.running === 0);
      const last = await house.store.messages.byId(message.id);
      assert.ok(last?.settled_at !== null);
      for (const answer of answers) assert.equal(answer.status, last?.status);
    }
  });
});

describe('a lease', () => {
  test('is renewed as long as its run goes on', async () => {
    await using house = await openHouse({ dispatch: { lease_ms: 60 } });
    const alice = await home(house);
    const slow = held(reply('In the end.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    for (let i = 0; i < 5; i++) {
      const due = await house.store.jobs.nextDue();
      house.clock.pass(30);
      await until(async () => ((await house.store.jobs.nextDue()) ?? 0) > (due ?? 0));
    }
    assert.equal(house.clock.now, T + 150);
    house.dispatch.checkDue();
    await until(() => house.dispatch.idle);
    slow.release();
    assert.equal((await settledOf(house, message.id)).reply_body, 'In the end.');
    assert.equal(house.handled, 1);
  });

  test('that another took ends the run, whose outcome is not kept', async () => {
    const clock = new TestClock();
    const store = await openFile(newFile(), clock);
    await using _ = store;
    await using house = await openHouse({ store, clock, dispatch: { lease_ms: 60, poll_ms: 100_000 } });
    const alice = await home(house);
    const slow = held(reply('The first’s.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    // The event loop was blocked for so long that another node took over.
    clock.pass(60);
    const [taken] = (await store.jobs.claim(1, clock.now, 100_000)) as [Claim];
    assert.deepEqual([taken.id, taken.fence, taken.attempt], [message.id, 2, 2]);
    await until(() => slow.signal().aborted);
    slow.release();
    await until(() => house.dispatch.running === 0);
    assert.equal((await store.messages.byId(message.id))?.status, 'working');
    const settlement = { error_code: null, error_message: null, reply_data: null, settled_at: clock.now };
    assert.ok(await store.messages.settle(taken, { ...settlement, status: 'completed', reply_body: 'The other’s.' }));
    assert.equal((await store.messages.byId(message.id))?.reply_body, 'The other’s.');
  });

  test('that ran out here is taken anew here: the older run is aborted, the newer one kept and renewed', async () => {
    let renews = true;
    await using house = await openHouse({
      dispatch: { lease_ms: 60, poll_ms: 1 },
      wrap: (store) =>
        withJobs(store, {
          renew: async (claims, until) => (renews ? store.jobs.renew(claims, until) : claims.map(({ id }) => id)),
        }),
    });
    const alice = await home(house);
    const [first, second] = [held(reply('First.')), held(reply('Second.'))];
    house.handle = (message, context) => (house.handled === 1 ? first : second).handle(message, context);
    const { message } = await house.post.send(submission(alice, alice));
    await first.begun;
    // The renewals do not reach the store for longer than the lease.
    renews = false;
    house.clock.pass(61);
    await second.begun;
    renews = true;
    assert.ok(first.signal().aborted);
    first.release();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(house.dispatch.running, 1);
    for (let i = 0; i < 4; i++) {
      const due = await house.store.jobs.nextDue();
      house.clock.pass(30);
      await until(async () => ((await house.store.jobs.nextDue()) ?? 0) > (due ?? 0));
    }
    second.release();
    assert.equal((await settledOf(house, message.id)).reply_body, 'Second.');
    assert.equal(house.handled, 2);
  });
});

describe('many messages', () => {
  test('are handled so many at a time and no more, however many arrive at once', async () => {
    await using house = await openHouse({ dispatch: { max: 4 } });
    const alice = await home(house);
    let now = 0;
    let max = 0;
    house.handle = async () => {
      max = Math.max(max, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return reply('');
    };
    const sent = await Promise.all(Array.from({ length: 200 }, () => house.post.send(submission(alice, alice))));
    for (const { message } of sent) await settledOf(house, message.id);
    assert.equal(house.handled, 200);
    assert.equal(max, 4);
  });

  test('500 of every kind: each settles exactly once', async () => {
    await using house = await openHouse({ dispatch: { max: 16 } });
    const [alice, bob] = [await home(house), await home(house, { behavior: 'none' })];
    const settlements = new Map<string, number>();
    const { publishSettled: settled } = house.bus;
    house.bus.publishSettled = function (message) {
      settlements.set(message.id, (settlements.get(message.id) ?? 0) + 1);
      settled.call(this, message);
    };
    const tries = new Map<string, number>();
    house.handle = async ({ id, body }, { signal }) => {
      const kind = Number(body) % 10;
      const attempt = (tries.get(id) ?? 0) + 1;
      tries.set(id, attempt);
      if (kind === 1) throw new Error('always');
      if (kind === 2 && attempt < 3) throw new Error('at first');
      if (kind === 3) return { kind: 'reject', detail: 'No.' };
      if (kind === 4) return { kind: 'input_required', body: 'What?' };
      if (kind === 5) return { kind: 'fail', detail: 'Broken.' };
      if (kind === 6) await new Promise((resolve) => setTimeout(resolve, 110));
      if (kind === 7 && attempt === 1) return { kind: 'retry', after_ms: 10, detail: 'Soon.' };
      if (kind === 8) {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
          setTimeout(resolve, 50);
        });
      }
      return reply(body);
    };
    const sent = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        house.post.send(
          submission(alice, i % 10 === 9 ? bob : alice, { body: String(i) }),
          i % 3 === 0 ? waiting(1) : undefined,
        ),
      ),
    );
    const ids = sent.map(({ message }) => message.id);
    assert.equal(new Set(ids).size, 500);
    const canceled = await Promise.all(
      sent.filter((_, i) => i % 10 === 8 && i % 20 === 8).map(({ message }) => house.post.cancel(message)),
    );
    await later(house, async () => {
      for (const id of ids) if ((await house.store.messages.byId(id))?.settled_at === null) return false;
      return true;
    });
    await until(() => house.dispatch.running === 0);
    const wanted = [
      ['completed'],
      ['failed'],
      ['completed'],
      ['rejected'],
      ['input_required'],
      ['failed'],
      ['completed'],
      ['completed'],
      ['completed', 'canceled'],
      ['rejected'],
    ];
    for (const [i, id] of ids.entries()) {
      const message = await house.store.messages.byId(id);
      assert.ok(wanted[i % 10]?.includes(message?.status ?? ''), `${i} ${message?.status}`);
      assert.equal(message?.reply_body !== null, ['completed', 'input_required'].includes(message?.status ?? ''));
      assert.equal(settlements.get(id), 1, `${i} ${message?.status}`);
    }
    for (const { id, status } of canceled) assert.equal((await house.store.messages.byId(id))?.status, status);
    assert.equal(await house.store.jobs.depth(), 0);
    assert.equal(house.dispatch.running, 0);
    assert.equal(house.bus.size, 0);
  });
});

describe('slots', () => {
  test('a caller with more waiting than there are slots holds up no other', async () => {
    await using house = await openHouse({ dispatch: { max: 16 } });
    const [hostile, other] = [await home(house), await home(house)];
    const slow = held();
    house.handle = (message, context) => (message.body === 'slow' ? slow.handle(message, context) : reply('At once.'));
    for (let i = 0; i < 30; i++) await house.post.send(submission(hostile, hostile, { body: 'slow' }));
    await until(() => house.handled === 14);
    for (let i = 0; i < 3; i++) {
      const { message } = await house.post.send(submission(other, other, { body: 'quick' }));
      assert.equal((await settledOf(house, message.id)).reply_body, 'At once.');
    }
    slow.release();
    await until(() => house.handled === 33);
  });

  test('sync sends of one caller beyond its share take no slots from others', async () => {
    await using house = await openHouse({ dispatch: { max: 8 } });
    const [hostile, other] = [await home(house), await home(house)];
    const slow = held();
    house.handle = (message, context) => (message.body === 'slow' ? slow.handle(message, context) : reply('At once.'));
    const sent = Array.from({ length: 20 }, () =>
      house.post.send(submission(hostile, hostile, { body: 'slow' }), waiting()),
    );
    await until(() => house.dispatch.running === 20);
    const { message } = await house.post.send(submission(other, other, { body: 'quick' }));
    assert.equal((await settledOf(house, message.id)).reply_body, 'At once.');
    slow.release();
    await Promise.all(sent);
    await until(() => house.dispatch.running === 0);
    assert.ok(house.dispatch.idle);
  });
});

describe('stop', () => {
  test('lets what runs finish within its grace', async () => {
    const clock = new TestClock();
    const store = await openFile(newFile(), clock);
    await using _ = store;
    const house = await openHouse({ store, clock });
    const alice = await home(house);
    const slow = held(reply('In time.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    const stopped = house.dispatch.stop(20_000);
    slow.release();
    await stopped;
    assert.equal((await store.messages.byId(message.id))?.reply_body, 'In time.');
    assert.ok(!house.dispatch.idle);
  });

  test('aborts the rest and gives it back; the next one finishes it at once, and nothing is lost', async () => {
    const clock = new TestClock();
    const store = await openFile(newFile(), clock);
    await using _ = store;
    const house = await openHouse({ store, clock, dispatch: { max: 3 } });
    const alice = await home(house);
    const slow = held(reply('Too late.'));
    house.handle = (message, context) => (house.handled % 2 === 0 ? heedful : slow.handle)(message, context);
    const sent = await Promise.all(Array.from({ length: 8 }, () => house.post.send(submission(alice, alice))));
    await until(() => house.handled === 3);
    await house.dispatch.stop(5);
    assert.ok(slow.signal().aborted);
    slow.release();
    for (const { message } of sent) assert.equal((await store.messages.byId(message.id))?.status, 'submitted');
    await using next = await openHouse({ store, clock });
    next.handle = () => reply('Carried on.');
    next.dispatch.checkDue();
    for (const { message } of sent) {
      assert.equal((await settledOf(next, message.id)).reply_body, 'Carried on.');
    }
    assert.equal(next.handled, 8);
  });

  test('gives back what a claim under way brings', async () => {
    const clock = new TestClock();
    const store = await openFile(newFile(), clock);
    await using _ = store;
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const house = await openHouse({
      store,
      clock,
      wrap: (inner) =>
        withJobs(inner, {
          claim: async (max, now, lease) => {
            const claims = await inner.jobs.claim(max, now, lease);
            asked.resolve();
            await gate.promise;
            return claims;
          },
        }),
    });
    const alice = await home(house, { status: 'paused' });
    const { message } = await house.post.send(submission(alice, alice));
    await store.mailboxes.change(alice.box.id, { status: 'online' }, T);
    house.dispatch.checkDue();
    await asked.promise;
    const stopped = house.dispatch.stop(20_000);
    gate.resolve();
    await stopped;
    assert.equal(house.handled, 0);
    assert.equal((await store.messages.byId(message.id))?.status, 'submitted');
    await using next = await openHouse({ store, clock });
    next.dispatch.checkDue();
    assert.equal((await settledOf(next, message.id)).reply_body, 'Hello!');
  });

  for (const wait of [undefined, waiting(10_000)]) {
    const how = wait === undefined ? 'async' : 'sync';
    test(`gives back a message that is written only when it has stopped, ${how}`, async () => {
      const clock = new TestClock();
      const store = await openFile(newFile(), clock);
      await using _ = store;
      const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const house = await openHouse({
        store,
        clock,
        wrap: acceptingAfter(() => {
          asked.resolve();
          return gate.promise;
        }),
      });
      const alice = await home(house);
      house.handle = heedful;
      const gone = new AbortController();
      const sent = house.post.send(submission(alice, alice), wait && { ...wait, signal: gone.signal });
      await asked.promise;
      await house.dispatch.stop(0);
      gate.resolve();
      gone.abort();
      const { message } = await sent;
      assert.equal(house.dispatch.running, 0);
      await until(async () => (await store.messages.byId(message.id))?.status === 'submitted');
      await using next = await openHouse({ store, clock });
      next.dispatch.checkDue();
      assert.equal((await settledOf(next, message.id)).reply_body, 'Hello!');
    });
  }

  test('gives back a purge that has more to do', async () => {
    const clock = new TestClock();
    const store = await openFile(newFile(), clock);
    await using _ = store;
    const house = await openHouse({ store, clock });
    const alice = await home(house);
    await Promise.all(Array.from({ length: 1500 }, () => house.post.send(submission(alice, alice), waiting())));
    const bitten = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const purging = await openHouse({
      store,
      clock,
      wrap: (inner) =>
        withJobs(inner, {
          purge: async (claim) => {
            const left = await inner.jobs.purge(claim);
            bitten.resolve();
            await gate.promise;
            return left;
          },
        }),
    });
    await house.dispatch.stop(0);
    await purging.registry.deleteMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address);
    await bitten.promise;
    const stopped = purging.dispatch.stop(20_000);
    gate.resolve();
    await stopped;
    assert.equal(await store.jobs.nextDue(), clock.now);
    await using next = await openHouse({ store, clock });
    next.dispatch.checkDue();
    await until(async () => (await store.jobs.nextDue()) === undefined);
  });

  test('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    {
      await using house = await openHouse({ dispatch: { run_ms: 100_000 } });
      const alice = await home(house);
      const { message } = await house.post.send(submission(alice, alice));
      await settledOf(house, message.id);
      house.handle = heedful;
      await house.post.send(submission(alice, alice));
      await until(() => house.handled === 2);
    }
    assert.equal(timers(), before);
  });
});

describe('what a deletion leaves', () => {
  test('a deleted mailbox’s messages are gone at once, those that wait are never handled, the rows go', async () => {
    await using house = await openHouse({ dispatch: { max: 1 } });
    const [alice, bob] = [await home(house), await home(house)];
    const slow = held();
    house.handle = slow.handle;
    const sent = await Promise.all(Array.from({ length: 20 }, () => house.post.send(submission(alice, bob))));
    await slow.begun;
    await house.registry.deleteMailbox({ kind: 'key', key: bob.key, network: '' }, bob.address);
    for (const { message } of sent) assert.equal(await house.store.messages.byId(message.id), undefined);
    slow.release();
    await until(async () => house.dispatch.running === 0 && (await house.store.jobs.nextDue()) === undefined);
    assert.equal(house.handled, 1);
    const { items } = await house.store.messages.page({ sender_namespace_id: alice.namespace.id }, null, 50);
    assert.deepEqual(items, []);
    assert.equal(await house.store.jobs.depth(), 0);
  });

  test('what a deleted namespace sent stays where it arrived, from nobody', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const { message } = await house.post.send(submission(alice, bob), waiting());
    await house.registry.deleteNamespace({ kind: 'key', key: alice.key, network: '' }, alice.namespace.name);
    await until(async () => (await house.store.jobs.nextDue()) === undefined && house.dispatch.running === 0);
    const left = await house.store.messages.byId(message.id);
    assert.deepEqual([left?.sender_id, left?.key_id, left?.sender_namespace_id], [null, null, null]);
    assert.equal(left?.reply_body, 'Hello!');
  });

  test('an address that is made anew is empty', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const caller = { kind: 'key', key: alice.key, network: '' } as const;
    const { message } = await house.post.send(submission(alice, alice), waiting());
    await house.registry.deleteMailbox(caller, alice.address);
    const wanted = { local_part: 'box', behavior: { name: 'script' } };
    const { mailbox } = await house.registry.createMailbox(caller, alice.namespace.name, wanted);
    const { items } = await house.store.messages.page({ mailbox_id: mailbox.id }, null, 10);
    assert.deepEqual(items, []);
    await assert.rejects(house.post.send(submission(alice, alice, { thread_id: message.thread_id }), waiting()), {
      code: 'validation_error',
    });
    assert.equal((await house.post.send(submission(alice, alice), waiting())).message.status, 'completed');
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
        ...withJobs(store, {
          claim: async (...args) => {
            fail();
            return store.jobs.claim(...args);
          },
          renew: async (...args) => {
            fail();
            return store.jobs.renew(...args);
          },
        }),
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
    assert.equal((await house.store.messages.byId(message.id))?.reply_body, null);
    house.handle = () => reply('Written.');
    house.clock.pass(60);
    await until(() => house.errors.length > 2);
    broken = false;
    assert.equal((await settledOf(house, message.id)).reply_body, 'Written.');
  });
});

describe('work of other kinds', () => {
  const add = (house: House) => house.store.jobs.add({ id: 'mail_1', kind: 'mail', checkpoint: '{}', due_at: T });

  test('is handed to who does it, with a signal, and is gone when it is done', async () => {
    await using house = await openHouse();
    const claims: Claim[] = [];
    house.dispatch.register('mail', async (claim, signal) => {
      assert.equal(signal.aborted, false);
      claims.push(claim);
      assert.equal(await house.store.jobs.done(claim), true);
    });
    await add(house);
    house.dispatch.checkDue();
    await until(async () => (await house.store.jobs.nextDue()) === undefined && house.dispatch.running === 0);
    assert.deepEqual(claims, [{ id: 'mail_1', kind: 'mail', fence: 1, attempt: 1, subject: 'mail_1' }]);
  });

  test('that nobody does is given back for later, and not lost', async () => {
    await using house = await openHouse();
    await add(house);
    house.dispatch.checkDue();
    // A lease would have ended before.
    await until(async () => (await house.store.jobs.nextDue()) === T + 60_000 && house.dispatch.running === 0);
    const done: string[] = [];
    house.dispatch.register('mail', async (claim) => {
      done.push(claim.id);
      await house.store.jobs.done(claim);
    });
    await later(house, async () => (await house.store.jobs.nextDue()) === undefined, 60_000);
    assert.deepEqual(done, ['mail_1']);
  });
});
