// A process of `npm test` that runs many test files, because a file alone takes longer to start a process and to load
// its modules than to run. All lanes take their files from one list, so that none waits while there is work.
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endLeft } from '../harness/service.ts';
import { COSTS, FOLDER, LIST, ROOT } from './lanes.ts';

/** Maximum time of a file, with all its tests. */
const FILE_MS = 480_000;
/** What tests left open keeps a process alive; after this it ends as one that failed. A busy machine ends others late. */
const LEFT_OPEN_MS = 180_000;

/** The turns of the list that no lane has taken. */
function* taken(): Generator<readonly string[]> {
  const turns: readonly (readonly string[])[] = JSON.parse(readFileSync(LIST, 'utf8'));
  for (const [at, files] of turns.entries()) {
    try {
      closeSync(openSync(join(FOLDER, `${at}.taken`), 'wx'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    yield files;
  }
}

/** The promise's result, unless that takes longer than a file may. */
async function withinTime<T>(promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`It did not load within ${FILE_MS} ms.`)), FILE_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the file as a suite, so that its hooks are its own; resolves once its last hook has run. */
function run(file: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  suite(file, { timeout: FILE_MS }, async () => {
    try {
      await withinTime(import(pathToFileURL(join(ROOT, file)).href));
    } catch (error) {
      test('loads', () => Promise.reject(error));
    }
    after(() => {
      endLeft();
      resolve();
    });
  });
  return promise;
}

/** CPU time of this process and of the processes of its own that have ended, in seconds (proc(5)); 0 without /proc. */
function cpuSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

/** Runs files until none is left. */
export async function runLane(): Promise<void> {
  const done: string[] = [];
  let waiting: readonly string[] = [];
  process.on('exit', () => {
    const [file, ...others] = waiting;
    if (file === undefined) return;
    // A test that ends the process would else hide those that it did not come to.
    process.exitCode = 1;
    console.error(`The process ended while ${file} ran, after ${done}. Not run: ${others}.`);
  });
  for (const files of taken()) {
    for (const [at, file] of files.entries()) {
      waiting = files.slice(at);
      const before = cpuSeconds();
      await run(file);
      appendFileSync(COSTS, `${(cpuSeconds() - before).toFixed(1)} ${file}\n`);
      done.push(file);
    }
  }
  waiting = [];
  setTimeout(() => {
    console.error(`Something is left open (${process.getActiveResourcesInfo()}) by one of ${done}.`);
    process.exit(1);
  }, LEFT_OPEN_MS).unref();
}
