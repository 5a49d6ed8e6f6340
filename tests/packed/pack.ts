// `npm test` runs this first: it bundles the modules into a few files in build/packed/, because the tests start
// hundreds of processes, and each takes longer to find 1,400 modules than to run them.
import { readFileSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { APART, FOLDER, fileOf, PACKAGES, PROGRAMS, ROOT, WITHIN } from './packed.ts';

/** Keeps the original path of each module, for files that it reads next to it and threads that it starts. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    }));
  },
};

/** Resolves the packages that a program bundles rather than imports. */
const within: Plugin = {
  name: 'within',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      if (isBuiltin(path) || APART.has(path)) return undefined;
      if (!WITHIN.has(path) && !importer.includes('/node_modules/')) return undefined;
      return { path: createRequire(importer).resolve(path) };
    });
  },
};

/** Bundled CommonJS code calls `require` for Node's modules, which an ES module does not have. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(${JSON.stringify(pathToFileURL(join(ROOT, 'package.json')).href)});`;

/** `of` has the entry points by the names of their bundles. */
const pack = (
  of: Readonly<Record<string, string>>,
  more: { readonly packages: 'bundle' | 'external' },
): Promise<unknown> =>
  build({
    ...more,
    absWorkingDir: ROOT,
    // Programs that import the same module share one instance of it.
    splitting: true,
    entryPoints: Object.entries(of).map(([name, path]) => ({ in: path, out: fileOf(name).slice(0, -'.mjs'.length) })),
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    plugins: more.packages === 'external' ? [places, within] : [places],
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });

rmSync(FOLDER, { recursive: true, force: true });
const programs = Object.fromEntries(PROGRAMS.map((name) => [name, name]));
await Promise.all([pack(PACKAGES, { packages: 'bundle' }), pack(programs, { packages: 'external' })]);
