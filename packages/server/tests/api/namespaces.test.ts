import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import {
  type Envelope,
  idOf,
  type KeyWithSecret,
  MAIL_DOMAIN,
  type Mailbox,
  type Namespace,
  type Page,
  SECRET,
  TIME,
} from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, newKey, send, read, all, change } = connect(service.url);

interface Made {
  namespace: Namespace;
  key: KeyWithSecret;
}

const RESERVED = `www api admin mail smtp imap pop mx ns root support security status docs static assets auth oidc oauth
  mcp a2a new console login logout account settings events export problems livez readyz metrics robots sitemap llms
  well-known public try share help about terms privacy report ard search python skills`.split(/\s+/);

test('anyone makes a namespace and gets its owner key', async () => {
  const name = unique();
  const made = await api<Made>('POST', '/namespaces', { body: { name, display_name: 'Ada & Söhne' } });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(Object.keys(made.body).sort(), ['key', 'namespace']);
  const { namespace, key } = made.body;
  assert.equal(namespace.name, name);
  assert.equal(namespace.display_name, 'Ada & Söhne');
  assert.match(namespace.id, idOf('ns'));
  assert.match(namespace.created_at, TIME);
  assert.match(key.id, idOf('key'));
  assert.match(key.secret, SECRET);
  assert.deepEqual(key.scopes, ['owner']);
  assert.equal(key.mailbox, null);
  assert.equal((await api('GET', '/me', { key: key.secret })).status, 200);
});

test('a secret ends with the base 62 CRC-32 of what stands before it', async () => {
  const { key } = await newNamespace();
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let value = 0;
  for (const submission of key.slice(-6)) value = value * 62 + alphabet.indexOf(submission);
  assert.equal(value, crc32(key.slice(0, -6)));
});

test('a namespace needs no display name', async () => {
  const { name } = await newNamespace();
  const got = await api<Namespace & { mailboxes: Mailbox[] }>('GET', `/namespaces/${name}`);
  assert.equal(got.status, 200);
  assert.deepEqual(Object.keys(got.body).sort(), ['created_at', 'display_name', 'id', 'mailboxes', 'name']);
  assert.equal(got.body.display_name, null);
  assert.deepEqual(got.body.mailboxes, []);
});

test('a name is kept in lower case and found in any', async () => {
  const name = unique();
  const made = await api<Made>('POST', '/namespaces', { body: { name: name.toUpperCase() } });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.namespace.name, name);
  isProblem(await api('POST', '/namespaces', { body: { name } }), 'namespace_taken');
  isProblem(await api('POST', '/namespaces', { body: { name: name.toUpperCase() } }), 'namespace_taken');
});

for (const name of ['ab', 'a1', '1a', '0-0', `a${'b'.repeat(62)}`, 'a-b-c', 'abc--d']) {
  test(`"${name}" is a namespace`, async () => {
    const made = await api<Made>('POST', '/namespaces', { body: { name } });
    assert.equal(made.status, 201, made.text);
    assert.equal((await api('DELETE', `/namespaces/${name}`, { key: made.body.key.secret })).status, 204);
  });
}

test('what is no DNS label is no namespace', async () => {
  const wrong = [
    '',
    'a',
    `a${'b'.repeat(63)}`,
    '-ab',
    'ab-',
    'ab--cd',
    'xn--abc',
    'a_b',
    'a.b',
    'a b',
    'äb',
    'a/b',
    'a@b',
    'ab\n',
  ];
  for (const name of wrong) {
    isProblem(await api('POST', '/namespaces', { body: { name } }), 'validation_error', '/name');
  }
});

test('reserved names are refused, in any case', async () => {
  for (const name of RESERVED) {
    isProblem(await api('POST', '/namespaces', { body: { name } }), 'validation_error', '/name');
    assert.notEqual((await api('GET', `/namespaces/${name}`)).status, 200, name);
  }
  isProblem(await api('POST', '/namespaces', { body: { name: 'WWW' } }), 'validation_error', '/name');
});

test('the reference names the reserved names', async () => {
  const { paths } = (
    await api<Record<'paths', Record<string, { post: { description: string } }>>>('GET', '/openapi.json')
  ).body;
  const { description } = paths['/api/v1/namespaces']?.post ?? { description: '' };
  const named = /Reserved names: ([^.]+)\./.exec(description)?.[1]?.split(', ');
  assert.deepEqual(named, [...RESERVED].sort());
});

test('a request for a namespace is checked field by field', async () => {
  const name = unique();
  isProblem(await api('POST', '/namespaces', { body: {} }), 'validation_error', '/name');
  isProblem(await api('POST', '/namespaces', { body: { name: 5 } }), 'validation_error', '/name');
  isProblem(await api('POST', '/namespaces', { body: { name, nmae: 'x' } }), 'validation_error', '/nmae');
  isProblem(await api('POST', '/namespaces', { body: { name, display_name: 7 } }), 'validation_error', '/display_name');
  isProblem(await api('GET', `/namespaces/${name}`), 'namespace_not_found');
});

test('a wrong key is refused on public endpoints too', async () => {
  const name = unique();
  const key = `mr_live_${'x'.repeat(46)}`;
  isProblem(await api('POST', '/namespaces', { key, body: { name } }), 'invalid_key');
  isProblem(await api('GET', `/namespaces/${name}`, { key }), 'invalid_key');
  isProblem(await api('GET', `/namespaces/${name}`), 'namespace_not_found');
});

test('a namespace shows the first 50 listed mailboxes, and none that is not listed', async () => {
  const home = await newNamespace();
  await newMailbox(home, { local_part: 'aaa-hidden', visibility: 'unlisted' });
  await Promise.all(Array.from({ length: 52 }, (_, i) => newMailbox(home, { local_part: `box${i}` })));
  const shown = (await api<{ mailboxes: Mailbox[] }>('GET', `/namespaces/${home.name}`)).body.mailboxes;
  assert.equal(shown.length, 50);
  assert.ok(shown.every((mailbox) => mailbox.visibility === 'listed' && mailbox.behavior.settings === undefined));
});

test('the mailboxes of a namespace: the listed ones for all, every one for its own keys', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  await newMailbox(home, { local_part: 'open' });
  await newMailbox(home, { local_part: 'quiet', visibility: 'unlisted' });
  const reader = await newKey(home, { scopes: ['messages:read'] });
  const seen = async (key?: string) =>
    (await all<Mailbox>(`/namespaces/${home.name}/mailboxes`, key)).map((mailbox) => mailbox.local_part).sort();
  assert.deepEqual(await seen(), ['open']);
  assert.deepEqual(await seen(stranger.key), ['open']);
  assert.deepEqual(await seen(home.key), ['open', 'quiet']);
  assert.deepEqual(await seen(reader.secret), ['open', 'quiet']);
});

test('only its owner changes a namespace', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const path = `/namespaces/${home.name}`;
  const body = { display_name: 'New name' };
  isProblem(await api('PATCH', path, { body }), 'missing_key');
  const writer = await newKey(home, { scopes: ['mailboxes:write', 'keys:write'] });
  isProblem(await api('PATCH', path, { key: writer.secret, body }), 'insufficient_scope');
  isProblem(await api('DELETE', path, { key: writer.secret }), 'insufficient_scope');
  isOneOf(await api('PATCH', path, { key: stranger.key, body }), 'access_denied', 'insufficient_scope');
  isOneOf(await api('DELETE', path, { key: stranger.key }), 'access_denied', 'insufficient_scope');
  const changed = await api<Namespace>('PATCH', path, { key: home.key, body });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.display_name, 'New name');
  assert.equal((await api<Namespace>('GET', path)).body.display_name, 'New name');
  isProblem(await api('PATCH', path, { key: home.key, body: { name: 'other' } }), 'validation_error', '/name');
  isProblem(
    await api('PATCH', path, { key: home.key, body: { display_name: 1 } }),
    'validation_error',
    '/display_name',
  );
  isProblem(await api('PATCH', '/namespaces/never-was', { key: home.key, body }), 'namespace_not_found');
  const cleared = await api<Namespace>('PATCH', path, { key: home.key, body: { display_name: null } });
  assert.equal(cleared.body.display_name, null, cleared.text);
});

test('a deleted namespace is gone, with its keys, and its name stays taken', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const other = await newKey(home, { scopes: ['mail:send'] });
  const deleted = await api('DELETE', `/namespaces/${home.name}`, { key: home.key });
  assert.equal(deleted.status, 204, deleted.text);
  isProblem(await api('GET', '/me', { key: home.key }), 'invalid_key');
  isProblem(await api('GET', '/me', { key: other.secret }), 'invalid_key');
  isProblem(await api('GET', `/namespaces/${home.name}`), 'namespace_gone');
  isProblem(await api('GET', `/namespaces/${home.name}/mailboxes`), 'namespace_gone');
  isOneOf(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_gone', 'namespace_gone');
  isProblem(await api('POST', '/namespaces', { body: { name: home.name } }), 'namespace_taken');
  assert.deepEqual(await all(`/mailboxes?namespace=${home.name}`), []);
});

test('a deleted namespace takes along what its mailboxes received and answered', async () => {
  const home = await newNamespace();
  const sender = await newNamespace();
  const mailbox = await newMailbox(home);
  const sent = await send(sender.key, { to: mailbox.address, body: 'Who are you?', sync: true });
  assert.equal(sent.body.status, 'completed', sent.text);
  const held = await newPaused(home);
  const waiting = await send(sender.key, { to: held.address, body: 'Later?' });
  assert.equal((await api('DELETE', `/namespaces/${home.name}`, { key: home.key })).status, 204);
  isProblem(await read(sender.key, sent.body.id), 'message_not_found');
  isProblem(await read(sender.key, waiting.body.id), 'message_not_found');
  isOneOf(
    await api('GET', `/mail/threads/${sent.body.thread_id}`, { key: sender.key }),
    'message_not_found',
    'not_found',
  );
  assert.deepEqual(await all('/mail/messages', sender.key), []);
  isOneOf(await send(sender.key, { to: mailbox.address, body: 'Hello?' }), 'mailbox_gone', 'namespace_gone');
});

test('what a deleted namespace sent stays with its recipients, the sender blanked', async () => {
  const home = await newNamespace();
  const receiver = await newNamespace();
  const mailbox = await newMailbox(receiver);
  const ownMailbox = await newMailbox(home);
  const asKey = await send(home.key, { to: mailbox.address, body: 'From a key', sync: true });
  const asMailbox = await send(home.key, {
    to: mailbox.address,
    body: 'From a mailbox',
    from: ownMailbox.address,
    sync: true,
  });
  assert.equal((await api('DELETE', `/namespaces/${home.name}`, { key: home.key })).status, 204);
  for (const keyBefore of [asKey, asMailbox]) {
    const after = await read(receiver.key, keyBefore.body.id);
    assert.equal(after.status, 200, after.text);
    assert.equal(after.body.body, keyBefore.body.body);
    assert.equal(after.body.reply?.body, keyBefore.body.reply?.body);
    assert.equal(after.body.sender.id, null);
    assert.equal(after.body.from, null);
    assert.ok(!after.text.includes(home.name), 'nothing names the deleted namespace');
  }
  assert.equal((await all<Envelope>(`/mailboxes/${mailbox.address}/messages`, receiver.key)).length, 2);
});

test('repeating the request for a namespace while its key is unused makes a new secret', async () => {
  const body = { name: unique() };
  const headers = { 'idempotency-key': unique() };
  const first = await api<Made>('POST', '/namespaces', { body, headers });
  const second = await api<Made>('POST', '/namespaces', { body, headers });
  assert.equal(second.status, 201, second.text);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal(second.body.namespace.id, first.body.namespace.id);
  assert.equal(second.body.key.id, first.body.key.id);
  assert.match(second.body.key.secret, SECRET);
  assert.notEqual(second.body.key.secret, first.body.key.secret);
  isProblem(await api('GET', '/me', { key: first.body.key.secret }), 'invalid_key');
  assert.equal((await api('GET', '/me', { key: second.body.key.secret })).status, 200);
});

test('repeating it once the key was used shows no secret and changes none', async () => {
  const body = { name: unique() };
  const headers = { 'idempotency-key': unique() };
  const first = await api<Made>('POST', '/namespaces', { body, headers });
  const { secret } = first.body.key;
  assert.equal((await api('GET', '/me', { key: secret })).status, 200);
  const again = await api('POST', '/namespaces', { body, headers });
  assert.ok(!/mr_live_[0-9A-Za-z]{46}/.test(again.text), 'no secret in the answer');
  assert.equal((await api('GET', '/me', { key: secret })).status, 200);
});

test('a request for a namespace by another caller is refused whatever its idempotency key', async () => {
  const headers = { 'idempotency-key': unique() };
  const name = unique();
  assert.equal((await api('POST', '/namespaces', { body: { name }, headers })).status, 201);
  isProblem(await api('POST', '/namespaces', { body: { name } }), 'namespace_taken');
  isProblem(
    await api('POST', '/namespaces', { body: { name }, headers: { 'idempotency-key': unique() } }),
    'namespace_taken',
  );
  isProblem(await api('POST', '/namespaces', { body: { name: unique() }, headers }), 'idempotency_mismatch');
});

test('of 50 who ask for one name at once, one gets it', async () => {
  const name = unique();
  const answers = await Promise.all(Array.from({ length: 50 }, () => api('POST', '/namespaces', { body: { name } })));
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  for (const answer of answers.filter((one) => one.status !== 201)) isProblem(answer, 'namespace_taken');
});

test('the house namespace has its four mailboxes, listed', async () => {
  const house = await api<Namespace & { mailboxes: Mailbox[] }>('GET', '/namespaces/agents');
  assert.deepEqual(house.body.mailboxes.map((mailbox) => mailbox.address).sort(), [
    `auth@agents.${MAIL_DOMAIN}`,
    `do@agents.${MAIL_DOMAIN}`,
    `hello@agents.${MAIL_DOMAIN}`,
    `proofread@agents.${MAIL_DOMAIN}`,
  ]);
  for (const mailbox of house.body.mailboxes) {
    assert.equal(mailbox.status, 'online');
    assert.equal(mailbox.visibility, 'listed');
    assert.notEqual(mailbox.description, '', mailbox.address);
  }
});

test('the owner key of the house is an owner', async () => {
  const changed = await api<Namespace>('PATCH', '/namespaces/agents', {
    key: service.ownerKey,
    body: { display_name: 'Agents' },
  });
  assert.equal(changed.status, 200, changed.text);
});

test('a list of mailboxes of an unknown namespace is a problem', async () => {
  isProblem(await api<Page<Mailbox>>('GET', '/namespaces/never-was/mailboxes'), 'namespace_not_found');
  isProblem(await api<Page<Mailbox>>('GET', '/namespaces/never-was'), 'namespace_not_found');
});

test('a namespace that was deleted takes no new mailbox and no new key', async () => {
  const home = await newNamespace();
  assert.equal((await api('DELETE', `/namespaces/${home.name}`, { key: home.key })).status, 204);
  isProblem(
    await api('POST', `/namespaces/${home.name}/mailboxes`, {
      key: home.key,
      body: { local_part: 'a', behavior: HELLO },
    }),
    'invalid_key',
  );
  isProblem(await api('POST', '/keys', { key: home.key, body: { scopes: ['mail:send'] } }), 'invalid_key');
  isProblem(await api('DELETE', `/namespaces/${home.name}`, { key: home.key }), 'invalid_key');
});

test('deleting one namespace leaves every other as it was', async () => {
  const gone = await newNamespace();
  const stays = await newNamespace();
  const mailbox = await newMailbox(stays);
  await newMailbox(gone);
  const sent = await send(stays.key, { to: mailbox.address, body: 'This is fine.', sync: true });
  assert.equal((await api('DELETE', `/namespaces/${gone.name}`, { key: gone.key })).status, 204);
  assert.equal((await read(stays.key, sent.body.id)).status, 200);
  assert.equal((await change(stays.key, mailbox.address, { description: 'Still here' })).description, 'Still here');
});
