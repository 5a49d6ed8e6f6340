import type { Caller } from '../core/caller.ts';
import type { Clock } from '../core/clock.ts';
import { DAY } from '../core/clock.ts';
import { invalid } from '../core/error.ts';
import type { Json } from '../core/json.ts';
import { sha256 } from '../core/key.ts';
import type { Once } from '../core/store.ts';
import type { Call } from './route.ts';

/** How long a request may be repeated. */
const KEPT_MS = DAY;

/**
 * The request's `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), 1 to 255 characters within optional
 * quotes; undefined when it has none. Two requests are the same when `what` and their JSON are, however written.
 */
export function onceOf(call: Call<unknown, unknown, unknown>, what: string, clock: Clock): Once | undefined {
  const given = call.headers['idempotency-key'];
  if (given === undefined) return undefined;
  const key = String(given)
    .trim()
    .replace(/^"(.*)"$/s, '$1');
  if (key.length < 1 || key.length > 255)
    throw invalid('/Idempotency-Key', 'An Idempotency-Key has 1 to 255 characters.');
  return onceFor(key, (call.body ?? null) as Json, call.caller, what, clock);
}

/** The same of a form, which has its key in a hidden field: `asked` is what makes two requests the same. */
export const onceFor = (key: string, asked: Json, caller: Caller, what: string, clock: Clock): Once => ({
  scope: scopeOf(caller, what),
  key,
  hash: sha256(`${what}\n${canonical(asked)}`),
  expires_at: clock() + KEPT_MS,
});

/** Per API key; a stranger's belong to its network, and a new namespace's to nobody, since a phone's network changes. */
function scopeOf(caller: Caller, what: string): string {
  if (caller.kind === 'key') return caller.key.id;
  return what === 'POST /api/v1/namespaces' ? 'namespaces' : `guest:${caller.network}`;
}

/** One text for equal JSON: names in order, no spaces (as RFC 8785 does). */
function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const object = value as { readonly [name: string]: Json };
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(object[name] as Json)}`).join(',')}}`;
}
