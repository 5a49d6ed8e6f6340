// Loaded into each process of `npm test` by --import: it replaces programs with what `pack.ts` made of them.
import { flushCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import '@mailroom/workers/modules/resolve';
import { BEHAVIORS, FOLDER, fileOf, PROGRAMS, ROOT } from './packed.ts';

const urlOf = (...path: readonly string[]): string => pathToFileURL(join(...path)).href;

const packed = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [urlOf(ROOT, name), urlOf(FOLDER, fileOf(name))]));
const programs = packed(PROGRAMS);
const behaviors = packed(BEHAVIORS);
const folder = `${urlOf(FOLDER)}/`;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isPacked = context.parentURL?.startsWith(folder) === true;
    const program = programs.get(found.url) ?? (isPacked ? behaviors.get(found.url) : undefined);
    return program === undefined ? found : { url: program, format: 'module', shortCircuit: true };
  },
});

/** Later than a start, so that all its modules are there. */
const STARTED_MS = 3_000;
// A process that is killed would not keep what it compiled, and each one after it would compile that again.
setTimeout(flushCompileCache, STARTED_MS).unref();
