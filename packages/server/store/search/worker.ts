// Searches yield to requests.
import '@mailroom/workers/low-priority';
import { workerData } from 'node:worker_threads';
import { AppError } from '@mailroom/behavior/values/error';
import { serve } from '@mailroom/workers/serve';
import type { Db } from '../db.ts';
import { type IndexReader, postgresIndex, sqliteIndex } from '../index/reader.ts';
import { sliceOfHits } from './hits.ts';
import { slice } from './slice.ts';
import type { Searched, SearchTask, Source } from './tasks.ts';

async function open(source: Source): Promise<{ readonly read: Db['read']; readonly index: IndexReader }> {
  if ('sqlite' in source) {
    const { openReader } = await import('../sqlite/reader.ts');
    const read = openReader(source.sqlite);
    return { read, index: sqliteIndex(read, source.sqlite) };
  }
  const { openReader } = await import('../postgres/reader.ts');
  const read = openReader(source.postgres);
  return { read, index: postgresIndex(read) };
}

/** The read-only connection of the search thread, which `searches.ts` starts. */
const { read, index } = await open(workerData as Source);
serve<SearchTask, Searched>(async (task) => {
  try {
    return task.kind === 'hits' ? await sliceOfHits(read, index, task) : await slice(read, task);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return error.message;
    throw error;
  }
});
