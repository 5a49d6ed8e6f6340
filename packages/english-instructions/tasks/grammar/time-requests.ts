import type { Domain } from '../../language/grammar.ts';
import { todayIn } from '../words/dates.ts';
import { zoneOf } from '../words/zones.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { question as asked, asks, type Free, type Moment, type Request, type Setting } from './setting.ts';
import { TIME_WORDS } from './time-words.ts';
import { DAYS, fixed, isThing, MONTHS, when } from './times.ts';

export const question = (what: string, { text }: Moment, more: Readonly<Record<string, string>> = {}): Request =>
  asks('time', { what, date: text, ...more });
/** What is asked about a moment, which is computed first where it has a length. */
export const about = (
  what: string,
  moment: Moment,
  setting: Setting,
  more: Readonly<Record<string, string>> = {},
): Request | undefined => {
  const base = moment.length === undefined ? moment : fixed(moment, setting);
  return base && question(what, base, more);
};
const dated = (moment: Moment): Request =>
  moment.length === undefined ? question('day', moment) : question('add', moment, { length: moment.length });

const inUnit = (unit: string | undefined) => (unit === undefined ? undefined : { unit });
/** What lies between two moments, in a unit. */
export function between(a: Moment, b: Moment, unit: string | undefined, setting: Setting): Request | undefined {
  const [from, to] = [a, b].map((one) => (one.length === undefined ? one : fixed(one, setting)));
  return from && to && question('between', from, { to: to.text, ...inUnit(unit) });
}
/** The earlier or later of two dates. */
function ordered(a: Moment, b: Moment, later: boolean, setting: Setting): Request | undefined {
  const [one, other] = [when(a.text, setting), when(b.text, setting)];
  if (one === undefined || other === undefined || one.at === other.at) return undefined;
  return dated(one.at > other.at === later ? a : b);
}

function earlier(a: Moment, b: Moment, setting: Setting): Request | undefined {
  const [one, other] = [a, b].map((moment) => (moment.length === undefined ? moment : fixed(moment, setting)));
  return one && other && question('before', one, { to: other.text });
}

/** A count in the smaller unit, and then in both. */
function parts(large: string, small: string, counted: Request | undefined): Request | undefined {
  const order = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];
  if (counted === undefined || order.indexOf(large) >= order.indexOf(small)) return undefined;
  // Months have no fixed number of days, and what lies between two days is told in both anyway.
  if (order.indexOf(large) < 2 && small === 'days') return counted;
  return {
    steps: [...counted.steps, { task: 'convert', input: { from: `{{+1}} ${small}`, to: `${large} and ${small}` } }],
  };
}

const clocks = (places: readonly string[] | undefined): Request =>
  places === undefined
    ? asks('time', { what: 'now' })
    : { steps: places.map((place) => ({ task: 'time', input: { what: 'now', place } })) };
/** The time at a length from now. */
const passed = (length: string, place: string | undefined): Request =>
  asks('time', { what: 'add', date: 'now', length, ...(place !== undefined && { place }) });
const todays = ([place]: readonly string[] = []): Request =>
  asks('time', { what: 'date', ...(place !== undefined && { place }) });
const zones = (date: string, to: string): Request => asks('time', { what: 'zones', date, to });

function unknownPlace(text: string): Request | undefined {
  if (!/^[\p{L} .'-]{2,40}$/u.test(text) || zoneOf(text) !== undefined || !isThing(text)) return undefined;
  return asked(
    'time',
    `I do not know the time zone of “${text}”. Which larger city is near it?`,
    'what time is it in {}',
  );
}

/** What a month has of a unit that is no calendar day: "the workdays in March 2026". */
function inMonth(unit: string, month: Temporal.PlainYearMonth): Request | undefined {
  if (unit === 'days' || unit === 'months' || unit === 'years') return undefined;
  const weekday = DAYS.find((name) => unit === `${name}s`);
  if (weekday !== undefined)
    return asks('time', { what: 'count', date: `${MONTHS[month.month - 1]} ${month.year}`, to: weekday });
  const first = month.toPlainDate({ day: 1 });
  return question('between', { text: first.toString() }, { to: first.add({ months: 1 }).toString(), unit });
}

/** The earlier question with another date, place or unit. */
const instead = (
  { it, previous }: Setting,
  topics: readonly string[],
  more: Readonly<Record<string, string>>,
): Request | undefined =>
  it === 0 && previous?.task === 'time' && topics.some((one) => one === previous.input.what)
    ? asks('time', { ...previous.input, ...more })
    : undefined;

/** The question about a date that cannot be read. */
const unreadable = ({ text }: Free, again: string): Request | undefined =>
  text.length > 60 || /[.:;?]\s|\n|\b(?:and|or|then|what|how|when|which|if|is|it)\b/i.test(text)
    ? undefined
    : asked('time', `I cannot read “${text}” as a date. Which date is meant?`, again);

/** A Unix timestamp of at least so many digits. */
const stamp = ({ expr }: Num, digits: number): Request | undefined =>
  /^-?\d{1,13}$/.test(expr) && expr.length >= digits ? question('from_unix', { text: expr }) : undefined;

const rule = rulesOf<{
  year: number;
  'calendar-month': Temporal.PlainYearMonth;
  end: boolean;
  places: readonly string[];
  mixed: readonly string[];
  'also-in': readonly string[];
}>();
/** Units of which an answer has the whole ones, the largest first. */
const MIXED: readonly (readonly string[])[] = [
  ['years', 'months', 'days'],
  ['hours', 'minutes'],
];

/** What is asked about dates, times and places. */
export const TIME_REQUESTS: Domain = {
  lexicon: TIME_WORDS,
  rules: [
    rule('places = (in|at|for|over in)? <zone> time?', ([zone]) => [zone]),
    rule('places -0.05 = <places> (,|and|, and|and in) <places>', ([a, b]) => [...a, ...b]),
    rule('request = SHOWME? CLOCKS NOWADAYS? <places>? NOWADAYS?', ([places]) => clocks(places)),
    rule('request -0.1 = SHOWME? <zone> time NOWADAYS?', ([zone]) => asks('time', { what: 'now', place: zone })),
    // The clock there says which part of the day it is.
    rule(
      'request = is it (already|still|now)? (the|a)? DAYPART (already|yet|still|now)? <places> NOWADAYS?',
      ([places]) => clocks(places),
    ),
    rule('request -0.5 = CLOCKS NOWADAYS? (in|at|for) …', ([{ text }]) => unknownPlace(text)),
    rule('request = (what time is it in|time in)', () => asked('time', 'Where?', 'what time is it in {}')),
    rule('request -0.1 = SHOWME? WHATS? TODAYS NOWADAYS? <places>?', '-0.05 = WHATDAY NOWADAYS? <places>?', ([place]) =>
      todays(place),
    ),
    rule(
      'request = (what weekday|which weekday|what day of the week|which day of the week) (is it|is today|is it today)',
      (_, { it, after }) => (it !== undefined && after === 'time' ? undefined : todays()),
    ),
    rule('request = SHOWME? WHATS? (this|the)? <day-own> (date|day)', ([text]) => question('day', { text })),
    rule('request = SHOWME? WHATS? the? (next|coming) <day-own> date', ([text]) =>
      question('day', { text: `next ${text}` }),
    ),
    rule('request = SHOWME? WHATS? the? (last|past|previous) <day-own> date', ([text]) =>
      question('day', { text: `last ${text}` }),
    ),
    rule(
      "request = (how many hours|what|what is|what's|whats)? the? (time difference|time diff|time zone difference|difference in time|difference in hours|hour difference|timezone difference) (between|from) <zone> (and|to) <zone>",
      '#21 how many hours (ahead|behind|apart) (is|are) <zone> (of|from|and|than) <zone>',
      ([a, b]) => zones(a, b),
    ),
    rule(
      'request -0.05 = WHEN the? <date> FALL?',
      '-0.1 = (what time is it|what time is|what time will it be|what time was it|when is it) <date:asks>',
      '-0.1 = (the date|date|the day|day)? <date:asks>',
      '0 = WHATS (the|the date|date|the date of|the date for|the day|the day of|the date on)? <date:asks>',
      '0 = WHATS (the date|the date of|date) <date>',
      '0 = <date:asks> APART? (is|is on|falls on|was|will be)? (which|what|on which|on what) (date|day) (is that|is it|is this|will that be|would that be|will it be|was that)? ENDSIGN?',
      '0 = <date:asks> (is|will be|would be|is when|equals|=) ENDSIGN?',
      "0 = <date:asks> APART? (what's the date|what is the date|whats the date|what date|date|when is that|when is it|when will that be|when would that be) ENDSIGN?",
      '0 = SHOWME? (what|which) (year|month) (was|is|will) (it|it be|that be|that)? <date>',
      ([date]) => dated(date),
    ),
    rule('request = DAYOF <date> FALL? (this year)?', ([date], s) =>
      date.length === undefined ? about('weekday', date, s) : dated(date),
    ),
    rule(
      'request = DAYOF <calendar-day> FALL (in|of)? <year>',
      'DAYOF <holiday> FALL (in|of)? <year>',
      '(when|what date) (does|did|will) <holiday> FALL (in|of)? <year>',
      ([text, year], s) => about('weekday', { text: `${text} ${year}` }, s),
    ),
    rule('request = WHEN? the? next (leap year|leap day)', () => question('next', { text: 'leap day' })),
    rule('request = WHEN? the? next <calendar-day>', ([text]) =>
      text === 'february 29' ? question('next', { text: 'leap day' }) : question('day', { text }),
    ),
    rule('request = WHEN? the? next <weekday> the? <ordinal>', ([weekday, n]) =>
      question('next', { text: `${weekday} the ${n}` }),
    ),
    rule(
      'request = (is|was|will) the? year? <number:year> be? LEAPYEAR',
      'is it LEAPYEAR in <number:year>',
      ([{ expr }]) => question('leap', { text: expr }),
    ),
    rule('request = (is|was|will) <shift> year be? LEAPYEAR', ([by]) =>
      question('leap', { text: `${['last', 'this', 'next'][by + 1]} year` }),
    ),
    rule('request -0.1 = SHOWME? WEEKNO ISIT? NOWADAYS?', () => question('week', { text: 'today' })),
    rule(
      'request = WHATS? WEEKNO (of|for|is|on|in|contains|does|is it on|was it on|will it be on|is it in) <date> FALL? in?',
      ([date], s) => about('week', date, s),
    ),
    rule(
      'request = (how many|number of|the number of) days (are there|are|there are|does|do|has|have)? in? <month> <number:year>? have?',
      'days in <month> <number:year>?',
      '(how many|number of) days (does|do|did|will) <month> have (in|of)? <number:year>',
      ([month, year]) => question('month_days', { text: `${month}${year === undefined ? '' : ` ${year.expr}`}` }),
    ),
    rule('calendar-month = <month> <number:year>?', ([month, year], s) =>
      Temporal.PlainYearMonth.from({
        year: (year?.plain as number | undefined) ?? todayIn(s.now, s.time_zone).year,
        month: MONTHS.indexOf(month) + 1,
      }),
    ),
    rule('calendar-month = <shift> month', ([by], s) =>
      todayIn(s.now, s.time_zone).add({ months: by }).toPlainYearMonth(),
    ),
    rule(
      'request = (how many|number of|the number of|count the|count) <counted> (are there|are|there are|does|do)? (in|of|during) <calendar-month> have?',
      'how many <counted> (does|do|will|has) <calendar-month> (have|contain|got)?',
      ([unit, month]) => inMonth(unit, month),
    ),
    rule('request = (how many|number of) days (are there|are|there are|does)? in? <shift> month have?', ([by]) =>
      by < 0 ? undefined : question('month_days', { text: `${['this', 'next'][by]} month` }),
    ),
    rule(
      'request = (what|which) quarter (is it|are we in|is this|of the year is it|of the year are we in) NOWADAYS?',
      () => question('quarter', { text: 'today' }),
    ),
    rule('request = (what|which) quarter (is|does|was|will|of the year is) <month> FALL? in?', ([month], s) =>
      about('quarter', { text: `${month} 1` }, s),
    ),
    rule('request = (what|which) quarter (is|does|was|will|of the year is) <date> FALL? in?', ([date], s) =>
      about('quarter', date, s),
    ),
    rule(
      'request = EVENT <date> ,? (so|and)? how many <counted> PASSED',
      '(how long|how much time|time) (is it since|since|has it been since|has passed since) <date> ,? in <counted>',
      '#21 how many <counted> old SOMEONE? APART? (if|when)? BORN <date>',
      '#21 (how old|the age|age) in <counted> of? SOMEONE? (if|when)? BORN <date>',
      '#21 how many <counted> THERE? SINCE <date>',
      '-0.05 = #21 <counted> SINCE <date>',
      ([date, unit], s) => about('since', date, s, { unit }),
    ),
    rule(
      'request = (how long|how much time|time) (ago was|ago is|is it since|since|has it been since|has passed since|is it ago since) <date>',
      ([date], s) => about('since', date, s),
    ),
    rule(
      'request = (how many|number of|the number of)? <counted> (are|is)? (left|remaining|remain|to go) (in|of)? (the|this)? <span>',
      ([unit, span]) => question('until', { text: `start of next ${span}` }, { unit }),
    ),
    rule(
      'request -0.05 = (how many|number of|the number of)? <counted> (between|from) <date> (and|to|till|until) <date>',
      '0 = (how many|count|count the|count up the) <counted> THERE? (between|from) <date> (and|to|until|till|through) <date>',
      '0 = #312 from? <date:timed> (-|–) <date:timed> ,? how many <counted> (is that|is it)?',
      '0 = #312 (how long|how much time) (is it|is there|was it)? (from|between) <date> (and|to|until|till) <date> ,? in <counted>',
      '0 = #312 (from|between)? <date> (and|to|until|till) <date> APART? (in|is how many|how many) <counted> (is that|is it|are that|are there|is this)?',
      ([unit, a, b], s) => between(a, b, unit, s),
    ),
    rule(
      'request = (how many|number of|the number of)? <counted> THERE? (between|from|since) <calendar-month> (and|to|till|until) <calendar-month> ENDSIGN?',
      ([unit, a, b]) =>
        unit === 'months' || unit === 'years'
          ? question(
              'between',
              { text: a.toPlainDate({ day: 1 }).toString() },
              { to: b.toPlainDate({ day: 1 }).toString(), unit },
            )
          : undefined,
    ),
    rule(
      'request = (how many|number of|the number of)? <counted> THERE? (between|from|since) <number:year> (and|to|till|until) <number:year> ENDSIGN?',
      ([unit, a, b]) => (unit === 'years' ? asks('calculate', { expression: `${b.expr} - ${a.expr}` }) : undefined),
    ),
    // Whole ones of each unit stand in the answer anyway.
    rule('mixed = <counted> (and|n|&|,|, and) <counted>', '<mixed> (and|n|&|, and) <counted>', ([one, other]) =>
      [one, other]
        .flat()
        .every((unit, at, all) => MIXED.some((units) => units.indexOf(unit) > units.indexOf(all[at - 1] ?? '')))
        ? [one, other].flat()
        : undefined,
    ),
    rule('also-in = ,? (in|as) <mixed>'),
    rule(
      'request = LEAD? the? (difference|time|duration) (between|from) <date> (and|to|till|until) <date> <also-in>?',
      '(how long|how much time) (is it|is|does it take|passes)? (between|from) <date> (and|to|until|till) <date> <also-in>?',
      '#23 (how many)? <mixed> (is it|are there|are|is there|lie|pass)? (between|from) <date> (and|to|until|till) <date>',
      '-0.3 = #23 (my|the|a|our) …:thing BEGINS <date:timed> APART? it? ENDS <date:timed> <asks-length>',
      ([a, b], s) => between(a, b, undefined, s),
    ),
    rule('request -0.2 = how many <counted> THERE? (until|till|til)', ([unit]) =>
      asked('time', 'Until when?', `how many ${unit} until {}`),
    ),
    rule('request -0.2 = how many <counted> SINCE', ([unit]) =>
      asked('time', 'Since when?', `how many ${unit} since {}`),
    ),
    rule('request -3 = (how many|number of|the number of)? <counted> THERE? there? UNTIL …', ([unit, date]) =>
      unreadable(date, `how many ${unit} until {}`),
    ),
    rule('request -3 = (how many|number of|the number of)? <counted> SINCE …', ([unit, date]) =>
      unreadable(date, `how many ${unit} since {}`),
    ),
    rule('request -3 = (how long|how much time) THERE? (until|till|before) …', ([date]) =>
      unreadable(date, 'how long until {}'),
    ),
    rule('request -3 = DAYOF … FALL?', ([date]) => unreadable(date, 'what weekday is {}')),
    // The same question of another place or day, or in another unit.
    rule(
      'request -0.1 = (in|at|for|what about|how about|what about in|how about in|and what about)? <zone>',
      ([place], setting) => instead(setting, ['now', 'date'], { place }),
    ),
    rule('request -0.2 = (what about|how about|until|since|and what about)? <date>', ([date], setting) =>
      date.length === undefined
        ? (instead(setting, ['weekday', 'until', 'since', 'week', 'day', 'age'], { date: date.text }) ??
          (setting.it === 0 && setting.previous?.task === 'time' && setting.previous.input.what === 'date'
            ? question('day', date)
            : undefined))
        : undefined,
    ),
    rule(
      'request = (in|to|into|as|what about in|how about in|how many|what about|and how many)? <counted> (is that|is it|then|instead|would that be)?',
      ([unit], setting) => instead(setting, ['until', 'since', 'between'], { unit }),
    ),
    rule(
      'request = SHOWME? (what|which) (month|year|month and year) (is it|are we in|is this|it is) NOWADAYS?',
      "SHOWME? (what's|what is) (the|the current|this) (month|year)",
      () => todays(),
    ),
    rule(
      'request = (is|was|will|does|did) <date> FALL? (a|an|on a)? (weekday|workday|working day|business day|work day)',
      ([date], s) => about('workday', date, s),
    ),
    rule(
      'request = what time (will it be|is it) in <length> <in-place>?',
      '(what is|what will be|what will) the time be? in <length> <in-place>?',
      'what time (is it|will it be) <length> from now <in-place>',
      'in <length> (,|-)? (what|what time|which time|what day|what date) (will|would|is) it (be)? <in-place>?',
      ([length, place]) => passed(length, place),
    ),
    rule('in-place = in <zone>'),
    // Unix timestamps.
    rule('request -0.1 = CURRENT? UNIX now?', () => question('unix', { text: 'now' })),
    rule('request = CURRENT? UNIX (of|for|at) <date>', 'CONVERT? LEAD? <date> INTO UNIX', ([date], s) =>
      about('unix', date, s),
    ),
    rule(
      'request = CONVERT? LEAD? UNIX? <number:whole> INTO READABLE',
      '(what|which) (date|time|day|moment|date and time) (is|does|was|stands for) UNIX <number:whole> (mean|stand for)?',
      ([n]) => stamp(n, 9),
    ),
    rule('request = CONVERT? LEAD? UNIX <number:whole>', ([n]) => stamp(n, 1)),
    // Questions.
    rule('request -0.1 = how many <counted> THERE? UNTIL <month> <number:year>?', ([unit, month, year], s) =>
      about('until', { text: `${month} 1${year === undefined ? '' : `, ${year.plain}`}` }, s, { unit }),
    ),
    rule(
      'request = <date> APART? (on|is|was|falls on|is on|fell on|will be)? (a|on)? (what|which) (day|weekday|day of the week) (is that|is it|was that|was it|will that be|is this|will it be|does it fall on|does that fall on|did it fall on|did that fall on|is that on|was it on)?',
      'LEAD? <date> as a? (weekday|day of the week|day)',
      '#2 (what|which) (day|weekday|day of the week) (did|was|were|is) (i|we|he|she|they|my|our|the) …:thing (if|when|,) (it|that) (was|is) on? <date>',
      '(what|which) (day|weekday|day of the week) (is|was|will it be|is it|was it|does|will|of the week is) <date> (fall on|fall|be|on)?',
      ([date], s) => (date.length === undefined && date.asks !== true ? about('weekday', date, s) : dated(date)),
    ),
    rule(
      'request = how many <counted> THERE? there? UNTIL <date>',
      'in how many <counted> (is|will it be) <date>',
      '<counted> THERE? (until|till|til|to) <date>',
      '(count|count the|number of|the number of|amount of) <counted> THERE? UNTIL <date>',
      '#21 (how long|how much time) THERE? (until|till|before) <date> ,? in <counted>',
      ([unit, date], s) => about('until', date, s, { unit }),
    ),
    rule(
      'request = (how long|how much time) THERE? (until|till|before) <date>',
      'countdown (until|till|to) <date>',
      ([date], s) => about('until', date, s),
    ),
    rule(
      'request = how many <counted> and <counted> THERE? UNTIL <date>',
      '#231 (how long|how much time) THERE? (until|till|before) <date> ,? in <counted> and <counted>',
      ([a, b, date], s) => parts(a, b, about('until', date, s, { unit: b })),
    ),
    rule('request = how many days THERE? (between|from) <date> (and|to|until|till) <date> WORKDAYS', ([a, b], s) =>
      between(a, b, 'business', s),
    ),
    rule('request = how many days THERE? UNTIL <date> WORKDAYS', ([date], s) =>
      about('until', date, s, { unit: 'business' }),
    ),
    rule('request = (which|what) (is|date is|comes|day is|one is) <end> (,|:)? <date> or <date>', ([later, a, b], s) =>
      ordered(a, b, later, s),
    ),
    rule('request = is <date> (before|earlier than) <date>', '#21 is <date> (after|later than) <date>', ([a, b], s) =>
      earlier(a, b, s),
    ),
    rule(
      'request = (is|was|will|does|did) <date> FALL? (a|on a|on the|fall on a|in the|at the|on)? (weekend day|weekend|day of the weekend) (this year)?',
      ([date], s) => about('weekend', date, s),
    ),
  ],
};
