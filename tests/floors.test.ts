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
  workers: ['core'],
  keyring: ['core'],
  model: ['core'],
  net: ['core'],
  // Searches run on a worker thread.
  store: ['core', 'workers'],
  http: ['core'],
  tasks: ['core', 'workers', 'keyring', 'model', 'net'],
  behaviors: ['core', 'workers', 'keyring', 'model', 'net', 'tasks'],
  'transports/api': ['core', 'http', 'net'],
  'transports/web': ['core', 'http', 'net'],
  'transports/oidc': ['core', 'http', 'net'],
  'transports/operations.ts': ['core', 'http'],
};
/** The composition root and the programs around it, which may import anything. */
const TOP = new Set(['main.ts', 'run.ts', 'service', 'config.ts', 'log.ts', 'metrics', 'version.ts', 'commands']);

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
  const found = source.matchAll(pattern);
  return [...found].map(([, what]) => ({ from: file, what: what as string }));
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

test('the core imports itself, node: built-ins and typebox, nothing else', () => {
  const wrong = imports.filter(({ from, what }) => {
    const own = what.startsWith('.') && join(dirname(from), what).startsWith(join('core', '/'));
    return floorOf(from) === 'core' && !own && !what.startsWith('node:') && !/^typebox(\/|$)/.test(what);
  });
  assert.deepEqual(wrong, []);
});

test('process.env is read by main.ts and the commands alone, which hand it to config.ts', () => {
  const readers = files.filter((file) =>
    /process\.env\b/.test(readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  assert.deepEqual(
    readers.filter((file) => file !== 'main.ts' && !file.startsWith('commands/')),
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
