// Indexing yields to requests.
import '@mailroom/workers/low-priority';
import { workerData } from 'node:worker_threads';
import { serve } from '@mailroom/workers/serve';
import type { Source } from '../search/tasks.ts';
import { indexNext, type Step } from './indexing.ts';

/** One step of the index of this database, which `follower.ts` asks for. */
export interface IndexTask {
  readonly now: number;
}

const source = workerData as Source;
const { exclusive } =
  'sqlite' in source
    ? (await import('./sqlite.ts')).openIndex(source.sqlite)
    : await (await import('./postgres.ts')).openIndex(source.postgres);
let first = true;
serve<IndexTask, Step | null>(async ({ now }) => {
  const step = await indexNext(exclusive, now, { first });
  if (step !== undefined) first = false;
  return step ?? null;
});
