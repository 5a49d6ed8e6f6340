import { AppError } from '@mailroom/behavior/values/error';
import type { Allowance, Limiter, LocalLimiter } from '../core/values/limits.ts';

/** The rate limits that routes count against. */
export interface Limiters {
  readonly challenges: Limiter;
  /** By namespace. */
  readonly webhookTests: Limiter;
  /** By namespace. */
  readonly domainChecks: Limiter;
  readonly pages: Limiter;
  /** Requests of services and browsers to issuers. */
  readonly oidc: Limiter;
  readonly sends: Limiter;
  /** Sends of all keys of a namespace together, through schedules and mailboxes too. */
  readonly namespaceSends: Limiter;
  /** By namespace. */
  readonly changes: Limiter;
  readonly tries: readonly Limiter[];
  readonly namespaces: Limiter;
  /** In place of `namespaces` for local callers. */
  readonly localNamespaces: Limiter;
  /** Sign-ins to the console. */
  readonly signIns: Limiter;
  /** Sign-in codes sent to one address. */
  readonly codes: Limiter;
  /** Sign-in codes requested from one network. */
  readonly codesAsked: Limiter;
}

/** Maximum bytes of what a request may hold. */
export interface Sizes {
  readonly body: number;
  readonly guestBody: number;
  readonly data: number;
  readonly json: number;
}

export interface Counted {
  readonly headers: Record<string, string>;
  readonly refused?: AppError;
}

/**
 * Counts a request of `id` against each of `limiters` and returns the `RateLimit` headers
 * (draft-ietf-httpapi-ratelimit-headers-10), with AppError `rate_limited` when one refuses; the others get back what
 * they counted. Returns a promise when the count is shared with other nodes.
 */
export function count(limiters: readonly LocalLimiter[], id: string): Counted;
export function count(limiters: readonly Limiter[], id: string): Counted | Promise<Counted>;
export function count(limiters: readonly Limiter[], id: string): Counted | Promise<Counted> {
  const taken = limiters.map((limiter) => limiter.take(id));
  if (!taken.some((one) => one instanceof Promise)) return counted(taken as Allowance[], limiters, id);
  return Promise.all(taken.map(async (one) => one)).then((all) => counted(all, limiters, id));
}

function counted(taken: readonly Allowance[], limiters: readonly Limiter[], id: string): Counted {
  const refusing = taken.filter((allowance) => !allowance.allowed);
  const allowances =
    refusing.length === 0 ? taken : taken.map((allowance, at) => givenBack(allowance, limiters[at], id));
  const headers = {
    'ratelimit-policy': allowances
      .map(({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.window_ms / 1000}`)
      .join(', '),
    ratelimit: allowances
      .map(({ policy, remaining, reset_ms }) => `"${policy.name}";r=${remaining};t=${Math.ceil(reset_ms / 1000)}`)
      .join(', '),
  };
  return refusing.length === 0 ? { headers } : { headers, refused: refusal(refusing) };
}

/** The allowance with its request returned, because another limit refused it. */
function givenBack(allowance: Allowance, limiter: Limiter | undefined, id: string): Allowance {
  if (!allowance.allowed) return allowance;
  limiter?.refund(id);
  return { ...allowance, remaining: allowance.remaining + 1 };
}

function refusal(refusing: readonly Allowance[]): AppError {
  const longest = refusing.reduce((a, b) => (b.reset_ms > a.reset_ms ? b : a));
  const { policy } = longest;
  const per =
    { 60: 'a minute', 3600: 'an hour', 86400: 'a day' }[policy.window_ms / 1000] ?? `${policy.window_ms / 1000} s`;
  const until = policy.kind === 'day' ? 'at 00:00 UTC' : `in ${Math.ceil(longest.reset_ms / 1000)} s`;
  return new AppError('rate_limited', `${policy.quota} ${policy.what} ${per} are allowed. Try again ${until}.`, {
    retry_after_ms: longest.reset_ms,
  });
}
