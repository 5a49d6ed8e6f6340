import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

// What a `do` mailbox sends to several.
const service = await sharedService();
const { api, newNamespace, newMailbox, send, read } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home, { behavior: { name: 'do' } });
const hello = async (introduction: string): Promise<string> =>
  (await newMailbox(home, { behavior: { name: 'hello', settings: { introduction } } })).address;
const [ann, bob, carl] = [await hello('I am Ann.'), await hello('I am Bob.'), await hello('I am Carl.')];

const received = async (address: string, body: string): Promise<readonly Envelope[]> =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items.filter(
    (item) => item.body === body,
  );
const sent = async (body: string): Promise<readonly Envelope[]> =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${to}/messages?direction=sent`, { key: home.key })).body.items.filter(
    (item) => item.body === body,
  );
async function done(body: string, fields: Record<string, unknown> = {}): Promise<Envelope> {
  const { status, text, body: envelope } = await send(home.key, { to, body, sync: true, ...fields });
  assert.equal(status, 200, text);
  return envelope;
}

test('one message reaches everyone that an instruction names, and all answers are in its reply', async () => {
  const envelope = await done(`send ${ann}, ${bob} and ${carl}: Hello, you three`);
  assert.equal(envelope.status, 'completed', JSON.stringify(envelope.reply));
  for (const [address, introduction] of [
    [ann, 'I am Ann.'],
    [bob, 'I am Bob.'],
    [carl, 'I am Carl.'],
  ] as const) {
    assert.ok(envelope.reply?.body.includes(`${address}:\n${introduction}`), String(envelope.reply?.body));
    const [copy, ...more] = await received(address, 'Hello, you three');
    assert.deepEqual(copy?.recipients, { to: [ann, bob, carl], cc: [] });
    assert.equal(copy?.from, to);
    assert.deepEqual(more, []);
  }
  const [message, ...more] = await sent('Hello, you three');
  assert.equal(message?.copies?.length, 3);
  assert.deepEqual(more, [], 'it is one message');
});

test('one in Cc files its copy and is not waited for', async () => {
  const envelope = await done(`send ${ann}, cc ${bob}: Hello, Ann`);
  assert.match(envelope.reply?.body ?? '', /I am Ann\./);
  assert.doesNotMatch(envelope.reply?.body ?? '', /I am Bob\./);
  const [copy] = await received(bob, 'Hello, Ann');
  assert.deepEqual([copy?.not_answered, copy?.replies_count], ['cc', 0]);
});

test('where one recipient refuses it, nothing is sent to any, and the reason names that one', async () => {
  const missing = `missing@${home.name}.mailroom.localhost`;
  const closed = (await newMailbox(await newNamespace(), { access: 'key' })).address;
  for (const other of [missing, closed, 'ann@outside.example']) {
    const envelope = await done(`send ${ann} and ${other}: Not to one alone`);
    assert.equal(envelope.status, 'failed', other);
    assert.ok(envelope.error?.message.includes(other.split('.')[0] as string), String(envelope.error?.message));
  }
  assert.deepEqual(await received(ann, 'Not to one alone'), []);
  const many = Array.from({ length: 51 }, (_, at) => `b${at}@${home.name}.mailroom.localhost`);
  const over = await done('steps', { data: { steps: [{ task: 'send', input: { to: many, body: 'x' } }] } });
  assert.notEqual(over.status, 'completed');
});

test('the plan that an owner approves shows all recipients, and what is approved goes to all of them once', async () => {
  const { address: asking } = await newMailbox(home, {
    behavior: { name: 'do', settings: { approval: ['send'] } },
  });
  const { body: begun } = await send(home.key, { to: asking, body: `send ${ann} and ${bob}, cc ${carl}: Approved` });
  const { seen } = await until(
    10_000,
    async () => (await read(home.key, begun.id)).body as Envelope & { approval?: unknown },
    ({ waiting_for }) => waiting_for === 'approval',
  );
  for (const address of [ann, bob, carl]) assert.ok(JSON.stringify(seen.approval).includes(address));
  assert.deepEqual(await received(ann, 'Approved'), []);
  await api('POST', `/mail/messages/${begun.id}/approve`, { key: home.key });
  const ended = (await read(home.key, begun.id, '?wait=30')).body;
  assert.equal(ended.status, 'completed', JSON.stringify(ended.reply));
  for (const address of [ann, bob, carl]) assert.equal((await received(address, 'Approved')).length, 1);
});

test('messages to several that cause one another in a circle end', async () => {
  const circle = (await newMailbox(home, { behavior: { name: 'do' } })).address;
  const rest = `send ${circle} and ${ann}: `;
  await done(`${rest.repeat(12)}hi`);
  const all = (await api<Page<Envelope>>('GET', `/mailboxes/${circle}/messages?limit=50`, { key: home.key })).body
    .items;
  const instructions = all.filter(({ body }) => body.startsWith('send '));
  assert.ok(instructions.length <= 8, String(instructions.length));
  assert.ok(all.some(({ error }) => error?.message.includes('8 messages caused one another')));
});
