import { serve } from '../../workers/serve.ts';
import { type Circumstances, check, type Reading } from './check.ts';
import type { Dialect } from './dialect.ts';
import { lint } from './harper.ts';

/** A piece of text for a proofreading thread. `harper_only` runs Harper and nothing of ours, for measuring. */
export interface Task extends Circumstances {
  readonly text: string;
  readonly dialect: Dialect;
  readonly harper_only?: boolean;
}

/** Has a mistake of each sort that is slow the first time. */
const WARM_UP = 'I recieve teh informations, and she go to scool every days. Their is alot of peoples.';

async function handle({ text, dialect, harper_only = false, ...circumstances }: Task): Promise<Reading> {
  if (!harper_only) return check(text, dialect, circumstances);
  await lint(text, dialect);
  return { language: 'en', words: 0, sure: true, edits: [] };
}

await check(WARM_UP, 'american');
serve(handle);
