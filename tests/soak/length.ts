/** Whether tests run in their long form: `npm run soak` sets it, `npm test` does not. */
export const LONG = process.env.TEST_LENGTH === 'long';

/** Options of a test that is run in its long form alone: `npm test` shows the same guarantee with fewer processes. */
export const LONG_ONLY = { skip: !LONG && 'it is part of npm run soak' } as const;

/** The amount of work for a test that `npm test` runs in short and `npm run soak` in full. */
export const amount = (short: number, long: number): number => (LONG ? long : short);
