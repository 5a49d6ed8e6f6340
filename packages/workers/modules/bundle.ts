import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUNDLED, type Bundles, bundlesOf, installedHash, LIST, ROOT } from './packages.ts';

/** The first looks for its own files next to itself; the service replaces what the others do and never loads them. */
const NOT_BUNDLED = ['pino', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/** Bundled CommonJS code calls `require` for Node's modules, which an ES module does not have. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(${JSON.stringify(pathToFileURL(join(ROOT, 'package.json')).href)});`;

const fileOf = (name: string): string => name.replaceAll('/', '+');

/** A module with the names of a package, which its bundle exports as the package does, also where that is CommonJS. */
async function entryOf(name: string): Promise<string> {
  const used = BUNDLED[name] ?? [];
  const names = used.length > 0 ? used : Object.keys(await import(name));
  return `export { ${names.filter((one) => /^\w+$/.test(one)).join(', ')} } from ${JSON.stringify(name)};`;
}

/** Bundles the packages that are installed, each into a file that a start reads in place of hundreds. */
export async function bundlePackages(): Promise<void> {
  const folder = bundlesOf(ROOT);
  const names = Object.keys(BUNDLED);
  const entries = new Map(await Promise.all(names.map(async (name) => [name, await entryOf(name)] as const)));
  await build({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => ({ in: `entry:${name}`, out: fileOf(name) })),
    plugins: [
      {
        name: 'entries',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }));
          onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
            contents: entries.get(path) ?? '',
            resolveDir: ROOT,
          }));
        },
      },
    ],
    external: NOT_BUNDLED,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What two packages share has one instance.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });
  const list: Bundles = {
    installed: installedHash(ROOT),
    files: Object.fromEntries(names.map((name) => [name, `${fileOf(name)}.mjs`])),
  };
  const written = join(folder, `${LIST}.${process.pid}`);
  await writeFile(written, JSON.stringify(list));
  await rename(written, join(folder, LIST));
}
