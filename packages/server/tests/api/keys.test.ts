import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { slowness } from '../../../../tests/harness/soon.ts';
import {
  type Envelope,
  idOf,
  type Key,
  type KeyWithSecret,
  type Mailbox,
  SCOPES,
  SECRET,
  TIME,
} from '../../../../tests/harness/wire.ts';
import { newSecret } from '../../core/entities/key.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, newKey, send, tryOut, read, all } = connect(service.url);

test('a key is made with its secret, which is shown nowhere else', async () => {
  const home = await newNamespace();
  const created = await api<KeyWithSecret>('POST', '/keys', {
    key: home.key,
    body: { scopes: ['mail:send', 'messages:read'], name: 'Backup', expires_at: '2999-01-01T00:00:00Z' },
  });
  assert.equal(created.status, 201, created.text);
  assert.match(created.body.secret, SECRET);
  assert.match(created.body.id, idOf('key'));
  assert.match(created.body.created_at, TIME);
  assert.deepEqual([...created.body.scopes].sort(), ['mail:send', 'messages:read']);
  assert.equal(created.body.name, 'Backup');
  assert.equal(created.body.mailbox, null);
  assert.equal(created.body.expires_at, '2999-01-01T00:00:00.000Z');
  assert.equal(created.body.last_used_at, null);
  const list = await api('GET', '/keys', { key: home.key });
  assert.ok(list.text.includes(created.body.id));
  assert.ok(!list.text.includes(created.body.secret.slice(16)), 'no secret in a list');
  assert.ok(!/"secret"/.test(list.text), 'no field "secret" in a list');
});

test('a key says what it is', async () => {
  const home = await newNamespace();
  const key = await newKey(home, { scopes: ['auth:assert'], name: 'Signs in' });
  const me = await api<{ key: Key; namespace: unknown; scopes: string[]; claimed: boolean }>('GET', '/me', {
    key: key.secret,
  });
  assert.equal(me.status, 200, me.text);
  assert.equal(me.body.key.id, key.id);
  assert.deepEqual(me.body.scopes, ['auth:assert']);
  assert.ok(JSON.stringify(me.body.namespace).includes(home.name));
  assert.equal(me.body.claimed, false);
  assert.ok(!me.text.includes(key.secret.slice(16)), 'not its secret');
});

test('every scope opens its own endpoints and no other', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const spare = await newMailbox(home);
  const throwaway = await newKey(home, { scopes: ['auth:assert'] });
  const box = `/mailboxes/${mailbox.address}`;
  // The owner comes last, for requests that succeed only once.
  const rows: [string, string, string, unknown, number][] = [
    ['mail:send', 'POST', '/mail/send', { to: mailbox.address, body: 'Hi' }, 202],
    ['messages:read', 'GET', '/mail/messages', undefined, 200],
    ['messages:read', 'GET', `${box}/messages`, undefined, 200],
    ['mailboxes:write', 'POST', `/namespaces/${home.name}/mailboxes`, { local_part: '*', behavior: HELLO }, 201],
    ['mailboxes:write', 'PATCH', box, { description: 'x' }, 200],
    ['mailboxes:write', 'DELETE', `/mailboxes/${spare.address}`, undefined, 204],
    ['keys:write', 'GET', '/keys', undefined, 200],
    ['keys:write', 'POST', '/keys', { scopes: ['keys:write'] }, 201],
    ['keys:write', 'DELETE', `/keys/${throwaway.id}`, undefined, 204],
    ['owner', 'PATCH', `/namespaces/${home.name}`, { display_name: 'x' }, 200],
    ['owner', 'DELETE', `/namespaces/${home.name}`, undefined, 204],
  ];
  const keys = new Map<string, string>();
  for (const scope of SCOPES) keys.set(scope, (await newKey(home, { scopes: [scope] })).secret);
  for (const [needed, method, path, body, status] of rows) {
    const fresh = () =>
      JSON.parse(JSON.stringify(body ?? null).replace('"*"', `"${unique('m')}"`)) as Record<string, unknown> | null;
    for (const scope of SCOPES.filter((one) => one !== needed && one !== 'owner')) {
      const answer = await api(method, path, { key: keys.get(scope), body: fresh() ?? undefined });
      assert.equal(answer.status, 403, `${scope} at ${method} ${path}: ${answer.text}`);
      isProblem(answer, 'insufficient_scope');
    }
    const answer = await api(method, path, { key: keys.get(needed), body: fresh() ?? undefined });
    assert.equal(answer.status, status, `${needed} at ${method} ${path}: ${answer.text}`);
  }
});

test('owner implies every scope', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const owner = await newKey(home, { scopes: ['owner'] });
  assert.equal((await send(owner.secret, { to: mailbox.address, body: 'Hi' })).status, 202);
  assert.equal((await api('GET', '/mail/messages', { key: owner.secret })).status, 200);
  assert.equal((await api('GET', '/keys', { key: owner.secret })).status, 200);
  for (const scope of SCOPES) await newKey({ ...home, key: owner.secret }, { scopes: [scope] });
});

test('every key may ask what it is', async () => {
  const home = await newNamespace();
  for (const scope of SCOPES) {
    const key = await newKey(home, { scopes: [scope] });
    assert.equal((await api('GET', '/me', { key: key.secret })).status, 200, scope);
  }
  isProblem(await api('GET', '/me'), 'missing_key');
});

test('a key may be made for a number of days, and a repeated request for it is the same one', async () => {
  const home = await newNamespace();
  const startedAt = Date.now();
  const headers = { 'idempotency-key': unique('days') };
  const make = (body: unknown) => api<KeyWithSecret>('POST', '/keys', { key: home.key, body, headers });
  const created = await make({ scopes: ['mail:send'], expires_in_days: 30 });
  assert.equal(created.status, 201, created.text);
  const end = Date.parse(created.body.expires_at ?? '') - 30 * 86_400_000;
  assert.ok(end >= startedAt && end <= Date.now(), created.text);
  const again = await make({ scopes: ['mail:send'], expires_in_days: 30 });
  assert.equal(again.body.id, created.body.id, again.text);
  const both = { scopes: ['mail:send'], expires_in_days: 1, expires_at: '2999-01-01T00:00:00Z' };
  isProblem(await api('POST', '/keys', { key: home.key, body: both }), 'validation_error');
});

test('no key makes a key that may do more', async () => {
  const home = await newNamespace();
  const maker = await newKey(home, { scopes: ['keys:write', 'mail:send'] });
  const make = (body: unknown) => api<KeyWithSecret>('POST', '/keys', { key: maker.secret, body });
  for (const scope of ['messages:read', 'mailboxes:write', 'auth:assert', 'owner']) {
    isProblem(await make({ scopes: [scope] }), 'insufficient_scope');
    isProblem(await make({ scopes: ['mail:send', scope] }), 'insufficient_scope');
  }
  for (const scopes of [['mail:send'], ['keys:write'], ['mail:send', 'keys:write']]) {
    const made = await make({ scopes });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([...made.body.scopes].sort(), scopes.sort());
  }
});

test('no key makes a key that lasts longer', async () => {
  const home = await newNamespace();
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const sooner = new Date(Date.now() + 1_800_000).toISOString();
  const later = new Date(Date.now() + 7_200_000).toISOString();
  const maker = await newKey(home, { scopes: ['keys:write'], expires_at: soon });
  const make = (body: unknown) => api<KeyWithSecret>('POST', '/keys', { key: maker.secret, body });
  isOneOf(await make({ scopes: ['keys:write'], expires_at: later }), 'insufficient_scope', 'validation_error');
  const made = await make({ scopes: ['keys:write'], expires_at: sooner });
  assert.equal(made.status, 201, made.text);
  // Without an expiry the key is refused or ends no later than the key that made it.
  const open = await make({ scopes: ['keys:write'] });
  if (open.status === 201) assert.ok(open.body.expires_at !== null && open.body.expires_at <= soon, open.text);
  else isOneOf(open, 'insufficient_scope', 'validation_error');
});

test('a key bound to a mailbox makes no key beyond that mailbox', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const other = await newMailbox(home);
  const maker = await newKey(home, { scopes: ['keys:write', 'mail:send'], mailbox: mailbox.address });
  const make = (body: unknown) => api<KeyWithSecret>('POST', '/keys', { key: maker.secret, body });
  isOneOf(await make({ scopes: ['mail:send'], mailbox: other.address }), 'insufficient_scope', 'sender_not_allowed');
  const open = await make({ scopes: ['mail:send'] });
  if (open.status === 201) assert.equal(open.body.mailbox, mailbox.address, open.text);
  else isOneOf(open, 'insufficient_scope', 'sender_not_allowed');
  const made = await make({ scopes: ['mail:send'], mailbox: mailbox.address });
  assert.equal(made.status, 201, made.text);
});

test('a key bound to a mailbox is not shown, and does not stop, the keys beyond it', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const maker = await newKey(home, { scopes: ['keys:write'], mailbox: mailbox.address });
  const answer = await api('DELETE', `/keys/${home.keyId}`, { key: maker.secret });
  assert.ok(answer.status === 403 || answer.status === 404, `a bound key stopped the owner's: ${answer.status}`);
  assert.equal((await api('GET', '/me', { key: home.key })).status, 200);
});

test('a request for a key is checked field by field', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const foreign = await newMailbox(stranger);
  const make = (body: unknown) => api('POST', '/keys', { key: home.key, body });
  const scopes = ['mail:send'];
  const wrong: [string, unknown][] = [
    ['/scopes', {}],
    ['/scopes', { scopes: [] }],
    ['/scopes', { scopes: 'mail:send' }],
    ['/scopes/0', { scopes: ['mail:read'] }],
    ['/scopes/1', { scopes: ['mail:send', 5] }],
    ['/name', { scopes, name: 5 }],
    ['/expires_at', { scopes, expires_at: 'tomorrow' }],
    ['/expires_at', { scopes, expires_at: 4_102_444_800 }],
    ['/expires_at', { scopes, expires_at: '2020-01-01T00:00:00Z' }],
    ['/expires_at', { scopes, expires_at: '2026-13-45T00:00:00Z' }],
    ['/mailbox', { scopes, mailbox: 'no address' }],
    ['/secret', { scopes, secret: 'mine' }],
  ];
  for (const [pointer, body] of wrong) isProblem(await make(body), 'validation_error', pointer);
  isOneOf(
    await make({ scopes, mailbox: foreign.address }),
    'validation_error',
    'mailbox_not_found',
    'sender_not_allowed',
    'access_denied',
  );
  assert.equal((await all('/keys', home.key)).length, 1);
});

test('a revoked key stops working at once', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const key = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
  const sent = await send(key.secret, { to: mailbox.address, body: 'Hi', sync: true });
  assert.equal(sent.status, 200);
  const revoked = await api('DELETE', `/keys/${key.id}`, { key: home.key });
  assert.equal(revoked.status, 204, revoked.text);
  isProblem(await send(key.secret, { to: mailbox.address, body: 'Hi' }), 'invalid_key');
  isProblem(await send(key.secret, { to: mailbox.address, body: 'Hi', sync: true }), 'invalid_key');
  isProblem(await read(key.secret, sent.body.id), 'invalid_key');
  isProblem(await api('GET', '/me', { key: key.secret }), 'invalid_key');
  isProblem(await api('GET', '/behaviors', { key: key.secret }), 'invalid_key');
  assert.equal((await read(home.key, sent.body.id)).status, 200, 'what it sent stays');
  assert.ok(!(await all<Key>('/keys', home.key)).some((one) => one.id === key.id));
});

test('under load, nothing sent after the answer to a revocation is accepted', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  for (let round = 0; round < 5; round++) {
    const key = await newKey(home, { scopes: ['mail:send'] });
    let revoked = false;
    const late: string[] = [];
    const loops = Array.from({ length: 8 }, async () => {
      for (;;) {
        const after = revoked;
        const answer = await send(key.secret, { to: mailbox.address, body: 'Hi', sync: true });
        if (answer.status === 401) return;
        if (after) late.push(answer.text);
      }
    });
    await send(key.secret, { to: mailbox.address, body: 'Hi', sync: true });
    assert.equal((await api('DELETE', `/keys/${key.id}`, { key: home.key })).status, 204);
    revoked = true;
    await Promise.all(loops);
    assert.deepEqual(late, []);
  }
});

test('an owner stops a key of its own namespace only', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const key = await newKey(home, { scopes: ['mail:send'] });
  isProblem(await api('DELETE', `/keys/${key.id}`, { key: stranger.key }), 'not_found');
  isProblem(await api('DELETE', '/keys/key_00000000000000000000', { key: home.key }), 'not_found');
  isProblem(await api('DELETE', '/keys/nonsense', { key: home.key }), 'not_found');
  assert.equal((await api('GET', '/me', { key: key.secret })).status, 200);
  assert.ok(!JSON.stringify(await all('/keys', stranger.key)).includes(key.id));
});

test('an expired key stops working', async () => {
  const home = await newNamespace();
  const held = await send(home.key, { to: (await newPaused(home)).address, body: 'Held' });
  // Enough time for a busy machine to use the key before.
  const end = Date.now() + Math.ceil(1_500 * (await slowness()));
  const key = await newKey(home, { scopes: ['owner'], expires_at: new Date(end).toISOString() });
  assert.equal((await api('GET', '/me', { key: key.secret })).status, 200);
  // A held message does not settle, so this request answers after a second.
  while (Date.now() <= end) assert.equal((await read(home.key, held.body.id, '?wait=1')).body.status, 'submitted');
  isProblem(await api('GET', '/me', { key: key.secret }), 'invalid_key');
  isProblem(await api('GET', '/behaviors', { key: key.secret }), 'invalid_key');
});

test('a key shows when it was last used', async () => {
  const home = await newNamespace();
  const held = await send(home.key, { to: (await newPaused(home)).address, body: 'Held' });
  const key = await newKey(home, { scopes: ['mail:send'] });
  const startedAt = Date.now();
  assert.equal((await api('GET', '/me', { key: key.secret })).status, 200);
  let used: string | null = null;
  for (let tries = 0; tries < 20 && used === null; tries++) {
    used = (await all<Key>('/keys', home.key)).find((one) => one.id === key.id)?.last_used_at ?? null;
    if (used === null) await read(home.key, held.body.id, '?wait=1');
  }
  assert.match(used ?? 'never', TIME);
  assert.ok(Math.abs(Date.parse(used ?? '') - startedAt) <= 90_000, `${used}`);
});

test('a key bound to a mailbox writes as that mailbox and as no other', async () => {
  const home = await newNamespace();
  const receiver = await newNamespace();
  const to = (await newMailbox(receiver)).address;
  const mailbox = await newMailbox(home);
  const other = await newMailbox(home);
  const key = await newKey(home, { scopes: ['mail:send', 'messages:read'], mailbox: mailbox.address.toUpperCase() });
  assert.equal(key.mailbox, mailbox.address);
  for (const fields of [{}, { from: mailbox.address }]) {
    const sent = await send(key.secret, { to, body: 'Hi', ...fields });
    assert.equal(sent.status, 202, sent.text);
    assert.equal(sent.body.from, mailbox.address);
    assert.deepEqual(sent.body.sender, { kind: 'mailbox', id: mailbox.id });
  }
  isProblem(await send(key.secret, { to, body: 'Hi', from: other.address }), 'sender_not_allowed');
});

test('a key bound to a mailbox reads that mailbox only', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const other = await newMailbox(home);
  const toOwn = await send(home.key, { to: mailbox.address, body: 'To own', sync: true });
  const toOther = await send(home.key, { to: other.address, body: 'To other', sync: true });
  const asOwn = await send(home.key, { to: other.address, body: 'As own', from: mailbox.address, sync: true });
  const key = await newKey(home, { scopes: ['messages:read', 'mail:send'], mailbox: mailbox.address });
  const received = await all<Envelope>(`/mailboxes/${mailbox.address}/messages`, key.secret);
  assert.ok(received.some((item) => item.id === toOwn.body.id));
  assert.equal((await read(key.secret, toOwn.body.id)).status, 200);
  assert.equal((await read(key.secret, asOwn.body.id)).status, 200);
  isProblem(await read(key.secret, toOther.body.id), 'message_not_found');
  isOneOf(
    await api('GET', `/mail/threads/${toOther.body.thread_id}`, { key: key.secret }),
    'message_not_found',
    'not_found',
  );
  isOneOf(
    await api('GET', `/mailboxes/${other.address}/messages`, { key: key.secret }),
    'access_denied',
    'insufficient_scope',
    'mailbox_not_found',
  );
  const sent = (await all<Envelope>('/mail/messages', key.secret)).map((item) => item.id);
  assert.deepEqual(sent, [asOwn.body.id]);
});

test('a key bound to a mailbox changes no other', async () => {
  const home = await newNamespace();
  const own = await newMailbox(home);
  const other = await newMailbox(home);
  const key = await newKey(home, { scopes: ['mailboxes:write'], mailbox: own.address });
  const answer = await api<Mailbox>('DELETE', `/mailboxes/${other.address}`, { key: key.secret });
  assert.ok(
    answer.status === 403 || answer.status === 404,
    `a key bound to one mailbox deleted another: ${answer.status}`,
  );
  assert.equal((await api('GET', `/mailboxes/${other.address}`)).status, 200);
});

test('a wrong key is refused, everywhere', async () => {
  const { key } = await newNamespace();
  const wrong = [
    `mr_live_${'a'.repeat(46)}`,
    newSecret().secret,
    `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    key.slice(0, -1),
    `${key}A`,
    key.toUpperCase(),
    key.slice(0, 16),
    'mr_live_',
    'x',
  ];
  for (const wrongKey of wrong) {
    isProblem(await api('GET', '/me', { key: wrongKey }), 'invalid_key');
    isProblem(await api('GET', '/mailboxes', { key: wrongKey }), 'invalid_key');
    isProblem(
      await tryOut({ to: 'hello@agents.mailroom.localhost', body: 'Hi' }, { authorization: `Bearer ${wrongKey}` }),
      'invalid_key',
    );
  }
});

test('the word Bearer is taken in any case, other schemes are not', async () => {
  const { key } = await newNamespace();
  for (const authorization of [`bearer ${key}`, `BEARER ${key}`, `Bearer  ${key}`]) {
    assert.equal((await api('GET', '/me', { headers: { authorization } })).status, 200, authorization.slice(0, 8));
  }
  for (const authorization of [`Basic ${btoa(`${key}:`)}`, key, `Token ${key}`, 'Bearer', 'Bearer ']) {
    isOneOf(await api('GET', '/me', { headers: { authorization } }), 'invalid_key', 'missing_key');
  }
});

test('neither a cookie nor the address bar authenticates', async () => {
  const { key } = await newNamespace();
  for (const name of ['key', 'api_key', 'session', 'Authorization', 'mr_session']) {
    isProblem(await api('GET', '/me', { headers: { cookie: `${name}=${key}` } }), 'missing_key');
  }
  isProblem(await api('GET', `/me?key=${key}&api_key=${key}&access_token=${key}`), 'missing_key');
  isProblem(await api('GET', '/me', { headers: { 'x-api-key': key } }), 'missing_key');
});

test('a key is made once per idempotency key', async () => {
  const home = await newNamespace();
  const ask = { key: home.key, body: { scopes: ['mail:send'] }, headers: { 'idempotency-key': unique() } };
  const first = await api<KeyWithSecret>('POST', '/keys', ask);
  const second = await api<KeyWithSecret>('POST', '/keys', ask);
  assert.equal(second.status, 201, second.text);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal(second.body.id, first.body.id);
  assert.equal((await all('/keys', home.key)).length, 2);
});
