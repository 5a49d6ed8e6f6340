import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { forget } from '../../tasks/notes/forget.ts';
import { recall } from '../../tasks/notes/recall.ts';
import { remember } from '../../tasks/notes/remember.ts';
import { remind } from '../../tasks/plans/remind.ts';
import { schedule } from '../../tasks/plans/schedule.ts';
import { send } from '../../tasks/send.ts';
import { TaskError } from '../../tasks/task.ts';
import { FORGET } from './examples/forget.ts';
import { RECALL } from './examples/recall.ts';
import { REMEMBER } from './examples/remember.ts';
import { REMIND } from './examples/remind.ts';
import { SCHEDULE } from './examples/schedule.ts';
import { SEND } from './examples/send.ts';
import { clause, context, examplesOf } from './harness.ts';
import { agenda } from './memory.ts';

interface Shown {
  readonly result: string;
  readonly schedules: readonly {
    readonly id: string;
    readonly name: string;
    readonly when: string;
    readonly next_at: string;
  }[];
}

describe('schedule', () => examplesOf(schedule, SCHEDULE, context({ agenda: agenda() })));

test('instructions are kept as they are, with their first time', async () => {
  const within = agenda();
  const output = (await schedule.run(
    { op: 'add', instructions: 'calculate 2+2', rule: '0 9 * * 1-5', time_zone: 'Europe/Berlin' },
    context({ agenda: within }),
  )) as Shown;
  const [made] = [...within.planned.values()];
  assert.ok(made);
  assert.deepEqual(made, {
    id: made.id,
    name: 'calculate 2+2',
    instructions: 'calculate 2+2',
    rule: '0 9 * * 1-5',
    time_zone: 'Europe/Berlin',
    next_at: Date.UTC(2026, 10, 23, 8),
  });
  assert.equal(
    output.result,
    'Planned every weekday at 09:00 (Europe/Berlin): “calculate 2+2”. The first time is Monday, November 23, 2026, at 09:00 (Europe/Berlin).',
  );
});

test('schedules and reminders are listed and canceled, by id, words and kind', async () => {
  const within = context({ agenda: agenda() });
  const added = (await schedule.run(
    { op: 'add', instructions: 'fetch https://example.com/', rule: 'every hour' },
    within,
  )) as Shown;
  await remind.run({ text: 'call Ann', at: 'tomorrow at 9' }, within);
  await remind.run({ text: 'pay Ann', rule: 'every Friday at 17:00' }, within);
  const all = (await schedule.run({ op: 'list' }, within)) as Shown;
  assert.deepEqual(
    all.schedules.map(({ name, when }) => [name, when]),
    [
      ['fetch https://example.com/', 'every hour (UTC)'],
      ['pay Ann', 'every Friday at 17:00 (UTC)'],
      ['call Ann', 'Saturday, November 21, 2026, at 09:00 (UTC)'],
    ],
  );
  const tomorrow = (await schedule.run({ op: 'list', on: 'tomorrow' }, within)) as Shown;
  assert.deepEqual(
    tomorrow.schedules.map(({ name }) => name),
    ['fetch https://example.com/', 'call Ann'],
  );
  const refused = async (input: object, message: RegExp) =>
    assert.rejects(
      async () => schedule.run(input, within),
      (error) => error instanceof TaskError && message.test(error.message),
    );
  await refused({ op: 'cancel', query: 'Ann' }, /Several fit “Ann”: “pay Ann” \(sch_.*Which one\?/);
  await refused({ op: 'cancel', query: 'the moon' }, /no schedule about “the moon” to cancel: there are/);
  await refused({ op: 'cancel', id: 'sch_none' }, /no schedule sch_none/);
  await refused({ op: 'cancel' }, /Which schedule/);
  await refused({ op: 'cancel', query: 'example.com', only: 'reminders' }, /no reminder about/);
  const one = (await schedule.run({ op: 'cancel', query: 'to call Ann' }, within)) as Shown;
  assert.equal(one.result, 'Canceled: “call Ann”.');
  await schedule.run({ op: 'cancel', all: true, only: 'reminders' }, within);
  const left = (await schedule.run({ op: 'list' }, within)) as Shown;
  assert.deepEqual(
    left.schedules.map(({ name }) => name),
    ['fetch https://example.com/'],
  );
  await schedule.run({ op: 'cancel', id: added.schedules[0]?.id ?? '' }, within);
  assert.equal(((await schedule.run({ op: 'list' }, within)) as Shown).result, 'Nothing is planned.');
});

test('what cannot be planned is refused with what is wrong', async () => {
  const ran = async (says: string): Promise<string> => {
    const reading = schedule.read(clause(says));
    assert.ok(reading !== undefined && 'input' in reading, `${says}: ${JSON.stringify(reading)}`);
    try {
      return ((await schedule.run(reading.input, context({ agenda: agenda() }))) as Shown).result;
    } catch (error) {
      assert.ok(error instanceof TaskError, `${says}: ${error}`);
      return error.message;
    }
  };
  assert.match(await ran('every 10 seconds calculate 2+2'), /at most once a minute/);
  assert.match(await ran('every second, calculate 2+2'), /at most once a minute/);
  assert.match(await ran('* * * * * * calculate 2+2'), /five fields/);
  assert.match(await ran('every year on 30 February, calculate 2+2'), /never comes/);
  assert.match(await ran('every 7 hours, calculate 2+2'), /does not divide evenly/);
  assert.match(await ran('yesterday at 9: calculate 2+2'), /is in the past/);
  assert.match(await ran('on 1 January 9999 at 9: calculate 2+2'), /five years ahead/);
  assert.match(await ran('every day at 25:00, calculate 2+2'), /no time of the day/);
  const within = context({ agenda: agenda() });
  await assert.rejects(async () => schedule.run({ op: 'add', rule: '0 9 * * *' }, within), TaskError);
  await assert.rejects(
    async () => schedule.run({ op: 'add', instructions: 'x'.repeat(16_385), rule: '0 9 * * *' }, within),
    TaskError,
  );
});

test('of these six tasks an example is most surely of its own', () => {
  const tasks = [remember, recall, forget, remind, schedule, send];
  const examples = [REMEMBER, RECALL, FORGET, REMIND, SCHEDULE, SEND];
  for (const [i, own] of tasks.entries()) {
    for (const { says, data, it } of examples[i] ?? []) {
      const read = clause(says, { ...(data === undefined ? {} : { data }), ...(it === undefined ? {} : { it: 1 }) });
      const sure = own.read(read)?.sure ?? 0;
      for (const other of tasks) {
        if (other !== own)
          assert.ok((other.read(read)?.sure ?? 0) < sure, `${other.name} claims ${says}, which is ${own.name}`);
      }
    }
  }
});

const FOREIGN = [
  'in 3 days what date is it',
  'what is the date in 3 weeks',
  'today',
  'tomorrow',
  'next Friday',
  'end of month',
  '5 days from now',
  'every word in upper case',
  'sort every line',
  'replace every a with b',
  'remove every second line',
  'convert 9am Berlin to Tokyo time',
  'what time is it in Tokyo tomorrow at 9',
  'list the days in May',
  'list every Monday in 2027',
  'show the first Monday of each month',
  'how many days until Christmas',
  'monthly payment for 200000 at 5%',
  'daily calories of a cat',
  'count to ten',
  'on the other hand',
  'at least one',
  '1 2 3 4 5',
  'cancel my subscription',
  'delete the last line',
  'every weekday at 8:45 remind me to join',
  'remind me tomorrow at 9 to call Ann',
  'calculate 2 * * 3',
  'stop',
];

test('schedule leaves to others what is not theirs, and long text at once', async () => {
  for (const says of FOREIGN) assert.equal(schedule.read(clause(says)), undefined, says);
  await assertEffort(20, 'long text', () => {
    assert.equal(schedule.read(clause(`every day ${'at 9 '.repeat(3_000)}`)), undefined);
    for (const says of [
      `every ${'Monday and '.repeat(170)}`,
      `fetch ${'on Monday at '.repeat(140)}`,
      `cancel ${'the reminder '.repeat(140)}`,
      `at ${'9, '.repeat(600)}`,
    ]) {
      schedule.read(clause(says));
    }
  });
});
