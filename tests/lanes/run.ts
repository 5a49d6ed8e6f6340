// `npm test`, and with `programs` `npm run test:programs`: test files in a few processes. With `--changed`, or
// `--changed=COMMIT` (default HEAD), only those that reach what changed since then. A file that failed is run again,
// alone: beside others a limit of time may be met because the machine had no time for it. What fails alone too has failed,
// and both results are printed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
// Children inherit it: beside lanes of normal priority a service's own threads of low priority would wait for minutes.
import '@mailroom/workers/low-priority';
import { CHANGED, COSTS, FAILED, FOLDER, PROGRAMS, ROOT } from './lanes.ts';
import { folderInMemory } from './memory.ts';

/** More than these have not failed by chance. */
const MAX_AGAIN = 20;
/** Lanes, and the files that have a process of their own beside them. */
const PROCESSES = 6;
/** Files named at the end. */
const SLOWEST = 10;
/** Ask this process to end, and with it what it runs. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const TEST_FILE = /^(?:packages|tests)\/.*\.test\.ts$/;

const node = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> => {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' });
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, kill);
  const [status] = (await once(child, 'exit')) as [number | null];
  for (const signal of SIGNALS) process.off(signal, kill);
  return status ?? 1;
};

const runFiles = (files: readonly string[], concurrency: number, reporters: readonly string[] = []): Promise<number> =>
  node(
    [
      // The runner passes it on to the lanes, which spend a tenth of their time collecting garbage; services have their own.
      '--max-semi-space-size=64',
      // Lanes are more than processors, so threads that help with it would only take turns.
      '--single-threaded-gc',
      '--test',
      '--test-global-setup=tests/harness/shared.ts',
      `--test-concurrency=${concurrency}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      ...reporters,
      ...files,
    ],
    {
      NODE_COMPILE_CACHE: join(ROOT, 'build', 'compile-cache'),
      NODE_OPTIONS: `--import=${join(ROOT, 'tests/packed/register.ts')}`,
    },
  );

/**
 * Prints the files that took most processor time, of which those with a process of their own are not known, and how many
 * files run a second time.
 */
function printSlowest(again: number): void {
  const costs = existsSync(COSTS) ? readFileSync(COSTS, 'utf8').split('\n').filter(Boolean) : [];
  costs.sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
  console.log(`\nThe slowest files, in seconds of processor time:\n${costs.slice(0, SLOWEST).join('\n')}`);
  console.log(`\nSecond runs: ${again}`);
}

async function runAll(): Promise<number> {
  for (const script of ['tests/packed/pack.ts', 'tests/lanes/make.ts']) {
    const status = await node([script]);
    if (status !== 0) return status;
  }
  const status = await runFiles([join(FOLDER, '*.mjs')], PROCESSES, [
    '--test-reporter=./tests/lanes/failed.ts',
    `--test-reporter-destination=${FAILED}`,
  ]);
  const failed = existsSync(FAILED) ? readFileSync(FAILED, 'utf8').split('\n').filter(Boolean) : [];
  const alone = failed.length <= MAX_AGAIN && failed.every((name) => TEST_FILE.test(name)) ? failed : [];
  printSlowest(alone.length);
  if (status === 0 || alone.length === 0) return status;
  console.log(
    `\nFailed beside others, and run again alone (${alone.length}):\n${alone.map((name) => `  ${name}\n`).join('')}`,
  );
  const again = await runFiles(alone, 1);
  console.log(again === 0 ? '\nThey passed alone: look why they failed beside others.' : '\nThey failed alone too.');
  return again;
}

for (const word of process.argv.slice(2)) {
  const [changed, commit = 'HEAD'] = /^--changed(?:=(.+))?$/.exec(word) ?? [];
  if (word === 'programs') process.env[PROGRAMS] = '1';
  else if (changed !== undefined) process.env[CHANGED] = commit;
  else {
    console.error(
      `There is no option ${word}. There is --changed, or --changed=COMMIT. One file: npx node --test FILE`,
    );
    process.exit(2);
  }
}
const temporary = folderInMemory();
if (temporary !== undefined) process.env.TMPDIR = temporary;
try {
  process.exitCode = await runAll();
} finally {
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
}
