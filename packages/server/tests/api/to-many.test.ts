import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import { type Envelope, MAIL_DOMAIN, type Page, type ThreadItem } from '../../../../tests/harness/wire.ts';

const service = await serveInside();
const { api, newNamespace, newMailbox, newPaused, newKey, send, read, change, all } = connect(service.url);

const received = (key: string, address: string) => all<Envelope>(`/mailboxes/${address}/messages`, key);

/** A sender with a mailbox of its own, and three mailboxes of three other namespaces. */
async function people() {
  const home = await newNamespace();
  const from = await newMailbox(home);
  const homes = [await newNamespace(), await newNamespace(), await newNamespace()] as const;
  const [to, cc, bcc] = await Promise.all(homes.map((one) => newMailbox(one)));
  assert.ok(to !== undefined && cc !== undefined && bcc !== undefined);
  return { home, from, to, cc, bcc, keys: { to: homes[0].key, cc: homes[1].key, bcc: homes[2].key } };
}

test('a sync send to several waits for To, and each recipient here has a copy of its own', async () => {
  const { home, from, to, cc, bcc, keys } = await people();
  const sent = await send(home.key, {
    from: from.address,
    to: [to.address],
    cc: [cc.address],
    bcc: [bcc.address],
    subject: 'Plans',
    body: 'Who are you?',
    sync: true,
  });
  assert.equal(sent.status, 200, sent.text);
  const { body } = sent;
  assert.equal(body.status, 'completed');
  assert.equal(body.to, to.address);
  assert.deepEqual(body.recipients, { to: [to.address], cc: [cc.address], bcc: [bcc.address] });
  assert.deepEqual(
    body.copies?.map((copy) => [copy.to, copy.status]),
    [to, cc, bcc].map(({ address }) => [address, 'completed']),
  );
  assert.equal(body.reply?.body, 'I write programs.');
  assert.equal(body.reply?.from, to.address);
  assert.equal(body.replies?.length, 1);
  for (const [who, mailbox] of Object.entries({ to, cc, bcc })) {
    const [copy] = await received(keys[who as keyof typeof keys], mailbox.address);
    assert.ok(copy !== undefined, who);
    assert.equal(copy.to, mailbox.address);
    assert.equal(copy.thread_id, body.thread_id);
    assert.deepEqual(copy.recipients, { to: [to.address], cc: [cc.address] });
    assert.equal(copy.copies, undefined);
    assert.equal(copy.status, 'completed');
    assert.equal(copy.not_answered, who === 'to' ? undefined : 'cc');
    assert.equal(copy.reply === null, who !== 'to', who);
    assert.equal(copy.labels?.includes('cc'), who !== 'to');
  }
});

test('no one but the sender learns of a Bcc, by whatever is read', async () => {
  const { home, from, to, cc, bcc, keys } = await people();
  const sent = await send(home.key, {
    from: from.address,
    to: [to.address],
    cc: [cc.address],
    bcc: [bcc.address],
    body: 'Quietly.',
    sync: true,
  });
  const secret = bcc.address.split('@')[0] as string;
  for (const [who, mailbox] of [
    ['to', to],
    ['cc', cc],
  ] as const) {
    const key = keys[who];
    const [copy] = await received(key, mailbox.address);
    for (const path of [
      `/mailboxes/${mailbox.address}/messages`,
      `/mail/messages/${copy?.id}`,
      `/mail/threads/${sent.body.thread_id}`,
      '/events',
      '/export',
      `/mail/messages?direction=all`,
    ]) {
      const answer = await api('GET', path, { key });
      assert.equal(answer.text.includes(secret), false, `${who} ${path}`);
    }
    assert.equal((await read(key, sent.body.id)).status, 404);
  }
});

test('the sender lists what it wrote once, and its thread shows it once with all replies', async () => {
  const { home, from, to, cc } = await people();
  const fields = { from: from.address, to: [to.address, cc.address], body: 'Hello, both.' };
  const { body } = await send(home.key, { ...fields, sync: true });
  assert.equal(body.replies?.length, 2);
  assert.equal(body.replies_count, 2);
  const sentList = await all<Envelope>('/mail/messages', home.key);
  assert.deepEqual(
    sentList.map(({ id }) => id),
    [body.id],
  );
  assert.deepEqual(sentList[0]?.copies?.length, 2);
  const ofMailbox = await all<Envelope>(`/mailboxes/${from.address}/messages?direction=sent`, home.key);
  assert.deepEqual(
    ofMailbox.map(({ id }) => id),
    [body.id],
  );
  const thread = await all<ThreadItem>(`/mail/threads/${body.thread_id}`, home.key);
  assert.deepEqual(thread.map(({ kind }) => kind).sort(), ['message', 'reply', 'reply']);
});

test('a key without a mailbox writes to several too', async () => {
  const { home, to, cc } = await people();
  const sent = await send(home.key, { to: [to.address, cc.address], body: 'Hi', sync: true });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.from, null);
  assert.equal((await read(home.key, sent.body.id)).body.status, 'completed');
});

test('one recipient that refuses refuses all, with a pointer each, and nothing is stored', async () => {
  const { home, from, to } = await people();
  const answer = await send(home.key, {
    from: from.address,
    to: [to.address],
    cc: [`${unique()}@${home.name}.${MAIL_DOMAIN}`, to.address, `${unique()}@${home.name}.${MAIL_DOMAIN}`],
    body: 'Hi',
  });
  isProblem(answer, 'mailbox_not_found');
  const { errors } = answer.body as unknown as { errors: { pointer: string }[] };
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['/cc/0', '/cc/2'],
  );
  assert.deepEqual(await all('/mail/messages', home.key), []);
});

test('an address in several spellings is one recipient, and 51 are too many', async () => {
  const { home, from, to } = await people();
  const [local, domain] = to.address.split('@');
  const spellings = [to.address, to.address.toUpperCase(), `${local}+tag@${domain}`];
  const sent = await send(home.key, { from: from.address, to: spellings, cc: spellings, body: 'Hi', sync: true });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.copies, undefined);
  const many = Array.from({ length: 51 }, (_, at) => `n${at}@example.com`);
  isProblem(await send(home.key, { from: from.address, to: many, body: 'Hi' }), 'validation_error');
  isProblem(await send(home.key, { from: from.address, to: [], body: 'Hi' }), 'validation_error');
  isProblem(await send(home.key, { from: from.address, body: 'Hi' }), 'validation_error');
  isProblem(
    await send(home.key, { from: from.address, to: ['Team: a@b.example, c@d.example;'], body: 'Hi' }),
    'validation_error',
  );
});

test('a paused recipient in To makes it 202, and cancel and retry act on each copy', async () => {
  const { home, from, to } = await people();
  const other = await newNamespace();
  const paused = await newPaused(other);
  const sent = await send(
    home.key,
    { from: from.address, to: [to.address, paused.address], body: 'Hi', sync: true },
    { prefer: 'wait=1' },
  );
  assert.equal(sent.status, 202, sent.text);
  assert.equal(sent.body.status, 'working');
  const canceled = await api<Envelope>('POST', `/mail/messages/${sent.body.id}/cancel`, { key: home.key });
  assert.equal(canceled.status, 200, canceled.text);
  assert.equal(canceled.body.status, 'completed');
  assert.deepEqual(
    canceled.body.copies?.map(({ status }) => status),
    ['completed', 'canceled'],
  );
});

test('a repeated send with its key is one message', async () => {
  const { home, from, to, cc, keys } = await people();
  const fields = { from: from.address, to: [to.address], cc: [cc.address], body: 'Once', sync: true };
  const [first, second] = await Promise.all([0, 1].map(() => send(home.key, fields, { 'idempotency-key': 'k1' })));
  assert.equal(first?.body.id, second?.body.id);
  assert.equal((await received(keys.to, to.address)).length, 1);
  isProblem(await send(home.key, { ...fields, cc: [] }, { 'idempotency-key': 'k1' }), 'idempotency_mismatch');
});

test('reply_all reaches the author and all others, without the own address', async () => {
  const { home, from, to, cc, keys } = await people();
  const third = await newNamespace();
  const more = await newMailbox(third);
  const { body } = await send(home.key, {
    from: from.address,
    to: [to.address, more.address],
    cc: [cc.address],
    body: 'Hi',
    sync: true,
  });
  const [copy] = await received(keys.cc, cc.address);
  const answer = await send(keys.cc, { from: cc.address, in_reply_to: copy?.id, reply_all: true, body: 'Hi all' });
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.body.thread_id, body.thread_id);
  assert.deepEqual(answer.body.recipients, { to: [from.address], cc: [to.address, more.address] });
  const [back] = await received(home.key, from.address);
  assert.equal(back?.body, 'Hi all');
  assert.equal(back?.thread_id, body.thread_id);
});

test('one who is not of the thread cannot write in it', async () => {
  const { home, from, to, cc, bcc, keys } = await people();
  const { body } = await send(home.key, { from: from.address, to: [to.address], cc: [cc.address], body: 'Hi' });
  const answer = await send(keys.bcc, {
    from: bcc.address,
    to: [to.address, cc.address],
    thread_id: body.thread_id,
    body: 'Let me in',
  });
  isProblem(answer, 'validation_error');
  const ok = await send(keys.cc, { from: cc.address, to: from.address, thread_id: body.thread_id, body: 'I am in' });
  assert.equal(ok.status, 202, ok.text);
});

test('an address handles what is in Cc when its owner says so', async () => {
  const { home, from, to, cc, keys } = await people();
  assert.equal((await change(keys.cc, cc.address, { wake: 'cc' })).wake, 'cc');
  const fields = { from: from.address, to: [to.address], cc: [cc.address], sync: true };
  await send(home.key, { ...fields, body: 'Hi' });
  const woken = async () => (await received(keys.cc, cc.address)).filter(({ reply }) => reply !== null).length;
  assert.equal((await until(10_000, woken, (count) => count === 1)).seen, 1);
  await change(keys.cc, cc.address, { wake: 'mention' });
  await send(home.key, { ...fields, body: 'Nothing for you' });
  await send(home.key, { ...fields, body: `What says @${cc.local_part}?` });
  assert.equal((await until(10_000, woken, (count) => count === 2)).seen, 2);
  assert.equal((await received(keys.cc, cc.address)).length, 3);
});

test('labels are set in the mailbox that sends, metadata is seen by its namespace alone', async () => {
  const { home, from, to, keys } = await people();
  const fields = { to: to.address, body: 'Hi', sync: true };
  const sent = await send(home.key, {
    ...fields,
    from: from.address,
    labels: ['out/first'],
    metadata: { order: '17' },
  });
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(sent.body.metadata, { order: '17' });
  const mine = await read(home.key, sent.body.id);
  assert.deepEqual(mine.body.labels, ['out/first']);
  const [copy] = await received(keys.to, to.address);
  assert.equal(copy?.metadata, undefined);
  assert.deepEqual(copy?.labels, ['unread']);
  isProblem(await send(home.key, { ...fields, labels: ['x'] }), 'validation_error');
  isProblem(await send(home.key, { ...fields, metadata: { 'Not Good': 'x' } }), 'validation_error');
  const found = await api<Page<Envelope>>('GET', '/mail/messages?metadata.order=17', { key: home.key });
  assert.equal(found.status, 200, found.text);
  assert.deepEqual(
    found.body.items.map(({ id }) => id),
    [sent.body.id],
  );
  const none = await api<Page<Envelope>>('GET', '/mail/messages?metadata.order=18', { key: home.key });
  assert.deepEqual(none.body.items, []);
});

test('header fields that are not for callers, and those with line breaks, are refused', async () => {
  const { home, from, to } = await people();
  for (const headers of [
    { To: 'x@example.com' },
    { 'X-Mailroom-Id': '1' },
    { 'X-A': 'a\r\nBcc: x@example.com' },
    { 'X-A b': '1' },
  ])
    isProblem(await send(home.key, { from: from.address, to: to.address, body: 'Hi', headers }), 'validation_error');
});

test('a draft keeps its recipients, and a bound key sends it to all', async () => {
  const { home, from, to, cc, keys } = await people();
  const key = await newKey(home, { name: 'bound', mailbox: from.address, scopes: ['mail:send'] });
  const draft = await api<{ id: string; cc: string[] }>('POST', '/mail/drafts', {
    key: key.secret,
    body: { to: [to.address], cc: [cc.address], body: 'Later' },
  });
  assert.equal(draft.status, 201, draft.text);
  assert.deepEqual(draft.body.cc, [cc.address]);
  const sent = await api<Envelope>('POST', `/mail/drafts/${draft.body.id}/send`, { key: key.secret });
  assert.equal(sent.status, 202, sent.text);
  assert.equal((await received(keys.cc, cc.address))[0]?.body, 'Later');
});

test('an answer to all reaches its author as the reply, and everyone else of To and Cc as a copy', async () => {
  const { home, from, to, cc, bcc, keys } = await people();
  await change(keys.to, to.address, { behavior: { name: 'agent' } });
  const { body } = await send(home.key, {
    from: from.address,
    to: [to.address],
    cc: [cc.address],
    body: 'What do you think?',
  });
  const [copy] = await received(keys.to, to.address);
  const fields = { body: 'I agree.', reply_all: true, bcc: [bcc.address] };
  const answered = await api<Envelope>('POST', `/mail/messages/${copy?.id}/answer`, { key: keys.to, body: fields });
  assert.equal(answered.status, 200, answered.text);
  assert.equal((await read(home.key, body.id)).body.reply?.body, 'I agree.');
  const [got, , ...rest] = await received(keys.cc, cc.address);
  assert.deepEqual(rest, []);
  assert.equal(got?.body, 'I agree.');
  assert.equal(got?.thread_id, body.thread_id);
  assert.deepEqual(got?.recipients, { to: [from.address], cc: [cc.address] });
  assert.equal((await received(keys.bcc, bcc.address))[0]?.body, 'I agree.');
  const mine = await received(home.key, from.address);
  assert.deepEqual(
    mine.map((one) => one.body),
    ['I agree.'],
  );
  assert.equal(JSON.stringify(mine).includes(bcc.address), false);
  const further = { body: 'One more thing.', reply_all: true };
  const more = await api('POST', `/mail/messages/${copy?.id}/answer`, { key: keys.to, body: further });
  assert.equal(more.status, 200, more.text);
  assert.equal((await received(keys.cc, cc.address))[0]?.body, 'One more thing.');
  assert.equal((await received(home.key, from.address))[0]?.body, 'One more thing.');
});

test('a key that may only answer answers all, and names no others', async () => {
  const { home, from, to, cc, bcc, keys } = await people();
  await change(keys.to, to.address, { behavior: { name: 'agent' } });
  await send(home.key, { from: from.address, to: [to.address], cc: [cc.address], body: 'Hi' });
  const [copy] = await received(keys.to, to.address);
  const { secret } = (
    await api<{ secret: string }>('POST', '/keys', { key: keys.to, body: { name: 'a', scopes: ['mail:answer'] } })
  ).body;
  const path = `/mail/messages/${copy?.id}/answer`;
  isProblem(await api('POST', path, { key: secret, body: { body: 'No', cc: [bcc.address] } }), 'insufficient_scope');
  const all = await api('POST', path, { key: secret, body: { body: 'Yes', reply_all: true } });
  assert.equal(all.status, 200, all.text);
  assert.equal((await received(keys.cc, cc.address))[0]?.body, 'Yes');
});

test('a message is forwarded with its head, its text and its files, in a thread of its own', async () => {
  const { home, from, to, cc, keys } = await people();
  const content = Buffer.from('1,2').toString('base64');
  const attachments = [{ filename: 'a.csv', content_type: 'text/csv', content }];
  await send(home.key, {
    from: from.address,
    to: [to.address],
    subject: 'Figures',
    body: 'Here they are.',
    attachments,
  });
  const [got] = await received(keys.to, to.address);
  const path = `/mail/messages/${got?.id}/forward`;
  const fields = { to: [cc.address], body: 'For you.' };
  const forwarded = await api<Envelope>('POST', path, { key: keys.to, body: fields });
  assert.equal(forwarded.status, 202, forwarded.text);
  const [copy] = await received(keys.cc, cc.address);
  assert.equal(copy?.subject, 'Fwd: Figures');
  assert.match(copy?.body ?? '', /^For you\.\n\n-+ Forwarded message -+\nFrom: .*\nDate: .*\nSubject: Figures\n/);
  assert.match(copy?.body ?? '', /Here they are\.$/);
  assert.notEqual(copy?.thread_id, got?.thread_id);
  assert.deepEqual(
    copy?.attachments.map(({ filename }) => filename),
    ['a.csv'],
  );
  const none = await api<Envelope>('POST', path, { key: keys.to, body: { ...fields, attachments: 'none' } });
  assert.deepEqual(none.body.attachments, []);
  isProblem(await api('POST', path, { key: keys.bcc, body: fields }), 'message_not_found');
});

test('retry sends each failed copy again, and only those', async () => {
  const { home, from, to, keys } = await people();
  const other = await newNamespace();
  const failing = await newMailbox(other, { behavior: { name: 'agent' } });
  const { body } = await send(home.key, { from: from.address, to: [to.address, failing.address], body: 'Hi' });
  const [copy] = await received(other.key, failing.address);
  const fails = { status: 'failed', error: 'Out of paper' };
  await api('POST', `/mail/messages/${copy?.id}/answer`, { key: other.key, body: fails });
  assert.deepEqual(
    (await read(home.key, body.id, '?wait=10')).body.copies?.map(({ status }) => status),
    ['completed', 'failed'],
  );
  const again = await api<Envelope>('POST', `/mail/messages/${body.id}/retry`, { key: home.key });
  assert.equal(again.status, 202, again.text);
  assert.deepEqual(
    again.body.copies?.map(({ status }) => status),
    ['completed', 'submitted'],
  );
  assert.equal((await received(keys.to, to.address)).length, 1);
});

test('five addresses that wake for Cc, and whose programs answer all, come to an end', async () => {
  const home = await newNamespace();
  const boxes = await Promise.all(
    Array.from({ length: 5 }, () => newMailbox(home, { behavior: { name: 'agent' }, wake: 'cc' })),
  );
  const [from, to, ...cc] = boxes.map(({ address }) => address);
  assert.ok(from !== undefined && to !== undefined);
  await send(home.key, { from, to: [to], cc, body: 'Begin' });
  let [answers, idle] = [0, 0];
  while (idle < 3) {
    const answersBefore = answers;
    for (const { address } of boxes) {
      const claimed = await api<{ items: { claim: string; message: Envelope }[] }>(
        'POST',
        `/mailboxes/${address}/claim`,
        {
          key: home.key,
          body: { wait: 0, max: 20 },
        },
      );
      for (const { claim, message } of claimed.body.items) {
        const body = { claim, body: 'I answer all.', reply_all: true };
        await api('POST', `/mail/messages/${message.id}/answer`, { key: home.key, body });
        answers += 1;
      }
    }
    idle = answers === answersBefore ? idle + 1 : 0;
    if (idle > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(answers <= 60, `${answers} answers and no end`);
  }
  // Those in Cc of the first message answered too.
  assert.ok(answers >= 4, String(answers));
});
