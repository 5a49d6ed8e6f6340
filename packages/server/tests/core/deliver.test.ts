import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { everyDatabaseOr } from '../../../../tests/soak/databases.ts';
import type { Delivery, NewDelivery } from '../../core/entities/delivery.ts';
import { Deliverer, type DeliveryLog } from '../../core/outgoing/deliver.ts';
import { RETRIES } from '../../core/outgoing/delivery-retries.ts';
import type { DeliveryKind, DeliveryResult } from '../../core/ports/delivery.ts';
import type { Store } from '../../core/ports/store.ts';
import { openStore } from '../../store/open.ts';
import { deliveryOf } from '../store/contract-deliveries.ts';
import { T, TestClock, until } from './house.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SENT: DeliveryResult = { kind: 'sent' };
const refused = (permanent = false, reason = '503'): DeliveryResult => ({ kind: 'failed', permanent, reason });

type Deliver = DeliveryKind['deliver'];
const webhooks = (deliver: Deliver, fields: Partial<DeliveryKind> = {}): DeliveryKind => ({
  name: 'webhook',
  max: 16,
  attempt_ms: 15 * SECOND,
  keeps: true,
  logged: () => 'hooks.example',
  deliver,
  ...fields,
});
const webhook = (fields: Partial<NewDelivery> = {}): NewDelivery =>
  deliveryOf({ kind: 'webhook', target: 'wh_1', destination: 'wh_1', expires_at: T + 1e12, ...fields });

interface Node extends AsyncDisposable {
  readonly deliverer: Deliverer;
  readonly logged: DeliveryLog[];
  readonly errors: unknown[];
}

function nodeOf(store: Store, clock: TestClock, kinds: readonly DeliveryKind[], lease_ms = 30_000): Node {
  const logged: DeliveryLog[] = [];
  const errors: unknown[] = [];
  const deliverer = new Deliverer(
    { store, clock: clock.read, kinds },
    { lease_ms, poll_ms: 5, onError: (error) => void errors.push(error), log: (entry) => void logged.push(entry) },
  );
  return { deliverer, logged, errors, [Symbol.asyncDispose]: () => deliverer.stop(0) };
}

for (const database of await everyDatabaseOr('SQLite')) {
  describe(`deliveries, on ${database.name}`, () => {
    async function on(): Promise<{ readonly store: Store; readonly clock: TestClock } & AsyncDisposable> {
      const folder = newFolder();
      const clock = new TestClock();
      const store = await openStore(await database.fresh(folder), { clock: clock.read });
      return {
        store,
        clock,
        [Symbol.asyncDispose]: async () => {
          await store[Symbol.asyncDispose]();
          removeFolder(folder);
        },
      };
    }
    const statusOf = async (store: Store, { id }: NewDelivery) => (await store.deliveries.byId(id))?.status;

    test('one is made once and its row says so; a kind that keeps none leaves no row', async () => {
      await using home = await on();
      const deliveries: Delivery[] = [];
      const deliver: Deliver = async (delivery) => {
        deliveries.push(delivery);
        return SENT;
      };
      const kinds = [webhooks(deliver), webhooks(deliver, { name: 'push', keeps: false })];
      await using node = nodeOf(home.store, home.clock, kinds);
      const [kept, removed] = [webhook(), webhook({ kind: 'push', id: 'mail_push' })];
      await node.deliverer.add(kept);
      await node.deliverer.add(removed);
      await until(async () => (await statusOf(home.store, kept)) === 'sent');
      await until(async () => (await statusOf(home.store, removed)) === undefined);
      assert.deepEqual(
        deliveries.map(({ payload }) => payload),
        [kept.payload, removed.payload],
      );
      assert.deepEqual([node.logged, node.errors], [[], []]);
    });

    test('a webhook is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h with jitter, and then failed', async () => {
      await using home = await on();
      const times: number[] = [];
      const deliver: Deliver = async () => {
        times.push(home.clock.now);
        return refused();
      };
      await using node = nodeOf(home.store, home.clock, [webhooks(deliver)]);
      const hook = webhook();
      await node.deliverer.add(hook);
      const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
      for (const [i, pause] of pauses.entries()) {
        await until(() => times.length === i + 1 && node.deliverer.running === 0);
        const { status, error, due_at } = (await home.store.deliveries.byId(hook.id)) ?? assert.fail();
        assert.deepEqual([status, error], ['deferred', '503']);
        const waits = (due_at ?? 0) - home.clock.now;
        assert.ok(waits >= pause && waits <= pause * 1.1, `${waits} ms after attempt ${i + 1}`);
        home.clock.now = due_at ?? 0;
      }
      await until(async () => (await statusOf(home.store, hook)) === 'failed');
      assert.equal(times.length, 8);
      assert.deepEqual(
        node.logged.map(({ outcome, attempt }) => `${outcome} ${attempt}`),
        [1, 2, 3, 4, 5, 6, 7].map((attempt) => `deferred ${attempt}`).concat('failed 8'),
      );
    });

    test('what is refused for good, suppressed or too old is not tried again, and not at all', async () => {
      await using home = await on();
      let tried = 0;
      const deliver: Deliver = async () => {
        tried++;
        return refused(true, '410');
      };
      await using node = nodeOf(home.store, home.clock, [webhooks(deliver, { suppressible: true })]);
      const ended = async (fields: Partial<NewDelivery>): Promise<string | null | undefined> => {
        const one = webhook(fields);
        await node.deliverer.add(one);
        await until(async () => (await statusOf(home.store, one)) === 'failed');
        return (await home.store.deliveries.byId(one.id))?.error;
      };
      assert.equal(await ended({}), '410');
      assert.equal(tried, 1);
      await home.store.suppressions.add({
        namespace_id: null,
        kind: 'webhook',
        target: 'wh_2',
        reason: 'bounced',
        created_at: T,
      });
      assert.equal(await ended({ target: 'wh_2', destination: 'wh_2' }), 'suppressed: bounced');
      assert.equal(await ended({ expires_at: T }), 'expired');
      assert.equal(tried, 1);
    });

    test('what finds no slot waits for those before it, in order', async () => {
      await using home = await on();
      const keys: string[] = [];
      const ends: (() => void)[] = [];
      const hang: Deliver = ({ id }) => {
        keys.push(id);
        return new Promise((resolve) => ends.push(() => resolve(SENT)));
      };
      await using node = nodeOf(home.store, home.clock, [webhooks(hang)]);
      const all = Array.from({ length: 9 }, (_, i) => webhook({ id: `wh_held_${i}` }));
      for (const one of all) await node.deliverer.add(one);
      await until(() => keys.length === 1);
      ends.shift()?.();
      await until(() => keys.length === 5);
      while (keys.length < all.length) {
        ends.shift()?.();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      for (const end of ends) end();
      assert.deepEqual(
        keys,
        all.map(({ id }) => id),
      );
      await until(async () => (await statusOf(home.store, all[8] as NewDelivery)) === 'sent');
      await until(() => node.deliverer.running === 0);
    });

    test('a destination that does not answer holds one slot, and delays no other', async () => {
      await using home = await on();
      let hanging = 0;
      const sent: string[] = [];
      const deliver: Deliver = ({ id, destination }, signal) => {
        if (destination !== 'slow') {
          sent.push(id);
          return Promise.resolve(SENT);
        }
        hanging++;
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(refused())));
      };
      await using node = nodeOf(home.store, home.clock, [webhooks(deliver)]);
      for (let i = 0; i < 300; i++) await home.store.deliveries.add(webhook({ destination: 'slow' }));
      node.deliverer.checkDue();
      const others = Array.from({ length: 20 }, (_, i) => webhook({ destination: `wh_${i}` }));
      for (const one of others) await node.deliverer.add(one);
      await until(() => sent.length === others.length && hanging >= 1);
      assert.equal(hanging, 1);
    });

    test('however many destinations hang, one that answers gets all of its deliveries meanwhile', async () => {
      await using home = await on();
      const sent: string[] = [];
      const hanging = new Map<string, number>();
      const deliver: Deliver = ({ id, destination }, signal) => {
        if (destination.endsWith('good')) {
          sent.push(id);
          return Promise.resolve(SENT);
        }
        hanging.set(destination, (hanging.get(destination) ?? 0) + 1);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(refused())));
      };
      const fields = { max: 128, attempt_ms: HOUR };
      await using node = nodeOf(home.store, home.clock, [webhooks(deliver, fields)]);
      // Twenty of two owners, each with more than it can have in progress, which never end.
      const slow = Array.from({ length: 20 }, (_, i) => `ns_${i % 2}/slow_${i}`);
      await Promise.all(
        slow.flatMap((destination) =>
          Array.from({ length: 10 }, () => home.store.deliveries.add(webhook({ destination }))),
        ),
      );
      node.deliverer.checkDue();
      await until(() => hanging.size === slow.length);
      for (const destination of ['ns_0/good', 'ns_2/good', 'ns_2/other_good'])
        for (let i = 0; i < 10; i++) await node.deliverer.add(webhook({ destination }));
      await until(() => sent.length === 30);
      assert.ok([...hanging.values()].every((count) => count === 1));
    });

    test('no more than its slots are in progress of a kind, and another kind has its own', async () => {
      await using home = await on();
      let hanging = 0;
      const hang: Deliver = (_delivery, signal) => {
        hanging++;
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(refused())));
      };
      const pushed: string[] = [];
      const push: Deliver = async ({ id }) => {
        pushed.push(id);
        return SENT;
      };
      await using node = nodeOf(home.store, home.clock, [webhooks(hang, { max: 6 }), webhooks(push, { name: 'push' })]);
      for (let i = 0; i < 20; i++) await node.deliverer.add(webhook({ destination: `ns_${i}/wh` }));
      await until(() => hanging === 6);
      await node.deliverer.add(webhook({ kind: 'push' }));
      await until(() => pushed.length === 1);
      assert.equal(hanging, 6);
    });

    test('an attempt without an end is ended and retried, also when its transport ignores the signal', async () => {
      await using home = await on();
      await using node = nodeOf(home.store, home.clock, [webhooks(() => new Promise(() => {}), { attempt_ms: 50 })]);
      const one = webhook();
      await node.deliverer.add(one);
      await until(async () => (await statusOf(home.store, one)) === 'deferred');
      assert.equal((await home.store.deliveries.byId(one.id))?.error, 'ETIMEDOUT');
    });

    test('a transport that throws is reported and retried', async () => {
      await using home = await on();
      await using node = nodeOf(home.store, home.clock, [webhooks(() => Promise.reject(new Error('a defect')))]);
      const one = webhook();
      await node.deliverer.add(one);
      await until(async () => (await statusOf(home.store, one)) === 'deferred');
      assert.equal((await home.store.deliveries.byId(one.id))?.error, 'internal');
      assert.match(String(node.errors[0]), /a defect/);
    });

    test('two nodes make each delivery once', async () => {
      await using home = await on();
      const keys: string[] = [];
      const deliver: Deliver = async ({ id }) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        keys.push(id);
        return SENT;
      };
      const kinds = [webhooks(deliver)];
      await using first = nodeOf(home.store, home.clock, kinds);
      await using second = nodeOf(home.store, home.clock, kinds);
      const all = Array.from({ length: 100 }, () => webhook());
      await Promise.all(all.map((one, i) => (i % 3 === 0 ? first : second).deliverer.add(one)));
      await until(async () => (await home.store.deliveries.waiting()).length === 0);
      assert.deepEqual(keys.toSorted(), all.map(({ id }) => id).toSorted());
      assert.deepEqual([first.errors, second.errors], [[], []]);
    });

    test('a node that freezes loses its delivery to another, and what it writes then has no effect', async () => {
      await using home = await on();
      let aborted = false;
      const begun = Promise.withResolvers<void>();
      const frozen = Promise.withResolvers<DeliveryResult>();
      const hang: Deliver = (_delivery, signal) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        begun.resolve();
        return frozen.promise;
      };
      await using first = nodeOf(home.store, home.clock, [webhooks(hang)], 300);
      const hook = webhook();
      await first.deliverer.add(hook);
      await begun.promise;
      home.clock.pass(10_000);
      await using second = nodeOf(home.store, home.clock, [webhooks(async () => refused(true, '410'))]);
      second.deliverer.checkDue();
      await until(async () => (await statusOf(home.store, hook)) === 'failed');
      await until(() => aborted);
      frozen.resolve(SENT);
      await until(() => first.deliverer.running === 0);
      assert.equal(await statusOf(home.store, hook), 'failed');
    });

    test('at a stop the attempts that do not end are given back, and the next start makes them', async () => {
      await using home = await on();
      const begun = Promise.withResolvers<void>();
      const hang: Deliver = (_delivery, signal) => {
        begun.resolve();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(refused(false, 'EABORT'))));
      };
      const first = nodeOf(home.store, home.clock, [webhooks(hang)]);
      const hook = webhook();
      await first.deliverer.add(hook);
      await begun.promise;
      await first.deliverer.stop(0);
      assert.deepEqual(first.logged, []);
      const attempts: number[] = [];
      const deliver: Deliver = async ({ attempt }) => {
        attempts.push(attempt);
        return SENT;
      };
      await using second = nodeOf(home.store, home.clock, [webhooks(deliver)]);
      second.deliverer.checkDue();
      await until(async () => (await statusOf(home.store, hook)) === 'sent');
      assert.deepEqual(attempts, [1]);
    });

    test('a kind that this node does not know is left to others', async () => {
      await using home = await on();
      await using first = nodeOf(home.store, home.clock, []);
      const hook = webhook();
      await first.deliverer.add(hook);
      await using second = nodeOf(home.store, home.clock, [webhooks(async () => SENT)]);
      second.deliverer.checkDue();
      await until(async () => (await statusOf(home.store, hook)) === 'sent');
    });
  });
}

test('mail is retried after a second, then four times as long up to a minute, each up to a quarter more', () => {
  const pauses = [1, 2, 3, 4, 5, 50].map((attempt) => RETRIES.mail.pause(attempt, () => 0));
  assert.deepEqual(
    pauses,
    [1, 4, 16, 60, 60, 60].map((seconds) => seconds * SECOND),
  );
  assert.equal(
    RETRIES.mail.pause(2, () => 1),
    5 * SECOND,
  );
  assert.equal(RETRIES.webhook.pause(8), undefined);
  assert.equal(RETRIES.push.pause, RETRIES.webhook.pause);
});
