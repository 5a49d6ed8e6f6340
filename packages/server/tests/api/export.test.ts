import assert from 'node:assert/strict';
import { connect as connectSocket } from 'node:net';
import { test } from 'node:test';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import { type Answer, type Client, connect, type Home, unique } from '../../../../tests/harness/client.ts';
import { type Served, serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { dialogue, request } from '../../../../tests/harness/raw.ts';
import { type Service, startService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import { type Envelope, type Key, type Mailbox, type Namespace, TIME } from '../../../../tests/harness/wire.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';
import { newMessage } from '../../core/entities/message.ts';
import { openStore } from '../../store/open.ts';

const service = await serveInside();
const client = connect(service.url);
const { api, newNamespace, newMailbox, newPaused, newKey, send, read } = client;

const MANY = amount(2_000, 30_000);
const BODY_CHARS = 6_000;
/** Long messages; still more than the system's buffers hold. */
const FEWER = { count: 500, chars: 60_000 };

interface Filled {
  readonly home: Home;
  readonly ids: readonly string[];
  readonly path: string;
  readonly chars: number;
}

/** A namespace with five mailboxes and many messages in turn, written straight into the store. */
async function fill(
  to: Served,
  there: Client,
  { count, chars }: { readonly count: number; readonly chars: number },
): Promise<Filled> {
  const home = await there.newNamespace();
  const other = await there.newNamespace();
  const mailboxes = await Promise.all(Array.from({ length: 5 }, () => there.newMailbox(home)));
  const ids: string[] = [];
  const first = Date.now() - count * 1000;
  await using store = await openStore(to.databaseUrl, { alongside: true });
  const writing: Promise<unknown>[] = [];
  for (let i = 0; i < count; i++) {
    const mailbox = mailboxes[i % mailboxes.length] as Mailbox;
    const createdAt = first + i * 1000;
    const id = newId('msg', createdAt);
    ids.push(id);
    const message = newMessage({
      id,
      mailbox_id: mailbox.id,
      to: `${mailbox.local_part}@${mailbox.namespace}`,
      sender_kind: 'key',
      sender_id: other.keyId,
      sender_namespace_id: other.id,
      key_id: other.keyId,
      body: String(i).padEnd(chars, '.'),
      status: 'completed',
      reply: { body: 'Yes.', data: null },
      created_at: createdAt,
      settled_at: createdAt,
    });
    writing.push(store.messages.accept({ message, max_waiting: 1, from_mailbox_id: null }));
    if (writing.length === 500) await Promise.all(writing.splice(0));
  }
  await Promise.all(writing);
  return { home, ids, path: `/api/v1/namespaces/${home.name}/export`, chars: count * chars };
}

const filled = await fill(service, client, { count: MANY, chars: BODY_CHARS });

type Line = { readonly type: string; readonly [field: string]: unknown };

/** The lines of a complete export. */
function linesOf(answer: Pick<Answer<unknown>, 'status' | 'text'>): Line[] {
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  assert.ok(answer.text.endsWith('\n'));
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line);
  assert.deepEqual(lines.at(-1), { type: 'end', lines: lines.length });
  return lines;
}

const ofType = <T>(lines: readonly Line[], type: string): T[] =>
  lines.filter((line) => line.type === type).map(({ type: _type, ...fields }) => fields as T);

const take = async (home: Home): Promise<Line[]> =>
  linesOf(await api('GET', `/namespaces/${home.name}/export`, { key: home.key }));

test('an export holds the namespace, its mailboxes with settings, its keys, its messages, as the API shows them', async () => {
  const home = await newNamespace({ display_name: 'Ada & Söhne' });
  const other = await newNamespace();
  const mailbox = await newMailbox(home, { description: 'what it does' });
  const quiet = await newMailbox(home, { visibility: 'unlisted', access: 'key' });
  const paused = await newPaused(home);
  const theirs = await newMailbox(other);
  const reader = await newKey(home, { scopes: ['messages:read'], name: 'reader', mailbox: mailbox.address });
  const revoked = await newKey(home, { scopes: ['mail:send'], name: 'old' });
  assert.equal((await api('DELETE', `/keys/${revoked.id}`, { key: home.key })).status, 204);
  const data = { a: [1, null, '\u2028 "x"'] };
  const sent = [
    await send(other.key, { to: mailbox.address, body: 'line\none', subject: 'Re: ✓', data, sync: true }),
    await send(home.key, { to: theirs.address, body: 'to others', sync: true }),
    await send(other.key, { to: paused.address, body: 'waits' }),
    await client.tryOut({ to: mailbox.address, body: 'from a guest' }),
    await send(home.key, { to: quiet.address, body: 'to myself', sync: true }),
  ];

  const answer = await api('GET', `/namespaces/${home.name}/export`, {
    key: home.key,
    headers: { 'accept-encoding': 'br, gzip' },
  });
  const lines = linesOf(answer);
  assert.deepEqual(
    [...new Set(lines.map(({ type }) => type))],
    ['namespace', 'mailbox', 'key', 'message', 'end'],
    'in this order',
  );
  const [namespace] = ofType<Namespace & { exported_at: string }>(lines, 'namespace');
  const { exported_at = '', ...exported } = namespace ?? {};
  assert.match(exported_at, TIME);
  const got = await api<Namespace & { mailboxes?: unknown }>('GET', `/namespaces/${home.name}`);
  delete got.body.mailboxes;
  assert.deepEqual(exported, got.body);

  const mailboxes = ofType<Mailbox>(lines, 'mailbox');
  const wanted = [mailbox, quiet, paused].map(
    async ({ address }) => (await api('GET', `/mailboxes/${address}`, home)).body,
  );
  assert.deepEqual(mailboxes, await Promise.all(wanted));
  assert.notEqual(mailboxes[0]?.behavior.settings, undefined);

  const keys = ofType<Key & { revoked_at: string | null }>(lines, 'key');
  assert.deepEqual(
    keys.map(({ id, revoked_at }) => [id, revoked_at !== null]),
    [
      [home.keyId, false],
      [reader.id, false],
      [revoked.id, true],
    ],
  );
  for (const key of [home.key, reader.secret, revoked.secret]) assert.ok(!answer.text.includes(key.slice(16)));
  assert.ok(!/"(sha256|secret)"|[0-9a-f]{64}/.test(answer.text), 'neither secrets nor their hashes');

  const messages = ofType<Envelope>(lines, 'message');
  const asRead = sent.map(async ({ body }) => (await read(home.key, body.id)).body);
  assert.deepEqual(messages, await Promise.all(asRead), 'oldest first, each as it is read');

  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
  assert.equal(answer.headers.get('content-encoding'), null);
  assert.equal(
    answer.headers.get('content-disposition'),
    `attachment; filename="${home.name}-${exported_at.slice(0, 10)}.jsonl"`,
  );
});

test('what one mailbox of the namespace sent another is there once, with its reply', async () => {
  const home = await newNamespace();
  const asks = await newMailbox(home);
  const answers = await newMailbox(home);
  const sent = await send(home.key, { to: answers.address, from: asks.address, body: 'Who are you?', sync: true });
  const copy = await read(home.key, replyIdOf(sent.body.id));
  assert.equal(copy.status, 200, 'the reply is filed with who asked');
  assert.deepEqual(ofType<Envelope>(await take(home), 'message'), [sent.body]);
});

test('a filed reply is there by itself once the message that it answers is gone', async () => {
  const home = await newNamespace();
  const other = await newNamespace();
  const asks = await newMailbox(home);
  const answers = await newMailbox(other);
  const sent = await send(home.key, { to: answers.address, from: asks.address, body: 'Who are you?', sync: true });
  assert.equal((await api('DELETE', `/mailboxes/${answers.address}`, { key: other.key })).status, 204);
  const messages = ofType<Envelope>(await take(home), 'message');
  assert.deepEqual(
    messages.map(({ id, body, from }) => [id, body, from]),
    [[replyIdOf(sent.body.id), sent.body.reply?.body, null]],
  );
});

test('nothing of other namespaces is in it, but what they exchanged with this one', async () => {
  const home = await newNamespace();
  const other = await newNamespace({ display_name: unique('theirs') });
  const mine = await newMailbox(home);
  const theirs = await newMailbox(other, { description: unique('theirs') });
  await newKey(other, { scopes: ['mail:send'], name: unique('theirs') });
  await send(other.key, { to: theirs.address, body: unique('theirs'), sync: true });
  await send(other.key, { to: `hello@agents.mailroom.localhost`, body: unique('theirs'), sync: true });
  const between = await send(other.key, { to: mine.address, body: 'between us', sync: true });
  const lines = await take(home);
  assert.ok(!JSON.stringify(lines).includes('theirs'));
  assert.ok(!JSON.stringify(lines).includes(other.name));
  assert.deepEqual(ofType<Envelope>(lines, 'message'), [(await read(home.key, between.body.id)).body]);
});

test('only an owner key of the namespace itself may export it', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home);
  const path = `/namespaces/${home.name}/export`;
  isProblem(await api('GET', path), 'missing_key');
  isProblem(await api('GET', path, { key: `mr_live_${'x'.repeat(46)}` }), 'invalid_key');
  isOneOf(await api('GET', path, { key: stranger.key }), 'access_denied', 'insufficient_scope');
  const scopes = ['mail:send', 'messages:read', 'mailboxes:write', 'keys:write'];
  isProblem(await api('GET', path, { key: (await newKey(home, { scopes })).secret }), 'insufficient_scope');
  const bound = await newKey(home, { scopes: ['owner'], mailbox: mailbox.address });
  isProblem(await api('GET', path, { key: bound.secret }), 'access_denied');
  isProblem(await api('GET', '/namespaces/never-was/export', { key: home.key }), 'namespace_not_found');
  isProblem(await api('POST', path, { key: home.key }), 'method_not_allowed');
  assert.equal((await api('DELETE', `/namespaces/${stranger.name}`, { key: stranger.key })).status, 204);
  isProblem(await api('GET', `/namespaces/${stranger.name}/export`, { key: home.key }), 'namespace_gone');
});

test('it suits who takes JSON Lines, JSON or anything, and nobody else', async () => {
  const home = await newNamespace();
  const path = `/namespaces/${home.name}/export`;
  for (const accept of ['application/x-ndjson', 'application/*', '*/*', 'application/json', 'text/html, */*;q=0.1']) {
    linesOf(await api('GET', path, { key: home.key, headers: { accept } }));
  }
  for (const accept of ['image/png', 'text/html', 'application/x-ndjson;q=0']) {
    isProblem(await api('GET', path, { key: home.key, headers: { accept } }), 'not_acceptable');
  }
});

test('HEAD tells what GET would, reads nothing and ends', async () => {
  const home = await newNamespace();
  const path = `/api/v1/namespaces/${home.name}/export`;
  const answer = await dialogue(service.port, request('HEAD', path, { Authorization: `Bearer ${home.key}` }));
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\ncontent-type: application\/x-ndjson; charset=utf-8\r\n/i);
  assert.match(answer, /\r\ncontent-disposition: attachment; filename="/i);
  assert.ok(!/\r\ncontent-length:/i.test(answer), 'nobody knows how long it would be');
  assert.ok(answer.endsWith('\r\n\r\n'));
});

const memory = async (): Promise<number> => {
  const { text } = await api('GET', '//metrics');
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
};

/** A caller that requests an export and reads only when asked to. */
function slowReader(port: number, { path, home }: Filled) {
  const socket = connectSocket({ port, host: '127.0.0.1' });
  let got = '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.write(request('GET', path, { Authorization: `Bearer ${home.key}` }));
  const begun = new Promise<void>((resolve) => {
    socket.on('data', (text: string) => {
      got += text;
      if (got.length > 100_000) socket.pause();
      resolve();
    });
  });
  return {
    socket,
    begun,
    /** Everything until the connection closes. */
    rest: async (): Promise<string> => {
      socket.removeAllListeners('data').on('data', (text: string) => {
        got = (got + text).slice(-1000);
      });
      socket.resume();
      await closed;
      return got;
    },
  };
}

/** New objects take up to 100 MB of it before V8 collects them, whatever is exported. */
const MEMORY_MB = 150;

test(`an export of ${MANY} messages takes no more memory than a small one, and holds each of them in order`, async (t) => {
  // A first export loads the code and fills the buffers.
  await take(await newNamespace());
  const memoryBefore = await memory();
  let max = 0;
  let bytes = 0;
  let rest = '';
  const seen: string[] = [];
  let last: Line | undefined;
  const decoder = new TextDecoder();
  const response = await fetch(service.url + filled.path, { headers: { authorization: `Bearer ${filled.home.key}` } });
  for await (const chunk of response.body ?? []) {
    const tenthsBefore = Math.floor(bytes / 10e6);
    bytes += chunk.length;
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      last = JSON.parse(text) as Line;
      if (last.type === 'message') seen.push(last.id as string);
    }
    if (Math.floor(bytes / 10e6) > tenthsBefore) max = Math.max(max, await memory());
  }
  assert.equal(last?.type, 'end');
  assert.deepEqual(seen, filled.ids);
  const grown = (max - memoryBefore) / 1e6;
  t.diagnostic(`${Math.round(bytes / 1e6)} MB exported, ${Math.round(grown)} MB more memory at most`);
  assert.ok(bytes > filled.chars);
  assert.ok(grown < MEMORY_MB, `${grown} MB`);
});

test('who hangs up midway, or reads no further, costs nobody anything', async () => {
  const memoryBefore = await memory();
  const readers = Array.from({ length: 10 }, () => slowReader(service.port, filled));
  await Promise.all(readers.map(({ begun }) => begun));
  for (let i = 0; i < 5; i++) assert.equal((await api('GET', '/behaviors')).status, 200);
  const grown = ((await memory()) - memoryBefore) / 1e6;
  assert.ok(grown < MEMORY_MB, `${grown} MB`);
  for (const { socket } of readers) socket.destroy();
  await take(await newNamespace());
  assert.doesNotMatch(service.logs(), /"level":"(error|fatal)"/, service.logs().slice(-1000));
});

test('a key that is revoked midway gets no further, and what it got does not pass for the whole', async () => {
  const second = await newKey(filled.home, { scopes: ['owner'] });
  const reader = slowReader(service.port, { ...filled, home: { ...filled.home, key: second.secret } });
  await reader.begun;
  assert.equal((await api('DELETE', `/keys/${second.id}`, { key: filled.home.key })).status, 204);
  const rest = await reader.rest();
  assert.ok(!rest.includes('"type":"end"'));
  assert.ok(!rest.endsWith('0\r\n\r\n'), 'the last chunk, which ends an answer, is missing');
});

test('a stop waits for an export no longer than for anything else, and breaks it off', async () => {
  // Its exit code takes a process.
  const stopping: Served & Partial<Service> = await (LONG ? startService : serveInside)({ env: { STOP_SECONDS: '1' } });
  const there = await fill(stopping, connect(stopping.url), FEWER);
  const reader = slowReader(stopping.port, there);
  await reader.begun;
  const began = performance.now();
  if (stopping.stop !== undefined) assert.deepEqual(await stopping.stop(), { code: 0, signal: null }, stopping.logs());
  else await stopping[Symbol.asyncDispose]();
  const took = performance.now() - began;
  await assertSoon(took, 6_000, 'the stop');
  const rest = await reader.rest();
  assert.ok(!rest.includes('"type":"end"'));
  assert.ok(!rest.endsWith('0\r\n\r\n'));
});

test('an export that is under way when a stop begins, and is read, is ended whole', async () => {
  const stopping = await serveInside({ env: { STOP_SECONDS: '10' } });
  const there = await fill(stopping, connect(stopping.url), FEWER);
  const reader = slowReader(stopping.port, there);
  await reader.begun;
  const stopped = stopping[Symbol.asyncDispose]();
  const rest = await reader.rest();
  assert.ok(rest.includes('"type":"end"'), rest.slice(-300));
  await stopped;
});

test('a caller that takes nothing for as long as a request may take is given up', async () => {
  await using impatient = await serveInside({ env: { REQUEST_SECONDS: '1' } });
  const there = await fill(impatient, connect(impatient.url), FEWER);
  const reader = slowReader(impatient.port, there);
  await reader.begun;
  await until(
    10_000,
    async () => impatient.logs(),
    (logs) => logs.includes('took nothing any more'),
  );
  const rest = await reader.rest();
  assert.ok(!rest.includes('"type":"end"'));
});
