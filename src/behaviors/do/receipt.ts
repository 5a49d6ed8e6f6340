import { fullAddress } from '../../core/address.ts';
import type { Context, Incoming } from '../../core/behavior.ts';
import { rfc3339 } from '../../core/clock.ts';
import { sha256 } from '../../core/hash.ts';
import type { Json } from '../../core/json.ts';
import { addressOf } from '../../core/mailbox.ts';
import type { Effects } from '../../tasks/task.ts';
import type { Planner, Step } from './plan.ts';

/**
 * How a step ended. `unknown`: its effect may have happened before a crash, and it cannot safely be done again. `skipped`: an
 * earlier one failed.
 */
export type StepStatus = 'completed' | 'failed' | 'unknown' | 'skipped';

/** What happened in a step. */
export interface StepReceipt {
  /** From 1. */
  readonly step: number;
  readonly task: string;
  /** With all references filled in. */
  readonly input: Json;
  readonly output: Json;
  /** RFC 3339; null when it never began. */
  readonly started_at: string | null;
  /** Milliseconds with fractions; null when it never ended. */
  readonly duration_ms: number | null;
  readonly status: StepStatus;
  readonly effects: Effects;
  readonly error: string | null;
}

/** Proof of what happened: signed as a compact JWS (RFC 7515, ES256) whose payload is all of it but `jws` itself. */
export interface Receipt {
  readonly kind: 'receipt';
  readonly message_id: string;
  readonly mailbox: string;
  /** SHA-256 of the message's body as UTF-8, in hexadecimal. */
  readonly instruction_sha256: string;
  readonly planner: Planner;
  readonly plan: readonly Step[];
  readonly steps: readonly StepReceipt[];
  readonly status: 'completed' | 'failed';
  readonly issued_at: string;
  /** Where a model led the run. */
  readonly model?: ModelReceipt;
}

/** What a model had to do with it. */
export interface ModelReceipt {
  readonly name: string;
  /** How often it was asked, and for how many tokens in all. */
  readonly turns: number;
  readonly tokens: number;
  /** It was shown what is not the sender's own: what had effects from then on was approved. */
  readonly tainted: boolean;
}

export interface SignedReceipt extends Receipt {
  readonly jws: string;
}

/** Who signs, and where. */
export interface Signing {
  readonly mailDomain: string;
  /** A compact JWS over the text. */
  readonly sign: (payload: string) => Promise<string>;
}

/** Proof of what a message came to. */
export async function receiptOf(
  what: Pick<Receipt, 'planner' | 'plan' | 'steps' | 'status' | 'model'>,
  message: Incoming,
  context: Pick<Context<unknown>, 'mailbox' | 'clock'>,
  { mailDomain, sign }: Signing,
): Promise<SignedReceipt> {
  const receipt: Receipt = {
    kind: 'receipt',
    message_id: message.id,
    mailbox: fullAddress(addressOf(context.mailbox), mailDomain),
    instruction_sha256: sha256(message.body),
    ...what,
    issued_at: rfc3339(context.clock()),
  };
  return { ...receipt, jws: await sign(JSON.stringify(receipt)) };
}
