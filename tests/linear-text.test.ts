import assert from 'node:assert/strict';
import { test } from 'node:test';
import { superLinear } from '../scripts/linear-text/super-linear.ts';

/** Expressions that src/ once used to read text of strangers. */
const OLD: readonly (readonly [name: string, expression: RegExp, steep: boolean])[] = [
  [
    'CLOSER',
    /(?:[,.!?]?\s+(?:please|pls|plz|thanks|thank you|thx|for me|if you can|(?:would|will|could) you)[.!]*|[.!?,]+|(?<!&#?\w{1,10});)+$/i,
    true,
  ],
  ['TOLD_CLOSER', /(?:[,.!?]?\s+(?:please|pls|plz|thanks|thank you|thx)[.!]*|[.!?,]+|(?<!&#?\w{1,10});)+$/i, true],
  [
    'THEN',
    /\s*(?:[,;.?]|(?<!\d)!)?\s+(?:and\s+)?(?:then|after that|afterwards|finally|lastly)\b[,:]?\s+|\s*;\s+|\s+(?:→|->|=>)\s+/giu,
    false,
  ],
  ['the cutting of sentences', /[\p{L}\p{M}\p{N}'’]+|[.!?…]+["'”’)]?\s|\n|[^\p{L}\p{M}\p{N}'’]/gu, false],
  ['the end of sentences', /[.!?…].*\s$|\n/u, false],
  ['lists of numbers', /^[+-]?(?:\d[\d.,]*|\.\d+)(?:[\s,;$€£]+(?:and\s+)?[+-]?(?:\d[\d.,]*|\.\d+))*[\s,;.]*$/, true],
  ['what is sent', /^(?:the|my) (?:[\p{L}\d'’-]+ ?){1,8}$/iu, true],
  ['blanks at the end', /[\s?!.]+$/, false],
];

for (const [name, { source, flags }, steep] of OLD) {
  test(`the check finds what was wrong with ${name}`, () => {
    const found = superLinear(source, flags);
    assert.notEqual(found.length, 0);
    assert.equal(
      found.some((one) => one.steep),
      steep,
    );
  });
}

test('the check leaves alone what is linear', () => {
  for (const { source, flags } of [/^[a-z]+(?: [a-z]+)*$/i, /\s+/g, /^(?:a|b)+$/]) {
    assert.deepEqual(superLinear(source, flags), [], source);
  }
});
