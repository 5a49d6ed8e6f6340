import { TaskError } from '../task.ts';
import { spanText } from './rule-span.ts';

/** A time of the day. */
export interface Moment {
  readonly hour: number;
  readonly minute: number;
  /** Whether it is clear which half of the day it is in. */
  readonly half: boolean;
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The parts of a rule read so far. */
export interface Parts {
  /** A cron expression given as such. */
  cron?: string;
  unit?: Unit;
  count?: number;
  /** The minute of every hour. */
  minute?: number;
  /** How often a day, which has to be said by so many times; -1 for what cannot be said so. */
  often?: number;
  window?: readonly [Moment, Moment];
  /** A part of the day such as "morning", with its default hour. */
  part?: string;
  around?: number;
  /** Whether the text says that it repeats. */
  again: boolean;
  /** Cron's days of the week: `1-5`, `1#1`, `5L`. */
  readonly days: string[];
  /** Cron's days of the month: `15`, `L`, `1W`. */
  readonly dates: string[];
  readonly months: number[];
  readonly times: Moment[];
  /** Excluded days of the week. */
  readonly but: number[];
}

const MAX_COUNT = 366;
/** The default hour for a day without a time. */
export const DEFAULT_HOUR = 9;

export const refused = (message: string): TaskError => new TaskError(message);

const list = (numbers: readonly number[]): string => [...new Set(numbers)].sort((a, b) => a - b).join(',');

/** Applies a part of the day: "at 7 in the evening" is 19:00. */
const inPart = ({ hour, minute, half }: Moment, part: string | undefined): Moment => {
  const late = part === 'evening' || part === 'afternoon' || (part === 'night' && hour >= 6);
  return { hour: !half && late && hour > 0 && hour < 12 ? hour + 12 : hour, minute, half };
};

/** Every hour of a window: both ends for times on the hour, without the last for times within the hour. */
function hoursOf([from, to]: readonly [Moment, Moment], within: boolean): string {
  // "From 9 to 5" means office hours.
  const end = !to.half && to.hour < from.hour && to.hour < 12 && from.hour < 12 ? to.hour + 12 : to.hour;
  const last = within && to.minute === 0 ? (end + 23) % 24 : end;
  if (last >= from.hour) return last === from.hour ? String(last) : `${from.hour}-${last}`;
  return list([
    ...Array.from({ length: 24 - from.hour }, (_, i) => from.hour + i),
    ...Array.from({ length: last + 1 }, (_, i) => i),
  ]);
}

const uneven = (said: string, instead: string): TaskError =>
  refused(`“${said}” does not divide evenly, so it cannot be written as a rule: say ${instead}.`);

function timeOf(parts: Parts): string {
  const { unit, count = 1, minute, window } = parts;
  if (unit === 'second') {
    if (count % 60 !== 0) throw refused('A schedule runs at most once a minute: say “every minute” or longer.');
    return timeOf({ ...parts, unit: 'minute', count: count / 60 });
  }
  if (unit === 'minute') {
    if (count < 1) throw refused('A schedule needs a length of time above zero.');
    if (count % 60 === 0) return timeOf({ ...parts, unit: 'hour', count: count / 60 });
    if (60 % count !== 0) throw uneven(`every ${count} minutes`, '“every 5, 10, 15, 20 or 30 minutes” or “every hour”');
    const hours = window === undefined ? '*' : hoursOf(window, true);
    return `${count === 1 ? '*' : `*/${count}`} ${hours}`;
  }
  if (unit === 'hour') {
    if (count < 1) throw refused('A schedule needs a length of time above zero.');
    if (count > 24 || 24 % count !== 0)
      throw uneven(`every ${count} hours`, '“every 2, 3, 4, 6, 8 or 12 hours” or “every day at 9”');
    const startMinute = minute ?? parts.times[0]?.minute ?? 0;
    if (count === 24) return `${startMinute} ${parts.times[0]?.hour ?? DEFAULT_HOUR}`;
    if (window !== undefined) {
      const hours = hoursOf(window, false);
      return `${window[0].minute || startMinute} ${count > 1 && hours.includes('-') ? `${hours}/${count}` : hours}`;
    }
    return `${startMinute} ${count === 1 ? '*' : `*/${count}`}`;
  }
  if (window !== undefined)
    throw refused('A rule with a span of hours needs to say how often: “every hour from 9 to 17”.');
  const times = parts.times.map((one) => inPart(one, parts.part));
  if (parts.often !== undefined && parts.often !== times.length)
    throw refused('Say at which times, not how often: “every day at 9 and 17”, or “every Monday and Thursday”.');
  if (times.length === 0) return `${minute ?? 0} ${parts.around ?? DEFAULT_HOUR}`;
  const minutes = list(times.map((one) => one.minute));
  const hours = list(times.map((one) => one.hour));
  if (minutes.includes(',') && hours.includes(',')) {
    throw refused(
      'The times of one rule need the same minute, as 9:30 and 17:30: plan the others as schedules of their own.',
    );
  }
  return `${minutes} ${hours}`;
}

/** The cron expression of five fields for the parts, with a span of days or weeks. Throws TaskError for what is no rule. */
export function cronOf(parts: Parts): string {
  const { unit, count = 1, dates, but } = parts;
  const units = unit === 'day' || unit === 'week' ? (`${unit}s` as const) : undefined;
  const span =
    units === undefined || count < 2 || (unit === 'day' && count === 7)
      ? ''
      : spanText({ every: { count, unit: units } });
  if (count > MAX_COUNT)
    throw refused(`“every ${count} ${unit}s” is too long: say “every ${MAX_COUNT} ${unit}s” or less.`);
  if (parts.cron !== undefined) return parts.cron + span;
  const time = timeOf(parts);
  let days = [...new Set(parts.days)].join(',');
  if (days === '1,2,3,4,5') days = '1-5';
  if (but.length > 0) {
    const from = days === '' ? [0, 1, 2, 3, 4, 5, 6] : days === '1-5' ? [1, 2, 3, 4, 5] : days.split(',').map(Number);
    const left = from.filter((day) => !but.includes(day));
    if (left.length === 0) throw refused('No day is left on which it could run.');
    days = list(left) === '1,2,3,4,5' ? '1-5' : list(left);
  }
  let months = list(parts.months);
  let on = [...new Set(dates)].join(',');
  const step = (of: 'month' | 'quarter' | 'year'): number => (of === 'month' ? 1 : of === 'quarter' ? 3 : 12) * count;
  if ((unit === 'day' && count === 7) || unit === 'week') days ||= '1';
  if (unit === 'month' || unit === 'quarter' || unit === 'year') {
    const every = step(unit);
    if (every > 12 || 12 % every !== 0)
      throw uneven(`every ${count} ${unit}s`, '“every month”, “every 2, 3, 4 or 6 months” or “every year”');
    if (on === '' && days === '') on = '1';
    if (months === '' && every > 1) months = every === 12 ? '1' : `*/${every}`;
  } else if (months !== '' && on === '' && days === '' && unit === undefined) on = '1';
  // Both conditions must hold ("Friday the 13th"), where cron by itself takes either.
  const both = on !== '' && days !== '';
  return `${time} ${on || '*'} ${months || '*'} ${both ? '+' : ''}${days || '*'}${span}`;
}
