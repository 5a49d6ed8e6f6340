import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import { filled } from '@mailroom/english-instructions/plan/references';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { figureOf } from '@mailroom/english-instructions/tasks/words/figures';
import { context, NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const planned = (says: string) => planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });

interface Answer {
  readonly results: readonly Json[];
  readonly shown: string;
}
/** The results of the steps of an instruction, in their order; fails where a question is asked. */
async function answer(says: string): Promise<Answer> {
  const plan = planned(says);
  assert.equal(plan.kind, 'plan', `${says}: ${JSON.stringify(plan)}`);
  if (plan.kind !== 'plan') return { results: [], shown: '' };
  const outputs = new Map<number, JsonObject>();
  const shown: string[] = [];
  for (const [at, { task: name, input }] of plan.steps.entries()) {
    const task = tasks.find((one) => one.name === name);
    assert.ok(task);
    const own = filled(input, task.input, { outputs }, 65_536);
    const output = (await task.run(own, context())) as JsonObject;
    outputs.set(at + 1, output);
    shown.push(task.show(output, own));
  }
  return { results: [...outputs.values()].map(({ result = null }) => result), shown: shown.join('\n') };
}
const result = async (says: string): Promise<Json | undefined> => (await answer(says)).results.at(-1);

/** Pseudorandom whole numbers, so that a failure comes again. */
function* figures(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield 1 + (state % 90);
  }
}
const LISTS = [7, 11, 23, 101].map((seed) => {
  const from = figures(seed);
  return Array.from({ length: 3 + (seed % 3) }, () => from.next().value);
});
const FORMS: readonly ((list: readonly number[]) => string)[] = [(list) => list.join(' '), (list) => list.join(', ')];

test('several figures of one list are those that are asked for one by one', async () => {
  for (const list of LISTS)
    for (const form of FORMS)
      for (const names of [
        ['min', 'max'],
        ['sum', 'average'],
        ['largest', 'smallest', 'mean'],
        ['median', 'total'],
      ]) {
        const each = await Promise.all(names.map((name) => result(`${name} of ${form(list)}`)));
        const last = names.at(-1) as string;
        const { results } = await answer(`${names.slice(0, -1).join(', ')} and ${last} of ${form(list)}`);
        assert.deepEqual(results, each, `${names.join()} of ${form(list)}`);
      }
});

test('what is done with each of a list is what is done with its numbers alone', async () => {
  for (const list of LISTS)
    for (const form of FORMS)
      for (const [all, one] of [
        ['add 7 to each:', (n: number) => `${n} + 7`],
        ['multiply each number by 3:', (n: number) => `${n} * 3`],
        ['increase each by 20%:', (n: number) => `${n} plus 20%`],
        ['square each number:', (n: number) => `${n}^2`],
        ['the squares of', (n: number) => `${n}^2`],
        ['15% of each:', (n: number) => `15% of ${n}`],
      ] as const) {
        const each = await Promise.all(list.map((n) => result(one(n))));
        assert.deepEqual(await result(`${all} ${form(list)}`), each, `${all} ${form(list)}`);
      }
});

test('the order of shares of shares makes no difference, so that nothing is asked', async () => {
  const parts = ['half', 'a third', 'a quarter', '15 percent', '20%'];
  for (const one of parts)
    for (const other of parts) {
      const [a, b] = [await result(`${one} of ${other} of 1800`), await result(`${other} of ${one} of 1800`)];
      assert.ok(Math.abs(Number(a) - Number(b)) < 1e-9, `${one} of ${other}`);
    }
});

test('of what is added and shared, the share of the addition and that of all are told', async () => {
  for (const [bill, by] of [
    [60, 3],
    [84, 4],
    [125, 5],
  ] as const) {
    const { results } = await answer(`20% tip on ${bill} split between ${by}`);
    assert.deepEqual(results, [(bill * 0.2) / by, (bill * 1.2) / by]);
  }
});

test('a plural without a number is of each word, a singular of the text', async () => {
  for (const words of ['Very Important Person', 'red green blue', 'one two three four']) {
    const firsts = words.split(' ').map((word) => word[0] as string);
    assert.deepEqual(await result(`first letters of: ${words}`), firsts);
    assert.equal(await result(`first letter of: ${words}`), firsts[0]);
  }
  for (const says of ['first lines of: a b', 'last words of: one two']) assert.equal(planned(says).kind, 'unclear');
});

test('“it” behind a measurement is what was measured, and before arithmetic the number', async () => {
  for (const measure of ['count the words', 'count the letters', 'count the characters'])
    assert.equal(await result(`${measure} and then uppercase it: red fox`), 'RED FOX');
  assert.equal(await result('count the words and double it: red fox'), 4);
});

test('swapping two texts twice gives the text again', async () => {
  for (const [one, other, text] of [
    ['a', 'b', 'a-b-a'],
    ['red', 'blue', 'red or blue'],
    ['x', 'yy', 'x yy x'],
  ]) {
    const once = (await result(`swap ${one} and ${other} in: ${text}`)) as string;
    assert.notEqual(once, text);
    assert.equal(await result(`swap ${one} and ${other} in: ${once}`), text);
  }
});

test('lengths of time are added as clocks show them', async () => {
  for (const [says, shown] of [
    ['half an hour plus 20 minutes', '50 min'],
    ['2 hours plus 45 minutes', '2 h 45 min'],
    ['an hour and a half minus 20 minutes', '1 h 10 min'],
  ] as const)
    assert.match((await answer(says)).shown, new RegExp(`\\*\\*${shown}\\*\\*`), says);
});

test('what begins at a time and takes a while ends when both are added, in any words', async () => {
  const end = await result('45 minutes after 14:20 on 2027-03-05');
  for (const says of [
    'the film starts at 14:20 on 2027-03-05 and takes 45 minutes, when does it end',
    'my bus leaves at 14:20 on 2027-03-05 and takes 45 min. when do i arrive?',
    'if i leave at 14:20 on 2027-03-05 and the drive takes 45 minutes, when do i get there',
  ])
    assert.equal(await result(says), end, says);
});

test('the days of each name until a date are all days until it', async () => {
  for (const date of ['2026-12-25', '2027-02-28', '2026-11-27']) {
    let sum = 0;
    for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
      sum += Number(await result(`how many ${name}s until ${date}`));
    assert.equal(sum, await result(`how many days until ${date}`));
  }
});

test('the clocks go forward and back by the zone, and nowhere where they are not changed', async () => {
  for (const place of ['New York', 'Berlin', 'London']) {
    const both = await Promise.all(
      ['forward', 'back'].map((way) => answer(`when do the clocks go ${way} in ${place} in 2027`)),
    );
    for (const { shown } of both) assert.match(shown, /go (?:forward|back) 1 hour/);
    assert.notEqual(both[0]?.results[0], both[1]?.results[0]);
  }
  assert.match((await answer('when do the clocks change in Tokyo')).shown, /not changed/);
});

test('a date in figures that can be read in two ways is told in both', async () => {
  const { shown } = await answer('which weekday is 03/04/2027');
  assert.match(shown, /Thursday, March 4, 2027/);
  assert.match(shown, /Sunday, April 4, 2027|Saturday, April 3, 2027/);
});

test('only what is true stands beside a yes or a no', async () => {
  for (const [says, yes, statement] of [
    ['2+2=5, right?', 'No', '2 + 2 = 4'],
    ['is 3 greater than 8', 'No', '3 < 8'],
    ['is 12 divisible by 5', 'No', '12 mod 5 = 2'],
    ['is 3/4 bigger than 0.7', 'Yes', '3 / 4 > 0.7'],
  ] as const)
    assert.equal((await answer(says)).shown, `**${yes}**: ${statement}`, says);
});

test('a figure is rounded only where it has many digits, by less than half of the last one shown, and marked', () => {
  for (const value of [0.1, 2.5, 1 / 3, 2 / 3, 62.1371192237, 1234567.891234, 0.000123456789, -8.33333333333, 42]) {
    const { text, rounded } = figureOf(value);
    const shown = Number(text.replaceAll(',', ''));
    assert.equal(rounded, shown !== value, text);
    const decimals = text.split('.')[1]?.length ?? 0;
    assert.ok(Math.abs(shown - value) <= 0.5 * 10 ** -decimals + Number.EPSILON, text);
    assert.ok(!rounded || text.replace(/^[-0.,]*/, '').replace(/\D/g, '').length <= 9, text);
  }
});

test('what only the world knows is said to be out of reach, and is not looked for in notes', () => {
  for (const says of [
    'what is the price of gold',
    "what's the weather in Oslo tomorrow",
    'latest news',
    'who is the president of Chile',
    'exchange rate of dollar to yen',
  ]) {
    const plan = planned(says);
    assert.equal(plan.kind, 'unclear', says);
    if (plan.kind === 'unclear') assert.match(plan.question, /out of my reach/, says);
  }
});
