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

/** What a process that imports the examples one after the other prints: what each printed. */
const IMPORTS = `const printed = [];
console.log = (...values) => printed.push(format(...values));
const outputs = [];
for (const file of process.argv.slice(1)) {
  await import(file).catch((error) => { throw new Error(file, { cause: error }); });
  outputs.push(printed.splice(0).join('\\n'));
}
process.stdout.write(JSON.stringify(outputs));`;

test('the examples of all packages run', async () => {
  const { url, ownerKey } = await sharedService();
  for (const { file, code } of readmes) writeFileSync(file, code.replace('http://localhost:8080', url));
  const program = `import { format } from 'node:util';\n${IMPORTS}`;
  const args = ['--input-type=module', '--eval', program, '--', ...readmes.map(({ file }) => file)];
  const env = { ...process.env, MAILROOM_KEY: ownerKey };
  const ran = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env, timeout: 240_000 });
  assert.equal(ran.status, 0, ran.stderr);
  const outputs: readonly string[] = JSON.parse(ran.stdout);
  for (const [place, { name, code }] of readmes.entries()) {
    assert.notEqual(outputs[place], '', name);
    // What a comment says that is printed.
    const [, comment] = /^console\.log\(.*; \/\/ (.*)$/m.exec(code) ?? [];
    if (comment !== undefined) assert.equal(outputs[place], comment, name);
  }
});
