import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of package.json. */
export const ROOT = join(import.meta.dirname, '../../..');
/** The file in the folder of the bundles that lists them. */
export const LIST = 'list.json';

/** The package whose files are JavaScript, made from TypeScript. */
const BUILT = 'client';

/** Where the bundles of packages are, of the service in the folder. */
export const bundlesOf = (root: string): string => join(root, 'build', 'packages');

/**
 * Packages that consist of many small files and are loaded at each start, by the names that are used of them: all where
 * none is listed.
 */
export const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  typebox: [],
  'typebox/schema': [],
  'typebox/system': [],
  fastify: [],
  'prom-client': [],
  jose: [],
  diff: [],
  'chrono-node/en': [],
  // The package also makes all of its functions once as it is loaded, for others.
  mathjs: ['all', 'create'],
};

/** What `npm run compile-cache` bundled. */
export interface Bundles {
  /** Tells whether the packages are still those that were bundled. */
  readonly installed: string;
  /** Name of a package: its bundle in the folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** The hash of what npm last installed in the folder, by the list that npm keeps. Throws without such a list. */
export const installedHash = (root: string): string =>
  createHash('sha256')
    .update(readFileSync(join(root, 'node_modules', '.package-lock.json')))
    .digest('hex');

/**
 * The bundles of the packages that are installed, as URLs by the names of the packages: none where they were not made, or
 * other packages were installed since.
 */
export function readBundles(root: string): ReadonlyMap<string, string> {
  const folder = bundlesOf(root);
  try {
    const { installed, files } = JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as Bundles;
    if (installed !== installedHash(root)) return new Map();
    return new Map(Object.entries(files).map(([name, file]) => [name, pathToFileURL(join(folder, file)).href]));
  } catch {
    return new Map();
  }
}

/** The folders of this repository's packages as URLs, by their names without the scope; without those that are built. */
export function folders(root: string): ReadonlyMap<string, string> {
  return new Map(
    ['packages', 'packages/behaviors'].flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter(({ name }) => existsSync(join(root, folder, name, 'package.json')) && name !== BUILT)
        .map(({ name }): [string, string] => [name, pathToFileURL(join(root, folder, name)).href]),
    ),
  );
}
