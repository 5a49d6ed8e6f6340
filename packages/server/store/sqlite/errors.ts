import { AppError } from '@mailroom/behavior/values/error';
import type { Damage } from '../damage.ts';

/** When callers are advised to retry. */
const RETRY_MS = 1000;

/** SQLite's primary result codes of temporary errors: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. */
const PASSING: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14, 15]);

/** AppError for what the caller may try again. */
export const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The message store cannot write at the moment. Try again later.', {
    retry_after_ms: RETRY_MS,
    cause,
  });

/** The error for the caller; what it says of damage is noted. */
export const storeError = (error: unknown, damage: Damage): unknown => {
  const found = damage.of(error);
  if (found !== undefined) return found;
  const errcode = (error as { readonly errcode?: number } | undefined)?.errcode;
  return errcode !== undefined && PASSING.has(errcode & 0xff) ? unavailable(error) : error;
};
