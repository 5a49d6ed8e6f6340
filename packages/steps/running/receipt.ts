import type { Incoming } from '@mailroom/behavior';
import { MAX_REPLY, sentBytes } from '@mailroom/behavior/reply-limit';
import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { type Json, JsonText } from '@mailroom/behavior/values/json';
import type { Planner, Step } from '@mailroom/english-instructions/plan/index';
import type { Effects, OutsideToolOf } from '@mailroom/english-instructions/tasks/task';

/**
 * How a step ended. `unknown`: its effect may have happened before a crash or a timeout, and it cannot safely be repeated.
 * `skipped`: an earlier step failed.
 */
export type StepStatus = 'completed' | 'failed' | 'unknown' | 'skipped';

/** The record of one step. */
export interface StepReceipt {
  /** Counts from 1. */
  readonly step: number;
  readonly task: string;
  /** With all references resolved, where the step began. */
  readonly input: Json;
  readonly output: Json;
  /** RFC 3339; null when it never began, or began in a process that was killed. */
  readonly started_at: string | null;
  /** Milliseconds with fractions; null when it never ended. */
  readonly duration_ms: number | null;
  readonly status: StepStatus;
  readonly effects: Effects;
  readonly error: string | null;
  /** Present for a tool of others: what was called. */
  readonly outside?: OutsideSource;
}

/** A tool of others as a receipt and a plan name it. */
export type OutsideSource = Omit<OutsideToolOf, 'approval' | 'waived'>;

export const outsideSource = ({ server, kind, tool, url, sha256 }: OutsideToolOf): OutsideSource => ({
  server,
  kind,
  tool,
  url,
  sha256,
});

/** Proof of what happened: a compact JWS (RFC 7515, ES256) whose payload is everything but `jws` itself. */
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
  /** Present where a model led the run. */
  readonly model?: ModelReceipt;
}

/** The model's part in a run. */
export interface ModelReceipt {
  readonly name: string;
  /** How often the model was called; `tokens` counts all of these calls. */
  readonly turns: number;
  readonly tokens: number;
  /** Whether the model saw content that is not the sender's own, after which steps with effects needed approval. */
  readonly tainted: boolean;
}

/** Signs receipts, and names the key's place. */
export interface Signing {
  readonly mailDomain: string;
  /** Returns a compact JWS over the text. */
  readonly sign: (payload: string) => Promise<string>;
}

/** What a receipt proves. */
export interface Proven extends Pick<Receipt, 'planner' | 'plan' | 'steps' | 'status' | 'model'> {
  readonly message: Pick<Incoming, 'id' | 'body'>;
  /** The full address of the mailbox. */
  readonly mailbox: string;
  readonly now: Millis;
}

/** Bytes of a signed receipt beside the payload and its base64: header, signature, names. */
const AROUND_BYTES = 512;

/** Maximum bytes of the text to sign beside the body; the reply contains it a second time as base64 (4 bytes for 3). */
export const maxReceipt = (body: string, { reply_bytes = MAX_REPLY }: { readonly reply_bytes?: number }): number =>
  Math.floor(((reply_bytes - sentBytes(body) - AROUND_BYTES) * 3) / 7);

/**
 * The receipt as the text that is signed, of at most `max` bytes. Where inputs and outputs are too long, the longest are
 * replaced by `{cut: true, bytes, sha256}` of their JSON before signing.
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

/** Values below this many bytes are not replaced, because the replacement would hardly be shorter. */
const MIN_CUT = 512;
const CUT_BYTES = 128;

/** The receipt with its longest values replaced, shorter by at least `by` bytes where that is possible. */
function shortened(receipt: Receipt, by: number): Receipt {
  const values = [
    ...receipt.plan.map(({ input }) => input),
    ...receipt.steps.flatMap(({ input, output }) => [input, output]),
  ];
  const sizes = values.map((value) => ({ value, text: JSON.stringify(value) }));
  const cut = new Map<Json, Json>();
  let excess = by;
  for (const { value, text } of sizes.toSorted((a, b) => b.text.length - a.text.length)) {
    const bytes = Buffer.byteLength(text);
    if (excess <= 0 || bytes < MIN_CUT) break;
    excess -= bytes - CUT_BYTES;
    cut.set(value, { cut: true, bytes, sha256: sha256(text) });
  }
  const kept = <T extends Json>(value: T): T => (cut.get(value) ?? value) as T;
  return {
    ...receipt,
    plan: receipt.plan.map((step) => ({ ...step, input: kept(step.input) })),
    steps: receipt.steps.map((step) => ({ ...step, input: kept(step.input), output: kept(step.output) })),
  };
}

/** The receipt with its signature, as the sender gets it; the signed text is included byte for byte. */
export const signed = (receipt: string, jws: string): JsonText =>
  // A compact JWS has no character that JSON would escape (RFC 7515, section 3.1).
  new JsonText(`${receipt.slice(0, -1)},"jws":"${jws}"}`);
