import type { Json } from '../../core/json.ts';
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

/** The receipt with its signature. */
export const signed = async (receipt: Receipt, sign: (payload: string) => Promise<string>): Promise<SignedReceipt> => ({
  ...receipt,
  jws: await sign(JSON.stringify(receipt)),
});
