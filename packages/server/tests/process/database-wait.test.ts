import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { startPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, type Running, removeFolder, runMain } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';

const postgres = await startPostgres();
after(() => postgres[Symbol.asyncDispose]());
const skip = !postgres.ours && 'the server of TEST_DATABASE_URL is not ours to stop';
const folder = newFolder();
after(() => removeFolder(folder));
const url = new URL(await postgres.newDatabase());
url.password = 'a-secret';
/** No server listens on this reserved port (IANA, tcpmux). */
const noServer = new URL(url);
noServer.port = '1';
const START_MS = 30_000;

const started = (database: URL, env: Readonly<Record<string, string>> = {}): Running =>
  runMain([], { PORT: '0', DATABASE_URL: database.href, OWNER_KEY_FILE: join(folder, 'owner.key'), ...env });
const waits = (running: Running): Promise<unknown> =>
  until(
    START_MS,
    async () => running.stderr(),
    (text) => text.includes('the database does not answer yet'),
  );

test('a node that starts before its PostgreSQL says that it waits, and serves as soon as it is there', {
  skip,
}, async () => {
  await postgres.stop('fast');
  const running = started(url);
  await waits(running);
  assert.match(running.stderr(), /"level":"warn".*waited for another (?:60|5\d) s: .*(?:ECONNREFUSED|timeout expired)/);
  await postgres.start();
  const [, port] = await running.says(/http:\/\/localhost:(\d+)/);
  assert.equal((await connect(`http://127.0.0.1:${port}`).api('GET', '//readyz')).status, 200);
  running.child.kill('SIGTERM');
  assert.deepEqual(await running.exited, { code: 0, signal: null });
  assert.doesNotMatch(running.stderr(), /a-secret/);
});

test('a node that is told to stop while it waits for PostgreSQL ends at once, and without an error', async () => {
  const running = started(noServer);
  await waits(running);
  running.child.kill('SIGTERM');
  assert.deepEqual(await running.exited, { code: 0, signal: null });
  assert.doesNotMatch(running.stderr(), /mailroom:/);
});

test('a node whose PostgreSQL does not come says so in one line that names the setting, and ends', async () => {
  const running = started(noServer, { DATABASE_SECONDS: '1', LOG_LEVEL: 'error' });
  assert.deepEqual(await running.exited, { code: 1, signal: null });
  assert.match(running.stderr(), /^mailroom: DATABASE_URL .*did not answer for \d+ s\n$/);
  assert.doesNotMatch(running.stderr(), /a-secret/);
});

test('a node is not kept waiting by a database, a user or a file that is not there', async () => {
  const noDatabase = new URL(url);
  noDatabase.pathname = '/no_such_database';
  const noUser = new URL(url);
  noUser.username = 'no_such_user';
  const noFile = new URL(url);
  noFile.searchParams.set('sslrootcert', join(folder, 'missing.pem'));
  for (const wrong of [noDatabase, noUser, noFile]) {
    // On a busy machine the first connection is late, which is a warning.
    const running = started(wrong, { LOG_LEVEL: 'error' });
    assert.deepEqual(await running.exited, { code: 1, signal: null });
    assert.match(running.stderr(), /^mailroom: DATABASE_URL .*\n$/);
    assert.doesNotMatch(running.stderr(), /a-secret/);
  }
  const isRight = ({ message }: Error): boolean => /^.*DATABASE_URL.*$/.test(message) && !message.includes('a-secret');
  await assert.rejects(startInside({ env: { DATABASE_URL: noDatabase.href } }), isRight);
});
