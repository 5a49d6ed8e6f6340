/** Whether tests run in their long form: `npm run soak` sets it, `npm test` does not. */
export const LONG = process.env.TEST_LENGTH === 'long';

/** Options of a test that is run in its long form alone: `npm test` shows the same guarantee with fewer processes. */
export const LONG_ONLY = { skip: !LONG && 'it is part of npm run soak' } as const;

/** The amount of work for a test that `npm test` runs in short and `npm run soak` in full. */
export const amount = (short: number, long: number): number => (LONG ? long : short);

/** All cases in the long form; in short so many of each kind. */
export const ofEachKind = <Case>(cases: readonly Case[], kindOf: (one: Case) => unknown, count = 1): readonly Case[] =>
  LONG ? cases : [...Map.groupBy(cases, kindOf).values()].flatMap((alike) => alike.slice(0, count));

/** All cases in the long form; in short every so manyth, from the one at `first` on. */
export const everyNth = <Case>(cases: readonly Case[], step: number, first = 0): readonly Case[] =>
  LONG ? cases : cases.filter((_, at) => at % step === first % step);
