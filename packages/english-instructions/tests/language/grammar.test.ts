import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Grammar, rulesOf } from '../../language/grammar.ts';
import { tokensOf } from '../../language/lexer.ts';
import { figureOf, spelled, spelledAt } from '../../language/numerals.ts';

const read = (grammar: Grammar, text: string, goal: string): unknown[] => {
  const tokens = tokensOf(text);
  assert.ok(tokens);
  const slice = (from: number, to: number) => text.slice(tokens[from]?.from, tokens[to - 1]?.to);
  return grammar
    .parse(tokens, undefined, slice)
    .spanning(goal)
    .map(({ value }) => value);
};

const rule = rulesOf<{ number: number; '…': string }, undefined>();
const SUMS = new Grammar(
  [
    {
      lexicon: { PLUS: '+|plus|added to', number: { one: 1, two: 2, three: 3 }, NEVER: 'never ever' },
      tests: { small: (n: number) => n < 3 },
      rules: [
        rule('number = <number> PLUS <number:small>', ([a, b]) => a + b),
        rule('number = (twice|double) the? <number>', ([n]) => 2 * n),
        rule('request = say … (please|now)?'),
        rule('request = <number>'),
      ],
    },
  ],
  ['request'],
);

test('a reading covers all tokens, and nothing is read where one is left', () => {
  assert.deepEqual(read(SUMS, 'one plus two', 'request'), [3]);
  assert.deepEqual(read(SUMS, 'one plus two bananas', 'request'), []);
  assert.deepEqual(read(SUMS, 'two plus three', 'request'), []);
});

test('all readings of an ambiguous text stay in the chart', () => {
  assert.deepEqual(new Set(read(SUMS, 'twice two plus one', 'request')), new Set([5, 6]));
});

test('optional words, alternatives and phrases of several words are read', () => {
  assert.deepEqual(read(SUMS, 'Double the two', 'request'), [4]);
  assert.deepEqual(read(SUMS, 'one added to one', 'request'), [2]);
});

test('free text ends where the next word may begin', () => {
  assert.deepEqual(new Set(read(SUMS, 'say hello now', 'request')), new Set(['hello', 'hello now']));
});

test('a pattern has its own order of values and its own score, and free text a test', () => {
  const grammar = new Grammar(
    [
      {
        lexicon: { number: { one: 1, two: 2, three: 3 } },
        tests: { short: (text: string) => text.length < 4 },
        rules: [
          rule('request = <number> less <number>', '-0.5 = #21 take <number> from <number>', ([a, b]) => a - b),
          rule('request = say …:short <number>', ([text]) => text),
        ],
      },
    ],
    ['request'],
  );
  assert.deepEqual(read(grammar, 'three less one', 'request'), [2]);
  assert.deepEqual(read(grammar, 'take one from three', 'request'), [2]);
  const scoreOf = (text: string) =>
    grammar.parse(tokensOf(text) ?? [], undefined, () => '').spanning('request')[0]?.score;
  assert.deepEqual(['three less one', 'take one from three'].map(scoreOf), [0, -0.5]);
  assert.deepEqual(read(grammar, 'say hi two', 'request'), ['hi']);
  assert.deepEqual(read(grammar, 'say good morning two', 'request'), []);
});

test('a pattern that begins with free text, or names an unknown test, is refused', () => {
  assert.throws(() => new Grammar([{ rules: [rule('a = … b')] }], ['a']), /begins with no word/);
  assert.throws(() => new Grammar([{ rules: [rule('a = <b:c>')] }], ['a']), /no test “c”/);
});

test('a type of words among words, where it would be read as letters, is refused', () => {
  assert.throws(() => new Grammar([{ rules: [rule('a = (ADD|sum) b')] }], ['a']), /stands by itself/);
});

test('a text that makes ever more readings ends at a limit', () => {
  const tokens = tokensOf(Array.from({ length: 60 }, () => 'one').join(' plus ')) ?? [];
  const chart = SUMS.parse(tokens.slice(0, 100), undefined, () => '');
  assert.equal(typeof chart.isFull, 'boolean');
});

test('quotations, JSON, addresses and placeholders are single tokens', () => {
  const kinds = (text: string) => tokensOf(text)?.map(({ kind, text }) => `${kind} ${text}`);
  assert.deepEqual(kinds('"a b" {"c": [1]} {{2.x}}'), ['quoted "a b"', 'json {"c": [1]}', 'reference {{2.x}}']);
  assert.deepEqual(kinds('mail bob@acme.test, see https://a.b/c?d=1.'), [
    'word mail',
    'address bob@acme.test',
    'sign ,',
    'word see',
    'url https://a.b/c?d=1',
    'sign .',
  ]);
  assert.deepEqual(kinds("it's 5km"), ["word it's", 'number 5', 'word km']);
});

test('a rule without a function has the first value, or true, and its score stands behind what it makes', () => {
  assert.deepEqual(rule('a -0.5 = <number> <number>', 'of <number>').patterns, ['<number> <number>', 'of <number>']);
  assert.equal(rule('a -0.5 = <number>').score, -0.5);
  assert.equal(rule('a = <number> <number>').make([1, 2] as never[], undefined as never), 1);
  assert.equal(rule('a = please').make([], undefined as never), true);
});

test('a text with too many tokens is not read', () => {
  assert.equal(tokensOf('a '.repeat(200)), undefined);
});

test('numbers in words are read to their end', () => {
  const value = (text: string) => spelledAt(text.split(' '), 0);
  assert.deepEqual(value('three hundred and forty two apples'), { value: 342, to: 5 });
  assert.deepEqual(value('twenty one hundred'), { value: 2100, to: 3 });
  assert.deepEqual(value('five six'), { value: 5, to: 1 });
  assert.deepEqual(value('a dozen'), { value: 12, to: 2 });
  assert.deepEqual(value('ninety-nine'), { value: 99, to: 1 });
  assert.deepEqual(value('two million five hundred thousand'), { value: 2_500_000, to: 5 });
  assert.equal(value('a house'), undefined);
});

test('numbers that are written in words are read as they were', () => {
  const some = [0, 7, 13, 20, 21, 100, 101, 342, 999, 1_000, 1_001, 1_100, 20_015, 999_999, 1e6, 2_500_000, 1e12 + 5];
  for (const value of [...some, ...Array.from({ length: 200 }, (_, at) => at * 4_999)]) {
    const words = spelled(BigInt(value))?.split(' ') ?? [];
    assert.deepEqual(spelledAt(words, 0), { value, to: words.length });
  }
  assert.equal(spelled(1_999n), 'one thousand nine hundred and ninety-nine');
  assert.equal(spelled(-42n), 'minus forty-two');
  assert.equal(spelled(10n ** 15n), undefined);
});

test('separators of thousands and decimals are told apart', () => {
  assert.deepEqual(figureOf('1,250.5'), { text: '1250.5', unsure: false });
  assert.deepEqual(figureOf('1.234,50'), { text: '1234.50', unsure: false });
  assert.deepEqual(figureOf('1,5'), { text: '1.5', unsure: true });
  assert.equal(figureOf('1,2,3'), undefined);
  assert.equal(figureOf('1.2.3'), undefined);
});
