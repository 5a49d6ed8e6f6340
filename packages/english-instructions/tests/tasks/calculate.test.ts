import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@mailroom/behavior/values/json';
import { all, create, type FactoryFunctionMap } from 'mathjs';
import { Check } from 'typebox/value';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { filled, UnresolvedError } from '../../plan/references.ts';
import { calculate } from '../../tasks/calculate/index.ts';
import { type Parts, parseSum } from '../../tasks/calculate/sums.ts';
import { isSum } from '../../tasks/clause.ts';
import { makeTasks } from '../../tasks/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { CALCULATE } from './examples/calculate.ts';
import { FOREIGN } from './examples/foreign.ts';
import { clause, context, examplesOf } from './harness.ts';

examplesOf(calculate, CALCULATE);

test('calculate leaves what is for other tasks', () => {
  for (const says of FOREIGN) assert.equal(calculate.read(clause(says)), undefined, says);
});

const run = async (expression: string): Promise<unknown> =>
  ((await calculate.run({ expression }, context())) as { readonly result: unknown }).result;

test('temperatures of different scales are compared as they are, whichever stands first', async () => {
  const celsius = { degC: (of: number) => of, degF: (of: number) => (of * 9) / 5 + 32, K: (of: number) => of + 273.15 };
  const scales = Object.entries(celsius);
  for (const warm of [-40, 0, 37, 100])
    for (const cold of [-200, -40.5, -1, 36.9])
      for (const [one, ofOne] of scales)
        for (const [other, ofOther] of scales) {
          const [high, low] = [Math.max(warm, cold), Math.min(warm, cold)];
          const said = `${ofOne(high).toFixed(6)} ${one} > ${ofOther(low).toFixed(6)} ${other}`;
          assert.equal(await run(said), true, said);
        }
  assert.equal(await run('100 degF > 40 degC'), false);
  assert.equal(await run('32 degF == 0 degC'), true);
});

test('an equation is solved, also with two solutions, and one without a solution says so', async () => {
  assert.equal(await run('solve(2 * x + 3 = 11, x)'), 4);
  assert.equal(await run('solve(x^2 - 5 * x + 6 = 0, x)'), '2 or 3');
  assert.equal(await run('solve(x^2 = 2 * x - 1, x)'), 1);
  assert.equal(await run('solve(0.1 * y = 0.3, y)'), 3);
  for (const expression of [
    'solve(x = x + 1, x)',
    'solve(x = x, x)',
    'solve(x^2 = -1, x)',
    'solve(x^3 = 8, x)',
    'solve(2^x = 8, x)',
    'solve(x = y, x)',
    'solve(1 / x = 2, x)',
  ])
    await assert.rejects(run(expression), TaskError, expression);
});

const REFUSED: readonly string[] = [
  '10^10^10',
  '9^9^9^9',
  '2^(10^9)',
  '1.0000001^(10^15)',
  '1e99999999 * 2',
  '1e999999999999',
  'exp(1e9)',
  'sinh(1e10)',
  'cosh(99999)',
  'sin(1e1000)',
  'tan(10^50)',
  'nthRoot(2, 10000000000)',
  '1001!',
  '(-5)!',
  '0.5!',
  '170!!!!',
  `${'('.repeat(900)}1${')'.repeat(900)}`,
  '('.repeat(10_000),
  `${'('.repeat(10_000)}1${')'.repeat(10_000)}`,
  '-'.repeat(1_999) + 1,
  `2${'^2'.repeat(900)}`,
  '1?'.repeat(600),
  'not '.repeat(450),
  `1${'+1'.repeat(128 << 10)}`,
  `1${'+1'.repeat(999)}`,
  'import({a: 1})',
  'import("fs")',
  'createUnit("foo")',
  'evaluate("1+1")',
  'parse("1+1")',
  'simplify("x+x")',
  'derivative("x^2", "x")',
  'config({number: "number"})',
  'cos.constructor',
  'cos.constructor("return process")()',
  'constructor(1)',
  'toString()',
  '__proto__',
  'hasOwnProperty(1)',
  'a = 5',
  'f(x) = x^2',
  'pi = 3',
  '1:1000000000',
  '[1:1e9]',
  'zeros(1000000000)',
  'ones(1e9)',
  'identity(100000)',
  '[1, 2; 3, 4]^1000',
  '{a: 1}',
  '"abc"',
  'concat("a", "b")',
  'format(1, 1000000)',
  'print("$x", {x: 1})',
  'random(1e9)',
  'combinations(100000, 50000)',
  'bellNumbers(100000)',
  'Infinity - Infinity',
  'i^i',
  'x + 1',
  '1 +',
  '',
  ')(',
  '٣ + ٤',
  '5 kg + 3 km',
  '5 kg ^ 99999',
  '1; 2',
  '3 km to kg',
  'sum()',
  'sum(sum)',
  'mean([[1]])',
  'gcd(1e70, 3)',
  '1e2000 km * 1e2000 km',
  '1e200 km * 1e200 km',
  '10^-400',
  '\u0000',
];

test('what has no result is answered in words, and no step can use it', async () => {
  for (const expression of ['1/0', '0/0', '0^-1', '5 mod 0', 'sqrt(-4)', 'log(-1)', 'ln(0)', 'asin(2)', '(-8)^0.5']) {
    const output = (await calculate.run({ expression }, context())) as JsonObject;
    assert.ok(Check(calculate.output, output), expression);
    assert.match(calculate.show(output, { expression }), /has \*\*no (?:real )?result/, expression);
    assert.equal(output.result, null, expression);
    const outputs = new Map([[1, output]]);
    assert.throws(() => filled({ expression: '({{1}}) + 5' }, calculate.input, { outputs }, 100), UnresolvedError);
  }
});

test('calculate answers every hostile expression at once, with a sentence for people', async () => {
  await run('1+1');
  for (const expression of REFUSED) {
    // Runaway calculations take minutes.
    await assertEffort(100, expression.slice(0, 60), () =>
      assert.rejects(
        async () => run(expression),
        (error) => error instanceof TaskError && error.message.length < 200,
        expression.slice(0, 60),
      ),
    );
  }
});

test('a calculation is too long by what it takes of the processor, not by the clock of a busy machine', async (t) => {
  let now = performance.now();
  t.mock.method(performance, 'now', () => {
    now += 60_000;
    return now;
  });
  assert.equal(await run('2^10 + 3! + sqrt(16)'), 1034);
});

test('calculate stays exact where digits are many', async () => {
  for (const [expression, result] of [
    ['0.1+0.2', 0.3],
    ['2^64', '18446744073709551616'],
    ['2^200', String(2n ** 200n)],
    ['25!', '15511210043330985984000000'],
    ['1/3*3', 1],
    ['1/3', 0.333333333333333],
    ['sqrt(2)^2', 2],
    ['0.1234567890123456789 + 1', '1.1234567890123456789'],
    ['1.10 * 3', 3.3],
    ['999999999999999 + 1', 1e15],
    ['12345678901234567890 * 2', '24691357802469135780'],
    ['１２ + ３', 15],
    ['sin(pi)', 0],
    ['-2^2', -4],
    ['2^-1', 0.5],
    ['6/2*(1+2)', 9],
    ['1e-20', 1e-20],
    ['round(1.5, 1e9)', 1.5],
    ['1e2000 + 0.5', `1${'0'.repeat(2_000)}`],
    ['sum(["1", "2.5"])', 3.5],
  ] as const) {
    assert.equal(await run(expression), result, expression);
  }
});

test('once mathjs is there, calculate answers synchronously', async () => {
  await run('1+1');
  const output = calculate.run({ expression: '12*(3+4)' }, context());
  assert.ok(!(output instanceof Promise));
});

test('calculate reads hostile clauses quickly', async () => {
  for (const says of [
    '1 + '.repeat(4_000),
    'what is '.repeat(2_000),
    'increase by '.repeat(160),
    'add a to '.repeat(200),
    `${'one '.repeat(490)}x`,
    '1,'.repeat(990),
    'sum of '.repeat(280),
    '{{'.repeat(900),
    `calculate ${'a to the '.repeat(200)}`,
  ]) {
    await assertEffort(50, says.slice(0, 30), () => calculate.read(clause(says)));
  }
});

/** Every property of a node that is read, as text. */
const written = (node: Parts): string => {
  if (node.type === 'ConstantNode') return `${typeof node.value}:${String(node.value)}`;
  if (node.type === 'ParenthesisNode') return `(${written(node.content)})`;
  assert.equal(node.type, 'OperatorNode');
  return `${node.fn}[${node.args.map(written).join(' ')}]`;
};

/** Park and Miller's generator, which gives the same texts each time. */
let seed = 20_261_122;
const below = (max: number): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % max;
};
const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;

test('a plain sum is read as mathjs reads it, whatever stands in it', () => {
  const math = create(all as FactoryFunctionMap, { number: 'BigNumber', precision: 64, matrix: 'Array' });
  const number = (text: string) => math.bignumber(text);
  const gap = (): string => one(['', '', ' ', '  ']);
  const numeral = (): string =>
    one([`${below(100)}`, `${below(1e6)}.${below(1000)}`, `.${below(100)}`, '007', '1e3', '2.']);
  const term = (depth: number): string => {
    const sign = one(['', '', '', '-', '+', '- -']);
    const inner = depth > 0 && below(3) === 0 ? `(${gap()}${sum(depth - 1)}${gap()})` : numeral();
    return `${sign}${inner}${one(['', '', '', '%', ' %', '^2', '^-1.5', '!', '%%'])}`;
  };
  const sum = (depth: number): string => {
    let text = term(depth);
    for (let more = below(4); more > 0; more--) {
      text += `${gap()}${one(['+', '-', '*', '/', '^', '%', '', ' mod '])}${gap()}${term(depth)}`;
    }
    return text;
  };
  const noise = (): string => Array.from({ length: below(12) }, () => one('0123456789.+-*/^%() '.split(''))).join('');
  let taken = 0;
  for (let tries = 0; tries < amount(4_000, 20_000); tries++) {
    const text = tries % 4 === 0 ? noise() : sum(2);
    const own = parseSum(text, number);
    if (own === undefined) continue;
    taken++;
    assert.equal(written(own), written(math.parse(text) as unknown as Parts), text);
  }
  assert.ok(taken > amount(400, 2_000), `${taken} were plain sums`);
  for (const text of ['12*(3+4)', '7 * 191 + 3', '15% * 80', '84.50 + 10%', '-(2 - 20%) / .5^-2']) {
    assert.ok(parseSum(text, number), text);
  }
});

test('who is not asked about sums reads none', async () => {
  const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 1 });
  const numeral = (): string =>
    one(['7', '30', '2026', '1.5', '15%', '(2', '2)', '-3', `${below(1e6)}`, '01', '11', '22', '1234567890']);
  const join = (): string => one([' + ', '+', '*', ' ^ ', ' - ', ' / ', ' of ']);
  let sums = 0;
  for (let tries = 0; tries < amount(500, 4_000); tries++) {
    let text = one(['', 'what is ', "What's "]) + numeral();
    for (let more = below(4); more > 0; more--) text += join() + numeral();
    const said = clause(text, one([{}, { it: 1 }, { it: 1, after: 'time' }, { it: 0, after: 'text' }]));
    if (!isSum(said)) continue;
    sums++;
    for (const task of tasks) {
      if (task.sums !== true) assert.equal(task.read(said), undefined, `${task.name}: ${text}`);
    }
  }
  assert.ok(sums > amount(375, 3_000), `${sums} were sums`);
  for (const text of ['2026-11-22', '1/2', 'what is .5', 'what is it', 'of', 'a + 1', '']) {
    assert.equal(isSum(clause(text)), false, text);
  }
  for (const task of tasks) await task.close?.();
});
