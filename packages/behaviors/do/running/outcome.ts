import type { Outcome } from '@mailroom/behavior';
import type { Effect } from '@mailroom/behavior/effect';
import type { JsonText } from '@mailroom/behavior/values/json';
import type { Plan, Tasks } from '@mailroom/english-instructions/plan/index';
import type { Execution } from '@mailroom/steps/running/execution';
import { maxReceipt, type Proven, receiptText } from '@mailroom/steps/running/receipt';
import { resultText, withoutTurned } from '@mailroom/steps/running/result-text';

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
  const visible = plan.planner === 'builtin' ? withoutTurned(steps, plan.steps) : steps;
  const body = resultText(visible, tasks, limits);
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
