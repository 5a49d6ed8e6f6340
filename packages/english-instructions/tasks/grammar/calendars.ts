import type { Domain } from '../../language/grammar.ts';
import { todayIn } from '../words/dates.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { answering, asks, type Moment, type Request, type Setting } from './setting.ts';
import { each } from './text-words.ts';
import { fixed, MONTHS, when } from './times.ts';

export const thisYear = ({ now, time_zone }: Setting): number => todayIn(now, time_zone).year;
const between = (from: Temporal.PlainDate, to: Temporal.PlainDate, unit: string): Request =>
  asks('time', { what: 'between', date: from.toString(), to: to.toString(), unit });

/** The Monday of a week of ISO 8601, or its Sunday. */
function ofWeek({ plain }: Num, year: number, edge: string): Moment | undefined {
  const week = plain as number;
  const fourth = new Temporal.PlainDate(year, 1, 4);
  const day = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ weeks: week - 1, days: edge === 'end' ? 6 : 0 });
  return week < 1 || week > 53 || day.subtract({ days: day.dayOfWeek - 4 }).year !== year
    ? undefined
    : { text: day.toString(), asks: true };
}

const startOf = (quarter: number, year: number): Temporal.PlainDate => new Temporal.PlainDate(year, 3 * quarter - 2, 1);

/** The days of a year that are a weekday with a date, as Friday the 13th. */
function datesOf(weekday: number, date: number, year: number): readonly Temporal.PlainDate[] {
  const months = MONTHS.map((_, at) => new Temporal.PlainDate(year, at + 1, 1));
  return months.flatMap((first) => {
    const day = date > first.daysInMonth ? undefined : first.with({ day: date });
    return day?.dayOfWeek === weekday ? [day] : [];
  });
}
/** A working day by its place in a month or a year, from the end for -1. */
function workingDay(nth: number, start: Temporal.PlainDate, length: Temporal.DurationLike): Moment | undefined {
  const end = start.add(length);
  const step = nth < 0 ? -1 : 1;
  let day = nth < 0 ? end.subtract({ days: 1 }) : start;
  for (let left = Math.abs(nth); ; day = day.add({ days: step })) {
    if (day.dayOfWeek <= FRIDAY && --left <= 0) break;
  }
  return nth === 0 || Temporal.PlainDate.compare(day, end) >= 0 || Temporal.PlainDate.compare(day, start) < 0
    ? undefined
    : { text: day.toString(), asks: true };
}

/** The day in the middle of two, or the two between which the middle is. */
function midday(one: Moment, other: Moment, setting: Setting): Request | undefined {
  const [from, to] = [one, other]
    .map((date) => when(fixed(date, setting)?.text ?? '', setting)?.at)
    .sort((a, b) => Number(a) - Number(b));
  if (from === undefined || to === undefined) return undefined;
  const [first, last] = [from, to].map((at) => todayIn(at, setting.time_zone)) as [
    Temporal.PlainDate,
    Temporal.PlainDate,
  ];
  const { days } = first.until(last, { largestUnit: 'days' });
  const middle = first.add({ days: Math.floor(days / 2) });
  return answering(days % 2 === 0 ? long(middle) : `Between ${long(middle)} and ${long(middle.add({ days: 1 }))}`);
}
const FRIDAY = 5;
const long = (day: Temporal.PlainDate): string => day.toLocaleString('en', { dateStyle: 'full' });

/** Whether a date is in the calendar. */
function isDate(text: string, setting: Setting): Request {
  const found = when(text, setting);
  const day = found && todayIn(found.at, found.time_zone);
  const number = /^\p{L}+ (\d+)|^\d{4}-\d{1,2}-(\d+)$/u
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined);
  const exists = day !== undefined && (number === undefined || day.day === Number(number));
  return answering(exists ? `Yes: ${long(day)}` : `No: there is no such day as ${text}`);
}

const rule = rulesOf<{ year: number; 'nth-week': Moment; quarter: number; edge: string }>();

/** Weeks, quarters and centuries of the calendar, and the days in it. */
export const CALENDARS: Domain = {
  lexicon: {
    WORKINGDAY: 'working day|business day|workday|work day|weekday|week day',
    MIDWAY: each(
      'what date is|which date is|what day is|which day is|date|day|',
      'halfway between|half way between|midway between|exactly halfway between|in the middle between|in the middle of|the midpoint between|the midpoint of|the middle between|the middle of|the halfway point between|midpoint between|midpoint of',
    ),
    CENTURY: 'what century|which century|century|the century',
    'nth-quarter': {
      '1st quarter|first quarter': 1,
      '2nd quarter|second quarter': 2,
      '3rd quarter|third quarter': 3,
      '4th quarter|fourth quarter|last quarter': 4,
    },
    REALDAY:
      'a date|a day|a valid date|a real date|valid|a real day|a possible date|a date that exists|an actual date|exist|an existing date|real',
  },
  rules: [
    rule(
      'nth-week = (the)? (calendar|iso)? (week|wk) (number|no|no.)? <number:whole> (of|in|,)? <year>?',
      ([n, year], s) => ofWeek(n, year ?? thisYear(s), 'start'),
    ),
    rule('date = (the)? <edge> of <nth-week>', ([edge, { text }]) => {
      const monday = Temporal.PlainDate.from(text);
      return { text: monday.add({ days: edge === 'end' ? 6 : 0 }).toString(), asks: true };
    }),
    rule(
      'request = <nth-week> (starts|begins|is|started|start|from|begin) (when|on what date|on which date|which date)',
      '(when|what date|on what date|which date|what day|on which date) (does|did|will|is|was) <nth-week> (start|begin|starting)?',
      '(when|what date) <nth-week> (starts|begins)',
      ([{ text }]) => asks('time', { what: 'day', date: text }),
    ),
    // Centuries.
    rule(
      'request = (in|to|of)? CENTURY (is|was|does|did) (the)? year? <number:whole> (in|be in|belong|fall|part of)?',
      ([n]) => asks('time', { what: 'century', date: n.expr }),
    ),
    // Quarters.
    rule('quarter = (the)? <nth-quarter>', ([nth]) => Number(nth)),
    rule('quarter = (this|the|the current|current|our current) quarter', (_, { now, time_zone }) =>
      Math.ceil(todayIn(now, time_zone).month / 3),
    ),
    rule('quarter = q <number:whole>', 'quarter <number:whole>', ([{ plain }]) =>
      plain !== undefined && plain > 0 && plain < 5 ? plain : undefined,
    ),
    rule(
      'request = (how many|number of|the number of)? <counted> (are there|are|does|has|have)? (in|of|during)? <quarter> (of|in)? <year>? have?',
      ([unit, quarter, year], s) => {
        const start = startOf(quarter, year ?? thisYear(s));
        return between(start, start.add({ months: 3 }), unit);
      },
    ),
    rule('date = (the)? <edge> of <quarter> (of|in)? <year>?', ([edge, quarter, year], s) => {
      const start = startOf(quarter, year ?? thisYear(s));
      const day = edge === 'end' ? start.add({ months: 3 }).subtract({ days: 1 }) : start;
      return { text: day.toString(), asks: true };
    }),
    rule(
      'request = (when|what date|on what date) (does|did|will|is|was) <quarter> (of|in)? <year>? (start|begin|starting)',
      ([quarter, year], s) => asks('time', { what: 'day', date: startOf(quarter, year ?? thisYear(s)).toString() }),
    ),
    rule(
      'request = (when|what date|on what date) (does|did|will|is|was) <quarter> (of|in)? <year>? (end|finish|over|ending)',
      ([quarter, year], s) =>
        asks('time', {
          what: 'day',
          date: startOf(quarter, year ?? thisYear(s))
            .add({ months: 3 })
            .subtract({ days: 1 })
            .toString(),
        }),
    ),
    // Days in the calendar.
    rule(
      'request = (is|are|was|were|will) there (be)? (a|any)? friday the <ordinal> (in|during)? <year>',
      ([date, year]) => {
        const days = datesOf(FRIDAY, date, year);
        return answering(days.length > 0 ? `Yes: ${days.map(long).join('; ')}` : 'No');
      },
    ),
    rule('date = (the)? <ordinal> WORKINGDAY (of|in) <shift> <span>', ([nth, by, span], s) => {
      const today = todayIn(s.now, s.time_zone);
      if (span === 'week') return undefined;
      const start = span === 'year' ? today.with({ month: 1, day: 1 }) : today.with({ day: 1 });
      return workingDay(nth, start.add({ [`${span}s`]: by }), { [`${span}s`]: 1 });
    }),
    rule('date = (the)? <ordinal> WORKINGDAY (of|in) <year>', ([nth, year]) =>
      workingDay(nth, new Temporal.PlainDate(year, 1, 1), { years: 1 }),
    ),
    rule('request = WHATS? (the)? MIDWAY <date:untimed> and <date:untimed>', ([one, other], s) =>
      midday(one, other, s),
    ),
    rule('request = is? <date:untimed> REALDAY', ([{ text, length }], s) =>
      length === undefined ? isDate(text, s) : undefined,
    ),
    rule('request = is? <calendar-day> (,|of|in)? <year>? REALDAY', ([text, year], s) =>
      isDate(year === undefined ? text : `${text}, ${year}`, s),
    ),
  ],
};
