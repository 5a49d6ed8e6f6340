import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { anchored } from '../../tasks/plans/rule-span.ts';
import { checkRule, describeRule, nextTime, readRule } from '../../tasks/plans/rules.ts';
import { TaskError } from '../../tasks/task.ts';

const RULES: readonly (readonly [string, string, string, string?])[] = [
  ['every weekday at 9 in Berlin', '0 9 * * 1-5', 'every weekday at 09:00', 'Europe/Berlin'],
  ['every 15 minutes', '*/15 * * * *', 'every 15 minutes'],
  ['on the first Monday of each month at 8:30', '30 8 * * 1#1', 'on the first Monday of every month at 08:30'],
  ['daily at 7am Tokyo time', '0 7 * * *', 'every day at 07:00', 'Asia/Tokyo'],
  ['0 9 * * 1-5', '0 9 * * 1-5', 'every weekday at 09:00'],
  ['0 9 * * MON-FRI in Berlin', '0 9 * * 1-5', 'every weekday at 09:00', 'Europe/Berlin'],
  ['every minute', '* * * * *', 'every minute'],
  ['hourly', '0 * * * *', 'every hour'],
  ['every morning', '0 9 * * *', 'every day at 09:00'],
  ['every Friday evening', '0 20 * * 5', 'every Friday at 20:00'],
  ['every day at 7 in the evening', '0 19 * * *', 'every day at 19:00'],
  ['Monday to Friday at 9', '0 9 * * 1-5', 'every weekday at 09:00'],
  ['Mondays and Thursdays at 8am', '0 8 * * 1,4', 'every Monday and Thursday at 08:00'],
  ['on Tuesdays at half past 6', '30 6 * * 2', 'every Tuesday at 06:30'],
  ['every December 24th at 6pm', '0 18 24 12 *', 'every year on the 24th of December at 18:00'],
  ['on the 1st and 15th of each month', '0 9 1,15 * *', 'on the 1st and 15th of every month at 09:00'],
  ['monthly on the 15th at 10:00', '0 10 15 * *', 'on the 15th of every month at 10:00'],
  ['on the last day of every month at 23:59', '59 23 L * *', 'on the last day of every month at 23:59'],
  ['on the last Friday of the month at 4 pm', '0 16 * * 5L', 'on the last Friday of every month at 16:00'],
  ['the first working day of every month', '0 9 1W * *', 'on the first weekday of every month at 09:00'],
  ['every hour from 9 to 17', '0 9-17 * * *', 'every hour from 09:00 to 17:00'],
  [
    'every 30 minutes between 9am and 5pm on weekdays',
    '*/30 9-16 * * 1-5',
    'every 30 minutes from 09:00 to 16:59, every weekday',
  ],
  ['every day at 9, 12 and 17', '0 9,12,17 * * *', 'every day at 09:00, 12:00 and 17:00'],
  ['at 9 every weekday', '0 9 * * 1-5', 'every weekday at 09:00'],
  ['every 3 hours', '0 */3 * * *', 'every 3 hours'],
  ['every Friday the 13th', '0 9 13 * +5', 'on the 13th of every month that is a Friday at 09:00'],
  ['every 6 months', '0 9 1 */6 *', 'on the 1st of every 6th month at 09:00'],
  ['every Monday in December at 9', '0 9 * 12 1', 'every Monday in December at 09:00'],
  [
    'every day except Sundays at 8',
    '0 8 * * 1,2,3,4,5,6',
    'every Monday, Tuesday, Wednesday, Thursday, Friday and Saturday at 08:00',
  ],
  ['twice a day at 9 and 21', '0 9,21 * * *', 'every day at 09:00 and 21:00'],
  ['at 15 past every hour', '15 * * * *', 'every hour at minute 15'],
  ['at midnight every Sunday, UTC', '0 0 * * 0', 'every Sunday at 00:00', 'UTC'],
];

test('rules are read as people say them', () => {
  for (const [says, rule, said, time_zone = 'Europe/Paris'] of RULES) {
    assert.deepEqual(readRule(says, 'Europe/Paris'), { rule, time_zone, said }, says);
  }
});

test('what a rule is said to be is read as that rule', () => {
  for (const [says, rule, said] of RULES) {
    if (/minute 15|that is a|6th month|first weekday/.test(said)) continue;
    const again = readRule(said, 'UTC');
    if (!said.includes(':59')) assert.equal(again?.rule, rule, `${says} → ${said}`);
  }
});

test('what is no rule is none', () => {
  for (const says of [
    '',
    'tomorrow at 9',
    'at 9',
    'on Monday at 9',
    'every word',
    'calculate 2+2',
    '1 2 3 4 5',
    'every day calculate',
    'x'.repeat(5_000),
    'in Berlin',
    'the first Monday',
    'May',
    'second',
    'every',
    'each of them',
  ]) {
    assert.equal(readRule(says, 'UTC'), undefined, says);
  }
});

test('a rule that is meant and cannot be is refused with what is wrong', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['mondays at 9 and fridays at 5', /two rules/],
    ['every morning at 7 and every evening at 9', /two rules/],
    ['every second', /at most once a minute/],
    ['every 10 seconds', /at most once a minute/],
    ['* * * * * *', /five fields/],
    ['0 0 9 * * 1', /five fields/],
    ['every 30 February', /never comes/],
    ['0 0 31 4 *', /never comes/],
    ['every 400 days', /too long/],
    ['every 7 minutes', /does not divide evenly/],
    ['twice a day', /at which times/],
    ['3 times a day at 9 and 17', /at which times/],
    ['every 90 minutes', /does not divide evenly/],
    ['every 0 minutes', /above zero/],
    ['every day at 9:30 and 17:00', /same minute/],
    ['every day at 25:00', /no time of the day/],
    ['every day until May', /no start or end/],
    ['99 * * * *', /is no rule/],
  ];
  for (const [says, message] of refused) {
    assert.throws(
      () => readRule(says, 'UTC'),
      (error) => error instanceof TaskError && message.test(error.message),
      says,
    );
  }
  assert.throws(() => nextTime('0 9 * * *', 'Mars/Olympus', 0), TaskError);
  assert.throws(() => nextTime('not a rule', 'UTC', 0), TaskError);
  assert.throws(() => checkRule('? * * * *', 'UTC'), TaskError);
  assert.equal(nextTime('0 0 30 2 *', 'UTC', 0), undefined);
});

const times = (rule: string, time_zone: string, after: string, count: number): string[] => {
  const found: string[] = [];
  let at = Date.parse(after);
  for (let i = 0; i < count; i++) {
    at = nextTime(rule, time_zone, at) ?? Number.NaN;
    found.push(rfc3339(at).replace(':00.000Z', 'Z'));
  }
  return found;
};

test('a time that the clock skips comes when the gap is over, and each day once', () => {
  // Berlin, March 29, 2026: after 1:59 comes 3:00.
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3), [
    '2026-03-28T01:30Z',
    '2026-03-29T01:00Z',
    '2026-03-30T00:30Z',
  ]);
  assert.deepEqual(times('0 9 * * *', 'Europe/Berlin', '2026-03-28T07:00:00Z', 3), [
    '2026-03-28T08:00Z',
    '2026-03-29T07:00Z',
    '2026-03-30T07:00Z',
  ]);
});

test('a time that the clock shows twice comes once', () => {
  // Berlin, October 25, 2026: after 2:59 comes 2:00.
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00:00Z', 3), [
    '2026-10-24T00:30Z',
    '2026-10-25T00:30Z',
    '2026-10-26T01:30Z',
  ]);
  // Planned between the two.
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45:00Z', 1), ['2026-10-26T01:30Z']);
  assert.deepEqual(times('30 2,14 * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 3), [
    '2026-10-25T00:30Z',
    '2026-10-25T13:30Z',
    '2026-10-26T01:30Z',
  ]);
});

test('what comes every so many hours comes at each of its times once, on whatever day', () => {
  assert.deepEqual(times('0 */2 * * *', 'Europe/Berlin', '2026-10-24T21:30:00Z', 3), [
    '2026-10-24T22:00Z',
    '2026-10-25T00:00Z',
    '2026-10-25T03:00Z',
  ]);
  assert.deepEqual(times('0 */2 * * *', 'Europe/Berlin', '2026-03-28T22:30:00Z', 3), [
    '2026-03-28T23:00Z',
    '2026-03-29T01:00Z',
    '2026-03-29T02:00Z',
  ]);
});

test('what comes every quarter of an hour goes on over both', () => {
  assert.deepEqual(times('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 4), [
    '2026-10-25T00:30Z',
    '2026-10-25T01:00Z',
    '2026-10-25T01:30Z',
    '2026-10-25T02:00Z',
  ]);
  assert.deepEqual(times('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z', 3), [
    '2026-03-29T01:00Z',
    '2026-03-29T01:30Z',
    '2026-03-29T02:00Z',
  ]);
});

test('what comes every other week or every few days counts from its first time, over changes of the clock', () => {
  assert.deepEqual(times('0 9 * * 1 every 2 weeks from 2026-10-12', 'Europe/Berlin', '2026-10-12T08:00:00Z', 3), [
    '2026-10-26T08:00Z',
    '2026-11-09T08:00Z',
    '2026-11-23T08:00Z',
  ]);
  // The count is of weeks, so that both days are in the same one.
  assert.deepEqual(times('0 9 * * 1,4 every 2 weeks from 2026-11-26', 'UTC', '2026-11-20T00:00:00Z', 3), [
    '2026-11-26T09:00Z',
    '2026-12-07T09:00Z',
    '2026-12-10T09:00Z',
  ]);
  assert.deepEqual(times('0 9 * * * every 10 days from 2026-12-27', 'UTC', '2026-12-27T10:00:00Z', 2), [
    '2027-01-06T09:00Z',
    '2027-01-16T09:00Z',
  ]);
});

test('a rule with a last day ends after it', () => {
  assert.deepEqual(times('0 9 * * 1 until 2026-12-07', 'UTC', '2026-11-28T00:00:00Z', 2), [
    '2026-11-30T09:00Z',
    '2026-12-07T09:00Z',
  ]);
  assert.equal(nextTime('0 9 * * 1 until 2026-12-07', 'UTC', Date.UTC(2026, 11, 7, 9)), undefined);
});

test('a rule of every other week or with a last day is read from words, and its stored form again', () => {
  const now = Date.UTC(2026, 10, 20, 8);
  for (const [says, wanted, said] of [
    ['every other Monday at 9', '0 9 * * 1 every 2 weeks', 'every other Monday at 09:00'],
    ['every second Friday at 17:30', '30 17 * * 5 every 2 weeks', 'every other Friday at 17:30'],
    ['biweekly on Tuesday', '0 9 * * 2 every 2 weeks', 'every other Tuesday at 09:00'],
    ['every 3 weeks on Friday', '0 9 * * 5 every 3 weeks', 'every 3 weeks on Friday at 09:00'],
    ['every third day at 8', '0 8 * * * every 3 days', 'every 3 days at 08:00'],
    ['daily at 9 until Tuesday', '0 9 * * * until 2026-11-24', 'every day at 09:00 until November 24, 2026'],
    ['weekdays at 8 until 1 December', '0 8 * * 1-5 until 2026-12-01', 'every weekday at 08:00 until December 1, 2026'],
  ] as const) {
    const read = readRule(says, 'UTC', now);
    assert.equal(read?.rule, wanted, says);
    assert.equal(read?.said, said);
    const stored = anchored(wanted, 'UTC', now);
    assert.equal(readRule(stored, 'UTC', now)?.rule, stored);
  }
});

test('the special days of croner', () => {
  assert.deepEqual(times('30 8 * * 1#1', 'UTC', '2026-11-20T00:00:00Z', 2), ['2026-12-07T08:30Z', '2027-01-04T08:30Z']);
  assert.deepEqual(times('0 9 13 * +5', 'UTC', '2026-11-20T00:00:00Z', 2), ['2027-08-13T09:00Z', '2028-10-13T09:00Z']);
  assert.deepEqual(times('0 0 29 2 *', 'UTC', '2026-11-20T00:00:00Z', 1), ['2028-02-29T00:00Z']);
  assert.equal(describeRule('3-7 1 1 1 1'), 'by the rule “3-7 1 1 1 1”');
});
