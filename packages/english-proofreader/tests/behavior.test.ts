import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Check } from 'typebox/value';
import { type Edit, KINDS } from '../edits.ts';
import { openProofread } from './open.ts';

/** An independent implementation rather than the function that the behavior uses. */
function apply(text: string, edits: readonly Edit[]): string {
  let applied = text;
  for (const edit of edits.toReversed()) {
    applied = applied.slice(0, edit.offset) + edit.replacement + applied.slice(edit.offset + edit.length);
  }
  return applied;
}

describe('proofread', () => {
  let it: ReturnType<typeof openProofread>;
  before(() => {
    it = openProofread();
  });
  after(() => it[Symbol.asyncDispose]());

  test('the example is what it really answers', async () => {
    const { body, reply, data } = it.behavior.example ?? assert.fail();
    const answer = await it.send(body);
    assert.equal(answer.body, reply);
    assert.deepEqual(answer.data, data);
  });

  test('of a text that is read in parts it reports each part, and of a short one nothing', async () => {
    await it.send('This is short.');
    assert.deepEqual(it.reports, []);
    await it.send('We have sent the letter to the bank. '.repeat(140));
    assert.deepEqual(it.reports, ['Read 1 of 3 parts', 'Read 2 of 3 parts', 'Read 3 of 3 parts']);
  });

  test('a faulty text is answered with the corrected text and a reason for each correction', async () => {
    const text = 'I recieve teh message. She have three cat.';
    const { body, data } = await it.send(text);
    assert.equal(data.corrected_text, 'I receive the message. She has three cats.');
    assert.ok(body.startsWith(data.corrected_text));
    assert.equal(data.language, 'en');
    assert.equal(data.dialect, 'american');
    assert.equal(data.edits.length, 4);
    for (const edit of data.edits) {
      assert.equal(edit.original, text.slice(edit.offset, edit.offset + edit.length));
      assert.ok(KINDS.includes(edit.kind), edit.kind);
      assert.match(edit.explanation, /^[^?]+[.!]$/);
      assert.equal(edit.suggestions[0], edit.replacement);
      assert.ok(body.includes(edit.explanation));
    }
    assert.equal(apply(text, data.edits), data.corrected_text);
  });

  test('clean text is answered with no edits and says so', async () => {
    const { body, data } = await it.send('The meeting starts at nine, and lunch is at noon.');
    assert.deepEqual(data.edits, []);
    assert.equal(body, 'Nothing to correct. 10 words read as American English.');
  });

  test('the dialect decides what is right', async () => {
    const text = 'The colour of the harbour is grey.';
    assert.deepEqual((await it.send(text, { dialect: 'british' })).data.edits, []);
    assert.equal(
      (await it.send(text, { dialect: 'american' })).data.corrected_text.includes('color of the harbor'),
      true,
    );
    assert.match((await it.send('Good day.', { dialect: 'canadian' })).body, /Canadian English/);
  });

  test('text in another language is left alone and named', async () => {
    for (const [text, name] of [
      ['Bonjour, je ne sais pas où vous avez mis les clés de la maison.', 'French'],
      ['Ich habe gestern leider keine Zeit gehabt, dir zu schreiben.', 'German'],
      ['No sé dónde están las llaves de la casa.', 'Spanish'],
      ['あなたは誰ですか。私は学生です。', 'Japanese'],
      ['مرحبا بالعالم', 'does not read as English'],
    ] as const) {
      const { body, data } = await it.send(text);
      assert.deepEqual(data.edits, [], text);
      assert.equal(data.corrected_text, text);
      assert.match(body, new RegExp(name));
    }
  });

  test('English around quoted foreign words is corrected, the foreign words are not', async () => {
    const text = 'She sayed "bonjour mes amis" and he dont answer her.';
    const { data } = await it.send(text);
    assert.ok(data.corrected_text.includes('"bonjour mes amis"'), data.corrected_text);
    assert.notEqual(data.corrected_text, text);
    assert.equal(data.language, 'en');
  });

  test('code, addresses, links, handles and identifiers are never changed', async () => {
    for (const kept of [
      '`teh_code = recieve()`',
      'https://exampel.com/recieve?teh=1',
      'recieve@exampel.com',
      '@recieveTeh',
      '#teh-recieve',
      'recieveMessage',
      'teh_message',
      '/usr/lcoal/recieve/teh.txt',
      '--recieve-all',
      'recieve.teh()',
      'TehRecieverFactory',
      '```\nteh recieve\nthree cat\n```',
      '<div class="recieve">',
      '$TEH_VALUE',
    ]) {
      const { data } = await it.send(`I has teh thing ${kept}\n\nand it are good.`);
      assert.ok(data.corrected_text.includes(kept), `${kept} became ${data.corrected_text}`);
      assert.ok(data.corrected_text.startsWith('I have the thing'), data.corrected_text);
    }
  });

  test('settings other than the known ones are refused by the schema', () => {
    assert.ok(Check(it.behavior.settings, {}));
    assert.ok(Check(it.behavior.settings, { dialect: 'indian' }));
    assert.ok(!Check(it.behavior.settings, { dialect: 'klingon' }));
    assert.ok(!Check(it.behavior.settings, { dialect: 'american', other: 1 }));
  });

  test('a text without a word is answered', async () => {
    for (const text of ['😀', '...', '\n', '12345']) assert.deepEqual((await it.send(text)).data.edits, [], text);
  });
});
