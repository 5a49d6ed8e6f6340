import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const FOLDER = join(ROOT, 'build', 'packed');

/** Entry points of processes and threads. No other module may import them, since they would be loaded twice. */
export const PROGRAMS = [
  'packages/server/run.ts',
  'packages/server/commands/backup.ts',
  'packages/server/commands/compact.ts',
  'packages/server/commands/dns.ts',
  'packages/server/commands/doctor.ts',
  'packages/server/commands/mail.ts',
  'packages/server/commands/migrate-blobs.ts',
  'packages/server/commands/migrate-store.ts',
  'packages/server/commands/owner-key.ts',
  'packages/server/store/sqlite/writer.ts',
  'packages/behaviors/do/threads/worker.ts',
  'packages/behaviors/proofread/worker.ts',
  'packages/english-instructions/tasks/fetch/worker.ts',
  'packages/english-instructions/tasks/json/worker.ts',
  'packages/english-instructions/tasks/sandbox/worker.ts',
  'packages/server/tests/process/proof/run.ts',
  'packages/server/tests/process/attacks/stuck-worker.ts',
] as const;

/** Imported by name. A service that is not packed, in a process of tests, takes those that are not packed either. */
export const BEHAVIORS = ['agent', 'hello', 'do', 'proofread', 'assistant', 'auth'].map(
  (name) => `packages/behaviors/${name}/index.ts`,
);

/** The name of the bundle in the folder. */
export const fileOf = (name: string): string => `${name.replaceAll('/', '+')}.mjs`;
