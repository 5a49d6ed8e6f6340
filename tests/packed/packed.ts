import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
export const FOLDER = join(ROOT, 'build', 'packed');

/** Entry points of processes and threads. No other module may import them, since they would be loaded twice. */
export const PROGRAMS = [
  'src/run.ts',
  'src/commands/backup.ts',
  'src/commands/compact.ts',
  'src/commands/dns.ts',
  'src/commands/migrate-store.ts',
  'src/commands/owner-key.ts',
  'src/store/sqlite/writer.ts',
  'src/behaviors/do/threads/worker.ts',
  'src/behaviors/proofread/worker.ts',
  'src/tasks/fetch/worker.ts',
  'src/tasks/json/worker.ts',
  'src/tasks/sandbox/worker.ts',
  'tests/process/proof/run.ts',
  'tests/process/attacks/stuck-worker.ts',
] as const;

/** Imported by name. A service that is not packed, in a process of tests, takes those that are not packed either. */
export const BEHAVIORS = ['agent', 'hello', 'do', 'proofread', 'assistant', 'auth'].map(
  (name) => `src/behaviors/${name}/index.ts`,
);

/** The name of the bundle in the folder. */
export const fileOf = (name: string): string => `${name.replaceAll('/', '+')}.mjs`;
