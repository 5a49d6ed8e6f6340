import type { Millis } from '@mailroom/behavior/values/clock';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { Cron } from 'croner';
import type { TaskError } from '../task.ts';
import { MONTH_NAMES, weekdayName } from '../words/dates.ts';
import { ordinal } from '../words/figures.ts';
import { remembering } from '../words/remembering.ts';
import { refused } from './rule-parts.ts';
import { apart, nextWithin, spanText, withSpan } from './rule-span.ts';
import { takeRule } from './rule-words.ts';

/** A rule for a repeating time. */
export interface Rule {
  /** A cron expression of five fields: minute, hour, day, month, day of the week, with `L`, `W`, `#` and `+` of croner, and what `Span` says behind them. */
  readonly rule: string;
  /** IANA name; the rule follows this zone's wall clock. */
  readonly time_zone: string;
  /** The rule in words. */
  readonly said: string;
}

const FIELD = /^[\d*,/#LWA-Z+-]+$/i;
const LENGTH = 120;
const SHORT_MONTHS = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';
const SHORT_DAYS = 'SUNMONTUEWEDTHUFRISAT';
/** Any date serves to check whether a rule ever comes. */
const ANY_DAY = Date.UTC(2024, 0, 1);

function cronIn(rule: string, time_zone: string): Cron {
  const fields = rule.trim().split(/\s+/);
  if (fields.length > 5) {
    throw refused('A rule has five fields: minute, hour, day, month and day of the week. Seconds and years have none.');
  }
  if (fields.length < 5 || rule.length > LENGTH || !fields.every((field) => FIELD.test(field))) {
    throw refused(`“${rule.slice(0, LENGTH)}” is no rule: say, as an example, “every weekday at 9” or “0 9 * * 1-5”.`);
  }
  try {
    return new Cron([fields[0], hoursOf(fields[1] as string), ...fields.slice(2)].join(' '), {
      timezone: time_zone,
      paused: true,
      mode: '5-part',
      fixedTimeRule: 'no-wildcard',
    });
  } catch {
    throw refused(`“${rule}” is no rule: say, as an example, “every weekday at 9” or “0 9 * * 1-5”.`);
  }
}

/** A "*" alone means each elapsed hour; steps mean times of the day, each of which comes once. */
function hoursOf(field: string): string {
  const step = Number(/^\*\/(\d{1,2})$/.exec(field)?.[1] ?? 1);
  if (step < 2 || step > 23) return field;
  return Array.from({ length: Math.ceil(24 / step) }, (_, at) => at * step).join(',');
}

const zoneRefused = (time_zone: string): TaskError =>
  refused(`“${time_zone}” is no time zone: say one such as Europe/Berlin.`);

const isZone = remembering((time_zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: time_zone });
    return true;
  } catch {
    return false;
  }
});

/**
 * The first time of the rule after `after`, by the wall clock of the zone; undefined when it never comes. A time of day
 * that the clock skips comes at the end of the gap, and one that it repeats comes the first time; intervals of minutes or
 * an hour follow elapsed time. Throws TaskError for an invalid rule.
 */
export function nextTime(rule: string, time_zone: string, after: Millis): Millis | undefined {
  if (!isZone(time_zone)) throw zoneRefused(time_zone);
  const [fields, span] = apart(rule);
  const cron = cronIn(fields, time_zone);
  return nextWithin(span, time_zone, after, (from) => cron.nextRun(new Date(from))?.getTime());
}

/** Whether a rule ever comes: a line with its zone, and its five fields. */
const comes = remembering((rule: string): boolean => {
  const end = rule.indexOf('\n');
  return nextTime(rule.slice(end + 1), rule.slice(0, end), ANY_DAY) !== undefined;
});

/** The stored form of a rule: five fields with single spaces, and its span. Throws TaskError for an invalid rule or one that never comes. */
export function checkRule(rule: string, time_zone: string): string {
  const [fields, span] = apart(rule);
  if (!comes(`${time_zone}\n${fields}`)) {
    throw refused(`The rule “${rule}” never comes: there is no such day. Say another one.`);
  }
  const [minute, hour, dates, months = '', days = ''] = fields.trim().toUpperCase().split(/\s+/);
  const month = months.replace(/[A-Z]{3,}/g, (name) => String(SHORT_MONTHS.indexOf(name.slice(0, 3)) / 3 + 1));
  const day = days.replace(/[A-Z]{3,}/g, (name) => String(SHORT_DAYS.indexOf(name.slice(0, 3)) / 3));
  return [minute, hour, dates, month, day].join(' ') + spanText(span);
}

/**
 * The rule in a text that contains nothing else: "every weekday at 9 in Berlin", "daily at 7am Tokyo time", "0 9 * * 1-5".
 * The default time is 9:00. Undefined when there is none. Throws TaskError for a rule that is not possible: more often than
 * each minute, every 7 minutes, on 30 February. `now`: for the last day of a rule in words, which is refused without it.
 */
export function readRule(text: string, time_zone: string, now?: Millis): Rule | undefined {
  const plain = withoutTrailing(text.trim().replace(/\s+/g, ' '), ' .,;:!');
  if (plain === '' || plain.length > LENGTH) return undefined;
  const taken = takeRule(plain, time_zone, now);
  if (taken === undefined || taken.end < plain.length) return undefined;
  const rule = checkRule(taken.rule, taken.time_zone);
  return { rule, time_zone: taken.time_zone, said: describeRule(rule) };
}

const NTH = ['first', 'second', 'third', 'fourth', 'fifth'];
const NUMBERS = /^\d+(?:,\d+)*$/;

const joined = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const two = (n: string | number): string => String(n).padStart(2, '0');

/** The days of a rule; undefined when they cannot be put into words, '' for every day. */
function daysSaid(dates: string, months: string, days: string): string | undefined {
  if (months !== '*' && !NUMBERS.test(months) && !/^\*\/\d+$/.test(months)) return undefined;
  const named = NUMBERS.test(months)
    ? joined(months.split(',').map((one) => MONTH_NAMES[Number(one) - 1] as string))
    : undefined;
  const every = months.startsWith('*/') ? `every ${ordinal(Number(months.slice(2)))} month` : (named ?? 'every month');
  const within = named === undefined ? (months === '*' ? '' : ` in ${every}`) : ` in ${named}`;
  let on = '';
  if (dates !== '*') {
    const words = dates.split(',').map((one) => {
      if (NUMBERS.test(one)) return ordinal(Number(one));
      return one === 'L' ? 'last day' : one === 'LW' ? 'last weekday' : one === '1W' ? 'first weekday' : '';
    });
    if (words.includes('')) return undefined;
    on = `${named === undefined ? '' : 'every year '}on the ${joined(words)} of ${every}`;
  }
  if (days === '*') return on === '' ? within : on;
  if (dates !== '*') {
    const day = /^\+\d$/.test(days) ? weekdayName(Number(days[1]) || 7) : undefined;
    return day === undefined || !NUMBERS.test(dates) ? undefined : `${on} that is a ${day}`;
  }
  if (days === '1-5') return `every weekday${within}`;
  if (NUMBERS.test(days))
    return `every ${joined(days.split(',').map((one) => weekdayName(Number(one) || 7)))}${within}`;
  const nth = days.split(',').map((one) => /^(\d)(?:#([1-5])|(L))$/.exec(one));
  if (nth.includes(null)) return undefined;
  const words = nth.map(
    (one) => `${one?.[3] === undefined ? NTH[Number(one?.[2]) - 1] : 'last'} ${weekdayName(Number(one?.[1]) || 7)}`,
  );
  return `on the ${joined(words)} of ${every}`;
}

/** A rule in words ("every weekday at 09:00", "every 15 minutes"), or unchanged when it cannot be put into words. */
export function describeRule(rule: string): string {
  const [fields, span] = apart(rule);
  return withSpan(fieldsSaid(fields), span);
}

function fieldsSaid(rule: string): string {
  const [minute = '', hour = '', dates = '', months = '', days = ''] = rule.split(' ');
  const on = daysSaid(dates, months, days);
  const special = `by the rule “${rule}”`;
  if (on === undefined) return special;
  if (NUMBERS.test(minute) && NUMBERS.test(hour)) {
    const times = hour.split(',').flatMap((h) => minute.split(',').map((m) => `${two(h)}:${two(m)}`));
    return `${on.startsWith(' ') || on === '' ? `every day${on}` : on} at ${joined(times)}`;
  }
  const tail = on === '' ? '' : on.startsWith(' ') ? on : `, ${on}`;
  const window = /^(\d+)-(\d+)$/.exec(hour);
  const step = /^\*(?:\/(\d+))?$/.exec(minute);
  if (step !== null && (hour === '*' || window !== null || /^\d+$/.test(hour))) {
    const often = step[1] === undefined ? 'every minute' : `every ${step[1]} minutes`;
    const from = window?.[1] ?? hour;
    const span = hour === '*' ? '' : ` from ${two(from)}:00 to ${two(window?.[2] ?? hour)}:59`;
    return `${often}${span}${tail}`;
  }
  const each = /^(?:\*|(\d+)-(\d+))(?:\/(\d+))?$/.exec(hour);
  if (!/^\d+$/.test(minute) || each === null) return special;
  const [, from, to, hours] = each;
  const often = hours === undefined ? 'every hour' : `every ${hours} hours`;
  const span =
    from === undefined
      ? minute === '0'
        ? ''
        : ` at minute ${minute}`
      : ` from ${two(from)}:${two(minute)} to ${two(to as string)}:${two(minute)}`;
  return `${often}${span}${tail}`;
}
