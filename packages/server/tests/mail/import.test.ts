import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', LIMIT_MAIL: '1048576' } });
const { api, newNamespace, newMailbox, newKey, send } = inside.client;
const BY_HAND = { behavior: { name: 'agent', settings: { by_hand: true } } };

interface Imported {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly code?: string;
  readonly detail?: string;
}

async function put(address: string, key: string, mail: string | Buffer, query = '', type = 'message/rfc822') {
  const answer = await fetch(`${inside.url}/api/v1/mailboxes/${address}/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: typeof mail === 'string' ? mail : new Uint8Array(mail),
  });
  return { status: answer.status, body: (await answer.json()) as Imported };
}
const rfcId = (): string => `<${unique()}@old.example>`;
const headers = (more: Readonly<Record<string, string>> = {}) => ({
  From: 'Ada <Ada@Example.com>',
  To: 'bob@old.example',
  Subject: 'An old mail',
  Date: 'Tue, 03 Mar 2020 10:00:00 +0100',
  'Message-ID': rfcId(),
  ...more,
});
async function house(behavior: Parameters<typeof newMailbox>[1] = BY_HAND) {
  const home = await newNamespace();
  const { address } = await newMailbox(home, behavior);
  const read = async (id: string) => (await api<Envelope>('GET', `/mail/messages/${id}`, { key: home.key })).body;
  return { home, key: home.key, address, read };
}

test('an imported mail has its date, its text and its bytes, and is read, unproven and unanswered', async () => {
  const { key, address, read } = await house({ behavior: { name: 'hello' } });
  const text = mailText(headers({ Cc: 'eve@old.example' }), 'Grüße\n> quoted\n');
  const { status, body } = await put(address, key, text);
  assert.deepEqual([status, body.status, body.created_at], [201, 'imported', '2020-03-03T09:00:00.000Z']);
  const message = await read(body.id);
  assert.deepEqual(
    [message.id, message.status, message.created_at, message.subject, message.sender.kind, message.sender.id],
    [body.id, 'completed', '2020-03-03T09:00:00.000Z', 'An old mail', 'email', 'ada@example.com'],
  );
  assert.deepEqual([message.sender.verified, message.not_answered, message.reply], [false, 'imported', null]);
  assert.deepEqual(message.labels, []);
  assert.deepEqual(message.recipients, { to: ['bob@old.example'], cc: ['eve@old.example'] });
  const raw = await fetch(`${inside.url}/api/v1/mail/messages/${body.id}/raw`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(await raw.text(), text);
  const events = await api<Page<{ type: string }>>('GET', '/events', { key });
  assert.ok(events.body.items.every(({ type }) => !type.startsWith('message.')));
});

test('the same mail again adds nothing, whether or not it has a Message-ID and a date', async () => {
  const { key, address } = await house();
  const { Date: _, 'Message-ID': __, ...bare } = headers();
  const file = 'Content-Type: text/plain; name=a.txt\nContent-Disposition: attachment; filename=a.txt\n\nFile';
  const withFile = mailText(
    headers({ 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' }),
    `--b\nContent-Type: text/plain\n\nText\n--b\n${file}\n--b--\n`,
  );
  for (const text of [mailText(headers(), 'One'), mailText(bare, 'Two'), withFile]) {
    const first = await put(address, key, text);
    assert.equal(first.status, 201, JSON.stringify(first.body));
    inside.pass(1000);
    const again = await Promise.all([put(address, key, text), put(address, key, text)]);
    for (const { status, body } of again)
      assert.deepEqual([status, body.status, body.id], [200, 'exists', first.body.id]);
    const message = (await api<Envelope>('GET', `/mail/messages/${first.body.id}`, { key })).body;
    assert.equal(message.attachments.length, text === withFile ? 1 : 0);
  }
  const same = headers();
  assert.equal((await put(address, key, mailText(same, 'To you'))).status, 201);
  assert.equal((await put(address, key, mailText(same, 'To you, by the list'))).status, 201);
  const together = mailText(headers(), 'Together');
  const results = await Promise.all([1, 2, 3, 4].map(() => put(address, key, together)));
  assert.equal(results.filter(({ status }) => status === 201).length, 1);
});

test('a mail that came before is not imported again, and one of another mailbox is', async () => {
  const { home, key, address } = await house();
  const text = mailText(headers({ To: address }), 'It came');
  const reply = await sendMail(inside.smtp?.port ?? 0, { from: 'ada@example.com', to: [address], text });
  const [, id = ''] = /Received as (msg_\w+)/.exec(reply) ?? assert.fail(reply);
  const raw = Buffer.from(
    await (
      await fetch(`${inside.url}/api/v1/mail/messages/${id}/raw`, { headers: { authorization: `Bearer ${key}` } })
    ).arrayBuffer(),
  );
  const { status, body } = await put(address, key, raw);
  assert.deepEqual([status, body.id], [200, id]);
  const other = await newMailbox(home, BY_HAND);
  assert.equal((await put(other.address, key, raw)).status, 201);
});

test('imported mails make threads among themselves, and continue none of others', async () => {
  const { key, address, read } = await house();
  const first = rfcId();
  const came = await sendMail(inside.smtp?.port ?? 0, {
    from: 'ada@example.com',
    to: [address],
    text: mailText(headers({ To: address, 'Message-ID': first }), 'Now'),
  });
  const [, id = ''] = /Received as (msg_\w+)/.exec(came) ?? assert.fail(came);
  const alone = await put(address, key, mailText(headers({ 'In-Reply-To': first }), 'Alone'));
  const second = rfcId();
  const begun = await put(address, key, mailText(headers({ 'Message-ID': second }), 'Begun'));
  const next = await put(address, key, mailText(headers({ References: second, Subject: 'Re: it' }), 'Next'));
  const [a, b, c, d] = [await read(id), await read(alone.body.id), await read(begun.body.id), await read(next.body.id)];
  assert.notEqual(a.thread_id, b.thread_id);
  assert.equal(c.thread_id, d.thread_id);
  assert.equal(d.in_reply_to, c.id);
  assert.equal(new Set([a, b, c].map(({ thread_id }) => thread_id)).size, 3);
});

test('a mail without a date has the time it came, and none lies in the future', async () => {
  const { key, address } = await house();
  const { Date: _, ...dateless } = headers();
  const received = await put(address, key, mailText(dateless, 'One'), '?received_at=2019-01-02T03:04:05Z');
  assert.equal(received.body.created_at, '2019-01-02T03:04:05.000Z');
  for (const date of ['Tue, 03 Mar 2090 10:00:00 +0100', 'yesterday', 'Tue, 03 Mar 1910 10:00:00 +0100']) {
    const { status, body } = await put(address, key, mailText(headers({ Date: date }), 'Two'));
    assert.equal(status, 201, JSON.stringify(body));
    assert.ok(Math.abs(Date.parse(body.created_at) - inside.now()) < 60_000, body.created_at);
  }
  assert.equal(
    (await put(address, key, mailText(headers(), 'x'), '?received_at=yesterday')).body.code,
    'validation_error',
  );
});

test('what is no mail, is too large or is of another type is refused, and nothing of it is stored', async () => {
  const { home, key, address } = await house();
  const bad: readonly (readonly [string | Buffer, string, string?])[] = [
    ['', 'validation_error'],
    ['PK\u0003\u0004 no mail at all', 'validation_error'],
    ['{"mail": true}', 'validation_error'],
    ['Note: no mail at all', 'validation_error'],
    ['x'.repeat(1_100_000), 'body_too_large'],
    [mailText(headers(), `${'long '.repeat(15)}\n`.repeat(5_000)), 'body_too_large'],
    [mailText(headers(), 'Hi'), 'unsupported_media_type', 'application/json'],
  ];
  for (const [mail, code, type] of bad) {
    const { body } = await put(address, key, mail, '', type);
    assert.equal(body.code, code, JSON.stringify(body));
  }
  const list = await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key });
  assert.equal(list.body.items.length, 0);
  const eightBit = Buffer.concat([
    Buffer.from('From: a@b.example\nSubject: 8\nContent-Type: text/plain; charset=latin1\n\n'),
    Buffer.from([0xe9, 10]),
  ]);
  const { status, body } = await put(address, key, eightBit);
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await api<Envelope>('GET', `/mail/messages/${body.id}`, { key })).body.body.trim(), 'é');
  assert.equal((await put(address, key, 'Subject: nobody wrote it\n\nHi')).status, 201);
  const reader = await newKey(home, { scopes: ['messages:read'] });
  assert.equal((await put(address, reader.secret, 'Subject: x\n\nHi')).body.code, 'insufficient_scope');
});

test('an exported mailbox imports again byte for byte, and into itself adds nothing', async () => {
  const { home, key, address } = await house();
  const texts = [mailText(headers(), 'From me\n\nFrom you'), mailText(headers(), 'No end').replace(/\r?\n$/, '')];
  for (const text of texts) await put(address, key, text);
  const sent = await send(key, { to: address, subject: 'Here', body: 'From here' });
  await api('POST', `/mail/messages/${sent.body.id}/answer`, { key, body: { body: 'Answered' } });
  const exported = await fetch(`${inside.url}/api/v1/mailboxes/${address}/export.mbox`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const mbox = Buffer.from(await exported.arrayBuffer()).toString('latin1');
  const mails = mbox
    .split(/^From \S+ [A-Z].*\n/m)
    .slice(1)
    .map((mail) => Buffer.from(mail.replace(/\n$/, '').replace(/^>(>*From )/gm, '$1'), 'latin1'));
  assert.equal(mails.length, 4);
  for (const mail of mails) assert.deepEqual((await put(address, key, mail)).body.status, 'exists', mail.toString());
  const other = await newMailbox(home, BY_HAND);
  for (const mail of mails) assert.equal((await put(other.address, key, mail)).body.status, 'imported');
  const list = await api<Page<Envelope>>('GET', `/mailboxes/${other.address}/messages`, { key });
  assert.deepEqual(list.body.items.map(({ body }) => body.trim()).sort(), [
    'Answered',
    'From here',
    'From me\n\nFrom you',
    'No end',
  ]);
});
