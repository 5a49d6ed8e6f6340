// Other programs: Patroni, etcd, haproxy, PostgreSQL of Debian.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort, query } from '../harness/postgres.ts';
import { runProgram } from '../harness/program.ts';
import { until } from '../harness/until.ts';
import { instead } from './instead.ts';
import { lacksPatroni, type Patroni, startPatroni } from './patroni.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/failover.md'), 'utf8');
const CONFIG = readFileSync(join(import.meta.dirname, '../../deploy/patroni/patroni.yml'), 'utf8');
const ARCHIVED_MS = 60_000;
const BIN = '/usr/lib/postgresql/15/bin';

/** The commands of the page's block with this text. */
function commandsWith(text: string): string {
  const block = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
  const found = block.filter((commands) => commands.includes(text));
  assert.equal(found.length, 1, `one block of docs/failover.md has ${text}`);
  return found[0] as string;
}

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());

/** Runs commands as the user of the servers, who has the passwords of deploy/patroni. */
async function asServer(patroni: Patroni, commands: string): Promise<void> {
  const passwords = [...CONFIG.matchAll(/username: (\w+), password: (\S+)/g)].map(([, ...pair]) => pair.join(':'));
  const file = `umask 077; printf '%s\\n' ${passwords.map((pair) => `'*:*:*:${pair}'`).join(' ')} > ~/.pgpass`;
  const shell = ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-euc'];
  const script = `cd ${patroni.backup}; ${file}\n${commands}`;
  const { code, stderr } = await runProgram('setpriv', [...shell, script], { home: patroni.backup });
  assert.equal(code, 0, `${commands}\n${stderr}`);
}

test('a base backup and the log give the state of a moment back, and the checks of the page pass', {
  skip: lacksPatroni(),
}, async () => {
  const patroni = stack.use(await startPatroni());
  const url = await patroni.newDatabase();
  const sql = (text: string) => query(url, text);
  const write = (text: string) => sql(`insert into written values ('${text}')`);
  await sql('create table written (text text)');
  await write('before the backup');
  let backup = instead(commandsWith('pg_basebackup'), '/backup/base-$(date +%F)', `${patroni.backup}/base`);
  backup = instead(backup, '--username replicator', `--username replicator --port ${patroni.port}`);
  await asServer(patroni, instead(backup, 'pg_basebackup', `${BIN}/pg_basebackup`));
  await write('before the moment');
  const [row] = await sql('select clock_timestamp()::text as moment');
  await write('a mistake');
  const [switched] = await sql('select pg_walfile_name(pg_switch_wal()) as name');
  await until(
    ARCHIVED_MS,
    () => sql('select last_archived_wal as name from pg_stat_archiver'),
    ([last]) => String(last?.name) >= String(switched?.name),
  );

  const port = await freePort();
  const restored = join(patroni.backup, 'restored');
  let restore = instead(commandsWith('recovery.signal'), '/backup/base-2026-11-29', `${patroni.backup}/base`);
  restore = instead(restore, '/var/lib/postgresql/restored', restored);
  restore = instead(restore, '/backup/wal/', `${patroni.backup}/wal/`);
  restore = instead(restore, '2026-11-30 02:20:00+00', String(row?.moment));
  restore = instead(restore, '--pgdata .', `--pgdata . --log log --options '-p ${port} -k ${patroni.backup}'`);
  stack.defer(() => asServer(patroni, `${BIN}/pg_ctl --pgdata ${restored} stop --mode immediate`));
  await asServer(patroni, restore);
  const there = new URL(url);
  there.port = String(port);
  await until(
    ARCHIVED_MS,
    () => query(there.href, 'select pg_is_in_recovery() as standby'),
    ([state]) => state?.standby === false,
  );
  const rows = await query(there.href, 'select text from written order by text');
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['before the backup', 'before the moment'],
  );
  await query(there.href, `insert into written values ('after it')`);

  const [verify = '', dump = ''] = commandsWith('pg_verifybackup').split('\n');
  await asServer(patroni, instead(verify, '/backup/base-2026-11-29', `${patroni.backup}/base`));
  await asServer(patroni, instead(dump, '--dbname mailroom', `--dbname ${there.href}`));
});
