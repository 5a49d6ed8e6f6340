import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mailroom, MailroomError, type Message } from '../dist/index.js';
import { json, scriptedServer } from './scripted-server.ts';

const problem = (code: string) => ({
  type: `urn:mailroom:problem:${code}`,
  title: code,
  status: 0,
  detail: `It is ${code}.`,
  code,
  docs: `/problems/${code}`,
  request_id: 'req-1',
  errors: [],
});
const message = (fields: Partial<Message> = {}) => ({
  id: 'msg_1',
  status: 'submitted',
  reply: null,
  error: null,
  ...fields,
});

test('a POST that failed is repeated with the same idempotency key, after the time that the service named', async () => {
  const answers = [429, 503, 202];
  const server = await scriptedServer((_, response) => {
    const status = answers.shift() ?? 500;
    if (status === 202) json(response, 202, message());
    else json(response, status, problem('rate_limited'), { 'retry-after': '0' });
  });
  const { id } = await new Mailroom({ url: server.url, key: 'k' }).send('a@b', 'Hi');
  assert.equal(id, 'msg_1');
  const keys = new Set(server.received.map(({ headers }) => headers['idempotency-key']));
  assert.equal(server.received.length, 3);
  assert.equal(keys.size, 1);
  assert.match(String([...keys][0]), /^[0-9a-f-]{36}$/);
});

test('a key that was read from a file is sent without the line break at its end', async () => {
  const server = await scriptedServer((_, response) => json(response, 202, message()));
  await new Mailroom({ url: server.url, key: 'mr_live_k\n' }).send('a@b', 'Hi');
  assert.equal(server.received[0]?.headers.authorization, 'Bearer mr_live_k');
});

test('who waits for a reply waits as long as asked for, also while it is sent', async () => {
  const server = await scriptedServer((_, response) => json(response, 202, message()));
  const mailroom = new Mailroom({ url: server.url, key: 'k' });
  await assert.rejects(mailroom.send('a@b', 'Hi').settled({ timeoutMs: 500 }), { code: 'timeout' });
  assert.equal(server.received[0]?.headers.prefer, 'wait=1');
  const ended = mailroom.send('a@b', 'Hi').settled({ signal: AbortSignal.abort() });
  await assert.rejects(ended, { name: 'AbortError' });
});

test('a broken connection is tried again, and a last failure says why', async () => {
  let count = 0;
  const server = await scriptedServer((_, response) => {
    count++;
    if (count < 2) response.destroy();
    else json(response, 200, { items: [], next_cursor: null });
  });
  const mailroom = new Mailroom({ url: server.url, maxRetries: 1 });
  assert.deepEqual(await mailroom.keys.list().all(), []);
  count = -10;
  await assert.rejects(mailroom.keys.list().all(), (error: MailroomError) => {
    assert.equal(error.code, 'network_error');
    assert.match(error.message, /^127\.0\.0\.1:\d+ cannot be reached: /);
    return error instanceof MailroomError && error.status === undefined;
  });
});

test('a POST without an idempotency key is not repeated when the network failed, because it may have been done', async () => {
  const server = await scriptedServer((_, response) => void response.destroy());
  const mailroom = new Mailroom({ url: server.url });
  await assert.rejects(mailroom.messages.approve('msg_1'), { code: 'network_error' });
  assert.equal(server.received.length, 1);
});

test('a Retry-After of more than a minute is left to the caller', async () => {
  const server = await scriptedServer((_, response) =>
    json(response, 429, problem('rate_limited'), { 'retry-after': '3600' }),
  );
  await assert.rejects(new Mailroom({ url: server.url }).keys.me(), {
    code: 'rate_limited',
    status: 429,
    retry_after: 3600,
  });
  assert.equal(server.received.length, 1);
});

test('an answer that takes too long is a time-out, and an aborted call throws its reason and is not repeated', async () => {
  const server = await scriptedServer(() => {});
  const mailroom = new Mailroom({ url: server.url, maxRetries: 0, timeoutMs: 50 });
  await assert.rejects(mailroom.keys.me(), { code: 'timeout' });
  const reason = new Error('enough');
  await assert.rejects(mailroom.keys.me({ signal: AbortSignal.abort(reason) }), reason);
  const ending = new AbortController();
  const waiting = mailroom.keys.me({ signal: ending.signal, timeoutMs: 10_000 });
  ending.abort(reason);
  await assert.rejects(waiting, reason);
  assert.ok(server.received.length <= 2);
});

test('an answer that is not of this service says so', async () => {
  const server = await scriptedServer(
    (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>'),
  );
  await assert.rejects(new Mailroom({ url: server.url }).keys.me(), {
    code: 'unexpected_answer',
    message: /is it the URL/,
  });
  const moved = await scriptedServer(
    (_, response) => void response.writeHead(301, { location: 'https://other.test/' }).end(),
  );
  await assert.rejects(new Mailroom({ url: moved.url }).send('a@b', 'Hi').reply(), {
    message: /https:\/\/other\.test/,
  });
});

test('a client without a URL, or with one that is none, says how to give it', () => {
  assert.throws(() => new Mailroom(), { code: 'configuration', message: /MAILROOM_URL/ });
  assert.throws(() => new Mailroom({ url: 'mail.example.com' }), { code: 'configuration', message: /https:\/\/mail/ });
});

test('reply() sends and waits in one exchange, waits on where that ends, and throws what a message failed with', async () => {
  const answers: readonly unknown[] = [
    message(),
    message(),
    message({ status: 'completed', reply: { body: 'Hello' } as Message['reply'] }),
    message({ status: 'rejected', error: { code: 'behavior_unavailable', message: 'Not here.' } as Message['error'] }),
  ];
  let at = 0;
  const server = await scriptedServer((_, response) => json(response, 200, answers[at++]));
  const mailroom = new Mailroom({ url: server.url });
  assert.equal((await mailroom.send('a@b', { body: 'Hi', subject: 'S' }, { wait: 2 }).reply())?.body, 'Hello');
  assert.deepEqual(
    server.received.map(({ method, path, headers, body }) => [
      method,
      path,
      headers.prefer,
      body === '' ? null : JSON.parse(body),
    ]),
    [
      ['POST', '/api/v1/mail/send', 'wait=2', { body: 'Hi', subject: 'S', to: 'a@b', sync: true }],
      ['GET', '/api/v1/mail/messages/msg_1?wait=60', undefined, null],
      ['GET', '/api/v1/mail/messages/msg_1?wait=60', undefined, null],
    ],
  );
  await assert.rejects(mailroom.ask('a@b', 'Hi'), { code: 'behavior_unavailable', message: 'Not here.' });
});

test('a message is sent once, whether it is awaited, asked for its reply, both or neither', async () => {
  const server = await scriptedServer((_, response) => json(response, 200, message({ status: 'canceled' })));
  const mailroom = new Mailroom({ url: server.url });
  const sending = mailroom.send('a@b', 'both');
  await assert.rejects(sending.reply(), { code: 'canceled' });
  assert.equal((await sending).id, 'msg_1');
  mailroom.send('a@b', 'neither');
  await mailroom.send('a@b', 'awaited');
  assert.deepEqual(server.received.map(({ body }): string => JSON.parse(body).body).sort(), [
    'awaited',
    'both',
    'neither',
  ]);
});

test('waiting ends with a timeout when the time is over, which names the message', async () => {
  const server = await scriptedServer((_, response) => json(response, 200, message()));
  const failed = await new Mailroom({ url: server.url }).waitFor('msg_1', { timeoutMs: 0 }).catch((error) => error);
  assert.equal(failed.code, 'timeout');
  assert.equal(failed.envelope.id, 'msg_1');
});

test('a stream of events that breaks is continued after the last event, without a gap', async () => {
  const event = (id: string) =>
    `id: ${id}\nevent: message.received\ndata: {"id":"${id}","type":"message.received"}\n\n`;
  let count = 0;
  const server = await scriptedServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    count++;
    if (count === 1) {
      response.write('retry: 1\nid: evt_0\n\n');
      // An event that arrives in two halves, and half of one that is lost.
      response.write(event('evt_1').slice(0, 20));
      setTimeout(() => {
        response.write(`${event('evt_1').slice(20)}:\n\n`);
        response.write(event('evt_2').slice(0, 30), () => response.destroy());
      }, 20);
    } else response.write(event('evt_2'));
  });
  const ending = new AbortController();
  const seen: string[] = [];
  const cursors: string[] = [];
  const options = { signal: ending.signal, onCursor: (id: string) => void cursors.push(id) };
  for await (const { id } of new Mailroom({ url: server.url }).events(options)) {
    seen.push(id);
    if (id === 'evt_2') break;
  }
  assert.deepEqual(seen, ['evt_1', 'evt_2']);
  assert.deepEqual(
    server.received.map(({ path }) => path),
    ['/api/v1/events', '/api/v1/events?after=evt_1'],
  );
  assert.deepEqual(cursors, ['evt_1']);
});

test('a stream that is refused throws the reason instead of asking again', async () => {
  const server = await scriptedServer((_, response) => json(response, 403, problem('insufficient_scope')));
  await assert.rejects(new Mailroom({ url: server.url }).events().next(), { code: 'insufficient_scope' });
  assert.equal(server.received.length, 1);
});
