import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inferDialect } from '../dialect.ts';
import { openProofread } from './open.ts';

test('a text is read as British or American by how it spells, and as American where that does not tell', () => {
  assert.equal(inferDialect('We organised it in the centre of the town.'), 'british');
  assert.equal(inferDialect('The colour of her jewellery'), 'british');
  assert.equal(inferDialect('The color of the theater'), 'american');
  assert.equal(inferDialect('The color, the flavor and the odor of the theatre'), 'american');
  assert.equal(inferDialect('We will advise you to exercise with precise and wise promises.'), 'american');
  assert.equal(inferDialect(''), 'american');
});

describe('the dialect of a mailbox', () => {
  let it: ReturnType<typeof openProofread>;
  before(() => {
    it = openProofread();
  });
  after(() => it[Symbol.asyncDispose]());

  test('where none is set, the text decides, keeps its spelling, and the reply says which', async () => {
    const { body, data } = await it.send('The colour of the harbour have changed.');
    assert.equal(data.dialect, 'british');
    assert.equal(data.corrected_text, 'The colour of the harbour has changed.');
    assert.match(body, /read as British English/);
    const clean = await it.send('She organised the theatre.');
    assert.match(clean.body, /read as British English\.$/);
  });

  test('where one is set, it holds whatever the text looks like', async () => {
    const { data } = await it.send('The colour of the harbour has changed.', { dialect: 'american' });
    assert.equal(data.dialect, 'american');
    assert.equal(data.corrected_text, 'The color of the harbor has changed.');
  });

  test('names keep the spelling of another dialect', async () => {
    const { data } = await it.send('We saw the Louvre and Harbour Street.', { dialect: 'american' });
    assert.deepEqual(data.edits, []);
  });

  test('a text with something doubtful in it is not called right', async () => {
    const { body, data } = await it.send('The meeting starts at nine in the zqoorhim.');
    assert.deepEqual(data.edits, []);
    assert.equal(
      body,
      'I found nothing I am sure of. 8 words read as American English. 1 unknown word was passed over.',
    );
  });
});
