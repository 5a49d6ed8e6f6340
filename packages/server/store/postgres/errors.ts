import { AppError } from '@mailroom/behavior/values/error';
import { Damage } from '../damage.ts';

/** When callers are advised to retry. */
const RETRY_MS = 1000;

/**
 * SQLSTATE classes and codes of temporary errors (PostgreSQL, appendix A): connection, out of resources, operator
 * intervention (shutdown, statement timeout), system error; a read-only server, no lock, a lost race. Also what follows
 * from one of these on the same connection: a transaction that stood still or has failed, and a statement whose
 * preparation, sent just before, was ended.
 */
const PASSING = /^(08|53|57|58|25006|25P02|25P03|26000|55P03|40001|40P01)/;

/** What a standby and a read-only server answer to a write. */
export const READ_ONLY = '25006';

const LOST_RACE = /^(40001|40P01)$/;

const sqlState = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  // Each SQLSTATE has a digit; EPIPE, of a connection that was closed, has none.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) ? code : undefined;
};

/** Whether the transaction lost a race and can be retried at once: serialization failure, deadlock. */
export const lostRace = (error: unknown): boolean => LOST_RACE.test(sqlState(error) ?? '');

/** Whether the server takes no writes at the moment. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === READ_ONLY;

/** Whether the server refused the statement itself, rather than being unreachable or broken. */
export const isRefusal = (error: unknown): boolean => {
  const state = sqlState(error);
  return state !== undefined && !PASSING.test(state);
};

/** Errors of the network and its names, as where a server has not started yet. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
/** What `pg` says without a code, when a connection is not answered or broke off. */
const BROKE_OFF = /^(timeout expired|Connection terminated)/;

/** What pgbouncer says for good: it gives the code 08P01 to all of its errors, of which others pass. */
const LASTING =
  /^(?:no such (?:database|user)|unsupported startup parameter|bouncer config error|.*authentication failed)/;

/** Whether there is no server yet, or none that takes connections: not a wrong password, database or certificate. */
export function isAbsence(error: unknown): boolean {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (sqlState(error) !== undefined) return !isRefusal(error) && !(code === '08P01' && LASTING.test(message));
  // A file that the URL names, such as a certificate, is missing for good.
  return (UNREACHED.has(code) && syscall !== 'open') || BROKE_OFF.test(message);
}

/** The error for the caller: `unavailable` for errors that are not about the statement itself. */
export function storeError(error: unknown): unknown {
  const damaged = new Damage().of(error);
  if (damaged !== undefined) return damaged;
  if (error instanceof AppError || isRefusal(error)) return error;
  return new AppError('unavailable', 'The message store cannot be reached or cannot write. Try again later.', {
    retry_after_ms: RETRY_MS,
    cause: error,
  });
}
