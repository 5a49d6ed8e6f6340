import { CopyError, type CopyEvent, copyStore } from '../store/copy/copy.ts';
import { Progress } from './progress.ts';

const HELP = `Copies everything of a SQLite store into an empty PostgreSQL database, and compares both.

  npm run migrate-store -- sqlite:PATH postgres://USER:PASSWORD@HOST:PORT/DATABASE

No service may run on the file meanwhile. It can be stopped at any time and run again: it goes on where it was. Until it
has ended no service starts on the database; then set DATABASE_URL to it. The file stays as it is.
npm and the system's list of processes show a password that stands in the URL: leave it to PGPASSWORD or ~/.pgpass.
`;

const USAGE = 'Name both: npm run migrate-store -- sqlite:PATH postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/** The two arguments, or an error line that says what they must be and repeats neither, because they may hold a password. */
function read(args: readonly string[]): { readonly path: string; readonly url: string } {
  const [from = '', to = ''] = args;
  if (args.length !== 2) throw new Error(USAGE);
  if (!/^sqlite:.+/.test(from))
    throw new Error('The first argument must be sqlite:PATH: only copies from SQLite to PostgreSQL are supported');
  if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to)) {
    throw new Error('The second argument must be postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  }
  return { path: from.slice('sqlite:'.length), url: to };
}

/** The URL without user, password and options. */
const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** The first line of an error; a failed connection may hide it in one error per attempted address. */
const lineOf = (error: unknown): string => {
  const inner = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return (inner instanceof Error ? inner.message : String(inner)).split('\n', 1)[0] as string;
};

// `npm run migrate-store -- sqlite:PATH postgres://…`: moves a service from one process to any number of nodes.
const progress = new Progress(process.stdout);
let began = false;
try {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
  } else {
    const { path, url } = read(args);
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(new Error('Stopped')));
    const count = (rows: number): string => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
    let rows = 0;
    const on = (event: CopyEvent): void => {
      switch (event.kind) {
        case 'began':
          began = true;
          rows = event.rows;
          progress.say(`Copying ${count(rows)} of ${event.tables} tables from ${event.path} to ${placeOf(url)}`);
          if (event.changed) progress.say('The file was written since the last run: everything is copied again');
          if (event.there > 0) progress.say(`${count(event.there)} are there from the last run: it goes on after them`);
          break;
        case 'copying':
        case 'checking':
          progress.show(event.kind, event.rows, event.of);
          break;
        case 'same':
          progress.say(`The same on both sides: ${event.table}, ${count(event.digest.rows)}, ${event.digest.sha256}`);
      }
    };
    const since = performance.now();
    await copyStore(path, url, { signal: stop.signal, on });
    const seconds = Math.round((performance.now() - since) / 1000);
    progress.say(`Copied and compared ${count(rows)} in ${seconds} s. Set DATABASE_URL to the database and start.`);
  }
} catch (error) {
  progress.clear();
  const again = began && !(error instanceof CopyError) ? '. Run it again: it goes on where it was.' : '';
  process.stderr.write(`${lineOf(error)}${again}\n`);
  process.exitCode = 1;
}
