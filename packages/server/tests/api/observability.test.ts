import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';

const service = await serveInside();
const { api, newNamespace, newMailbox, send } = connect(service.url);

test('/livez and /readyz say that it is well', async () => {
  assert.equal((await api('GET', '//livez')).status, 200);
  assert.equal((await api('GET', '//readyz')).status, 200);
});

test('/metrics counts what an operator wants to know', async () => {
  const home = await newNamespace();
  for (const behavior of [{ name: 'do' }, { name: 'hello', settings: { name: 'Ada', introduction: 'Hi.' } }]) {
    const { address: to } = await newMailbox(home, { behavior });
    await send(home.key, { to, body: '17 plus 25', sync: true });
  }
  const answer = await api('GET', '//metrics');
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain\b/);
  const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) assert.match(line, /^[a-zA-Z_:][\w:]*(\{.*\})? [-+\d.eEInfNa]+$/);
  const has = (...patterns: RegExp[]) =>
    assert.ok(
      lines.some((line) => patterns.every((pattern) => pattern.test(line))),
      patterns.join(' and '),
    );
  has(/request.*duration.*_bucket/, /route="\/api\/v1\/mail\/send"/, /status="200"/);
  has(/message/, /behavior="hello"/, /status="completed"/);
  has(/message/, /behavior="do"/, /status="completed"/);
  has(/queue.*depth/);
  has(/commit.*(size|batch|writes).*_count/);
  has(/commit.*(duration|seconds).*_count/);
  assert.match(answer.text, /^# TYPE \S*worker\S*restart\S* counter$/m);
  assert.ok(!answer.text.includes(home.key.slice(16)));
});

test('what is measured has no label that callers can multiply', async () => {
  for (let i = 0; i < 50; i++) {
    await api('GET', `/mailboxes/${unique()}`);
    await api('GET', `//${unique()}`);
    await api('GET', `/${unique()}/${unique()}`);
  }
  const routes = new Set((await api('GET', '//metrics')).text.match(/route="[^"]*"/g) ?? []);
  assert.ok(routes.size < 30, [...routes].join('\n'));
});

test('the log is JSON lines that carry the request id of the answer, given or made', async () => {
  const service = await serveInside({ env: { LOG_LEVEL: 'info' } });
  const { api } = connect(service.url);
  const given = unique('given-');
  await api('GET', '/behaviors', { headers: { 'x-request-id': given } });
  const requestId = (await api('GET', '/nothing')).headers.get('x-request-id') ?? '';
  await service[Symbol.asyncDispose]();
  const lines = service
    .logs()
    .split('\n')
    .filter((line) => line !== '');
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line);
  assert.ok(
    lines.some((line) => line.includes(given)),
    'the given one',
  );
  assert.ok(requestId !== '' && lines.some((line) => line.includes(requestId)), 'the made one');
});

test('LOG_LEVEL=silent logs nothing', async () => {
  const service = await startService({ env: { LOG_LEVEL: 'silent' } });
  await connect(service.url).api('GET', '/nothing');
  await service.stop();
  assert.equal(service.logs(), '');
});

test('neither a body nor a key stands in the log, nor a key in the database', async () => {
  const folder = newFolder();
  try {
    const service = await serveInside({ folder, env: { LOG_LEVEL: 'trace' } });
    const { api, newNamespace, newMailbox, newKey, send, tryOut, read } = connect(service.url);
    const word = `xyzzy${randomBytes(8).toString('hex')}`;
    const home = await newNamespace();
    const { address: to } = await newMailbox(home, { local_part: 'ada' });
    const key = await newKey(home, { scopes: ['owner'], expires_at: '2999-01-01T00:00:00Z' });
    const headers = { 'idempotency-key': unique() };
    const name = unique();
    const secrets = [service.ownerKey, home.key, key.secret];
    for (let i = 0; i < 2; i++) {
      const made = await api<{ key: { secret: string } }>('POST', '/namespaces', { body: { name }, headers });
      secrets.push(made.body.key.secret);
      const again = await api<{ secret: string | null }>('POST', '/keys', {
        key: home.key,
        body: { scopes: ['owner'] },
        headers,
      });
      if (again.body.secret) secrets.push(again.body.secret);
    }
    const sent = await send(key.secret, {
      to,
      body: `Body ${word}`,
      subject: `Subject ${word}`,
      data: { word },
      sync: true,
    });
    assert.equal(sent.status, 200, sent.text);
    const tried = await tryOut({ to, body: `Try ${word}` });
    secrets.push(tried.body.thread_token);
    await read(tried.body.thread_token, tried.body.id);
    await tryOut({ to, body: 'Two', thread_id: tried.body.thread_id, thread_token: tried.body.thread_token });
    // Failures are logged in more detail, and none of that may show what was sent.
    await send(key.secret, { to, body: `Body ${word}`, [word]: 1 });
    await send(key.secret, { to, body: `${word}${'x'.repeat(300_000)}` });
    await api('POST', '/mail/send', { key: key.secret, raw: `{"body":"${word}` });
    await api('POST', '/mail/send', { key: key.secret, raw: word, headers: { 'content-type': 'text/plain' } });
    await api('GET', '/me', { key: `${key.secret}x` });
    await api('GET', '/me', { headers: { authorization: `Basic ${key.secret}` } });
    await api('DELETE', `/keys/${key.id}`, { key: home.key });
    await api('GET', '/me', { key: key.secret });

    // Both while it runs, with data that is not in the main file yet, and after its end.
    const files = () => readdirSync(folder).filter((file) => file.startsWith('m.db'));
    const running = files();
    const stored = running.map((file) => readFileSync(join(folder, file)));
    await service[Symbol.asyncDispose]();
    const left = files();
    stored.push(...left.map((file) => readFileSync(join(folder, file))));
    const names = [...running, ...left];
    assert.ok(service.logs().split('\n').length > 10, 'there is a log to look at');
    assert.ok(
      stored.some((bytes) => bytes.includes(word)),
      'the check can see what is stored',
    );
    for (const secret of secrets) {
      assert.ok(secret.length > 20, secret);
      const tail = secret.startsWith('mr_live_') ? secret.slice(16) : secret;
      assert.ok(!service.logs().includes(tail), 'a secret in the log');
      for (const [i, bytes] of stored.entries()) {
        assert.ok(!bytes.includes(tail), `a secret in ${names[i]}`);
        assert.ok(!bytes.includes(Buffer.from(tail, 'utf16le')), `a secret in ${names[i]}`);
      }
    }
    assert.ok(
      !service.logs().includes(word),
      `a body in the log: ${service
        .logs()
        .split('\n')
        .find((line) => line.includes(word))}`,
    );
  } finally {
    removeFolder(folder);
  }
});
