import type { Domain, Recognizer } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import { local, parseWhen, todayIn, type When } from '../words/dates.ts';
import { lengthOf } from '../words/durations.ts';
import { zoneOf } from '../words/zones.ts';
import type { Num } from './number.ts';
import { asks, type Free, type Request, type Setting } from './setting.ts';

/** A day or a moment in words that `time` reads, and a length after it, or before it with a minus sign. */
interface Moment {
  readonly text: string;
  readonly length?: string;
  readonly timed?: boolean;
  readonly yearless?: boolean;
  /** Whether it is a phrase that asks for a date by itself, as "the third Thursday of November". */
  readonly asks?: boolean;
}

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth'.split(
    ' ',
  );
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const named = (names: readonly string[], also: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [`${name}|${also(name)}`, name]));

const CLOCK = /^(?:[01]?\d|2[0-4])(?:(?::[0-5]\d){1,2}(?: ?[ap]\.?m\.?)?| ?[ap]\.?m\.?)$/i;
const DATE = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4})$/;
const STAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z| UTC)?$/i;

/** Dates and times in figures, ordinals such as "3rd", and places with a time. */
const recognize: Recognizer = (tokens, add) => {
  for (const [at, { kind, text, lower }] of tokens.entries()) {
    if (kind !== 'number' && kind !== 'word') continue;
    const next = tokens[at + 1];
    if (kind === 'number' && next !== undefined && !next.spaced && /^(?:st|nd|rd|th)$/.test(next.lower))
      add('ordinal', at, at + 2, Number(text));
    let joined = '';
    for (let to = at; to < Math.min(at + 8, tokens.length); to++) {
      const one = tokens[to] as (typeof tokens)[number];
      if (one.kind !== 'number' && one.kind !== 'word' && one.kind !== 'sign') break;
      joined += `${to > at && one.spaced ? ' ' : ''}${one.text}`;
      if (kind === 'number') {
        if (CLOCK.test(joined)) add('clock', at, to + 1, joined);
        if (DATE.test(joined)) add('date', at, to + 1, { text: joined } satisfies Moment, 0.1);
        if (STAMP.test(joined)) add('date', at, to + 1, { text: joined, timed: true } satisfies Moment, 0.1);
      } else if (to < at + 4 && one.kind === 'word' && lower !== 'the' && isZone(joined))
        add('zone', at, to + 1, joined);
    }
  }
};

/** Without a "time" behind it, which rules have. */
const isZone = (text: string): boolean =>
  zoneOf(text) !== undefined && !(/ time$/i.test(text) && zoneOf(text.slice(0, -5)) !== undefined);

const when = (text: string, { now, time_zone }: Setting, prefer?: 'past' | 'near'): When | undefined =>
  parseWhen(text, now, time_zone, prefer === undefined ? {} : { prefer });

/** A date that can be read, or undefined. */
const day = (text: string, setting: Setting, more: Partial<Moment> = {}): Moment | undefined =>
  when(text, setting) === undefined ? undefined : { text, ...more };

/** The date and time of a moment with its length, in figures. */
function fixed({ text, length, timed }: Moment, setting: Setting): Moment | undefined {
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

const NOW: Moment = { text: 'today' };
const question = (what: string, { text }: Moment, more: Readonly<Record<string, string>> = {}): Request =>
  asks('time', { what, date: text, ...more });
/** What is asked about a moment, which is computed first where it has a length. */
const about = (
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
function between(a: Moment, b: Moment, unit: string | undefined, setting: Setting): Request | undefined {
  const [from, to] = [a, b].map((one) => (one.length === undefined ? one : fixed(one, setting)));
  return from && to && question('between', from, { to: to.text, ...inUnit(unit) });
}
/** The earlier or later of two dates. */
function ordered(a: Moment, b: Moment, later: boolean, setting: Setting): Request | undefined {
  const [one, other] = [when(a.text, setting), when(b.text, setting)];
  if (one === undefined || other === undefined || one.at === other.at) return undefined;
  return dated(one.at > other.at === later ? a : b);
}

/** Dates, times, lengths of time, and what is asked about them. */
export const TIMES: Domain = {
  lexicon: {
    month: named(MONTHS, (name) => (name === 'may' ? 'may' : name === 'september' ? 'sept|sep' : name.slice(0, 3))),
    weekday: named(
      DAYS,
      (name) =>
        `${name}s|${name.slice(0, 3)}|${{ t: name.slice(0, 4), w: 'weds' }[name[0] as 't'] ?? name.slice(0, 3)}`,
    ),
    ordinal: { ...Object.fromEntries(ORDINALS.map((name, at) => [name, at + 1])), last: -1 },
    today: { today: 'today', tomorrow: 'tomorrow', yesterday: 'yesterday', now: 'now', 'right now': 'now' },
    holiday: Object.fromEntries(
      "christmas eve|christmas|christmas day|xmas|boxing day|new year's eve|new year's day|new year|new years|halloween|valentine's day|valentines day|st patrick's day|independence day|good friday|easter|easter sunday|easter monday|ascension day|pentecost|thanksgiving|black friday|labor day|memorial day|mother's day|father's day"
        .split('|')
        .map((name) => [name, name]),
    ),
    clock: { noon: 'noon', midnight: 'midnight', midday: 'noon' },
    span: { week: 'week', month: 'month', year: 'year' },
    shift: { 'this|the': 0, 'next|the next': 1, 'last|the last': -1 },
    edge: { 'end|last day': 'end', 'start|beginning|first day': 'start' },
    counted: {
      'days|day|nights': 'days',
      'weeks|week': 'weeks',
      'months|month': 'months',
      'years|year': 'years',
      'hours|hour|hrs': 'hours',
      'minutes|minute|mins': 'minutes',
      'seconds|second|secs': 'seconds',
      'business days|working days|workdays|weekdays|business day|working day': 'business',
    },
    UNTIL: 'until|till|to|before|til|left until|left till|to go until|remaining until|left before',
    SINCE: 'since|have passed since|passed since|has it been since|have gone by since|is it since',
    THERE: 'are there|is it|are|is|left|do i have|do we have|are left|remain|remaining|there are|there is|will it be',
    WORKDAYS:
      'excluding weekends|without weekends|not counting weekends|excluding the weekends|without the weekends|except weekends|skipping weekends|ignoring weekends',
    WHATS:
      "what is|what's|whats|what was|when is|when's|when was|when will be|what will be|which is|tell me|give me|calculate|find|on what date is|what date is|what date was|what date will be|which date is|when does|what would be|what will the date be|what date will it be|what day will it be|what's the date",
    BEGINS:
      'starts|begins|is|runs|goes|starts at|begins at|is at|runs from|started|began|started at|is from|opens|opens at|from',
    ENDS: 'ends|finishes|stops|ends at|finishes at|until|to|till|lasts until|ended|ended at|closes|closes at',
  },
  recognize,
  tests: {
    year: ({ plain, ops }: Num) =>
      ops === 0 && Number.isInteger(plain) && (plain as number) > 999 && (plain as number) < 10_000,
    day: ({ plain, ops, kind }: Num) =>
      kind === 'number' && ops === 0 && Number.isInteger(plain) && (plain as number) > 0 && (plain as number) < 32,
    time: ({ kind, ops }: Num) => kind === 'time' && ops === 0,
    yearless: ({ yearless }: Moment) => yearless === true,
    untimed: ({ timed, length }: Moment) => timed !== true && length === undefined,
    timed: ({ timed }: Moment) => timed === true,
    asks: ({ asks: own }: Moment) => own === true,
  },
  rules: [
    rule('length', '<number:time>', ([n]: [Num]) =>
      n.said !== undefined && lengthOf(n.said) !== undefined ? n.said : undefined,
    ),
    rule('length', '<number:whole> (business|working) (days|day)', ([n]: [Num]) => `${n.plain} business days`),
    rule('length', '<number:whole> (days|day) WORKDAYS', ([n]: [Num]) => `${n.plain} business days`),
    rule('length', '(a|one) day', () => '1 day'),
    // Days.
    rule('date', '<today>', ([text]: [string]) => ({ text, ...(text === 'now' && { timed: true }) })),
    rule('date', 'the? day before yesterday', (_: [], setting: Setting) =>
      away({ text: 'yesterday' }, '-', '1 day', setting),
    ),
    rule('date', 'the? day after tomorrow', (_: [], setting: Setting) =>
      away({ text: 'tomorrow' }, '', '1 day', setting),
    ),
    rule('date', '<month> the? <number:day>', ([m, d]: [string, Num], s: Setting) =>
      day(`${m} ${d.plain}`, s, { yearless: true }),
    ),
    rule('date', '<month> the? <ordinal>', ([m, d]: [string, number], s: Setting) =>
      day(`${m} ${d}`, s, { yearless: true }),
    ),
    rule('date', '<number:day> of? <month>', ([d, m]: [Num, string], s: Setting) =>
      day(`${m} ${d.plain}`, s, { yearless: true }),
    ),
    rule('date', 'the? <ordinal> of? <month>', ([d, m]: [number, string], s: Setting) =>
      day(`${m} ${d}`, s, { yearless: true }),
    ),
    rule('date', '<date:yearless> (,|of|in)? <number:year>', ([{ text }, year]: [Moment, Num], s: Setting) =>
      day(`${text}, ${year.plain}`, s),
    ),
    rule(
      'date',
      '(the|on the) <ordinal>',
      ([d]: [number], s: Setting) => (d > 0 ? day(`the ${d}${['', 'st', 'nd', 'rd'][d % 10] ?? 'th'}`, s) : undefined),
      -0.2,
    ),
    rule('date', 'this? <weekday>', ([text]: [string], s: Setting) => day(text, s)),
    rule('date', '(next|coming) <weekday>', ([text]: [string], s: Setting) => day(`next ${text}`, s, { asks: true })),
    rule('date', '(last|past) <weekday>', ([text]: [string], s: Setting) => day(`last ${text}`, s, { asks: true })),
    rule('date', '<holiday> (of|in)? <number:year>?', ([text, year]: [string, Num | undefined], s: Setting) =>
      day(year === undefined ? text : `${text} ${year.plain}`, s),
    ),
    rule(
      'date',
      'the? <ordinal> <weekday> (of|in) <month> <number:year>?',
      ([nth, weekday, month, year]: [number, string, string, Num | undefined], s: Setting) =>
        day(
          `the ${nth < 0 ? 'last' : ORDINALS[nth - 1]} ${weekday} of ${month}${year === undefined ? '' : ` ${year.plain}`}`,
          s,
          { asks: true },
        ),
    ),
    rule(
      'date',
      'the? <ordinal> <weekday> (of|in) <shift> month',
      ([nth, weekday, by]: [number, string, number], s: Setting) => {
        const { month, year } = todayIn(s.now, s.time_zone).add({ months: by });
        const name = `${nth < 0 ? 'last' : ORDINALS[nth - 1]} ${weekday} of ${MONTHS[month - 1]} ${year}`;
        return day(`the ${name}`, s, { asks: true });
      },
    ),
    rule(
      'date',
      'the? <edge> of <month> <number:year>?',
      ([edge, month, year]: [string, string, Num | undefined], s: Setting) =>
        day(`${edge === 'end' ? 'last' : 'first'} day of ${month}${year === undefined ? '' : ` ${year.plain}`}`, s, {
          asks: true,
        }),
    ),
    rule('date', 'the? <edge> of (the|this) <span>', ([edge, span]: [string, string], s: Setting) =>
      day(`${edge} of the ${span}`, s, { asks: true }),
    ),
    rule('date', 'the? <edge> of next <span>', ([edge, span]: [string, string], s: Setting) =>
      day(`${edge} of next ${span}`, s, { asks: true }),
    ),
    rule('date', 'on <date:untimed>', ([date]: [Moment]) => date, -0.05),
    // Times.
    rule('date', 'at? <clock>', ([clock]: [string], s: Setting) => day(clock, s, { timed: true })),
    rule('date', '<date:untimed> (at|,)? <clock>', ([{ text }, clock]: [Moment, string], s: Setting) =>
      day(`${text} ${clock}`, s, { timed: true }),
    ),
    rule('date', '<clock> (on|,)? <date:untimed>', ([clock, { text }]: [string, Moment], s: Setting) =>
      day(`${text} ${clock}`, s, { timed: true }),
    ),
    rule(
      'date',
      '<clock> in? <zone> time? (on|,)? <date:untimed>',
      ([clock, zone, { text }]: [string, string, Moment], s: Setting) =>
        day(`${text} ${clock} ${zone} time`, s, { timed: true }),
    ),
    rule('date', '<date:timed> in? <zone> time?', ([{ text }, zone]: [Moment, string], s: Setting) =>
      day(`${text} ${zone} time`, s, { timed: true }),
    ),
    // Composition.
    rule('date', '<length> (before|prior to) <date>', ([length, date]: [string, Moment], s: Setting) =>
      away(date, '-', length, s),
    ),
    rule('date', '<length> (after|from|past|following) <date>', ([length, date]: [string, Moment], s: Setting) =>
      away(date, '', length, s),
    ),
    rule(
      'date',
      '<length> before (my|the|our) … at <date>',
      ([length, thing, date]: [string, Free, Moment], s: Setting) =>
        isThing(thing.text) ? away(date, '-', length, s) : undefined,
      -0.3,
    ),
    rule(
      'date',
      '<length> after (my|the|our) … at <date>',
      ([length, thing, date]: [string, Free, Moment], s: Setting) =>
        isThing(thing.text) ? away(date, '', length, s) : undefined,
      -0.3,
    ),
    rule('date', '<length> ago', ([length]: [string], s: Setting) => away(NOW, '-', length, s)),
    rule('date', 'in <length>', ([length]: [string], s: Setting) => away(NOW, '', length, s)),
    rule('date', '<number:whole> days from (now|today) WORKDAYS', ([n]: [Num], s: Setting) =>
      away(NOW, '', `${n.plain} business days`, s),
    ),
    rule('date', '<date> (plus|+) <length>', ([date, length]: [Moment, string], s: Setting) =>
      away(date, '', length, s),
    ),
    rule('date', '<date> (minus|-) <length>', ([date, length]: [Moment, string], s: Setting) =>
      away(date, '-', length, s),
    ),
    rule('date', 'add <length> to <date>', ([length, date]: [string, Moment], s: Setting) => away(date, '', length, s)),
    rule('date', '(subtract|take|deduct) <length> from <date>', ([length, date]: [string, Moment], s: Setting) =>
      away(date, '-', length, s),
    ),
    // Questions.
    rule('request', '<date:asks>', ([date]: [Moment]) => dated(date), -0.1),
    rule(
      'request',
      'WHATS (the|the date|date|the date of|the date for|the day|the day of|the date on)? <date:asks>',
      ([date]: [Moment]) => dated(date),
    ),
    rule('request', 'WHATS (the date|the date of|date) <date>', ([date]: [Moment]) => dated(date)),
    rule('request', '(when|on what day|on which day|on what date) (is|was|will) <date:asks>', ([date]: [Moment]) =>
      dated(date),
    ),
    rule(
      'request',
      '(what|which) (day|weekday|day of the week) (is|was|will it be|is it|was it|does|will|of the week is) <date> (fall on|fall|be|on)?',
      ([date]: [Moment], s: Setting) => (date.length === undefined ? about('weekday', date, s) : dated(date)),
    ),
    rule('request', 'how many <counted> THERE? there? UNTIL <date>', ([unit, date]: [string, Moment], s: Setting) =>
      about('until', date, s, { unit }),
    ),
    rule('request', 'in how many <counted> (is|will it be) <date>', ([unit, date]: [string, Moment], s: Setting) =>
      about('until', date, s, { unit }),
    ),
    rule('request', '<counted> (until|till) <date>', ([unit, date]: [string, Moment], s: Setting) =>
      about('until', date, s, { unit }),
    ),
    rule('request', '(how long|how much time) THERE? (until|till|before) <date>', ([date]: [Moment], s: Setting) =>
      about('until', date, s),
    ),
    rule(
      'request',
      'how many <counted> and <counted> THERE? UNTIL <date>',
      ([a, b, date]: [string, string, Moment], s: Setting) => parts(a, b, about('until', date, s, { unit: b })),
    ),
    rule(
      'request',
      'how many <counted> and <counted> THERE? (between|from) <date> (and|to|until|till) <date>',
      ([a, b, from, to]: [string, string, Moment, Moment], s: Setting) => parts(a, b, between(from, to, b, s)),
    ),
    rule('request', 'how many <counted> THERE? SINCE <date>', ([unit, date]: [string, Moment], s: Setting) =>
      about('since', date, s, { unit }),
    ),
    rule(
      'request',
      'how many <counted> THERE? (between|from) <date> (and|to|until|till|through) <date>',
      ([unit, a, b]: [string, Moment, Moment], s: Setting) => between(a, b, unit, s),
    ),
    rule(
      'request',
      'how many days THERE? (between|from) <date> (and|to|until|till) <date> WORKDAYS',
      ([a, b]: [Moment, Moment], s: Setting) => between(a, b, 'business', s),
    ),
    rule('request', 'how many days THERE? UNTIL <date> WORKDAYS', ([date]: [Moment], s: Setting) =>
      about('until', date, s, { unit: 'business' }),
    ),
    rule(
      'request',
      '(from|between)? <date> (and|to|until|till) <date> ,? (in|is how many|how many) <counted> (is that|is it|are that|are there|is this)?',
      ([a, b, unit]: [Moment, Moment, string], s: Setting) => between(a, b, unit, s),
    ),
    rule(
      'request',
      '(how long|how much time) (is it|is|does it take|passes)? (between|from) <date> (and|to|until|till) <date>',
      ([a, b]: [Moment, Moment], s: Setting) => between(a, b, undefined, s),
    ),
    rule(
      'request',
      '(from|between) <date> (and|to|until|till) <date> ,? (how long|how much time) (is that|is it|is this)?',
      ([a, b]: [Moment, Moment], s: Setting) => between(a, b, undefined, s),
    ),
    rule(
      'request',
      '(my|the|a|our) … BEGINS <date:timed> (and|,)? ENDS <date:timed> ,? (how long|how many hours) (is it|is that|does it last|does it take|is the shift|do i work|in total)?',
      ([thing, a, b]: [Free, Moment, Moment], s: Setting) =>
        isThing(thing.text) ? between(a, b, undefined, s) : undefined,
      -0.3,
    ),
    rule(
      'request',
      '(i|we) (work|worked|slept|sleep|am open|are open|drove) from <date:timed> (to|until|till) <date:timed> ,? (how long|how many hours) (is it|is that|was that|did i sleep|do i work)?',
      ([a, b]: [Moment, Moment], s: Setting) => between(a, b, 'hours', s),
    ),
    rule(
      'request',
      '(which|what) (is|date is|comes|day is|one is) (later|last|more recent) (,|:)? <date> or <date>',
      ([a, b]: [Moment, Moment], s: Setting) => ordered(a, b, true, s),
    ),
    rule(
      'request',
      '(which|what) (is|date is|comes|day is|one is) (earlier|first|sooner) (,|:)? <date> or <date>',
      ([a, b]: [Moment, Moment], s: Setting) => ordered(a, b, false, s),
    ),
    rule('request', 'is <date> (before|earlier than) <date>', ([a, b]: [Moment, Moment], s: Setting) =>
      earlier(a, b, s),
    ),
    rule('request', 'is <date> (after|later than) <date>', ([a, b]: [Moment, Moment], s: Setting) => earlier(b, a, s)),
    rule(
      'request',
      '(is|was|will) <date> be? (a|on a|on the)? (weekend day|weekend|day of the weekend)',
      ([date]: [Moment], s: Setting) => about('weekend', date, s),
    ),
    rule(
      'request',
      '(how many|number of) <weekday> (are there|are|there are)? in <month> <number:year>?',
      ([weekday, month, year]: [string, string, Num | undefined], s: Setting) =>
        asks('time', {
          what: 'count',
          date: `${month} ${year?.plain ?? todayIn(s.now, s.time_zone).year}`,
          to: weekday,
        }),
    ),
    rule('request', 'what time (will it be|is it) in <length> in <zone>', ([length, place]: [string, string]) =>
      asks('time', { what: 'add', date: 'now', length, place }),
    ),
    rule('request', 'what time (was it|is it) <length> ago in <zone>', ([length, place]: [string, string]) =>
      asks('time', { what: 'add', date: 'now', length: `-${length}`, place }),
    ),
    rule(
      'request',
      '(my|the|our|a) … BEGINS <date:timed> ,? (so|and)? (what time is that|what time is it|when is that|what is that|which time is that) (in|for) <zone>',
      ([thing, { text }, to]: [Free, Moment, string]) =>
        isThing(thing.text) ? asks('convert', { from: text, to }) : undefined,
      -0.3,
    ),
  ],
};

const isThing = (text: string): boolean =>
  /^(?:[\p{L}-]{1,20} ?){1,3}$/u.test(text) &&
  !/\b(?:not|and|or|to|but|only|except|each|with|without|is|was|every)\b/i.test(text);

function earlier(a: Moment, b: Moment, setting: Setting): Request | undefined {
  const [one, other] = [a, b].map((moment) => (moment.length === undefined ? moment : fixed(moment, setting)));
  return one && other && question('before', one, { to: other.text });
}

/** A count in the smaller unit, and then in both. */
function parts(large: string, small: string, counted: Request | undefined): Request | undefined {
  const order = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];
  if (counted === undefined || order.indexOf(large) >= order.indexOf(small)) return undefined;
  return {
    steps: [...counted.steps, { task: 'convert', input: { from: `{{+1}} ${small}`, to: `${large} and ${small}` } }],
  };
}
