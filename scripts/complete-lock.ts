/**
 * `node scripts/complete-lock.ts`, after each change of dependencies: has npm add to package-lock.json what it left out
 * for other platforms, or wrote without a hash, as where a registry did not offer it. Then `npm ci` accepts the lock
 * everywhere, and installs nothing whose content it does not check. `--check` only looks.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

interface Package {
  readonly version?: string;
  /** The hash of the package's archive (Subresource Integrity). */
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly link?: boolean;
}

const file = new URL('../package-lock.json', import.meta.url);

const readLock = (): { packages: Record<string, Package> } => JSON.parse(readFileSync(file, 'utf8'));

/** The packages of others in a lock: those of the project are folders of it, and links to them. */
const installedBy = ({ packages }: ReturnType<typeof readLock>): [string, Package][] =>
  Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true);

/** Where Node.js looks for a package that the one at this path depends on, from the outermost folder in. */
const placesOf = (path: string, name: string): string[] => {
  const folders = `/${path}`.split('/node_modules/');
  return folders.map((_, at) => [...folders.slice(0, at + 1), name].join('/node_modules/').slice(1));
};

/** What keeps `npm ci` from accepting the lock, or from checking what it installs. */
function incomplete(): string[] {
  const lock = readLock();
  return installedBy(lock).flatMap(([path, { version, integrity, optionalDependencies = {} }]) => [
    ...(integrity === undefined ? [`${path} ${version} has no hash`] : []),
    ...Object.keys(optionalDependencies)
      .filter((name) => !placesOf(path, name).some((place) => place in lock.packages))
      .map((name) => `${name}, on which ${path} depends, is missing`),
  ]);
}

if (!process.argv.includes('--check')) {
  const lock = readLock();
  const unhashed = new Set(
    installedBy(lock).flatMap(([path, { integrity }]) => (integrity === undefined ? [path] : [])),
  );
  const hashed = Object.entries(lock.packages).filter(([path]) => !unhashed.has(path));
  // npm asks for a package again that the lock does not have, and for none that it has without a hash.
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(hashed) }, null, 2)}\n`);
  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: new URL('..', import.meta.url),
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
const errors = incomplete();
for (const error of errors) console.error(`package-lock.json: ${error}`);
if (errors.length > 0) {
  console.error(
    'Run node scripts/complete-lock.ts. What is still listed then, the registry does not offer: choose another version, or name one in "overrides" of package.json.',
  );
  process.exitCode = 1;
}
