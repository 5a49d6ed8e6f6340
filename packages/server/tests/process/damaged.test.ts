import assert from 'node:assert/strict';
import { closeSync, cpSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import {
  folderEnv,
  newFolder,
  removeFolder,
  runMain,
  type Service,
  startService,
} from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';

const PAGE = 4096;
const BODY = 'Who are you? '.repeat(400);

const env = { LOG_LEVEL: 'warn' };

/** A stopped service's folder, with a database of some hundred pages and what its owner needs. */
const original = await (async () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  await using service = await serveInside({ folder, env });
  const client = connect(service.url);
  const home = await client.newNamespace();
  const { address } = await client.newMailbox(home);
  await Promise.all(Array.from({ length: 200 }, () => client.send(home.key, { to: address, body: BODY, sync: true })));
  return { folder, home, address };
})();

/** A copy of it to damage. */
function filled() {
  const folder = newFolder();
  after(() => removeFolder(folder));
  cpSync(original.folder, folder, { recursive: true });
  return { ...original, folder, database: join(folder, 'm.db') };
}

/** Overwrites the pages with texts of messages, as a failing disk would. */
function damage(database: string): void {
  const bytes = readFileSync(database);
  let damaged = 0;
  for (let at = PAGE; at < bytes.length; at += PAGE) {
    if (!bytes.subarray(at, at + PAGE).includes(BODY.slice(0, 100))) continue;
    bytes.fill(0xa5, at, at + PAGE);
    damaged++;
  }
  assert.ok(damaged > 100, `${damaged} pages`);
  const file = openSync(database, 'r+');
  writeSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
}

async function assertDamaged(service: Service, { home, address }: ReturnType<typeof filled>): Promise<void> {
  const client = connect(service.url);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
  const sent = await client.send(home.key, { to: address, body: 'Who are you?', sync: true });
  isProblem(sent, 'unavailable');
  assert.match(sent.text, /database is damaged, so nothing of this was stored/);
  const status = (await (await fetch(`${service.url}/status.json`)).json()) as { status: string; writes: boolean };
  assert.deepEqual([status.status, status.writes], ['damaged', false]);
  assert.match(await (await fetch(`${service.url}/status`)).text(), /The database is damaged/);
  await until(
    10_000,
    async () => service.logs(),
    (logs) => /the database is damaged.*docs\/operations\.md/.test(logs),
  );
  assert.equal((await fetch(`${service.url}/livez`)).status, 200);
}

test('a damaged SQLite file is told from the start on, and is not written to', async () => {
  const made = filled();
  damage(made.database);
  await using service = await startService({ folder: made.folder, env });
  await assertDamaged(service, made);
});

test('a SQLite file that is damaged while it is served is told from the first error on', async () => {
  const database = filled();
  await using service = await startService({ folder: database.folder, env });
  const client = connect(service.url);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  damage(database.database);
  await until(
    30_000,
    async () =>
      (await client.send(database.home.key, { to: database.address, body: 'Who are you?', sync: true })).status,
    (status) => status === 503,
  );
  await assertDamaged(service, database);
});

test('a SQLite file that cannot be opened ends the start with the file and the way out', async () => {
  const database = filled();
  const starts = async (): Promise<string> => {
    const running = runMain([], { ...folderEnv(database.folder), ...env });
    assert.equal((await running.exited).code, 1);
    return running.stderr();
  };
  truncateSync(database.database, PAGE * 3);
  assert.match(await starts(), /mailroom: .*m\.db cannot be opened: .*A damaged database/);
  const file = openSync(database.database, 'r+');
  writeSync(file, Buffer.alloc(PAGE, 0x5a), 0, PAGE, 0);
  closeSync(file);
  assert.match(await starts(), /mailroom: .*m\.db cannot be opened: .*A damaged database/);
});
