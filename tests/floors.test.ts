import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const ROOT = resolve(import.meta.dirname, '..');
const SCOPE = '@mailroom/';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages by the paths of their folders. */
const packages: ReadonlyMap<string, Manifest> = new Map(
  globSync(['packages/*/package.json', 'packages/behaviors/*/package.json'], { cwd: ROOT }).map((file) => [
    dirname(file),
    JSON.parse(readFileSync(join(ROOT, file), 'utf8')),
  ]),
);
const folderOf: ReadonlyMap<string, string> = new Map([...packages].map(([folder, { name }]) => [name, folder]));

/** The folder of the package that a file belongs to. */
const packageOf = (file: string): string | undefined =>
  [...packages.keys()].find((folder) => file.startsWith(`${folder}/`));

interface Import {
  readonly from: string;
  readonly what: string;
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g;
const IMPORT_OR_URL = /(?:\bfrom\s+|\bimport\s*\(?\s*|new URL\(\s*)'([^'\n]+\.ts|[^.'\n/][^'\n: ]*)'/g;

function importsOf(file: string, pattern: RegExp): Import[] {
  const source = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '');
  return [...source.matchAll(pattern)].map(([, what]) => ({ from: file, what: what as string }));
}

/** The file that an import leads to, as a path from the root; undefined for a package of others. */
function targetOf({ from, what }: Import): string | undefined {
  if (what.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(from), what));
  if (!what.startsWith(SCOPE)) return undefined;
  const [scope = '', name = '', ...parts] = what.split('/');
  const folder = folderOf.get(`${scope}/${name}`);
  return folder && `${folder}/${parts.length === 0 ? 'index' : parts.join('/')}.ts`;
}

const exclude = ['**/tests/**', '**/node_modules/**', '**/dist/**'];
const files = globSync('packages/**/*.ts', { cwd: ROOT, exclude });
const imports = files.flatMap((file) => importsOf(file, IMPORT_OR_URL));

/** The name of the package that an import names; undefined for a file and for what Node.js brings. */
const namedPackage = (what: string): string | undefined =>
  what.startsWith('.') || what.startsWith('node:')
    ? undefined
    : what
        .split('/')
        .slice(0, what.startsWith('@') ? 2 : 1)
        .join('/');

/** The imports in `all` of what the package of the file does not list as a dependency, and those into another's files. */
const unlisted = (all: readonly Import[]): Import[] =>
  all.filter((line) => {
    const folder = packageOf(line.from) as string;
    const { name, dependencies = {} } = packages.get(folder) as Manifest;
    const named = namedPackage(line.what);
    if (named !== undefined) return named !== name && !(named in dependencies);
    const target = targetOf(line);
    return target !== undefined && packageOf(target) !== folder;
  });

test('a package imports what it lists as dependencies, and files of its own', () => {
  assert.deepEqual(unlisted(imports), []);
});

test('the check can fail: it finds a package that is not listed, and a path into another package', () => {
  const wrong = [
    { from: 'packages/english-proofreader/check.ts', what: '@mailroom/behavior' },
    { from: 'packages/behaviors/hello/index.ts', what: '../do/index.ts' },
    { from: 'packages/server/run.ts', what: 'lodash' },
  ];
  const right = { from: 'packages/behaviors/hello/index.ts', what: '@mailroom/behavior/values/json' };
  assert.deepEqual(unlisted([...wrong, right]), wrong);
});

test('a package lists no dependency that it does not import, but the server the behaviors, which it loads by name', () => {
  for (const [folder, { dependencies = {} }] of packages) {
    const named = new Set(
      imports.filter(({ from }) => packageOf(from) === folder).map(({ what }) => namedPackage(what)),
    );
    const text = files
      .filter((file) => packageOf(file) === folder)
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join();
    const unused = Object.keys(dependencies).filter((name) => !named.has(name) && !text.includes(`'${name}`));
    const loaded = folder === 'packages/server' ? /^packages\/behaviors\// : /^$/;
    assert.deepEqual(
      unused.filter((name) => !loaded.test(folderOf.get(name) ?? '')),
      [],
      folder,
    );
  }
});

/** The groups of names of which each leads to the others, if only through others (Tarjan, 1972). */
function circlesOf(targets: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): void => {
    const place = index.size;
    index.set(name, place);
    low.set(name, place);
    stack.push(name);
    for (const target of targets.get(name) ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(name, Math.min(low.get(name) ?? place, low.get(target) ?? place));
    }
    if (low.get(name) !== place) return;
    const circle = stack.splice(stack.indexOf(name));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const name of targets.keys()) if (!index.has(name)) visit(name);
  return circles;
}

/** What each name leads to. */
function graphOf(edges: readonly (readonly [from: string, to: string])[]): Map<string, Set<string>> {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  return targets;
}

test('no packages depend on each other in a circle, no behavior on another, and none but the root on the server', () => {
  const edges = [...packages].flatMap(([folder, { dependencies = {} }]) =>
    Object.keys(dependencies).flatMap((name): [string, string][] => {
      const target = folderOf.get(name);
      return target === undefined ? [] : [[folder, target]];
    }),
  );
  assert.ok(edges.length > 10);
  assert.deepEqual(circlesOf(graphOf(edges)), []);
  assert.deepEqual(
    edges.filter(
      ([from, to]) =>
        to === 'packages/server' || (from.startsWith('packages/behaviors/') && to.startsWith('packages/behaviors/')),
    ),
    [],
  );
});

test('the proofreader and the port of behaviors know nothing of the rest of Mailroom', () => {
  const named = (folder: string): string[] =>
    Object.keys(packages.get(folder)?.dependencies ?? {}).filter((name) => name.startsWith(SCOPE));
  assert.deepEqual(named('packages/english-proofreader'), ['@mailroom/detect-language']);
  assert.deepEqual(named('packages/detect-language'), []);
  assert.deepEqual(named('packages/behavior'), []);
});

const SERVER = 'packages/server/';

/** What each layer of the server may import besides itself and packages. `core` has its own rooms below. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  core: [],
  keyring: ['core'],
  model: ['core'],
  net: ['core'],
  store: ['core'],
  http: ['core', 'net'],
  // Mails are read on worker threads.
  mail: ['core', 'http', 'net'],
  'transports/a2a': ['core', 'http'],
  'transports/api': ['core', 'http', 'net'],
  'transports/web': ['core', 'http', 'net'],
  'transports/oidc': ['core', 'http', 'net'],
  'transports/mcp': ['core', 'http'],
  'transports/smtp': ['core', 'net'],
  'transports/peers': ['core', 'http'],
  'transports/operations.ts': ['core', 'http'],
};
/** The composition root and the programs around it, which may import anything. */
const TOP = new Set(['main.js', 'run.ts', 'service', 'config.ts', 'settings', 'log.ts', 'metrics', 'commands']);

/** The layer of a file of the server: its first folder, or two folders for a transport; undefined for other packages. */
const layerOf = (file: string): string | undefined => {
  if (!file.startsWith(SERVER)) return undefined;
  const parts = file.slice(SERVER.length).split('/');
  return parts[0] === 'transports' ? parts.slice(0, 2).join('/') : parts[0];
};

test('every file of the server stands on a floor that is written down here', () => {
  const layers = new Set(files.map(layerOf));
  layers.delete(undefined);
  assert.deepEqual(
    [...layers].filter((layer) => !TOP.has(layer as string) && MAY[layer as string] === undefined),
    [],
  );
});

/** The imports in `all` that go sideways or up. */
const upward = (all: readonly Import[]): Import[] =>
  all.filter((line) => {
    const [layer, target] = [layerOf(line.from), layerOf(targetOf(line) ?? '')];
    if (layer === undefined || target === undefined || target === 'package.json' || TOP.has(layer)) return false;
    return target !== layer && !MAY[layer]?.includes(target);
  });

test('imports only go down: no floor of the server reaches for one beside or above it', () => {
  assert.deepEqual(upward(imports), []);
});

test('the check can fail: it finds an import that goes up, one to another transport, one into the composition root', () => {
  const wrong = [
    { from: `${SERVER}core/messages/submit.ts`, what: '../../store/open.ts' },
    { from: `${SERVER}transports/api/send.ts`, what: '../web/index.ts' },
    { from: `${SERVER}http/server.ts`, what: '../config.ts' },
  ];
  assert.deepEqual(upward([...wrong, { from: `${SERVER}http/server.ts`, what: '../core/error.ts' }]), wrong);
});

/** The rooms of the core, those first that others build on: a room imports only rooms before it. */
const ROOMS = [
  'values',
  'entities',
  'ports',
  'limits',
  'files',
  'access',
  'notify',
  'review',
  'runs',
  'submission',
  'outgoing',
  'mail-out',
  'answers',
  'messages',
  'mail-in',
  'sign-in',
  'reports',
  'maintenance',
  'nodes',
];
const roomOf = (file: string): string | undefined => /^packages\/server\/core\/([^/]+)\//.exec(file)?.[1];

/** The imports in `all` from a room into one that stands after it, or is not written down. */
const outOfRoom = (all: readonly Import[]): Import[] =>
  all.filter((line) => {
    const [room, target] = [roomOf(line.from), roomOf(targetOf(line) ?? '')];
    if (room === undefined || target === undefined || room === target) return false;
    return !ROOMS.includes(room) || !ROOMS.slice(0, ROOMS.indexOf(room)).includes(target);
  });

test('each room of the core imports only rooms below it', () => {
  assert.deepEqual(outOfRoom(imports), []);
  const wrong = [
    { from: `${SERVER}core/runs/run.ts`, what: '../outgoing/deliver.ts' },
    { from: `${SERVER}core/delivery/run.ts`, what: '../values/page.ts' },
  ];
  assert.deepEqual(
    outOfRoom([...wrong, { from: `${SERVER}core/runs/run.ts`, what: '../limits/daily-limit.ts' }]),
    wrong,
  );
});

test('the core imports itself, the port of behaviors, what Node.js brings, and typebox', () => {
  const wrong = imports.filter(({ from, what }) => {
    const named = namedPackage(what);
    return layerOf(from) === 'core' && named !== undefined && named !== '@mailroom/behavior' && named !== 'typebox';
  });
  assert.deepEqual(wrong, []);
});

test('process.env is read by main.js and the commands alone, which hand it to config.ts', () => {
  const readers = files.filter((file) =>
    /process\.env\b/.test(readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  assert.deepEqual(
    readers.filter((file) => !file.startsWith(`${SERVER}commands/`) && !file.startsWith('packages/client/')),
    [],
  );
});

const edgesOf = (all: readonly Import[]): [string, string][] =>
  all.flatMap((line): [string, string][] => {
    const target = targetOf(line);
    return target === undefined ? [] : [[line.from, target]];
  });

test('no files import each other in a circle, those of the client and the benchmarks included', () => {
  const all = [...files, ...globSync('bench/**/*.ts', { cwd: ROOT })];
  // A thread's script is started, not imported.
  assert.deepEqual(circlesOf(graphOf(edgesOf(all.flatMap((file) => importsOf(file, IMPORT))))), []);
});

test('the check can fail: it finds a circle of three files', () => {
  const circle = [
    { from: `${SERVER}core/a.ts`, what: './b.ts' },
    { from: `${SERVER}core/b.ts`, what: '../http/c.ts' },
    { from: `${SERVER}http/c.ts`, what: '@mailroom/server/core/a' },
  ];
  assert.deepEqual(circlesOf(graphOf(edgesOf([...circle, { from: `${SERVER}core/d.ts`, what: './a.ts' }]))), [
    [`${SERVER}core/a.ts`, `${SERVER}core/b.ts`, `${SERVER}http/c.ts`],
  ]);
});

const VALUE_IMPORT = /^(?:import|export)\s+(?!type\b)(?!\{(?:\s*type\s[^,}]+,?)+\s*\})[^;']*from '([^']+)'/gm;

test('the thread that writes SQLite loads no package of others, which would cost each start 25 MB', () => {
  const loaded = new Set([`${SERVER}store/sqlite/writer.ts`]);
  const others: Import[] = [];
  for (const file of loaded) {
    for (const line of importsOf(file, VALUE_IMPORT)) {
      const target = targetOf(line);
      if (target !== undefined) loaded.add(target);
      else if (!line.what.startsWith('node:')) others.push(line);
    }
  }
  assert.deepEqual(others, []);
  assert.ok(loaded.size > 10, `only ${[...loaded].join()}`);
});
