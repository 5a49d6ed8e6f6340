import { DAY, type Millis } from '@mailroom/behavior/values/clock';
import { parseWhen } from '../words/dates.ts';
import { zoneOf } from '../words/zones.ts';
import { cronOf, type Parts, refused } from './rule-parts.ts';
import { PIECES } from './rule-pieces.ts';
import { spanText } from './rule-span.ts';

/** A rule at the beginning of a text. */
export interface Taken {
  /** A cron expression of five fields, which may never come. */
  readonly rule: string;
  readonly time_zone: string;
  /** The length of the rule in the text, in characters. */
  readonly end: number;
  /** Whether it names a time of the day or repeats within a day. */
  readonly timed: boolean;
}

const SPOKEN = 200;

const ZONE = /(\(|in (?:the )?)?((?:[A-Za-zÀ-ž_/+’'.-]+\d{0,2}(?::\d\d)? ?){1,4})/y;

/** A zone at this position: "in New York", "Tokyo time", "UTC", "(CET)"; its name and end. */
function zoneAt(text: string, start: number): { readonly zone: string; readonly end: number } | undefined {
  ZONE.lastIndex = start;
  const found = ZONE.exec(text);
  if (found === null) return undefined;
  const [, prefix = '', words = ''] = found;
  const list = words.trimEnd().split(' ');
  for (let size = list.length; size > 0; size--) {
    const name = list.slice(0, size).join(' ');
    const marked =
      prefix !== '' ||
      /(?: time(?: ?zone)?|\/\w+)$/i.test(name) ||
      /^(?:UTC|GMT|[A-Z]{1,3}[SD]?T)(?:[+-]\d{1,2})?$/.test(name);
    const zone = marked ? zoneOf(name) : undefined;
    if (zone === undefined) continue;
    const end = start + prefix.length + name.length;
    return { zone, end: prefix === '(' && text[end] === ')' ? end + 1 : end };
  }
  return undefined;
}

const BETWEEN = /[\s,]*(?:and )?/y;
const BOUNDS = [
  'until|till|up to|starting|beginning|as of|from (?:next|tomorrow|monday)',
  String.raw`for (?:the next |the rest |one |a )?(?:\d+ |a |two |three )?(?:days?|weeks?|months?|years?|times)`,
  String.raw`(?:\d+|three|four|five|ten) times`,
];
const BOUNDED = new RegExp(String.raw`^[\s,]*(?:and )?(?:${BOUNDS.join('|')})\b`, 'i');

const FROM = /^ from (\d{4}-\d\d-\d\d)(?= |$)/;
/** Words that name no day by themselves: a month may be its first or its last day. */
const NO_DAY =
  /^(?:the|\d{1,2}|to|(?:next |the end of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(?:next|this) (?:week|month|year)|further notice)$|\b(?:to|that|about|at)$/i;
const UNTIL = /^,? (?:until|till|up to|through)(?: and including)? /i;

/** The last day that a rule names behind it, and the length of those words: "until Friday", "until 1 May". */
function lastDay(
  text: string,
  time_zone: string,
  now: Millis | undefined,
): { readonly day: string; readonly end: number } | undefined {
  const lead = now === undefined ? undefined : UNTIL.exec(text)?.[0];
  if (lead === undefined || now === undefined) return undefined;
  const words = text.slice(lead.length).split(' ');
  for (let count = Math.min(words.length, 4); count > 0; count--) {
    const phrase = words.slice(0, count).join(' ').replace(/,$/, '');
    if (NO_DAY.test(phrase)) continue;
    const found = parseWhen(phrase, now, time_zone);
    if (found === undefined || found.has_time || found.at + DAY <= now) continue;
    const day = Temporal.Instant.fromEpochMilliseconds(found.at).toZonedDateTimeISO(found.time_zone).toPlainDate();
    return { day: day.toString(), end: lead.length + phrase.length };
  }
  return undefined;
}

const UNTIL_CLOCK =
  /^,? (?:until|till|up to) (?:(noon|midday)|(\d{1,2})(?:[:.]([0-5]\d))?(?: ?([ap])\.?m\b)?)(?=[\s,:.]|$)/i;

/** The rest of today in which an interval of minutes or hours repeats: "until 6pm". */
function untilClock(
  text: string,
  { unit, count = 1, days, dates, window }: Parts,
  time_zone: string,
  now: Millis | undefined,
): { readonly window: NonNullable<Parts['window']>; readonly day: string; readonly end: number } | undefined {
  const [words, noon, said, minutes = '0', half] = UNTIL_CLOCK.exec(text) ?? [];
  const once = (unit === 'hour' || unit === 'minute') && window === undefined && days.length + dates.length === 0;
  if (words === undefined || now === undefined || !once) return undefined;
  const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(time_zone);
  const first = start.add(unit === 'hour' ? { hours: count } : { minutes: count });
  let hour = noon === undefined ? Number(said) : 12;
  if (half !== undefined) hour = (hour % 12) + (/p/i.test(half) ? 12 : 0);
  else if (hour < 12 && hour <= start.hour) hour += 12;
  const minute = Number(minutes);
  const last = unit === 'hour' && minute < first.minute ? hour - 1 : hour;
  if (hour > 23 || last < first.hour || !first.toPlainDate().equals(start.toPlainDate())) return undefined;
  const from = { hour: first.hour, minute: unit === 'hour' ? first.minute : 0, half: true };
  return {
    window: [from, { hour: last, minute: unit === 'minute' ? minute : 0, half: true }],
    day: start.toPlainDate().toString(),
    end: words.length,
  };
}

/** Which days or which times of the day, in the order in which a rule names them. */
function kindOf({ times }: Parts, timesBefore: number, days: string, daysBefore: string): string {
  return times.length > timesBefore ? 'T' : days === daysBefore ? '' : 'D';
}
const daysIn = ({ days, dates, part }: Parts): string => [...days, ...dates, part ?? ''].join();
/** "Mondays at 9 and Fridays at 5" are two rules. */
const TWO_RULES = /DTDT|TDTD/;

/**
 * The rule at the beginning of a text: "every weekday at 9 in Berlin, calculate 2+2". Undefined when there is none. Throws
 * TaskError for a rule that is not possible: every 10 seconds, every 7 minutes, for two weeks.
 */
export function takeRule(whole: string, time_zone: string, now?: Millis): Taken | undefined {
  const text = whole.slice(0, SPOKEN);
  const parts: Parts = { days: [], dates: [], months: [], times: [], but: [], again: false };
  let zone: string | undefined;
  let order = '';
  let end = 0;
  next: for (;;) {
    BETWEEN.lastIndex = end;
    const start = end === 0 ? 0 : end + (BETWEEN.exec(text)?.[0].length ?? 0);
    if (start >= text.length) break;
    if (end > 0 && start === end) break;
    for (const [pattern, add] of PIECES) {
      pattern.lastIndex = start;
      const [times, days] = [parts.times.length, daysIn(parts)];
      const found = pattern.exec(text);
      if (found === null || found[0] === '' || add(parts, found) === false) continue;
      end = start + found[0].length;
      const kind = kindOf(parts, times, daysIn(parts), days);
      if (!order.endsWith(kind)) order += kind;
      continue next;
    }
    const named = end > 0 && zone === undefined ? zoneAt(text, start) : undefined;
    if (named === undefined) break;
    zone = named.zone;
    end = named.end;
  }
  if (parts.cron === undefined && !parts.again) return undefined;
  if (TWO_RULES.test(order)) throw refused('These are two rules: plan each of them in an instruction of its own.');
  const from = parts.count === undefined ? null : FROM.exec(text.slice(end));
  if (from !== null) end += from[0].length;
  const last = lastDay(text.slice(end), zone ?? time_zone, now);
  if (last !== undefined) end += last.end;
  const hours = last === undefined ? untilClock(text.slice(end), parts, zone ?? time_zone, now) : undefined;
  if (hours !== undefined) {
    parts.window = hours.window;
    end += hours.end;
  }
  if (BOUNDED.test(text.slice(end))) {
    throw refused('A rule has no start or end of its own here: plan it without, and cancel it once it is over.');
  }
  const until = last?.day ?? hours?.day;
  const timed = parts.times.length > 0 || parts.cron !== undefined || /^(?:minute|hour)$/.test(parts.unit ?? '');
  const rule = `${cronOf(parts)}${from?.[0] ?? ''}${spanText(until === undefined ? {} : { until })}`;
  return { rule, time_zone: zone ?? time_zone, end, timed: timed || parts.around !== undefined };
}
