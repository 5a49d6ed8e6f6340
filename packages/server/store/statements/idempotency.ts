import type { Millis } from '@mailroom/behavior/values/clock';
import type { Idempotency, Replayed } from '../../core/ports/idempotency.ts';
import { type Db, type Row, step, type WriteStep } from '../db.ts';
import { cellsOf, insertSql, parameterAfter } from '../schema/table.ts';
import { idempotency } from '../schema/tables.ts';

/** Takes the idempotency key for `ref`, unless it is taken and has not expired. */
export const TAKE_IDEMPOTENCY_KEY = `${insertSql(idempotency)}
  on conflict (scope, key) do update set hash = excluded.hash, ref = excluded.ref, expires_at = excluded.expires_at
  where idempotency.expires_at <= ${parameterAfter(idempotency, 1)}`;

export const takeIdempotencyKey = (of: Idempotency, ref: string, now: Millis): WriteStep =>
  step(TAKE_IDEMPOTENCY_KEY, ...cellsOf(idempotency, { ...of, ref }), now);

/** Reads the `ref` and `hash` of the first request with the key. */
export const readIdempotencyKey = ({ scope, key }: Idempotency): WriteStep =>
  step('select ref, hash from idempotency where scope = $1 and key = $2', scope, key);

/** What another request created with this key; undefined when the key belongs to `ref` itself or is unused. */
export function replayedBy(rows: readonly Row[] | undefined, ref: string): Replayed | undefined {
  const row = rows?.[0];
  if (row === undefined || row.ref === ref) return undefined;
  return { kind: 'replayed', id: row.ref as string, hash: row.hash as string };
}

/** A revoked API key gets no repeated answer: its request continues to the check of keys. */
const READ_IDEMPOTENCY_KEY = `
  select ref, hash from idempotency where scope = $1 and key = $2 and expires_at > $3
  and not exists (select 1 from keys where id = $1 and revoked_at is not null)`;

/** The result of a key that was used and has not expired. */
export async function idempotencyOf(db: Db, scope: string, key: string, now: Millis): Promise<Replayed | undefined> {
  const [row] = await db.read(READ_IDEMPOTENCY_KEY, [scope, key, now]);
  return row && { kind: 'replayed', id: row.ref as string, hash: row.hash as string };
}
