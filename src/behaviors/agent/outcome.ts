import { fullAddress } from '../../core/address.ts';
import type { Context, Incoming, Outcome } from '../../core/behavior.ts';
import { rfc3339 } from '../../core/clock.ts';
import { sha256 } from '../../core/hash.ts';
import type { Json } from '../../core/json.ts';
import { addressOf } from '../../core/mailbox.ts';
import type { Tasks } from '../do/plan.ts';
import type { Receipt, SignedReceipt } from '../do/receipt.ts';
import { signed } from '../do/receipt.ts';
import { resultText } from '../do/reply.ts';
import type { AgentRun } from './run.ts';

export interface Signing {
  readonly mailDomain: string;
  readonly sign: (payload: string) => Promise<string>;
}

/** Proof of what a model's run did. */
export function receiptOf(
  run: AgentRun,
  status: Receipt['status'],
  message: Incoming,
  context: Context<unknown>,
  { mailDomain, sign }: Signing,
): Promise<SignedReceipt> {
  const receipt: Receipt = {
    kind: 'receipt',
    message_id: message.id,
    mailbox: fullAddress(addressOf(context.mailbox), mailDomain),
    instruction_sha256: sha256(message.body),
    planner: 'model',
    plan: run.plan,
    steps: run.execution.steps,
    status,
    issued_at: rfc3339(context.clock()),
    model: run.receipt,
  };
  return signed(receipt, sign);
}

/** It went no further: why, and what had been done. */
export async function failed(
  run: AgentRun,
  detail: string,
  tasks: Tasks,
  message: Incoming,
  context: Context<unknown>,
  signing: Signing,
): Promise<Outcome> {
  const data = (await receiptOf(run, 'failed', message, context, signing)) as unknown as Json;
  const { steps, staged } = run.execution;
  const done = steps.length === 0 ? 'Nothing was done.' : resultText(steps, tasks);
  return { kind: 'fail', detail, body: done, data, effects: staged.effects };
}
