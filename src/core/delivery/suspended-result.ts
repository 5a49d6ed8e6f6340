import type { Effect } from '../entities/effect.ts';
import type { Done, Outcome } from '../ports/behavior.ts';
import { textOf } from '../values/json.ts';
import { wellFormed } from '../values/well-formed.ts';

/** What had been done, stored in a checkpoint until the owner decides. */
interface StoredDone {
  readonly if_refused?: {
    readonly body: string;
    /** JSON text, so that a receipt is shown byte for byte as it was signed. */
    readonly data: string;
    readonly effects: readonly Effect[];
  };
}

/** The checkpoint of a suspended message, with the result to show after a refusal; null when there is neither. */
export function checkpointWith({ checkpoint, done }: Extract<Outcome, { kind: 'approval' }>): string | null {
  if (done === undefined) return checkpoint === undefined ? null : JSON.stringify(checkpoint);
  return JSON.stringify({ ...(checkpoint as object | undefined), if_refused: stored(done) });
}

const stored = ({ body, data, effects = [] }: Done): StoredDone['if_refused'] => ({
  body: wellFormed(body),
  data: textOf(data),
  effects,
});

/** The result after a refusal: undefined, or what had been done before. */
export function resultOfRefusal(checkpoint: string | null) {
  const waits = checkpoint === null ? undefined : (JSON.parse(checkpoint) as StoredDone | null)?.if_refused;
  return { reply_body: waits?.body ?? null, reply_data: waits?.data ?? null, effects: waits?.effects ?? [] };
}
