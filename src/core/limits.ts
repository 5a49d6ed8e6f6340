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
  /** A request takes `window_ms` of it, a millisecond brings `quota`: whole numbers, so that nothing is rounded. */
  level: number;
  at: Millis;
}

/** Counters are kept in this process, of no more callers than this: who was not seen for longest is forgotten. */
const CALLERS_MOST = 100_000;

/** Token buckets by caller, for one policy. */
export class Limiter {
  readonly policy: Policy;
  readonly #clock: Clock;
  readonly #full: number;
  /** Seen lately, and before that: when the first is half of what is kept, it becomes the second, which goes whole. */
  #recent = new Map<string, Bucket>();
  #before = new Map<string, Bucket>();

  constructor(policy: Policy, clock: Clock) {
    this.policy = policy;
    this.#clock = clock;
    this.#full = policy.burst * policy.window_ms;
  }

  /** Takes one for `caller`, or says when there is one. */
  take(caller: string): Allowance {
    const now = this.#clock();
    const { window_ms } = this.policy;
    const bucket = this.#filled(caller, now);
    const allowed = bucket.level >= window_ms;
    if (allowed) bucket.level -= window_ms;
    const remaining = Math.floor(bucket.level / window_ms);
    return { policy: this.policy, allowed, remaining, reset_ms: this.#reset(bucket, now) };
  }

  /** Returns one that was taken for nothing. */
  giveBack(caller: string): void {
    const bucket = this.#recent.get(caller) ?? this.#before.get(caller);
    if (bucket !== undefined) bucket.level = Math.min(this.#full, bucket.level + this.policy.window_ms);
  }

  #filled(caller: string, now: Millis): Bucket {
    const bucket = this.#bucket(caller, now);
    if (this.policy.kind === 'day') {
      if (Math.floor(bucket.at / DAY) !== Math.floor(now / DAY)) bucket.level = this.#full;
    } else {
      // A clock that was set back brings nothing, and takes nothing away.
      const passed = Math.max(0, now - bucket.at);
      bucket.level = Math.min(this.#full, bucket.level + passed * this.policy.quota);
    }
    bucket.at = now;
    return bucket;
  }

  #bucket(caller: string, now: Millis): Bucket {
    const recent = this.#recent.get(caller);
    if (recent !== undefined) return recent;
    const bucket = this.#before.get(caller) ?? { level: this.#full, at: now };
    if (this.#recent.size >= CALLERS_MOST / 2) {
      this.#before = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(caller, bucket);
    return bucket;
  }

  #reset(bucket: Bucket, now: Millis): Millis {
    const { kind, quota, window_ms } = this.policy;
    if (kind === 'day') return DAY - (now % DAY);
    const missing = (bucket.level < window_ms ? window_ms : this.#full) - bucket.level;
    return Math.ceil(missing / quota);
  }
}
