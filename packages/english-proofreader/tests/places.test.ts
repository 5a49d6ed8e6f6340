import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../tests/harness/threads.ts';
import { applyEdits } from '../edits.ts';
import { tokenize } from '../tokens.ts';

const TEXTS = [
  'Theyre going to the libary.',
  'We was at the the station, and she go home every days. I recieve many informations.',
  'The test could of gone better. I definately need a hour with you.',
  'However I will wait untill tomorrow. He have three brother and they is late.',
];
const PREFIXES = {
  'an apple': '🍎 ',
  'a family of joined characters': '👨‍👩‍👧‍👦 ',
  'ten flags': `${'🇩🇪'.repeat(10)}\n\n`,
  'mathematical letters': '𝒳𝒴𝒵\n\n',
  'letters with combining marks': 'E\u0301te\u0301 a\u0300 la cre\u0300me bru\u0302le\u0301e.\n\n',
  'a heart with a variation selector': '❤️ ',
  'Hebrew in its direction marks': '\u202Bשלום עולם\u202C\n\n',
  Arabic: 'مرحبا\n\n',
  'lines that end in CRLF': 'Hello Anna,\r\n\r\n',
  'a lone surrogate': '\ud83d ',
  'spaces and a byte order mark': '\ufeff   ',
};

for (const [name, prefix] of Object.entries(PREFIXES)) {
  test(`${name} before a text shifts its corrections and changes none`, async () => {
    for (const text of TEXTS) {
      const plain = await check(text, 'american');
      assert.ok(plain.edits.length > 0, text);
      const shifted = await check(prefix + text, 'american');
      assert.deepEqual(
        shifted.edits.map(({ offset, ...edit }) => ({ offset: offset - prefix.length, ...edit })),
        plain.edits,
        text,
      );
    }
  });
}

test('a letter is read the same with its accent joined or apart, and stays as it was written', async () => {
  for (const text of [
    'I go to the cafe\u0301 every days.',
    'He met my fiance\u0301, and she have a nai\u0308ve freind.',
  ]) {
    const apart = await check(text, 'american');
    const joined = await check(text.normalize('NFC'), 'american');
    assert.ok(joined.edits.length > 0);
    assert.equal(applyEdits(text, apart.edits).normalize('NFC'), applyEdits(text.normalize('NFC'), joined.edits));
    assert.equal(applyEdits(text, apart.edits).match(/e\u0301/g)?.length, text.match(/e\u0301/g)?.length);
  }
});

const KEPT = {
  'a letter with greeting and signature':
    'Hi Anna,\nthanks for your message, I will call you tomorrow.\n\nBest regards,\nTom\n--\nTom Miller\nSales',
  'lines that end in CRLF': 'Dear Tom,\r\n\r\nthe files are attached,\r\nplease have a look.\r\n\r\nBest,\r\nAnna\r\n',
  'values between tabs': 'name,\tvalue,\tnote\nfoo,\tbar,\tthe first one\nbaz,\tqux,\tthe second one\n',
  'a poem': 'The sun went down,\nthe moon came up;\nand all the town\nwas still,\nasleep.\n',
  'wrapped lines':
    'We talked about the plan for the next week,\nwhich is nearly done, and about the garden;\nit needs some work, as you know,\nbut that can wait.\n',
  'a list': 'Shopping:\n- bread,\n- milk,\n\t- two bottles,\n- a lemon\n',
  'an address': 'Anna Miller,\n12 Station Road,\nOxford,\nOX1 2AB\n',
};

for (const [name, text] of Object.entries(KEPT)) {
  test(`${name}: kept byte for byte`, async () => {
    assert.equal(applyEdits(text, (await check(text, 'american')).edits), text);
  });
}

test('line breaks and tabs stay where they are when words beside them are corrected', async () => {
  const text =
    'Hi Anna,\nwe was at the the\nstation,\tand she go\nhome every\ndays. He could\nof called.\n\nBest,\nTom';
  const corrected = applyEdits(text, (await check(text, 'american')).edits);
  assert.notEqual(corrected, text);
  assert.equal(corrected.replace(/[^\n\t]/g, ''), text.replace(/[^\n\t]/g, ''));
  assert.deepEqual(
    [corrected.split('\n')[0], corrected.split('\n').slice(-3)],
    [text.split('\n')[0], text.split('\n').slice(-3)],
  );
});

test('a text is read the same whatever was read before it', () => {
  const read = (): unknown => tokenize("She heard the component's voice at 235.", () => false);
  const alone = read();
  tokenize("It is the component's-own (235.) voice.", () => false);
  assert.deepEqual(read(), alone);
});
