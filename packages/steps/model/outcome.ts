import type { Context, Done, Incoming, Outcome } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { JsonText } from '@mailroom/behavior/values/json';
import type { Tasks } from '@mailroom/english-instructions/plan/index';
import { maxReceipt, type Receipt, receiptText, type Signing, signed } from '../running/receipt.ts';
import { resultText } from '../running/result-text.ts';
import type { AgentEnd, AgentRun } from './run.ts';

/** The signed receipt of a model's run, as the data of a reply. */
export async function proofOf(
  run: AgentRun,
  status: Receipt['status'],
  body: string,
  message: Incoming,
  context: Context<unknown>,
  { mailDomain, sign }: Signing,
): Promise<JsonText> {
  const { plan, receipt: model } = run;
  const mailbox = fullAddress(addressOf(context.mailbox), mailDomain);
  const what = { planner: 'model', plan, steps: run.execution.steps, status, model } as const;
  const max = maxReceipt(body, run.execution.limits);
  const receipt = receiptText({ ...what, message, mailbox, now: context.clock() }, max);
  return signed(receipt, await sign(receipt));
}

/** What was done so far, for an outcome in case the run does not continue. */
export async function doneOf(
  run: AgentRun,
  tasks: Tasks,
  message: Incoming,
  context: Context<unknown>,
  signing: Signing,
): Promise<Done> {
  const { steps, staged, limits } = run.execution;
  const body = steps.length === 0 ? 'Nothing was done.' : resultText(steps, tasks, limits);
  const data = await proofOf(run, 'failed', body, message, context, signing);
  return { body, data, effects: staged.effects };
}

/** The outcome of a failed run: the reason and what was done before. */
export async function failed(run: AgentRun, { detail, code }: Reason, ...rest: Rest): Promise<Outcome> {
  return { kind: 'fail', detail, ...(code && { code }), ...(await doneOf(run, ...rest)) };
}

/** The outcome of a run that waits for the owner, with what was done before in case the owner declines. */
export async function waits(run: AgentRun, end: Asks, ...rest: Rest): Promise<Outcome> {
  return run.execution.steps.length === 0 ? end : { ...end, done: await doneOf(run, ...rest) };
}

type Reason = Pick<Extract<AgentEnd, { kind: 'ended' }>, 'detail' | 'code'>;
type Asks = Extract<AgentEnd, { kind: 'wait' }>;
type Rest = Parameters<typeof doneOf> extends [AgentRun, ...infer More] ? More : never;
