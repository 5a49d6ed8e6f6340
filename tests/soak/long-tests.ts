import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The tests that `npm test` runs in short form: fewer rounds, requests or rules, or one database of two. */
const FILES = [
  'process/crash.test.ts',
  'process/failpoint.test.ts',
  'process/fuzz.test.ts',
  'web/pages.test.ts',
  'web/console-browser.test.ts',
  'oidc/people-browser.test.ts',
];

/** Runs them in their long form, with their output on this process's own; false when one failed. */
export async function longTests(): Promise<boolean> {
  const files = FILES.map((file) => join(import.meta.dirname, '..', file));
  const env = { ...process.env, TEST_LENGTH: 'long' };
  const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], { env, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code === 0;
}
