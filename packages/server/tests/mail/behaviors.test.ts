import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Email } from 'postal-mime';
import { type Home, type NewMailbox, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0' },
});
const { client, outbox } = inside;
const home = await client.newNamespace();

const mailbox = async (name: string, settings: object = {}, more: NewMailbox = {}, of: Home = home): Promise<string> =>
  (await client.newMailbox(of, { behavior: { name, settings }, ...more })).address;

interface Sent {
  readonly subject?: string;
  readonly answers?: Email;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a mail of this body and type; gives its message once it settled. */
async function write(
  from: string,
  to: string,
  body: string,
  { subject = 'Hello', answers, headers = {} }: Sent = {},
  key = home.key,
): Promise<Envelope> {
  const fields = {
    From: `Ada Lovelace <${from}>`,
    To: to,
    Subject: answers === undefined ? subject : (answers.subject ?? ''),
    Date: 'Mon, 23 Nov 2026 10:00:00 +0000',
    'Message-ID': `<${unique()}@example.com>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...(answers !== undefined && { 'In-Reply-To': answers.messageId ?? '', References: answers.messageId ?? '' }),
    ...headers,
  };
  const reply = await sendMail(inside.smtp?.port ?? 0, { from, to: [to], text: mailText(fields, body) });
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  return (await client.read(key, id, '?wait=60')).body;
}
const person = (): string => `${unique('ada')}@example.com`;
/** The newest answer to this person, of so many. */
async function answered(
  to: string,
  count = 1,
): Promise<{ readonly mail: Email; readonly text: string; readonly html: string }> {
  const mails = await leftFor(outbox, to, count);
  assert.equal(mails.length, count);
  const known = new Set(seen.get(to));
  const mail = mails.find(({ messageId }) => !known.has(messageId ?? '')) ?? assert.fail('No new answer.');
  seen.set(
    to,
    mails.map(({ messageId }) => messageId ?? ''),
  );
  return { mail, text: (mail.text ?? '').replaceAll('\r', ''), html: mail.html ?? '' };
}
const seen = new Map<string, readonly string[]>();

const GMAIL = { 'Content-Type': 'multipart/alternative; boundary="b1"' };
const gmail = (text: string, html: string): string =>
  `--b1\nContent-Type: text/plain; charset="UTF-8"\n\n${text}\n\n--b1\nContent-Type: text/html; charset="UTF-8"\n\n${html}\n\n--b1--\n`;
const OUTLOOK = { 'Content-Type': 'text/html; charset="utf-8"' };
const outlook = (html: string): string =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body lang="EN-US"><div class="WordSection1">${html}</div></body></html>`;

test('hello introduces its owner in the language of the mail', async () => {
  const to = await mailbox('hello', {
    introduction: 'I am **Ada**. I write programs.',
    languages: { de: 'Ich bin **Ada**. Ich schreibe Programme.' },
    links: [{ label: 'Notes', url: 'https://example.com/notes' }],
  });
  const from = person();
  await write(
    from,
    to,
    'Hi there 👋,\n\nwho are you, and what do you do?\n\nBest,\nAda\n\n-- \nAda Lovelace\n+44 20 1234\n',
  );
  const { text, html } = await answered(from);
  assert.match(text, /I am Ada\./);
  assert.match(html, /<strong>Ada<\/strong>[\s\S]*https:\/\/example\.com\/notes/);
  const german = person();
  await write(
    german,
    to,
    'Guten Tag,\n\nwer sind Sie, und was machen Sie beruflich?\n\nMit freundlichen Grüßen\nAda\n',
  );
  assert.match((await answered(german)).text, /Ich schreibe Programme/);
});

for (const [program, headers, body] of [
  ['Gmail', GMAIL, gmail('She have two cat.', '<div dir="ltr">She have two cat.<br></div>')],
  [
    'Outlook',
    OUTLOOK,
    outlook('<p class="MsoNormal">She have two cat.<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p>'),
  ],
  ['an iPhone', {}, 'She have two cat.\n\nSent from my iPhone\n'],
] as const)
  test(`proofread corrects a text pasted in ${program}, and marks each correction`, async () => {
    const to = await mailbox('proofread');
    const from = person();
    const { body: read } = await write(from, to, body, { headers });
    assert.equal(read, 'She have two cat.');
    const { text, html } = await answered(from);
    assert.match(text, /^She has two cats\./);
    assert.match(html, /<del [^>]*>have<\/del> <ins [^>]*>has<\/ins>/);
  });

test('proofread returns attached .txt and .md files corrected, and nothing of a picture in the signature', async () => {
  const to = await mailbox('proofread');
  const from = person();
  const file = (name: string, type: string, content: string): string =>
    `--b1\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}\n\n`;
  const body = `--b1\nContent-Type: text/plain; charset=utf-8\n\nPlease correct these files.\n\n${file('a.txt', 'text/plain', 'She have two cat.\n')}${file('b.md', 'text/markdown', '# Cats\n\nHe go home.\n')}${file('logo.png', 'image/png', 'PNG')}--b1--\n`;
  await write(from, to, body, { headers: { 'Content-Type': 'multipart/mixed; boundary="b1"' } });
  const { mail } = await answered(from);
  const files = new Map(
    mail.attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()]),
  );
  assert.deepEqual(new Set(files.keys()), new Set(['a.txt', 'b.md']));
  assert.equal(files.get('a.txt'), 'She has two cats.\n');
  assert.match(files.get('b.md') ?? '', /He goes home\./);
  // A mail of files alone gets an answer about them alone.
  const other = person();
  await write(other, to, body.replace('Please correct these files.', ''), {
    headers: { 'Content-Type': 'multipart/mixed; boundary="b1"' },
  });
  assert.match((await answered(other)).text, /^Files\s+- a\.txt: /);
});

test('do takes its instruction from the subject of a mail that has no text', async () => {
  const to = await mailbox('do');
  const [from, other] = [person(), person()];
  const { status } = await write(from, to, '\n\nSent from my iPhone\n', { subject: 'What is 12 * 7?' });
  assert.equal(status, 'completed');
  assert.match((await answered(from)).text, /\b84\b/);
  const unclear = await write(other, to, '', { subject: 'Convert 5 to miles' });
  assert.equal(unclear.status, 'input_required');
  const { mail, text } = await answered(other);
  assert.match(text, /5 of what/);
  await write(other, to, 'km', { answers: mail });
  assert.match((await answered(other, 2)).text, /3\.1/);
});

test('an instruction in the subject is taken when the mail is sent again', async () => {
  const to = await mailbox('do');
  const from = person();
  const { id, status } = await write(from, to, '', { subject: 'Run: throw new Error("out of ink")' });
  assert.equal(status, 'failed');
  const again = await client.api<{ readonly id: string }>('POST', `/mail/messages/${id}/retry`, { key: home.key });
  const { body } = await client.read(home.key, again.body.id, '?wait=60');
  assert.equal(body.status, 'failed', JSON.stringify(body.reply));
  assert.match((await leftFor(outbox, from, 2)).map((one) => one.text).join('\n'), /out of ink[\s\S]*out of ink/);
});

test('proofread says to someone who wrote a subject alone where the text belongs', async () => {
  const to = await mailbox('proofread');
  const from = person();
  const { status } = await write(from, to, '-- \nAda\n', { subject: 'She have two cat.' });
  assert.equal(status, 'input_required');
  assert.match((await answered(from)).text, /no text/i);
});

test('do answers a stranger with its steps, asks back, and goes on with the answer', async () => {
  const to = await mailbox('do');
  const from = person();
  const mail = outlook(
    '<p class="MsoNormal">Hi,</p><p class="MsoNormal">&nbsp;</p><p class="MsoNormal">calculate 2 * 21</p><p class="MsoNormal">&nbsp;</p><p class="MsoNormal">Best regards,</p><p class="MsoNormal">Ada</p>',
  );
  const done = await write(from, to, mail, { headers: OUTLOOK });
  assert.equal(done.status, 'completed', done.reply?.body ?? '');
  const { text } = await answered(from);
  assert.match(text, /42/);
  const request = await write(from, to, 'Convert 5 to miles');
  assert.equal(request.status, 'input_required', request.reply?.body ?? '');
  const question = await answered(from, 2);
  const quote = question.text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const next = await write(from, to, `km\n\nOn Mon, 23 Nov 2026 at 10:01, do wrote:\n${quote}\n`, {
    answers: question.mail,
  });
  assert.deepEqual([next.thread_id, next.status], [request.thread_id, 'completed'], next.reply?.body ?? '');
  assert.match((await answered(from, 3)).text, /3\.1/);
});

test('do has no effects for a stranger, and has those of the owner', async () => {
  const namespace = await client.newNamespace();
  const owner = person();
  await ownedBy(inside, namespace, owner);
  const to = await mailbox('do', {}, {}, namespace);
  const stranger = person();
  const refused = await write(stranger, to, 'Remember that milk is white', {}, namespace.key);
  assert.equal(refused.status, 'rejected', refused.reply?.body ?? '');
  assert.match((await answered(stranger)).text, /Nothing was done/);
  const done = await write(owner, to, 'Remember that milk is white, then calculate 2 * 21', {}, namespace.key);
  assert.equal(done.status, 'completed', done.reply?.body ?? '');
  assert.match((await answered(owner)).html, /<ol[\s\S]*<b>remember<\/b>/);
  // Another namespace's address knows nothing of this owner.
  const elsewhere = await mailbox('do');
  assert.equal((await write(owner, elsewhere, 'Remember that milk is white')).status, 'rejected');
});

test('a plan that waits for approval is approved by the owner who asked for it by mail, and the answer comes by mail', async () => {
  const namespace = await client.newNamespace();
  const owner = person();
  await ownedBy(inside, namespace, owner);
  const to = await mailbox('do', { approval: ['remember'] }, {}, namespace);
  const text = mailText(
    { From: owner, To: to, Subject: 'Remember that milk is white', 'Message-ID': `<${unique()}@example.com>` },
    // As short mails are written on a phone.
    'Sent from my iPhone',
  );
  const port = inside.smtp?.port ?? 0;
  const reply = await sendMail(port, { from: owner, to: [to], text });
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  const question = await answered(owner);
  assert.match(question.text, new RegExp(`${owner}, by mail:\\s+\\| Remember that milk is white`));
  const at = question.mail.replyTo?.[0]?.address ?? '';
  const yes = mailText({ From: owner, To: at, Subject: 'Re: it', 'Message-ID': `<${unique()}@example.com>` }, 'Yes');
  assert.match(await sendMail(port, { from: owner, to: [at], text: yes }), /^250 2\.0\.0 approved/);
  assert.equal((await client.read(namespace.key, id, '?wait=60')).body.status, 'completed');
  const mails = await leftFor(outbox, owner, 3);
  assert.ok(mails.some(({ subject, from }) => subject === 'Re: Remember that milk is white' && from?.address === to));
});

test('what an owner asked for by mail ends with the ownership', async () => {
  const namespace = await client.newNamespace();
  const owner = person();
  await ownedBy(inside, namespace, owner);
  const to = await mailbox('do', {}, {}, namespace);
  assert.equal((await write(owner, to, 'Remember that milk is white', {}, namespace.key)).status, 'completed');
  const reader = await client.newKey(namespace, { name: 'reader', scopes: ['messages:read'] });
  await inside.store.keys.revoke(namespace.keyId, namespace.id, inside.now());
  const after = await write(owner, to, 'Remember that snow is white', {}, reader.secret);
  assert.equal(after.status, 'rejected', after.reply?.body ?? '');
});

test('auth hands no token by mail', async () => {
  const namespace = await client.newNamespace();
  const to = await mailbox('auth', {}, { local_part: 'auth' }, namespace);
  const owner = person();
  await ownedBy(inside, namespace, owner);
  for (const [nth, body] of [
    'token for https://api.example.com',
    'sign in at https://service.example',
    'help',
  ].entries()) {
    const { reply } = await write(owner, to, body, {}, namespace.key);
    const { text, html } = await answered(owner, nth + 1);
    for (const said of [text, html, reply?.body ?? '', JSON.stringify(reply?.data ?? null)])
      assert.doesNotMatch(said, /eyJ[\w-]{10,}|\bmr_live_|access_token/, body);
  }
});

test('an agent answers late, and by hand with a file', async () => {
  const to = await mailbox('agent', { by_hand: true });
  const from = person();
  const text = mailText(
    { From: from, To: to, Subject: 'Are you there?', 'Message-ID': `<${unique()}@example.com>` },
    'Are you there?',
  );
  const reply = await sendMail(inside.smtp?.port ?? 0, { from, to: [to], text });
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  inside.pass(3 * 60 * 60 * 1_000);
  const attachments = [
    { filename: 'map.txt', content_type: 'text/plain', content: Buffer.from('here').toString('base64') },
  ];
  const sent = await client.api('POST', `/mail/messages/${id}/answer`, {
    key: home.key,
    body: { body: '**Yes**, here.', attachments },
  });
  assert.equal(sent.status, 200, sent.text);
  const { mail, html } = await answered(from);
  assert.equal(mail.subject, 'Re: Are you there?');
  assert.match(html, /<strong>Yes<\/strong>, here\./);
  assert.deepEqual(
    mail.attachments.map(({ filename }) => filename),
    ['map.txt'],
  );
});
