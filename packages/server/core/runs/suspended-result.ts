import type { Done, Outcome } from '@mailroom/behavior';
import type { Effect } from '@mailroom/behavior/effect';
import { textOf } from '@mailroom/behavior/values/json';
import { wellFormed } from '@mailroom/behavior/values/well-formed';

/** What had been done, stored in the state until the owner decides. */
interface StoredDone {
  readonly if_refused?: {
    readonly body: string;
    /** JSON text, so that a receipt is shown byte for byte as it was signed. */
    readonly data: string;
    readonly effects: readonly Effect[];
  };
}

/** The state of a suspended message, with the result to show after a refusal; null when there is neither. */
export function stateWith({ state, done }: Extract<Outcome, { kind: 'wait'; for: 'approval' }>): string | null {
  if (done === undefined) return state === undefined ? null : JSON.stringify(state);
  return JSON.stringify({ ...(state as object | undefined), if_refused: stored(done) });
}

const stored = ({ body, data, effects = [] }: Done): StoredDone['if_refused'] => ({
  body: wellFormed(body),
  data: textOf(data),
  effects,
});

/** The result after a refusal: undefined, or what had been done before. */
export function resultOfRefusal(state: string | null) {
  const waits = state === null ? undefined : (JSON.parse(state) as StoredDone | null)?.if_refused;
  return { reply: waits === undefined ? null : { body: waits.body, data: waits.data }, effects: waits?.effects ?? [] };
}
