import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { sharedService } from './harness/service.ts';

const ROOT = join(import.meta.dirname, '..');
mkdirSync(join(ROOT, 'build'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'build', 'readmes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Readme {
  readonly name: string;
  readonly text: string;
  /** Its first example. */
  readonly code: string;
  readonly file: string;
}

const readmes: readonly Readme[] = globSync(['packages/*/package.json', 'packages/behaviors/*/package.json'], {
  cwd: ROOT,
}).map((manifest) => {
  const { name } = JSON.parse(readFileSync(join(ROOT, manifest), 'utf8'));
  const text = readFileSync(join(ROOT, dirname(manifest), 'README.md'), 'utf8');
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(text) ?? [];
  return { name, text, code, file: join(folder, `${name.replace('@mailroom/', '')}.ts`) };
});

test('the README of each package says what it is, how to install it, and has an example', () => {
  assert.ok(readmes.length > 10);
  for (const { name, text, code } of readmes) {
    assert.match(text, new RegExp(`^# ${name}\n\n[A-Z][^\n]{40,}\n`), name);
    assert.match(text, /^## Install\n[\s\S]*?```sh\n[\s\S]*?^## Use\n/m, name);
    assert.ok(code.includes(`from '${name}`), `${name} imports itself`);
  }
});

test('the examples of all packages run', async () => {
  const { url, ownerKey } = await sharedService();
  for (const { name, file, code } of readmes) {
    writeFileSync(file, code.replace('http://localhost:8080', url));
    const env = { ...process.env, MAILROOM_KEY: ownerKey };
    const ran = spawnSync(process.execPath, [file], { cwd: ROOT, encoding: 'utf8', env, timeout: 60_000 });
    assert.equal(ran.status, 0, `${name}: ${ran.stderr}`);
    assert.notEqual(ran.stdout, '', name);
    // What a comment says that is printed.
    const [, said] = /^console\.log\(.*; \/\/ (.*)$/m.exec(code) ?? [];
    if (said !== undefined) assert.equal(ran.stdout.trim(), said, name);
  }
});
