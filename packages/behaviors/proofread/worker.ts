// Corrections yield to requests.
import '@mailroom/workers/low-priority';
import { type Circumstances, check } from '@mailroom/english-proofreader/check';
import type { Dialect } from '@mailroom/english-proofreader/dialect';
import type { Reading } from '@mailroom/english-proofreader/reading';
import { serve } from '@mailroom/workers/serve';

/** A piece of text for a proofreading thread. */
export interface Task extends Circumstances {
  readonly text: string;
  readonly dialect: Dialect;
}

/** Contains each kind of mistake whose first correction is slow. */
const WARM_UP = 'I recieve teh informations, and she go to scool every days. Their is alot of peoples.';

const handle = ({ text, dialect, ...circumstances }: Task): Promise<Reading> => check(text, dialect, circumstances);

await check(WARM_UP, 'american');
serve(handle);
