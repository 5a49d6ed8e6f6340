import type { check as checkHere } from '../../src/behaviors/proofread/check.ts';
import { makeProofreadPool } from '../../src/behaviors/proofread/index.ts';

/**
 * One thread that proofreads for all tests of this process, because a thread takes two seconds of processor time to load.
 * An idle thread lets the process end. A text may take longer than a service allows, since the machine is busy.
 */
export const PROOFREAD_POOL = makeProofreadPool({ workers: 1, run_ms: 60_000 });

/** `check` on that thread, since Harper takes as long to load on the thread of the tests too. */
export const check: typeof checkHere = (text, dialect, circumstances) =>
  PROOFREAD_POOL.run({ text, dialect, ...circumstances });
