import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';

const service = await serveInside({
  env: {
    RATE_LIMITS: 'on',
    TRUST_PROXY: '127.0.0.1',
    LIMIT_SENDS_PER_MINUTE: '30',
    LIMIT_SENDS_BURST: '5',
    LIMIT_TRIES_PER_MINUTE: '3',
    LIMIT_TRIES_PER_DAY: '5',
    LIMIT_NAMESPACES_PER_HOUR: '2',
    LIMIT_WAITING: '3',
    LIMIT_JSON: '4096',
    LIMIT_BODY: '1024',
    LIMIT_GUEST_BODY: '512',
    LIMIT_DATA: '256',
  },
});
const { api, send, tryOut, newMailbox, newPaused, newKey } = connect(service.url);

/** A caller from a new network each time, since the proxy at 127.0.0.1 is trusted. */
let hosts = 0;
const fresh = (): string => `203.0.113.${++hosts}`;
const from = (ip: string) => ({ 'x-forwarded-for': ip });

const house = { id: '', name: 'agents', key: service.ownerKey, keyId: '' };
const hello = `hello@agents.${MAIL_DOMAIN}`;
const key = async () => (await newKey(house, { scopes: ['mail:send'] })).secret;
const make = (ip: string) => api('POST', '/namespaces', { body: { name: unique() }, headers: from(ip) });

/** Parses draft-ietf-httpapi-ratelimit-headers: one or more of `"name";r=4;t=2` and `"name";q=30;w=60`. */
function counted(answer: Answer<unknown>, ...policies: readonly { q: number; w: number }[]): number[] {
  const limit = answer.headers.get('ratelimit') ?? '';
  const policy = answer.headers.get('ratelimit-policy') ?? '';
  assert.match(limit, /^"[^"]+";r=\d+(;t=\d+)?(, "[^"]+";r=\d+(;t=\d+)?)*$/, `RateLimit of ${answer.status}`);
  for (const { q, w } of policies) assert.match(policy, new RegExp(`"[^"]+";(.*;)?q=${q}\\b.*;w=${w}\\b`), policy);
  return [...limit.matchAll(/;r=(\d+)/g)].map((match) => Number(match[1]));
}

test('a key sends so many at once, then is told when to go on', async () => {
  const secret = await key();
  const remaining: number[] = [];
  const began = performance.now();
  let refused: Answer<unknown> | undefined;
  while (refused === undefined) {
    const answer = await send(secret, { to: hello, body: 'Hi', sync: true });
    if (answer.status === 429) refused = answer;
    else remaining.push(...counted(answer, { q: 30, w: 60 }));
  }
  // One more each 2 s, which a slow machine lets pass between two of them.
  const more = Math.floor((performance.now() - began) / 2_000) + 1;
  assert.deepEqual([remaining[0], remaining.at(-1)], [4, 0]);
  assert.ok(remaining.length >= 5 && remaining.length <= 5 + more, `${remaining.length} within ${more * 2} s`);
  isProblem(refused, 'rate_limited');
  assert.deepEqual(counted(refused, { q: 30, w: 60 }), [0]);
  const after = Number(refused.headers.get('retry-after'));
  assert.ok(after >= 1 && after <= 3, `one more after 2 s: Retry-After ${after}`);
  assert.equal((await send(await key(), { to: hello, body: 'Hi' })).status, 202, 'another key is not concerned');
});

test('after Retry-After a key may send again', async () => {
  const secret = await key();
  let refused: Answer<unknown> | undefined;
  for (let i = 0; i < 8 && refused === undefined; i++) {
    const answer = await send(secret, { to: hello, body: 'Hi' });
    if (answer.status === 429) refused = answer;
  }
  assert.ok(refused !== undefined);
  // A held message does not settle, so this answers when its wait is over.
  const owner = await newKey(house, { scopes: ['mail:send', 'messages:read'] });
  const held = await send(owner.secret, { to: (await newPaused(house)).address, body: 'Held' });
  await api('GET', `/mail/messages/${held.body.id}?wait=${refused.headers.get('retry-after')}`, { key: owner.secret });
  assert.equal((await send(secret, { to: hello, body: 'Hi' })).status, 202);
});

test('reading is not counted as sending', async () => {
  const secret = await key();
  for (let i = 0; i < 20; i++) assert.equal((await api('GET', '/me', { key: secret })).status, 200);
  assert.equal((await send(secret, { to: hello, body: 'Hi' })).status, 202);
});

test('the rate comes after the key and its scope, and before the media type, the size and the JSON', async () => {
  const secret = await key();
  for (let i = 0; i < 5; i++) await send(secret, { to: hello, body: 'Hi' });
  for (const ask of [
    { raw: 'Hi', headers: { 'content-type': 'text/plain' } },
    { raw: `{${'x'.repeat(5_000)}` },
    { raw: '{' },
    { body: {} },
  ]) {
    isProblem(await api('POST', '/mail/send', { ...ask, key: secret }), 'rate_limited');
    isProblem(await api('POST', '/mail/send', ask), 'missing_key');
  }
});

test('a guest tries so many a minute', async () => {
  const ip = fresh();
  const remaining: number[] = [];
  for (let i = 0; i < 3; i++) {
    const answer = await tryOut({ to: hello, body: 'Hi' }, from(ip));
    assert.equal(answer.status, 200, answer.text);
    remaining.push(Math.min(...counted(answer, { q: 3, w: 60 })));
  }
  assert.deepEqual(remaining, [2, 1, 0]);
  const refused = await tryOut({ to: hello, body: 'Hi' }, from(ip));
  isProblem(refused, 'rate_limited');
  counted(refused, { q: 3, w: 60 });
  assert.equal(
    (await tryOut({ to: hello, body: 'Hi' }, from(fresh()))).status,
    200,
    'another address is not concerned',
  );
});

test('guests behind one IPv6 /64 are one guest, behind two they are two', async () => {
  for (let i = 1; i <= 3; i++) {
    assert.equal((await tryOut({ to: hello, body: 'Hi' }, from(`2001:db8:1:1::${i}`))).status, 200);
  }
  isProblem(await tryOut({ to: hello, body: 'Hi' }, from('2001:db8:1:1:ffff::9')), 'rate_limited');
  isProblem(await tryOut({ to: hello, body: 'Hi' }, from('2001:0DB8:0001:0001:0:0:0:1')), 'rate_limited');
  assert.equal((await tryOut({ to: hello, body: 'Hi' }, from('2001:db8:1:2::1'))).status, 200);
});

test('an IPv4 address is the same guest when it is written as IPv6', async () => {
  const ip = fresh();
  for (let i = 0; i < 3; i++) await tryOut({ to: hello, body: 'Hi' }, from(ip));
  isProblem(await tryOut({ to: hello, body: 'Hi' }, from(`::ffff:${ip}`)), 'rate_limited');
});

test('only what the proxy itself added of X-Forwarded-For is believed', async () => {
  const ip = fresh();
  for (let i = 0; i < 3; i++) {
    assert.equal((await tryOut({ to: hello, body: 'Hi' }, from(`198.51.100.${i}, ${ip}`))).status, 200);
  }
  isProblem(await tryOut({ to: hello, body: 'Hi' }, from(`198.51.100.77, ${ip}`)), 'rate_limited');
});

test('an address makes so many namespaces an hour', async () => {
  const ip = fresh();
  for (let i = 0; i < 2; i++) {
    const answer = await make(ip);
    assert.equal(answer.status, 201, answer.text);
    counted(answer, { q: 2, w: 3600 });
  }
  isProblem(await make(ip), 'rate_limited');
  assert.equal((await make(fresh())).status, 201);
});

test('a mailbox holds so many that wait, then takes no more', async () => {
  const mailbox = await newPaused(house);
  const secret = await key();
  for (let i = 0; i < 3; i++) assert.equal((await send(secret, { to: mailbox.address, body: 'Hi' })).status, 202);
  isProblem(await send(secret, { to: mailbox.address, body: 'Hi' }), 'mailbox_full');
  isProblem(await send(await key(), { to: mailbox.address, body: 'Hi', sync: true }), 'mailbox_full');
  isProblem(await tryOut({ to: mailbox.address, body: 'Hi' }, from(fresh())), 'mailbox_full');
  const other = await newMailbox(house);
  assert.equal((await send(await key(), { to: other.address, body: 'Hi' })).status, 202);
});

test('what was canceled or answered makes room again', async () => {
  const mailbox = await newPaused(house);
  const secret = await key();
  const held: string[] = [];
  for (let i = 0; i < 3; i++) held.push((await send(secret, { to: mailbox.address, body: 'Hi' })).body.id);
  isProblem(await send(secret, { to: mailbox.address, body: 'Hi' }), 'mailbox_full');
  assert.equal((await api('POST', `/mail/messages/${held[0]}/cancel`, { key: secret })).status, 200);
  assert.equal((await send(secret, { to: mailbox.address, body: 'Hi' })).status, 202);
});

test('every size is a setting', async () => {
  const secret = await key();
  assert.equal((await send(secret, { to: hello, body: 'x'.repeat(1_024) })).status, 202);
  isProblem(await send(secret, { to: hello, body: 'x'.repeat(1_025) }), 'body_too_large');
  isProblem(await send(secret, { to: hello, body: 'Hi', data: 'x'.repeat(300) }), 'body_too_large');
  isProblem(await send(secret, { to: hello, body: 'x'.repeat(5_000) }), 'body_too_large');
  const ip = fresh();
  assert.equal((await tryOut({ to: hello, body: 'x'.repeat(512) }, from(ip))).status, 200);
  isProblem(await tryOut({ to: hello, body: 'x'.repeat(513) }, from(ip)), 'body_too_large');
});

test('a stranger who is not a proxy is not believed', async () => {
  await using plain = await serveInside({
    env: { RATE_LIMITS: 'on', LIMIT_TRIES_PER_MINUTE: '3' },
  });
  const there = connect(plain.url);
  for (let i = 0; i < 3; i++) {
    assert.equal((await there.tryOut({ to: hello, body: 'Hi' }, from(`198.51.100.${i}`))).status, 200);
  }
  isProblem(await there.tryOut({ to: hello, body: 'Hi' }, from('198.51.100.99')), 'rate_limited');
});

test('with RATE_LIMITS=off nothing is counted, and sizes still are', async () => {
  await using free = await serveInside({
    env: { LIMIT_TRIES_PER_MINUTE: '1', LIMIT_SENDS_BURST: '1', LIMIT_NAMESPACES_PER_HOUR: '1' },
  });
  const there = connect(free.url);
  const home = await there.newNamespace();
  await there.newNamespace();
  const { address: to } = await there.newMailbox(home, { behavior: HELLO });
  for (let i = 0; i < 5; i++) {
    assert.equal((await there.send(home.key, { to, body: 'Hi' })).status, 202);
    assert.equal((await there.tryOut({ to, body: 'Hi' })).status, 200);
  }
  isProblem(await there.tryOut({ to, body: 'x'.repeat(9_000) }), 'body_too_large');
});

test('a name that is taken or cannot be one uses up no namespace', async () => {
  const ip = fresh();
  for (const name of ['agents', 'www', '-', 'agents', 'AGENTS']) {
    const answer = await api('POST', '/namespaces', { body: { name }, headers: from(ip) });
    assert.ok(answer.status === 409 || answer.status === 422, answer.text);
    assert.equal(answer.headers.get('ratelimit'), null);
  }
  assert.equal((await make(ip)).status, 201);
  assert.equal((await make(ip)).status, 201);
  isProblem(await make(ip), 'rate_limited');
});
