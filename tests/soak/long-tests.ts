import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LONG_FILE, ROOT } from '../lanes/lanes.ts';

const TESTS = ['tests/**/*.test.ts', 'packages/**/tests/**/*.test.ts'];
const LENGTH = join(import.meta.dirname, './length.ts');
const IMPORT = /\bfrom '(\.[^']+)'/g;

/** Whether this file imports `length.ts`, if only through other files of tests. */
function hasLength(file: string, seen = new Set<string>()): boolean {
  if (file === LENGTH) return true;
  if (!file.includes('/tests/') || seen.has(file)) return false;
  seen.add(file);
  const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)];
  return imports.some(([, path]) => hasLength(join(dirname(file), path as string), seen));
}

/**
 * The test files that `npm test` and `npm run test:programs` run in short form (fewer rounds, requests, rules or versions,
 * or one database of two) or leave to their short forms.
 */
const longFiles = (): string[] =>
  globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules'] })
    .map((file) => join(ROOT, file))
    .filter((file) => LONG_FILE.test(readFileSync(file, 'utf8')) || hasLength(file))
    .sort();

/** Runs them in their long form, with their output on this process's own; false when one failed. */
export async function longTests(): Promise<boolean> {
  const env = { ...process.env, TEST_LENGTH: 'long' };
  const args = ['--test', '--test-concurrency=1', ...longFiles()];
  const tests = spawn(process.execPath, args, { env, stdio: 'inherit' });
  process.once('exit', () => tests.kill());
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code === 0;
}
