// Other programs: npm.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { schemaOf } from '@mailroom/server/store/schema-version';
import { connect, HELLO } from '../harness/client.ts';
import { newFolder, removeFolder, startService } from '../harness/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = newFolder();
const clone = join(folder, 'clone');
after(() => removeFolder(folder));

const AUTHOR = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
const env = {
  ...process.env,
  ...AUTHOR,
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  TMPDIR: folder,
};
const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: clone, env, encoding: 'utf8' });
/** The program, as `npm run release` starts it; npm itself takes half a second of processor time each time. */
const releaseBy = (program: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: clone, env, encoding: 'utf8' });
  return { status, stdout, stderr, made: stdout.split('\n').find((line) => line.startsWith('/')) ?? '' };
};
const release = (...args: readonly string[]) => releaseBy(process.execPath, 'scripts/release.ts', ...args);
const refused = (args: readonly string[], why: RegExp): void => {
  const { status, stdout, stderr } = release(...args);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, why);
  assert.equal(stderr.trim().split('\n').length, 1);
};
const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
const commit = (file: string, text: string): void => {
  writeFileSync(join(clone, file), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', file);
};
/** Keeps the database of this schema, as is done before a release; of which version it is, is tested elsewhere. */
function keepDatabase(): void {
  const kept = globSync('packages/server/tests/store/fixtures/*/sqlite.json', { cwd: clone });
  const newest = JSON.parse(read(clone, kept.sort().at(-1) as string));
  const { fingerprint } = schemaOf('sqlite').versions.at(-1) ?? {};
  const folder = join(clone, 'packages/server/tests/store/fixtures', next);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sqlite.json'), JSON.stringify({ ...newest, schema: fingerprint }));
}
/** All that a release could change in the work tree and the repository. */
const state = (): string =>
  [git('status', '--porcelain', '--ignored'), git('rev-parse', 'HEAD'), git('tag')].join('\n');

const current: string = JSON.parse(read(ROOT, 'package.json')).version;
const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
const next = `${major}.${minor}.${patch + 1}`;
const packages: readonly { readonly name: string; readonly path: string }[] = globSync(
  ['packages/*/package.json', 'packages/behaviors/*/package.json'],
  { cwd: ROOT },
).map((file) => ({ name: JSON.parse(read(ROOT, file)).name, path: dirname(file) }));
let output = '';
before(() => {
  execFileSync('git', ['clone', '--quiet', '--no-tags', ROOT, clone]);
  for (const name of readdirSync(join(clone, 'changes')).filter((name) => name !== 'README.md'))
    rmSync(join(clone, 'changes', name));
  keepDatabase();
  commit('changes/zebra.md', 'Zebras are sorted.\n');
  commit('changes/a-list.md', 'Lists have **items**,\nand these have lines.\n');
});

test('a dry run makes everything in a folder that it names, and changes nothing else', () => {
  const wheel = `mailroom_client-${next}-py3-none-any.whl`;
  const stateBefore = state();
  const { status, stdout, stderr, made: named } = releaseBy('npm', 'run', '--silent', 'release', '--', '--dry-run');
  assert.equal(status, 0, stderr);
  output = named;
  assert.equal(state(), stateBefore);
  const names = readdirSync(output);
  assert.deepEqual(
    names.filter((name) => !name.endsWith('-image.tar')).sort(),
    [
      `mailroom-${next}.tgz`,
      ...packages.map(({ name }) => `${name.replace('@', '').replace('/', '-')}-${next}.tgz`),
      `mailroom-${next}.cdx.json`,
      wheel,
      'NOTES.md',
      'SHA256SUMS',
    ].sort(),
  );
  assert.ok(names.some((name) => name.endsWith('-image.tar')) || /^No image: there is no docker/m.test(stdout));
  assert.match(
    read(output, 'NOTES.md'),
    new RegExp(
      `^## ${next} \\(\\d{4}-\\d\\d-\\d\\d\\)\n\n- Lists have \\*\\*items\\*\\*,\n  and these have lines\\.\n- Zebras are sorted\\.\n$`,
    ),
  );
  const sums = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: output, encoding: 'utf8' });
  assert.equal(sums.status, 0, sums.stderr);
  const { bomFormat, specVersion, metadata, components } = JSON.parse(read(output, `mailroom-${next}.cdx.json`));
  assert.deepEqual(
    [bomFormat, specVersion, metadata.component.name, metadata.component.version],
    ['CycloneDX', '1.6', 'mailroom', next],
  );
  const listed = components.map(({ name }: { readonly name: string }) => name);
  assert.ok(listed.includes('fastify') && !listed.includes('typescript'));
});

test('the service of a release runs where it was unpacked, with its lock, and serves the client of its version', async () => {
  const there = join(folder, 'there');
  mkdirSync(there);
  execFileSync('tar', ['-xzf', join(output, `mailroom-${next}.tgz`), '--strip-components=1', '-C', there]);
  const lock = JSON.parse(read(there, 'npm-shrinkwrap.json'));
  assert.equal(lock.packages[''].version, next);
  assert.equal(lock.packages['packages/client'].version, next);
  mkdirSync(join(there, 'node_modules', '@mailroom'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== '@mailroom'))
    symlinkSync(join(ROOT, 'node_modules', name), join(there, 'node_modules', name));
  for (const { name, path } of packages) symlinkSync(join(there, path), join(there, 'node_modules', name));
  // As at the end of its `npm ci`.
  execFileSync('npm', ['run', '--silent', 'pack-client'], { cwd: there, env, stdio: 'ignore' });
  const served = await startService({ main: join(there, 'packages/server/main.js') });
  try {
    const client = connect(served.url);
    const home = await client.newNamespace();
    const { address } = await client.newMailbox(home);
    const { body } = await client.send(home.key, { to: address, body: 'Who are you?', sync: true });
    assert.equal(body.reply?.body, HELLO.settings.introduction);
    assert.equal((await client.api<{ version: string }>('GET', '//status.json')).body.version, next);
    assert.equal((await fetch(`${served.url}/client.tgz`)).status, 200);
    assert.equal((await fetch(`${served.url}/docs/client`)).status, 200);
  } finally {
    await served.stop();
  }
});

test('the client of a release installs, and is imported by its name', () => {
  const there = join(folder, 'program');
  mkdirSync(there);
  const tarball = join(output, `mailroom-client-${next}.tgz`);
  const cache = { ...env, npm_config_cache: join(folder, 'cache') };
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', there, tarball], {
    cwd: there,
    env: cache,
    stdio: 'ignore',
  });
  const program = "import { Mailroom } from '@mailroom/client'; console.log(typeof Mailroom)";
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: there,
    encoding: 'utf8',
  });
  assert.equal(printed, 'function\n');
  const version = execFileSync(join(there, 'node_modules/.bin/mailroom'), ['--version'], { env, encoding: 'utf8' });
  assert.equal(version, `${next}\n`);
  assert.match(read(there, 'node_modules/@mailroom/client/LICENSE'), /MIT/);
});

test('a work tree with changes, a step that there is not, publishing, and a schema whose database is not kept are refused', () => {
  writeFileSync(join(clone, 'note.txt'), '');
  refused(['patch', '--dry-run'], /work tree has changes/);
  rmSync(join(clone, 'note.txt'));
  refused(['1.2', '--dry-run'], /1\.2 is no version/);
  refused([], /Name one version/);
  refused(['patch', '--publish'], /\d+ packages are private, mailroom first/);
  for (const name of readdirSync(join(clone, 'packages/server/tests/store/fixtures')))
    rmSync(join(clone, 'packages/server/tests/store/fixtures', name, 'sqlite.json'));
  git('commit', '--all', '--quiet', '--message', 'none kept');
  refused(['patch'], /node scripts\/freeze-database\.ts/);
  assert.match(release('--dry-run').stdout, /^A release would be refused\. .*freeze-database/);
  git('reset', '--quiet', '--hard', 'HEAD~1');
});

test('a release commits the version and the changelog and tags it; the same version, one before it, and one without a change are refused', () => {
  const { status, stderr, made: kept } = release('patch');
  assert.equal(status, 0, stderr);
  assert.equal(kept, join(clone, 'build', `mailroom-${next}`));
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(git('tag').trim(), `v${next}`);
  assert.deepEqual(readdirSync(join(clone, 'changes')), ['README.md']);
  for (const file of ['package.json', 'packages/client/package.json', 'package-lock.json'])
    assert.equal(JSON.parse(read(clone, file)).version, next);
  assert.equal(git('diff', '--name-only', 'HEAD~1', 'HEAD').trim().split('\n').length, 5 + packages.length);
  const headings = read(clone, 'CHANGELOG.md').match(/^## .*$/gm);
  assert.match(headings?.[0] ?? '', new RegExp(`^## ${next} \\(20`));

  refused([next], /cannot follow/);
  refused([current], /cannot follow/);
  refused(['minor'], /no change to release/);
});
