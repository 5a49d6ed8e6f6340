import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertEffort } from '../../../../../tests/harness/effort.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { newText } from '../../../mail/reading/new-text.ts';
import { readHere } from './harness.ts';

const MAILS = join(import.meta.dirname, './mails');
for (const file of globSync('*.eml', { cwd: MAILS }).sort()) {
  const name = file.slice(0, -'.eml'.length);
  test(`what the sender wrote is the body of a mail: ${name}`, async () => {
    const mail = await readHere(readFileSync(join(MAILS, file), 'utf8'));
    assert.equal(`${mail.body}\n`, readFileSync(join(MAILS, `${name}.txt`), 'utf8'));
    assert.ok(mail.text.length >= mail.body.length);
  });
}

const answer = { subject: 'Re: a text', answers: true };

test('what other languages quote is found by email-reply-parser', () => {
  const text = 'Ja, tak.\n\n----- Oprindelig besked -----\nFra: Carl\nDato: mandag\n\nTo katte.\n';
  assert.equal(newText(text, answer), 'Ja, tak.');
});

test('a line before an attribution stays, also when no empty line is between', () => {
  const quoted = 'On Mon, May 13, 2024 at 10:00 AM A Very Long Name Indeed\n<anna@example.com> wrote:\n> old\n';
  assert.equal(newText(`See you.\n${quoted}`, answer), 'See you.');
  assert.equal(newText(`I was on my way in 2024.\n${quoted}`, answer), 'I was on my way in 2024.');
});

test('an answer that names no mail quotes only below a subject that says so', () => {
  const text = 'Yes.\n\nOn Mon, May 13, 2024 at 10:00 AM Anna <anna@example.com> wrote:\n> old\n';
  assert.equal(newText(text, { subject: 'AW: Text', answers: false }), 'Yes.');
  assert.equal(newText(text, { subject: 'Text', answers: false }), text.trim());
});

test('a separator of a signature that lost its blank ends a short text alone', () => {
  assert.equal(newText('Hi.\n\n--\nAnna\n', { ...answer, author: 'Anna Holm anna@example.com' }), 'Hi.');
  const rows = Array.from({ length: 30 }, (_, row) => `row ${row}`).join('\n');
  assert.equal(newText(`Hi.\n\n--\n${rows}`, answer), `Hi.\n\n--\n${rows}`);
});

/** What an author may write behind a line of two dashes. */
const OWN = [
  'Pro: 20 seats',
  'green',
  'Berlin',
  'P.S. Only if the room is free. Otherwise take Monday.',
  'PS: Ann comes too',
  'Which one is cheaper?',
  'Please book the room for Monday.',
  'We need twenty chairs for the hall',
  'Ann needs 5 seats',
  'drop table seats;',
  '-- Table structure for table `seats`',
  'CREATE TABLE seats (id int);',
  '2.39.2',
  '@@ -1,2 +1,2 @@',
  '+++ b/seats.txt',
  '- one',
  '好的，请预订星期一的房间？',
];

test('what an author writes behind two dashes stays: lists, SQL, patches, a postscript, a question, a sentence', () => {
  const author = 'Ann Holm ann@sender.example';
  const block = fc.array(fc.constantFrom(...OWN), { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(
      fc.array(block, { minLength: 2, maxLength: 5 }),
      fc.boolean(),
      fc.boolean(),
      (blocks, spaced, answers) => {
        const own = blocks.join(spaced ? '\n\n--\n' : '\n--\n');
        const quote = 'On Fri, Nov 27, 2026 at 10:15 AM Desk <desk@x.example> wrote:\n> old\n';
        const mail = { subject: answers ? 'Re: Seats' : 'Seats', answers, author };
        assert.equal(newText(answers ? `${own}\n\n${quote}` : own, mail), own);
        for (const one of ['P.S. Take Monday.', 'Which one do you have?'])
          assert.equal(newText(`Hi.\n\n-- \nAnn Holm\n\n${one}`, mail), `Hi.\n\n-- \nAnn Holm\n\n${one}`);
      },
    ),
  );
});

test('a signature behind two dashes is cut when it names its author, or anyone with a way to reach them', () => {
  for (const signature of [
    'Ann',
    'Ann Holm\nHead of Sales, Acme Inc.\n+49 30 1234567',
    'Best regards\nAnn Holm',
    'Dr. Ann von Holm | Acme | www.acme.example',
    '*Ann Holm* - ann@sender.example',
    'Carl Berg\nacme.com',
    '安 Ann\nTel 030 1234567',
  ])
    for (const mail of [answer, { subject: 'Seats', answers: false }])
      assert.equal(
        newText(`Hi.\n\n--\n${signature}\n`, { ...mail, author: 'Ann Holm ann@sender.example' }),
        'Hi.',
        signature,
      );
});

const FORMS = [
  ['From', 'To', 'Date', 'Subject'],
  ['Von', 'An', 'Datum', 'Betreff'],
  ['De', 'À', 'Date', 'Objet'],
  ['De', 'Para', 'Fecha', 'Asunto'],
  ['Da', 'A', 'Data', 'Oggetto'],
  ['От', 'Кому', 'Дата', 'Тема'],
  ['差出人', '宛先', '日付', '件名'],
] as const;
/** Days and times as people write them in forms. */
const DATES = ['3 December', 'Friday', '2026-12-03', '3.12.2026', 'next week', '10:15', 'December 2026'];

test('a form with the labels of a mail is the text of its author, unless it has an address and a day, year and time', () => {
  const form = fc.record({
    labels: fc.constantFrom(...FORMS),
    date: fc.constantFrom(...DATES, '3 December 2026 10:15'),
    address: fc.boolean(),
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
    rest: fc.constantFrom('', '\n\nTwo people, window seats.'),
  });
  fc.assert(
    fc.property(form, ({ labels, date, address, order, rest }) => {
      const values = [address ? 'Desk <desk@x.example>' : 'Berlin', 'Paris', date, 'Team trip'];
      const lines = order.map((at) => `${labels[at]}: ${values[at]}`).join('\n');
      const quoted = address && date === '3 December 2026 10:15';
      const text = `Please book:\n\n${lines}${rest}`;
      const body = newText(text, { subject: 'Re: Your question', answers: true });
      if (!quoted) assert.equal(body, text);
      else if (order[0] === 0 || order[0] === 2) assert.equal(body, 'Please book:');
    }),
  );
});

test('headers without an address are those of a quoted mail when they are of Outlook, or repeat the subject', () => {
  const outlook = 'Yes.\n\nFrom: Desk\nSent: Friday, November 27, 2026 10:15 AM\nTo: Ann Holm\nSubject: Seats\n\nold';
  const other = 'Sì.\n\nDa: Desk\nData: venerdì 27 novembre 2026 10:15\nA: Ann Holm\nOggetto: Seats\n\nold';
  const reply = { subject: 'Re: Seats', answers: true };
  assert.equal(newText(outlook, { ...reply, subject: 'Re: x' }), 'Yes.');
  assert.equal(newText(other, reply), 'Sì.');
  assert.equal(newText(other, { ...reply, subject: 'Re: x' }), other);
});

test('a forwarded mail stays, with its signature, below the signature of who forwards it', () => {
  const forward = { subject: 'Fwd: Old', answers: false };
  const mail = 'From: Bob <bob@example.org>\nDate: Mon, Jun 1, 2026\nSubject: Old\n\nHe go home.\n\n-- \nBob';
  const forwarded = [
    `---------- Forwarded message ---------\n${mail}`,
    '-------- Weitergeleitete Nachricht --------\nBetreff: Old\nDatum: Mon, 1 Jun 2026\nVon: Bob\n\nHe go home.\n\n-- \nBob',
    `Begin forwarded message:\n\n${mail.replace(/^/gm, '> ')}`,
    mail,
  ];
  for (const old of forwarded) {
    assert.equal(newText(`Correct this:\n\n${old}\n`, forward), `Correct this:\n\n${old}`);
    const signed = `Correct this:\n\n-- \nAda\n\n${old}\n`;
    for (const subject of ['Fwd: Old', 'Please correct'])
      assert.equal(newText(signed, { subject, answers: false }), `Correct this:\n\n${old}`);
    assert.equal(newText(signed, { ...forward, answers: true }), `Correct this:\n\n${old}`);
    assert.equal(newText(`Sent from my iPhone\n\n${old}\n`, forward), old);
  }
});

test('a mail that is a signature below a subject has no new text', () => {
  const asks = { subject: 'What is 12 * 7?', answers: false, author: 'Ada' };
  for (const text of ['\n\n-- \nAda\n', 'Sent from my iPhone\n', '\n--\nAda\nSent from my iPhone\n'])
    assert.equal(newText(text, asks), '');
  assert.equal(newText('-- \nAda\n', { ...asks, subject: '' }), '-- \nAda');
  assert.equal(newText('> Is it?\n', answer), '> Is it?');
});

test('a separator above the headers of a quoted mail is quoted too, whatever it says', () => {
  const quoted = 'De: Anna <anna@example.com>\nÀ: Ada\nEnvoyé: Lundi 1 Juin 2026 10:00:00\nObjet: Old\n\nold\n';
  for (const words of ['Mail original', 'Ursprüngliche Mail', 'Mensagem encaminhada'])
    assert.equal(newText(`Oui.\n\n----- ${words} -----\n${quoted}`, answer), 'Oui.');
});

test('what programs add below a text is no part of it', () => {
  for (const added of [
    'Sent via Superhuman ( https://sprh.mn/?vip=ada@example.com )',
    'iOS 版 Outlook を入手<https://aka.ms/o0ukef>',
    '取得 Android 版 Outlook<https://aka.ms/o0ukef>',
    '下载适用于 iOS 的 Outlook<https://aka.ms/o0ukef>',
    'iOS용 Outlook 다운로드<https://aka.ms/o0ukef>',
  ])
    assert.equal(newText(`Hi.\n\n${added}\n`, answer), 'Hi.', added);
  const question = 'Sent from Windows or from a Mac?';
  assert.equal(newText(question, answer), question);
});

test('the armor of a text that is signed in the clear (RFC 9580, section 7) is no part of it', () => {
  const armor = ['-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n', '-----BEGIN PGP SIGNATURE-----\n\nwsB5\n=ab\n'];
  const end = '-----END PGP SIGNATURE-----\n';
  assert.equal(newText(`${armor[0]}\nHi.\n- - one\n${armor[1]}${end}`, answer), 'Hi.\n- one');
  assert.equal(newText(`${armor[0]}\nHi.\n- -- \nAda\n${armor[1]}${end}`, answer), 'Hi.');
  assert.equal(newText(`${armor[0]}\nHi.\n`, answer), `${armor[0]}\nHi.`);
});

test('the lines of a text are kept as they are: blanks at their ends, empty lines, tabs', () => {
  const text = 'one  \n\n\n\ttwo\n   three\n\n\n- four';
  assert.equal(newText(`\n${text}\n\n`, answer), text);
});

test('cutting takes time in proportion to the text, whatever its lines are', async () => {
  const lines = [
    '> ',
    '--',
    '-- x',
    'On 2024 10:00 <a@b.example> wrote',
    'On 2024 10:00 <a@b.example>:',
    'From: a',
    '',
    ' ',
    'wrote:',
    '-----Original',
    'Sent from my iPhone',
    '________________',
    'Op schreef',
    'a'.repeat(300),
    'Gesendet von mail'.repeat(5),
  ];
  for (const line of lines) {
    const text = `${line}\n`.repeat(Math.floor(amount(58_000, 290_000) / (line.length + 1)));
    await assertEffort(amount(20, 60), `cutting lines of "${line.slice(0, 20)}"`, () => newText(text, answer));
  }
  for (const word of ['Op ', 'Op schreef \n', '在 \n', 'abc. skrev ', ' \t', 'From:<', 'On \n', '20240101 "<']) {
    await assertEffort(60, `parsing "${word}"`, () => newText(word.repeat(2_900 / word.length), answer));
  }
});
