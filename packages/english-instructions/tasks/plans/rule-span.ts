import type { Millis } from '@mailroom/behavior/values/clock';

/** What a rule says beside its five fields: "every 2 weeks from 2026-11-23 until 2027-01-31". */
export interface Span {
  /** Only each of so many days or weeks, counted from a day; without it the count begins when the rule is planned. */
  readonly every?: { readonly count: number; readonly unit: 'days' | 'weeks'; readonly from?: string | undefined };
  /** The last day, as `YYYY-MM-DD`. */
  readonly until?: string;
}

const DATE = '(\\d{4}-\\d\\d-\\d\\d)';
const SPAN = new RegExp(`^(.*?)(?: every (\\d{1,3}) (days|weeks)(?: from ${DATE})?)?(?: until ${DATE})?$`, 'i');

/** A stored rule as its five fields and its span. */
export function apart(rule: string): readonly [fields: string, span: Span] {
  const [, fields = rule, count, unit, from, until] = SPAN.exec(rule.trim()) ?? [];
  const every = { count: Number(count), unit: unit?.toLowerCase() as 'days' | 'weeks', from };
  return [fields, { ...(count !== undefined && { every }), ...(until !== undefined && { until }) }];
}

/** The span as it is stored behind the five fields; '' for a rule without one. */
export const spanText = ({ every, until }: Span): string =>
  (every === undefined
    ? ''
    : ` every ${every.count} ${every.unit}${every.from === undefined ? '' : ` from ${every.from}`}`) +
  (until === undefined ? '' : ` until ${until}`);

const dayOf = (at: Millis, time_zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time_zone).toPlainDate();

/** The rule with the day from which its days or weeks count. */
export function anchored(rule: string, time_zone: string, first: Millis): string {
  const [fields, span] = apart(rule);
  if (span.every === undefined || span.every.from !== undefined) return rule;
  return fields + spanText({ ...span, every: { ...span.every, from: dayOf(first, time_zone).toString() } });
}

/** The number of days from one to the next that counts; 0 when it counts itself. */
function daysToNext(day: Temporal.PlainDate, { every }: Span): number {
  if (every?.from === undefined) return 0;
  const from = Temporal.PlainDate.from(every.from);
  const ahead = day.until(from).days;
  if (ahead > 0) return ahead;
  const size = every.unit === 'weeks' ? 7 : 1;
  const begin = every.unit === 'weeks' ? from.subtract({ days: from.dayOfWeek - 1 }) : from;
  const passed = begin.until(day).days;
  const over = Math.floor(passed / size) % every.count;
  return over === 0 ? 0 : (every.count - over) * size - (passed % size);
}

/** The most days that are tried; a rule that comes on none of them never comes. */
const MAX_TRIES = 1_000;

/** The first time of the fields after `after` that the span has too. `next`: the fields' first time after another. */
export function nextWithin(
  span: Span,
  time_zone: string,
  after: Millis,
  next: (after: Millis) => Millis | undefined,
): Millis | undefined {
  let from = after;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const time = next(from);
    if (time === undefined) return undefined;
    const day = dayOf(time, time_zone);
    if (span.until !== undefined && Temporal.PlainDate.compare(day, Temporal.PlainDate.from(span.until)) > 0)
      return undefined;
    const days = daysToNext(day, span);
    if (days === 0) return time;
    from = day.add({ days }).toZonedDateTime(time_zone).epochMilliseconds - 1;
  }
  return undefined;
}

/** The words of a rule with its span: "every other Monday at 09:00 until December 1, 2026". */
export function withSpan(words: string, { every, until }: Span): string {
  const last =
    until === undefined
      ? ''
      : ` until ${Temporal.PlainDate.from(until).toLocaleString('en-US', { dateStyle: 'long' })}`;
  if (every === undefined) return words + last;
  const { count, unit } = every;
  const each = count === 2 ? 'every other' : `every ${count}`;
  if (words.startsWith('every day ') && unit === 'days')
    return `${each}${count === 2 ? ' day' : ' days'}${words.slice('every day'.length)}${last}`;
  if (/^every (?:\w+day\b)/.test(words) && unit === 'weeks' && !words.startsWith('every day'))
    return count === 2
      ? `every other ${words.slice('every '.length)}${last}`
      : `every ${count} weeks on ${words.slice('every '.length)}${last}`;
  return `${words}, ${each} ${count === 2 ? unit.slice(0, -1) : unit}${last}`;
}
