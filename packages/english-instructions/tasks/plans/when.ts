import { DAY, HOUR, MINUTE } from '@mailroom/behavior/values/clock';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { Type } from 'typebox';
import type { Clause } from '../clause.ts';
import { TaskError as Refused } from '../task.ts';
import { inFigures, local, parseWhen, type When, weekdayName } from '../words/dates.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';
import { DEFAULT_HOUR } from './rule-parts.ts';
import { takeRule } from './rule-words.ts';
import { readRule } from './rules.ts';

export type Moment = Pick<Clause, 'now' | 'time_zone'>;

/** The time of something as an input holds it, which means the same on every later day. */
interface Timing {
  /** A single time, RFC 3339. */
  readonly at?: string;
  /** A cron expression of five fields, or words of a rule that is refused when it runs. */
  readonly rule?: string;
  readonly time_zone: string;
  readonly [name: string]: string;
}

/** A timing found in a text. */
export interface Timed {
  readonly timing: Timing;
  /** The words of the timing. */
  readonly words: string;
  /** The rest of the text. */
  readonly rest: string;
  /** Whether it names the time of the day or an interval from now. */
  readonly exact: boolean;
  /** Whether it is not possible; its words are kept, and running it reports the reason. */
  readonly refused?: boolean;
}

const OFTEN = /\b(?:twice|\w+ times) (?:a|an|per|every|each) (?:hour|day|week|month|year)\b/i;
/** The words of a refused time that say how often and not when: "twice a day". */
export const oftenIn = ({ words, refused }: Timed): string | undefined =>
  refused === true ? OFTEN.exec(words)?.[0] : undefined;

/** Loads the date parser, which takes about 100 ms the first time. */
export function warm(): void {
  parseWhen('tomorrow at 9 in Berlin', 0, 'UTC');
}

/** A text that is complete, so that what follows belongs to the whole: a quotation or an address of any kind. */
export const ENDED = /["”»]$|\S@[^\s@]+$|:\/\/\S+$/;

const WORDS = 14;

const FIRST_WORDS =
  String.raw`at on in by this next the tomorrow today tonight yesterday now every each daily hourly weekly monthly yearly annually quarterly nightly weekdays? weekends? noon midnight once twice half from starting after christmas easter end eod cob close cron (?:mon|tues?|wednes|thurs?|fri|satur|sun)days? mon tue tues wed weds thu thur thurs fri sat first lunchtime jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)? last an? one two three five ten \d[\d:.,apmstndrh/-]* \d{4}-\d\d-\d\dT\S+ \*\S* later morning evening mornings evenings`.split(
    ' ',
  );
const FIRST = new RegExp(`^(?:${FIRST_WORDS.join('|')})$`, 'i');
const RULE_WORDS = [
  String.raw`\b(?:every|each|daily|everyday|hourly|weekly|bi-?weekly|monthly|yearly|annually|quarterly|nightly|fortnightly|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days|mornings|evenings|nights|(?:once|twice|times) (?:an?|per)|of the month|cron)\b`,
  String.raw`\*`,
  ' (?:to|through|-) ?(?:mon|tues|wednes|thurs|fri|satur|sun)day',
];
/** Words with which a time repeats. */
export const RULE = new RegExp(`${RULE_WORDS.join('|')}`, 'i');
/** A day of a month, whose existence is checked when it runs. */
const CALENDAR =
  /^(?:on )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?(?![\w/])/i;
const TIMELY_WORDS = [
  String.raw`\d`,
  String.raw`\b(?:half|quarter|five|ten|twenty) (?:past|to)\b`,
  String.raw`\b(?:tomorrow|today|tonight|yesterday|now|noon|midday|midnight|lunchtime|mornings?|afternoons?|evenings?|nights?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:second|minute|min|hour|day|week|weekday|weekend|month|quarter|year|fortnight)s?|every|each|hourly|daily|everyday|weekly|bi-?weekly|monthly|yearly|annually|quarterly|nightly|fortnightly|o['’]clock|christmas|easter|eod|cob|business|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber|mon|tue|wed|thu|fri|sat|sun|hrs?|mins)\b`,
  String.raw`\* \*`,
];
/** Words and signs without which no text contains a time. */
const TIMELY = new RegExp(`${TIMELY_WORDS.join('|')}`, 'i');
const AFTER_NUMBER =
  /^\d+ (?:[ap]\.?m\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|(?:second|minute|hour|day|week|month|year)s? from )/i;
const DANGLING =
  /\b(?:of|to|and|or|than|between|the|per|until|till|since|before|after|an?|is|was|are|were|every|each|with)$/i;
const IS = /\b(?:is|are|was|were)$/i;
const DAYS = /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight)\b/gi;
const ALONE = /^(?:\d+(?:[.,]\d+)?|may|mar|sun|sat|the|an?|one|last|end|in|on|at|now|later|second|once|half)$/i;

const END_OF_DAY =
  /\b(?:at |by )?(?:the )?(?:(?:end|close) of (?:the |this )?(?:(?:business|work(?:ing)?) ?)?(?:day|business)|eod|cob)\b/i;
/** The hour at which a day of work ends, as in "during business hours". */
const END_HOUR = 17;

const SPELLED =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|(?:twenty|thirty|forty|fifty|sixty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?';
/** A number in words of a clock or a length of time: "at eleven in the morning", "in forty minutes". */
const SPELLED_TIME = new RegExp(
  `\\b(at|by|around|in|exactly|about) (${SPELLED})(?= (?:in the (?:morning|afternoon|evening)|at night|o['’]clock|[ap]\\.?m\\b|(?:second|minute|hour|day|week|month|year)s?\\b)|$)`,
  'gi',
);
/** With digits for such numbers, which are as many words. */
const inDigits = (text: string): string =>
  text.replace(SPELLED_TIME, (_, link: string, number: string) => `${link} ${spelledToDigits(number)}`);

/** A clock in words before a part of the day. */
const SPOKEN =
  /\bat (?:an? )?(?:half|quarter|\w+(?:[- ]five)?(?: minutes)?) (?:past|to|after) \w+(?= (?:in the |this |tomorrow )?(?:morning|afternoon|evening|at night|tonight)\b)/gi;

/** Rewrites "at 8 in the evening" as a clock time; a morning begins at nine. */
const plainly = (text: string): string =>
  inDigits(text)
    .replace(/(\d) ?([ap])\.m\b\.?/gi, '$1$2m')
    .replace(/(?<=\d(?: ?[ap]m)?|o['’]clock|noon) (?:sharp|on the dot|exactly|precisely)\b/gi, '')
    .replace(/\bat ([01]\d|2[0-3])([0-5]\d)\b(?! ?[ap]m)/gi, 'at $1:$2')
    .replace(/\b12 (noon|midnight)\b/gi, '$1')
    .replace(/\bnext week,? (?:on )?((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/gi, '$1 of next week')
    .replace(/^first thing (?:on )?(?=tomorrow|in the morning|(?:mon|tues|wednes|thurs|fri|satur|sun)day)/i, '')
    .replace(/\blunch ?time\b/gi, '12:00')
    .replace(
      /\bhalf (?=(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! (?:hour|minute|day|week)))/gi,
      'half past ',
    )
    .replace(/^(?:by |for )(?=\S)/i, '')
    .replace(END_OF_DAY, `at ${END_HOUR}:00`)
    .replace(SPOKEN, inFigures)
    .replace(
      /\b(\d{1,2}(?:[:.]\d{2})?)(?: o['’]?clock)? (?:in the |this |tomorrow )?(morning|afternoon|evening|at night|tonight)\b/gi,
      (whole, hour: string, part: string) => {
        if (Number.parseInt(hour, 10) > 12) return whole;
        return `${hour.replace('.', ':')}${/morning/i.test(part) ? 'am' : 'pm'}${/tomorrow/i.test(whole) ? ' tomorrow' : ''}`;
      },
    )
    .replace(/^(\D*?)\b(?:in the |this )?morning$/i, (_, before: string) => `${before}at ${DEFAULT_HOUR}am`)
    .replace(/\bin (?:about |around |exactly )/i, 'in ')
    .replace(/^(?:in )?(\w+ (?:second|minute|hour|day|week|month|year)s?) from (?:now|today)\b/i, 'in $1');

const WEEKDAY_FIRST =
  /^(?:on )?(?:(?:this|next|coming|the) )?(mon|tue|wed|thu|fri|sat|sun)(?:day|s(?:day)?|nesday|rs?(?:day)?|urday)?\.?,? (?:the )?(?=\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}\b|\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}(?: of)? [a-z]{3,9}|[a-z]{3,9}\.? \d{1,2}(?!:)\b)/i;

/** Whether a date is on another weekday than it names: "Friday 28 November 2026" is a Saturday. */
function isOtherDay(text: string, { now, time_zone }: Moment): boolean {
  const [words = '', name = ''] = WEEKDAY_FIRST.exec(text) ?? [];
  const found = words === '' ? undefined : parseWhen(plainly(text.slice(words.length)), now, time_zone);
  return found !== undefined && !weekdayName(dayOf(found).dayOfWeek).toLowerCase().startsWith(name.toLowerCase());
}

const dayOf = ({ at, time_zone }: Pick<When, 'at' | 'time_zone'>): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time_zone).toPlainDate();

/** The single time that a text means; a day without a time is nine o'clock, or the next full hour of today. */
export function once(text: string, { now, time_zone }: Moment): Omit<Timed, 'rest'> | undefined {
  if (ALONE.test(text)) return undefined;
  if (isOtherDay(text, { now, time_zone }))
    return { timing: { at: text, time_zone }, words: text, exact: true, refused: true };
  const found =
    parseWhen(plainly(text), now, time_zone) ?? parseWhen(plainly(text.replace(WEEKDAY_FIRST, '')), now, time_zone);
  if (found === undefined) return undefined;
  let { at: time } = found;
  if (!found.has_time) {
    const day = dayOf(found);
    const nine = day.toZonedDateTime({
      timeZone: found.time_zone,
      plainTime: { hour: DEFAULT_HOUR },
    }).epochMilliseconds;
    const today = nine <= now && time + DAY > now;
    time = today ? Math.ceil((now + MINUTE) / HOUR) * HOUR : nine;
  }
  return {
    timing: { at: local(time, found.time_zone), time_zone: found.time_zone },
    words: text,
    exact: found.has_time,
  };
}

/** The rule at the beginning of a text; a refused one stays in words, so that running it reports the reason. */
function again(text: string, whole: boolean, { now, time_zone }: Moment): Timed | undefined {
  if (!RULE.test(text.slice(0, 200))) return undefined;
  const digits = inDigits(text);
  if (digits !== text) {
    const found = again(digits, whole, { now, time_zone });
    const count = found?.words.trim().split(/\s+/).length ?? 0;
    const last = [...text.matchAll(/\S+/g)][count - 1];
    const words = text.slice(0, last === undefined ? 0 : last.index + last[0].length);
    return found && { ...found, words, rest: text.slice(words.length) };
  }
  let end: number | undefined;
  try {
    const taken = takeRule(text, time_zone, now);
    if (taken === undefined || (whole && taken.end < text.length)) return undefined;
    end = taken.end;
    const words = text.slice(0, end);
    const read = readRule(words, time_zone, now);
    if (read === undefined) return undefined;
    return {
      timing: { rule: read.rule, time_zone: read.time_zone },
      words,
      rest: text.slice(taken.end),
      exact: taken.timed,
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const words =
      end !== undefined
        ? text.slice(0, end)
        : (/^.{1,120}?(?=[,;]|: | (?:to|that|about) |$)/.exec(text)?.[0] ?? text.slice(0, 120));
    return { timing: { rule: words, time_zone }, words, rest: text.slice(words.length), exact: true, refused: true };
  }
}

/** A word that leads to no such time, and so belongs to the verb before it: "log in at 9", "carry on tomorrow". */
const PARTICLE =
  /^(?:in|on) (?=(?:tomorrow|today|tonight|at|@|every|each|by|in|on|this|noon|midnight|daily|weekly|monthly)\b)|^in (?=next\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)/i;
/** "Send this at 9", and not "this at 9". */
const PRONOUN =
  /^this (?!(?:coming|past|mon|tues?|wed|thu|fri|sat|sun|week|month|year|quarter|morning|noon|afternoon|evening|night))/i;

function withoutLink(text: string, words: string): string {
  if (PARTICLE.test(`${text.slice(-2).trim()} ${words}`)) return text;
  const cut = text.replace(/[\s,](?:for|by|on|at)$/i, '');
  return cut === text ? text : withoutTrailing(cut, `${BLANKS},`);
}

/** The timing in a text that contains nothing else. */
export function timing(text: string, moment: Moment): Timed | undefined {
  const plain = withoutTrailing(text.trim(), `${BLANKS}.,;!`);
  if (plain === '' || plain.length > 200) return undefined;
  const rule = again(plain, true, moment);
  if (rule !== undefined) return rule;
  const found = once(plain, moment);
  return found === undefined ? undefined : { ...found, rest: '' };
}

/** Periods, which are no single time: "for the next three days", "from tomorrow", "between 9 and 10". */
const SPAN =
  /^(?:from|starting|beginning|between|since|during|for (?:the )?(?:(?:next|coming|following|rest|whole|entire|past|last)\b|(?:\d+|an?|one|two|three|four|five|six|seven|ten) (?:day|week|month|year)s?\b))/i;
const STRAY_WORDS = [
  String.raw`\d{1,2}[./]\d{1,2}(?![\d:])`,
  String.raw`\d{1,2}(?::\d\d)?(?=,| (?:and|or|to)\b)`,
  String.raw`(?:and|or|but|nor|except|excluding|unless|if|when|while|until|till|before|after|past|between|every|each|starting|beginning|from|at|on|in|by|around|during|since|not(?! to \p{L})|only|twice|once|later|than|first|last|next|again|tomorrow|today|tonight|yesterday|weekdays?|weekends?|mornings?|evenings?|afternoons?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)(?![\p{L}'’])`,
  String.raw`for (?:the )?(?:next|rest|\d|(?:half )?(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|several|some|a few|a couple of)(?: whole)? (?:second|minute|hour|day|night|week|weekend|month|year)s?\b)`,
  String.raw`to \d{1,2}\b(?! \p{L})`,
  String.raw`the \d{1,2}(?:st|nd|rd|th)\b`,
  // A word that was not read before a time of the day: "arvo at 3 to", "of Ferbuary at 3 to".
  String.raw`(?:of )?[\p{L}-]{3,12} (?:at|by|around) (?:noon|midnight|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?) to `,
  '(?:the )?(?:end|start|beginning|middle|early|late|sharp) to ',
];
const STRAY = new RegExp(String.raw`^[\s,;]*(?:${STRAY_WORDS.join('|')})`, 'iu');

/** Words after a time that say more about it and were not read; undefined when there are none. */
export function strayOf(rest: string): string | undefined {
  if (!STRAY.test(rest)) return undefined;
  return /^[\s,;]*((?:\S+ ?){1,5})/.exec(rest)?.[1]?.trim();
}

const IMPOSSIBLE =
  /(?<![\d:.])(?:(?:2[4-9]|[3-9]\d):[0-5]\d(?!\d)|\d{1,2}:[6-9]\d(?!\d)|(?:0|1[3-9]|2\d)(?::\d\d)? ?[ap]\.?m\b)/i;

/** A time that does not exist: "25:00", "9:75", "14 pm". Midnight may be 24:00. */
export function impossibleIn(text: string): string | undefined {
  const found = IMPOSSIBLE.exec(text)?.[0];
  return found === '24:00' ? undefined : found;
}

/** A date in an input that can be read in two ways. */
export const Numeric = Type.Optional(
  Type.String({
    maxLength: 12,
    description: 'A date in numbers that was read with the month first: the answer says so.',
  }),
);

const NAMED_MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
/** Words that end within a time, and what goes on with it: "31st" before "of November", which does not exist. */
const WITHIN = [
  [new RegExp(`\\b${NAMED_MONTH}\\.?$`, 'i'), /^\s*\d/],
  [/\d(?:st|nd|rd|th)?$/i, new RegExp(`^(?: of)? ${NAMED_MONTH}\\b(?!['’])`, 'i')],
  [/day,?$/i, new RegExp(`^,? (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${NAMED_MONTH}\\b`, 'i')],
  [/\b(?:at|by) (?:an? )?(?:quarter|half)$/i, /^/],
] as const;

/** The longest timing at the beginning of a text. */
export function timingFirst(text: string, moment: Moment): Timed | undefined {
  if (!FIRST.test((/^[^\s,]*/.exec(text)?.[0] ?? '').replace(/:$/, '')) || !TIMELY.test(text.slice(0, 120)))
    return undefined;
  const rule = again(text, false, moment);
  if (rule !== undefined) return rule;
  // Neither the start nor the end of a period is the time that is meant.
  if (SPAN.test(text)) return undefined;
  const ends = [...text.slice(0, 120).matchAll(/:?[\s,;]+|:?$/g)].slice(0, WORDS).map(({ index }) => index);
  for (const end of ends.reverse()) {
    if (end === 120 && text.length > 120) continue;
    const words = text.slice(0, end);
    if (/^\s*(?:before|after|prior|ahead)\b/i.test(text.slice(end))) continue;
    if (WITHIN.some(([within, goesOn]) => within.test(words) && goesOn.test(text.slice(end)))) continue;
    const found = /\b(?:before|after|to|at|on|in|by|the|an?|and|of|from|about|around|exactly)$/i.test(words)
      ? undefined
      : once(words, moment);
    if (found !== undefined) return { ...found, rest: text.slice(end) };
  }
  const words = CALENDAR.exec(text)?.[0];
  if (words === undefined) return undefined;
  return { timing: { at: words, time_zone: moment.time_zone }, words, rest: text.slice(words.length), exact: true };
}

/** A day or a clock before a time, which would say another time without it: "on Saturday at eleven-ish in the morning". */
const CUT_SHORT =
  /(?:\b(?:at|around) \d{1,4}|(?<!\b(?:to|by|for|of|until|till|from|before|after|since|and|or|last|is|are|was|were) (?:next |this )?)\b(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next week)(?: (?:(?:at|around) \S+|late|early|around|about|sometime|again))?)$/iu;

/** The longest timing at the end of a text. */
export function timingLast(text: string, moment: Moment): Timed | undefined {
  const from = Math.max(0, text.length - 120);
  if (!TIMELY.test(text.slice(from))) return undefined;
  const starts = [...text.slice(from).matchAll(/(?<=\s)\S+/g)].slice(-WORDS);
  for (const { 0: word, index } of starts) {
    if (!FIRST.test(word.replace(/,$/, ''))) continue;
    const words = text.slice(from + index);
    // A number that belongs to no clock, date or interval.
    if (/^\d+,?$/.test(word) && !AFTER_NUMBER.test(words)) continue;
    if (
      /^(?:an?|the|one|two|three|five|ten) /i.test(words) &&
      !/(?:from now|after tomorrow|today)$|^the (?:\d|first|second|third|last|end|close|\w+day (?:before|after|following))|^(?:a|one) (?:week|fortnight) (?:on |to)/i.test(
        words,
      )
    )
      continue;
    const rest = text.slice(0, from + index).trim();
    if (PARTICLE.test(words) || PRONOUN.test(words)) continue;
    if (DANGLING.test(rest)) {
      // In "the meeting is tomorrow at 9" the day belongs to the text, and the clock alone would be another time.
      if ((words.search(DAYS) === 0 || IS.test(rest)) && timing(words, moment) !== undefined) return undefined;
      continue;
    }
    // In "pay by Friday, tomorrow at 9" the first day belongs to what is to be done.
    if (!RULE.test(words) && (words.match(DAYS)?.length ?? 0) > 1) continue;
    const found = timing(words, moment);
    if (found !== undefined && found.rest.trim() === '')
      return CUT_SHORT.test(rest) ? undefined : { ...found, words, rest: withoutLink(rest, words) };
  }
  return undefined;
}

/** The first words in a text that name a time, outside quotations; undefined when there are none. */
export function timingIn(text: string, moment: Moment): string | undefined {
  const from = Math.max(0, text.length - 300);
  const plain = text.slice(from).replace(/"[^"]*"|“[^”]*”/g, (quoted) => '"'.repeat(quoted.length));
  if (!TIMELY.test(plain)) return undefined;
  let attempts = WORDS;
  for (const { 0: word, index } of plain.matchAll(/\S+/g)) {
    const words = plain.slice(index);
    if (!FIRST.test(word.replace(/,$/, '')) || (/^\d+,?$/.test(word) && !AFTER_NUMBER.test(words))) continue;
    if (/^(?:an?|one|two|three|five|ten|half) /i.test(words) && !/^\S+ \S+ (?:from|before|after|later)\b/i.test(words))
      continue;
    if (attempts-- === 0) return undefined;
    const found = timingFirst(words, moment)?.words;
    if (found !== undefined) return found;
  }
  return undefined;
}

const RULED_OUT = /^,? (?:and |but )?not ([^,]{2,30}), (?=\S)/i;

/** Without a time that is ruled out between commas: in "this Friday, not next Friday, at 9" it says which Friday is meant. */
export function withoutRuledOut(text: string, moment: Moment): string {
  const first = RULED.test(text) ? timingFirst(text, moment) : undefined;
  const [lead = '', other = ''] = RULED_OUT.exec(first?.rest ?? '') ?? [];
  const ruled = other === '' ? undefined : timing(spelledToDigits(other), moment);
  return first === undefined || ruled?.timing.at === undefined || ruled.timing.at === first.timing.at
    ? text
    : `${first.words.trim()} ${first.rest.slice(lead.length)}`;
}
const RULED = /^.{3,40}? not [^,]{2,30}, /i;

/** A time of the day alone. */
export const CLOCK =
  /^(?:at |by |around )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?(?: o['’]?clock)?|noon|midday|midnight|half past \S+|(?:a )?quarter (?:past|to) \S+)$/i;

/** The words in a text that name a day the timing may mean; undefined where the timing has a day or the text has none. */
export function dayFor(found: Timed, text: string, moment: Moment): string | undefined {
  if (found.refused === true || !CLOCK.test(found.words.trim())) return undefined;
  const words = timingIn(text, moment)?.trim();
  if (words === undefined) return undefined;
  const day = timing(words, moment);
  return day === undefined || day.exact || day.timing.rule !== undefined ? undefined : words;
}

/** "Every second Tuesday remind me at 9 to …": the day before the order and the clock behind it are one time. */
export function atClock(
  day: string,
  rest: string,
  moment: Moment,
): { readonly start: Timed; readonly rest: string } | undefined {
  const clock = timingFirst(rest, moment);
  if (clock === undefined || !CLOCK.test(clock.words.trim())) return undefined;
  const start = timing(`${day} ${clock.words.trim()}`, moment);
  return start?.exact === true && start.refused !== true ? { start, rest: clock.rest } : undefined;
}

/** Joins a day at the beginning with a time at the end: "every Friday … at 17:00". */
export function together(first: Timed, text: string, moment: Moment): Timed {
  if (first.exact) return { ...first, rest: text };
  const found = /^(.*?\S) ((?:at|@) [\w:.' ]{1,20}|\d{1,2}(?::\d\d)? ?[ap]m|noon|midnight)$/i.exec(text);
  if (found === null) return { ...first, rest: text };
  const both = timing(`${first.words} ${found[2]}`, moment);
  return both === undefined ? { ...first, rest: text } : { ...both, rest: found[1] as string };
}
