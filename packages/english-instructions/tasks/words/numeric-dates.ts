/** A numeric date whose day and month could each be either. */
const NUMERIC = /(?<![\d./-])(0?[1-9]|1[0-2])([/.-])(0?[1-9]|1[0-2])(?:\2(?:\d{4}|\d{2}))?(?![\d/-]|\.\d)/;

/** That date as written; undefined when there is none. */
export function numericIn(text: string): string | undefined {
  const [all, first, sign, second] = NUMERIC.exec(text) ?? [];
  // "9.30" is a time of the day.
  const clock = sign !== '/' && !/\d([.-])\d+\1\d/.test(all ?? '');
  return all === undefined || Number(first) === Number(second) || clock ? undefined : all;
}

/** States which reading was used. */
export const numericSaid = (date: string): string =>
  `I read ${date} with the month first; to be sure, write the month as a word.`;
