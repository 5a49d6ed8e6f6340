import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';

const service = await serveInside({
  env: {
    RATE_LIMITS: 'on',
    TRUST_PROXY: '127.0.0.1',
    LIMIT_REJECTED_PER_MINUTE: '5',
    LIMIT_NAMESPACES_PER_HOUR: '8',
    LIMIT_VALUES: '100',
  },
});
const { api } = connect(service.url);
let hosts = 0;
const from = () => ({ 'x-forwarded-for': `203.0.113.${++hosts}` });

test('a network is refused so often for nothing, and then before its body is read', async () => {
  const headers = from();
  for (let i = 0; i < 5; i++) {
    isProblem(await api('POST', '/namespaces', { body: { name: '-' }, headers }), 'validation_error');
  }
  const refused = await api('POST', '/namespaces', { raw: '{', headers });
  isProblem(refused, 'rate_limited');
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  isProblem(await api('GET', '/nothing', { headers }), 'rate_limited');
  isProblem(await api('GET', '/me', { headers, key: 'mr_live_wrong' }), 'rate_limited');
  assert.equal((await api('GET', '/behaviors', { headers })).status, 200, 'what is no fault is answered');
  assert.equal((await api('GET', '/me', { headers, key: service.ownerKey })).status, 200, 'a key behind it is heard');
  const body = { name: unique() };
  assert.equal(
    (await api('POST', '/namespaces', { body, headers: from() })).status,
    201,
    'another network is not concerned',
  );
});

test('a key that is refused often costs nobody but itself', async () => {
  const headers = from();
  for (let i = 0; i < 20; i++) {
    isProblem(await api('POST', '/mail/send', { body: {}, headers, key: service.ownerKey }), 'validation_error');
  }
  assert.equal((await api('POST', '/namespaces', { body: { name: unique() }, headers })).status, 201);
  assert.equal((await api('GET', '/me', { headers, key: service.ownerKey })).status, 200);
});

test('a JSON document has so many values, and one of more is too large', async () => {
  const send = (data: readonly number[]) =>
    api('POST', '/mail/send', {
      key: service.ownerKey,
      headers: from(),
      body: { to: 'hello@agents.mailroom.localhost', body: 'a, [b], {c}: "d"', data: { data } },
    });
  // The document, its three fields, the list, and its items.
  assert.equal((await send(Array.from({ length: 94 }, () => 1))).status, 202);
  isProblem(await send(Array.from({ length: 96 }, () => 1)), 'body_too_large');
  const text = `{"to":[${'[],'.repeat(200)}[]]}`;
  isProblem(await api('POST', '/mail/send', { key: service.ownerKey, headers: from(), raw: text }), 'body_too_large');
});

test('what needs little takes little: a namespace of 20 KB is too large', async () => {
  const body = { name: unique(), display_name: 'x'.repeat(20_000) };
  isProblem(await api('POST', '/namespaces', { body, headers: from() }), 'body_too_large');
});
