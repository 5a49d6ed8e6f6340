import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { indexNext } from '../store/index/indexing.ts';
import { Progress } from './progress.ts';

const HELP = `Builds the index of messages again, by which they are searched, from the first message on.

  npm run reindex

The service may run or not: what is found stays found meanwhile. Stop the command at any time: the service goes on where it
was. It is needed only when searches do not find what is there.
`;

/** Between two steps, and while a running service does one. */
const PAUSE_MS = 20;

// `npm run reindex`, for the operator of the machine.
const progress = new Progress(process.stdout);
try {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP);
  else {
    if (args.length > 0) throw new Error('It takes no argument: DATABASE_URL names the database.');
    await reindex(readConfig(process.env).DATABASE_URL);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Throws where there is no database, beside which no index is made. */
function databaseAt(path: string): string {
  if (!existsSync(path)) throw new Error(`There is no database at ${path}. DATABASE_URL says where it is.`);
  return path;
}

async function reindex(url: string): Promise<void> {
  const sqlite = url.startsWith('sqlite:');
  const { exclusive, close } = sqlite
    ? (await import('../store/index/sqlite.ts')).openIndex(databaseAt(resolve(url.slice('sqlite:'.length))))
    : await (await import('../store/index/postgres.ts')).openIndex(url);
  const from = performance.now();
  let [built, first, messages] = [false, true, 0];
  try {
    while (!built) {
      const step = await indexNext(exclusive, Date.now(), { rebuild: first });
      if (step !== undefined) {
        first = false;
        built = step.built;
        messages += step.messages;
        progress.say(`${messages} messages`);
      }
      await sleep(PAUSE_MS);
    }
  } finally {
    close();
  }
  progress.say(`${messages} messages in ${((performance.now() - from) / 1000).toFixed(1)} s`);
}
