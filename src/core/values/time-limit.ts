import type { Millis } from './clock.ts';
import { SECOND } from './clock.ts';

/** The name of the error of AbortSignal.timeout. */
const TIMEOUT = 'TimeoutError';

/** The reason with which a run's signal aborts at its time limit; its message is shown to people. */
export const outOfTime = (ms: Millis): Error =>
  new DOMException(`The message took longer than the limit of ${ms / SECOND} s.`, TIMEOUT);

/** Why the run took too long, in a sentence; undefined when its signal did not abort, or for another reason. */
export function lateText({ reason }: AbortSignal): string | undefined {
  return reason instanceof Error && reason.name === TIMEOUT ? reason.message : undefined;
}
