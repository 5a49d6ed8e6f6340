// Other programs: pgbouncer.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { openStore } from '../../store/open.ts';

const missing = spawnSync('pgbouncer', ['--version']).error !== undefined && 'pgbouncer is not installed';
/** pgbouncer refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The same database through pgbouncer in this mode. */
async function pooled(url: string, mode: string, folder: string, stack: AsyncDisposableStack): Promise<string> {
  const [server, port, file] = [new URL(url), await freePort(), join(folder, `${mode}.ini`)];
  const name = server.pathname.slice(1);
  const config = `[databases]
${name} = host=${server.hostname} port=${server.port} user=${server.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
unix_socket_dir =
pool_mode = ${mode}
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
  await (await openStore(await pooled(url, 'session', folder, stack)))[Symbol.asyncDispose]();
});
