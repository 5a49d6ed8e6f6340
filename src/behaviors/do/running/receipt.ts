import { MAX_REPLY, sentBytes } from '../../../core/delivery/reply-limit.ts';
import type { Incoming } from '../../../core/ports/behavior.ts';
import type { Millis } from '../../../core/values/clock.ts';
import { rfc3339 } from '../../../core/values/clock.ts';
import { sha256 } from '../../../core/values/hash.ts';
import type { Json } from '../../../core/values/json.ts';
import { JsonText } from '../../../core/values/json.ts';
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

/** Beside the payload and its base64 in the signed receipt, in bytes: header, signature, names. */
const AROUND_BYTES = 512;

/** Bytes of the text to sign for which there is room beside the body: in the reply it stands once more, as base64 (4 for 3). */
export const maxReceipt = (body: string, { reply_bytes = MAX_REPLY }: { readonly reply_bytes?: number }): number =>
  Math.floor(((reply_bytes - sentBytes(body) - AROUND_BYTES) * 3) / 7);

/**
 * Proof of what a message came to, as the text that is signed, of `max` bytes: inputs and outputs for which there is no room,
 * the longest first, are replaced by `{cut: true, bytes, sha256}` of their JSON, before it is signed.
 */
export function receiptText({ message, mailbox, now, ...what }: Proven, max: number): string {
  const receipt: Receipt = {
    kind: 'receipt',
    message_id: message.id,
    mailbox,
    instruction_sha256: sha256(message.body),
    ...what,
    issued_at: rfc3339(now),
  };
  const text = JSON.stringify(receipt);
  if (text.length * 3 <= max) return text;
  const bytes = Buffer.byteLength(text);
  return bytes <= max ? text : JSON.stringify(shortened(receipt, bytes - max));
}

/** Less than this is not worth a hash in its place, in bytes. */
const MIN_CUT = 512;
const CUT_BYTES = 128;

/** Without the longest values, so that it is shorter by so many bytes if that is enough. */
function shortened(receipt: Receipt, by: number): Receipt {
  const values = [
    ...receipt.plan.map(({ input }) => input),
    ...receipt.steps.flatMap(({ input, output }) => [input, output]),
  ];
  const sizes = values.map((value) => ({ value, text: JSON.stringify(value) }));
  const cut = new Map<Json, Json>();
  let left = by;
  for (const { value, text } of sizes.toSorted((a, b) => b.text.length - a.text.length)) {
    const bytes = Buffer.byteLength(text);
    if (left <= 0 || bytes < MIN_CUT) break;
    left -= bytes - CUT_BYTES;
    cut.set(value, { cut: true, bytes, sha256: sha256(text) });
  }
  const kept = <T extends Json>(value: T): T => (cut.get(value) ?? value) as T;
  return {
    ...receipt,
    plan: receipt.plan.map((step) => ({ ...step, input: kept(step.input) })),
    steps: receipt.steps.map((step) => ({ ...step, input: kept(step.input), output: kept(step.output) })),
  };
}

/** The same with its signature, as the sender gets it: what was signed stands in it byte for byte. */
export const signed = (receipt: string, jws: string): JsonText =>
  // A compact JWS has nothing that JSON would escape (RFC 7515, section 3.1).
  new JsonText(`${receipt.slice(0, -1)},"jws":"${jws}"}`);
