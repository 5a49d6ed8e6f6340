import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';

const service = await serveInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1', RATE_LIMITS: 'off' } });
const { api, newNamespace, newMailbox, send } = connect(service.url);
const EVENTS = 60;

test('of ten endpoints three hang, and the other seven get every event', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  await using stack = new AsyncDisposableStack();
  const endpoints = await Promise.all(Array.from({ length: 10 }, async () => stack.use(await webhookEndpoint())));
  const [hanging, quick] = [endpoints.slice(0, 3), endpoints.slice(3)];
  for (const endpoint of hanging) endpoint.answer('hang');
  for (const { url } of endpoints)
    assert.equal((await api('POST', '/webhooks', { key: home.key, body: { url } })).status, 201);
  const sent = await Promise.all(
    Array.from({ length: EVENTS }, () => send(home.key, { to: address, body: 'Hello?', sync: true })),
  );
  const ids = new Set(sent.map(({ body }) => body.id));
  for (const endpoint of quick) {
    const got = await endpoint.got(EVENTS);
    assert.deepEqual(new Set(got.map(({ body }) => (body.data as { id: string }).id)), ids);
  }
  for (const { posted } of hanging) assert.ok(posted.length < EVENTS, `${posted.length} requests hang`);
});
