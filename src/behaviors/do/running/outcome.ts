import type { Effect } from '../../../core/ports/behavior/effect.ts';
import type { Outcome } from '../../../core/ports/behavior.ts';
import type { JsonText } from '../../../core/values/json.ts';
import type { Plan, Tasks } from '../../steps/plan/index.ts';
import type { Execution } from '../../steps/running/execution.ts';
import type { Proven } from '../../steps/running/receipt.ts';
import { maxReceipt, receiptText } from '../../steps/running/receipt.ts';
import { resultText } from '../../steps/running/result-text.ts';

/** The result of a plan's run before its receipt is signed. */
export interface FinishedRun {
  /** The text to sign. */
  readonly receipt: string;
  /** The reply's text: the results, or what was done before a failure. */
  readonly body: string;
  /** The reason for a failure, else null. */
  readonly detail: string | null;
}

export function endedOf(
  { failed, steps, limits }: Execution,
  plan: Plan,
  subject: Pick<Proven, 'message' | 'mailbox' | 'now'>,
  tasks: Tasks,
): FinishedRun {
  const status = failed === undefined ? 'completed' : 'failed';
  const body = resultText(steps, tasks, limits);
  const proven = { planner: plan.planner, plan: plan.steps, steps, status, ...subject } as const;
  return {
    receipt: receiptText(proven, maxReceipt(body, limits)),
    body,
    detail: failed === undefined ? null : `Step ${failed.step} (${failed.task}): ${failed.error ?? 'failed.'}`,
  };
}

/** The outcome with the signed receipt and the effects to write with it. */
export function outcomeOf(
  { body, detail }: Pick<FinishedRun, 'body' | 'detail'>,
  data: JsonText,
  effects: readonly Effect[],
): Outcome {
  if (detail === null) return { kind: 'reply', body, data, effects };
  return { kind: 'fail', detail, body, data, effects };
}
