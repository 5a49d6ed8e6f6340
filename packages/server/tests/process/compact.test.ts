import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../../../tests/harness/client.ts';
import {
  folderEnv,
  newFolder,
  type Running,
  removeFolder,
  run,
  startService,
} from '../../../../tests/harness/service.ts';

const COMMAND = join('packages/server/commands/compact.ts');
const folder = newFolder();
after(() => removeFolder(folder));

/** Runs the command of `npm run compact`. */
async function compact(args: readonly string[] = [], env: Record<string, string> = {}) {
  return ended(run(process.execPath, [COMMAND, ...args], { env: { ...folderEnv(folder), ...env } }));
}

async function ended(running: Running) {
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

test('beside a running service, `npm run compact` has it do the work, and no request fails', async () => {
  await using service = await startService({ folder });
  const { newNamespace, newMailbox, send } = connect(service.url);
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const loop = async (): Promise<number> => {
    let sent = 0;
    while (!over) {
      const { status, text } = await send(home.key, { to: mailbox.address, body: `Hello ${sent++}`, sync: true });
      assert.equal(status, 200, text);
      await pause(5);
    }
    return sent;
  };
  let over = false;
  const loops = [loop(), loop()];
  const beside = await compact();
  over = true;
  assert.ok((await Promise.all(loops)).every((sent) => sent > 0));
  assert.equal(beside.code, 0, beside.stderr);
  assert.match(beside.stdout, /The service that runs on it compacts it now; writes wait meanwhile\./);
  assert.match(beside.stdout, /m\.db: [\d.]+ MB before, [\d.]+ MB after, in [\d.]+ s\n$/);
  assert.deepEqual(await service.stop(), { code: 0, signal: null });

  const alone = await compact();
  assert.equal(alone.code, 0, alone.stderr);
  assert.match(alone.stdout, /^\S*m\.db: [\d.]+ MB before, [\d.]+ MB after, in [\d.]+ s\n$/);
});

test('what it cannot do it refuses with one line, and --help says how it is used', async () => {
  const text = join(folder, 'text.txt');
  writeFileSync(text, 'This is no database, but it is long enough to be looked at as one. '.repeat(20));
  const foreign = join(folder, 'foreign.db');
  const db = new DatabaseSync(foreign);
  db.exec('create table other (a)');
  db.close();
  const cases = [
    [['x'], {}, /It takes no argument/],
    [[], { DATABASE_URL: 'postgres://a:b@localhost/c' }, /PostgreSQL database, which removes deleted rows by itself/],
    [[], { DATABASE_URL: `sqlite:${join(folder, 'none.db')}` }, /There is no database at .*none\.db/],
    [[], { DATABASE_URL: `sqlite:${text}` }, /text\.txt is no database of this service/],
    [[], { DATABASE_URL: `sqlite:${foreign}` }, /foreign\.db is no database of this service/],
    [[], { COMPACT_HOUR: '24' }, /COMPACT_HOUR must be a whole number from 0 to 23, or off/],
  ] as const;
  await Promise.all(
    cases.map(async ([args, env, says]) => {
      const { code, stdout, stderr } = await compact(args, env);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, says);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }),
  );
  const help = await ended(run('npm', ['run', '--silent', 'compact', '--', '--help']));
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run compact\n/);
});
