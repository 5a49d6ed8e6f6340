import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { MAX_CLAUSE } from '@mailroom/english-instructions/tasks/clause';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { assertLinear } from '../../../../tests/harness/linear.ts';
import { amount, everyNth } from '../../../../tests/soak/length.ts';
import { clause, NOW } from '../../../english-instructions/tests/tasks/harness.ts';
import { procedureTasks } from '../owner/procedures.ts';

const tasks = testTasks();
const parts = { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false };
const KB = 1_024;
/** The length of pasted text. */
const LONG = amount(4, 256) * KB;
const SUFFIXES = [' x', '?'].slice(0, amount(1, 2));

for (const prefix of ['', 'what is ', 'Intro '].slice(0, amount(1, 3))) {
  test(`a guest's message is read in linear time: ${JSON.stringify(prefix)}`, () =>
    assertLinear('planning', (text) => planOf(text, parts), {
      prefixes: [prefix],
      suffixes: SUFFIXES,
      length: amount(2, 8) * KB,
    }));
}

test(`a message of ${LONG / KB} KiB is read in linear time, on one line and as pasted text`, () =>
  assertLinear('planning', (text) => planOf(text, parts), {
    prefixes: ['', 'sort these:\n'],
    suffixes: [' x'],
    length: LONG,
  }));

test('an answer to a question is read in linear time', () =>
  assertLinear('planning', (text) => planOf('frobnicate', { ...parts, answers: [[0, text]] }), {
    prefixes: ['', 'sort: '],
    length: LONG,
  }));

test('the three texts of the attack are read at once', () => {
  for (const body of [`${'.'.repeat(32)} x`, `Intro ${'.'.repeat(40)} 5`, `what is ${' '.repeat(8_183)}?`]) {
    const before = process.threadCpuUsage();
    planOf(body, parts);
    const { user, system } = process.threadCpuUsage(before);
    // These once took 13, 60 and 82 seconds.
    assert.ok(user + system < 1_000_000, body.slice(0, 20));
  }
});

test('many steps in one sentence, and many that cannot be done, are read in few ways', () => {
  let read = 0;
  const counted = tasks.map((task) =>
    task.name === 'remember'
      ? { ...task, read: (of: Parameters<typeof task.read>[0]) => [++read, task.read(of)][1] as never }
      : task,
  );
  for (const lead of ['', 'take 7, ', 'calculate '])
    for (const length of [250, 1_000, 8 * KB]) {
      read = 0;
      planOf(lead + 'add 5, '.repeat((length - lead.length) / 7), { ...parts, tasks: counted, before: true });
      assert.ok(read <= 14, `${read} ways for ${lead} … of ${length} characters`);
    }
});

/** Other beginnings of instructions, after which different patterns read the text. */
const MORE: { readonly [task: string]: readonly string[] } = {
  send: ['send a@b.c the ', 'tell a@b.c ', 'email the '],
  recall: ['what is the ', "what is Ann's "],
  remember: ['remember the '],
  calculate: ['add ', 'the sum of ', 'what is 5 '],
  text: ['replace a with ', 'sort ', 'title case '],
  remind: ['remind me to '],
};

for (const task of tasks) {
  const beginnings = [...new Set([...task.examples.map(beginning), ...(MORE[task.name] ?? [])])];

  test(`${task.name} reads the longest instruction in linear time`, () =>
    assertLinear(task.name, (text) => task.read(clause(text)), {
      // In short some of them, from a place of its own for each task.
      prefixes: everyNth(beginnings, 3, task.name.length),
      suffixes: SUFFIXES,
      length: MAX_CLAUSE,
    }));

  test(`${task.name} reads an instruction with ${LONG / KB} KiB of pasted text in linear time`, () =>
    assertLinear(
      task.name,
      (data) => {
        for (const text of everyNth(beginnings, 3, task.name.length)) task.read(clause(text.trim(), { data }));
      },
      { suffixes: [' x'], length: LONG },
    ));
}

/** The first two words of an example. */
function beginning(example: string): string {
  return `${example.split(/[\s:]+/, 2).join(' ')} `;
}

test('what an owner taught is read in linear time', () => {
  const parameters = { type: 'object', properties: { name: { type: 'array' }, age: { type: 'number' } } } as const;
  const [greet] = procedureTasks(
    [{ name: 'greet', description: 'Greets.', script: '1', parameters }] as never,
    new Map(),
  );
  return assertLinear('a call', (text) => greet?.read(clause('greet with name', { data: text })), {
    prefixes: ['', 'age: 5, name '],
    length: LONG,
  });
});

test('an instruction that is too long to be read is asked about, and says what to do', () => {
  const planned = planOf(`uppercase ${'many words '.repeat(300)}`, parts);
  assert.equal(planned.kind, 'unclear');
  assert.match(planned.kind === 'unclear' ? planned.question : '', /longer than the 2000 characters.*behind a colon/);
  assert.equal(planOf(`uppercase: ${'many words '.repeat(300)}`, parts).kind, 'plan');
});

test('a text that can be split in many ways is refused at once, and a long one with many “and” is read', () => {
  const said = (unit: string, length: number): string => unit.repeat(length).slice(0, length);
  for (const unit of [
    'sort a, ',
    'sort a and ',
    'a, b and ',
    'add 5, ',
    'every monday and ',
    'convert 5 km to miles and ',
  ]) {
    planOf(said(unit, 900), parts);
    const before = process.threadCpuUsage();
    const planned = planOf(said(unit, 1_900), parts);
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(planned.kind, 'too_much', unit);
    assert.ok(user + system < 200_000, `${unit}: ${user + system} µs`);
  }
  const sentence = Array.from({ length: 18 }, (_, n) => `the shop number ${n} sells bread`).join(' and ');
  for (const lead of ['remind me tomorrow at 9 to tell Ann that', 'note:', 'send a@b.c saying'])
    assert.equal(planOf(`${lead} ${sentence}`, parts).kind, 'plan', lead);
});
