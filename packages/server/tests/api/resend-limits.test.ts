import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';

const service = await serveInside({
  env: { RATE_LIMITS: 'on', LIMIT_TRIES_PER_MINUTE: '4', LIMIT_SENDS_BURST: '100', LIMIT_NAMESPACE_SENDS: '6' },
});
const { api, newNamespace, newMailbox, newKey, send, tryOut, change } = connect(service.url);
const FAILS = 'calculate 1001!';

test('a guest sends again within the limits for guests, and no more once the try-out is closed', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home, { behavior: { name: 'do' } });
  const first = (await tryOut({ to: box.address, body: FAILS })).body;
  assert.equal(first.status, 'failed', JSON.stringify(first));
  const retry = () => api('POST', `/mail/messages/${first.id}/retry`, { key: first.thread_token });
  assert.equal((await retry()).status, 202);
  await change(home.key, box.address, { try_out: false });
  isProblem(await retry(), 'access_denied');
  await change(home.key, box.address, { try_out: true });
  await retry();
  isProblem(await retry(), 'rate_limited');
});

test('all keys of a namespace and what they send again share its sends', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home, { behavior: { name: 'do' } });
  const { secret } = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
  const failed = (await send(home.key, { to: box.address, body: FAILS, sync: true })).body;
  assert.equal(failed.status, 'failed');
  for (let i = 0; i < 2; i++) assert.equal((await send(secret, { to: box.address, body: 'roll a die' })).status, 202);
  for (let i = 0; i < 3; i++) {
    assert.equal((await api('POST', `/mail/messages/${failed.id}/retry`, { key: home.key })).status, 202);
  }
  isProblem(await api('POST', `/mail/messages/${failed.id}/retry`, { key: home.key }), 'rate_limited');
  isProblem(await send(secret, { to: box.address, body: 'roll a die' }), 'rate_limited');
});
