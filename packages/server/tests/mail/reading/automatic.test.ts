import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHere, startReading } from './harness.ts';

const mailOf = (headers: string): string => `${headers}\nFrom: Anna <anna@example.com>\nSubject: x\n\nHi.\n`;

test('real autoresponders, lists and daemons get no automatic answer, each with its reason', async () => {
  const cases: readonly (readonly [string, string, string?])[] = [
    ['auto_submitted', 'Auto-Submitted: auto-replied'],
    ['auto_submitted', 'auto-submitted: auto-generated; owner-email="a@b.example"'],
    ['auto_submitted', 'Auto-Submitted: auto-notified (vacation)'],
    // Exchange, when its owner is away.
    ['auto_submitted', 'X-Auto-Response-Suppress: All\nX-MS-Exchange-Inbox-Rules-Loop: anna@example.com'],
    ['auto_submitted', 'X-Auto-Response-Suppress: DR, OOF, AutoReply'],
    ['auto_submitted', 'X-Autoreply: yes\nPrecedence: bulk'],
    ['auto_submitted', 'Content-Type: multipart/report; report-type=disposition-notification; boundary=b'],
    // Mailman, Google Groups, a newsletter.
    ['list', 'List-Id: Cats <cats.lists.example>\nPrecedence: list'],
    ['list', 'List-Unsubscribe: <https://x.example/u>'],
    ['list', 'X-Mailman: 2', 'cats-bounces@lists.example'],
    ['list', 'X-Any: thing', 'cats-bounces+anna=example.com@lists.example'],
    ['list', 'X-Owner: 1', 'owner-cats@lists.example'],
    ['precedence', 'Precedence: bulk'],
    ['precedence', 'Precedence: JUNK'],
    ['precedence', 'Precedence: list'],
    ['null_path', 'X-Any: thing', ''],
    ['mailer_daemon', 'X-Any: thing', 'MAILER-DAEMON@example.com'],
  ];
  for (const [reason, headers, from] of cases)
    assert.equal((await readHere(mailOf(headers), from)).automatic, reason, headers);
});

test('a mail by a person may be answered, also when its program says so', async () => {
  for (const headers of [
    'X-Any: thing',
    'Auto-Submitted: no',
    'Auto-Submitted: No (by hand)',
    'Precedence: first-class',
    'X-Auto-Response-Suppress: DR, RN, NRN',
  ])
    assert.equal((await readHere(mailOf(headers))).automatic, null, headers);
});

/** What Exchange, older programs and their translations write before the subject that they answer. */
const AWAY = [
  'Automatic reply: Re: A question',
  'Out of Office AutoReply: A question',
  'Abwesenheitsnotiz: Re: A question',
  '=?utf-8?Q?R=C3=A9ponse_automatique_=3A_Re=3A_A_question?=',
  'Respuesta automática: A question',
  'Odpowiedź automatyczna: A question',
  '自動応答: Re: A question',
  'Out of office',
];
test('an autoresponder that its subject alone gives away is not answered, where it answers a mail', async () => {
  const reasonOf = async (subject: string, headers: string): Promise<string | null> =>
    (await readHere(`From: Anna <anna@example.com>\nSubject: ${subject}\n${headers}\n\nI am away.\n`)).automatic;
  const answers = 'In-Reply-To: <msg_1@agents.mailroom.localhost>';
  for (const subject of AWAY) assert.equal(await reasonOf(subject, answers), 'auto_submitted', subject);
  for (const subject of AWAY.filter((one) => one.includes('Re: ')))
    assert.equal(await reasonOf(subject, 'X-Any: thing'), 'auto_submitted', subject);
  // People write about such mails, have them corrected, and answer what comes of that.
  for (const subject of ['Out of office', 'Out of office: please correct my text', 'Automatic reply: which words?'])
    assert.equal(await reasonOf(subject, 'X-Any: thing'), null, subject);
  for (const subject of ['Re: Out of office', 'RE: Automatic reply: which words?', 'Out of office supplies', 'Away'])
    assert.equal(await reasonOf(subject, answers), null, subject);
});

test('mail from our own domains is not answered, by From or by path', async () => {
  await using reading = await startReading({}, { trusted: ['192.0.2.0/24'] });
  const own = await reading.read('From: hello@NS.example.net\n\nHi.\n');
  const byPath = await reading.read(mailOf('X-Any: thing'), { from: 'bounces+1@ns.example.net' });
  const other = await reading.read(mailOf('X-Any: thing'));
  assert.deepEqual([own.automatic, byPath.automatic, other.automatic], ['own', 'own', null]);
});

test('an author who says in any language that nothing sent there is read is not answered, and others are', async () => {
  const automaticOf = async (author: string): Promise<string | null> =>
    (await readHere(`From: A <${author}@example.com>\nSubject: x\n\nHi.\n`)).automatic;
  for (const author of [
    'noreply No-Reply do_not_reply donotreply noreply2 noreply+ab=1 notifications-noreply alerts.no-reply dm-noreply',
    'no-responder noresponder no-contestar nao-responda nao.responder ne-pas-repondre nepasrepondre noreponse',
    'nicht-antworten bitte-nicht-antworten keine-antwort non-rispondere nonrispondere geen-antwoord niet-beantwoorden',
    'svar-ikke ikke-svar svara-inte ei-vastausta nie-odpowiadaj neodpovidejte please-do-not-reply no-response',
  ].flatMap((line) => line.split(' ')))
    assert.equal(await automaticOf(author), 'auto_submitted', author);
  for (const author of ['casino-reply', 'norep', 'reply', 'noel.replyton', 'noreplyson', 'volcano.response', 'anna'])
    assert.equal(await automaticOf(author), null, author);
});

test('away notices of every language and spelling, receipts and answers of calendars get no answer', async () => {
  const answered = 'In-Reply-To: <msg_1@agents.mailroom.localhost>\n';
  const calendar = (type: string, method: string): string =>
    `Content-Type: multipart/mixed; boundary=b\nSubject: Accepted: Lunch\n\n--b\nContent-Type: text/plain\n\nYes.\n--b\nContent-Type: ${type}\n\nBEGIN:VCALENDAR\nMETHOD:${method}\nEND:VCALENDAR\n--b--\n`;
  for (const mail of [
    ...['[Auto-Reply] A question', '(Out of office) A question', 'Automated response: A question', 'OOO: A question'],
    ...[
      'Αυτόματη απάντηση: Q',
      'Automatická odpoveď: Q',
      'Автоматичен отговор: Q',
      'תשובה אוטומטית: Q',
      'رد تلقائي: Q',
    ],
    ...['ตอบกลับอัตโนมัติ: Q', 'Trả lời tự động: Q', 'Balasan otomatis: Q', '자동응답: Q', 'Out of office - A question'],
  ].map((subject) => `Subject: ${subject}\n${answered}\nI am away.\n`))
    assert.equal((await readHere(`From: anna@example.com\n${mail}`)).automatic, 'auto_submitted', mail);
  for (const header of [
    'X-Autoresponder: yes',
    'X-Mail-Auto-Reply: 1',
    'Preference: auto_reply',
    'X-POST-MessageClass: 9; Autoresponder',
    'Delivered-To: Autoresponder',
    'Content-Class: urn:content-classes:mdn',
  ])
    assert.equal((await readHere(mailOf(header))).automatic, 'auto_submitted', header);
  for (const type of ['text/calendar', 'application/ics', 'text/calendar; method=REPLY'])
    assert.equal(
      (await readHere(`From: anna@example.com\n${calendar(type, 'REPLY')}`)).automatic,
      'auto_submitted',
      type,
    );
  assert.equal((await readHere(`From: anna@example.com\n${calendar('text/calendar', 'REQUEST')}`)).automatic, null);
});

test('a name with commas that no program quoted is one author, and two addresses are two', async () => {
  const authorOf = async (from: string) => {
    const { from: author, warnings } = await readHere(`From: ${from}\nSubject: x\n\nHi.\n`);
    return [author?.name, author?.address, warnings.includes('several_from')];
  };
  for (const [from, name] of [
    ['Müller, Jörg <a@b.example>', 'Müller, Jörg'],
    ['Doe, Jane, PhD <a@b.example>', 'Doe, Jane, PhD'],
    ['Jane Doe <a@b.example>, PhD', 'Jane Doe, PhD'],
    ['Müller, Jörg (Sales, EU) <a@b.example>', 'Müller, Jörg'],
    ['a@b.example (Müller, Jörg)', 'Müller, Jörg'],
  ] as const)
    assert.deepEqual(await authorOf(from), [name, 'a@b.example', false], from);
  for (const from of ['x@y.example, <a@b.example>', 'Doe, x@y.example, Jane <a@b.example>'])
    assert.equal((await authorOf(from))[2], true, from);
});
