import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { compactFile } from '../store/sqlite/compact-file.ts';
import { Progress } from './progress.ts';

const HELP = `Compacts the SQLite database (DATABASE_URL): afterwards it holds no byte of what was deleted, and free space is
returned to the disk.

  npm run compact

The service may run or not. If it runs, it compacts the file itself: it answers reads meanwhile, and writes wait, about
a second for each 100 MB. Free disk is needed for twice the content. If it is stopped in between, nothing is lost: run it
again.

PostgreSQL does this by itself (autovacuum); it has "vacuum full" to return space to the disk.
`;

const POSTGRES = /^postgres(ql)?:/;

// `npm run compact`, for the operator of the machine.
const progress = new Progress(process.stdout);
try {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
  } else {
    if (args.length > 0)
      throw new Error('It takes no argument: DATABASE_URL names the file. See npm run compact -- --help');
    const url = readConfig(process.env).DATABASE_URL;
    if (POSTGRES.test(url)) {
      throw new Error('DATABASE_URL names a PostgreSQL database, which removes deleted rows by itself (autovacuum).');
    }
    const path = resolve(url.slice('sqlite:'.length));
    const from = performance.now();
    const { before: sizeBefore, after } = await compactFile(path, () =>
      progress.say('The service that runs on it compacts it now; writes wait meanwhile.'),
    );
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    progress.say(`${path}: ${mb(sizeBefore)} before, ${mb(after)} after, in ${seconds} s`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
