import { setTimeout as sleep } from 'node:timers/promises';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { isAbsence } from './errors.ts';

/** How long a start waits for its database. */
export interface Patience {
  /** Without it, nothing is waited for. */
  readonly wait_ms?: Millis;
  /** Called with what is wrong and with the time left, at once and then every ten seconds. */
  readonly onWait?: (why: string, left_ms: Millis) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

const AGAIN_MS = SECOND / 2;
const SAY_MS = 10 * SECOND;

/** For a host with several addresses only the error's code says what happened. */
const whyOf = ({ message, code }: NodeJS.ErrnoException): string => message || (code ?? 'no reason given');

/**
 * Repeats `act` until the database is there, for `wait_ms` at most. Rejects at once with what will not pass, such as a
 * wrong password, and with an AbortError when `signal` ends the wait.
 */
export async function whenThere<T>(
  act: () => Promise<T>,
  { wait_ms = 0, onWait = () => {}, signal }: Patience,
): Promise<T> {
  const start = performance.now();
  for (let sayAt = 0; ; ) {
    try {
      return await act();
    } catch (error) {
      const waited_ms = performance.now() - start;
      if (!isAbsence(error) || wait_ms === 0) throw error;
      const why = whyOf(error as Error);
      if (waited_ms >= wait_ms)
        throw new Error(`${why}. It did not answer for ${Math.round(waited_ms / SECOND)} s`, { cause: error });
      if (waited_ms >= sayAt) {
        sayAt = waited_ms + SAY_MS;
        onWait(why, wait_ms - waited_ms);
      }
      await sleep(AGAIN_MS, undefined, { ...(signal && { signal }) });
    }
  }
}
