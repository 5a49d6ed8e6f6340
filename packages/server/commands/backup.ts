import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { backupMark } from '../settings/email.ts';
import { backUp } from '../store/sqlite/backup.ts';

const HELP = `Copies the SQLite database (DATABASE_URL) as it is at this moment into a new file, while the service runs or not.

  npm run backup -- FILE

FILE is there when the copy is whole, checked and on disk, not before; it holds everything, so its mode is 0600. A backup
that is killed leaves .FILE.<number>.partial beside it, which may be removed.

To go back to it: stop the service, put FILE in the place of the database, remove the old -wal and -shm beside it, start.
PostgreSQL has its own: pg_dump.
`;

const POSTGRES = /^postgres(ql)?:/;

/** For the alert on old backups, so a folder that cannot be written to fails no backup. */
function markMade(mark: string | undefined): void {
  try {
    if (mark !== undefined) writeFileSync(mark, `${new Date().toISOString()}\n`, { mode: 0o600 });
  } catch {}
}

// `npm run backup -- FILE`, for the operator of the machine.
const args = process.argv.slice(2);
try {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
  } else {
    const [name = ''] = args;
    if (args.length !== 1 || name === '' || name.startsWith('-'))
      throw new Error('Name one new file: npm run backup -- FILE');
    const url = readConfig(process.env).DATABASE_URL;
    if (POSTGRES.test(url)) {
      throw new Error(
        'DATABASE_URL names a PostgreSQL database: back it up with pg_dump, and restore it with pg_restore.',
      );
    }
    // npm changes to the project's folder; a relative name counts from where npm was called.
    const file = resolve(process.env.INIT_CWD ?? '.', name);
    const from = performance.now();
    const { bytes, messages } = backUp(resolve(url.slice('sqlite:'.length)), file);
    markMade(backupMark(url));
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    const size = (bytes / 1e6).toFixed(1);
    process.stdout.write(`${file}: ${messages.toLocaleString('en-US')} messages, ${size} MB, in ${seconds} s\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
