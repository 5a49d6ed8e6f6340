// Other programs: npm.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { folderEnv, newFolder, removeFolder, run } from '../../../../tests/harness/service.ts';

const ROOT = join(import.meta.dirname, '../../../..');

test('a kill of `npm start` ends the service as one of the service itself does, and frees its port', async () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const npm = run('npm', ['start'], { env: { ...folderEnv(folder), LOG_LEVEL: 'info' } });
    const [, port] = await npm.says(/http:\/\/localhost:(\d+)/);
    const ended = once(npm.child, 'exit');
    npm.child.kill(signal);
    await ended;
    await assert.rejects(fetch(`http://127.0.0.1:${port}/livez`), ({ cause }) => cause.code === 'ECONNREFUSED');
    await npm.exited;
    assert.match(npm.stderr(), /stopped/);
  }
});

test('no script of npm that runs until it is ended leaves a shell between npm and the program', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Record<string, string>;
  };
  const long = Object.entries(scripts).filter(([name]) => /^(start|test|bench|soak|conformance|example)\b/.test(name));
  assert.ok(long.length > 10);
  for (const [name, script] of long) assert.match(script, /^exec \S+ [^&|;]+$/, name);
});
