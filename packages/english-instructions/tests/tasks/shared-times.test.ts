import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remind } from '../../tasks/plans/remind.ts';
import { nextTime } from '../../tasks/plans/rules.ts';
import { schedule } from '../../tasks/plans/schedule.ts';
import { clause, NOW } from './harness.ts';

type Planned = { readonly text: string; readonly at: string; readonly rule: string };
/** What reminders are set for a text; undefined when something is asked. */
function remindersOf(says: string): readonly Planned[] | undefined {
  const found = remind.read(clause(says));
  if (found === undefined || 'ask' in found) return undefined;
  return (found.steps ?? [{ input: found.input }]).map(({ input }) => input as unknown as Planned);
}
const timesOf = (says: string): readonly string[] | undefined => remindersOf(says)?.map(({ at }) => at);

const DAYS = ['tomorrow', 'sunday', 'monday', 'on wednesday', 'next thursday'];
const CLOCKS = ['9', '8pm', '17:30', 'noon'];

test('a list of days with one clock sets what each day alone sets, wherever the clock stands', () => {
  for (const [at, one] of DAYS.entries())
    for (const other of DAYS.slice(at + 1))
      for (const clock of CLOCKS) {
        const each = [one, other].map((day) => timesOf(`remind me ${day} at ${clock} to train`)?.[0]);
        assert.ok(!each.includes(undefined));
        for (const says of [
          `${one} and ${other} at ${clock} to train`,
          `at ${clock} ${one} and ${other} to train`,
          `${one} and ${other} to train at ${clock}`,
        ])
          assert.deepEqual(timesOf(`remind me ${says}`), each, says);
        assert.ok(
          remindersOf(`remind me ${one}, ${other} at ${clock} to train`)?.every(({ text }) => text === 'train'),
        );
      }
});

test('a day with several clocks sets a reminder for each', () => {
  assert.deepEqual(
    timesOf('remind me tomorrow at 9, 12 and 15 to drink'),
    ['9', '12', '15'].flatMap((clock) => timesOf(`remind me tomorrow at ${clock} to drink`) ?? []),
  );
});

test('a day with a week on top is seven days after that day', () => {
  for (const day of ['monday', 'tuesday', 'thursday', 'tomorrow', 'today'])
    for (const says of [`${day} week`, `a week on ${day}`, `a week ${day}`]) {
      if (/a week (?!on|to)/.test(says) && day !== 'today' && day !== 'tomorrow') continue;
      const [at] = timesOf(`remind me ${says} at 10 to call`) ?? [];
      const from = Temporal.Instant.from(timesOf(`remind me ${day} at 10 to call`)?.[0] ?? '');
      assert.equal(Temporal.Instant.from(at ?? '').epochMilliseconds, from.add({ hours: 168 }).epochMilliseconds, says);
    }
});

test('working days pass over the weekend', () => {
  for (let count = 1; count < 12; count++) {
    const day = Temporal.Instant.from(
      timesOf(`remind me in ${count} working days to call`)?.[0] ?? '',
    ).toZonedDateTimeISO('UTC');
    assert.ok(day.dayOfWeek < 6);
    // The reference day is a Friday.
    assert.equal(Math.round((day.epochMilliseconds - NOW) / 864e5), count + 2 * Math.ceil(count / 5), String(count));
  }
});

test('a time that is ruled out only says which one is meant', () => {
  assert.deepEqual(
    timesOf('remind me on monday, not tuesday, at 9 to submit'),
    timesOf('remind me on monday at 9 to submit'),
  );
  assert.equal(remindersOf('remind me on monday, not on monday, at 9 to submit'), undefined);
  assert.equal(remindersOf('remind me on monday, not before nine, at 9 to submit'), undefined);
});

test('what is not to be done is the text of a reminder as a whole', () => {
  for (const text of ['not to forget the keys', 'never to skip lunch'])
    for (const says of [`remind me ${text} tomorrow at 7`, `remind me tomorrow at 7 ${text}`])
      assert.equal(remindersOf(says)?.[0]?.text, text, says);
});

test('an interval until a clock ends there today, and comes again on no other day', () => {
  for (const unit of ['30 minutes', 'hour', '2 hours', '3 hours']) {
    const [{ rule } = { rule: '' }] = remindersOf(`remind me every ${unit} until 6pm to drink`) ?? [];
    const times: number[] = [];
    for (
      let next = nextTime(rule, 'UTC', NOW);
      next !== undefined && times.length < 50;
      next = nextTime(rule, 'UTC', next)
    )
      times.push(next);
    assert.ok(times.length > 1 && times.length < 50, rule);
    assert.ok(
      times.every((at) => at > NOW && at <= Date.UTC(2026, 10, 20, 18)),
      rule,
    );
  }
});

test('a mail with its time between the recipient and its text is planned, and “that” is asked about', () => {
  const planned = schedule.read(clause('email bob@x.example tomorrow at 10 saying the report is ready'));
  assert.ok(planned !== undefined && 'input' in planned);
  assert.equal(planned.input.instructions, 'send bob@x.example: the report is ready');
  assert.equal(planned.input.at, '2026-11-21T10:00:00+00:00');
  const asked = schedule.read(clause('tell bob@x.example tomorrow at 10 that the report is ready'));
  assert.ok(asked !== undefined && 'ask' in asked);
  assert.equal(asked.answered('now'), 'send bob@x.example: the report is ready');
  assert.match(asked.answered('later'), /^tomorrow at 10, send bob@x\.example: /);
});

test('someone else is reminded by a mail, once their address and the time are known', () => {
  const planned = schedule.read(clause('remind ann@x.example tomorrow at 9 to send the slides'));
  assert.ok(planned !== undefined && 'input' in planned);
  assert.equal(planned.input.instructions, 'send ann@x.example: Reminder: send the slides');
  for (const says of ['remind ann@x.example to send the slides', 'remind Ann tomorrow at 9 to send the slides']) {
    const asked = schedule.read(clause(says));
    assert.ok(asked !== undefined && 'ask' in asked, says);
  }
});
