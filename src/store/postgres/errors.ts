import { AppError } from '../../core/values/error.ts';

/** Callers are told to come back after this long. */
const RETRY_MS = 1000;

/**
 * Classes and codes of SQLSTATE that may pass (PostgreSQL, appendix A): connection, out of resources, operator
 * intervention (shutdown, statement timeout), system error; a read-only server, no lock, a lost race.
 */
const PASSING = /^(08|53|57|58|25006|55P03|40001|40P01)/;

const LOST_RACE = /^(40001|40P01)$/;

const sqlState = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

/** Whether others were in the way, and all of it may be tried again at once: serialization failure, deadlock. */
export const lostRace = (error: unknown): boolean => LOST_RACE.test(sqlState(error) ?? '');

/** Whether the server refused what was asked, as against being out of reach or out of order. */
export const isRefusal = (error: unknown): boolean => {
  const state = sqlState(error);
  return state !== undefined && !PASSING.test(state);
};

/** What a failure of PostgreSQL is to the caller: what says nothing of the statement itself is `unavailable`. */
export function storeError(error: unknown): unknown {
  if (error instanceof AppError || isRefusal(error)) return error;
  return new AppError('unavailable', 'The message store cannot be reached or cannot write. Try again later.', {
    retry_after_ms: RETRY_MS,
    cause: error,
  });
}
