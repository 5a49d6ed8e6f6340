import { spelledToDigits } from './spelled-numbers.ts';

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    years: 'year|years|yr|yrs|y',
    months: 'month|months|mo|mos',
    weeks: 'week|weeks|wk|wks|w|fortnight|fortnights',
    days: 'day|days|d|night|nights',
    business: 'business day|business days|working day|working days|workday|workdays|weekday|weekdays',
    hours: 'hour|hours|hr|hrs|h',
    minutes: 'minute|minutes|min|mins',
    seconds: 'second|seconds|sec|secs|s',
  }).flatMap(([unit, names]) => names.split('|').map((name) => [name, unit] as const)),
);
const NAME = [...UNITS.keys()].sort((a, b) => b.length - a.length).join('|');
const PART = new RegExp(`^(\\d{1,12}(?:\\.\\d{1,6})?|an?|half an?) ?(${NAME})\\b(?:,? and |, | )?`, 'i');

/** A duration: calendar parts as Temporal adds them, and business days (Monday to Friday) apart. */
export interface Length {
  readonly duration: Temporal.Duration;
  readonly business: number;
  /** Whether it has hours, minutes or seconds. */
  readonly has_time: boolean;
}

const SPAN = '(?:second|minute|hour|day|week|month|year|fortnight)';
const BY_PARTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:about |around |exactly |roughly )/, ''],
  [/\b(?:a )?couple(?: of)? /g, '2 '],
  [new RegExp(`\\b(?:three|3)[ -]quarters of an? (${SPAN})`, 'g'), '0.75 $1'],
  [new RegExp(`\\b(?:an? )?quarter of an? (${SPAN})`, 'g'), '0.25 $1'],
  [new RegExp(`\\bhalf of an? (${SPAN})`, 'g'), '0.5 $1'],
  [new RegExp(`\\b(?:an?|one|1) (${SPAN}) and a half\\b`, 'g'), '1.5 $1'],
  [new RegExp(`\\b(?:an?|one|1) (${SPAN}) and (?:three|3) quarters\\b`, 'g'), '1.75 $1'],
  [new RegExp(`\\b(?:an?|one|1) (${SPAN}) and a quarter\\b`, 'g'), '1.25 $1'],
];
const AND_HALF: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b(\\d{1,6}) and a half (${SPAN}s?)\\b`, 'g'), '$1.5 $2'],
  [new RegExp(`\\b(\\d{1,6}) (${SPAN}s?) and a half\\b`, 'g'), '$1.5 $2'],
  [new RegExp(`\\b(\\d{1,6}) (?:and a quarter (${SPAN}s?)|(${SPAN}s?) and a quarter)\\b`, 'g'), '$1.25 $2$3'],
  [
    new RegExp(`\\b(\\d{1,6}) (?:and (?:three|3) quarter (${SPAN}s?)|(${SPAN}s?) and (?:three|3) quarters)\\b`, 'g'),
    '$1.75 $2$3',
  ],
  [/^(\d{1,3}) ?h ?(\d{1,2})(?: ?m(?:ins?)?)?$/, '$1 hours $2 minutes'],
];
const inOrder = (text: string, pairs: typeof BY_PARTS): string =>
  pairs.reduce((all, [pattern, by]) => all.replace(pattern, by), text);

const inNumbers = (text: string): string =>
  /\bhalf|quarter|couple|^(?:about|around|exactly|roughly)|\dh|\d h/i.test(text)
    ? inOrder(spelledToDigits(inOrder(text.trim().toLowerCase(), BY_PARTS)), AND_HALF)
    : spelledToDigits(text.trim());

/**
 * Reads "90 days", "2 hours and 30 minutes", "a week and 3 days", "an hour and a half", "three quarters of an hour", "10
 * business days"; undefined for other text.
 */
export function lengthOf(text: string): Length | undefined {
  if (text.length > 100) return undefined;
  let rest = inNumbers(text);
  const parts = { years: 0, months: 0, weeks: 0, days: 0, business: 0, hours: 0, minutes: 0, seconds: 0 };
  while (rest !== '') {
    const [all, count, name] = PART.exec(rest) ?? [];
    const unit = UNITS.get(name?.toLowerCase() ?? '') as keyof typeof parts | undefined;
    if (all === undefined || count === undefined || unit === undefined) return undefined;
    const many = /^half/i.test(count) ? 0.5 : /^a/i.test(count) ? 1 : Number(count);
    parts[unit] += /^fortnight/i.test(name as string) ? 2 * many : many;
    rest = rest.slice(all.length).trim();
  }
  // Halves are given in the next smaller unit that can express them.
  const carry = (from: keyof typeof parts, to: keyof typeof parts, by: number): void => {
    const whole = Math.trunc(parts[from]);
    parts[to] += (parts[from] - whole) * by;
    parts[from] = whole;
  };
  const { business, ...calendar } = parts;
  if (!Number.isInteger(business)) return undefined;
  carry('years', 'months', 12);
  if (!Number.isInteger(parts.months)) return undefined;
  carry('weeks', 'days', 7);
  carry('days', 'hours', 24);
  carry('hours', 'minutes', 60);
  carry('minutes', 'seconds', 60);
  parts.seconds = Math.round(parts.seconds);
  const { years, months, weeks, days, hours, minutes, seconds } = { ...calendar, ...parts };
  const has_time = hours !== 0 || minutes !== 0 || seconds !== 0;
  try {
    const duration = Temporal.Duration.from({ years, months, weeks, days, hours, minutes, seconds });
    return { duration, business, has_time };
  } catch {
    return undefined;
  }
}

/**
 * Days from Monday to Friday from `from` up to but not including `to`; negative when `to` is earlier. Public holidays
 * count.
 */
export function businessDays(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  if (Temporal.PlainDate.compare(from, to) > 0) return -businessDays(to, from);
  const days = from.until(to).days;
  let count = Math.floor(days / 7) * 5;
  for (let n = 0; n < days % 7; n++) if ((from.dayOfWeek - 1 + n) % 7 < 5) count++;
  return count;
}

/** The date `count` days of Monday to Friday later, or earlier for a negative count. */
export function addBusinessDays(from: Temporal.PlainDate, count: number): Temporal.PlainDate {
  const step = Math.sign(count);
  let dayCount = Math.abs(count);
  // From a weekend on, the first day that counts is the one after it.
  const start = from.dayOfWeek > 5 ? from.add({ days: step > 0 ? 5 - from.dayOfWeek : 8 - from.dayOfWeek }) : from;
  let day = start.add({ weeks: step * Math.floor(dayCount / 5) });
  dayCount %= 5;
  while (dayCount > 0 || (count !== 0 && day.dayOfWeek > 5)) {
    day = day.add({ days: step });
    if (day.dayOfWeek <= 5 && dayCount > 0) dayCount--;
  }
  return day;
}
