import { BLANKS, withoutTrailing } from '../../core/values/trailing.ts';
import type { Clause, Reading } from '../clause.ts';
import { operand } from '../clause.ts';
import { anyOf } from '../words/any-of.ts';
import { parseWhen } from '../words/dates.ts';
import { lengthOf, unitOfTime } from '../words/durations.ts';
import { zoneOf } from '../words/zones.ts';

/** Maximum characters of a question. */
const MAX_TEXT = 300;
const BEGINS =
  /^(?:what|which|when|how|first|last|time|date|today|current|now|the |tell|show|give|get|calculate|compute|find|count|days?|weeks?|months?|years?|hours?|minutes?|number|business|working|work|weekdays?|age|is |was |will |next|unix|epoch|timestamp|convert|turn|difference|[\d{]|an? |half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|it|now|yesterday|tomorrow|leap|countdown|on (?:what|which)|add|subtract|take |deduct|(?:i|he|she|they|we)(?: was| were|['’]s|['’]m) |my birth|my date of birth|if )/i;
const LEAD =
  /^(?:(?:tell|show|give|get) (?:me|us)|get (?=the |today)|(?:what(?:['’]?s| is| was| will be| are| would be)|calculate|compute|find|figure out|count|if) (?:the |a )?|the |do you know )\s*/i;
const ASIDE = /,? (?:please|right now|now|currently|at the moment|today|exactly|again|for me)$/i;

type Input = { readonly what: string; readonly [name: string]: string };
type Rule = readonly [
  pattern: RegExp,
  sure: number,
  make: (parts: readonly string[], clause: Clause) => Input | undefined,
];

const UNIT = '(seconds?|minutes?|hours?|(?:(?:business|working|work|week) ?)?days?|weeks?|months?|years?)';
const place = (name: string): { readonly place?: string } => {
  const plain = name.replace(ASIDE, '');
  return plain === '' ? {} : { place: plain };
};
/** "In Tokyo when it is 3 pm in Berlin" is a conversion. */
const NOW_ELSEWHERE = / (?:when|if) /i;

/** Patterns for a question without its introduction; the first match is used. */
const RULES: readonly Rule[] = [
  [
    /^(?:(?:what|which) )?(?:(?:is )?(?:current |local |exact )*time(?: is it| it is| is)?|what time|time is it|clock)(?: right now| now| currently)?(?: (?:over )?(?:in|at|for) (.+))?$/i,
    0.95,
    ([at = '']) => (NOW_ELSEWHERE.test(at) ? undefined : { what: 'now', ...place(at) }),
  ],
  [
    /^(?:(?:what|which) )?(?:current |local )?time (?:of day )?(?:(?:do|does) (?:they|people|it) (?:have|show) (?:over )?)?(?:in|at|for) (.+)$/i,
    0.95,
    ([at = '']) => (NOW_ELSEWHERE.test(at) ? undefined : { what: 'now', ...place(at) }),
  ],
  [
    /^(.{2,40}?)(?: local)? time$/i,
    0.8,
    ([at = '']) => (zoneOf(at) === undefined ? undefined : { what: 'now', place: at }),
  ],
  [
    /^(?:(?:(?:what|which) )?(?:day|date)(?: of (?:the )?week)?(?: is (?:it|today|this)| it is| is| today)?|today(?:['’]?s)?(?: date)?|(?:current|today['’]?s) (?:date|day)|date today)(?: (?:in|at) (.+))?$/i,
    0.92,
    ([at = '']) => (at !== '' && zoneOf(at) === undefined ? undefined : { what: 'date', ...place(at) }),
  ],
  [
    /^(?:(?:what|which) )?(?:is )?(?:the )?(?:current |unix |epoch )*(?:unix|epoch)(?: epoch)?(?: ?(?:time ?stamp|time|seconds))?(?: now)?$/i,
    0.95,
    () => ({ what: 'unix', date: 'now' }),
  ],
  [/^(?:current )?time ?stamp$/i, 0.75, () => ({ what: 'unix', date: 'now' })],
  [
    /^(?:convert |turn )?(?:the )?(?:unix |epoch )?(?:time ?stamp |time )?(-?\d{9,13}) (?:to|into|as|in) (?:an? )?(?:human )?(?:readable )?(?:date|time|datetime|utc|date and time)$/i,
    0.97,
    ([date = '']) => ({ what: 'from_unix', date }),
  ],
  [
    /^(?:convert |turn )?(?:the )?(?:unix|epoch) (?:time ?stamp |time )?(-?\d{1,13})(?: (?:to|into|as|in) (?:an? )?(?:human )?(?:readable )?(?:date|time|datetime|utc))?$/i,
    0.97,
    ([date = '']) => ({ what: 'from_unix', date }),
  ],
  [
    /^(?:convert )?(.+?) (?:to|into|as|in) (?:an? )?(?:unix|epoch)(?: ?time ?stamp| time)?$/i,
    0.95,
    ([date = '']) => ({ what: 'unix', date }),
  ],
  [/^(?:unix|epoch)(?: ?time ?stamp| time)? (?:of|for|at) (.+)$/i, 0.95, ([date = '']) => ({ what: 'unix', date })],
  [
    /^(?:is|was|will) (?:the year )?(\d{1,4})(?: be)? (?:an? )?leap(?: ?year)?$/i,
    1,
    ([date = '']) => ({ what: 'leap', date }),
  ],
  [
    /^(?:is|was) (this|next|last) year a leap ?year$|^is it a leap ?year(?: this year| now)?$/i,
    1,
    ([date = 'this']) => ({ what: 'leap', date: `${date || 'this'} year` }),
  ],
  [
    /^(?:(?:when|(?:what|which) (?:day|date|year))(?:['’]?s| is| will be| has)?(?: the| a)? )?next (?:leap ?(?:day|year)|(?:the )?29(?:th)?(?: of)? feb(?:ruary)?|feb(?:ruary)? (?:the )?29(?:th)?)$/i,
    1,
    () => ({ what: 'next', date: 'leap day' }),
  ],
  [
    /^(?:when(?:['’]?s| is| will be))?(?: ?the)? ?next (friday|monday|tuesday|wednesday|thursday|saturday|sunday) the (\d{1,2})(?:st|nd|rd|th)?$/i,
    1,
    ([day = '', n = '']) => ({ what: 'next', date: `${day} the ${n}` }),
  ],
  [
    /^(?:(?:which|what) )?(?:calendar |iso )?week(?: number)?(?: (?:is it|is this|are we in|it is|of the year))?$/i,
    0.9,
    () => ({ what: 'week', date: 'today' }),
  ],
  [
    /^(?:(?:which|what) )?(?:calendar |iso )?week(?: ?number| of the year)? (?:of|for|is|on|in|contains) (.+)$/i,
    0.92,
    ([date = '']) => (date === 'the year' ? undefined : { what: 'week', date }),
  ],
  [
    /^(?:number of |how many )?days (?:are )?(?:there )?in (january|february|march|april|may|june|july|august|september|october|november|december|(?:this|next) (?:month|year))(?:,? (?:of )?(\d{4}))?(?: have)?$/i,
    0.95,
    ([month = '', year = '']) => ({ what: 'month_days', date: `${month}${year === '' ? '' : ` ${year}`}` }),
  ],
  [/^(?:number of |how many )?days (?:does|do) (.+) have$/i, 0.9, ([date = '']) => ({ what: 'month_days', date })],
  [
    /^how old (?:am i|is (?:someone|somebody|he|she|a person)|are you|would (?:i|someone) be|was .{1,30}) (?:if |when |who )?(?:i |he |she |they )?(?:was |is |were |am )?(?:born )(?:on |in )?(.+)$/i,
    0.97,
    ([date = '']) => ({ what: 'age', date }),
  ],
  [
    new RegExp(
      `^(?:(?:i|he|she|they|it|we)(?: was| were|['’]s|['’]m) (?:born |founded |married |there )?(?:on |in )?|my (?:birthday|birth ?date|date of birth) (?:is|was) )(.+?),? (?:so |and )?how many ${UNIT} (?:(?:ago )?(?:is|was) (?:that|it)(?: ago| now| since)?|old am i|have passed(?: since)?|have i (?:lived|been alive))$`,
      'i',
    ),
    0.95,
    ([date = '', unit = '']) => ({ what: 'since', date, unit }),
  ],
  [
    /^age (?:of )?(?:someone |somebody |a person |me |anyone )?(?:who (?:was|is) )?(?:if )?(?:i was )?(?:born|with birthday) (?:on |in )?(.+)$/i,
    0.97,
    ([date = '']) => ({ what: 'age', date }),
  ],
  [
    /^(?:time |hour )?(?:zone )?difference (?:in time |in hours )?between (.+) and (.+)$|^how many hours (?:ahead|behind|apart) (?:is|are) (.+) (?:of|from|and|than) (.+)$/i,
    0.93,
    ([a = '', b = '', c = '', d = '']) => {
      const [from, to] = a === '' ? [d, c] : [a, b];
      if (zoneOf(from) !== undefined && zoneOf(to) !== undefined) return { what: 'zones', date: from, to };
      const numbers = /^[$€£\d.,%]+$/.test(from) && /^[$€£\d.,%]+$/.test(to);
      return !numbers && /\d/.test(from) && /\d/.test(to) ? { what: 'between', date: from, to } : undefined;
    },
  ],
  [
    new RegExp(
      `^(?:how many |number of |amount of )?${UNIT} (?:are )?(?:there )?(?:left )?(?:(?:between|from) (.+?) (?:and|to|till|until) (.+))$`,
      'i',
    ),
    0.95,
    ([unit = '', date = '', to = '']) => ({ what: 'between', date, to, unit }),
  ],
  [
    /^(?:how (?:long|much time)|time|difference|duration)(?: is it| is there| is| passed)? (?:between|from) (.+?) (?:and|to|till|until) (.+)$/i,
    0.9,
    ([date = '', to = '']) => ({ what: 'between', date, to }),
  ],
  [
    new RegExp(
      `^(?:how many |number of |count )?${UNIT} (?:are |is )?(?:there |it |do we have )?(?:left |remaining |to go )?(?:until|till|til|to|before) (.+)$`,
      'i',
    ),
    0.95,
    ([unit = '', date = '']) => ({ what: 'until', date, unit }),
  ],
  [
    new RegExp(
      `^(?:how many |number of )${UNIT} (?:are |is )?(?:there )?(?:left|remaining) (?:in )?(?:the |this )?(year|month|week)$`,
      'i',
    ),
    0.95,
    ([unit = '', span = '']) => ({ what: 'until', date: `start of next ${span}`, unit }),
  ],
  [
    /^(?:how (?:long|much time|far)(?: is it| is there| do we have| away is)?(?: left)?|time(?: left)?|countdown) (?:until|till|til|to|before) (.+)$/i,
    0.93,
    ([date = '']) => ({ what: 'until', date }),
  ],
  [
    new RegExp(
      `^(?:how many |number of )?${UNIT} (?:have |has )?(?:it )?(?:been )?(?:passed |gone by |elapsed )?(?:since|after) (.+)$`,
      'i',
    ),
    0.95,
    // "The day after Christmas" is one.
    ([unit = '', date = ''], { text }) =>
      /^(?:the )?[a-z]+ after/i.test(text) ? undefined : { what: 'since', date, unit },
  ],
  [
    /^(?:(?:what|which) )?(?:(?:day|date) (?:is|was|will be) )?(?:the )?day (after|before) (.+)$/i,
    0.92,
    ([way = '', date = '']) => ({ what: 'add', date, length: /after/i.test(way) ? '1 day' : '-1 day' }),
  ],
  [
    /^(?:how (?:long|much time)(?: is it| has it been| has passed| ago was)?|time) (?:since )?(.+)$/i,
    0.9,
    ([date = ''], clause) => (/since|ago was/i.test(clause.text) ? { what: 'since', date } : undefined),
  ],
  [
    /^(?:on )?(?:(?:what|which) )?(?:day|weekday)(?: of (?:the )?week)? (?:is|was|will|does|did|of|for|on)(?: be)? (.+?)(?: (?:be|fall|falls|land|on))*$/i,
    0.92,
    ([date = '']) => ({ what: 'weekday', date: date.replace(/^on /i, '') }),
  ],
  [
    /^(yesterday|tomorrow)['’]?s (date|day|weekday)$/i,
    0.95,
    ([date = '', what = '']) => ({ what: /^date/i.test(what) ? 'day' : 'weekday', date }),
  ],
  [/^weekday (?:of|for|on) (.+)$/i, 0.95, ([date = '']) => ({ what: 'weekday', date })],
  [/^(?:is|was|will) (.+) (?:be )?a weekday$/i, 0.85, ([date = '']) => ({ what: 'weekday', date })],
  [
    /^(?:what )?(?:day|date|time)?(?: is it| will it be| was it| is| was| of)?(?: the)? ?(.+?) (from|after|before|ago|hence|later|earlier)(?: (.+))?$/i,
    0.93,
    ([length = '', way = '', date = '']) => {
      if (!isLength(length)) return undefined;
      const back = /^(?:before|ago|earlier)$/i.test(way);
      return { what: 'add', date: date === '' ? 'now' : date, length: `${back ? '-' : ''}${length}` };
    },
  ],
  [
    /^(?:what )?(?:day|date|time)?(?: is it| will it be| will be| is)? ?in (.+)$/i,
    0.88,
    ([length = '']) => (isLength(length) ? { what: 'add', date: 'now', length } : undefined),
  ],
  [
    /^(.+?) (?:\+|plus|-|minus) (.+)$/i,
    0.8,
    ([date = '', length = ''], clause) => {
      if (!isLength(length) || !/[a-z]{3}|\d[-/:]\d/i.test(date) || isLength(date)) return undefined;
      if (parseWhen(date, clause.now, clause.time_zone) === undefined) return undefined;
      return { what: 'add', date, length: `${/ (?:-|minus) /i.test(clause.text) ? '-' : ''}${length}` };
    },
  ],
  [
    /^add (.+) to (.+)$/i,
    0.9,
    ([length = '', date = ''], clause) => {
      if (!isLength(length) || !isDate(date, clause)) return undefined;
      return { what: 'add', date, length };
    },
  ],
  [
    /^(?:subtract|take|deduct) (.+?)(?: away| off)? from (.+)$/i,
    0.9,
    ([length = '', date = ''], clause) => {
      if (!isLength(length) || !isDate(date, clause)) return undefined;
      return { what: 'add', date, length: `-${length}` };
    },
  ],
  [
    /^(?:(?:what|which) )?date (?:is |was |will be |will it be |falls )?(?:on )?(.+)$/i,
    0.88,
    ([date = ''], clause) => dated(date, clause),
  ],
  [
    /^(?:when(?:['’]?s| is| was| will be| are)|date of|on (?:what|which) (?:day|date) (?:is|does))(?: the)? (.+?)(?: fall)?$/i,
    0.9,
    ([date = ''], clause) => dated(date, clause),
  ],
  [/^(?:the )?((?:first|last) day of .+)$/i, 0.9, ([date = ''], clause) => dated(date, clause)],
  [
    /^next ((?:full )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i,
    0.7,
    ([day = '']) => ({ what: 'next', date: day.replace(/^full /i, '') }),
  ],
];

const SOME_RULE = anyOf(RULES.map(([pattern]) => pattern));

/** Whether a text is a date or the result of a step about time. */
const isDate = (text: string, clause: Clause): boolean =>
  parseWhen(text, clause.now, clause.time_zone) !== undefined ||
  (clause.after === 'time' && /^\{\{[\w.]+\}\}$/.test(operand(text, clause)));

const isLength = (text: string): boolean => /\d|^an?\b|^half|^[a-z]+ /i.test(text) && lengthOf(text) !== undefined;

/** Reads "when is …" for dates only, because other events have no known time. */
function dated(text: string, clause: Clause): Input | undefined {
  const plain = text.replace(/^next full /i, 'next ').replace(/ this year$/i, '');
  const day = /^next ((?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i.exec(plain)?.[1];
  if (day !== undefined) return { what: 'next', date: day };
  return parseWhen(plain.replace(/^next /i, ''), clause.now, clause.time_zone) === undefined
    ? undefined
    : { what: 'day', date: plain.replace(/^next (?!week|month|year)/i, '') };
}

const ASKS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:how (?:many|much) \w+|how long|countdown)(?: are| is it)?(?: left)? (?:until|till|til)$/i, 'Until when?'],
  [/^(?:how (?:many|much) \w+|how long)(?: has it been)? since$/i, 'Since when?'],
  [/^(?:what time is it|time) in$/i, 'Where?'],
];

/** How the task understands an instruction. */
export function readTime(clause: Clause): Reading | undefined {
  const { text } = clause;
  if (text.length > MAX_TEXT || !BEGINS.test(text)) return undefined;
  const own = clause.data === undefined ? text : clause.data.length > MAX_TEXT ? '' : `${text} ${clause.data.trim()}`;
  let plain = withoutTrailing(own, `${BLANKS}?!.`).trim();
  if (plain === '') return undefined;
  for (const [pattern, ask] of ASKS) {
    if (pattern.test(plain))
      return { sure: 0.85, ask, answered: (answer) => `${plain} ${answer.replace(/^(?:until|since|in) /i, '')}` };
  }
  let doubtful: Reading | undefined;
  const short = plain.replace(ASIDE, '');
  const forms = [
    plain,
    short,
    plain.replace(LEAD, ''),
    short.replace(LEAD, ''),
    short.replace(LEAD, '').replace(LEAD, ''),
  ];
  for (const form of new Set(forms)) {
    plain = form;
    if (form === '' || !SOME_RULE.test(form)) continue;
    for (const [pattern, sure, make] of RULES) {
      const found = pattern.exec(form);
      const input =
        found === null
          ? undefined
          : make(
              found.slice(1).map((one) => one ?? ''),
              clause,
            );
      if (input === undefined) continue;
      const date = unreadable(input, clause);
      if (date === undefined) return { sure, input: complete(input, clause) };
      const ask = input.what === 'now' ? whereIs(date) : whenIs(date);
      doubtful ??= { sure: 0.6, ask, answered: (answer) => text.replace(date, answer) };
    }
  }
  return doubtful;
}

const whenIs = (date: string): string =>
  `“${date.slice(0, 60)}” is no date I can read. Which date is it? Write it like 2027-05-31 or “May 31, 2027”.`;

const whereIs = (place: string): string =>
  `I do not know the time zone of “${place.slice(0, 60)}”. Which larger city is near it?`;

/** Questions whose dates must be readable as written. */
const OF_DATES = new Set(['day', 'weekday', 'unix', 'until', 'since', 'between', 'add', 'week']);

/** The question about a date or place that cannot be read; undefined where another pattern may match. */
function unreadable({ what, date = '', to = '', place: at = '' }: Input, clause: Clause): string | undefined {
  if (what === 'now') return at === '' || zoneOf(at) !== undefined ? undefined : at;
  if (!OF_DATES.has(what)) return undefined;
  return [date, to].find((one) => {
    if (one === '' || /^\{\{[\w.]+\}\}$/.test(operand(one, clause))) return false;
    return parseWhen(one, clause.now, clause.time_zone) === undefined;
  });
}

/** Replaces "it" by the date before, and units by their plural. */
function complete(input: Input, clause: Clause): { readonly [name: string]: string } {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === '') continue;
    if (name === 'unit') made[name] = unitOfTime(value) ?? (/^work/i.test(value) ? 'business' : 'days');
    else made[name] = name === 'what' ? value : operand(value, clause);
  }
  return made;
}
