// Other programs: pgbouncer.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { freePort, sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { openStore } from '../../store/open.ts';
import { checkSessions } from '../../store/postgres/pooling.ts';

const missing = spawnSync('pgbouncer', ['--version']).error !== undefined && 'pgbouncer is not installed';
/** pgbouncer refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The same database through pgbouncer in this mode, with this many connections to the server. */
async function pooled(url: string, mode: string, folder: string, stack: AsyncDisposableStack, size = 20) {
  const [server, port, file] = [new URL(url), await freePort(), join(folder, `${mode}-${size}.ini`)];
  const name = server.pathname.slice(1);
  const config = `[databases]
${name} = host=${server.hostname} port=${server.port} user=${server.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
unix_socket_dir =
pool_mode = ${mode}
default_pool_size = ${size}
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
`;
  writeFileSync(file, config, { mode: 0o644 });
  const child = spawn('pgbouncer', [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  stack.defer(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  for await (const line of child.stderr) if (`${line}`.includes('process up')) break;
  return `postgres://${server.username}@127.0.0.1:${port}/${name}`;
}

test('a store behind pgbouncer opens in session mode, and in others is refused with what to set', {
  skip: missing,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'pooling-'))).path;
  chmodSync(folder, 0o755);
  const url = await (await sharedPostgres()).newDatabase();
  for (const mode of ['transaction', 'statement'])
    await assert.rejects(openStore(await pooled(url, mode, folder, stack)), /Set pool_mode = session/);
  const one = await pooled(url, 'transaction', folder, stack, 1);
  await assert.rejects(openStore(one, { wait_ms: 1000 }), /Set pool_mode = session/, 'with one server');
  await (await openStore(await pooled(url, 'session', folder, stack)))[Symbol.asyncDispose]();
});

test('a database that pgbouncer does not know is not waited for', { skip: missing }, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'pooling-'))).path;
  chmodSync(folder, 0o755);
  const url = await pooled(await (await sharedPostgres()).newDatabase(), 'session', folder, stack);
  const onWait = () => assert.fail('waited');
  await assert.rejects(
    openStore(url.replace(/[^/]*$/, 'elsewhere'), { wait_ms: 20_000, onWait }),
    /bouncer config error/,
  );
});

test('a store beside its server is probed with one connection, so that a second one under load delays no start', async () => {
  const url = await (await sharedPostgres()).newDatabase();
  let count = 0;
  const { connect } = pg.Client.prototype;
  pg.Client.prototype.connect = function (this: pg.Client, ...given: unknown[]) {
    count += 1;
    return connect.apply(this, given as never) as never;
  } as never;
  try {
    await checkSessions({ connectionString: url });
  } finally {
    pg.Client.prototype.connect = connect;
  }
  assert.equal(count, 1);
});
