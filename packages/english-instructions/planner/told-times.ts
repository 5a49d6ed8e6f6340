import { spelledToDigits } from '../tasks/words/spelled-numbers.ts';
import { namesNothing } from './quantities.ts';

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'mon tue wed thu fri sat sun'.split(' ');
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const ORDINAL = '\\d{1,2}(?:st|nd|rd|th)?';
const DATE = new RegExp(
  `\\b(?:(?:${WEEKDAY},? )?(?:the )?${ORDINAL}(?: of)? ${MONTH}(?:,? \\d{4})?|${MONTH} ${ORDINAL}(?:,? \\d{4})?|\\d{4}-\\d\\d-\\d\\d)\\b`,
  'g',
);
const DAY = new RegExp(`\\b(?:today|tomorrow|yesterday|(?:next |last |this )?${WEEKDAY})\\b`, 'g');
const CLOCK =
  /\b(?:\d{1,2}[:.]\d\d(?: ?[ap]m\b)?|\d{1,2} ?[ap]m\b|noon\b|midnight\b)(?: (?:in the|this) (?:morning|afternoon|evening)| tonight)?/g;
const LENGTH = /\b\d+(?:\.\d+)? (?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\b/g;
/** "1 hour 15", "an hour and 20 minutes". */
const COMPOUND =
  /\b(an?|\d+) hours? (?:and )?(\d{1,2})(?: (?:minutes?|mins?))?(?! ?[ap]m\b|[\d:.]| [a-z]*(?:hours?|days?|weeks?|%))/g;
/** Words that change what is told of times. */
const UNTOLD =
  /\b(?:not|never|except|excluding|includ\w+|incl|of which|without|unless|working|business|half|quarter|twice|each|only|break|lunch|pause|remind|send|email|or|about|around|n't|don't|doesn't|isn't)\b/;

interface Told {
  readonly told: string;
  readonly question: string;
  readonly dates: readonly string[];
  readonly clocks: readonly string[];
  readonly lengths: readonly string[];
}
type Law = (told: Told) => readonly string[] | undefined;

/** A time of day as `time` reads it: "2:30 in the afternoon" is 2:30 pm. */
function clockOf(text: string): string {
  const [time = ''] = /^\S+(?: ?[ap]m)?/.exec(text) ?? [];
  const hour = Number(/^\d+/.exec(time)?.[0] ?? 0);
  const plain = time.replace('.', ':');
  if (/[apn]/.test(time) || hour > 12 || hour === 0) return plain;
  return /morning$/.test(text) ? `${plain} am` : /(?:afternoon|evening|tonight)$/.test(text) ? `${plain} pm` : plain;
}

const minutesOf = (length: string): number => Number.parseFloat(length) * (/ h/.test(length) ? 60 : 1);
const isShort = (length: string): boolean => / (?:h|min)/.test(length);
const WHEN =
  /^(?:so )?(?:by )?(?:when(?! (?:was|did)\b)|what(?:'s| is|s)? (?:the )?(?:due |new |return |end |expiry )?(?:date|deadline|day)\b|what time|which (?:date|day)\b|until when)/;
/** A length in days of something says which day is the last of it only to those who count the first. */
const LINKED = /\b(?:in|within|after|takes?|needs?|valid|due)(?: \S+){0,2} \d/;

/** A day, and how long after or before it something is. */
const due: Law = ({ told, question, dates, clocks, lengths }) => {
  const [date, another] = dates;
  const [length, more] = lengths;
  if (date === undefined || length === undefined || another !== undefined || more !== undefined || clocks.length > 0)
    return undefined;
  if (!WHEN.test(question) || /^when (?:do|does|will|must) \S+$/.test(question) || isShort(length)) return undefined;
  const behind = told.slice(told.indexOf(length) + length.length);
  if (/^ (?:before|earlier|prior|ahead|ago)\b/.test(behind))
    return /^ ago/.test(behind) ? undefined : [`${length} before ${date}`];
  return LINKED.test(told) || /^ (?:after|later|from then)\b/.test(behind) ? [`${length} after ${date}`] : undefined;
};

const BEGINS = /\b(?:leave|set off|set out|go|start|begin|depart|get up|head off|be ready to)\b/;
const ENDS = /\b(?:arrive|get there|be there|get home|be home|finish|over|end|done|get in|land|get back|be back)\b/;
const JOURNEY =
  /\b(?:takes?|needs?|drive|walk|ride|by (?:bike|car|bus|train)|on foot|away|to get|journey|travel|trip|(?:minutes|hours) to)\b/;
/** "2 hours before" says itself which way it is. */
const WAY = /\d (?:minutes?|mins?|hours?|hrs?) (before|earlier|ahead|prior|later)\b/;
const LASTING = /\b(?:valid|lasts?|open|stay|until)\b/;
/** A time of day, and how long something takes until then or from then on. */
const taken: Law = ({ told, question, dates, clocks, lengths }) => {
  const [clock, another] = clocks;
  if (clock === undefined || another !== undefined || lengths.length === 0 || dates.length > 0) return undefined;
  if (!lengths.every(isShort) || !/^(?:so )?(?:when|what time|by when|at what time)\b/.test(question)) return undefined;
  const [begins, ends] = [BEGINS.test(question), ENDS.test(question)];
  const [, way] = WAY.exec(told) ?? [];
  const minutes = lengths.reduce((all, one) => all + minutesOf(one), 0);
  if (way === undefined && (begins === ends || (begins && (!JOURNEY.test(told) || LASTING.test(told)))))
    return undefined;
  return [
    `${minutes} minutes ${(way === undefined ? begins : way !== 'later') ? 'before' : 'after'} ${clockOf(clock)}`,
  ];
};

const PLACED = /\b(?:flight|flies|fly|plane|lands?)\b|\d (?:in|from|to) (?!the\b)\p{L}/u;
/** From one time of day to another. */
const lasting: Law = ({ told, question, dates, clocks, lengths }) => {
  // From one place to another the clocks may differ.
  if (PLACED.test(told)) return undefined;
  const [from, to, more] = clocks;
  if (from === undefined || to === undefined || more !== undefined || lengths.length > 0 || dates.length > 0)
    return undefined;
  return /^(?:so )?how (?:long|many (?:hours|minutes))\b/.test(question)
    ? [`time from ${clockOf(from)} to ${clockOf(to)}`]
    : undefined;
};

const ELSEWHERE =
  /^(?:so )?what time (?:is|will|would) (?:it|that)(?: be)? (?:(?:for )?(?:me|us|you) )?in ([\p{L} ]{2,30})$/u;
/** A time of day in one place, asked for in another. */
const elsewhere: Law = ({ told, question, dates, clocks, lengths }) => {
  const [clock, another] = clocks;
  const [, to] = ELSEWHERE.exec(question) ?? [];
  if (clock === undefined || another !== undefined || to === undefined || lengths.length + dates.length > 0)
    return undefined;
  const [, from] =
    /^ in ([\p{L} ]{2,30}?)(?: (?:tonight|today|time|now))?$/u.exec(told.slice(told.indexOf(clock) + clock.length)) ??
    [];
  return from === undefined ? undefined : [`${clockOf(clock)} in ${from} in ${to}`];
};

const YEAR = /(?:19|20)\d\d/;
/** How long ago a day of a year was, and what day it was. */
const since: Law = ({ told, question, dates, clocks, lengths }) => {
  const [date = '', until] = dates;
  if (!YEAR.test(date) || clocks.length + lengths.length > 0 || dates.length > 2) return undefined;
  const birthday =
    /\b(?:day of the week|weekday) (?:is|will be|was) (?:my|his|her|their|the) (\d{1,3})(?:st|nd|rd|th) (?:birthday|anniversary)$/.exec(
      question,
    )?.[1];
  if (birthday !== undefined)
    return until === undefined
      ? [`weekday of ${date.replace(YEAR, (year) => String(Number(year) + Number(birthday)))}`]
      : undefined;
  if (/\b(?:day of the week|weekday) (?:was|is) (?:it|that)$/.test(question) && until === undefined)
    return [`weekday of ${date}`];
  const aged =
    /^(?:so )?(?:how old|how many (?:full |whole |complete )?years) (?:is|are|was|were|will|did|does)\b/.test(question);
  if (!aged) return undefined;
  if (until === undefined)
    return /\b(?:on|in|when|next|by)\b/.test(question) ? undefined : [`years between ${date} and today`];
  // The day that is asked about stands in the question.
  const [born, then] = question.includes(date) ? [until, date] : [date, until];
  return /\bborn\b/.test(told) && YEAR.test(born) && question.endsWith(`on ${then}`)
    ? [`years between ${born} and ${then}`]
    : undefined;
};

const COMES_AGAIN = new RegExp(
  `\\b(every (?:(?:second|other|third|fourth) )?${WEEKDAY}),? ((?:start|beginn?)(?:s|ing)(?: on)?|from) `,
);
/** The first days of those that come again. */
const series: Law = ({ told, question, dates: [date, more], clocks, lengths }) => {
  const [, often, start] = COMES_AGAIN.exec(told) ?? [];
  const [, count] =
    /^(?:give me|list|what are|which are|show me|tell me|find) (?:the )?(?:dates of the )?first (\d{1,2}) (?:dates|days|meetings|sessions|classes|ones|times)$/.exec(
      question,
    ) ?? [];
  if (
    often === undefined ||
    start === undefined ||
    count === undefined ||
    date === undefined ||
    more !== undefined ||
    clocks.length + lengths.length > 0
  )
    return undefined;
  return [`${often} starting ${date} first ${count} dates`];
};

const LAWS: readonly Law[] = [due, taken, lasting, elsewhere, since];
const ASKS = /^(?:(?:and|so|then) )*(?:by |at |until )?(?:what|whats|what's|how|which|when|give me|list|tell me)\b/;

const WEEKDAY_FIRST = new RegExp(`^(?:(${WEEKDAY}),? )?(?:the )?(.*)$`);
/** The most days between today and a day without a year that is surely of this one. */
const NEAR = 120;
/** A date with its year, which is that of its weekday or the nearest; undefined where that is not plain. */
function yearOf(date: string, today: Temporal.PlainDate): string | undefined {
  const [, weekday, day = ''] = WEEKDAY_FIRST.exec(date) ?? [];
  const month = MONTHS.indexOf((day.match(/[a-z]{3}/g) ?? []).find((name) => MONTHS.includes(name)) ?? '') + 1;
  const number = Number(/\d+/.exec(day)?.[0]);
  const years = /\d{4}/.test(day) ? [0] : [-1, 0, 1];
  if (years.length === 1 && weekday === undefined) return day;
  const ways = years
    .map((ahead) =>
      Temporal.PlainDate.from({ year: Number(/\d{4}/.exec(day)?.[0] ?? today.year + ahead), month, day: number }),
    )
    .filter(
      (one) =>
        one.day === number &&
        (years.length === 1 || Math.abs(today.until(one).days) <= NEAR) &&
        (weekday === undefined || DAYS[one.dayOfWeek - 1] === weekday.slice(0, 3)),
    );
  return ways.length === 1 ? ways[0]?.toString() : undefined;
}

/** "She was born" is said of the one who is asked about. */
const OF_HER = /(?:^|, )(?:(?:she|he|they|i)(?:'s| is| was| were)? )?born\b/;
const isKnown = (question: string, told: string): boolean =>
  ELSEWHERE.test(question) ||
  namesNothing(
    (OF_HER.test(told) ? question.replace(/\b(?:will|is|was) (?:my |our )?\p{L}+ (?=be\b|on\b)/u, '') : question)
      .replace(DATE, '')
      .replace(CLOCK, '')
      .replace(/\b\d+(?:st|nd|rd|th) |\bfirst \d+ \p{L}+/gu, ''),
    `${told} born`,
  );

/** The instructions for what is asked about days and times that were told. */
export function askedOfTimes(said: string, today: Temporal.PlainDate): readonly string[] | undefined {
  const text = spelledToDigits(said.toLowerCase().replaceAll('’', "'"))
    .replace(/\bif (?=it's|it is)/, '')
    .replace(
      COMPOUND,
      (_, hours: string, rest: string) => `${Number(hours.replace(/^an?$/, '1')) * 60 + Number(rest)} minutes`,
    );
  const parts = text.split(/[.?!;] |, | and (?=(?:what|how|when|which)\b)/).filter((one) => one.trim() !== '');
  const questions = parts.filter((one) => ASKS.test(one)).map((one) => one.replace(/^(?:(?:and|so|then) )+/, ''));
  const told = parts.filter((one) => !ASKS.test(one)).join(', ');
  if (questions.length === 0 || told === '' || UNTOLD.test(told)) return undefined;
  const dates = (text.match(DATE) ?? []).map((date) => yearOf(date, today));
  if (!dates.every((date) => date !== undefined)) return undefined;
  const rest = text.replace(DATE, ' ');
  const clocks = rest.match(CLOCK) ?? [];
  const undated = rest.replace(CLOCK, ' ');
  const lengths = undated.match(LENGTH) ?? [];
  // A figure or a day that no law uses may change what is asked.
  const others = undated.replace(LENGTH, ' ').replace(/\b\d{1,3}(?:st|nd|rd|th)\b|\bfirst \d+/g, ' ');
  if (/\d/.test(others)) return undefined;
  const days = dates.length === 0 && clocks.length === 0 ? (others.match(DAY) ?? []) : [];
  const answers = questions.map((question) => {
    if (!isKnown(question, told)) return undefined;
    for (const law of /\bevery\b/.test(told) ? [series] : LAWS) {
      const found = law({ told, question, dates: dates.length > 0 ? dates : days, clocks, lengths });
      if (found !== undefined) return found;
    }
    return undefined;
  });
  return answers.every((one) => one !== undefined) ? answers.flat() : undefined;
}
