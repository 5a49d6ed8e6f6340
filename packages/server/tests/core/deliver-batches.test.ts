import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { everyDatabaseOr } from '../../../../tests/soak/databases.ts';
import type { Delivery, NewDelivery } from '../../core/entities/delivery.ts';
import { Deliverer } from '../../core/outgoing/deliver.ts';
import { ownedDestination } from '../../core/outgoing/delivery-slots.ts';
import type { DeliveryKind, DeliveryResult } from '../../core/ports/delivery.ts';
import type { Store } from '../../core/ports/store.ts';
import { openStore } from '../../store/open.ts';
import { deliveryOf } from '../store/contract-deliveries.ts';
import { T, TestClock, until } from './house.ts';

const BATCH = 3;
/** More than one claim takes. */
const COUNT = 40;
const SENT: DeliveryResult = { kind: 'sent' };
const REFUSED: DeliveryResult = { kind: 'failed', permanent: false, reason: 'It answered 503.' };

type DeliverAll = NonNullable<DeliveryKind['deliverAll']>;
const all = (deliveries: readonly Delivery[], result: DeliveryResult) => deliveries.map(() => result);
const eventsOf = (deliveries: readonly Pick<NewDelivery, 'event_id'>[]) =>
  deliveries.map(({ event_id = null }) => event_id);

for (const database of await everyDatabaseOr('PostgreSQL')) {
  describe(`deliveries in batches, on ${database.name}`, () => {
    async function on() {
      const folder = newFolder();
      const clock = new TestClock();
      const store = await openStore(await database.fresh(folder), { clock: clock.read });
      const written = Array.from({ length: COUNT }, (_, nth) =>
        deliveryOf({
          kind: 'webhook',
          id: newId('dlv', T + nth),
          target: 'whk_1',
          destination: ownedDestination('ns_1', 'whk_1', BATCH),
          event_id: `evt_${String(nth).padStart(20, '0')}`,
          expires_at: T + 1e12,
        }),
      );
      for (const delivery of written) await store.deliveries.add(delivery);
      const errors: unknown[] = [];
      const node = (deliverAll: DeliverAll, lease_ms = 30_000, read = clock.read): Deliverer =>
        new Deliverer(
          { store, clock: read, kinds: [kindOf(deliverAll)] },
          { lease_ms, poll_ms: 5, onError: (error) => void errors.push(error), log: () => {} },
        );
      return {
        ...{ store, clock, written, errors, node },
        [Symbol.asyncDispose]: async () => {
          await store[Symbol.asyncDispose]();
          removeFolder(folder);
        },
      };
    }
    const rowsOf = (store: Store, deliveries: readonly NewDelivery[]) =>
      Promise.all(deliveries.map(async ({ id }) => (await store.deliveries.byId(id)) ?? assert.fail()));
    const countOf = async (store: Store, deliveries: readonly NewDelivery[], status: Delivery['status']) =>
      (await rowsOf(store, deliveries)).filter((row) => row.status === status).length;

    test('requests follow one another in order, each with as many as it takes, and nothing is sent twice', async () => {
      await using home = await on();
      const requests: (readonly (string | null)[])[] = [];
      let open = 0;
      const node = home.node(async (deliveries) => {
        assert.equal(++open, 1, 'one request at a time');
        await new Promise((resolve) => setImmediate(resolve));
        requests.push(eventsOf(deliveries));
        open--;
        return all(deliveries, SENT);
      });
      node.checkDue();
      await until(async () => (await countOf(home.store, home.written, 'sent')) === COUNT);
      await node.stop(0);
      assert.deepEqual(requests.flat(), eventsOf(home.written));
      assert.ok(requests.every(({ length }) => length <= BATCH));
      assert.deepEqual(home.errors, []);
    });

    test('what a request had no room for is in the next one, before what comes later', async () => {
      await using home = await on();
      const sent: (string | null)[] = [];
      const node = home.node(async (deliveries) => {
        const [first, ...others] = deliveries;
        sent.push(first?.event_id ?? null);
        return [SENT, ...others.map((): DeliveryResult => ({ kind: 'later', at: home.clock.now }))];
      });
      node.checkDue();
      await until(async () => (await countOf(home.store, home.written, 'sent')) === COUNT);
      await node.stop(0);
      assert.deepEqual(sent, eventsOf(home.written));
      assert.deepEqual(new Set((await rowsOf(home.store, home.written)).map(({ attempt }) => attempt)), new Set([1]));
    });

    test('after a request that fails its events wait for their retry, and the others lose no attempt', async () => {
      await using home = await on();
      const failed: (string | null)[] = [];
      const node = home.node(async (deliveries) => {
        if (failed.length > 0) return all(deliveries, SENT);
        failed.push(...eventsOf(deliveries));
        return all(deliveries, REFUSED);
      });
      node.checkDue();
      await until(async () => (await countOf(home.store, home.written, 'sent')) === COUNT - BATCH);
      await node.stop(0);
      for (const { event_id, status, attempt, error } of await rowsOf(home.store, home.written)) {
        const isFailed = failed.includes(event_id);
        assert.deepEqual(
          [status, attempt, error],
          [isFailed ? 'deferred' : 'sent', 1, isFailed ? 'It answered 503.' : null],
        );
      }
    });

    test('what failed in one request is due together again, however long its ends take', async () => {
      await using home = await on();
      let requests = 0;
      const deliver: DeliverAll = async (deliveries) => all(deliveries, requests++ === 0 ? REFUSED : SENT);
      const node = home.node(deliver, 30_000, () => home.clock.now++);
      node.checkDue();
      await until(async () => (await countOf(home.store, home.written, 'sent')) === COUNT - BATCH);
      await node.stop(0);
      const failed = (await rowsOf(home.store, home.written)).filter(({ status }) => status === 'deferred');
      assert.equal(failed.length, BATCH);
      assert.equal(new Set(failed.map(({ due_at }) => due_at)).size, 1);
    });

    test('a lease lasts for what waits for its request, while others of its claim have arrived', async () => {
      await using home = await on();
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const requests: number[] = [];
      const first = home.node(async (deliveries, signal) => {
        requests.push(deliveries.length);
        if (requests.length === 2) {
          begun.resolve();
          await held.promise;
          assert.equal(signal.aborted, false, 'its lease is renewed');
        }
        return all(deliveries, SENT);
      }, 60);
      first.checkDue();
      await begun.promise;
      const dueOf = async () => (await rowsOf(home.store, home.written)).map(({ due_at }) => due_at);
      const leased = await dueOf();
      home.clock.pass(50);
      await until(async () =>
        (await dueOf()).some((at, nth) => at !== null && at > (leased[nth] ?? Number.POSITIVE_INFINITY)),
      );
      held.resolve();
      await until(async () => (await countOf(home.store, home.written, 'sent')) === COUNT);
      await first.stop(0);
      assert.deepEqual(home.errors, []);
    });

    test('at a stop the request in progress ends, and what follows is given back without an attempt', async () => {
      await using home = await on();
      const begun = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const first = home.node(async (deliveries) => {
        begun.resolve();
        await held.promise;
        return all(deliveries, SENT);
      });
      first.checkDue();
      await begun.promise;
      const stopped = first.stop(60_000);
      held.resolve();
      await stopped;
      const rows = await rowsOf(home.store, home.written);
      assert.deepEqual(
        rows.map(({ status, attempt }) => [status, attempt]),
        rows.map((_, nth) => (nth < BATCH ? ['sent', 1] : ['queued', 0])),
      );
      const next: (string | null)[] = [];
      const second = home.node(async (deliveries) => {
        next.push(...eventsOf(deliveries));
        return all(deliveries, SENT);
      });
      second.checkDue();
      await until(async () => (await countOf(home.store, home.written, 'sent')) === COUNT);
      await second.stop(0);
      assert.deepEqual(next, eventsOf(home.written.slice(BATCH)));
    });
  });
}

const kindOf = (deliverAll: DeliverAll): DeliveryKind => ({
  name: 'webhook',
  max: 16,
  attempt_ms: 15_000,
  keeps: true,
  logged: () => 'hooks.example',
  deliver: async (delivery, signal) => (await deliverAll([delivery], signal))[0] ?? { kind: 'dropped' },
  deliverAll,
});
