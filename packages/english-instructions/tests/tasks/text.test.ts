import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { TaskError } from '../../tasks/task.ts';
import { text } from '../../tasks/text/index.ts';
import { EXAMPLES } from './examples/text.ts';
import { FOREIGN } from './foreign.ts';
import { clause, context, examplesOf } from './harness.ts';

examplesOf(text, EXAMPLES);

type Given = { readonly [name: string]: unknown };
const KB = 1_024;
const roomy = context({ limits: { ms: 5_000, output_bytes: 1 << 20, memory_bytes: 32 << 20 } });

const run = (input: Given, within = roomy): { readonly [name: string]: unknown; readonly result: unknown } => {
  assert.ok(Check(text.input, input), JSON.stringify(input).slice(0, 200));
  const output = text.run(input, within) as { readonly result: unknown };
  assert.ok(Check(text.output, output), 'it fits the schema of outputs');
  assert.notEqual(text.show(output, input), '');
  return output;
};

test('text: what is for others is left to them', () => {
  // The numbers of a range are listed as parts of a text.
  for (const says of FOREIGN.filter((one) => one !== 'list the numbers from 1 to 10'))
    assert.equal(text.read(clause(says)), undefined, says);
});

test('text: reading takes little time, also of long and hostile instructions', async () => {
  const hostile = [
    'a'.repeat(16_000),
    `sort ${'a, '.repeat(660)}`,
    `replace ${'a '.repeat(900)}`,
    `remove ${'all '.repeat(450)}`,
    `in in ${'in '.repeat(650)}`,
    `count ${'the '.repeat(480)}`,
    `convert ${'to '.repeat(600)}`,
    `compare "${'a" "'.repeat(450)}`,
    `extract ${'links in '.repeat(200)}`,
    `${'first '.repeat(300)}words`,
    `fill ${'with a=b '.repeat(200)}`,
    `sort ${'of the '.repeat(280)}!`,
    `pad ${'to 3 with '.repeat(180)}`,
    `split ${'by a '.repeat(380)}`,
    `the ${'and '.repeat(28)}!`,
    `sort ${'and '.repeat(26)}!`,
    `'${"a'b".repeat(600)}`,
  ];
  for (const says of hostile) await assertEffort(20, says.slice(0, 30), () => text.read(clause(says)));
  const data = 'word '.repeat(52_000);
  await assertEffort(20, 'large data', () => text.read(clause('compare these', { data })));
});

test('text: a full stop behind a list on one line is none of its last item', () => {
  const lists = ['pear, fig, pear', 'yes, maybe, no', 'Ana; Bo; Cy', 'a, b, a', '3, 1, 2', 'red, light blue and red'];
  for (const op of ['sort', 'unique', 'reverse', 'split', 'join'])
    for (const list of lists)
      assert.deepEqual(run({ op, text: `${list}.` }).result, run({ op, text: list }).result, `${op} ${list}`);
  for (const list of ['pear, fig, etc.', 'Smith J., Lee A.', 'Lee, Ann B.', 'a., b.', 'Bell Co., Ore Ltd.'])
    assert.ok(JSON.stringify(run({ op: 'reverse', text: list }).result).includes('.'), list);
  assert.deepEqual(run({ op: 'unique', text: 'I came.\nI saw.' }).result, ['I came.', 'I saw.']);
});

/** The size of large texts, and how much work on one of them is no more than linear. */
const SIZE = amount(32, 256) * KB;
const LINEAR_EFFORT = amount(40, 300);
const LARGE = [
  'a'.repeat(SIZE),
  'A'.repeat(SIZE),
  '1'.repeat(SIZE),
  'a.'.repeat(SIZE / 2),
  'a@'.repeat(SIZE / 2),
  '('.repeat(SIZE),
  '\n'.repeat(SIZE),
  ' '.repeat(SIZE),
  'é'.repeat(SIZE / 2),
  '#1'.repeat(SIZE / 2),
  `http://${')'.repeat(0.8 * SIZE)}`,
  'x\n'.repeat(0.4 * SIZE),
  '`'.repeat(SIZE),
  '{a'.repeat(SIZE / 2),
];
const OPS: Given[] = [
  { op: 'count' },
  ...['upper', 'title', 'sentence', 'camel', 'snake'].map((to) => ({ op: 'case', to })),
  ...['natural', 'number', 'length'].map((by) => ({ op: 'sort', by })),
  { op: 'unique' },
  { op: 'reverse', by: 'characters' },
  ...['links', 'emails', 'numbers', 'dates', 'hashtags', 'mentions'].map((what) => ({ op: 'extract', what })),
  { op: 'replace', find: 'a', with: 'b' },
  { op: 'split', separator: 'a' },
  { op: 'join', separator: ',' },
  { op: 'slug' },
  { op: 'template', values: { a: 1 } },
  { op: 'trim' },
  { op: 'trim', by: 'lines' },
  { op: 'first', count: 3, unit: 'words' },
  { op: 'last', count: 3, unit: 'sentences' },
  { op: 'number' },
  { op: 'wrap', length: 20 },
  { op: 'diff', other: 'something else' },
];

for (const op of OPS) {
  test(`text: ${SIZE / KB} KB of one word, of lines or of signs ends soon: ${JSON.stringify(op)}`, async () => {
    for (const given of LARGE) {
      await assertEffort(LINEAR_EFFORT, JSON.stringify(given.slice(0, 10)), () => {
        try {
          run({ ...op, text: given });
        } catch (error) {
          assert.ok(error instanceof TaskError, String(error));
        }
      });
    }
  });
}

test('text: 100,000 lines are sorted', async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => String((index * 7_919) % 50_000).padStart(4, 'x'));
  await assertEffort(300, 'sorting', () =>
    run({ op: 'sort', by: 'natural', text: lines.join('\n').slice(0, 256 * KB) }),
  );
  const short = Array.from({ length: 100_000 }, (_, index) => 'ab'.charAt(index % 2));
  await assertEffort(300, 'sorting', () =>
    assert.equal((run({ op: 'sort', text: short.join('\n') }).result as string[]).length, 100_000),
  );
});

test('text: what would grow too large is refused before it is built', async () => {
  const explode: Given[] = [
    { op: 'replace', text: 'a'.repeat(200 * KB), find: 'a', with: 'b'.repeat(100 * KB) },
    { op: 'join', text: 'a,'.repeat(100 * KB), separator: 'b'.repeat(100 * KB) },
    { op: 'template', text: '{a}'.repeat(80 * KB), values: { a: 'b'.repeat(100 * KB) } },
    { op: 'pad', text: 'a', length: 1_000_000, with: '🎉' },
    { op: 'number', text: '\n'.repeat(256 * KB) },
    { op: 'split', text: 'a'.repeat(256 * KB), separator: '' },
  ];
  for (const input of explode) {
    await assertEffort(50, String(input.op), () =>
      assert.throws(() => run(input, context()), { name: 'TaskError', message: /would have [\d,]+ KB; at most 64 KB/ }),
    );
  }
  assert.throws(() => run({ op: 'say', text: 'a'.repeat(300 * KB) }), {
    name: 'TaskError',
    message: /longer than 256 KB/,
  });
});

test('text: unlike texts of 100 KB are compared or given up within a second', async () => {
  let seed = 1;
  const random = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed.toString(36);
  };
  for (const separator of [' ', '\n', ' x\n']) {
    const [one, other] = [0, 1].map(() => Array.from({ length: 14_000 }, random).join(separator));
    for (const by of ['words', 'lines', undefined]) {
      await assertEffort(300, `${JSON.stringify(separator)} by ${by}`, () => {
        try {
          run({ op: 'diff', text: one, other, ...(by === undefined ? {} : { by }) });
        } catch (error) {
          assert.ok(error instanceof TaskError, String(error));
        }
      });
    }
  }
  const long = Array.from({ length: 10_000 }, random);
  const changed = long.toSpliced(5_000, 1, 'changed');
  const { added, removed } = run({ op: 'diff', text: long.join('\n'), other: changed.join('\n') });
  assert.deepEqual([added, removed], [1, 1]);
});

test('text: halves of characters, emoji and combining marks are kept together or left alone', () => {
  assert.equal(run({ op: 'reverse', by: 'characters', text: '👩‍👩‍👧é' }).result, 'é👩‍👩‍👧');
  assert.equal(run({ op: 'count', what: 'characters', text: '👩‍👩‍👧e\u0301' }).result, 2);
  for (const op of ['count', 'case', 'sort', 'reverse', 'slug', 'trim', 'say', 'wrap', 'number']) {
    run({ op, text: 'a\ud800b \udc00' });
  }
});

test('text: what stands between marks, in each line that has them, is the same whatever stands around them', () => {
  const between = (text: string, marks: Given): unknown => run({ op: 'between', text, ...marks }).result;
  for (const inside of ['b', 'b c', 'a b', 'ä😀'])
    for (const around of ['', 'x', 'x\ny'])
      assert.equal(between(`${around}(${inside})${around}`, { after: '(', before: ')' }), inside);
  assert.equal(between('a/b/c', { after: '/' }), 'b/c');
  assert.equal(between('a/b/c', { after: '/', side: 'right' }), 'c');
  assert.equal(between('a/b/c', { before: '/', side: 'right' }), 'a/b');
  assert.equal(between('(a) (b)', { after: '(', before: ')', side: 'right' }), 'b');
  assert.equal(between('a: 1\nb: 2', { after: ':' }), '1\n2');
  assert.equal(between('a: 1\nb', { after: ':' }), '1\nb');
  assert.throws(() => between('abc', { after: '-' }), /no “-”/);
  assert.throws(() => between(')a(', { after: '(', before: ')' }), /No “\)” stands behind “\(”/);
  assert.throws(() => between('abc', {}), /Between what\?/);
});

test('text: values of any kind are worked on; names of prototypes mean nothing in templates', () => {
  assert.deepEqual(run({ op: 'sort', text: [3, 10, 1] }).result, ['1', '3', '10']);
  assert.equal(run({ op: 'case', text: { a: 'b' } }).result, '{"A":"B"}');
  assert.equal(run({ op: 'count', text: null }).result, 1);
  const template = '{constructor} {__proto__} {toString} {hasOwnProperty}';
  assert.equal(run({ op: 'template', text: template, values: { a: 1 } }).result, template);
  const values = JSON.parse('{"__proto__":"p"}') as Given;
  assert.equal(run({ op: 'template', text: '{__proto__}', values }).result, 'p');
  assert.deepEqual(run({ op: 'template', text: '{a} {b}', values: { a: '{b}' } }).missing, ['b']);
  assert.equal(run({ op: 'replace', text: 'a.b', find: '.', with: '$&' }).result, 'a$&b');
});

test('text: what is asked back is answered with the whole instruction', () => {
  const reading = text.read(clause('uppercase this'));
  assert.ok(reading !== undefined && 'ask' in reading);
  const again = text.read(clause(reading.answered('hello')));
  assert.ok(again !== undefined && 'input' in again);
  assert.deepEqual(again.input, { op: 'case', to: 'upper', text: 'hello' });
});
