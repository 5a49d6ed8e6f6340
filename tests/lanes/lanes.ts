import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
/** What `npm test` hands to the test runner: a file for each process. */
export const FOLDER = join(ROOT, 'build', 'lanes');
/** The test files that lanes share, as JSON: the files of each turn, those first that take long. */
export const LIST = join(FOLDER, 'files.json');
