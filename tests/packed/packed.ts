import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
export const FOLDER = join(ROOT, 'build', 'packed');

/** Those that come as many small files. */
export const PACKAGES = [
  'typebox',
  'typebox/compile',
  'typebox/schema',
  'typebox/system',
  'typebox/value',
  'chrono-node/en',
  'diff',
  'jose',
  'mathjs',
] as const;

/** Those of CommonJS that come as many small files: a program takes them in, and what they need but `APART`. */
export const WITHIN: ReadonlySet<string> = new Set(['fastify', 'prom-client']);
/** Looks for its own files beside its own. */
export const APART: ReadonlySet<string> = new Set(['pino']);

/** What a process or a thread begins with, and nobody imports beside other modules: those would be there twice. */
export const PROGRAMS = [
  'src/run.ts',
  'src/store/sqlite/writer.ts',
  'src/behaviors/do/threads/worker.ts',
  'src/behaviors/proofread/worker.ts',
  'src/tasks/fetch/worker.ts',
  'src/tasks/json/worker.ts',
  'src/tasks/sandbox/worker.ts',
  'tests/process/proof/run.ts',
] as const;

/** The name of its file in the folder. */
export const fileOf = (name: string): string => `${name.replaceAll('/', '+')}.mjs`;
