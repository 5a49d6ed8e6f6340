import { type Clock, DAY, MINUTE } from '@mailroom/behavior/values/clock';
import { invalid } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Json } from '@mailroom/behavior/values/json';
import type { Caller } from '../core/access/caller.ts';
import type { Idempotency } from '../core/ports/idempotency.ts';
import { canonicalJson } from '../core/values/canonical-json.ts';
import type { Call } from './route.ts';

/** How long a request may be repeated. */
const KEPT_MS = DAY;
/**
 * The same for a key that a guest's neighbors in its network could guess or choose too, because who repeats it gets the
 * guest's answer with its secrets; enough for a retry after a lost answer.
 */
const GUESSABLE_MS = 10 * MINUTE;

/**
 * The request's `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), 1 to 255 characters within optional
 * quotes; undefined when absent. Requests are the same when `what` and `content`, by default their JSON, are equal. AppError
 * `validation_error` for a wrong length.
 */
export function idempotencyOf(
  call: Call<unknown, unknown, unknown>,
  what: string,
  clock: Clock,
  content: unknown = call.body,
): Idempotency | undefined {
  const given = call.headers['idempotency-key'];
  if (given === undefined) return undefined;
  const key = String(given)
    .trim()
    .replace(/^"(.*)"$/s, '$1');
  if (key.length < 1 || key.length > 255)
    throw invalid('/Idempotency-Key', 'An Idempotency-Key has 1 to 255 characters.');
  return idempotencyFor(key, (content ?? null) as Json, call.caller, what, clock);
}

/**
 * The idempotency of a request by its key, as of a form with a hidden one; requests with equal `content` are the same.
 * Undefined for a message that says no more than what is hashed of every message (`recognizable`).
 */
export const idempotencyFor = (
  key: string,
  content: Json | undefined,
  caller: Caller,
  what: string,
  clock: Clock,
): Idempotency => ({
  scope: scopeOf(caller, key),
  key,
  hash: content === undefined ? '' : sha256(`${what}\n${canonicalJson(content)}`),
  expires_at: clock() + (caller.kind === 'guest' && isGuessable(key) ? GUESSABLE_MS : KEPT_MS),
});

/**
 * The scope of the key: the API key, the thread, or the guest's network. A key that cannot be guessed counts without
 * the network, which changes on a phone.
 */
function scopeOf(caller: Caller, key: string): string {
  if (caller.kind === 'key') return caller.key.id;
  if (caller.kind === 'thread') return `thread:${caller.thread_id}`;
  if (caller.kind === 'account') return `account:${caller.namespace_id}:${caller.address}`;
  return isUnguessable(key) ? 'guest' : `guest:${caller.network}`;
}

const GUESSABLE_LENGTH = 12;
const distinct = (text: string): number => new Set(text).size;

/** Short, repetitive or made of words. */
export const isGuessable = (key: string): boolean =>
  key.length < GUESSABLE_LENGTH || distinct(key) < 5 || (!/\d/.test(key) && (!/[a-z]/.test(key) || !/[A-Z]/.test(key)));

/** A UUID, or as many hexadecimal or base64 digits; about 120 bits if drawn at random. */
const isUnguessable = (key: string): boolean =>
  distinct(key) >= 8 &&
  (/^[\da-f-]{32,}$/i.test(key) ||
    (/^[\w-]{21,}$/.test(key) && /[a-z]/.test(key) && /[A-Z]/.test(key) && /\d/.test(key)));
