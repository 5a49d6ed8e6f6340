import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope, KeyWithSecret, Namespace, TryEnvelope } from '../../../../tests/harness/wire.ts';

// A trusted proxy lets each test use any network.
const service = await serveInside({ env: { TRUST_PROXY: '127.0.0.1' } });
const { api, newNamespace, newMailbox, newPaused } = connect(service.url);

interface Made {
  readonly namespace: Namespace;
  readonly key: KeyWithSecret;
}
const SECRET = /mr_live_|mt_/;
const from = (ip: string, key: string) => ({ 'x-forwarded-for': ip, 'idempotency-key': key });
const [HERE, ELSEWHERE] = ['192.0.2.1', '198.51.100.7'];
const make = (name: string, headers: Record<string, string>) =>
  api<Made>('POST', '/namespaces', { body: { name }, headers });
const attempt = (to: string, headers: Record<string, string>) =>
  api<TryEnvelope>('POST', '/mail/try', { body: { to, body: 'Hi' }, headers });

const home = await newNamespace();
const { address: to } = await newMailbox(home);

test('a key that is easily guessed repeats from its own network, and gives a stranger elsewhere nothing', async () => {
  for (const key of ['1', 'retry', 'my-idempotency-key', '11111111111111', 'k'.repeat(255)]) {
    const name = unique();
    const first = await make(name, from(HERE, key));
    assert.equal(first.status, 201, first.text);
    assert.equal((await make(name, from(HERE, key))).body.namespace?.id, first.body.namespace.id);
    const stranger = await make(name, from(ELSEWHERE, key));
    isProblem(stranger, 'namespace_taken');
    assert.doesNotMatch(stranger.text, SECRET);
  }
  const [tried, again, other] = [
    await attempt(to, from(HERE, 'try-1')),
    await attempt(to, from(HERE, 'try-1')),
    await attempt(to, from(ELSEWHERE, 'try-1')),
  ];
  assert.equal(again.body.thread_token, tried.body.thread_token, again.text);
  assert.notEqual(other.body.id, tried.body.id);
});

test('a key of no or more than 255 characters is refused', async () => {
  for (const key of ['""', 'k'.repeat(256)]) {
    isProblem(await attempt(to, from(HERE, key)), 'validation_error', '/Idempotency-Key');
  }
});

test('with an API key any key of 1 to 255 characters is taken', async () => {
  const headers = { 'idempotency-key': '1' };
  const ask = { key: home.key, body: { to, body: 'Hi', sync: true }, headers };
  const [first, again] = [
    await api<Envelope>('POST', '/mail/send', ask),
    await api<Envelope>('POST', '/mail/send', ask),
  ];
  assert.equal(again.body.id, first.body.id, again.text);
});

test('a key that is not drawn repeats from its own network, and gives nobody elsewhere a secret', async () => {
  const name = unique();
  const key = 'signup-2026-11';
  const first = await make(name, from(HERE, key));
  isProblem(await make(name, from(ELSEWHERE, key)), 'namespace_taken');
  assert.equal((await api('GET', '/me', { key: first.body.key.secret ?? '' })).status, 200, 'it was not renewed');
  const tried = await attempt(to, from(HERE, key.replace('signup', 'trying')));
  const other = await attempt(to, from(ELSEWHERE, key.replace('signup', 'trying')));
  assert.notEqual(other.body.id, tried.body.id);
  assert.notEqual(other.body.thread_token, tried.body.thread_token);
  const again = await attempt(to, from(HERE, key.replace('signup', 'trying')));
  assert.equal(again.body.thread_token, tried.body.thread_token);
});

test('a UUID repeats from wherever its caller is by now, while the owner key is unused', async () => {
  const [name, key] = [unique(), randomUUID()];
  const first = await make(name, from(HERE, key));
  const again = await make(name, from(ELSEWHERE, key));
  assert.equal(again.body.key?.id, first.body.key.id, again.text);
  assert.match(again.body.key.secret ?? '', /^mr_live_/);
  const other = randomUUID();
  const [tried, later] = [await attempt(to, from(HERE, other)), await attempt(to, from(ELSEWHERE, other))];
  assert.deepEqual([later.body.id, later.body.thread_token], [tried.body.id, tried.body.thread_token], later.text);
});

test('threads of one network have keys of their own', async () => {
  const { address: held } = await newPaused(home);
  const cancel = (token: string, id: string) =>
    api<Envelope>('POST', `/mail/messages/${id}/cancel`, { key: token, headers: { 'idempotency-key': '1' } });
  const [one, two] = [
    (await api<TryEnvelope>('POST', '/mail/try', { body: { to: held, body: 'One' } })).body,
    (await api<TryEnvelope>('POST', '/mail/try', { body: { to: held, body: 'Two' } })).body,
  ];
  for (const { thread_token, id } of [one, two]) {
    const canceled = await cancel(thread_token, id);
    assert.equal(canceled.status, 200, canceled.text);
    assert.deepEqual([canceled.body.id, canceled.headers.get('idempotency-replayed')], [id, null]);
  }
});
