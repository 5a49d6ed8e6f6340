// Loaded into each process of `npm test` by --import: it replaces packed modules with what `pack.ts` made of them.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FOLDER, fileOf, PACKAGES, PROGRAMS, ROOT } from './packed.ts';

const urlOf = (...path: readonly string[]): string => pathToFileURL(join(...path)).href;

const packages = new Map<string, string>(PACKAGES.map((name) => [name, urlOf(FOLDER, fileOf(name))]));
const programs = new Map<string, string>(PROGRAMS.map((name) => [urlOf(ROOT, name), urlOf(FOLDER, fileOf(name))]));

registerHooks({
  resolve(specifier, context, next) {
    const packed = packages.get(specifier);
    if (packed !== undefined) return { url: packed, format: 'module', shortCircuit: true };
    const found = next(specifier, context);
    const program = programs.get(found.url);
    return program === undefined ? found : { url: program, format: 'module', shortCircuit: true };
  },
});
