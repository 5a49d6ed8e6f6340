import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pythonSource } from './client/python.ts';
import { clientSource } from './client/source.ts';
import { openapiJson } from './openapi-document.ts';

/**
 * `npm run client`: writes the client's types and operations from the OpenAPI document (`src/*.generated.ts`), those of the Python client,
 * and emits the client as JavaScript and declarations (`packages/client/dist/`), which `npm run pack-client` packs for the
 * service. With `--check` it writes nothing, and fails where one of these files is stale.
 */
const CLIENT = join(import.meta.dirname, '../packages/client');
const TYPES = join(CLIENT, 'src/types.generated.ts');
const OPERATIONS = join(CLIENT, 'src/api.generated.ts');
const DIST = join(CLIENT, 'dist');
const PYTHON = join(import.meta.dirname, '../clients/python/mailroom_client');
const check = process.argv.includes('--check');

function run(program: string, args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: CLIENT, encoding: 'utf8', input });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}${error ?? ''}`);
  return stdout;
}

/** The files below a folder, by their path in it; empty where there is none. */
function filesOf(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

const stale: string[] = [];
function keep(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  stale.push(relative(CLIENT, file));
  if (check) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What the console and the command line show in lists is the same. */
const EXCERPT = 'packages/server/transports/web/excerpt.ts';
const excerpt = readFileSync(join(CLIENT, '..', '..', EXCERPT), 'utf8');
keep(join(CLIENT, 'src/cli/excerpt.generated.ts'), `// A copy of ${EXCERPT}, made by npm run client.\n${excerpt}`);

const document = JSON.parse(await openapiJson());
const source = clientSource(document);
for (const [file, text] of [
  [TYPES, source.types],
  [OPERATIONS, source.operations],
] as const)
  keep(file, run('biome', ['format', `--stdin-file-path=${file}`], text));

const python = pythonSource(document);
keep(join(PYTHON, '_types.py'), python.types);
keep(join(PYTHON, '_api.py'), python.operations);
keep(join(PYTHON, '_async_api.py'), python.asyncOperations);

// Within its folder, so that the compiler finds the types of Node.
const folder = mkdtempSync(join(CLIENT, '.emitted-'));
try {
  run('tsc', ['-p', CLIENT, '--outDir', folder]);
  const emitted = filesOf(folder);
  for (const [name, text] of emitted) {
    // Declarations keep the extension of the source that they import.
    keep(join(DIST, name), text.replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
  for (const name of filesOf(DIST).keys()) {
    if (emitted.has(name)) continue;
    stale.push(`dist/${name}`);
    if (!check) rmSync(join(DIST, name));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (check && stale.length > 0) {
  process.stderr.write(
    `Stale files of the clients, below packages/client/: ${stale.join(', ')}. Run npm run client.\n`,
  );
  process.exitCode = 1;
} else process.stdout.write(stale.length > 0 ? `Written: ${stale.join(', ')}.\n` : 'The client matches the API.\n');
