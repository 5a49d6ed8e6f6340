// Corrections yield to requests.
import '@mailroom/workers/low-priority';
import { type Circumstances, check } from '@mailroom/english-proofreader/check';
import type { Dialect } from '@mailroom/english-proofreader/dialect';
import { lint } from '@mailroom/english-proofreader/harper';
import { NO_WORDS, type Reading } from '@mailroom/english-proofreader/reading';
import { serve } from '@mailroom/workers/serve';

/** A piece of text for a proofreading thread. `harper_only` runs Harper alone, for measurements. */
export interface Task extends Circumstances {
  readonly text: string;
  readonly dialect: Dialect;
  readonly harper_only?: boolean;
}

/** Contains each kind of mistake whose first correction is slow. */
const WARM_UP = 'I recieve teh informations, and she go to scool every days. Their is alot of peoples.';

async function handle({ text, dialect, harper_only = false, ...circumstances }: Task): Promise<Reading> {
  if (!harper_only) return check(text, dialect, circumstances);
  await lint(text, dialect);
  return NO_WORDS;
}

await check(WARM_UP, 'american');
serve(handle);
