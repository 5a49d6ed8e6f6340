// `npm test` runs this first: it bundles the modules of the service into a few files in build/packed/, because the tests
// start hundreds of processes, and each takes longer to find its modules than to run them.
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BEHAVIORS, FOLDER, fileOf, PROGRAMS, ROOT } from './packed.ts';

/** Keeps the original path of each module, for files that it reads next to it and threads that it starts. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@mailroom\// }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    }));
  },
};

rmSync(FOLDER, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  // Programs that import the same module share one instance of it.
  splitting: true,
  entryPoints: [...PROGRAMS, ...BEHAVIORS].map((path) => ({ in: path, out: fileOf(path).slice(0, -'.mjs'.length) })),
  outdir: FOLDER,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // The service bundles packages itself.
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node24',
  plugins: [places],
  logLevel: 'warning',
});
