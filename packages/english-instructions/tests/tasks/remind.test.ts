import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { remind } from '../../tasks/plans/remind.ts';
import { TaskError } from '../../tasks/task.ts';
import { REMIND } from './examples/remind.ts';
import { clause, context, examplesOf, NOW } from './harness.ts';
import { agenda } from './memory.ts';

describe('remind', () => examplesOf(remind, REMIND, context({ agenda: agenda() })));

/** The result of running an instruction. */
async function ran(says: string): Promise<string> {
  const reading = remind.read(clause(says));
  assert.ok(reading !== undefined && 'input' in reading, `${says}: ${JSON.stringify(reading)}`);
  try {
    const output = (await remind.run(reading.input, context({ agenda: agenda() }))) as { readonly result: string };
    return output.result;
  } catch (error) {
    assert.ok(error instanceof TaskError, `${says}: ${error}`);
    return error.message;
  }
}

test('a reminder is a schedule whose run says its text', async () => {
  const within = agenda();
  const output = await remind.run(
    { text: 'call Ann', at: '2026-11-21T09:00:00+01:00', time_zone: 'Europe/Berlin' },
    context({ agenda: within }),
  );
  const [made] = [...within.planned.values()];
  assert.ok(made);
  assert.deepEqual(made, {
    id: made.id,
    name: 'call Ann',
    instructions: 'say: Reminder: call Ann',
    rule: null,
    time_zone: 'Europe/Berlin',
    next_at: Date.UTC(2026, 10, 21, 8),
    data: { steps: [{ task: 'text', input: { op: 'say', text: 'Reminder: call Ann' } }] },
  });
  assert.deepEqual(output, {
    result:
      'I will remind you on Saturday, November 21, 2026, at 09:00 (Europe/Berlin), which is 08:00 (UTC): call Ann',
    id: made.id,
    next_at: '2026-11-21T08:00:00.000Z',
    rule: null,
    time_zone: 'Europe/Berlin',
  });
});

test('input may hold words, as the model writes them', async () => {
  const within = context({ agenda: agenda(), time_zone: 'Europe/Berlin' });
  const one = (await remind.run({ text: 'x', at: 'tomorrow at 9' }, within)) as { readonly next_at: string };
  assert.equal(one.next_at, '2026-11-21T08:00:00.000Z');
  const two = (await remind.run({ text: 'x', rule: 'every Friday at 17:00' }, within)) as { readonly next_at: string };
  assert.equal(two.next_at, '2026-11-20T16:00:00.000Z');
  for (const input of [
    { text: 'x' },
    { text: 'x', at: 'soon' },
    { text: 'x', rule: 'sometimes' },
    { text: 'x', at: 'tomorrow', rule: 'every day' },
    { text: ' ', at: 'tomorrow' },
    { text: 'é'.repeat(4_097), at: 'tomorrow' },
    { text: 'x', rule: '0 9 * * *', time_zone: 'Mars/Olympus' },
    { text: 'x', at: 'tomorrow', time_zone: 'Mars/Olympus' },
  ]) {
    await assert.rejects(async () => remind.run(input, within), TaskError, JSON.stringify(input).slice(0, 80));
  }
});

test('a date on another weekday than is named is refused, however it is written', async () => {
  for (const when of [
    'on Friday 28 November 2026 at 10:00',
    'on Friday, November 28 at 10',
    'Tue 30 Nov at 9am',
    'this Thursday, 27 November, at 10',
    'on Friday 2026-11-28',
  ])
    for (const says of [`remind me ${when} to call`, `remind me to call ${when}`])
      assert.match(await ran(says), /the weekday is not that of the date/, says);
  assert.match(await ran('remind me on Saturday 28 November 2026 at 10:00 to call'), /Saturday, November 28/);
  assert.ok('ask' in (remind.read(clause('remind me on Friday 26.11. to call')) ?? {}));
});

test('what cannot be planned is refused with what is wrong', async () => {
  assert.match(await ran('remind me on 1 Jan 1970 to smile'), /1970.* is in the past/);
  assert.match(await ran('remind me yesterday to smile'), /is in the past/);
  assert.match(await ran('remind me on 1 January 9999 to look up'), /more than five years ahead/);
  assert.match(await ran('remind me every 10 seconds to breathe'), /at most once a minute/);
  assert.match(await ran('remind me to breathe every second'), /at most once a minute/);
  assert.match(await ran('remind me on 30 February to smile'), /do not know when “on 30 February” is/);
  assert.match(await ran('remind me every year on 30 February to smile'), /never comes/);
  assert.match(await ran('remind me every day for two weeks to smile'), /no start or end of its own/);
});

test('an answer to a question back makes the whole instruction', () => {
  const meant = (says: string) => {
    const reading = remind.read(clause(says));
    return reading !== undefined && 'input' in reading ? reading.input : reading;
  };
  const first = remind.read(clause('remind me to call Ann'));
  assert.ok(first !== undefined && 'ask' in first);
  const input = { text: 'call Ann', at: '2026-11-21T09:00:00+00:00', time_zone: 'UTC' };
  assert.deepEqual(meant(first.answered('tomorrow at 9')), input);
  const second = remind.read(clause('remind me tomorrow at 9'));
  assert.ok(second !== undefined && 'ask' in second);
  assert.deepEqual(meant(second.answered('call Ann')), input);
  const third = remind.read(clause('remind me'));
  assert.ok(third !== undefined && 'ask' in third);
  assert.deepEqual(meant(third.answered('call Ann tomorrow at 9')), input);
});

test('a day without a time is nine o’clock there; today the next full hour', () => {
  const at = (says: string, time_zone: string, now = NOW) => {
    const reading = remind.read(clause(says, { time_zone, now }));
    return reading !== undefined && 'input' in reading ? reading.input.at : reading;
  };
  assert.equal(at('remind me tomorrow to smile', 'Asia/Tokyo'), '2026-11-21T09:00:00+09:00');
  assert.equal(at('remind me today to smile', 'Asia/Tokyo'), '2026-11-20T18:00:00+09:00');
  assert.equal(at('remind me in 2 weeks to smile', 'America/New_York'), '2026-12-04T09:00:00-05:00');
});

const FOREIGN = [
  'remind me what my door code is',
  'remind me who Ann is',
  'what time is it',
  'tomorrow',
  'in 3 days',
  'every day at 9, calculate 2+2',
  'remember to buy milk',
  'calculate 20 minutes in seconds',
  'list my reminders',
  'cancel the reminder about Ann',
  'wake the server',
  'notify bob@x.example',
  'convert 9am Berlin to Tokyo time',
  'how long until Christmas',
  'set x to 5',
  'translate "remind me" to French',
  'send a reminder to bob@x.example',
  'count down from ten',
  'fetch https://example.com/remind',
  'summarize this',
];

test('remind leaves to others what is not theirs, and long text at once', async () => {
  for (const says of FOREIGN) assert.equal(remind.read(clause(says)), undefined, says);
  await assertEffort(20, 'long text', () => {
    assert.equal(remind.read(clause(`remind me ${'on Monday '.repeat(1_600)}`)), undefined);
    for (const says of [
      `remind me to ${'in at on '.repeat(200)}`,
      `remind me every ${'day and '.repeat(240)}`,
      `${'on '.repeat(600)}remind me`,
    ]) {
      remind.read(clause(says));
    }
  });
});

test('a day in the text of a reminder that says only a clock time is asked about, and the answer decides', () => {
  const asked = (says: string) => {
    const reading = remind.read(clause(says));
    assert.ok(reading !== undefined && 'ask' in reading, JSON.stringify(reading));
    return reading;
  };
  const question = asked('remind me at 9 to call Ann on Monday');
  for (const part of ['on Monday', '“call Ann”', '“call Ann on Monday”']) assert.ok(question.ask.includes(part), part);
  const said = (answer: string) => {
    const text = question.answered(answer);
    const [, front = '', data] = /^([^:]*):\s(.*)$/.exec(text) ?? [];
    const reading = remind.read(clause(front, data === undefined ? {} : { data }));
    return reading !== undefined && 'input' in reading ? [reading.input.text, reading.input.at] : reading;
  };
  assert.deepEqual(said('first'), ['call Ann', '2026-11-23T09:00:00+00:00']);
  assert.deepEqual(said('Monday'), ['call Ann', '2026-11-23T09:00:00+00:00']);
  assert.deepEqual(said('the second'), ['call Ann on Monday', '2026-11-20T09:00:00+00:00']);
  assert.deepEqual(said('tomorrow'), ['call Ann on Monday', '2026-11-21T09:00:00+00:00']);
  assert.deepEqual(said('tomorrow at 10'), ['call Ann on Monday', '2026-11-21T10:00:00+00:00']);
});

test('a timer for a bare number is asked about: it may be minutes or a time of the day', () => {
  const reading = remind.read(clause('set a timer for 5'));
  assert.ok(reading !== undefined && 'ask' in reading, JSON.stringify(reading));
  assert.match(reading.ask, /“in 5 minutes” or “at 5”/);
  assert.equal(reading.answered('in 5 minutes'), 'remind me in 5 minutes: Time is up!');
});
