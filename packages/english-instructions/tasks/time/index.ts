import { closed } from '@mailroom/behavior/values/closed';
import { Type } from 'typebox';
import { readBy } from '../grammar/index.ts';
import { TaskError, task } from '../task.ts';
import { alikeDates, numericIn, numericSaid, withDayFirst } from '../words/numeric-dates.ts';
import { answerTime, type Question } from './answers.ts';

const WHAT =
  'now date day weekday unix from_unix until since between age add leap week year_day quarter next month_days before weekend workday count zones format clocks century'.split(
    ' ',
  );

const UNITS =
  'seconds minutes hours days business weekends weeks months years mondays tuesdays wednesdays thursdays fridays saturdays sundays'.split(
    ' ',
  );

const text = (description: string) => Type.String({ minLength: 1, description });

const Input = closed({
  what: Type.Union(
    WHAT.map((one) => Type.Literal(one)),
    {
      description:
        'now, date: here or in `place`. day, weekday, week, year_day, quarter, leap, month_days, unix, age: of `date`. from_unix: the number in `date`. until, since: `date`; between: `date` and `to`; both in `unit`. add: `length` to `date`. before: whether `date` is before `to`. weekend, workday: whether `date` is one. count: the weekdays `to` in the month `date`. next: `leap day`, `Friday the 13`, `Monday` in `date`. zones: from the city `date` to the city `to`. format: `date` as `to` says, such as `DD/MM/YYYY`, `D MMMM YYYY` or `HH:mm`. clocks: when they are changed in `place`, in the year `date`, or next; `to`: only `forward` or `back`. weekday with `to`: whether it is that one. century: that of the year or day `date`.',
    },
  ),
  'date?': text('A date or time as people write it, up to 200 characters; "now" when it lacks.'),
  'to?': text('The other date or city.'),
  'length?': text('Such as "90 days"; "-2 hours" goes back.'),
  'unit?': Type.Union(
    UNITS.map((one) => Type.Literal(one)),
    {
      description:
        'Of the answer. business: days of Monday to Friday. weekends: their Saturdays. mondays to sundays: days of that name.',
    },
  ),
  'inclusive?': Type.Boolean({ description: 'between: the last day counts too; for days and business.' }),
  'place?': text('A city, country or zone: that of the sender when it lacks.'),
});

const Output = closed({
  result: Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
    description: 'A date as 2026-11-20, a time as RFC 3339 with the offset of the zone, a weekday, or a number.',
  }),
  text: Type.String({ description: 'For people.' }),
  'unit?': Type.String({ description: 'Of a number.' }),
  'length?': Type.String({ description: 'Of what was counted or added, such as "33 days".' }),
  'from?': Type.String(),
  'to?': Type.String(),
  'date?': Type.String(),
  'weekday?': Type.String(),
  'time_zone?': Type.String(),
  'day_first?': Type.String({ description: '`text` for a numeric date such as 05/06/2027 read with the day first.' }),
});

/** The text of an answer, or why there is none. */
function textOf(question: Question): string {
  try {
    return answerTime(question).text;
  } catch (error) {
    if (error instanceof TaskError) return error.message;
    throw error;
  }
}

/** Dates and times from the clock, the sender's zone and the Gregorian calendar, for the years 1 to 9999. Synchronous. */
export const time = task({
  name: 'time',
  description:
    'Tells the time in a place, the date, weekdays, week numbers and leap years; counts days until, since and between dates; adds to dates; Unix timestamps.',
  input: Input,
  output: Output,
  effects: 'none',
  repeatable: true,
  examples: [
    'what time is it in Tokyo',
    'how many days until Christmas',
    '90 days from today',
    'what day is 2027-01-01',
  ],
  read: readBy('time'),
  run({ what, date = 'now', to = '', length = '', unit, place, inclusive }, { clock, time_zone }) {
    try {
      const [from, end] = alikeDates(date, to);
      const question = { what, date: from, to: end, length, unit, place, inclusive, now: clock(), time_zone };
      const answer = answerTime(question);
      if (numericIn(from) === undefined && numericIn(end) === undefined) return answer as never;
      const day_first = textOf({ ...question, date: withDayFirst(from), to: withDayFirst(end) });
      return { ...answer, ...(day_first !== answer.text && { day_first }) } as never;
    } catch (error) {
      if (error instanceof RangeError) throw new TaskError('I know the years 1 to 9999.', { cause: error });
      throw error;
    }
  },
  show({ text, day_first }, { date = '', to = '' }) {
    const [from, end] = alikeDates(date, to);
    const numeric = numericIn(from) ?? numericIn(end);
    return numeric === undefined
      ? `**${text}**`
      : `**${text}**\n\n${numericSaid(numeric, day_first && `**${day_first}**`)}`;
  },
});
