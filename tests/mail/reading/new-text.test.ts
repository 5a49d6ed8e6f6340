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
