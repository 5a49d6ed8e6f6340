import type { Millis } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';
import { TaskError } from '../task.ts';
import {
  local,
  longDate,
  longTime,
  MONTH_NAMES,
  parseWhen,
  todayIn,
  two,
  type When,
  type WhenOptions,
  weekdayName,
} from '../words/dates.ts';
import { addBusinessDays, businessDays, lengthOf } from '../words/durations.ts';
import { ordinal } from '../words/figures.ts';
import { zoneOf } from '../words/zones.ts';

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7].map((n) => `${weekdayName(n).toLowerCase()}s`);
const RELATIVE = /^(?:today|now|yesterday|tomorrow)$/i;

/** A question about time; `now` and `time_zone` are the reference for relative times. */
export interface Question {
  readonly what: string;
  readonly date: string;
  readonly inclusive?: boolean | undefined;
  readonly to: string;
  readonly length: string;
  readonly unit: string | undefined;
  readonly place: string | undefined;
  readonly now: Millis;
  readonly time_zone: string;
}

export interface TimeAnswer {
  readonly result: string | number | boolean;
  readonly text: string;
  readonly [name: string]: Json;
}

const many = (count: number, unit: string): string => {
  const name = unit === 'business' ? 'business days' : unit;
  return `${count.toLocaleString('en', { maximumFractionDigits: 2 })} ${Math.abs(count) === 1 ? name.slice(0, -1) : name}`;
};

function zone(name: string): string {
  const found = zoneOf(name);
  if (found === undefined)
    throw new TaskError(`I do not know the time zone of “${name.slice(0, 60)}”: try a larger city near it.`);
  return found;
}

function moment(text: string, now: Millis, time_zone: string, options?: WhenOptions): When {
  const found = parseWhen(text, now, time_zone, options);
  if (found === undefined) {
    throw new TaskError(`“${text.slice(0, 60)}” is no date I can read: write it like 2027-05-31 or “May 31, 2027”.`);
  }
  return found;
}

const dayOf = (when: When): Temporal.PlainDate => todayIn(when.at, when.time_zone);

/** Days of a name, from 1 for Monday, in so many days from a day on. */
const named = (weekday: number, from: Temporal.PlainDate, days: number): number =>
  days < 0
    ? -named(weekday, from.add({ days }), -days)
    : Math.max(0, Math.ceil((days - ((weekday + 7 - from.dayOfWeek) % 7)) / 7));
const SATURDAY = 6;

/** The changes of the clocks in a zone from a moment on, up to one of the year after. */
function* clockChanges(from: Temporal.ZonedDateTime): Generator<Temporal.ZonedDateTime> {
  const last = from.year + 1;
  let change = from.getTimeZoneTransition('next');
  for (; change !== null && change.year <= last; change = change.getTimeZoneTransition('next')) yield change;
}
const hoursBy = (change: Temporal.ZonedDateTime): number =>
  (change.offsetNanoseconds - change.subtract({ nanoseconds: 1 }).offsetNanoseconds) / 3.6e12;

/** When clocks are changed: the next time, or in a year. */
function clocksIn(zoneName: string, year: number | undefined, to: string, now: Millis): TimeAnswer {
  const from =
    year === undefined
      ? Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zoneName)
      : Temporal.ZonedDateTime.from({ year, month: 1, day: 1, timeZone: zoneName });
  const all = [...clockChanges(from)].filter(
    (one) => (year === undefined || one.year === year) && (to === '' || hoursBy(one) > 0 === (to === 'forward')),
  );
  const found = year === undefined ? all.slice(0, 1) : all;
  const [first] = found;
  if (first === undefined)
    return {
      result: 'none',
      text: `The clocks are not changed${year === undefined ? '' : ` in ${year}`} (${zoneName})`,
    };
  const said = found.map((one) => {
    const by = hoursBy(one);
    const before = one.subtract({ nanoseconds: 1 }).toPlainDateTime().add({ nanoseconds: 1 });
    const at = `${two(before.hour)}:${two(before.minute)}`;
    return `${longDate(one.toPlainDate())}: at ${at} the clocks go ${by > 0 ? 'forward' : 'back'} ${many(Math.abs(by), 'hours')}`;
  });
  return { result: first.toPlainDate().toString(), text: `${said.join('; ')} (${zoneName})`, time_zone: zoneName };
}

/** Hours, minutes and seconds of a length of time. */
function clockLength(elapsed: Millis): string {
  const seconds = Math.round(Math.abs(elapsed) / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const names = ['hours', 'minutes', 'seconds'];
  return parts.flatMap((count, at) => (count === 0 ? [] : many(count, names[at] as string))).join(' and ');
}

function distance(from: When, to: When, unit: string | undefined, inclusive = false): TimeAnswer {
  const start = dayOf(from);
  const end = todayIn(to.at, to.time_zone);
  const elapsed = to.at - from.at;
  const precise = from.has_time || to.has_time;
  const ends = {
    from: precise ? local(from.at, from.time_zone) : start.toString(),
    to: precise ? local(to.at, to.time_zone) : end.toString(),
  };
  if (unit === 'business') {
    const count = businessDays(start, inclusive ? end.add({ days: 1 }) : end);
    return {
      result: count,
      text: `${many(count, unit)} (Monday to Friday, ${inclusive ? 'both days included' : 'without the last day'}; holidays count)`,
      unit,
      ...ends,
    };
  }
  const days = start.until(end, { largestUnit: 'days' }).days;
  if (inclusive)
    return { result: days + 1, text: `${many(days + 1, 'days')} (both days included)`, unit: 'days', ...ends };
  if (unit === 'weekends') {
    const count = named(SATURDAY, start, days);
    return { result: count, text: `${many(count, unit)} (Saturdays, without the last day)`, unit, ...ends };
  }
  const weekday = 1 + WEEKDAYS.indexOf(unit ?? '');
  if (weekday > 0) {
    const count = named(weekday, start, days);
    const last = end.dayOfWeek === weekday ? ', which is one too' : '';
    const name = weekdayName(weekday);
    return {
      result: count,
      text: `${many(count, `${name}s`)} (without the last day${last})`,
      unit: unit as string,
      ...ends,
    };
  }
  const small: Readonly<Record<string, number>> = { hours: 3_600_000, minutes: 60_000, seconds: 1_000 };
  const short = Math.abs(elapsed) < 3_600_000 ? 'minutes' : 'hours';
  const chosen = unit ?? (precise && Math.abs(elapsed) < 2 * 86_400_000 ? short : 'days');
  const per = small[chosen];
  let count = days;
  if (per !== undefined) count = elapsed / per;
  else if (chosen === 'weeks') count = days / 7;
  else if (chosen !== 'days') count = start.until(end).total({ unit: chosen as 'months' | 'years', relativeTo: start });
  count = Math.round(count * 100) / 100;
  const apart = start.until(end, { largestUnit: 'years' });
  const parts = (['years', 'months', 'days'] as const)
    .filter((name) => apart[name] !== 0)
    .map((name) => many(Math.abs(apart[name]), name));
  const also = per !== undefined ? clockLength(elapsed) : parts.join(', ');
  const text = many(count, chosen);
  return {
    result: count,
    text: also === '' || also === text ? text : `${text} (${also})`,
    unit: chosen,
    length: `${Math.abs(count)} ${chosen}`,
    ...ends,
  };
}

function added({ date, length, now, time_zone }: Question): TimeAnswer {
  const back = length.startsWith('-');
  const found = lengthOf(length.replace(/^-/, ''));
  if (found === undefined)
    throw new TaskError(`“${length.slice(0, 60)}” is no length of time: write it like “90 days”.`);
  const from = /^(?:now|today|this moment)$/i.test(date)
    ? { at: now, has_time: false, time_zone }
    : moment(date, now, time_zone);
  const lengthPart = { length: length.replace(/^-/, '') };
  const duration = back ? found.duration.negated() : found.duration;
  const start = Temporal.Instant.fromEpochMilliseconds(from.at).toZonedDateTimeISO(from.time_zone);
  let end = start.add(duration);
  if (found.business !== 0) {
    if (found.business > 1e6) throw new TaskError('I add a million business days at most.');
    end = end.withPlainTime(end.toPlainTime());
    end = addBusinessDays(end.toPlainDate(), back ? -found.business : found.business).toZonedDateTime({
      timeZone: from.time_zone,
      plainTime: end.toPlainTime(),
    });
  }
  if (end.year < 1 || end.year > 9999) throw new TaskError('I know the years 1 to 9999.');
  if (found.has_time || from.has_time) {
    return {
      result: local(end.epochMilliseconds, from.time_zone),
      text: longTime(end.epochMilliseconds, from.time_zone),
      ...lengthPart,
    };
  }
  return { ...dayAnswer(end.toPlainDate()), ...lengthPart };
}

const dayAnswer = (day: Temporal.PlainDate): TimeAnswer => ({
  result: day.toString(),
  text: longDate(day),
  weekday: weekdayName(day.dayOfWeek),
});

/** A moment in a form such as `D MMMM YYYY` or `HH:mm`. */
function written({ at, time_zone }: When, form: string): string {
  const { year, month, day, hour, minute } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time_zone);
  const name = MONTH_NAMES[month - 1] as string;
  const parts: Readonly<Record<string, string | number>> = {
    ...{ YYYY: String(year).padStart(4, '0'), YY: two(year % 100), MMMM: name, MMM: name.slice(0, 3) },
    ...{ MM: two(month), M: month, DD: two(day), D: day },
    ...{ HH: two(hour), h: hour % 12 === 0 ? 12 : hour % 12, mm: two(minute), A: hour < 12 ? 'AM' : 'PM' },
  };
  return form.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|h|mm|A/g, (part) => String(parts[part]));
}

function weekdayOf(name: string): number {
  const weekday = [1, 2, 3, 4, 5, 6, 7].find((n) => weekdayName(n).toLowerCase() === name.toLowerCase());
  if (weekday === undefined) throw new TaskError(`“${name}” is no weekday.`);
  return weekday;
}

/** The next named day: `leap day`, `Friday the 13`, `Monday`. */
function next(what: string, today: Temporal.PlainDate): TimeAnswer {
  if (what === 'leap day') {
    let year = today.year;
    for (;;) {
      const first = new Temporal.PlainDate(year, 1, 1);
      const day = first.inLeapYear ? new Temporal.PlainDate(year, 2, 29) : first;
      if (first.inLeapYear && Temporal.PlainDate.compare(day, today) > 0) return dayAnswer(day);
      year++;
    }
  }
  const [, name = what, number] = /^(\w+) the (\d+)$/.exec(what) ?? [];
  const weekday = weekdayOf(name);
  if (number === undefined) return dayAnswer(today.add({ days: ((weekday - today.dayOfWeek + 6) % 7) + 1 }));
  const wanted = Number(number);
  // The calendar repeats after 400 years, and each day of a month falls on each weekday within 40.
  for (let month = today.with({ day: 1 }), n = 0; n < 500; n++, month = month.add({ months: 1 })) {
    if (wanted < 1 || wanted > month.daysInMonth) continue;
    const day = month.with({ day: wanted });
    if (day.dayOfWeek === weekday && Temporal.PlainDate.compare(day, today) > 0) return dayAnswer(day);
  }
  throw new TaskError(`No month has a day ${wanted}.`);
}

/** The number of days of a name in a month, such as the Mondays in "January 2027". */
function weekdaysIn(month: string, name: string, now: Millis, time_zone: string): TimeAnswer {
  const first = dayOf(moment(`first day of ${month}`, now, time_zone));
  const weekday = weekdayOf(name);
  const before = (weekday - first.dayOfWeek + 7) % 7;
  const count = Math.ceil((first.daysInMonth - before) / 7);
  return { result: count, text: `${count} ${weekdayName(weekday)}s` };
}

/** Whether a text names a day of a month without a year. */
const isYearless = (text: string): boolean =>
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i.test(text) && /\d/.test(text) && !/\d{4}/.test(text);
const inYear = (text: string, year: number, now: Millis, time_zone: string): When =>
  moment(`${text} ${year}`, now, time_zone);

/** The answer. Throws TaskError for an unknown date, place or duration, and RangeError beyond the range of calendars. */
export function answerTime(question: Question): TimeAnswer {
  const { what, date, to, now, time_zone, place, unit, inclusive } = question;
  const here = place === undefined ? time_zone : zone(place);
  const today = todayIn(now, here);
  switch (what) {
    case 'now':
      return { result: local(now, here), text: longTime(now, here), time_zone: here };
    case 'date':
      return dayAnswer(today);
    case 'day':
      return dayAnswer(dayOf(moment(date, now, here)));
    case 'weekday': {
      const day = dayOf(moment(date, now, here));
      const name = weekdayName(day.dayOfWeek);
      const answer = to === '' ? '' : name.toLowerCase() === to.toLowerCase() ? 'Yes: ' : 'No: ';
      return { result: name, text: `${answer}${longDate(day)}`, date: day.toString() };
    }
    case 'unix': {
      const when = /^now$/i.test(date) ? { at: now } : moment(date, now, here);
      const seconds = Math.floor(when.at / 1000);
      return { result: seconds, text: `${seconds} (${local(when.at, 'UTC')})` };
    }
    case 'from_unix': {
      const number = Number(date);
      if (!Number.isFinite(number)) throw new TaskError(`“${date.slice(0, 40)}” is no Unix timestamp.`);
      // Seconds reach this number in the year 5138; milliseconds passed it in 1973.
      const at = Math.abs(number) >= 1e11 ? number : number * 1000;
      return { result: local(at, here), text: longTime(at, here) };
    }
    case 'until':
    case 'since': {
      // On a Friday, "until Friday" is a week.
      const weekday = what === 'until' && date.toLowerCase() === weekdayName(today.dayOfWeek).toLowerCase();
      const wanted = weekday ? `next ${date}` : date;
      const then = moment(wanted, now, here, { prefer: what === 'since' ? 'past' : 'future' });
      const precise = then.has_time || /^(?:hours|minutes|seconds)$/.test(unit ?? '');
      // Of the current time the minute counts, but where seconds are asked for.
      const start = unit === 'seconds' ? now : Math.floor(now / 60_000) * 60_000;
      const from = precise
        ? { at: start, has_time: true, time_zone: then.time_zone }
        : { at: now, has_time: false, time_zone: here };
      return what === 'since' ? distance(then, from, unit) : distance(from, then, unit);
    }
    case 'between': {
      let from = moment(date, now, here, { prefer: RELATIVE.test(to) ? 'past' : /\d{4}/.test(to) ? 'near' : 'future' });
      let end = moment(to, now, here);
      // In "from 1 January to 31 December 2026" the year applies to both.
      if (isYearless(date) && /\d{4}/.test(to)) from = inYear(date, dayOf(end).year, now, here);
      if (isYearless(date) && /\d{4}/.test(to) && from.at > end.at) from = inYear(date, dayOf(end).year - 1, now, here);
      if (isYearless(to) && /\d{4}/.test(date)) end = inYear(to, dayOf(from).year, now, here);
      if (isYearless(to) && /\d{4}/.test(date) && end.at < from.at) end = inYear(to, dayOf(from).year + 1, now, here);
      // "From 20 December to 5 January" ends in the next year.
      if (end.at < from.at && !/\d{4}/.test(to) && !RELATIVE.test(to)) end = moment(to, from.at, here);
      return end.at < from.at ? distance(end, from, unit, inclusive) : distance(from, end, unit, inclusive);
    }
    case 'before': {
      const [one, other] = [moment(date, now, here), moment(to, now, here)];
      const is = one.at < other.at;
      return { result: is, text: `${is ? 'Yes' : 'No'}: ${longDate(dayOf(one))}; ${longDate(dayOf(other))}` };
    }
    case 'weekend':
    case 'workday': {
      const day = dayOf(moment(date, now, here));
      const is = day.dayOfWeek > 5 === (what === 'weekend');
      return { result: is, text: `${is ? 'Yes' : 'No'}: ${longDate(day)}`, date: day.toString() };
    }
    case 'clocks':
      return clocksIn(here, /^\d{4}$/.test(date) ? Number(date) : undefined, to, now);
    case 'count':
      return weekdaysIn(date, to, now, here);
    case 'age': {
      const born = dayOf(moment(/^\d{4}$/.test(date) ? `${date}-01-01` : date, now, here, { prefer: 'past' }));
      if (Temporal.PlainDate.compare(born, today) > 0) throw new TaskError(`${born} is still to come.`);
      const age = born.until(today, { largestUnit: 'years' });
      return {
        result: age.years,
        text: `${many(age.years, 'years')} (and ${many(age.months, 'months')}, ${many(age.days, 'days')})`,
      };
    }
    case 'format': {
      const found = moment(date, now, here);
      const text = written(found, to);
      return { result: text, text, date: dayOf(found).toString() };
    }
    case 'add':
      return added({ ...question, time_zone: here });
    case 'leap': {
      const year = /^\d{1,4}$/.test(date)
        ? Number(date)
        : dayOf(moment(date.replace(/^this year$/, 'today'), now, here)).year;
      const leap = new Temporal.PlainDate(year, 1, 1).inLeapYear;
      return { result: leap, text: `${leap ? 'Yes' : 'No'}: ${year} has ${leap ? 366 : 365} days` };
    }
    case 'week': {
      const day = dayOf(moment(date, now, here));
      return { result: day.weekOfYear as number, text: `Week ${day.weekOfYear} of ${day.yearOfWeek} (ISO 8601)` };
    }
    case 'century': {
      const year = /^\d{1,4}$/.test(date) ? Number(date) : dayOf(moment(date, now, here)).year;
      if (year < 1) throw new TaskError('I know the years 1 to 9999.');
      const century = Math.ceil(year / 100);
      const text = `The ${ordinal(century)} century (${100 * century - 99} to ${100 * century})`;
      return { result: century, text };
    }
    case 'year_day': {
      const day = dayOf(moment(date, now, here));
      return { result: day.dayOfYear, text: `Day ${day.dayOfYear} of ${day.year}` };
    }
    case 'quarter': {
      const { month, year } = dayOf(moment(date, now, here));
      const quarter = Math.ceil(month / 3);
      return { result: quarter, text: `Quarter ${quarter} of ${year}` };
    }
    case 'next':
      return next(date, today);
    case 'month_days': {
      const day = /^this /i.test(date) ? today : dayOf(moment(date, now, here, { prefer: 'near' }));
      const days = /year|^\d{4}$/i.test(date) ? day.daysInYear : day.daysInMonth;
      return { result: days, text: many(days, 'days') };
    }
    default: {
      const offset = (name: string): number =>
        Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone(name)).offsetNanoseconds / 3.6e12;
      const hours = offset(to) - offset(date);
      const text =
        hours === 0
          ? 'They show the same time'
          : `${to} is ${many(Math.abs(hours), 'hours')} ${hours > 0 ? 'ahead of' : 'behind'} ${date}`;
      return { result: hours, text };
    }
  }
}
