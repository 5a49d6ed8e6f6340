import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_EVENT, newId } from '@mailroom/behavior/values/ids';
import { everyDatabase } from '../../../../tests/harness/database.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { Deliverer } from '../../core/outgoing/deliver.ts';
import { WebhookFeed } from '../../core/outgoing/webhook-feed.ts';
import type { DeliveryKind } from '../../core/ports/delivery.ts';
import { openStore } from '../../store/open.ts';
import { webhookOf } from '../store/contract-webhooks.ts';
import { accept, messageOf, T, world } from '../store/made.ts';
import { until } from './house.ts';

const BATCH = 4;
const FIRST = 3;
const COUNT = 60;
const MAX_WAIT_MS = 60_000;

for (const database of await everyDatabase()) {
  test(`two nodes deliver a webhook's events once and in order while more are written, on ${database.name}`, {
    timeout: 2 * MAX_WAIT_MS,
  }, async () => {
    const folder = newFolder();
    await using stack = new AsyncDisposableStack();
    stack.defer(() => removeFolder(folder));
    const store = stack.use(await openStore(await database.fresh(folder)));
    const home = await world(store);
    const cursor = (await store.events.last(home.namespace.id)) ?? FIRST_EVENT;
    const webhook = webhookOf(home, { cursor, batch: BATCH, types: ['message.*'] });
    await store.webhooks.create(webhook, 10);
    const got: string[] = [];
    const by = new Set<number>();
    let open = 0;
    const errors: unknown[] = [];
    const nodes = [0, 1].map((node) => {
      const kind: DeliveryKind = {
        ...{ name: 'webhook', max: 8, attempt_ms: 60_000, keeps: true, logged: (target) => target },
        changed: () => feed.look(home.namespace.id),
        deliver: () => assert.fail('all go in batches'),
        async deliverAll(deliveries) {
          assert.equal(++open, 1, 'one request at a time');
          by.add(node);
          await new Promise((resolve) => setTimeout(resolve, 2));
          got.push(...deliveries.map(({ event_id }) => event_id ?? ''));
          open--;
          return deliveries.map(() => ({ kind: 'sent' }));
        },
      };
      const onError = (error: unknown): void => void errors.push(error);
      const deliverer = new Deliverer(
        { store, clock: Date.now, kinds: [kind] },
        { lease_ms: 30_000, poll_ms: 5, onError, log: () => {} },
      );
      const feed = new WebhookFeed(
        { store, feed: { onWrite: () => () => {} }, deliverer, clock: Date.now },
        { max_deliveries: 1_000, poll_ms: 5, onError },
      );
      return { deliverer, feed };
    });
    const write = async (count: number): Promise<void> => {
      for (let nth = 0; nth < count; nth++) await accept(store, messageOf(home, home, { id: newId('msg', T + nth) }));
    };
    // Only what answered before gets a stream.
    await write(FIRST);
    await until(async () => got.length === FIRST);
    await write(COUNT);
    await until(async () => got.length >= FIRST + COUNT);
    for (const { feed, deliverer } of nodes) {
      await feed[Symbol.asyncDispose]();
      await deliverer.stop(1_000);
    }
    assert.deepEqual(got, got.toSorted());
    assert.equal(new Set(got).size, FIRST + COUNT);
    const { items } = await store.webhooks.deliveries(webhook.id, undefined, null, 200);
    assert.deepEqual(
      items
        .map(({ event_id, status, attempt }) => [event_id ?? '', status, attempt] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      got.map((id) => [id, 'sent', 1] as const),
    );
    assert.deepEqual(errors, []);
  });
}
