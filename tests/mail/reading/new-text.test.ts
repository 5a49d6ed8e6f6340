import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newText } from '../../../src/mail/reading/new-text.ts';
import { assertEffort } from '../../harness/effort.ts';
import { readHere } from './harness.ts';

const MAILS = join(import.meta.dirname, 'mails');
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
  assert.equal(newText('Hi.\n\n--\nAnna\n', answer), 'Hi.');
  const rows = Array.from({ length: 30 }, (_, row) => `row ${row}`).join('\n');
  assert.equal(newText(`Hi.\n\n--\n${rows}`, answer), `Hi.\n\n--\n${rows}`);
});

test('a forwarded mail stays, with its signature, below the signature of who forwards it', () => {
  const forwarded = 'From: Bob <bob@example.org>\nDate: Mon, Jun 1, 2026\nSubject: Old\n\nHe go home.\n\n-- \nBob';
  const label = '---------- Forwarded message ---------';
  const forward = { subject: 'Fwd: Old', answers: false };
  assert.equal(
    newText(`Correct this:\n\n${label}\n${forwarded}\n`, forward),
    `Correct this:\n\n${label}\n${forwarded}`,
  );
  const signed = `Correct this:\n\n-- \nAda\n\n${label}\n${forwarded}\n`;
  assert.equal(newText(signed, forward), `Correct this:\n\n${forwarded}`);
  assert.equal(newText(signed, { subject: 'Please correct', answers: false }), `Correct this:\n\n${forwarded}`);
  assert.equal(newText(`Sent from my iPhone\n\n${forwarded}\n`, forward), forwarded);
});

test('a mail that is a signature below a subject has no new text', () => {
  const asks = { subject: 'What is 12 * 7?', answers: false };
  for (const text of ['\n\n-- \nAda\n', 'Sent from my iPhone\n', '\n--\nAda\nSent from my iPhone\n'])
    assert.equal(newText(text, asks), '');
  assert.equal(newText('-- \nAda\n', { ...asks, subject: '' }), '-- \nAda');
  assert.equal(newText('> Is it?\n', answer), '> Is it?');
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
    const text = `${line}\n`.repeat(Math.floor(290_000 / (line.length + 1)));
    await assertEffort(60, `cutting lines of "${line.slice(0, 20)}"`, () => newText(text, answer));
  }
  for (const word of ['Op ', 'Op schreef \n', '在 \n', 'abc. skrev ', ' \t', 'From:<', 'On \n', '20240101 "<']) {
    await assertEffort(60, `parsing "${word}"`, () => newText(word.repeat(2_900 / word.length), answer));
  }
});
