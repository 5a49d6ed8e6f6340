import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { RULE_IDS } from '../rule-ids.ts';
import { RULES } from '../rules/index.ts';
import { openProofread } from './open.ts';

describe('rules that a mailbox ignores', () => {
  const it = openProofread();
  after(() => it[Symbol.asyncDispose]());

  test('what an ignored rule would correct stays as it is, and the rest is corrected', async () => {
    const text = 'I recieve a hour of help.';
    const { data } = await it.send(text);
    assert.deepEqual(
      data.edits.map(({ replacement }) => replacement),
      ['receive', 'an'],
    );
    assert.equal((await it.send(text, { ignore: ['spelling'] })).data.corrected_text, 'I recieve an hour of help.');
    assert.equal((await it.send(text, { ignore: ['an-a'] })).data.corrected_text, 'I receive a hour of help.');
  });

  test('the id of no rule is refused, with those that are like it', () => {
    const errors = it.behavior.settingsErrors?.({ ignore: ['spelling', 'speling', 'xyzzy'] });
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/ignore/1', '/ignore/2'],
    );
    assert.match(
      errors?.[0]?.message ?? '',
      /^No rule has this id\. Did you mean "spelling" or .*\/docs\/proofreading\.$/,
    );
    assert.equal(errors?.[1]?.message, 'No rule has this id. All ids are at /docs/proofreading.');
    assert.deepEqual(it.behavior.settingsErrors?.({ ignore: [...RULE_IDS.slice(0, 100)] }), []);
  });

  test('each rule has an id, and settings know it', () => {
    const ids = RULES.map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id) => !RULE_IDS.includes(id)),
      [],
    );
  });
});

describe('what is left as it is', () => {
  const it = openProofread();
  after(() => it[Symbol.asyncDispose]());

  test('a doubt is listed apart, and neither corrected nor called right', async () => {
    const text = 'Each of the groups was quanified.';
    const { body, data } = await it.send(text);
    assert.deepEqual(data.edits, []);
    assert.equal(data.corrected_text, text);
    assert.deepEqual(
      data.doubts.map(({ offset, length, original, rule }) => [offset, length, original, rule]),
      [[23, 9, 'quanified', 'spelling']],
    );
    assert.match(body, /^I found nothing I am sure of\. 6 words read as American English\./);
    assert.match(body, /\*\*Worth a look\*\*, left as written\n\n- `quanified` → `qualified` or `quantified`/);
  });

  test('the doubts of a long text have their places in the whole', async () => {
    const filler = 'The house is old, and the garden is large.\n\n'.repeat(120);
    const text = `${filler}Each of the groups was quanified.`;
    const { doubts } = (await it.send(text)).data;
    assert.deepEqual(
      doubts.map(({ offset, length }) => text.slice(offset, offset + length)),
      ['quanified'],
    );
  });

  test('the reply says how many words were passed over, whether it corrects anything or not', async () => {
    const german = 'Vielen Dank für Ihre Nachricht, bis morgen.';
    assert.equal(
      (await it.send(`The draft is fine, and I like it.\n\n${german}`)).body,
      'Nothing to correct. 8 words read as American English. 7 words in another language were passed over.',
    );
    const { body, data } = await it.send(`She have read it, and I like it.\n\n${german}`);
    assert.match(body, /\n\n7 words in another language were passed over\.\n$/);
    assert.deepEqual(data.passed_over, { other_language: 7, not_prose: 0, unknown: 0 });
    assert.equal(
      (await it.send('SELECT nmae FROM usres;')).body,
      'Nothing was corrected: there is no English prose here. 4 words of code, data or capitals were passed over.',
    );
  });
});
