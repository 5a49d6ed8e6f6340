import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';

/** A rate limit: `quota` in `window_ms`, of which `burst` at once. */
export interface Policy {
  /** The name in `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly name: string;
  /** What is counted, for people. */
  readonly what: string;
  readonly quota: number;
  readonly window_ms: Millis;
  readonly burst: number;
  /** `bucket` refills steadily; `day` starts again at 00:00 UTC. */
  readonly kind: 'bucket' | 'day';
}

export interface Allowance {
  readonly policy: Policy;
  readonly allowed: boolean;
  /** How many more are allowed at once. */
  readonly remaining: number;
  /** When the next one is allowed (after a refusal), or when it is full again. */
  readonly reset_ms: Millis;
}

/** Counts the actions of callers against one policy. */
export interface Limiter {
  readonly policy: Policy;
  /** Takes one for `caller`, or says when one is available. A promise when other nodes share the count. */
  take(caller: string): Allowance | Promise<Allowance>;
  /** Returns one that was taken and not used. */
  refund(caller: string): void;
}

/** The allowance of a bucket that holds `level`: a request takes `window_ms` of it, a millisecond adds `quota`. */
export function allowanceOf(policy: Policy, allowed: boolean, level: number, now: Millis): Allowance {
  const { kind, quota, window_ms, burst } = policy;
  const remaining = Math.floor(level / window_ms);
  const missing = (level < window_ms ? window_ms : burst * window_ms) - level;
  const reset_ms = kind === 'day' ? DAY - (now % DAY) : Math.ceil(missing / quota);
  return { policy, allowed, remaining, reset_ms };
}

interface Bucket {
  /** In integer units of `allowanceOf`, so that nothing is rounded. */
  level: number;
  at: Millis;
}

/** Token buckets by caller, for this process only. */
export class LocalLimiter implements Limiter {
  readonly policy: Policy;
  readonly #clock: Clock;
  readonly #full: number;
  readonly #buckets = new Recent<Bucket>();

  constructor(policy: Policy, clock: Clock) {
    this.policy = policy;
    this.#clock = clock;
    this.#full = policy.burst * policy.window_ms;
  }

  take(caller: string): Allowance {
    const now = this.#clock();
    const { window_ms } = this.policy;
    const bucket = this.#filled(caller, now);
    const allowed = bucket.level >= window_ms;
    if (allowed) bucket.level -= window_ms;
    return allowanceOf(this.policy, allowed, bucket.level, now);
  }

  /** The current allowance; takes nothing. */
  peek(caller: string): Allowance {
    const now = this.#clock();
    const { level } = this.#filled(caller, now);
    return allowanceOf(this.policy, level >= this.policy.window_ms, level, now);
  }

  refund(caller: string): void {
    const bucket = this.#buckets.get(caller);
    if (bucket !== undefined) bucket.level = Math.min(this.#full, bucket.level + this.policy.window_ms);
  }

  #filled(caller: string, now: Millis): Bucket {
    let bucket = this.#buckets.get(caller);
    if (bucket === undefined) {
      bucket = { level: this.#full, at: now };
      this.#buckets.set(caller, bucket);
    }
    if (this.policy.kind === 'day') {
      if (Math.floor(bucket.at / DAY) !== Math.floor(now / DAY)) bucket.level = this.#full;
    } else {
      // A clock that was set back neither adds nor removes anything.
      const passed = Math.max(0, now - bucket.at);
      bucket.level = Math.min(this.#full, bucket.level + passed * this.policy.quota);
    }
    bucket.at = now;
    return bucket;
  }
}

/** Maximum number of remembered callers; those unused for longest are dropped. */
const MAX_CALLERS = 100_000;

/** A cache by caller in two generations: when the first holds half of the maximum, it replaces the second. */
export class Recent<T> {
  #recent = new Map<string, T>();
  #before = new Map<string, T>();

  get(caller: string): T | undefined {
    const recent = this.#recent.get(caller);
    if (recent !== undefined) return recent;
    const before = this.#before.get(caller);
    if (before !== undefined) this.set(caller, before);
    return before;
  }

  set(caller: string, value: T): void {
    if (this.#recent.size >= MAX_CALLERS / 2 && !this.#recent.has(caller)) {
      this.#before = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(caller, value);
  }
}
