import type { Millis } from './clock.ts';
import { SECOND } from './clock.ts';

/** As of AbortSignal.timeout. */
const TIMEOUT = 'TimeoutError';

/** Why the signal of a run aborts that reached its longest time: its message is for people. */
export const outOfTime = (ms: Millis): Error =>
  new DOMException(`The message took longer than ${ms / SECOND} s, which is what one may take here.`, TIMEOUT);

/** Why it took too long, in a sentence; undefined when its signal did not abort, or for another reason. */
export function lateText({ reason }: AbortSignal): string | undefined {
  return reason instanceof Error && reason.name === TIMEOUT ? reason.message : undefined;
}
