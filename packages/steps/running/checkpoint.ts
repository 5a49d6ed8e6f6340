import type { Effect } from '@mailroom/behavior/effect';
import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type { StepReceipt } from './receipt.ts';

/** The state of a run, kept for the next process. */
export type Checkpoint = {
  readonly plan: Json;
  readonly steps: readonly StepReceipt[];
  readonly effects: readonly Effect[];
  /** The number of a step whose effect may have happened. */
  readonly running: number | null;
  /** The value of `{{0}}`, where a step uses it, because the thread may change meanwhile. */
  readonly before?: JsonObject;
  /** The state of a model's run. */
  readonly model?: Json;
};

/** Work that took this long is worth a checkpoint. */
export const WORTH_KEEPING_MS: Millis = 200;

/** When a step began, by the service's clock and by that of `performance`. */
export interface Ran {
  readonly at: Millis;
  readonly began: number;
}

/** The times of a step on its receipt. */
export const timesOf = (ran: Ran | undefined): Pick<StepReceipt, 'started_at' | 'duration_ms'> =>
  ran === undefined
    ? { started_at: null, duration_ms: null }
    : { started_at: rfc3339(ran.at), duration_ms: Math.round((performance.now() - ran.began) * 1000) / 1000 };

/** Bytes of the value as JSON, or infinite when it cannot be serialized. */
export function sizeOf(value: Json): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
