import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../core/ports/store.ts';
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

const withJobs = (store: Store, jobs: Partial<Store['jobs']>, handlings: Partial<Store['handlings']> = {}): Store => ({
  ...store,
  jobs: { ...store.jobs, ...jobs },
  handlings: { ...store.handlings, ...handlings },
  [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
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
    assert.equal((await store.messages.byId(message.id))?.reply?.body, 'In time.');
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
      assert.equal((await settledOf(next, message.id)).reply?.body, 'Carried on.');
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
        withJobs(
          inner,
          {},
          {
            claim: async (max, now, lease) => {
              const claims = await inner.handlings.claim(max, now, lease);
              asked.resolve();
              await gate.promise;
              return claims;
            },
          },
        ),
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
    assert.equal((await settledOf(next, message.id)).reply?.body, 'Hello!');
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
      assert.equal((await settledOf(next, message.id)).reply?.body, 'Hello!');
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
    const timersBefore = timers();
    {
      await using house = await openHouse({ dispatch: { run_ms: 100_000 } });
      const alice = await home(house);
      const { message } = await house.post.send(submission(alice, alice));
      await settledOf(house, message.id);
      house.handle = heedful;
      await house.post.send(submission(alice, alice));
      await until(() => house.handled === 2);
    }
    assert.equal(timers(), timersBefore);
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
    await until(async () => house.dispatch.running === 0 && (await house.store.handlings.nextDue()) === undefined);
    assert.equal(house.handled, 1);
    const { items } = await house.store.messages.page({ sender_namespace_id: alice.namespace.id }, null, 50);
    assert.deepEqual(items, []);
    assert.equal(await house.store.handlings.depth(), 0);
  });

  test('what a deleted namespace sent stays where it arrived, from nobody', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const { message } = await house.post.send(submission(alice, bob), waiting());
    await house.registry.deleteNamespace({ kind: 'key', key: alice.key, network: '' }, alice.namespace.name);
    await until(async () => (await house.store.handlings.nextDue()) === undefined && house.dispatch.running === 0);
    const left = await house.store.messages.byId(message.id);
    assert.deepEqual([left?.sender_id, left?.key_id, left?.sender_namespace_id], [null, null, null]);
    assert.equal(left?.reply?.body, 'Hello!');
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
