import type { Millis } from '@mailroom/behavior/values/clock';
import { idempotencyMismatch } from '@mailroom/behavior/values/error';
import type { Idempotency, Replayed } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';

/** The bytes that a request writes: 0 when it repeats an earlier one. */
export async function sizeIdempotent(
  store: Pick<Store, 'idempotency'>,
  bytes: number,
  idempotency: Idempotency | undefined,
  now: Millis,
): Promise<number> {
  const before = idempotency && (await store.idempotency(idempotency.scope, idempotency.key, now));
  return before === undefined ? bytes : 0;
}

/** The id that the first request created; AppError `idempotency_mismatch` when that request was a different one. */
export function replayedId(replayed: Replayed, idempotency: Idempotency | undefined): string {
  if (replayed.hash !== idempotency?.hash) throw idempotencyMismatch();
  return replayed.id;
}
