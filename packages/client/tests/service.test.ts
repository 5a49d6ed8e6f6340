import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { HELLO, unique } from '../../../tests/harness/client.ts';
import { sharedService } from '../../../tests/harness/service.ts';
import { Mailroom, MailroomError } from '../dist/index.js';

const { url } = await sharedService();
const name = unique();
let mailroom: Mailroom;
let address: string;

before(async () => {
  const { key } = await new Mailroom({ url }).namespaces.create({ name });
  assert.ok(key.secret !== null);
  mailroom = new Mailroom({ url, key: key.secret });
  ({ address } = await mailroom.mailboxes.create(name, { local_part: 'ada', behavior: HELLO }));
});

test('a message to an address is answered, and continues its thread', async () => {
  const sent = await mailroom.send(address, { body: 'Who are you?', subject: 'Hello' });
  assert.match(sent.id, /^msg_/);
  const settled = await mailroom.waitFor(sent.id);
  assert.equal(settled.status, 'completed');
  const { body } = await mailroom.ask(address, { body: 'Again?', thread_id: sent.thread_id });
  assert.equal(body, HELLO.settings.introduction);
  const texts = (await mailroom.messages.thread(sent.thread_id).all()).map((item) => item.body);
  assert.deepEqual([texts[0], texts[2]], ['Who are you?', 'Again?']);
});

test('an address is waited for until it receives a message that matches, with the code in it', async () => {
  const mailbox = await mailroom.mailboxes.create(name, { local_part: 'codes', behavior: { name: 'agent' } });
  await mailroom.send(mailbox.address, 'Your code is 111111.');
  const waiting = mailroom.waitFor(mailbox.address, { query: 'new', extract: 'code', timeoutMs: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await mailroom.send(mailbox.address, 'Your new code is 222222.');
  const { message, code } = await waiting;
  assert.deepEqual([message.body, code], ['Your new code is 222222.', '222222']);
  const after = new Date(Date.parse(message.created_at) - 1);
  assert.equal(
    (await mailroom.waitFor(mailbox.address, { after, subject: 'x', timeoutMs: 0 }).catch((error) => error)).code,
    'timeout',
  );
  assert.equal((await mailroom.waitFor(mailbox.address, { after })).message.id, message.id);
});

test('a list is read over all of its pages, and the loop may end early', async () => {
  for (let at = 0; at < 5; at++) await mailroom.send(address, `page ${at}`).reply();
  const seen: string[] = [];
  for await (const { body } of mailroom.messages.listOf(address, { limit: 2, query: 'page' })) seen.push(body);
  assert.deepEqual(seen, ['page 4', 'page 3', 'page 2', 'page 1', 'page 0']);
  const first = await mailroom.messages.listOf(address, { limit: 2 }).page();
  assert.equal(first.items.length, 2);
  assert.equal((await mailroom.messages.listOf(address, { limit: 2 }).all(3)).length, 3);
  assert.ok((await mailroom.eventLog.list({ limit: 3 }).all()).length > 5);
});

test('files arrive byte for byte: from text, bytes, a Blob, a File and a stream, whatever their names', async () => {
  const bytes = new Uint8Array(randomBytes(300_000));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });
  const files = [
    { filename: 'text ü "quoted".txt', content: 'Grüße', content_type: 'text/plain' },
    { filename: 'bytes.bin', content: bytes },
    { filename: 'blob.bin', content: new Blob([bytes], { type: 'image/png' }) },
    new File([bytes], 'file.bin'),
  ];
  const repeatable = await mailroom.send(address, { body: 'four', files });
  const streamed = await mailroom.send(address, { body: 'one', files: [{ filename: 's.bin', content: stream }] });
  const all = [...repeatable.attachments, ...streamed.attachments];
  assert.deepEqual(
    all.map(({ filename, content_type, size }) => [filename, content_type, size]),
    [
      ['text ü "quoted".txt', 'text/plain', 7],
      ['bytes.bin', 'application/octet-stream', 300_000],
      ['blob.bin', 'image/png', 300_000],
      ['file.bin', 'application/octet-stream', 300_000],
      ['s.bin', 'application/octet-stream', 300_000],
    ],
  );
  for (const { id } of all.slice(1)) {
    const got = new Uint8Array(await (await mailroom.messages.getAttachment(id)).arrayBuffer());
    assert.ok(Buffer.from(got).equals(bytes));
  }
});

test('an error has its code, status, request id and what is wrong in which field', async () => {
  const failed = await mailroom.mailboxes.create(name, { local_part: '!', behavior: HELLO }).catch((error) => error);
  assert.ok(failed instanceof MailroomError);
  assert.deepEqual([failed.code, failed.status, failed.errors[0]?.pointer], ['validation_error', 422, '/local_part']);
  assert.equal(failed.docs, `${url}/problems/validation_error`);
  assert.ok((failed.request_id ?? '').length > 0);
  await assert.rejects(new Mailroom({ url, key: '' }).keys.me(), { code: 'missing_key' });
});

test('the same idempotency key sends one message', async () => {
  const options = { idempotencyKey: unique('key-') };
  const [one, other] = [await mailroom.send(address, 'once', options), await mailroom.send(address, 'once', options)];
  assert.equal(one.id, other.id);
});

test('events arrive while they are followed, and from a place in the log', async () => {
  const ending = new AbortController();
  const bodies: string[] = [];
  const [last] = (await mailroom.eventLog.list({ limit: 200 }).all()).slice(-1);
  const events = mailroom.events({ after: last?.id, types: ['message.*'], signal: ending.signal });
  void mailroom.send(address, 'followed');
  for await (const { type, data } of events) {
    if ('body' in data) bodies.push(`${type} ${data.body}`);
    if (bodies.length === 2) break;
  }
  assert.deepEqual(bodies, ['message.received followed', 'message.completed followed']);
});

test('a message that waits is followed until it is canceled', async () => {
  await mailroom.mailboxes.create(name, { local_part: 'paused', behavior: HELLO });
  const paused = address.replace('ada', 'paused');
  await mailroom.mailboxes.update(paused, { status: 'paused' });
  const { id } = await mailroom.send(paused, 'Hold this');
  const statuses: string[] = [];
  for await (const update of mailroom.follow(id)) {
    if (update.type !== 'message') continue;
    if (statuses.length === 0) await mailroom.messages.cancel(id);
    statuses.push(update.message.status);
  }
  assert.deepEqual(statuses, ['submitted', 'canceled']);
});

test('an export is read line by line, to its end', async () => {
  const types = new Set<string>();
  for await (const line of mailroom.namespaces.export(name)) types.add(line.type);
  assert.deepEqual([...types].sort(), ['end', 'key', 'mailbox', 'message', 'namespace']);
});
