import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BUNDLED, bundlesOf, installedHash, LIST, ROOT, readBundles } from '../../modules/packages.ts';

/** The names that the packages export, in a process that does not load bundles. */
function exportedBy(packages: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const script = `const names = {};
    for (const name of ${JSON.stringify(packages)}) names[name] = Object.keys(await import(name));
    console.log(JSON.stringify(names));`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: {} }));
}

test('each package that is bundled exports from its bundle all that the service uses of it', async () => {
  const bundles = readBundles(ROOT);
  assert.deepEqual([...bundles.keys()].sort(), Object.keys(BUNDLED).sort(), 'npm run compile-cache makes them');
  const used = {
    ...exportedBy(Object.keys(BUNDLED).filter((name) => BUNDLED[name]?.length === 0)),
    ...Object.fromEntries(Object.entries(BUNDLED).filter(([, names]) => names.length > 0)),
  };
  for (const [name, url] of bundles) {
    const bundle = await import(url);
    for (const one of used[name] ?? []) {
      if (one !== 'module.exports') assert.notEqual(bundle[one], undefined, `${name}: ${one}`);
    }
  }
});

test('bundles are left once other packages are installed, and where they are missing or broken', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'mailroom-bundles-'));
  t.after(() => rm(root, { recursive: true }));
  const install = (lock: string): Promise<void> => writeFile(join(root, 'node_modules', '.package-lock.json'), lock);
  const list = join(bundlesOf(root), LIST);
  await mkdir(join(root, 'node_modules'));
  await mkdir(bundlesOf(root), { recursive: true });
  assert.equal(readBundles(root).size, 0, 'nothing is installed');
  await install('{"packages":{"one":1}}');
  assert.equal(readBundles(root).size, 0, 'nothing is bundled');
  await writeFile(list, JSON.stringify({ installed: installedHash(root), files: { one: 'one.mjs' } }));
  assert.deepEqual([...readBundles(root)], [['one', pathToFileURL(join(bundlesOf(root), 'one.mjs')).href]]);
  await install('{"packages":{"one":2}}');
  assert.equal(readBundles(root).size, 0, 'another version is installed');
  await writeFile(list, '{"installed":');
  assert.equal(readBundles(root).size, 0, 'the list is broken');
});
