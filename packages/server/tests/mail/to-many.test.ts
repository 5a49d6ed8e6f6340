import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';

const sink = await startSmtp();
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url } });
const { client, store } = inside;
const port = inside.smtp?.port ?? 0;

const person = (name = 'ann') => `${unique(name)}@far.example`;

async function claimed(): Promise<Home> {
  const home = await client.newNamespace();
  await store.namespaces.claim(home.id, inside.now());
  return home;
}

/** The mails with this subject that left, once there are so many. */
async function left(subject: string, count: number) {
  const look = async () => sink.arrived.filter(({ mail }) => mail.subject?.endsWith(subject));
  return (await until(60_000, look, (mails) => mails.length >= count)).seen;
}

const addresses = (field: { readonly address?: string | undefined }[] | undefined): string[] =>
  (field ?? []).map(({ address = '' }) => address);

interface In {
  readonly head: Readonly<Record<string, string>>;
  readonly from: string;
  readonly to: readonly Mailbox[];
  readonly body?: string;
}

/** Hands a mail in; the ids of its messages are those of the newest of each mailbox. */
async function handIn({ head, from, to, body = 'I has a apple.' }: In): Promise<void> {
  const text = mailText({ From: from, Subject: unique('s'), 'Message-ID': `<${unique()}@far.example>`, ...head }, body);
  assert.match(await sendMail(port, { from, to: to.map(({ address }) => address), text }), /^250 /);
}

const newest = async (home: Home, { address }: Mailbox, query = ''): Promise<Envelope> => {
  const [message] = await client.all<Envelope>(`/mailboxes/${address}/messages`, home.key);
  return (await client.read(home.key, message?.id ?? assert.fail(`nothing in ${address}`), query)).body;
};

test('a message to several outside is one mail to each, with To and Cc and no trace of a Bcc', async () => {
  const home = await claimed();
  const from = await client.newMailbox(home);
  const here = await client.newMailbox(home);
  const [to, cc, bcc, subject] = [person('to'), person('cc'), person('secret'), unique('plan')];
  const sent = await client.send(home.key, {
    from: from.address,
    to: [to, here.address],
    cc: [cc],
    bcc: [bcc],
    subject,
    body: '# Plan\n\nWe meet.',
    html: '<p>We <b>meet</b>.</p>',
    reply_to: 'desk@far.example',
    headers: { 'X-Ticket': '17', Importance: 'high' },
  });
  assert.equal(sent.status, 202, sent.text);
  const mails = await left(subject, 3);
  assert.deepEqual(mails.flatMap((one) => one.to).sort(), [to, cc, bcc].sort());
  for (const { mail, raw } of mails) {
    assert.deepEqual(addresses(mail.to), [to, here.address]);
    assert.deepEqual(addresses(mail.cc), [cc]);
    assert.deepEqual(addresses(mail.replyTo), ['desk@far.example']);
    assert.match(String(mail.html), /<b>meet<\/b>/);
    assert.equal(mail.headers.find(({ key }) => key === 'x-ticket')?.value, '17');
    assert.equal(String(raw).includes(bcc), false);
    assert.equal(mail.messageId, mails[0]?.mail.messageId);
  }
  const { body } = await client.read(home.key, sent.body.id);
  assert.deepEqual(
    body.copies?.map((copy) => copy.to),
    [here.address],
  );
  const deliveries = (body as unknown as { deliveries: { to: string }[] }).deliveries.map((one) => one.to);
  assert.deepEqual(deliveries.sort(), [to, cc, bcc].sort());
});

test('an unclaimed namespace sends nothing to several of whom one is outside', async () => {
  const home = await client.newNamespace();
  const [from, here] = [await client.newMailbox(home), await client.newMailbox(home)];
  const answer = await client.send(home.key, { from: from.address, to: [here.address], cc: [person()], body: 'Hi' });
  isProblem(answer, 'mailbox_not_found', '/cc/0');
  assert.deepEqual(await client.all(`/mailboxes/${here.address}/messages`, home.key), []);
});

test('a suppressed recipient refuses the whole message, by its pointer', async () => {
  const home = await claimed();
  const [from, here] = [await client.newMailbox(home), await client.newMailbox(home)];
  const dead = person();
  await store.suppressions.add({
    namespace_id: home.id,
    kind: 'email',
    target: dead,
    reason: 'bounced',
    created_at: inside.now(),
  });
  const answer = await client.send(home.key, { from: from.address, to: [here.address, dead], body: 'Hi' });
  isProblem(answer, 'address_suppressed', '/to/1');
  assert.deepEqual(await client.all(`/mailboxes/${here.address}/messages`, home.key), []);
});

test('an address in To of a mail answers, one in Cc or Bcc files it', async () => {
  const home = await client.newNamespace();
  const [to, cc, bcc] = [
    await client.newMailbox(home, { behavior: { name: 'proofread' } }),
    await client.newMailbox(home, { behavior: { name: 'proofread' } }),
    await client.newMailbox(home, { behavior: { name: 'proofread' } }),
  ];
  const other = person();
  await handIn({
    head: { To: `Pro <${to.address}>, ${other}`, Cc: cc.address.toUpperCase() },
    from: person(),
    to: [to, cc, bcc],
  });
  const messages = await Promise.all([to, cc, bcc].map((one) => newest(home, one, '?wait=60')));
  assert.deepEqual(
    messages.map(({ not_answered }) => not_answered ?? null),
    [null, 'cc', 'cc'],
  );
  assert.deepEqual(
    messages.map(({ reply }) => reply === null),
    [false, true, true],
  );
  assert.deepEqual(
    messages.map(({ labels }) => labels?.includes('cc')),
    [false, true, true],
  );
  for (const { recipients } of messages) assert.deepEqual(recipients, { to: [to.address, other], cc: [cc.address] });
});

test('a mail that was handed on, or names no address, is for the one that it came to', async () => {
  const home = await client.newNamespace();
  const mailbox = await client.newMailbox(home);
  for (const head of [
    {},
    { To: person(), 'X-Forwarded-To': mailbox.address },
    { To: person(), 'Delivered-To': person() },
    { To: 'list@far.example', 'Resent-To': mailbox.address },
  ]) {
    await handIn({ head, from: person(), to: [mailbox] });
    assert.notEqual((await newest(home, mailbox)).not_answered, 'cc', JSON.stringify(head));
  }
});

test('an owner lets an address handle what it is in Cc of, or what mentions it', async () => {
  const home = await client.newNamespace();
  const cc = await client.newMailbox(home, { wake: 'mention', display_name: 'Ada Byte' });
  const mention = async (body: string) => {
    await handIn({ head: { To: person(), Cc: cc.address }, from: person(), to: [cc], body });
    return (await newest(home, cc)).not_answered ?? null;
  };
  assert.equal(await mention('Hello all.'), 'cc');
  assert.equal(await mention('What do you say, @Ada Byte?'), null);
  assert.equal(await mention(`@${cc.local_part}: your turn`), null);
  assert.equal(await mention(`@${cc.local_part}x: your turn`), 'cc');
  assert.equal(
    await mention(`Hello all.\n\nOn Mon, Nov 23, 2026 at 10:00 AM Bo <bo@far.example> wrote:\n> @${cc.local_part}\n`),
    'cc',
  );
  await client.change(home.key, cc.address, { wake: 'cc' });
  assert.equal(await mention('Hello all.'), null);
});

test('one of Cc answers all by mail: here it arrives in the same thread', async () => {
  const home = await claimed();
  const [from, here] = [
    await client.newMailbox(home, { behavior: { name: 'agent' } }),
    await client.newMailbox(home, { behavior: { name: 'agent' } }),
  ];
  const [cc, subject] = [person('cc'), unique('thread')];
  const sent = await client.send(home.key, {
    from: from.address,
    to: [here.address],
    cc: [cc],
    subject,
    body: 'What do you think?',
  });
  const [{ mail } = assert.fail()] = await left(subject, 1);
  const head = {
    To: from.address,
    Cc: here.address,
    'In-Reply-To': mail.messageId ?? '',
    References: mail.messageId ?? '',
  };
  await handIn({ head, from: cc, to: [from, here], body: 'I like it.' });
  for (const mailbox of [from, here]) {
    const message = await newest(home, mailbox);
    assert.equal(message.body.trim(), 'I like it.');
    assert.equal(message.thread_id, sent.body.thread_id, mailbox === from ? 'from' : 'here');
  }
  await handIn({ head, from: person('stranger'), to: [from], body: 'Let me in.' });
  assert.notEqual((await newest(home, from)).thread_id, sent.body.thread_id);
});

test('reply_all to a mail reaches its author and all others of To and Cc, here and outside', async () => {
  const home = await claimed();
  const [desk, colleague] = [
    await client.newMailbox(home, { behavior: { name: 'agent' } }),
    await client.newMailbox(home, { behavior: { name: 'agent' } }),
  ];
  const [author, other, third, subject] = [person('author'), person('other'), person('third'), unique('all')];
  await handIn({
    head: { To: `${desk.address}, ${other}`, Cc: `${colleague.address}, ${third}`, Subject: subject },
    from: author,
    to: [desk, colleague],
  });
  const message = await newest(home, desk);
  const answer = await client.send(home.key, {
    from: desk.address,
    in_reply_to: message.id,
    reply_all: true,
    subject: `Re: ${subject}`,
    body: 'Yes, all of you.',
  });
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(answer.body.recipients, { to: [author], cc: [other, colleague.address, third] });
  const mails = await left(subject, 3);
  assert.deepEqual(mails.flatMap((one) => one.to).sort(), [author, other, third].sort());
  assert.equal((await newest(home, colleague)).body, 'Yes, all of you.');
});

test('an answer to all of a mail is one mail to each, and its author sees who else got it', async () => {
  const home = await claimed();
  const [desk, colleague] = [
    await client.newMailbox(home, { behavior: { name: 'agent' } }),
    await client.newMailbox(home, { behavior: { name: 'agent' } }),
  ];
  const [author, other, subject] = [person('author'), person('other'), unique('answer')];
  await handIn({
    head: { To: `${desk.address}, ${other}`, Cc: colleague.address, Subject: subject },
    from: author,
    to: [desk, colleague],
  });
  const { id } = await newest(home, desk);
  const fields = { body: 'Yes, all of you.', reply_all: true };
  const answer = await client.api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: fields });
  assert.equal(answer.status, 200, answer.text);
  const mails = await left(subject, 2);
  assert.deepEqual(mails.flatMap((one) => one.to).sort(), [author, other].sort());
  for (const { mail } of mails) {
    assert.deepEqual(addresses(mail.to), [author]);
    assert.deepEqual(addresses(mail.cc), [other, colleague.address]);
    assert.equal(mail.messageId, mails[0]?.mail.messageId);
  }
  const got = await newest(home, colleague);
  assert.equal(got.body, 'Yes, all of you.');
  assert.equal(got.not_answered, 'cc');
});
