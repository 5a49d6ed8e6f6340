import type { Millis } from '@mailroom/behavior/values/clock';

/** A caller's `Idempotency-Key` within its scope; `hash` tells whether a repeated request is the same. */
export interface Idempotency {
  /** The API key's id, or another scope (`guest:<network>`, `namespaces`). */
  readonly scope: string;
  readonly key: string;
  readonly hash: string;
  readonly expires_at: Millis;
}

/** The idempotency key was used: `id` is the result of the first request. */
export interface Replayed {
  readonly kind: 'replayed';
  readonly id: string;
  /** The hash of the first request; a different hash means a different request. */
  readonly hash: string;
}
