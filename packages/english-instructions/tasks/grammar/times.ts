import type { Domain, Recognizer } from '../../language/grammar.ts';
import { placeholder } from '../clause.ts';
import { local, parseWhen, todayIn, type When } from '../words/dates.ts';
import { lengthOf } from '../words/durations.ts';
import { ordinal } from '../words/figures.ts';
import { HOLIDAYS } from '../words/holidays.ts';
import { LIMITS } from '../words/limits.ts';
import { zoneOf } from '../words/zones.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import type { Free, Moment, Setting } from './setting.ts';

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth'.split(
    ' ',
  );
export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
export const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const named = (names: readonly string[], also: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [`${name}|${also(name)}`, name]));

const CLOCK = /^(?:[01]?\d|2[0-4])(?:(?::[0-5]\d){1,2}(?: ?[ap]\.?m\.?)?|(?:\.[0-5]\d)? ?[ap]\.?m\.?)$/i;
const DATE = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{1,2}\.\d{1,2}\.\d{2})$/;
const STAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z| UTC)?$/i;

/** The most tokens of a date in figures: "2026-01-01T00:00:00Z". */
const MAX_TOKENS = 12;

/** Dates and times in figures, ordinals such as "3rd", and places with a time. */
const recognize: Recognizer = (tokens, add) => {
  for (const [start, token] of tokens.entries()) {
    const { kind, text, lower } = token;
    if (kind === 'reference') add('date', start, start + 1, { text: text.replaceAll(' ', '') } satisfies Moment, -0.2);
    if (kind !== 'number' && kind !== 'word') continue;
    const next = tokens[start + 1];
    if (kind === 'number' && next !== undefined && !next.spaced && /^(?:st|nd|rd|th)$/.test(next.lower))
      add('ordinal', start, start + 2, Number(text));
    // The minutes of "9:00 am" are no hour.
    const inside = !token.spaced && tokens[start - 1]?.text === ':' && tokens[start - 2]?.kind === 'number';
    let joined = '';
    for (let to = start; to < Math.min(start + MAX_TOKENS, tokens.length); to++) {
      const part = tokens[to] as (typeof tokens)[number];
      if (part.kind !== 'number' && part.kind !== 'word' && part.kind !== 'sign') break;
      joined += `${to > start && part.spaced ? ' ' : ''}${part.text}`;
      if (kind === 'number') {
        if (!inside && CLOCK.test(joined)) add('clock', start, to + 1, joined);
        if (DATE.test(joined)) add('date', start, to + 1, { text: joined } satisfies Moment, 0.1);
        if (STAMP.test(joined))
          add('date', start, to + 1, { text: joined, timed: true } satisfies Moment, /\d$/.test(joined) ? 0.1 : 0.2);
      } else if (to < start + 4 && part.kind === 'word' && lower !== 'the' && isZone(joined))
        add('zone', start, to + 1, joined);
    }
  }
};

/** Without a "time" behind it, which rules have. */
const isZone = (text: string): boolean =>
  zoneOf(text) !== undefined && !(/ time$/i.test(text) && zoneOf(text.slice(0, -5)) !== undefined);

export const when = (text: string, { now, time_zone }: Setting, prefer?: 'past' | 'near'): When | undefined =>
  parseWhen(text, now, time_zone, prefer === undefined ? {} : { prefer });

/** A date that can be read, or undefined. */
/** The day of a date that is one beyond doubt. */
function dayOf({ text, length, asks }: Moment, setting: Setting): Temporal.PlainDate | undefined {
  const found = length === undefined && asks !== true ? when(text, setting) : undefined;
  return found && todayIn(found.at, found.time_zone);
}
const day = (text: string, setting: Setting, more: Partial<Moment> = {}): Moment | undefined =>
  when(text, setting) === undefined ? undefined : { text, ...more };

/** The date and time of a moment with its length, in figures. */
export function fixed({ text, length, timed }: Moment, setting: Setting): Moment | undefined {
  const from = when(text, setting);
  const by = lengthOf(length?.replace(/^-/, '') ?? '0 days');
  if (from === undefined || by === undefined || by.business !== 0) return undefined;
  const start = Temporal.Instant.fromEpochMilliseconds(from.at).toZonedDateTimeISO(from.time_zone);
  const end = start.add(length?.startsWith('-') ? by.duration.negated() : by.duration);
  const precise = (timed ?? false) || by.has_time;
  return precise
    ? { text: local(end.epochMilliseconds, from.time_zone), timed: true }
    : { text: todayIn(end.epochMilliseconds, from.time_zone).toString() };
}

/** A moment at a length from another. */
function away(from: Moment, sign: '' | '-', length: string, setting: Setting): Moment | undefined {
  const base = from.length === undefined ? from : fixed(from, setting);
  return base && { text: base.text, length: `${sign}${length}`, asks: true, ...(base.timed && { timed: true }) };
}

/** The first few, or the last, of a weekday in a year. */
const ofYear = (nth: number, weekday: string, year: number, setting: Setting): Moment | undefined =>
  nth > 4
    ? undefined
    : day(
        `the ${nth < 0 ? 'last' : ORDINALS[nth - 1]} ${weekday} of ${nth < 0 ? 'december' : 'january'} ${year}`,
        setting,
        { asks: true },
      );

/** The same in a month so many after this one. */
function ofMonth(nth: number, weekday: string, months: number, setting: Setting): Moment | undefined {
  const { month, year } = todayIn(setting.now, setting.time_zone).add({ months });
  const place = nth < 0 ? 'last' : ORDINALS[nth - 1];
  return day(`the ${place} ${weekday} of ${MONTHS[month - 1]} ${year}`, setting, { asks: true });
}

/** A weekday that comes, or came, so many times from today. */
function weekdaysOn({ plain }: Num, weekday: string, setting: Setting, way = 1): Moment | undefined {
  const today = todayIn(setting.now, setting.time_zone);
  const first = (((DAYS.indexOf(weekday) + 1 - today.dayOfWeek) * way + 6) % 7) + 1;
  return plain === undefined || plain < 1 || plain > 1000
    ? undefined
    : { text: today.add({ days: way * (first + 7 * (plain - 1)) }).toString(), asks: true };
}

/** A weekday before or after a day. */
function aroundDay(weekday: string, way: string, date: Moment, setting: Setting): Moment | undefined {
  const base = date.length === undefined ? date : fixed(date, setting);
  return base && day(`${weekday} ${way} ${base.text}`, setting, { asks: true });
}

/** The weekday that is the fewest days from a day. */
function nearest(weekday: string, date: Moment, setting: Setting): Moment | undefined {
  const from = when(fixed(date, setting)?.text ?? '', setting);
  const base = from && todayIn(from.at, from.time_zone);
  return (
    base && { text: base.add({ days: ((DAYS.indexOf(weekday) + 11 - base.dayOfWeek) % 7) - 3 }).toString(), asks: true }
  );
}

const NOW: Moment = { text: 'today' };
/** Words that say or ask something about a thing. */
const OF_SENTENCES =
  /\b(?:and|or|to|per|with|is|was|how|what|which|when|who|why|many|much|so|in|into|as|at|on|by|from|for|than|then|half|it|them)\b/i;
/** Words that name a thing, and no more than that. */
export const isThing = (text: string): boolean =>
  /^(?!(?:my|our|your|the|his|her|their|this|that|an?)$)(?:[\p{L}-]{1,20} ?){1,3}$/iu.test(text) &&
  !OF_SENTENCES.test(text) &&
  !text
    .toLowerCase()
    .split(' ')
    .some((word) => LIMITS.has(word));

const rule = rulesOf<{ year: number }>();

/** Dates, times and lengths of time. */
export const TIMES: Domain = {
  lexicon: {
    month: named(MONTHS, (name) => (name === 'may' ? 'may' : name === 'september' ? 'sept|sep' : name.slice(0, 3))),
    weekday: named(
      DAYS,
      (name) =>
        `${name}s|${name.slice(0, 3)}|${{ t: name.slice(0, 4), w: 'weds' }[name[0] as 't'] ?? name.slice(0, 3)}`,
    ),
    ordinal: { ...Object.fromEntries(ORDINALS.map((name, at) => [name, at + 1])), 'last|final': -1, initial: 1 },
    today: { today: 'today', tomorrow: 'tomorrow', yesterday: 'yesterday', now: 'now', 'right now': 'now' },
    holiday: Object.fromEntries(HOLIDAYS.map((name) => [name, name])),
    clock: { noon: 'noon', midnight: 'midnight', midday: 'noon' },
    MONTHOWN: "month's|months'",
    span: { week: 'week', month: 'month', year: 'year' },
    shift: { 'this|the': 0, 'next|the next': 1, 'last|the last': -1 },
    edge: { 'end|last day': 'end', 'start|beginning|first day': 'start' },
    quartered: Object.fromEntries(
      ['half past', 'quarter past', 'quarter to', 'quarter after'].map((one) => [`${one}|a ${one}`, one]),
    ),
    half: { 'am|a.m.|in the morning': 'am', 'pm|p.m.|in the evening|in the afternoon|at night|tonight': 'pm' },
    'weeks-on': { 'a week|one week': 'a week', 'a fortnight|two weeks|2 weeks': 'a fortnight' },
    WORKDAYS:
      'excluding weekends|without weekends|not counting weekends|excluding the weekends|without the weekends|except weekends|skipping weekends|ignoring weekends',
  },
  recognize,
  tests: {
    year: ({ plain, ops, kind }: Num) =>
      kind === 'number' &&
      ops === 0 &&
      Number.isInteger(plain) &&
      (plain as number) > 999 &&
      (plain as number) < 10_000,
    day: ({ plain, ops, kind }: Num) =>
      kind === 'number' && ops === 0 && Number.isInteger(plain) && (plain as number) > 0 && (plain as number) < 32,
    hour: ({ plain, ops, kind }: Num) =>
      kind === 'number' && ops === 0 && Number.isInteger(plain) && (plain as number) > 0 && (plain as number) < 24,
    time: ({ kind, ops }: Num) => kind === 'time' && ops === 0,
    untimed: ({ timed, length }: Moment) => timed !== true && length === undefined,
    timed: ({ timed }: Moment) => timed === true,
    asks: ({ asks: own }: Moment) => own === true,
    thing: ({ text }: Free) => isThing(text),
  },
  rules: [
    rule('length = <number:time>', ([n]) =>
      n.said !== undefined && lengthOf(n.said) !== undefined ? n.said : undefined,
    ),
    rule(
      'length = <number:whole> (business|working) (days|day)',
      '<number:whole> (days|day) WORKDAYS',
      ([n]) => `${n.plain} business days`,
    ),
    rule('length = (a|one) day', () => '1 day'),
    rule('length = (an|one) hour <number:whole>', '<number:whole> (hour|hours|hr|hrs) <number:whole>', ([a, b]) => {
      const [hours, minutes] = b === undefined ? [1, a] : [a.plain, b];
      return (minutes.plain as number) < 60 ? `${hours} hours ${minutes.plain} minutes` : undefined;
    }),
    // Days.
    rule('date = <today>', ([text]) => ({ text, ...(text === 'now' && { timed: true }) })),
    rule('date -0.2 = IT', (_, { it, after, previous }) =>
      it === undefined || (after ?? previous?.task ?? 'time') !== 'time' ? undefined : { text: placeholder(it) },
    ),
    rule('date = the? day before yesterday', (_, setting) => away({ text: 'yesterday' }, '-', '1 day', setting)),
    rule('date = the? day after tomorrow', (_, setting) => away({ text: 'tomorrow' }, '', '1 day', setting)),
    rule('calendar-day = <month> the? <number:day>', ([m, d]) => `${m} ${d.plain}`),
    rule('calendar-day = <number:day> of? <month>', ([d, m]) => `${m} ${d.plain}`),
    rule('calendar-day = <month> the? <ordinal>', ([m, d]) => (d > 0 ? `${m} ${d}` : undefined)),
    rule('calendar-day = the? <ordinal> of? <month>', ([d, m]) => (d > 0 ? `${m} ${d}` : undefined)),
    rule('date = <calendar-day>', 'this? <weekday>', ([text], s) => day(text, s)),
    rule('year = <number:year>', ([n]) => n.plain),
    rule('year = the? <shift> year', ([by], s) => todayIn(s.now, s.time_zone).year + by),
    rule('date = <calendar-day> (,|of|in)? <year>', ([text, year], s) => day(`${text}, ${year}`, s)),
    // The weekday that it is anyway.
    rule('date = <weekday> ,? the? <date:untimed>', ([name, date], s) =>
      dayOf(date, s)?.dayOfWeek === DAYS.indexOf(name) + 1 ? date : undefined,
    ),
    rule('date -0.2 = (the|on the) <ordinal>', ([d], s) => (d > 0 ? day(`the ${ordinal(d)}`, s) : undefined)),
    rule('date = (next|coming) <weekday>', ([text], s) => day(`next ${text}`, s, { asks: true })),
    rule('date = (last|past) <weekday>', ([text], s) => day(`last ${text}`, s, { asks: true })),
    rule('date = <holiday> ,? the? <date:untimed>', ([name, date], s) => {
      const found = dayOf(date, s);
      const feast = found && day(`${name} ${found.year}`, s);
      return feast && found && dayOf(feast, s)?.equals(found) ? date : undefined;
    }),
    rule('date = <holiday> (of|in)? <year>?', ([text, year = ''], s) => day(`${text} ${year}`.trim(), s)),
    rule('date = the? <ordinal> <weekday> (of|in) <month> <number:year>?', ([nth, weekday, month, year], s) =>
      day(
        `the ${nth < 0 ? 'last' : ORDINALS[nth - 1]} ${weekday} of ${month}${year === undefined ? '' : ` ${year.plain}`}`,
        s,
        { asks: true },
      ),
    ),
    rule('date = the? <ordinal> <weekday> (of|in) <year>', ([nth, weekday, year], s) => ofYear(nth, weekday, year, s)),
    rule('date = the? <ordinal> <weekday> (of|in) <shift> month', ([nth, weekday, by], s) =>
      ofMonth(nth, weekday, by, s),
    ),
    rule('date = <shift> MONTHOWN the? <ordinal> <weekday>', ([by, nth, weekday], s) => ofMonth(nth, weekday, by, s)),
    rule('date = the? <edge> of <month> <number:year>?', ([edge, month, year], s) =>
      day(`${edge === 'end' ? 'last' : 'first'} day of ${month}${year === undefined ? '' : ` ${year.plain}`}`, s, {
        asks: true,
      }),
    ),
    rule(
      'date = the? (second to last|second last|penultimate|next to last|last but one) day (of|in) <month> <number:year>?',
      ([month, year], s) => {
        const last = when(`last day of ${month}${year === undefined ? '' : ` ${year.plain}`}`, s);
        return last && away({ text: todayIn(last.at, last.time_zone).toString() }, '-', '1 day', s);
      },
    ),
    rule(
      'date = the? <ordinal> (working day|business day|workday|weekday|week day) (of|in) <month> <number:year>?',
      ([nth, month, year], s) =>
        Math.abs(nth) === 1
          ? day(`${nth < 0 ? 'last' : 'first'} weekday of ${month}${year === undefined ? '' : ` ${year.plain}`}`, s, {
              asks: true,
            })
          : undefined,
    ),
    rule('date = the? <edge> of <shift> <span>', ([edge, by, span], s) =>
      by < 0 ? undefined : day(`${edge} of ${['the', 'next'][by]} ${span}`, s, { asks: true }),
    ),
    rule('date = the? (first|last)? <weekday> (before|preceding) <date:untimed>', ([name, date], s) =>
      aroundDay(name, 'before', date, s),
    ),
    rule('date = the? (first|next)? <weekday> (after|following) <date:untimed>', ([name, date], s) =>
      aroundDay(name, 'after', date, s),
    ),
    rule(
      'date = (what|which|the)? (closest|nearest) <weekday> to <date:untimed>',
      '(what|which|the) <weekday> (is|falls|comes|that is|that falls|that comes)? the? (closest|nearest) to <date:untimed>',
      ([name, date], s) => nearest(name, date, s),
    ),
    rule('date = <number:whole> <weekday> (from now|from today|on)', ([n, name], s) => weekdaysOn(n, name, s)),
    rule('date = <number:whole> <weekday> ago', ([n, name], s) => weekdaysOn(n, name, s, -1)),
    rule('date = (the|on the)? <ordinal> of <shift> month', ([nth, by], s) => {
      const month = todayIn(s.now, s.time_zone).with({ day: 1 }).add({ months: by });
      return nth < 1 || nth > month.daysInMonth ? undefined : { text: month.with({ day: nth }).toString(), asks: true };
    }),
    rule('date = the? <ordinal> day of <year>', ([nth, year]) => {
      const first = new Temporal.PlainDate(year, 1, 1);
      return nth < 1 || nth > first.daysInYear
        ? undefined
        : { text: first.add({ days: nth - 1 }).toString(), asks: true };
    }),
    rule('date = <weekday> week', ([name], s) => day(`a week on ${name}`, s, { asks: true })),
    rule('date = the? <weekday> after next', ([name], s) => day(`${name} after next`, s, { asks: true })),
    rule('date = <weeks-on> (on|from)? <weekday>', '<weeks-on> (on|from)? <today>', ([weeks, name], s) =>
      day(`${weeks} on ${name}`, s, { asks: true }),
    ),
    rule('date -0.05 = on <date:untimed>'),
    // Times.
    rule('date = at? <quartered> <number:whole> <half>?', ([quarter, n, half = ''], s) =>
      day(`${quarter} ${n.plain} ${half}`.trim(), s, { timed: true }),
    ),
    rule('date -0.2 = at <number:hour>', ([{ plain }], s) => day(`${plain}:00`, s, { timed: true })),
    rule('date = at? <clock>', ([clock], s) => day(clock, s, { timed: true })),
    rule('date = <date:untimed> (at|,)? <clock>', '#21 <clock> (on|,)? <date:untimed>', ([{ text }, clock], s) =>
      day(`${text} ${clock}`, s, { timed: true }),
    ),
    rule('date = <clock> in? <zone> time? (on|,)? <date:untimed>', ([clock, zone, { text }], s) =>
      day(`${text} ${clock} ${zone} time`, s, { timed: true }),
    ),
    rule('date = <date:timed> in? <zone> time?', ([{ text }, zone], s) =>
      day(`${text} ${zone} time`, s, { timed: true }),
    ),
    // Composition.
    rule(
      'date = <length> (before|prior to) <date>',
      '(subtract|take|deduct) <length> from <date>',
      '-0.3 = #13 <length> before (my|the|our|a|an) …:thing at <date>',
      '<length> before (my|the|our|a|an) <date:timed> EVENTLIKE',
      '#21 <date> (minus|-) <length>',
      ([length, date], s) => away(date, '-', length, s),
    ),
    rule(
      'date = <length> (after|from|past|following) <date>',
      'add <length> to <date>',
      '#21 <date> (plus|+) <length>',
      ([length, date], s) => away(date, '', length, s),
    ),
    rule('date = <day-own> date', ([text]) => ({ text })),
    rule('date = the? day (after|following) <date:untimed>', ([date], s) => away(date, '', '1 day', s)),
    rule('date = the? day (before|preceding) <date:untimed>', ([date], s) => away(date, '-', '1 day', s)),
    rule('date = <weekday> (of|in)? <shift> week', ([weekday, by], s) => {
      const today = todayIn(s.now, s.time_zone);
      const monday = today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks: by });
      return { text: monday.add({ days: DAYS.indexOf(weekday) }).toString(), asks: true };
    }),
    rule('date -0.3 = #2 (my|our|the|his|her) …:thing (on|at) <date>'),
    rule('date = <length> ago (today)?', ([length], s) => away(NOW, '-', length, s)),
    rule('date = in <length>', ([length], s) => away(NOW, '', length, s)),
    rule('date = <number:whole> days from (now|today) WORKDAYS', ([n], s) =>
      away(NOW, '', `${n.plain} business days`, s),
    ),
  ],
};
