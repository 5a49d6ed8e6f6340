import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, connect, type Home } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import {
  folderEnv,
  newFolder,
  type Running,
  removeFolder,
  run,
  startService,
} from '../../../../tests/harness/service.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const COMMAND = join('packages/server/commands/backup.ts');
let folder = '';
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

/** Runs the command of `npm run backup -- …`. */
async function backup(args: readonly string[], env: Record<string, string> = folderEnv(folder)) {
  return ended(run(process.execPath, [COMMAND, ...args], { env }));
}

async function ended(running: Running) {
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

function integrityOf(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('pragma integrity_check').all();
  db.close();
  return rows.map((row) => row.integrity_check);
}

const WHOLE = ['ok'];
/** How many are acknowledged before the backup begins. */
const MESSAGES = amount(100, 500);
/** Without it the load would take all of the machine until the backup is made. */
const REST_MS = 5;

/** Sends until it is ended; then returns the acknowledged messages, in order. */
function load({ send }: Client, home: Home, to: Mailbox) {
  const acknowledged: Envelope[] = [];
  let over = false;
  const loop = async (sync: boolean): Promise<void> => {
    for (let i = 0; !over; i++) {
      const body = `${i} `.repeat(1 + (i % 7) * 300);
      const sent = await send(home.key, { to: to.address, body, sync });
      assert.ok(sent.status < 300, sent.text);
      acknowledged.push(sent.body);
      await pause(REST_MS);
    }
  };
  const loops = [true, true, true, false, false].map(loop);
  return {
    acknowledged,
    async end(): Promise<void> {
      over = true;
      await Promise.all(loops);
    },
  };
}

test('a backup under load holds all that was acknowledged before it began, and a service starts on it', async () => {
  const file = join(folder, 'backup.db');
  const { client, stop } = await startInside({ env: { DATABASE_URL: `sqlite:${join(folder, 'm.db')}` } });
  const home = await client.newNamespace();
  const mailbox = await client.newMailbox(home);
  const under = load(client, home, mailbox);
  while (under.acknowledged.length < MESSAGES) await pause(10);
  const acknowledged = [...under.acknowledged];
  const copy = await backup([file]);
  const after = under.acknowledged.length;
  await under.end();
  assert.equal(copy.code, 0, copy.stderr);
  assert.ok(after > acknowledged.length, 'the service answered meanwhile');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(integrityOf(file), WHOLE);
  const [, count = '', size = ''] = /: ([\d,]+) messages, ([\d.]+) MB, in [\d.]+ s$/m.exec(copy.stdout) ?? [];
  const stored = Number(count.replaceAll(',', ''));
  assert.ok(stored >= acknowledged.length && stored <= under.acknowledged.length, copy.stdout);
  assert.equal(size, (statSync(file).size / 1e6).toFixed(1));
  await stop();

  // Restores as the help says: the file replaces the database, and the old log files are removed.
  const restored = join(folder, 'restored');
  mkdirSync(restored);
  renameSync(file, join(restored, 'm.db'));
  const second = await startInside({ env: { DATABASE_URL: `sqlite:${join(restored, 'm.db')}` } });
  const there = second.client;
  for (const envelope of acknowledged) {
    const now = await there.read(home.key, envelope.id, '?wait=60');
    if (envelope.settled_at !== null) assert.deepEqual(now.body, envelope);
    else assert.equal(now.body.status, 'completed', now.text);
  }
  const sent = await there.send(home.key, { to: mailbox.address, body: 'And on', sync: true });
  assert.equal(sent.status, 200, sent.text);
  await second.stop();
  assert.deepEqual(integrityOf(join(restored, 'm.db')), WHOLE);
});

test('a service that does not run is backed up too, with what its log still holds', async () => {
  const service = await startService({ folder });
  const client = connect(service.url);
  const home = await client.newNamespace();
  const mailbox = await client.newMailbox(home);
  const sent = await client.send(home.key, { to: mailbox.address, body: 'Hi', sync: true });
  await service.kill();
  const made = await backup([join(folder, 'killed.db')]);
  assert.equal(made.code, 0, made.stderr);
  const db = new DatabaseSync(join(folder, 'killed.db'), { readOnly: true });
  assert.equal(db.prepare('select body from messages where id = ?').get(sent.body.id)?.body, 'Hi');
  db.close();
});

test('what cannot be backed up is refused in one line, and leaves nothing behind', async () => {
  const { stop } = await startInside({ env: { DATABASE_URL: `sqlite:${join(folder, 'm.db')}` } });
  const there = join(folder, 'there.db');
  writeFileSync(there, 'precious');
  const link = join(folder, 'link.db');
  symlinkSync(join(folder, 'nowhere.db'), link);
  const missing = { ...folderEnv(folder), DATABASE_URL: `sqlite:${join(folder, 'other.db')}` };
  const postgres = { DATABASE_URL: 'postgres://me:secret@localhost:1/mail' };
  const files = readdirSync(folder).sort();
  for (const [args, wanted, env] of [
    [[there], /there\.db is there already/],
    [[link], /link\.db is there already/],
    [[join(folder, 'm.db')], /m\.db is there already/],
    [[join(folder, 'no', 'b.db')], /no folder .*no/],
    [[], /npm run backup -- FILE/],
    [['a.db', 'b.db'], /npm run backup -- FILE/],
    [[join(folder, 'b.db')], /no database at .*other\.db/, missing],
    [[join(folder, 'b.db')], /pg_dump/, postgres],
  ] as const) {
    const refused = await backup(args, env);
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(refused.stderr, wanted);
    assert.equal(refused.stderr.trim().split('\n').length, 1, refused.stderr);
    assert.ok(!refused.stderr.includes('secret'));
  }
  assert.equal(readFileSync(there, 'utf8'), 'precious');
  assert.deepEqual(readdirSync(folder).sort(), files);
  await stop();
});

test('a backup that is killed leaves nothing under the name it was to have, and can be made again', async () => {
  await (await startInside({ env: { DATABASE_URL: `sqlite:${join(folder, 'm.db')}` } })).stop();
  const db = new DatabaseSync(join(folder, 'm.db'));
  // Enough messages that the backup takes a while.
  db.exec('create table weight (text text); begin');
  const add = db.prepare('insert into weight values (?)');
  for (let i = 0; i < amount(60, 150); i++) add.run(`${i}`.repeat(300_000));
  db.exec('commit');
  db.close();
  const file = join(folder, 'backup.db');
  const running = run(process.execPath, [COMMAND, file], { env: folderEnv(folder) });
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  const partial = (): string | undefined => readdirSync(folder).find((name) => name.endsWith('.partial'));
  for (
    let name = partial();
    !ended && (name === undefined || statSync(join(folder, name)).size === 0);
    name = partial()
  )
    await pause(1);
  running.child.kill('SIGKILL');
  assert.equal((await running.exited).signal, 'SIGKILL');
  assert.ok(!existsSync(file));
  assert.notEqual(partial(), undefined);
  const again = await backup([file]);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(integrityOf(file), WHOLE);
});

test('--help says how it is used, and how to go back to a backup', async () => {
  const help = await ended(run('npm', ['run', '--silent', 'backup', '--', '--help']));
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npm run backup -- FILE/);
  assert.match(help.stdout, /stop the service.*-wal and -shm/s);
});
