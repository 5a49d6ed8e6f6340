import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finder, wordsFinder } from '@mailroom/behavior/values/text-search';
import { chance } from '../../../../tests/harness/chance.ts';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { amount } from '../../../../tests/soak/length.ts';

/** In lower case, where that has as many characters. */
const lower = (text: string): string =>
  text.replace(/./gs, (one) => (one.toLowerCase().length === 1 ? one.toLowerCase() : one));

/** Each makes a table of 128 KB, of which many take long to collect in a process with a large heap. */
const PARTS = amount(2_000, 20_000);

test('a part is found wherever it is, in any case, and nowhere else', () => {
  const random = chance(17);
  const letters = ['ab', 'AB', 'éÉ', 'Яя', 'ςΣ', 'ßİ', 'Kk', '𝒳', '\ud835', '@`[{'].flatMap((some) => some.split(''));
  const text = (max: number): string =>
    Array.from({ length: Math.floor(random() * max) }, () => letters[Math.floor(random() ** 2 * letters.length)]).join(
      '',
    );
  let hits = 0;
  for (let round = 0; round < PARTS; round++) {
    const [part, whole] = [text(6), text(30)];
    const found = finder(part)(whole);
    assert.equal(found, lower(whole).includes(lower(part)), JSON.stringify({ part, whole }));
    if (found && part.length > 2) hits += 1;
  }
  assert.ok(hits > PARTS / 200, `${hits} hits`);
});

test('a part that is almost everywhere in a text takes no longer to look for than any other', async () => {
  const text = 'a'.repeat(4 * 1024 * 1024);
  for (const part of ['a'.repeat(199), 'a'.repeat(100), '', 'b'.repeat(100)].map(
    (half) => `${half}b${'a'.repeat(199 - half.length)}`,
  )) {
    await assertEffort(30, `a search for ${part}`, () => assert.equal(finder(part)(text), false));
  }
});

test('a phrase in quotes is found as it stands, also over a line break, and words without quotes each', () => {
  const says = (query: string, text: string): boolean => wordsFinder(query)([text], []);
  const text = 'Please send the annual\nreport of Ann to the board.';
  for (const query of [
    '"annual report"',
    '"annual  report" board',
    '“annual report”',
    'board annual',
    'ann "the board."',
  ])
    assert.equal(says(query, text), true, query);
  for (const query of ['"report annual"', '"annual board"', 'annual "to Ann"', '"annual report', '""'])
    assert.equal(says(query, text), false, query);
  assert.equal(says('say "yes', 'They say "yes"'), true);
});
