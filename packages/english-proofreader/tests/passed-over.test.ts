import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from '../check.ts';

/** English with mistakes around a part that is none. */
const around = (part: string): string =>
  `Thanks for the draft, I recieved it yesterday.\n\n${part}\n\nShe have read it too, and we meet tomorrow.`;
const AROUND = ['received', 'has'];

/** Parts with what looks like mistakes, by what they are. */
const PARTS: Readonly<Record<string, string>> = {
  'JavaScript without fences':
    'const x = 1;\nfunction foo(a, b) {\n  return a + b; // teh sum of this two\n}\nfoo(2, usres);',
  'Python without fences':
    "def f(x):\n    '''Retruns the squre of x.'''\n    return x ** 2\n\nprint(\"he go home\")\nx = 5 if y > 3 else z",
  SQL: 'SELECT nmae, adress FROM usres WHERE id = 3;',
  'SQL over lines': 'SELECT nmae\nFROM usres\nWHERE adress IS NULL\nORDER BY dat;',
  'CSV of two columns': 'key,valeu\nfoo,1\nbar,2',
  'CSV with quotes': 'nmae;adress;qty\n"Bob; jr";"12 Hihg St";3\n"Ann";"4 Low Raod";12',
  YAML: 'name: my-servise\nports:\n  - 8080\n  - 9090\nenviroment:\n  mode: developement',
  TOML: '[pakage]\nname = "exmaple"\nversoin = "1.0"',
  INI: '[databse]\nhost=localhost\nusre=admin',
  'a log':
    '2026-11-25 09:10:01 ERROR conection to servr lost\n2026-11-25 09:10:04 INFO reconect sucessful after 3 trys',
  'a trace': 'TypeError: Cannot read propertys of undefined\n    at getUsre (app.js:10:5)\n    at main (app.js:2:1)',
  'a diff':
    'diff --git a/foo b/foo\n--- a/foo\n+++ b/foo\n@@ -1,2 +1,2 @@\n-teh old lines is here\n+the new\n context are here',
  'a table': '| Name | Adress | Qty |\n|------|--------|----:|\n| Bob | 12 Hihg St | 3 |',
  'command lines': 'git checkout -b fix-teh-bug\nnpm install expres --save\ncurl -s localhost/helth | grep sucess',
  'a rule of CSS': '.hte-box {\n  colr: red;\n  font-wieght: bold;\n}',
  'code in HTML': '<p>Run <code>npm i @octokit/graphql teh-thing</code>, or <kbd>Ctlr</kbd>.</p>\n<pre>teh lines</pre>',
  'plurals of abbreviations': 'A set of REs and IDs is fine.',
  'braces of a shell': 'The files are orig.tar.{gz,bz2,xz} and teh/thing/usre/.',
  'a list of names':
    'The areas are: admin, comm, databse, debug, devel, doc, editors, kde, javascript, libdevel and others.',
  'a URL': 'https://ci.example.com/jobs/99?ref=mian&nmae=teh',
  German: 'Vielen Dank für Ihre Nachricht. Wir melden uns morgen früh. Bis dann!',
  French: 'Je vous remercie pour votre message. À demain !',
  'a quotation in Italian': 'He wrote: “Va bene, ci sentiamo dopo.”',
  'a quotation in Latin': 'It says: quod erat demonstrandum, ut dicitur.',
  'words in capitals': 'DO NOT RECIEVE THIS MAILS',
};

describe('what is no English prose is left as it is, and the prose around it is corrected', () => {
  for (const [name, part] of Object.entries(PARTS)) {
    test(name, async () => {
      const text = around(part);
      const { edits, doubts } = await check(text, 'american', { inferred: true });
      assert.deepEqual(
        edits.map(({ replacement }) => replacement),
        AROUND,
      );
      assert.deepEqual(doubts, []);
    });
  }
});

test('the words that were passed over are counted by their reason', async () => {
  const count = async (text: string) => (await check(text, 'american', { inferred: true })).passed_over;
  assert.deepEqual(await count('This is all plain English, and nothing else.'), {
    other_language: 0,
    not_prose: 0,
    unknown: 0,
  });
  assert.deepEqual(await count('Ich habe gestern den Brief gelesen.'), { other_language: 6, not_prose: 0, unknown: 0 });
  assert.deepEqual(
    await count(
      'We met Mr Brzezinskow in the garden, and he gave us tea.\n\nWir haben uns sehr darüber gefreut.\n\nkey,value\nfoo,1\nbar,2',
    ),
    { other_language: 6, not_prose: 6, unknown: 1 },
  );
});

test('a text of which nothing is prose has no words to read', async () => {
  const { language, words, passed_over } = await check('SELECT nmae FROM usres;', 'american');
  assert.deepEqual([language, words, passed_over.not_prose], [null, 0, 4]);
});

test('a paragraph in English is corrected in a text that is mostly German', async () => {
  const german =
    'Sehr geehrte Frau Weber, anbei die Rechnung für den Monat März. Bitte überweisen Sie den Betrag bald.';
  const { language, edits } = await check(
    `${german}\n\nPlease tell me when you have recieved it, and thank you very much for the help.`,
    'american',
  );
  assert.equal(language, 'en');
  assert.deepEqual(
    edits.map(({ replacement }) => replacement),
    ['received'],
  );
});

test('where a word may be either of two, both are shown and neither is written', async () => {
  const { edits, doubts, sure } = await check('Each of the groups was chosen and quanified.', 'american');
  assert.deepEqual(edits, []);
  assert.equal(sure, false);
  assert.deepEqual(
    doubts.map(({ offset, original, rule }) => [offset, original, rule]),
    [[34, 'quanified', 'spelling']],
  );
  assert.deepEqual(doubts[0]?.suggestions.slice(0, 2), ['qualified', 'quantified']);
});

test('names that every object of JavaScript has are read as words', async () => {
  for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'])
    for (const text of [
      `The ${name} are large, and a ${name} is small.`,
      `There is many ${name}, and each ${name} have one ${name} of it.`,
      `He ${name} it, more ${name} than the most ${name} one.`,
      `One of the ${name} were ${name}, and ${name.toLowerCase()} ${name.toLowerCase()}.`,
    ])
      assert.equal((await check(text, 'american')).language, 'en', text);
});
