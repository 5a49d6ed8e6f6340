import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { TaskError } from '../../tasks/task.ts';
import { time } from '../../tasks/time/index.ts';
import { local, parseWhen } from '../../tasks/words/dates.ts';
import { zoneOf } from '../../tasks/words/zones.ts';
import { FOREIGN } from './examples/foreign.ts';
import { TIME } from './examples/time.ts';
import { clause, context, examplesOf, NOW } from './harness.ts';

examplesOf(time, TIME);

test('time leaves what is for other tasks', () => {
  for (const says of FOREIGN) assert.equal(time.read(clause(says)), undefined, says);
});

const berlin = (text: string, prefer: 'future' | 'past' | 'near' = 'future'): string | undefined => {
  const when = parseWhen(text, NOW, 'Europe/Berlin', { prefer });
  return when === undefined ? undefined : `${local(when.at, when.time_zone)}${when.has_time ? '' : ' day'}`;
};

test('a time in the gap of spring is after it, one that comes twice in autumn is the first', () => {
  assert.equal(berlin('2:30 on 28 March 2027'), '2027-03-28T03:30:00+02:00');
  assert.equal(berlin('2:30 on 31 October 2027'), '2027-10-31T02:30:00+02:00');
  assert.equal(berlin('3:00 on 31 October 2027'), '2027-10-31T03:00:00+01:00');
});

test('days are of the calendar and hours of the clock over a change of time', () => {
  const within = context({ time_zone: 'Europe/Berlin' });
  const add = (date: string, length: string): unknown =>
    (time.run({ what: 'add', date, length }, within) as { readonly result: unknown }).result;
  assert.equal(add('12:00 on 27 March 2027', '1 day'), '2027-03-28T12:00:00+02:00');
  assert.equal(add('12:00 on 27 March 2027', '24 hours'), '2027-03-28T13:00:00+02:00');
  assert.equal(add('31 January 2027', '1 month'), '2027-02-28');
  assert.equal(add('2028-02-29', '1 year'), '2029-02-28');
  assert.equal(add('20 November 2026', '10 business days'), '2026-12-04');
  assert.equal(add('21 November 2026', '1 business day'), '2026-11-23');
});

test('parseWhen reads a date and nothing else', () => {
  for (const [text, at] of [
    ['tomorrow at 9', '2026-11-21T09:00:00+01:00'],
    ['9am tomorrow', '2026-11-21T09:00:00+01:00'],
    ['half past nine', '2026-11-20T09:30:00+01:00'],
    ['in 90 minutes', '2026-11-20T10:30:00+01:00'],
    ['3pm Tokyo time', '2026-11-21T15:00:00+09:00'],
    ['7:00', '2026-11-21T07:00:00+01:00'],
    ['Friday at 7am', '2026-11-27T07:00:00+01:00'],
    ['Christmas Eve at 6pm', '2026-12-24T18:00:00+01:00'],
    ['end of next month', '2026-12-31T00:00:00+01:00 day'],
    ['on the 15th', '2026-12-15T00:00:00+01:00 day'],
    ['easter monday 2027', '2027-03-29T00:00:00+02:00 day'],
    ['2027-01-01T10:00:00Z', '2027-01-01T11:00:00+01:00'],
    ['first Monday of December', '2026-12-07T00:00:00+01:00 day'],
    ['the last friday of march 2027', '2027-03-26T00:00:00+01:00 day'],
    ['third thursday in january', '2027-01-21T00:00:00+01:00 day'],
    ['last friday', '2026-11-13T00:00:00+01:00 day'],
    ['2027-02-30', undefined],
    ['3 May 10000', undefined],
    ['buy milk tomorrow', undefined],
    ['10 to 12 May', undefined],
    ['', undefined],
    ['tomorrow '.repeat(100), undefined],
  ] as const) {
    assert.equal(berlin(text), at, text);
  }
});

test('zoneOf knows cities, countries, abbreviations, zones and offsets', () => {
  for (const [name, zone] of [
    ['Tokyo', 'Asia/Tokyo'],
    ['new york city', 'America/New_York'],
    ['PST', 'America/Los_Angeles'],
    ['Berlin time', 'Europe/Berlin'],
    ['Paris, France', 'Europe/Paris'],
    ['UTC', 'UTC'],
    ['gmt+2', 'Etc/GMT-2'],
    ['UTC+5:30', '+05:30'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['the UK', 'Europe/London'],
    ['Christmas', undefined],
    ['Atlantis', undefined],
    ['constructor', undefined],
    ['a/'.repeat(40), undefined],
  ] as const) {
    assert.equal(zoneOf(name), zone, name);
  }
});

test('time refuses what no calendar holds, with a sentence', () => {
  for (const input of [
    { what: 'add', date: 'today', length: '9999999 years' },
    { what: 'add', date: 'today', length: '999999999999 days' },
    { what: 'add', date: '0001-01-02', length: '-5 days' },
    { what: 'add', date: 'today', length: '9999999999 business days' },
    { what: 'add', date: 'today', length: 'some time' },
    { what: 'now', place: 'Atlantis' },
    { what: 'until', date: 'the end of days' },
    { what: 'until', date: 'x'.repeat(100_000) },
    { what: 'next', date: 'Friday the 32' },
    { what: 'from_unix', date: '99999999999999999999' },
    { what: 'from_unix', date: 'abc' },
    { what: 'age', date: '2990-01-01' },
    { what: 'zones', date: 'Berlin', to: 'Atlantis' },
    { what: 'leap', date: '99999' },
    { what: 'between', date: 'today' },
  ]) {
    assert.throws(
      () => time.run(input, context()),
      (error) => error instanceof TaskError && error.message.length < 200,
      JSON.stringify(input).slice(0, 80),
    );
  }
});

test('time reads hostile clauses quickly', async () => {
  for (const says of [
    'how many days '.repeat(2_000),
    `what ${'is the '.repeat(40)}`,
    `how long since ${'and '.repeat(70)}`,
    `days between ${'a and '.repeat(45)}`,
    `when is ${'next '.repeat(55)}`,
    '1 day after '.repeat(24),
  ]) {
    await assertEffort(50, says.slice(0, 30), () => time.read(clause(says)));
  }
});
