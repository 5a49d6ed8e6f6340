// Indexing yields to requests.
import '@mailroom/workers/low-priority';
import { workerData } from 'node:worker_threads';
import { serve } from '@mailroom/workers/serve';
import type { Source } from '../search/tasks.ts';
import { indexNext, type Step } from './indexing.ts';

/** One step of the index of this database, which `follower.ts` asks for. */
export interface IndexTask {
  readonly now: number;
  readonly rebuild: boolean;
}

const source = workerData as Source;
const { exclusive } =
  'sqlite' in source
    ? (await import('./sqlite.ts')).openIndex(source.sqlite)
    : await (await import('./postgres.ts')).openIndex(source.postgres);
serve<IndexTask, Step | null>(async ({ now, rebuild }) => (await indexNext(exclusive, now, rebuild)) ?? null);
