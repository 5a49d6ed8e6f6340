import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePackages } from '@mailroom/workers/modules/bundle';

// `npm run compile-cache`, and at the end of each `npm ci`: bundles the packages that each start loads, then starts the
// service once, on an empty folder and a free port, and stops it. Node.js keeps what it compiled in build/compile-cache,
// so that the first real start is as fast and as small as later ones. A failure costs only that.

const LIMIT_MS = 30_000;
const ROOT = join(import.meta.dirname, '../../..');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

try {
  await bundlePackages();
} catch (error) {
  process.stderr.write(`Packages were not bundled. Each start takes longer: ${messageOf(error)}\n`);
}
const folder = await mkdtemp(join(tmpdir(), 'mailroom-compile-'));
try {
  const child = spawn(process.execPath, [join(ROOT, 'packages/server/main.js')], {
    cwd: ROOT,
    // Without the caller's settings, which may name a database that is in use.
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: `sqlite:${join(folder, 'mailroom.db')}`,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
  });
  // It prints its address once all modules are loaded.
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.stderr.write('The compile cache was not filled. The first start takes longer.\n');
} catch (error) {
  process.stderr.write(`The compile cache was not filled: ${messageOf(error)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
