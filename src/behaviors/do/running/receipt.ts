import type { Incoming } from '../../../core/behavior.ts';
import type { Millis } from '../../../core/clock.ts';
import { rfc3339 } from '../../../core/clock.ts';
import { sha256 } from '../../../core/hash.ts';
import type { Json } from '../../../core/json.ts';
import { JsonText } from '../../../core/json.ts';
import type { Effects } from '../../../tasks/task.ts';
import type { Planner, Step } from '../plan/index.ts';

/**
 * How a step ended. `unknown`: its effect may have happened before a crash, or as the message's time was over, and it cannot
 * safely be done again. `skipped`: an earlier one failed.
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

/** Who signs, and where. */
export interface Signing {
  readonly mailDomain: string;
  /** A compact JWS over the text. */
  readonly sign: (payload: string) => Promise<string>;
}

/** What it is a proof of. */
export interface Proven extends Pick<Receipt, 'planner' | 'plan' | 'steps' | 'status' | 'model'> {
  readonly message: Pick<Incoming, 'id' | 'body'>;
  /** The full address of the mailbox. */
  readonly mailbox: string;
  readonly now: Millis;
}

/** Proof of what a message came to, as the text that is signed. */
export function receiptText({ message, mailbox, now, ...what }: Proven): string {
  const receipt: Receipt = {
    kind: 'receipt',
    message_id: message.id,
    mailbox,
    instruction_sha256: sha256(message.body),
    ...what,
    issued_at: rfc3339(now),
  };
  return JSON.stringify(receipt);
}

/** The same with its signature, as the sender gets it: what was signed stands in it byte for byte. */
export const signed = (receipt: string, jws: string): JsonText =>
  // A compact JWS has nothing that JSON would escape (RFC 7515, section 3.1).
  new JsonText(`${receipt.slice(0, -1)},"jws":"${jws}"}`);
