import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { check } from '../../../tests/harness/threads.ts';
import { amount } from '../../../tests/soak/length.ts';
import { cut } from '../cut.ts';
import { applyEdits, compose, doubtsOf, type Edit, type Proposal, settle } from '../edits.ts';
import { openProofread } from './open.ts';

function assertSound(text: string, edits: readonly Edit[], corrected: string): void {
  let end = 0;
  let applied = '';
  for (const edit of edits) {
    assert.ok(edit.offset >= end, 'sorted, without overlap');
    assert.equal(edit.original, text.slice(edit.offset, edit.offset + edit.length));
    assert.notEqual(edit.original, edit.replacement);
    applied += text.slice(end, edit.offset) + edit.replacement;
    end = edit.offset + edit.length;
  }
  assert.equal(applied + text.slice(end), corrected);
}

/** Incorrect English between various Unicode text. */
const MISTAKES = [
  'I recieve teh informations',
  'three cat',
  'he go to scool every days',
  'its to hot',
  'alot of peoples',
  'could of been',
  'i am agree',
  'a apple',
  'the the',
  'Their is many problem',
  'You and i',
];
const GLUE = [
  '. ',
  ' ',
  '\r\n',
  '\n\n',
  ' 😀 ',
  '👩‍👩‍👧‍👦',
  'e\u0301 ',
  '\u202Bשלום עולם\u202C ',
  ' naïve café ',
  '\t',
  '`code` ',
  '“',
  '” ',
  ' — ',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '\ud83d',
  '\udc00 ',
  'İ ',
  'ß',
  '한국어 ',
  '*',
  '_',
  '# ',
  '- ',
  '> ',
  '&amp; ',
  '<b>',
  '|',
];

describe('edits', () => {
  let it: ReturnType<typeof openProofread>;
  before(() => {
    it = openProofread();
  });
  after(() => it[Symbol.asyncDispose]());

  test('applied to the body they give the corrected text, for any mix of mistakes and Unicode', async () => {
    const text = fc
      .array(
        fc.oneof(fc.constantFrom(...MISTAKES), fc.constantFrom(...GLUE), fc.string({ unit: 'binary', maxLength: 6 })),
        { maxLength: 14 },
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const { data } = await it.send(body);
        assertSound(body, data.edits, data.corrected_text);
      }),
      { numRuns: amount(5, 100) },
    );
  });

  const LENGTH = amount(4_000, 200_000);
  test(`applied to a body of ${LENGTH} characters they give the corrected text`, async () => {
    const paragraph =
      'I recieve teh informations 😀 and she go to scool every days.\r\nTheir is three cat here — מה שלומך — and cafe\u0301 to. ';
    const body = paragraph.repeat(Math.ceil((2 * LENGTH) / Buffer.byteLength(paragraph))).slice(0, LENGTH);
    const { data } = await it.send(body);
    assertSound(body, data.edits, data.corrected_text);
    assert.ok(data.edits.length > LENGTH / 200);
    const last = data.edits.at(-1) as Edit;
    assert.ok(last.offset > body.length - 2_000, 'read to the end');
  });

  const WORD_KIB = amount(16, 256);
  test(`one word of ${WORD_KIB} KiB is survived`, async () => {
    const body = 'x'.repeat(WORD_KIB * 1_024);
    const { data } = await it.send(body);
    assertSound(body, data.edits, data.corrected_text);
  });
});

test('a doubt stands where the original text has it, is no edit and touches none', () => {
  const text = 'Teh cat is in Monday.';
  const edit = { start: 0, end: 3, replacement: 'The longest', kind: 'spelling', rule: 'x', explanation: 'x' } as const;
  const edits = settle(text, [edit]);
  const at = applyEdits(text, edits).indexOf('in Monday');
  const doubt = { ...edit, start: at, end: at + 2, replacement: 'on', doubt: true };
  assert.deepEqual(settle(text, [doubt]), []);
  const [found, ...others] = doubtsOf(text, edits, [doubt, { ...doubt, start: 2, end: 3 }]);
  assert.deepEqual(others, []);
  assert.equal(found?.original, 'in');
  assert.equal(found?.offset, text.indexOf('in Monday'));
  assert.deepEqual(found?.suggestions, ['on']);
});

test('two rounds of edits joined do what they do one after the other', () => {
  const proposals = fc.array(
    fc.record({ at: fc.nat(30), length: fc.nat(4), replacement: fc.string({ maxLength: 4 }) }),
    { maxLength: 8 },
  );
  const within = (text: string, wanted: { at: number; length: number; replacement: string }[]): Proposal[] =>
    wanted.map(({ at, length, replacement }) => {
      const start = Math.min(at, text.length);
      return {
        start,
        end: Math.min(start + length, text.length),
        replacement,
        kind: 'grammar',
        rule: 'x',
        explanation: 'x',
      };
    });
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), proposals, proposals, (text, one, two) => {
      const first = settle(text, within(text, one));
      const between = applyEdits(text, first);
      assertSound(text, first, between);
      const second = settle(between, within(between, two));
      assertSound(text, compose(text, first, second), applyEdits(between, second));
    }),
    { numRuns: amount(200, 5_000) },
  );
});

test('pieces of a text are in order, apart, within the size, and hold all but code and blank space', () => {
  const text = fc
    .array(
      fc.constantFrom('word ', 'Sentence ends. ', '\n', '\r\n\r\n', '```\ncode\n```\n', '😀', 'verylongword'.repeat(6)),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 200 }), (body, max) => {
      let end = 0;
      for (const { offset, text: piece } of cut(body, max)) {
        assert.ok(offset >= end && piece.length <= max && piece.length > 0);
        assert.equal(body.slice(offset, offset + piece.length), piece);
        assert.doesNotMatch(piece, /^[\udc00-\udfff]|[\ud800-\udbff]$/);
        if (!body.slice(end, offset).includes('```')) assert.match(body.slice(end, offset), /^\s*$/);
        end = offset + piece.length;
      }
    }),
  );
});

test('a word that a soft hyphen or a joiner divides is left as it is', async () => {
  for (const sign of ['\u00ad', '\u200b', '\u200d']) {
    const text = `The in${sign}for${sign}mations are on the shelf.`;
    assert.deepEqual((await check(text, 'american')).edits, [], JSON.stringify(sign));
  }
});
