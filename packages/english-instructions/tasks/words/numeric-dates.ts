import { longDate } from './dates.ts';

/** A numeric date whose day and month could each be either. */
const NUMERIC = /(?<![\d./-])(0?[1-9]|1[0-2])([/.-])(0?[1-9]|1[0-2])(?:\2(?:\d{4}|\d{2}))?(?![\d/-]|\.\d)/;

/** That date as written; undefined when there is none. */
export function numericIn(text: string): string | undefined {
  const [all, first, sign, second] = NUMERIC.exec(text) ?? [];
  // "9.30" is a time of the day.
  const clock = sign !== '/' && !/\d([.-])\d+\1\d/.test(all ?? '');
  return all === undefined || Number(first) === Number(second) || clock ? undefined : all;
}

/** States which reading was used, and what the other one is. */
export function numericSaid(date: string): string {
  const [, month, day, year] = /^(\d+)[/.-](\d+)[/.-](\d{4})$/.exec(date) ?? [];
  const other = year && longDate(new Temporal.PlainDate(Number(year), Number(day), Number(month)));
  return `I read ${date} with the month first${other ? ` (the day first: ${other})` : ''}; to be sure, write the month as a word.`;
}
