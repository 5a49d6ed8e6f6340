import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount } from '../../../tests/soak/length.ts';
import { check } from '../check.ts';
import { knownWords } from '../frequency.ts';
import { inoffensive, isOffensive } from '../offensive.ts';

const WORDS = 20_000;
/** Of so many words one is tried in the short form. */
const STRIDE = amount(40, 1);
const SENTENCES = 100;

/** The word with a letter left out, doubled, replaced or swapped with the next; which one depends on its place in the list. */
function slip(word: string, place: number): string {
  const at = place % word.length;
  const letter = word.charAt(at);
  const other = 'etaoinshrdlu'.charAt(place % 12);
  return [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + other + word.slice(at + 1),
    word.slice(0, at) + word.charAt(at + 1) + letter + word.slice(at + 2),
  ][(place >> 2) % 4] as string;
}

test(`no offensive word is offered for slips in the ${WORDS} most frequent words`, async () => {
  const slips = knownWords()
    .filter((word) => /^[a-z]{3,}$/.test(word) && !isOffensive(word))
    .slice(0, WORDS)
    .map(slip)
    .filter((_, place) => place % STRIDE === 0)
    .filter((word) => !isOffensive(word));
  let offered = 0;
  for (let from = 0; from < slips.length; from += SENTENCES) {
    const text = slips.slice(from, from + SENTENCES).map((word) => `We have seen the ${word} there.`);
    const { edits, doubts } = await check(text.join(' '), 'american');
    for (const { original, suggestions } of [...edits, ...doubts]) {
      offered += suggestions.length;
      assert.deepEqual(suggestions.filter(isOffensive), [], original);
    }
  }
  assert.ok(offered > WORDS / STRIDE / 4, `${offered} suggestions`);
});

test('an offensive word that the writer wrote is corrected as any other', () => {
  const proposal = { start: 3, end: 7, replacement: 'sucks', kind: 'agreement', explanation: '', rule: 'x' } as const;
  assert.deepEqual(inoffensive('He suck at it.', [proposal]), [proposal]);
  assert.deepEqual(inoffensive('He sukc at it.', [proposal]), []);
});
