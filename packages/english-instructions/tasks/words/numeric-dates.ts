import { dayFirst, longDate } from './dates.ts';

/** A numeric date whose day and month could each be either; one with dots has the day first. */
const NUMERIC = /(?<![\d./-])(0?[1-9]|1[0-2])([/-])(0?[1-9]|1[0-2])(?:\2(?:\d{4}|\d{2}))?(?![\d/-]|\.\d)/;
/** A date that can only have the day first. */
const DAY_FIRST = /(?<![\d/])(?:1[3-9]|2\d|3[01])\/\d{1,2}\/\d{4}(?![\d/])/;

/** That date as written; undefined when there is none. */
export function numericIn(text: string): string | undefined {
  const [all, first, sign, second] = NUMERIC.exec(text) ?? [];
  // "9-30" is a range.
  const clock = sign !== '/' && !/\d-\d+-\d/.test(all ?? '');
  return all === undefined || Number(first) === Number(second) || clock ? undefined : all;
}

/** A text with its numeric date as read with the day first. */
export const withDayFirst = (text: string): string =>
  numericIn(text) === undefined ? text : dayFirst(text.replaceAll('/', '.'));

/** Two dates of one sender, read with the day first where one of them can only be read so. */
export const alikeDates = (date: string, to: string): readonly [date: string, to: string] =>
  DAY_FIRST.test(date) || DAY_FIRST.test(to) ? [withDayFirst(date), withDayFirst(to)] : [date, to];

/** States which reading was used, and what the other one is, or what it results in. */
export function numericSaid(date: string, result?: string): string {
  const [, month, day, year] = /^(\d+)[/-](\d+)[/-](\d{4})$/.exec(date) ?? [];
  const other = result ?? (year && longDate(new Temporal.PlainDate(Number(year), Number(day), Number(month))));
  return `I read ${date} with the month first${other ? ` (the day first: ${other})` : ''}; to be sure, write the month as a word.`;
}
