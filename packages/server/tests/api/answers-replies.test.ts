import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { unique } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { type Item, openAnswering } from './answering.ts';

const { service, api, newNamespace, send, read, home, other, newAgent, claim, claimOne, answer, post } =
  await openAnswering();

test('an answer under the same claim with other files is a further reply, and with the same none', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const fileOf = (text: string) => [
    { filename: 'table.csv', content_type: 'text/csv', content: Buffer.from(text).toString('base64') },
  ];
  const given = async (text: string): Promise<boolean> => {
    const answered = await answer(id, { claim: held, body: 'See the table.', attachments: fileOf(text) });
    assert.equal(answered.status, 200, answered.text);
    return answered.body.answer.settles;
  };
  assert.deepEqual([await given('a'), await given('a'), await given('b')], [true, true, false]);
  assert.equal((await read(other.key, id)).body.replies_count, 2);
});

test('files of an answer are files of the reply', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const content = Buffer.from('a,b\n1,2\n').toString('base64');
  const attachments = [{ filename: 'table.csv', content_type: 'text/csv', content }];
  const answered = await answer(id, { claim: held, body: 'See the table.', attachments });
  const [file] = answered.body.reply?.attachments ?? [];
  assert.equal(file?.filename, 'table.csv', answered.text);
  const bytes = await fetch(`${service.url}/api/v1/mail/attachments/${file?.id}`, {
    headers: { authorization: `Bearer ${other.key}` },
  });
  assert.equal(await bytes.text(), 'a,b\n1,2\n');
});

test('who waits for a mailbox that is deleted is told at once: a claim, a sync send, and who waits for a message', async () => {
  const its = await newNamespace();
  const [alone, ofNamespace] = [await newAgent({ by_hand: true }, its), await newAgent({ by_hand: true }, its)];
  for (const [address, gone] of [
    [alone, `/mailboxes/${alone}`],
    [ofNamespace, `/namespaces/${its.name}`],
  ] as const) {
    const { id } = await post(address);
    const reading = read(other.key, id, '?wait=60');
    const sending = send(other.key, { to: address, body: 'Now', sync: true }, { prefer: 'wait=60' });
    const list = async () => (await api('GET', `/mailboxes/${address}/messages`, { key: its.key })).text;
    await until(60_000, list, (seen) => seen.includes('Now'));
    // It takes what there is, so that the next one waits.
    assert.equal((await claim(address, { max: 2 }, its.key)).body.items.length, 2);
    const claiming = claim(address, { wait: 60 }, its.key);
    await pause(100);
    assert.equal((await api('DELETE', gone, { key: its.key })).status, 204);
    isProblem(await sending, 'mailbox_gone');
    isProblem(await reading, 'message_not_found');
    isOneOf(await claiming, 'mailbox_gone', 'namespace_gone', 'invalid_key');
  }
});

test('a reply is not answered: the message that it replies to is named', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { body } = await answer(id, { body: 'mine' });
  const refused = await answer(body.reply?.id ?? '', { body: 'x' });
  isProblem(refused, 'insufficient_scope');
  assert.match(refused.text, new RegExp(`is a reply to ${id}`));
});

test('a draft longer than a reply may be is refused, and the claim holds', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const draft = 'x'.repeat(1024 * 1024 + 1);
  const { status, text } = await api('POST', `/mail/messages/${id}/progress`, {
    key: home.key,
    body: { claim: held, draft },
  });
  assert.equal(status, 413, text);
  assert.match(text, /1048576 bytes/);
  assert.equal((await answer(id, { claim: held, body: 'short' })).status, 200);
  const huge = await answer(id, { body: 'x'.repeat(3_000_000) });
  isProblem(huge, 'body_too_large');
  assert.match(huge.text, /2097152 bytes/);
});

test('what a claim or an answer lacks is said, and nothing is lost', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  for (const body of [
    { claim: held },
    { claim: held, body: '' },
    { claim: held, body: 'x', error: 'why?' },
    { claim: held, status: 'failed' },
    { claim: held, body: 'x', status: 'canceled' },
    { claim: 'clm_1', body: 'x' },
    { claim: held, body: 'x', more: 1 },
    { claim: held, status: 'failed', error: 'x', data: {} },
    { claim: held, body: 'x\0' },
  ])
    isProblem(await answer(id, body), 'validation_error');
  isProblem(await answer(id, { claim: held, body: 'x'.repeat(1_100_000) }), 'body_too_large');
  for (const body of [
    { max: 0 },
    { max: 65 },
    { wait: 61 },
    { wait: -1 },
    { lease_seconds: 9 },
    { lease_seconds: 3601 },
    { x: 1 },
  ])
    isProblem(await claim(address, body), 'validation_error');
  assert.equal((await answer(id, { claim: held, body: 'fine' })).status, 200);
});

test('a guest tries an agent from its page and gets the answer', async () => {
  const address = await newAgent({ by_hand: true });
  const trying = api<Envelope>('POST', '/mail/try', { body: { to: address, body: 'a guest asks' } });
  const { message, claim: held } = await claimOne(address);
  await answer(message.id, { claim: held, body: 'welcome' });
  assert.equal((await trying).body.reply?.body, 'welcome');
});

test('what a program was handed can be read at once: by its id, in its thread and in the inbox', async () => {
  const address = await newAgent();
  for (const look of [
    (id: string) => `/mail/messages/${id}`,
    (id: string) => `/mail/threads/thr_${id.slice(4)}`,
    () => `/mailboxes/${address}/messages`,
  ]) {
    const waiting = claimOne(address);
    await pause(100);
    const sending = send(other.key, { to: address, body: unique('look'), sync: true });
    const { message, claim: held } = await waiting;
    const seen = await api('GET', look(message.id), { key: home.key });
    assert.ok(seen.status === 200 && seen.text.includes(message.body), seen.text);
    assert.equal((await answer(message.id, { claim: held, body: 'seen' })).status, 200);
    assert.equal((await sending).body.reply?.body, 'seen');
  }
});

test('an exchange that a program answers at once has the events of the arrival and of the end', async () => {
  const ownNamespace = await newNamespace();
  const address = await newAgent({}, ownNamespace);
  const waiting = claim(address, {}, ownNamespace.key);
  await pause(100);
  const sending = send(other.key, { to: address, body: unique('events'), sync: true });
  const [{ message, claim: held }] = (await waiting).body.items as [Item];
  await answer(message.id, { claim: held, body: 'done' }, ownNamespace.key);
  await sending;
  const { items } = (await api<{ items: { type: string }[] }>('GET', '/events', { key: ownNamespace.key })).body;
  assert.deepEqual(
    items.map(({ type }) => type).filter((type) => type.startsWith('message.')),
    ['message.received', 'message.completed'],
  );
});

test('several messages are answered in one request, and each that cannot be has its own problem', async () => {
  const address = await newAgent();
  const elsewhere = await newAgent();
  const sent = [await post(address), await post(address), await post(elsewhere)];
  const { items } = (await claim(address, { max: 5 })).body;
  const foreign = await claimOne(elsewhere);
  assert.equal(items.length, 2);
  const [one, two] = items as [Item, Item];
  const answers = [
    { message_id: one.message.id, claim: one.claim, body: 'first' },
    { message_id: two.message.id, claim: foreign.claim, body: 'under the claim of another' },
    { message_id: foreign.message.id, claim: foreign.claim, body: 'of another mailbox' },
    { message_id: two.message.id, claim: two.claim },
    { message_id: two.message.id, claim: two.claim, status: 'failed', error: 'No.' },
  ];
  const batch = () =>
    api<{ items: { message_id: string; answer?: { settles: boolean }; problem?: { code: string } }[] }>(
      'POST',
      `/mailboxes/${address}/answers`,
      { key: home.key, body: { answers } },
    );
  const results = (await batch()).body.items.map((item) => item.problem?.code ?? item.answer?.settles);
  assert.deepEqual(results, [true, 'claim_lost', 'message_not_found', 'validation_error', true]);
  assert.equal((await read(other.key, sent[0]?.id ?? '')).body.reply?.body, 'first');
  assert.equal((await read(other.key, two.message.id)).body.status, 'failed');
  const again = (await batch()).body.items;
  assert.equal(again[0]?.answer?.settles, true, 'repeated it adds nothing');
  assert.equal((await read(other.key, sent[0]?.id ?? '')).body.replies_count, 1);
  isProblem(
    await api('POST', `/mailboxes/${address}/answers`, { key: home.key, body: { answers: [] } }),
    'validation_error',
  );
});
