/**
 * `npm run release -- patch|minor|major|X.Y.Z [--dry-run | --publish]`: makes a release of the last commit in a folder
 * that it names: packed packages, the wheel for Python where it was built, an image where there is a builder, what they
 * consist of (CycloneDX 1.6), checksums and notes. Without `--dry-run`, which alone means the next patch, it then commits
 * the version and the changelog, and tags them. `--publish` is refused while packages are private.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { schemaOf } from '../packages/server/store/schema-version.ts';
import { release } from './release/changelog.ts';
import { saveImage } from './release/image.ts';
import { compareVersions, nextVersion, VERSION } from './release/version.ts';

const ROOT = join(import.meta.dirname, '..');
const CHANGES = 'changes';
const FIXTURES = 'packages/server/tests/store/fixtures';

interface Manifest {
  version: string;
  readonly private?: boolean;
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Record<string, string>;
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const readJson = <T>(...path: readonly string[]): T => JSON.parse(readFileSync(join(...path), 'utf8'));
const writeJson = (value: unknown, ...path: readonly string[]): void =>
  writeFileSync(join(...path), `${JSON.stringify(value, null, 2)}\n`);

/** The version to release; `dryRun` tries also one without its database. Throws, with one line, where it cannot be. */
function versionFor(step: string, dryRun: boolean): string {
  if (git('status', '--porcelain') !== '') throw new Error('The work tree has changes: commit or stash them');
  const version = nextVersion(readJson<Manifest>(ROOT, 'package.json').version, step);
  for (const tag of git('tag', '--list', 'v*').split('\n')) {
    const released = tag.slice(1);
    if (VERSION.test(released) && compareVersions(version, released) <= 0)
      throw new Error(`${version} cannot follow ${released}, which is released`);
  }
  const { fingerprint } = schemaOf('sqlite').versions.at(-1) ?? {};
  const frozen = globSync(`${FIXTURES}/*/sqlite.json`, { cwd: ROOT });
  if (!frozen.some((file) => readJson<{ schema: string }>(ROOT, file).schema === fingerprint)) {
    const why = `The database of ${version} is not kept: node scripts/freeze-database.ts ${version}, and commit`;
    if (!dryRun) throw new Error(why);
    console.log(`A release would be refused. ${why}.`);
  }
  return version;
}

/** The folders of the packages in `folder`, the root first. */
const packagesIn = (folder: string): string[] => [
  '',
  ...(readJson<Manifest>(folder, 'package.json').workspaces ?? [])
    .flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: folder }))
    .map(dirname),
];

/** Writes the version wherever it stands; returns the files. */
function setVersion(folder: string, version: string): string[] {
  const packages = packagesIn(folder);
  const names = new Set(packages.map((path) => readJson<Manifest>(folder, path, 'package.json').name));
  const update = (manifest: Manifest): void => {
    manifest.version = version;
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (names.has(name) && VERSION.test(manifest.dependencies?.[name] ?? ''))
        (manifest.dependencies ?? {})[name] = version;
    }
  };
  const files = packages.map((path) => join(path, 'package.json'));
  for (const file of files) {
    const manifest = readJson<Manifest>(folder, file);
    update(manifest);
    writeJson(manifest, folder, file);
  }
  const lock = readJson<Manifest & { packages: Record<string, Manifest> }>(folder, 'package-lock.json');
  lock.version = version;
  for (const path of packages) update(lock.packages[path] as Manifest);
  writeJson(lock, folder, 'package-lock.json');
  return [...files, 'package-lock.json'];
}

/** Packs all packages of `folder`, each with the license; the root with the lock, which npm keeps under this name alone. */
function pack(folder: string, to: string): void {
  copyFileSync(join(folder, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'));
  for (const path of packagesIn(folder)) {
    if (!existsSync(join(folder, path, 'LICENSE')))
      copyFileSync(join(folder, 'LICENSE'), join(folder, path, 'LICENSE'));
  }
  const args = ['pack', '--workspaces', '--include-workspace-root', '--ignore-scripts', '--pack-destination', to];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Copies the wheels of the client for Python, where they were built. */
function copyWheels(to: string): void {
  const wheels = globSync('build/client/*.whl', { cwd: ROOT });
  for (const wheel of wheels) copyFileSync(join(ROOT, wheel), join(to, basename(wheel)));
  if (wheels.length === 0) console.log('No wheel: build/client has none.');
}

/** What the packages consist of, as CycloneDX 1.6, which differs from the 1.5 that npm writes in nothing that it uses. */
function writeBom(source: string, file: string): void {
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
  const text = execFileSync('npm', sbom, { cwd: source, maxBuffer: 2 ** 28, encoding: 'utf8' });
  const bom = JSON.parse(text) as { readonly metadata: { readonly component: { name: string } } };
  // npm names the whole after its folder.
  bom.metadata.component.name = readJson<Manifest>(source, 'package.json').name;
  writeJson({ ...bom, $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', specVersion: '1.6' }, file);
}

/** Throws where a package is not to be published. */
function checkPublishable(): void {
  const kept = packagesIn(ROOT)
    .map((path) => readJson<Manifest>(ROOT, path, 'package.json'))
    .filter((manifest) => manifest.private === true);
  if (kept.length > 0)
    throw new Error(
      `${kept.length} packages are private, ${kept[0]?.name} first: nothing is published until their names are ours`,
    );
}

function writeSums(folder: string): void {
  const sums = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' } },
  });
  if (values.publish === true) checkPublishable();
  const [step = values['dry-run'] === true ? 'patch' : undefined, ...rest] = positionals;
  if (step === undefined || rest.length > 0)
    throw new Error('Name one version: patch, minor, major, or one such as 1.2.3');
  const version = versionFor(step, values['dry-run'] === true);
  const source = mkdtempSync(join(tmpdir(), 'mailroom-source-'));
  try {
    const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', source], { input: archive });
    const names = readdirSync(join(source, CHANGES))
      .filter((name) => name !== 'README.md')
      .sort();
    const fragments = names.map((name) => readFileSync(join(source, CHANGES, name), 'utf8'));
    const date = new Date().toISOString().slice(0, 10);
    const released = release(readFileSync(join(source, 'CHANGELOG.md'), 'utf8'), { version, date, fragments });
    if (released === undefined) throw new Error(`There is no change to release: ${CHANGES}/ has no file`);
    writeFileSync(join(source, 'CHANGELOG.md'), released.changelog);
    for (const name of names) rmSync(join(source, CHANGES, name));
    const changed = ['CHANGELOG.md', ...setVersion(source, version)];

    const folder =
      values['dry-run'] === true
        ? mkdtempSync(join(tmpdir(), `mailroom-${version}-`))
        : join(ROOT, 'build', `mailroom-${version}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const image = `mailroom-${version}-image.tar`;
    if (!saveImage(source, `mailroom:${version}`, join(folder, image)))
      console.log('No image: there is no docker, podman or buildah that runs here.');
    writeBom(source, join(folder, `mailroom-${version}.cdx.json`));
    pack(source, folder);
    copyWheels(folder);
    writeFileSync(join(folder, 'NOTES.md'), released.section);
    writeSums(folder);
    console.log(
      `${folder}\n${readdirSync(folder)
        .map((name) => `  ${name}`)
        .join('\n')}`,
    );
    if (values['dry-run'] === true) return;

    for (const file of changed) copyFileSync(join(source, file), join(ROOT, file));
    for (const name of names) rmSync(join(ROOT, CHANGES, name));
    git('add', '--all');
    git('commit', '--quiet', '--message', `release: ${version}`);
    git('tag', '--annotate', `v${version}`, '--message', `Mailroom ${version}`);
    console.log(`Committed and tagged v${version}. To publish it: git push --follow-tags, with these files.`);
    if (values.publish !== true) return;
    for (const file of globSync('*.tgz', { cwd: folder }))
      execFileSync('npm', ['publish', '--access', 'public', join(folder, file)], { stdio: 'inherit' });
  } finally {
    rmSync(source, { recursive: true });
  }
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
