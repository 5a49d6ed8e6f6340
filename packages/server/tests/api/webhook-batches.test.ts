import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import { isSigned, type Posted, webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1', RATE_LIMITS: 'off' } });
const { api, newNamespace, newMailbox, send } = connect(service.url);

interface Hook {
  readonly id: string;
  readonly batch: number;
  readonly status: string;
  readonly secret: string;
}
interface Made {
  readonly id: string;
  readonly event_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly error: string | null;
}
interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id: string };
}

const SOON_MS = 60_000;
const eventsIn = ({ text }: Posted): readonly Event[] => JSON.parse(text) as Event[];

/** A webhook with a batch, switched off while `count` messages are answered; `replay` sends their events. */
async function hooked(batch: number, count: number, fields: object = {}) {
  const home = await newNamespace();
  const { key } = home;
  const mailbox = await newMailbox(home);
  const endpoint = await webhookEndpoint();
  const body = { url: endpoint.url, types: ['message.completed'], batch, ...fields };
  const made = await api<Hook>('POST', '/webhooks', { key, body });
  assert.equal(made.status, 201, made.text);
  const hook = made.body;
  const patch = async (change: object) => {
    const changed = await api<Hook>('PATCH', `/webhooks/${hook.id}`, { key, body: change });
    assert.equal(changed.status, 200, changed.text);
    return changed.body;
  };
  const since = new Date(Date.now() - 1000).toISOString();
  await patch({ status: 'disabled' });
  const messages: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const sent = await send(key, { to: mailbox.address, body: `Hello ${nth}`, sync: true });
    assert.equal(sent.status, 200, sent.text);
    messages.push(sent.body.id);
  }
  const replay = async () => {
    assert.equal((await patch({ status: 'enabled' })).status, 'enabled');
    const replayed = await api('POST', `/webhooks/${hook.id}/replay`, { key, body: { since } });
    assert.equal(replayed.status, 202, replayed.text);
  };
  const deliveries = async (query = '?limit=200') =>
    (await api<Page<Made>>('GET', `/webhooks/${hook.id}/deliveries${query}`, { key })).body.items;
  /** Waits until that many deliveries have the status. */
  const have = (status: string, wanted: number) =>
    until(SOON_MS, deliveries, (all) => all.filter((one) => one.status === status).length === wanted);
  const { posted } = endpoint;
  return { key, mailbox, endpoint, posted, hook, patch, messages, replay, deliveries, have };
}

test('with a batch of 10 a request has up to 10 events, in order, signed as one, and each delivery is listed', async () => {
  const { endpoint, posted, hook, messages, replay, have } = await hooked(10, 25);
  await using _ = endpoint;
  assert.equal(hook.batch, 10);
  await replay();
  const { seen } = await have('sent', 25);
  assert.deepEqual(
    posted.map((one) => eventsIn(one).length),
    [10, 10, 5],
  );
  const events = posted.flatMap(eventsIn);
  assert.deepEqual(
    events.map(({ data }) => data.id),
    messages,
    'in the order in which they happened',
  );
  for (const one of posted) assert.ok(await isSigned(one, hook.secret));
  assert.equal(new Set(posted.map(({ id }) => id)).size, 3);
  assert.deepEqual(seen.map(({ event_id }) => event_id).toSorted(), events.map(({ id }) => id).toSorted());
});

test('a batch that failed is sent again with the same id, and its deliveries say why', async () => {
  const { endpoint, posted, replay, have, deliveries } = await hooked(100, 7);
  await using _ = endpoint;
  endpoint.answer(503);
  await replay();
  const { seen } = await have('deferred', 7);
  for (const { attempts, error } of seen) assert.deepEqual([attempts, error], [1, 'It answered 503.']);
  endpoint.answer(204);
  await have('sent', 7);
  assert.deepEqual(
    posted.map((one) => eventsIn(one).length),
    [7, 7],
  );
  assert.deepEqual([posted[0]?.id, posted[0]?.text], [posted[1]?.id, posted[1]?.text]);
  assert.deepEqual([...new Set((await deliveries()).map(({ attempts }) => attempts))], [2]);
});

test('an endpoint that answers gets what happens next in order, each event once and listed, and again after a replay', async () => {
  const { endpoint, key, mailbox, posted, replay, have } = await hooked(10, 3);
  await using _ = endpoint;
  await replay();
  await have('sent', 3);
  const further = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (__, nth) =>
        send(key, { to: mailbox.address, body: `Hello again ${nth}`, sync: true }),
      ),
    );
  await further(15);
  await further(15);
  const { seen } = await have('sent', 33);
  const ids = posted.flatMap(eventsIn).map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted(), 'in the order in which they happened');
  assert.deepEqual(new Set(seen.map(({ event_id }) => event_id)), new Set(ids));
  assert.equal(ids.length, 33, 'each once');
  assert.ok(seen.every(({ attempts, error }) => attempts === 1 && error === null));
  endpoint.answer(503);
  await further(2);
  await have('deferred', 2);
  endpoint.answer(204);
  await have('sent', 35);
  const count = posted.length;
  await replay();
  const all = await until(
    SOON_MS,
    async () =>
      posted
        .slice(count)
        .flatMap(eventsIn)
        .map(({ id }) => id),
    (got) => got.length >= 35,
  );
  assert.equal(new Set(all.seen).size, 35);
});

test('410 to a batch switches the webhook off and gives up all of it', async () => {
  const { endpoint, posted, replay, have, patch } = await hooked(5, 12);
  await using _ = endpoint;
  endpoint.answer(410);
  await replay();
  await have('failed', 12);
  assert.equal(posted.length, 1);
  assert.equal((await patch({ batch: 6 })).status, 'disabled');
});

test('an event whose message was deleted is left out of its batch', async () => {
  const { endpoint, key, posted, messages, replay, have } = await hooked(10, 4);
  await using _ = endpoint;
  const [gone = ''] = messages.splice(1, 1);
  assert.equal((await api('DELETE', `/mail/messages/${gone}`, { key })).status, 204);
  await replay();
  await have('sent', 3);
  assert.deepEqual(
    posted.flatMap(eventsIn).map(({ data }) => data.id),
    messages,
  );
});

test('a change of the batch holds for what waits, and with 1 the body is the event again', async () => {
  const { endpoint, key, posted, hook, patch, replay, have, deliveries } = await hooked(3, 4);
  await using _ = endpoint;
  endpoint.answer(500);
  await replay();
  await have('deferred', 4);
  assert.equal((await patch({ batch: 1 })).batch, 1);
  endpoint.answer(200);
  const all = await deliveries();
  for (const { id } of all) await api('POST', `/webhooks/${hook.id}/deliveries/${id}/redeliver`, { key });
  await have('sent', 4);
  const single = posted.filter(({ text }) => text.startsWith('{'));
  assert.deepEqual(single.map(({ id }) => id).toSorted(), all.map(({ event_id }) => event_id).toSorted());
  for (const { id, body } of single) assert.equal(body.id, id);
});

test('one delivery is sent again alone, and a test event too, each in a list', async () => {
  const { endpoint, key, posted, hook, replay, have, deliveries } = await hooked(50, 3);
  await using _ = endpoint;
  await replay();
  await have('sent', 3);
  const { id, event_id } = (await deliveries())[0] ?? assert.fail();
  assert.equal((await api('POST', `/webhooks/${hook.id}/deliveries/${id}/redeliver`, { key })).status, 202);
  const [, again] = await endpoint.got(2);
  assert.deepEqual(again && eventsIn(again).map((event) => event.id), [event_id]);
  assert.equal((await api<Made>('POST', `/webhooks/${hook.id}/test`, { key })).body.status, 'sent');
  assert.deepEqual(
    posted.slice(2).map((one) => eventsIn(one).map(({ type }) => type)),
    [['webhook.test']],
  );
});

test('a replaced secret signs a batch beside the new one', async () => {
  const { endpoint, key, posted, hook, replay, have } = await hooked(20, 2);
  await using _ = endpoint;
  const { body: rotated } = await api<Hook>('POST', `/webhooks/${hook.id}/rotate`, { key });
  await replay();
  await have('sent', 2);
  for (const secret of [hook.secret, rotated.secret]) for (const one of posted) assert.ok(await isSigned(one, secret));
});

test('a large batch is divided by its size, and nothing of it is lost', async () => {
  const { endpoint, key, mailbox, posted, messages, replay, have } = await hooked(100, 0);
  await using _ = endpoint;
  for (let nth = 0; nth < 9; nth++) {
    const sent = await send(key, { to: mailbox.address, body: `${nth} ${'word '.repeat(50_000)}`, sync: true });
    assert.equal(sent.status, 200, sent.text);
    messages.push(sent.body.id);
  }
  await replay();
  await have('sent', 9);
  assert.deepEqual(
    posted.flatMap(eventsIn).map(({ data }) => data.id),
    messages,
  );
  assert.ok(posted.length > 1);
  for (const { text } of posted) assert.ok(text.length < 2_000_000, String(text.length));
});

test('a batch is a whole number from 1 to 100', async () => {
  const { key } = await newNamespace();
  for (const batch of [0, 101, 1.5, '5', null, -1]) {
    const body = { url: 'http://127.0.0.1:1/hook', batch };
    isProblem(await api('POST', '/webhooks', { key, body }), 'validation_error', '/batch');
  }
});
