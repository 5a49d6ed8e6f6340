import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where there are tests with a long form: of the server, and of what it is deployed with. */
const TESTS = ['../../packages/server/tests', '../deploy'].map((folder) => join(import.meta.dirname, folder));
const LENGTH = join(import.meta.dirname, './length.ts');
const IMPORT = /\bfrom '(\.[^']+)'/g;

/** Whether this file imports `length.ts`, if only through others of `tests/`. */
function hasLength(file: string, seen = new Set<string>()): boolean {
  if (file === LENGTH) return true;
  if (!TESTS.some((folder) => file.startsWith(folder)) || seen.has(file)) return false;
  seen.add(file);
  const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)];
  return imports.some(([, path]) => hasLength(join(dirname(file), path as string), seen));
}

/**
 * The test files that `npm test` runs in short form: fewer rounds, requests, rules or versions, or one database of two.
 */
const longFiles = (): string[] =>
  TESTS.flatMap((folder) => globSync('**/*.test.ts', { cwd: folder }).map((file) => join(folder, file)))
    .filter((file) => hasLength(file))
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
