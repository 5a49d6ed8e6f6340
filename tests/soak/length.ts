/** Whether tests run in their long form: `npm run soak` sets it, `npm test` does not. */
export const LONG = process.env.TEST_LENGTH === 'long';

/** The amount of work for a test that `npm test` runs in short and `npm run soak` in full. */
export const amount = (short: number, long: number): number => (LONG ? long : short);
