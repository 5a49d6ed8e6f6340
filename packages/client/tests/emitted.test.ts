// Other programs: esbuild, Node 20, Bun, Deno.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { unique } from '../../../tests/harness/client.ts';
import { sharedService } from '../../../tests/harness/service.ts';
import { LONG_ONLY } from '../../../tests/soak/length.ts';
import { finished, OLD_NODE, onPath } from './old-node.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DIST = join(ROOT, 'packages/client/dist');
const MAX_BYTES = 30_000;

const bundled = async (platform: 'neutral' | 'browser'): Promise<string> => {
  const entryPoints = [join(DIST, 'index.js')];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    format: 'esm',
    platform,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

test('the client is under 30 KB, minified', async () => {
  const text = await bundled('neutral');
  assert.ok(text.length > 1_000 && text.length < MAX_BYTES, `${text.length} bytes`);
});

test('the client imports nothing but its own files, so that it runs in browsers and Workers', async () => {
  // A bundle for a browser fails on a module of Node. A path of the API ends with /import.
  assert.doesNotMatch(await bundled('browser'), /(?<![/\w])import\b|\brequire\(/);
  assert.equal(JSON.parse(readFileSync(join(ROOT, 'packages/client/package.json'), 'utf8')).dependencies, undefined);
});

// `npm run check` runs the same check.
test('the emitted client and its operations are those of this API', LONG_ONLY, () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-client.ts', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
    // Plain modules, as `npm run check` loads them.
    env: { ...process.env, NODE_OPTIONS: '', PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  assert.equal(status, 0, stderr);
  assert.ok(readdirSync(DIST).includes('index.d.ts'));
});

/** What runs the program; bun, deno and further versions of Node where they are on the PATH. */
const RUNTIMES: readonly { readonly name: string; readonly command: readonly string[] }[] = [
  { name: 'Node 20', command: [OLD_NODE] },
  { name: 'this Node', command: [process.execPath] },
  { name: 'Bun', command: [onPath('bun')] },
  { name: 'Deno', command: [onPath('deno'), 'run', '--allow-all', '--quiet'] },
];

for (const { name, command } of RUNTIMES) {
  const [program = '', ...args] = command;
  const skip = program === '' && `${name} is not on the PATH`;
  test(`the emitted client sends, serves, follows, fails and stops on SIGTERM on ${name}`, { skip }, async () => {
    const { url } = await sharedService();
    const file = join(import.meta.dirname, './runtime-program.js');
    const { status, stdout, stderr } = await finished(program, [...args, file, DIST, unique()], { MAILROOM_URL: url });
    assert.equal(status, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), {
      reply: 'Hello: text',
      sizes: [4, 8],
      completed: true,
      codes: ['not_found', 'timeout', 'invalid_signature'],
      ended: true,
    });
  });
}
