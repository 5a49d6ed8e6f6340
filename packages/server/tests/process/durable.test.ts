// Other programs: strace.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, PROOFREAD } from '../../../../tests/harness/client.ts';
import { lacks } from '../../../../tests/harness/install.ts';
import { newFolder, removeFolder, run, serve } from '../../../../tests/harness/service.ts';
import { LONG } from '../../../../tests/soak/length.ts';

// A killed process leaves its writes in the memory of the system, so only the system calls show that data would survive
// a power failure.
const SENDS = 40;
// A folder implies SQLite; PostgreSQL syncs in its own process.
const folder = newFolder();
const service = await serve({ folder, env: { LOG_LEVEL: 'silent' } });
after(() => removeFolder(folder));

test('every accepted message is synced to the disk before its id is answered', {
  skip: lacks('strace'),
}, async (t) => {
  const { newNamespace, newMailbox, newPaused, send, tryOut } = connect(service.url);
  const home = await newNamespace();
  const { address: hello } = await newMailbox(home);
  const { address: proofread } = await newMailbox(home, { behavior: PROOFREAD });
  const { address: paused } = await newPaused(home);
  if (LONG) await send(home.key, { to: proofread, body: 'She go home.', sync: true });

  const log = join(folder, 'syncs');
  const tracer = run('strace', [
    '-f',
    '-e',
    'trace=fsync,fdatasync',
    '-e',
    'signal=none',
    '-o',
    log,
    '-p',
    `${service.pid}`,
  ]);
  let ended = false;
  void tracer.exited.then(() => {
    ended = true;
  });
  const syncs = (): number =>
    existsSync(log) ? (readFileSync(log, 'utf8').match(/f(data)?sync\(.*= 0/g)?.length ?? 0) : 0;
  try {
    // Sends until strace has attached to every thread.
    for (let i = 0; i < 2_000 && syncs() === 0 && !ended; i++)
      await send(home.key, { to: hello, body: 'Hi', sync: true });
    if (ended) return t.skip(`strace may not look: ${tracer.stderr()}`);
    for (const [name, one] of Object.entries({
      'a sync send': () => send(home.key, { to: hello, body: 'Hi', sync: true }),
      'a held send': () => send(home.key, { to: paused, body: 'Hi' }),
      'a try-out': () => tryOut({ to: hello, body: 'Hi' }),
      ...(LONG && { 'a proofread': () => send(home.key, { to: proofread, body: 'She go home.', sync: true }) }),
    })) {
      const before = syncs();
      // One after the other, so that no two share a commit.
      for (let i = 0; i < SENDS; i++) assert.ok((await one()).status < 300);
      const made = syncs() - before;
      // The last sync may not be in the log yet, or one from before may arrive late.
      assert.ok(made >= SENDS - 2, `${name}: ${made} syncs for ${SENDS} answers`);
    }
  } finally {
    tracer.child.kill('SIGINT');
    await tracer.exited;
  }
});
