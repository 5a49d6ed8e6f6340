import type { Clock, Millis } from './clock.ts';
import { DAY } from './clock.ts';

/** How much of something is allowed: `quota` in `window_ms`, of which `burst` at once. */
export interface Policy {
  /** As it stands in `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly name: string;
  /** What is counted, for people. */
  readonly what: string;
  readonly quota: number;
  readonly window_ms: Millis;
  readonly burst: number;
  /** `bucket` refills steadily; `day` starts anew at 00:00 UTC. */
  readonly kind: 'bucket' | 'day';
}

export interface Allowance {
  readonly policy: Policy;
  readonly allowed: boolean;
  /** How many more are allowed at once. */
  readonly remaining: number;
  /** When there is one more (refused), or when it is full again. */
  readonly reset_ms: Millis;
}

interface Bucket {
  tokens: number;
  at: Millis;
}

/** Counters kept in this process: beyond so many callers the ones that came first are forgotten. */
const CALLERS_MOST = 100_000;

/** Token buckets by caller, for one policy. */
export class Limiter {
  readonly policy: Policy;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(policy: Policy, clock: Clock) {
    this.policy = policy;
    this.#clock = clock;
  }

  /** Takes one for `caller`, or says when there is one. */
  take(caller: string): Allowance {
    const now = this.#clock();
    const bucket = this.#filled(caller, now);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return { policy: this.policy, allowed, remaining: Math.floor(bucket.tokens), reset_ms: this.#reset(bucket, now) };
  }

  /** Returns one that was taken for nothing. */
  giveBack(caller: string): void {
    const bucket = this.#buckets.get(caller);
    if (bucket !== undefined) bucket.tokens = Math.min(this.policy.burst, bucket.tokens + 1);
  }

  #filled(caller: string, now: Millis): Bucket {
    const { burst, quota, window_ms, kind } = this.policy;
    const known = this.#buckets.get(caller);
    if (known === undefined) {
      const fresh = { tokens: burst, at: now };
      this.#buckets.set(caller, fresh);
      if (this.#buckets.size > CALLERS_MOST) this.#buckets.delete(this.#buckets.keys().next().value as string);
      return fresh;
    }
    if (kind === 'day') {
      if (Math.floor(known.at / DAY) !== Math.floor(now / DAY)) known.tokens = burst;
    } else {
      known.tokens = Math.min(burst, known.tokens + ((now - known.at) * quota) / window_ms);
    }
    known.at = now;
    return known;
  }

  #reset(bucket: Bucket, now: Millis): Millis {
    const { kind, quota, window_ms, burst } = this.policy;
    if (kind === 'day') return DAY - (now % DAY);
    const missing = (bucket.tokens < 1 ? 1 : burst) - bucket.tokens;
    return Math.ceil((missing * window_ms) / quota);
  }
}
