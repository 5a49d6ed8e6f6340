// Searches yield to requests.
import '@mailroom/workers/low-priority';
import { workerData } from 'node:worker_threads';
import { AppError } from '@mailroom/behavior/values/error';
import { serve } from '@mailroom/workers/serve';
import type { Db } from '../db.ts';
import { slice } from './slice.ts';
import type { Searched, SearchTask, Source } from './tasks.ts';

async function open(source: Source): Promise<Db['read']> {
  if ('sqlite' in source) {
    const { openReader } = await import('../sqlite/reader.ts');
    return openReader(source.sqlite);
  }
  const { openReader } = await import('../postgres/reader.ts');
  return openReader(source.postgres);
}

/** The read-only connection of the search thread, which `searches.ts` starts. */
const read = await open(workerData as Source);
serve<SearchTask, Searched>(async (task) => {
  try {
    return await slice(read, task);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return error.message;
    throw error;
  }
});
