import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
/** What `npm test` hands to the test runner: a file for each process. */
export const FOLDER = join(ROOT, 'build', 'lanes');
/** The test files that lanes share, as JSON: the files of each turn, those first that take long. */
export const LIST = join(FOLDER, 'files.json');
/** What each file of a lane cost: a line with the CPU seconds, of the processes that it started too, and its name. */
export const COSTS = join(FOLDER, 'costs.txt');
/** What failed in the lanes: a line each. */
export const FAILED = join(FOLDER, 'failed.txt');
/** Set in the environment of `npm run test:programs`, which runs the files with programs of others; `npm test` runs all others. */
export const PROGRAMS = 'TEST_PROGRAMS';
/** Set in the environment of `npm test -- --changed`: the commit since which files changed. */
export const CHANGED = 'TEST_CHANGED';
/**
 * On a line of its own in a test file that `npm run soak` runs and `npm test` and `npm run test:programs` do not: the
 * files, beside it, that show the same in short form.
 */
export const LONG_FILE = /^\/\/ Long form of: (.+)\.$/m;
