import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const SRC = resolve(import.meta.dirname, '../src');

/**
 * What each layer may import besides itself, `node:` built-ins and packages. `core` has its own, stricter rule below.
 */
const MAY: Readonly<Record<string, readonly string[]>> = {
  core: [],
  modules: [],
  workers: ['core', 'modules'],
  // Mails are read on worker threads.
  keyring: ['core'],
  model: ['core'],
  net: ['core'],
  // Searches run on a worker thread.
  store: ['core', 'workers'],
  http: ['core', 'net'],
  mail: ['core', 'workers', 'http', 'net'],
  language: ['core'],
  tasks: ['core', 'language', 'workers', 'keyring', 'model', 'net'],
  behaviors: ['core', 'language', 'workers', 'keyring', 'model', 'net', 'tasks'],
  'transports/a2a': ['core', 'http'],
  'transports/api': ['core', 'http', 'net'],
  'transports/web': ['core', 'http', 'net'],
  'transports/oidc': ['core', 'http', 'net'],
  'transports/mcp': ['core', 'http'],
  'transports/smtp': ['core', 'net'],
  'transports/operations.ts': ['core', 'http'],
};
/** The composition root and the programs around it, which may import anything. */
const TOP = new Set(['main.js', 'run.ts', 'service', 'config.ts', 'settings', 'log.ts', 'metrics', 'commands']);

/** The layer of a file of src/: its first folder, or two folders for a transport. */
const floorOf = (file: string): string => {
  const parts = file.split('/');
  return parts[0] === 'transports' ? parts.slice(0, 2).join('/') : (parts[0] as string);
};

interface Import {
  readonly from: string;
  readonly what: string;
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g;
const IMPORT_OR_URL = /(?:\bfrom\s+|\bimport\s*\(?\s*|new URL\(\s*)'([^']+)'/g;

function importsOf(file: string, pattern = IMPORT_OR_URL): Import[] {
  const source = readFileSync(join(SRC, file), 'utf8');
  const found = [...source.matchAll(pattern)].map(([, what]) => ({ from: file, what: what as string }));
  // The manifest of the package stands below every layer.
  return found.filter(({ what }) => !what.endsWith('/package.json'));
}

const files = globSync('**/*.ts', { cwd: SRC }).map((file) => file.replaceAll('\\', '/'));
const imports = files.flatMap((file) => importsOf(file));

test('every file of src/ stands on a floor that is written down here', () => {
  const unknown = files.filter((file) => !TOP.has(floorOf(file)) && MAY[floorOf(file)] === undefined);
  assert.deepEqual(unknown, []);
});

/** The imports in `all` that go sideways or up. */
const upward = (all: readonly Import[]): Import[] =>
  all.filter(({ from, what }) => {
    const floor = floorOf(from);
    if (!what.startsWith('.') || TOP.has(floor)) return false;
    const target = floorOf(relative(SRC, resolve(SRC, dirname(from), what)).replaceAll('\\', '/'));
    return target !== floor && !MAY[floor]?.includes(target);
  });

test('imports only go down: no floor reaches for one beside or above it', () => {
  assert.deepEqual(upward(imports), []);
});

test('the check can fail: it finds an import that goes up, one to another transport, one into the composition root', () => {
  const wrong = [
    { from: 'core/delivery/submit.ts', what: '../../store/open.ts' },
    { from: 'transports/api/send.ts', what: '../web/index.ts' },
    { from: 'http/server.ts', what: '../config.ts' },
  ];
  assert.deepEqual(upward([...wrong, { from: 'http/server.ts', what: '../core/error.ts' }]), wrong);
});

/** What several behaviors use; every other folder or file of src/behaviors/ is one behavior. */
const SHARED = new Set([
  'steps',
  'attached-text.ts',
  'language.ts',
  'language-reader.ts',
  'language-worker.ts',
  'approval-by-mail.ts',
  'time-zone.ts',
]);

/** The behavior of a file; undefined for files outside src/behaviors/. */
const behaviorOf = (file: string): string | undefined => {
  const [layer, name] = file.split('/');
  return layer === 'behaviors' ? name : undefined;
};

/** The imports in `all` that lead from a behavior, or from what behaviors share, into another behavior. */
const betweenBehaviors = (all: readonly Import[]): Import[] =>
  all.filter(({ from, what }) => {
    const own = behaviorOf(from);
    if (own === undefined || !what.startsWith('.')) return false;
    const target = relative(SRC, resolve(SRC, dirname(from), what)).replaceAll('\\', '/');
    const other = behaviorOf(target);
    return other !== undefined && other !== own && !SHARED.has(other);
  });

test('no behavior imports another, nor does what they share', () => {
  assert.deepEqual(betweenBehaviors(imports), []);
});

test('the check can fail: it finds an import of another behavior, from one and from what they share', () => {
  const wrong = [
    { from: 'behaviors/assistant/index.ts', what: '../do/index.ts' },
    { from: 'behaviors/steps/model/run.ts', what: '../../do/by-model.ts' },
    { from: 'behaviors/hello/index.ts', what: '../auth/read.ts' },
  ];
  const right = [
    { from: 'behaviors/do/index.ts', what: '../steps/plan/index.ts' },
    { from: 'behaviors/do/index.ts', what: './by-model.ts' },
    { from: 'behaviors/hello/index.ts', what: '../language.ts' },
  ];
  assert.deepEqual(betweenBehaviors([...wrong, ...right]), wrong);
});

test('the core imports itself, node: built-ins and typebox, nothing else', () => {
  const wrong = imports.filter(({ from, what }) => {
    const own = what.startsWith('.') && join(dirname(from), what).startsWith(join('core', '/'));
    return floorOf(from) === 'core' && !own && !what.startsWith('node:') && !/^typebox(\/|$)/.test(what);
  });
  assert.deepEqual(wrong, []);
});

/** The imports in `all` of the port of behaviors that a package without the service would not have. */
const outOfPort = (all: readonly Import[]): Import[] =>
  all.filter(({ from, what }) => {
    const inPort = from === 'core/ports/behavior.ts' || from.startsWith('core/ports/behavior/');
    if (!inPort || !what.startsWith('.')) return false;
    const target = relative(SRC, resolve(SRC, dirname(from), what)).replaceAll('\\', '/');
    return !/^core\/(?:values\/|ports\/(?:behavior|outside)[./])/.test(target);
  });

test('what a behavior of a stranger installs stands alone: the port imports itself and small values', () => {
  assert.deepEqual(outOfPort(imports), []);
  const wrong = { from: 'core/ports/behavior/host.ts', what: '../../entities/mailbox.ts' };
  assert.deepEqual(outOfPort([wrong, { from: 'core/ports/behavior.ts', what: '../values/json.ts' }]), [wrong]);
});

test('process.env is read by main.js and the commands alone, which hand it to config.ts', () => {
  const readers = files.filter((file) =>
    /process\.env\b/.test(readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  assert.deepEqual(
    readers.filter((file) => file !== 'main.js' && !file.startsWith('commands/')),
    [],
  );
});

/** The groups of files of which each imports the others, if only through others (Tarjan, 1972). */
function circlesOf(all: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, what } of all) {
    const known = targets.get(from) ?? new Set();
    targets.set(from, known);
    if (what.startsWith('.')) known.add(relative(SRC, resolve(SRC, dirname(from), what)).replaceAll('\\', '/'));
  }
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? own, low.get(target) ?? own));
    }
    if (low.get(file) !== own) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return circles;
}

test('no files import each other in a circle', () => {
  // A thread's script is started, not imported.
  assert.deepEqual(circlesOf(files.flatMap((file) => importsOf(file, IMPORT))), []);
});

test('the check can fail: it finds a circle of three files', () => {
  const circle = [
    { from: 'core/a.ts', what: './b.ts' },
    { from: 'core/b.ts', what: '../http/c.ts' },
    { from: 'http/c.ts', what: '../core/a.ts' },
  ];
  assert.deepEqual(circlesOf([...circle, { from: 'core/d.ts', what: './a.ts' }]), [
    ['core/a.ts', 'core/b.ts', 'http/c.ts'],
  ]);
});

const VALUE_IMPORT = /^(?:import|export)\s+(?!type\b)(?!\{(?:\s*type\s[^,}]+,?)+\s*\})[^;']*from '([^']+)'/gm;

test('the thread that writes SQLite loads no package, which would cost each start 25 MB', () => {
  const loaded = new Set(['store/sqlite/writer.ts']);
  const packages: Import[] = [];
  for (const file of loaded) {
    for (const { from, what } of importsOf(file, VALUE_IMPORT)) {
      if (what.startsWith('.')) loaded.add(relative(SRC, resolve(SRC, dirname(from), what)).replaceAll('\\', '/'));
      else if (!what.startsWith('node:')) packages.push({ from, what });
    }
  }
  assert.deepEqual(packages, []);
  assert.ok(loaded.size > 10, `only ${[...loaded].join()}`);
});
