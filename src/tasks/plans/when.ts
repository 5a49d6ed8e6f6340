import { Type } from 'typebox';
import { DAY, HOUR, MINUTE } from '../../core/values/clock.ts';
import { BLANKS, withoutTrailing } from '../../core/values/trailing.ts';
import type { Clause } from '../clause.ts';
import { TaskError as Refused } from '../task.ts';
import { local, parseWhen } from '../words/dates.ts';
import { DEFAULT_HOUR } from './rule-parts.ts';
import { takeRule } from './rule-words.ts';
import { readRule } from './rules.ts';

type Moment = Pick<Clause, 'now' | 'time_zone'>;

/** When something is to happen, as an input holds it: the same on every later day. */
export interface Timing {
  /** RFC 3339, once. */
  readonly at?: string;
  /** A cron expression of five fields; or words that are a rule which is refused when they are run. */
  readonly rule?: string;
  readonly time_zone: string;
  readonly [name: string]: string;
}

/** A timing that was read out of a text. */
export interface Timed {
  readonly timing: Timing;
  /** What says so. */
  readonly words: string;
  /** The rest of the text. */
  readonly rest: string;
  /** It says the time of the day, or how long from now. */
  readonly exact: boolean;
  /** It is meant and cannot be: its words stay, and the run says why. */
  readonly refused?: boolean;
}

/** Loads what reads dates, which takes some 100 ms the first time. */
export function warm(): void {
  parseWhen('tomorrow at 9 in Berlin', 0, 'UTC');
}

const TYPOS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tom+or+ow|tom+or+o|tmrw|tmw|2morrow)\b/gi, 'tomorrow'],
  [/\bwe(?:n|d)(?:e?n?)sday\b/gi, 'wednesday'],
  [/\bthrusday\b/gi, 'thursday'],
  [/\bsaterday\b/gi, 'saturday'],
  [/\bmoring\b/gi, 'morning'],
];
const TYPED = /tom+or|tmr?w|2morrow|we[nd]e?n?sday|thrus|saterd|moring/i;

/** With the words for days as they are spelled: people mistype "tomorrow" most. */
export const spelled = (text: string): string =>
  TYPED.test(text) ? TYPOS.reduce((all, [typo, right]) => all.replace(typo, right), text) : text;

/** Text that is over, so that what follows belongs to the whole: a quotation, an address of any kind. */
export const ENDED = /["”»]$|\S@[^\s@]+$|:\/\/\S+$/;

/** Words that say when, at most. */
const WORDS = 14;

const FIRST =
  /^(?:at|on|in|by|this|next|the|tomorrow|today|tonight|yesterday|now|every|each|daily|hourly|weekly|monthly|yearly|annually|quarterly|nightly|weekdays?|weekends?|noon|midnight|once|twice|half|from|starting|after|christmas|easter|end|cron|(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?|mon|tue|wed|thu|fri|sat|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|last|an?|one|two|three|five|ten|\d[\d:.,apmstndrh/-]*|\d{4}-\d\d-\d\dT\S+|\*\S*|later|morning|evening|mornings|evenings)$/i;
const RULE =
  /\b(?:every|each|daily|everyday|hourly|weekly|bi-?weekly|monthly|yearly|annually|quarterly|nightly|fortnightly|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days|mornings|evenings|nights|(?:once|twice|times) (?:an?|per)|of the month|cron)\b|\*| (?:to|through|-) ?(?:mon|tues|wednes|thurs|fri|satur|sun)day/i;
/** A day of a month, which may have no such day: that is said when it is run. */
const CALENDAR =
  /^(?:on )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?(?![\w/])/i;
/** Without one of these no text says when. */
const TIMELY =
  /\d|\b(?:tomorrow|today|tonight|yesterday|now|noon|midday|midnight|mornings?|afternoons?|evenings?|nights?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:second|minute|min|hour|day|week|weekday|weekend|month|quarter|year|fortnight)s?|every|each|hourly|daily|everyday|weekly|bi-?weekly|monthly|yearly|annually|quarterly|nightly|fortnightly|o['’]clock|christmas|easter|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber|mon|tue|wed|thu|fri|sat|sun|hrs?|mins)\b|\* \*/i;
const AFTER_NUMBER =
  /^\d+ (?:[ap]\.?m\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|(?:second|minute|hour|day|week|month|year)s? from )/i;
const DANGLING =
  /\b(?:of|to|and|or|than|between|the|per|until|till|since|before|after|an?|is|was|are|were|every|each|with)$/i;
const ALONE = /^(?:\d+(?:[.,]\d+)?|may|mar|sun|sat|the|an?|one|last|end|in|on|at|now|later|second|once|half)$/i;

/** "At 8 in the evening" and the like, as a clock says it; a morning begins at nine. */
const plainly = (text: string): string =>
  text
    .replace(/^(?:by |for )(?=\S)/i, '')
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

/** The one moment that a text is; a day without a time is nine o'clock, or the next full hour of today. */
export function once(text: string, { now, time_zone }: Moment): Omit<Timed, 'rest'> | undefined {
  if (ALONE.test(text)) return undefined;
  const found = parseWhen(plainly(text), now, time_zone);
  if (found === undefined) return undefined;
  let { at } = found;
  if (!found.has_time) {
    const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(found.time_zone).toPlainDate();
    const nine = day.toZonedDateTime({
      timeZone: found.time_zone,
      plainTime: { hour: DEFAULT_HOUR },
    }).epochMilliseconds;
    const today = nine <= now && at + DAY > now;
    at = today ? Math.ceil((now + MINUTE) / HOUR) * HOUR : nine;
  }
  return { timing: { at: local(at, found.time_zone), time_zone: found.time_zone }, words: text, exact: found.has_time };
}

/** The rule that a text begins with; one that is refused stays words, so that the run says why. */
function again(text: string, whole: boolean, { time_zone }: Moment): Timed | undefined {
  if (!RULE.test(text.slice(0, 200))) return undefined;
  let end: number | undefined;
  try {
    const taken = takeRule(text, time_zone);
    if (taken === undefined || (whole && taken.end < text.length)) return undefined;
    end = taken.end;
    const words = text.slice(0, end);
    const read = readRule(words, time_zone);
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

/** Without the word before a time at its end. */
function withoutLink(text: string): string {
  const cut = text.replace(/[\s,](?:for|by|on|at)$/i, '');
  return cut === text ? text : withoutTrailing(cut, `${BLANKS},`);
}

/** The timing that a text is and nothing else. */
export function timing(text: string, moment: Moment): Timed | undefined {
  const plain = withoutTrailing(text.trim(), `${BLANKS}.,;!`);
  if (plain === '' || plain.length > 200) return undefined;
  const rule = again(plain, true, moment);
  if (rule !== undefined) return rule;
  const found = once(plain, moment);
  return found === undefined ? undefined : { ...found, rest: '' };
}

/** "For the next three days", "from tomorrow", "between 9 and 10": no one moment. */
const SPAN =
  /^(?:from|starting|beginning|between|since|during|for (?:the )?(?:(?:next|coming|following|rest|whole|entire|past|last)\b|(?:\d+|an?|one|two|three|four|five|six|seven|ten) (?:day|week|month|year)s?\b))/i;
const STRAY =
  /^[\s,;]*(?:\d{1,2}(?::\d\d)?(?=,| (?:and|or|to)\b)|(?:and|or|but|nor|except|excluding|unless|if|when|while|until|till|before|after|past|between|every|each|starting|beginning|from|at|on|in|by|around|during|since|not|only|twice|once|later|than|first|last|next|again|tomorrow|today|tonight|yesterday|weekdays?|weekends?|mornings?|evenings?|afternoons?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)(?![\p{L}'’])|for (?:the )?(?:next|rest|\d|(?:half )?(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|several|some|a few|a couple of)(?: whole)? (?:second|minute|hour|day|night|week|weekend|month|year)s?\b)|to \d{1,2}\b(?! \p{L}))/iu;

/** Words behind a time that say more about when, and were not read with it; undefined when there are none. */
export function strayOf(rest: string): string | undefined {
  if (!STRAY.test(rest)) return undefined;
  return /^[\s,;]*((?:\S+ ?){1,5})/.exec(rest)?.[1]?.trim();
}

const IMPOSSIBLE =
  /(?<![\d:.])(?:(?:2[4-9]|[3-9]\d):[0-5]\d(?!\d)|\d{1,2}:[6-9]\d(?!\d)|(?:0|1[3-9]|2\d)(?::\d\d)? ?[ap]\.?m\b)/i;

/** A time that no clock shows: "25:00", "9:75", "14 pm". Midnight may be 24:00. */
export function impossibleIn(text: string): string | undefined {
  const found = IMPOSSIBLE.exec(text)?.[0];
  return found === '24:00' ? undefined : found;
}

/** Of an input: a date that could be read in two ways. */
export const Numeric = Type.Optional(
  Type.String({
    maxLength: 12,
    description: 'A date in numbers that was read with the month first: the answer says so.',
  }),
);

const MONTH_END = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?$/i;

/** The timing that a text begins with: the longest. */
export function timingFirst(text: string, moment: Moment): Timed | undefined {
  if (!FIRST.test(/^[^\s,]*/.exec(text)?.[0] ?? '') || !TIMELY.test(text.slice(0, 120))) return undefined;
  const rule = again(text, false, moment);
  if (rule !== undefined) return rule;
  // A span has a start and an end of its own: neither is when it is to be.
  if (SPAN.test(text)) return undefined;
  const ends = [...text.slice(0, 120).matchAll(/:?[\s,;]+|:?$/g)].slice(0, WORDS).map(({ index }) => index);
  for (const end of ends.reverse()) {
    if (end === 120 && text.length > 120) continue;
    const words = text.slice(0, end);
    if (/^\s*(?:before|after|prior|ahead)\b/i.test(text.slice(end))) continue;
    // "February 30" is no time, and "February" of it is not what was meant.
    if (MONTH_END.test(words) && /^\s*\d/.test(text.slice(end))) continue;
    const found = /\b(?:before|after|to|at|on|in|by|the|and|of|from|about|around|exactly)$/i.test(words)
      ? undefined
      : once(words, moment);
    if (found !== undefined) return { ...found, rest: text.slice(end) };
  }
  const words = CALENDAR.exec(text)?.[0];
  if (words === undefined) return undefined;
  return { timing: { at: words, time_zone: moment.time_zone }, words, rest: text.slice(words.length), exact: true };
}

/** The timing that a text ends with: the longest. */
export function timingLast(text: string, moment: Moment): Timed | undefined {
  const from = Math.max(0, text.length - 120);
  if (!TIMELY.test(text.slice(from))) return undefined;
  const starts = [...text.slice(from).matchAll(/(?<=\s)\S+/g)].slice(-WORDS);
  for (const { 0: word, index } of starts) {
    if (!FIRST.test(word.replace(/,$/, ''))) continue;
    const words = text.slice(from + index);
    // A number that is neither a clock's, a date's nor a length of time.
    if (/^\d+,?$/.test(word) && !AFTER_NUMBER.test(words)) continue;
    if (
      /^(?:an?|the|one|two|three|five|ten) /i.test(words) &&
      !/(?:from now|after tomorrow|today)$|^the (?:\d|first|second|third|last|end)/i.test(words)
    )
      continue;
    const rest = text.slice(0, from + index).trim();
    if (DANGLING.test(rest)) continue;
    const found = timing(words, moment);
    if (found !== undefined && found.rest.trim() === '') {
      return { ...found, words, rest: withoutLink(rest) };
    }
  }
  return undefined;
}

/** The first words anywhere in a text that say when; undefined when none do. What is quoted says nothing. */
export function timingIn(text: string, moment: Moment): string | undefined {
  const from = Math.max(0, text.length - 300);
  const plain = text.slice(from).replace(/"[^"]*"|“[^”]*”/g, (quoted) => '"'.repeat(quoted.length));
  if (!TIMELY.test(plain)) return undefined;
  let left = WORDS;
  for (const { 0: word, index } of plain.matchAll(/\S+/g)) {
    const words = plain.slice(index);
    if (!FIRST.test(word.replace(/,$/, '')) || (/^\d+,?$/.test(word) && !AFTER_NUMBER.test(words))) continue;
    if (/^(?:an?|one|two|three|five|ten|half) /i.test(words) && !/^\S+ \S+ (?:from|before|after|later)\b/i.test(words))
      continue;
    if (left-- === 0) return undefined;
    const found = timingFirst(words, moment)?.words;
    if (found !== undefined) return found;
  }
  return undefined;
}

const CLOCK =
  /^(?:at |by |around )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?(?: o['’]?clock)?|noon|midday|midnight|half past \S+|(?:a )?quarter (?:past|to) \S+)$/i;

/** The words in a text that name a day which could be that of a timing; undefined where that says its day, or none is named. */
export function dayFor(found: Timed, text: string, moment: Moment): string | undefined {
  if (found.refused === true || !CLOCK.test(found.words.trim())) return undefined;
  const words = timingIn(text, moment)?.trim();
  if (words === undefined) return undefined;
  const day = timing(words, moment);
  return day === undefined || day.exact || day.timing.rule !== undefined ? undefined : words;
}

/** "Every Friday … at 17:00": a day that stands first and a time that stands last are one timing. */
export function together(first: Timed, text: string, moment: Moment): Timed {
  if (first.exact) return { ...first, rest: text };
  const found = /^(.*?\S) ((?:at|@) [\w:.' ]{1,20}|\d{1,2}(?::\d\d)? ?[ap]m|noon|midnight)$/i.exec(text);
  if (found === null) return { ...first, rest: text };
  const both = timing(`${first.words} ${found[2]}`, moment);
  return both === undefined ? { ...first, rest: text } : { ...both, rest: found[1] as string };
}
