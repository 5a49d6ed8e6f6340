import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail, smtpClient } from '../../../../tests/harness/mail.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

interface EmailEnvelope extends Envelope {
  readonly authentication: { readonly verified: boolean; readonly verified_by?: string };
  readonly not_answered: string | null;
  readonly deliveries?: readonly { readonly to: string; readonly status: string }[];
}

const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', LIMIT_MAIL: '200000' } });
const { client, outbox } = inside;
const port = inside.smtp?.port ?? 0;
const home = await client.newNamespace();
const WAIT_MS = 60_000;

const received = async (address: string): Promise<readonly EmailEnvelope[]> =>
  (await client.api<Page<EmailEnvelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;
const read = async (id: string): Promise<EmailEnvelope> =>
  (await client.read(home.key, id, '?wait=60')).body as EmailEnvelope;
const person = (): string => `${unique('ada')}@example.com`;
const mail = (from: string, to: string, body: string, more: Readonly<Record<string, string>> = {}): string =>
  mailText(
    {
      From: `Ada Lovelace <${from}>`,
      To: to,
      Subject: 'A question',
      Date: 'Mon, 23 Nov 2026 10:00:00 +0000',
      'Message-ID': `<${unique()}@example.com>`,
      'MIME-Version': '1.0',
      'Content-Type': 'text/plain; charset=utf-8',
      ...more,
    },
    body,
  );
const idIn = (reply: string): string => /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);

test('a mail is answered by mail, and an answer to that goes on in the thread', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'proofread' } });
  const from = person();
  const body = 'Hi there 👋,\n\nShe have two cat:\n\n- one black\n- one white\n\nBest,\nAda';
  const recipient = `<${unique()}@example.com>`;
  const text = mail(from, address, body, { 'Message-ID': recipient });
  const reply = await sendMail(port, { from, to: [address], text });
  assert.match(reply, /^250 2\.0\.0 Received as msg_/);
  const message = await read(idIn(reply));
  assert.deepEqual(
    [message.sender, message.channel, message.subject, message.status, message.not_answered],
    [{ kind: 'email', id: from, verified: true }, 'smtp', 'A question', 'completed', null],
  );
  assert.equal(message.body.replaceAll('\r\n', '\n').trim(), body);
  assert.deepEqual([message.authentication.verified, message.authentication.verified_by], [true, 'network']);
  const [answer] = await leftFor(outbox, from);
  assert.ok(answer !== undefined);
  const headers = new Map(answer.headers.map(({ key, value }) => [key, value]));
  assert.equal(answer.from?.address, address);
  assert.equal(answer.subject, 'Re: A question');
  assert.equal(headers.get('auto-submitted'), 'auto-replied');
  assert.deepEqual([answer.inReplyTo, answer.references], [recipient, recipient]);
  assert.match(answer.text ?? '', /She has two cats:/);
  assert.match(answer.messageId ?? '', new RegExp(`^<${message.reply?.id}@`));

  const more = { 'In-Reply-To': answer.messageId ?? '', References: `${answer.inReplyTo} ${answer.messageId}` };
  const further = mail(
    from,
    address,
    `Thank you. He go home.\n\nOn Mon, 23 Nov 2026 at 10:01, proofread wrote:\n> She has two cats:\n`,
    more,
  );
  const next = await read(idIn(await sendMail(port, { from, to: [address], text: further })));
  assert.deepEqual([next.thread_id, next.body.trim()], [message.thread_id, 'Thank you. He go home.']);
  const { seen } = await until(
    WAIT_MS,
    () => read(next.id),
    ({ deliveries }) => deliveries?.[0]?.status === 'sent',
  );
  assert.deepEqual(
    seen.deliveries?.map(({ to }) => to),
    [from],
  );
});

test('a mail that its mailbox answers at once has its answer by the time its sender has 250', async () => {
  const { address } = await client.newMailbox(home);
  const from = person();
  const id = idIn(await sendMail(port, { from, to: [address], text: mail(from, address, 'Who are you?') }));
  const message = (await client.read(home.key, id)).body as EmailEnvelope;
  assert.deepEqual([message.status, message.deliveries?.length], ['completed', 1]);
  const { body } = await client.api<Page<{ readonly type: string; readonly data: { readonly id: string } }>>(
    'GET',
    '/events?limit=200',
    {
      key: home.key,
    },
  );
  const own = body.items.filter(({ data }) => data.id === id).map(({ type }) => type);
  assert.deepEqual(
    own.filter((type) => type.startsWith('message.')),
    ['message.completed'],
  );
});

test('a mail without a Message-ID is answered as any other', async () => {
  const { address } = await client.newMailbox(home);
  const from = person();
  const text = mailText({ From: from, To: address, Subject: 'No id' }, 'Who are you?');
  assert.match(await sendMail(port, { from, to: [address], text }), /^250 /);
  const [answer] = await leftFor(outbox, from);
  assert.deepEqual([answer?.subject, answer?.inReplyTo], ['Re: No id', undefined]);
});

test('a recipient that does not exist, was deleted or is closed is refused before the data', async () => {
  const gone = await client.newMailbox(home);
  await client.api('DELETE', `/mailboxes/${gone.address}`, { key: home.key });
  const closed = await client.newMailbox(home, { access: 'key' });
  await using smtp = await smtpClient(port);
  await smtp.all('EHLO client.example', 'MAIL FROM:<ada@example.com>');
  assert.match(await smtp.say(`RCPT TO:<nobody-${unique()}@${home.name}.mailroom.localhost>`), /^550 5\.1\.1 /);
  assert.match(await smtp.say(`RCPT TO:<${gone.address}>`), /^550 5\.1\.6 /);
  assert.match(await smtp.say(`RCPT TO:<${closed.address}>`), /^550 5\.1\.1 /);
  assert.match(await smtp.say('RCPT TO:<ada@example.com>'), /^550 5\.1\.1 /);
  assert.match(await smtp.say('DATA'), /^503 /);
});

test('a mail that is too large is refused by its announced size and by its bytes, and the connection goes on', async () => {
  const { address } = await client.newMailbox(home);
  await using smtp = await smtpClient(port);
  assert.match(await smtp.say('EHLO client.example'), /250[- ]SIZE 200000/);
  assert.match(await smtp.say('MAIL FROM:<ada@example.com> SIZE=200001'), /^552 5\.3\.4 /);
  await smtp.all('MAIL FROM:<ada@example.com>', `RCPT TO:<${address}>`, 'DATA');
  const large = mail('ada@example.com', address, `${'A line of text.\n'.repeat(20_000)}`);
  assert.match(await smtp.say(`${large}\r\n.`), /^552 5\.3\.4 /);
  assert.match(await smtp.say('NOOP'), /^250 /);
  assert.deepEqual(await received(address), []);
});

test('a line that ends in LF or CR alone is refused, so that no mail hides another', async () => {
  const { address } = await client.newMailbox(home);
  const text = mail('ada@example.com', address, 'Hello');
  for (const smuggled of ['\n.\nMAIL FROM:<eve@example.com>\r\n', '\r.\r\nHello', 'a\rb']) {
    const reply = await sendMail(port, { from: 'ada@example.com', to: [address], text: `${text}${smuggled}` });
    assert.match(reply, /^550 5\.6\.11 /, JSON.stringify(smuggled));
  }
  assert.deepEqual(await received(address), []);
});

test('each recipient gets a message of its own, and the same bytes again make none', async () => {
  const [one, two] = [await client.newMailbox(home), await client.newMailbox(home)];
  const from = person();
  const text = mail(from, `${one.address}, ${two.address}`, 'Hello, both of you!');
  const to = [one.address, two.address.toUpperCase()];
  const [first, again] = [await sendMail(port, { from, to, text }), await sendMail(port, { from, to, text })];
  assert.equal(idIn(again), idIn(first));
  assert.deepEqual([(await received(one.address)).length, (await received(two.address)).length], [1, 1]);
  assert.equal((await leftFor(outbox, from, 2)).length, 2);
});

test('a recipient that may refuse the mail for its author is named alone, so that others get it once and for all', async () => {
  const open = await client.newMailbox(home);
  const closed = await client.newMailbox(home, { senders: { block: ['*@refused.example'] } });
  const from = 'eve@refused.example';
  const text = mail(from, open.address, 'Hello, both of you!');
  await using smtp = await smtpClient(port);
  await smtp.all('EHLO client.example', `MAIL FROM:<${from}>`);
  assert.match(await smtp.say(`RCPT TO:<${open.address}>`), /^250 /);
  assert.match(await smtp.say(`RCPT TO:<${closed.address}>`), /^452 4\.5\.3 /);
  assert.match(await smtp.all('DATA', `${text}\r\n.`), /^250 /);
  await smtp.all(`MAIL FROM:<${from}>`, `RCPT TO:<${closed.address}>`);
  assert.match(await smtp.say(`RCPT TO:<${open.address}>`), /^452 4\.5\.3 /);
  assert.match(await smtp.say(`RCPT TO:<${closed.address.toUpperCase()}>`), /^250 /);
  assert.match(await smtp.all('DATA', `${text}\r\n.`), /^550 5\.7\.1 /);
  // Who may write by the envelope is taken together with others, until a mail of it was refused for its author.
  const path = `bounces-${unique()}@lists.example`;
  const to = [open.address, closed.address];
  const send = (author: string) => sendMail(port, { from: path, to, text: mail(author, open.address, unique()) });
  assert.match(await send(person()), /^250 /);
  assert.match(await send(from), /^451 4\.3\.0 /);
  assert.match(await send(from), /^452 4\.5\.3 /);
});

for (const [reason, headers, path] of [
  ['auto_submitted', { 'Auto-Submitted': 'auto-replied' }, undefined],
  ['precedence', { Precedence: 'bulk' }, undefined],
  ['list', { 'List-Id': '<talk.example.com>' }, undefined],
  ['null_path', {}, ''],
] as const)
  test(`a mail is received and not answered: ${reason}`, async () => {
    const { address } = await client.newMailbox(home);
    const from = person();
    const text = mail(from, address, 'I am away.', headers);
    const message = await read(idIn(await sendMail(port, { from: path ?? from, to: [address], text })));
    assert.deepEqual(
      [message.status, message.reply, message.not_answered, message.body.trim()],
      ['completed', null, reason, 'I am away.'],
    );
    assert.deepEqual(message.deliveries, []);
  });

test('postmaster and abuse of a namespace reach its oldest mailbox, unanswered', async () => {
  const namespace = await client.newNamespace();
  // Whom its lists let write to the mailbox itself is no matter here.
  const { address } = await client.newMailbox(namespace, { access: 'key', senders: { allow: ['*@friends.example'] } });
  for (const role of ['postmaster', 'Abuse']) {
    const to = `${role}@${namespace.name}.mailroom.localhost`;
    const reply = await sendMail(port, { from: 'ada@example.com', to: [to], text: mail('ada@example.com', to, role) });
    const message = (await client.read(namespace.key, idIn(reply))).body as EmailEnvelope;
    assert.deepEqual([message.to, message.not_answered], [address, 'role']);
  }
});

test('what a program and then a person answer late leaves by mail, and only that of the program as automatic', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'agent' } });
  const from = person();
  const id = idIn(await sendMail(port, { from, to: [address], text: mail(from, address, 'Are you there?') }));
  const { key } = home;
  const claimed = await client.api('POST', `/mailboxes/${address}/claim`, { key, body: { wait: 0 } });
  const [{ claim }] = (claimed.body as { readonly items: readonly [{ readonly claim: string }] }).items;
  const answer = async (body: object) => {
    const { status, text } = await client.api('POST', `/mail/messages/${id}/answer`, { key, body });
    assert.equal(status, 200, text);
    return JSON.parse(text) as EmailEnvelope & { readonly answer: { readonly id: string } };
  };
  await answer({ claim, body: 'Yes.' });
  const { answer: further, reply } = await answer({ body: 'And one more thing.' });
  const automatic = (await leftFor(outbox, from, 2)).map(({ text, headers }) => [
    (text ?? '').split('\n')[0],
    headers.find((header) => header.key === 'auto-submitted')?.value,
  ]);
  assert.deepEqual(
    new Map(automatic as [string, string | undefined][]),
    new Map([
      ['Yes.', 'auto-replied'],
      ['And one more thing.', undefined],
    ]),
  );
  assert.equal(reply?.by_hand, undefined);
  assert.equal((await read(further.id)).by_hand, true);
});

test('a mail that failed and is sent again is answered by mail, in its thread', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'agent' } });
  const from = person();
  const id = idIn(await sendMail(port, { from, to: [address], text: mail(from, address, 'Are you there?') }));
  const { key } = home;
  const answer = (of: string, body: object) => client.api('POST', `/mail/messages/${of}/answer`, { key, body });
  assert.equal((await answer(id, { status: 'failed', error: 'Out of paper.' })).status, 200);
  const again = await client.api<EmailEnvelope>('POST', `/mail/messages/${id}/retry`, { key });
  assert.equal(again.body.retry_of, id, again.text);
  assert.equal((await answer(again.body.id, { body: 'Now I am.' })).status, 200);
  const left = await leftFor(outbox, from, 2);
  const answers = new Map(left.map(({ text, inReplyTo }) => [(text ?? '').split('\n')[0]?.trim(), inReplyTo]));
  const expected = ['Your message could not be answered. Out of paper.', 'Now I am.'];
  assert.deepEqual(new Set(answers.keys()), new Set(expected));
  assert.equal(new Set(answers.values()).size, 1, 'both answer the same mail');
});
