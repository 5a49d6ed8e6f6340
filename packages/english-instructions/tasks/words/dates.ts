import type { Millis } from '@mailroom/behavior/values/clock';
import type * as Chrono from 'chrono-node/en';
import { VALUES } from '../../language/numerals.ts';
import { lazyPackage } from '../lazy-package.ts';
import { addBusinessDays, lengthOf } from './durations.ts';
import { nthWeekday, withoutHolidays } from './holidays.ts';
import { MONTHS, WORKDAY, workdayOf } from './workday.ts';
import { zoneOf } from './zones.ts';

const chrono = lazyPackage<typeof Chrono>('chrono-node/en');
/** Maximum characters of a date, which also bounds the parser's work. */
const MAX_TEXT = 200;

/** A moment named by words. */
export interface When {
  /** For a day without a time, its start in the zone. */
  readonly at: Millis;
  readonly has_time: boolean;
  /** The zone it was read in: the one in the text, else the one passed in. */
  readonly time_zone: string;
}

export interface WhenOptions {
  /** Which day "3 May" or "Friday" means: the next (the default), the last, or the nearer. */
  readonly prefer?: 'future' | 'past' | 'near';
}

const BACK = /\b(?:last|ago|past|previous|yesterday)\b/i;
const DAYTIME = /\b(?:tonight|morning|afternoon|evening|noon|midnight|night)\b/i;
const FILLER = /^(?:\s|,|\.|\b(?:on|at|the|by|in|this|coming|upcoming|exactly|around|about|a|of|from)\b)*$/i;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})$/i;
const HOURS = Object.fromEntries([...VALUES].slice(1, 13));
const CLOCK = new RegExp(
  `\\b(?:(?<=\\bat )a )?(half past|quarter past|quarter to|quarter after) (${Object.keys(HOURS).join('|')}|\\d{1,2})(?= ?[ap]\\.?m|\\b)`,
  'gi',
);

/** Minutes before or after the hour: "20 past 7", "five to nine", "ten minutes to 8". */
const MINUTES =
  /(^(?:by )?|\bat )(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|twenty[- ]five|twenty)( minutes?)? (to|past|after|before) (\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\d:.,]|\d? ?(?:st|nd|rd|th)\b)/i;
const SPELLED: Readonly<Record<string, number>> = { twenty: 20, 'twenty-five': 25, 'twenty five': 25 };

/** A duration from a moment: "2 hours before 6pm tomorrow", "a week from Monday". */
const COUNTED = /^(?:in |at |on )?(\S{1,12}(?: \S{1,12}){0,5}?) (before|after|from) (\S.{0,100})$/i;
/** Durations that the date parser does not know: "an hour and a half". */
const LENGTH_AHEAD = /^in (?=.*(?:half|quarter|couple|\d ?h ?\d|(?:business|working|work|week) ?days?$))(.{3,60})$/i;
const A_DAY = '(today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)';
/** A day with a week or two on top: "Tuesday week", "a week tomorrow", "a week on Friday". */
const WEEK_ON = new RegExp(
  `^(?:on )?(?:(?:(?:a|one) (week)|(?:a )?(fortnight)) (?:on )?${A_DAY}|${A_DAY} (?:(week)|(fortnight)))(?= |,|$)`,
  'i',
);

const DAYS = 'mon tue wed thu fri sat sun'.split(' ');
const NTHS = new Map(
  'first 1st second 2nd third 3rd fourth 4th'.split(' ').map((name, at) => [name, Math.floor(at / 2) + 1] as const),
).set('last', -1);
const NTH =
  /\b(?:the )?(first|1st|second|2nd|third|3rd|fourth|4th|last) (mon|tue|wed|thu|fri|sat|sun)[a-z]* (?:of|in) (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:,? (\d{4}))?\b/i;

/** "The 1st of next month", "next month on the 1st". */
const OF_MONTH =
  /\b(?:on )?(?:the )?(?:(\d{1,2})(?:st|nd|rd|th) (?:day )?of (?=(?:next|this) month\b))?(next|this) month(?:(?<!of (?:next|this) month),? on the (\d{1,2})(?:st|nd|rd|th))?\b/i;

/** With two digits. */
export const two = (n: number): string => String(n).padStart(2, '0');

/** "At 17h", which is no length; "at 25h" is no time. */
const HOURLY = /(\b(?:at|by|around|until) )(\d{1,2}) ?h(\d\d)?(?= |,|$)/gi;

const DOTTED = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d(?!\d))?(?!\.?\d)/g;

/** Rewrites dates with dots, which have the day first, as in ISO 8601, or with the month's name where there is no year. */
export const dayFirst = (text: string): string =>
  text.replace(DOTTED, (whole, day: string, month: string, year?: string) => {
    if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return whole;
    if (year === undefined) return `${MONTHS[Number(month) - 1]} ${Number(day)} `;
    return `${year.length < 4 ? '20' : ''}${year}-${two(Number(month))}-${two(Number(day))}`;
  });

/** With the times of day that are said in words in figures: "half past six" as "6:30", "at ten to nine" as "at 8:50". */
export const inFigures = (text: string): string =>
  text
    .replace(MINUTES, (...found) => {
      const [whole, lead = '', said, named, way, hour] = found as string[];
      const value = (word = ''): number => HOURS[word.toLowerCase()] ?? SPELLED[word.toLowerCase()] ?? Number(word);
      const [minutes, h] = [value(said), value(hour)];
      // "10 to 12" is a range of days or hours.
      const plain = named !== undefined || (minutes % 5 === 0 && (/at /i.test(lead) || !/to/i.test(way as string)));
      if (minutes > 59 || h < 1 || h > 23 || !plain) return whole as string;
      if (/past|after/i.test(way as string)) return `${lead}${h}:${two(minutes)}`;
      return `${lead}${h === 1 ? 12 : h - 1}:${two(60 - minutes)}`;
    })
    .replace(CLOCK, (_, how: string, hour: string) => {
      const h = HOURS[hour.toLowerCase()] ?? Number(hour);
      if (/to$/i.test(how)) return `${h === 1 ? 12 : h - 1}:45`;
      return `${h}:${/half/i.test(how) ? '30' : '15'}`;
    });

/** Rewrites forms that chrono does not know to those it does. */
function plainly(text: string, today: Temporal.PlainDate): string {
  return inFigures(dayFirst(text))
    .replace(WEEK_ON, (...found) => {
      const [, , two, name, other = '', , second] = found as (string | undefined)[];
      const day = (name ?? other).toLowerCase();
      const weekday = DAYS.indexOf(day.slice(0, 3)) + 1;
      const ahead = weekday === 0 ? (day === 'today' ? 0 : 1) : ((weekday - today.dayOfWeek + 6) % 7) + 1;
      return today.add({ days: ahead, weeks: (two ?? second) === undefined ? 1 : 2 }).toString();
    })
    .replace(HOURLY, (_, lead: string, hour: string, minutes = '00') => `${lead}${hour}:${minutes}`)
    .replace(WORKDAY, (...found) => workdayOf(found, today))
    .replace(NTH, (...found) => {
      const [, which, day, month, year] = found as [string, string, string, string, string | undefined];
      const nth = NTHS.get(which.toLowerCase()) as number;
      const dayIn = (y: number): Temporal.PlainDate =>
        nthWeekday(y, MONTHS.indexOf(month.toLowerCase()) + 1, DAYS.indexOf(day.toLowerCase()) + 1, nth);
      const first = dayIn(Number(year ?? today.year));
      const over = year === undefined && Temporal.PlainDate.compare(first, today) < 0;
      return (over ? dayIn(today.year + 1) : first).toString();
    })
    .replace(
      /^(?!.*\b(?:end|start|beginning|day|week|month) of )(.*[\p{L}\d]),? (?:of |in )?(this|next|last) year$/iu,
      (...found) => {
        const [, day, which] = found as [string, string, string];
        return `${day} ${today.year + { this: 0, next: 1, last: -1 }[which.toLowerCase() as 'this' | 'next' | 'last']}`;
      },
    )
    .replace(/\b(?:a |one )?fortnight\b/gi, '2 weeks')
    .replace(
      /\b(?:the )?(end|start|beginning|first day|last day) of (?:the |this )?(next )?(month|year|week)\b/gi,
      (...found) => {
        const [, edge, next, unit] = found as [string, string, string | undefined, string];
        const ahead = next === undefined ? 0 : 1;
        const word = unit.toLowerCase();
        let first = today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks: ahead });
        if (word === 'month') first = today.with({ day: 1 }).add({ months: ahead });
        if (word === 'year') first = today.with({ month: 1, day: 1 }).add({ years: ahead });
        if (!/^(?:end|last)/i.test(edge)) return first.toString();
        const after = { month: { months: 1 }, year: { years: 1 }, week: { weeks: 1 } }[word] as Temporal.DurationLike;
        return first.add(after).subtract({ days: 1 }).toString();
      },
    )
    .replace(
      /\b(?:the )?(first|last) day of (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:,? (\d{4}))?\b/i,
      (...found) => {
        const [, edge, month, year] = found as [string, string, string, string | undefined];
        const first = today.with({ day: 1, month: MONTHS.indexOf(month.toLowerCase()) + 1 });
        const edgeIn = (y: number): Temporal.PlainDate => {
          const start = first.with({ year: y });
          return /last/i.test(edge) ? start.with({ day: start.daysInMonth }) : start;
        };
        const own = edgeIn(Number(year ?? today.year));
        return (
          year === undefined && Temporal.PlainDate.compare(own, today) < 0 ? edgeIn(today.year + 1) : own
        ).toString();
      },
    )
    .replace(OF_MONTH, (...found) => {
      const [whole, before, which, after] = found as [string, string | undefined, string, string | undefined];
      const month = today.with({ day: 1 }).add({ months: which.toLowerCase() === 'next' ? 1 : 0 });
      const day = Number(before ?? after);
      return day >= 1 && day <= month.daysInMonth ? month.with({ day }).toString() : whole;
    })
    .replace(/^(?:on )?the (\d{1,2})(?:st|nd|rd|th)?(?= |$)(?! of| [a-z]{3,})/i, (whole, text: string) => {
      const day = Number(text);
      if (day < 1 || day > 31) return whole;
      let month = today.with({ day: 1 });
      for (let tries = 0; tries < 4 && (month.daysInMonth < day || (tries === 0 && day < today.day)); tries++) {
        month = month.add({ months: 1 });
      }
      return month.with({ day }).toString();
    });
}

/** The zone named in the text, and the text without it. */
function zoneIn(text: string): { readonly rest: string; readonly zone: string } | undefined {
  const words = text.split(' ');
  for (let size = Math.min(4, words.length - 1); size > 0; size--) {
    for (let from = words.length - size; from > 0; from--) {
      const first = words[from] as string;
      if (!/^(?:[a-z(]|[+\-−]\d\d:?\d\d$)/i.test(first)) continue;
      const zone = zoneOf(
        words
          .slice(from, from + size)
          .join(' ')
          .replace(/^\(|[),]$/g, ''),
      );
      if (zone === undefined) continue;
      const before = words.slice(0, from);
      if (/^(?:in|at)$/i.test(before.at(-1) ?? '')) before.pop();
      return { rest: [...before, ...words.slice(from + size)].join(' '), zone };
    }
  }
  return undefined;
}

/** "The night before Christmas", "the morning of December 24". */
const PART_OF = /^(?:(?:in|on|by) )?(?:the )?(morning|afternoon|evening|night) (of|on|before|after) (\S.{0,60})$/i;
const HOUR_OF: Readonly<Record<string, number>> = { morning: 9, afternoon: 15, evening: 19, night: 20 };

/** A part of a day that is named with its day; null when that is no day that can be read. */
function partOf(text: string, now: Millis, time_zone: string, options: WhenOptions): When | null | undefined {
  const [, part = '', how = '', of = ''] = PART_OF.exec(text) ?? [];
  if (part === '') return undefined;
  const found = parseWhen(of, now, time_zone, options);
  if (found === undefined || found.has_time) return null;
  const by = { before: -1, after: 1 }[how.toLowerCase() as 'before'] ?? 0;
  const day = todayIn(found.at, found.time_zone).add({ days: by });
  const time = day.toZonedDateTime({
    timeZone: found.time_zone,
    plainTime: { hour: HOUR_OF[part.toLowerCase()] as number },
  }).epochMilliseconds;
  return { at: time, has_time: true, time_zone: found.time_zone };
}

/** "The Sunday before Christmas", "the Monday after next", "the first Friday after Easter at 10". */
const WEEKDAY_BY =
  /^(?:on )?(?:the )?(?:(first|last|next) )?(mon|tues|wednes|thurs|fri|satur|sun)day (before|preceding|after|following) (\S.{0,60}?)((?:,? at \d{1,2}(?:[:.]\d\d)?| \d{1,2}(?:[:.]\d\d|(?= ?[ap]\.?m)))(?: ?[ap]\.?m\.?)?|(?:,? at)? (?:noon|midday|midnight))?$/i;

/** A weekday that is named by a day around which it is. */
function weekdayBy(text: string, now: Millis, time_zone: string, options: WhenOptions): When | undefined {
  const [, rank = '', name = '', way = '', anchor = '', clock = ''] = WEEKDAY_BY.exec(text) ?? [];
  const later = /^(?:after|following)/i.test(way);
  if (name === '' || (later ? /last/i : /first|next/i).test(rank)) return undefined;
  const isNext = later && /^next$/i.test(anchor);
  const from = isNext ? { at: now, has_time: false, time_zone } : parseWhen(anchor, now, time_zone, options);
  if (from === undefined || from.has_time) return undefined;
  const base = todayIn(from.at, from.time_zone);
  const ahead = (DAYS.indexOf(name.slice(0, 3).toLowerCase()) + 8 - base.dayOfWeek) % 7;
  const day = base.add({ days: later ? ahead || 7 : ahead - 7, weeks: isNext ? 1 : 0 });
  return parseWhen(`${day}${clock}`, now, from.time_zone, options);
}

const offsetAt = (at: Millis, zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 6e10;

/** A moment at a duration from another; null when the text says so but cannot be read. */
function counted(text: string, now: Millis, time_zone: string, options: WhenOptions): When | null | undefined {
  const ahead = LENGTH_AHEAD.exec(text);
  const found = ahead === null ? COUNTED.exec(text) : null;
  const length = lengthOf(ahead?.[1] ?? found?.[1] ?? '');
  if (length === undefined || (ahead === null && found === null)) return undefined;
  const [, , way = 'after', anchor = 'now'] = found ?? [];
  const from = /^(?:now|today)$/i.test(anchor)
    ? { at: now, has_time: false, time_zone }
    : parseWhen(anchor, now, time_zone, options);
  // "2 hours before Friday" names no time of the day.
  if (from === undefined || (length.has_time && !from.has_time && !/^(?:now|today)$/i.test(anchor))) return null;
  const start = Temporal.Instant.fromEpochMilliseconds(from.at).toZonedDateTimeISO(from.time_zone);
  const back = /^before$/i.test(way);
  if (length.business !== 0 && !length.duration.blank) return null;
  const day = addBusinessDays(start.toPlainDate(), back ? -length.business : length.business);
  const to =
    length.business !== 0
      ? day.toZonedDateTime({ timeZone: from.time_zone, plainTime: start.toPlainTime() })
      : back
        ? start.subtract(length.duration)
        : start.add(length.duration);
  const has_time = from.has_time || length.has_time;
  const at = has_time ? to.epochMilliseconds : to.startOfDay().epochMilliseconds;
  return { at, has_time, time_zone: from.time_zone };
}

/** The single moment that chrono reads in a text, in a zone. */
function read(text: string, now: Millis, zone: string, prefer: 'future' | 'past' | 'near'): When | undefined {
  const reference = { instant: new Date(now), timezone: offsetAt(now, zone) };
  const forward = prefer === 'future' && !BACK.test(text);
  const found = chrono().casual.parse(text, reference, { forwardDate: forward });
  const match = found[0];
  if (match === undefined || found.length > 1 || match.end != null) return undefined;
  const left = `${text.slice(0, match.index)} ${text.slice(match.index + match.text.length)}`;
  if (!FILLER.test(left)) return undefined;
  const { start } = match;
  const has_time = start.isCertain('hour') || DAYTIME.test(text);
  // "In 90 minutes" is elapsed time, while "in 2 days" follows the calendar.
  if (start.isCertain('timezoneOffset')) {
    const at = start.date().getTime();
    return Number.isNaN(at) ? undefined : { at, has_time, time_zone: zone };
  }
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'): number => start.get(name) ?? 0;
  let day = Temporal.PlainDate.from({ year: part('year'), month: part('month'), day: part('day') });
  const named = start.isCertain('weekday') ? start.get('weekday') : null;
  // "Friday 28 November 2026", which is a Saturday, is one of two days.
  if (named !== null && start.isCertain('day') && named !== day.dayOfWeek % 7) return undefined;
  const time = has_time
    ? Temporal.PlainTime.from({ hour: part('hour'), minute: part('minute'), second: part('second') })
    : new Temporal.PlainTime();
  const moment = (): Millis => day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
  const weekday = start.isCertain('weekday') && !start.isCertain('day');
  if (weekday && forward && has_time && moment() <= now) day = day.add({ days: 7 });
  if (prefer === 'past' && moment() > now) {
    if (weekday) day = day.subtract({ days: 7 });
    else if (start.isCertain('month') && !start.isCertain('year')) day = day.subtract({ years: 1 });
  }
  return { at: moment(), has_time, time_zone: zone };
}

/**
 * The moment in a text that contains nothing else: "tomorrow at 9", "3 May", "next Friday", "in 90 minutes", "3pm Berlin
 * time", "Christmas", ISO 8601 and RFC 3339. Relative to `now` in `time_zone` (IANA). Dates with slashes are read as in the
 * US, 12/06 is December 6, and those with dots with the day first. A time that the clock skips is the one after the gap, and of a repeated one the first. Undefined for
 * no such date, several, a period, other words, a year beyond 9999, or more than 200 characters. Takes about 0.1 ms; ISO
 * dates a few µs.
 */
export function parseWhen(text: string, now: Millis, time_zone: string, options: WhenOptions = {}): When | undefined {
  if (text.length > 2 * MAX_TEXT) return undefined;
  const key = `${now} ${time_zone} ${options.prefer} ${text}`;
  if (known.has(key)) return known.get(key);
  const found = parsed(text, now, time_zone, options);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

/** The last readings, because an instruction is read in several ways. */
const known = new Map<string, When | undefined>();
const MAX_KNOWN = 48;

function parsed(text: string, now: Millis, time_zone: string, options: WhenOptions): When | undefined {
  const plain = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.?!]$/, '');
  if (plain === '' || plain.length > MAX_TEXT) return undefined;
  const { prefer = 'future' } = options;
  try {
    if (ISO_DAY.test(plain)) {
      const at = Temporal.PlainDate.from(plain).toZonedDateTime(time_zone).epochMilliseconds;
      return { at, has_time: false, time_zone };
    }
    if (ISO_MOMENT.test(plain)) {
      return { at: Temporal.Instant.from(plain).epochMilliseconds, has_time: true, time_zone };
    }
    const weekday = weekdayBy(plain, now, time_zone, options);
    if (weekday !== undefined) return weekday;
    const part = partOf(plain, now, time_zone, options);
    const away = part === undefined ? counted(plain, now, time_zone, options) : part;
    if (away !== undefined) return away ?? undefined;
    const named = zoneIn(plain);
    const zone = named?.zone ?? time_zone;
    const today = todayIn(now, zone);
    const simple = withoutHolidays(plainly(named?.rest ?? plain, today), today, prefer === 'past');
    if (ISO_DAY.test(simple)) {
      return {
        at: Temporal.PlainDate.from(simple).toZonedDateTime(zone).epochMilliseconds,
        has_time: false,
        time_zone: zone,
      };
    }
    return read(simple, now, zone, prefer);
  } catch (error) {
    // A day that its month does not have, or a year beyond the calendar.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The current date in the zone. */
export const todayIn = (now: Millis, time_zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(time_zone).toPlainDate();

/** RFC 3339 with the zone's offset, to the second: `2026-11-20T09:00:00+01:00`. */
export const local = (at: Millis, time_zone: string): string => {
  const { year, month, day, hour, minute, second, offset } =
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time_zone);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${offset}`;
};

export const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ');
const DAY_NAMES = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** The name of a weekday from 1 to 7 (ISO 8601). */
export const weekdayName = (weekday: number): string => DAY_NAMES[weekday - 1] as string;

/** "Friday, November 20, 2026"; made without Intl, whose formats take 0.2 ms to create. */
export const longDate = (day: Temporal.PlainDate | Temporal.ZonedDateTime): string =>
  `${weekdayName(day.dayOfWeek)}, ${MONTH_NAMES[day.month - 1]} ${day.day}, ${day.year}`;

/** "Friday, November 20, 2026 at 9:00 AM (Europe/Berlin, UTC+01:00)" */
export function longTime(at: Millis, time_zone: string): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time_zone);
  const { hour, minute, offset } = moment;
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? 'AM' : 'PM'}`;
  return `${longDate(moment)} at ${clock} (${time_zone}, UTC${offset})`;
}
