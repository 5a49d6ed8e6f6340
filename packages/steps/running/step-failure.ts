import { OutsideError } from '@mailroom/behavior/outside';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { TaskError } from '@mailroom/english-instructions/tasks/task';

/** Of a step that a killed process had begun. */
export const UNKNOWN =
  'The service stopped while this step ran: it may have taken effect and cannot safely be repeated. Check the result, then send the remaining steps again.';

/** Of a step that did not answer. */
export const PERHAPS = 'This step may have taken effect: check the result, then send the remaining steps again.';

/** Of such a step whose tool calls itself idempotent. */
export const REPEATABLE =
  'This step may have taken effect. By its own description it is safe to repeat: send it again to be sure.';

/** The step's time was over. */
export class OutOfTime extends Error {}

/** The reason a step failed, as a sentence for people; undefined for an internal error. */
export function whyOf(error: unknown, ms: Millis): string | undefined {
  if (error instanceof OutOfTime) return `It took longer than ${ms / SECOND} s.`;
  if (error instanceof TaskError) return error.message;
  if (error instanceof AppError) return OURS.has(error.code) ? undefined : error.message;
  // Errors of lower layers also carry a sentence for people.
  if (error instanceof Error && SAID.has(error.name)) return error.message;
  return undefined;
}
/** Temporary errors, after which the message is tried again. */
const OURS: ReadonlySet<string> = new Set(['unavailable', 'internal']);
const SAID: ReadonlySet<string> = new Set(['SandboxError', 'FetchRefused', 'FetchFailed', 'OutsideError']);

/** Whether the error is the answer of what was called, or says that nothing was called. */
export const hasAnswered = (error: unknown): boolean =>
  error instanceof TaskError || (error instanceof OutsideError && !error.uncertain);
