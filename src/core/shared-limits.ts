import type { Clock, Millis } from './clock.ts';
import { SECOND } from './clock.ts';
import type { Allowance, Limiter, Policy } from './limits.ts';
import { allowanceOf, Recent } from './limits.ts';

/** Buckets that several nodes share. */
export interface Counters {
  /**
   * Takes up to `tokens` for `caller`, as many as there are; and what is then left, in the bucket's unit (`window_ms` a
   * token).
   */
  take(policy: Policy, caller: string, tokens: number): Promise<{ readonly granted: number; readonly level: number }>;
  /** Returns one that was taken for nothing. */
  giveBack(policy: Policy, caller: string): Promise<void>;
}

/** A node takes up to this part of a bucket at once, so that most requests ask nobody, */
const AHEAD = 1 / 20;
/** and what it took is good for this long: it is never spent on top of a bucket that filled up meanwhile. */
const AHEAD_MS = SECOND;

/** What this node took of a bucket. */
interface Taken {
  left: number;
  /** The bucket as it then was, */
  readonly level: number;
  readonly at: Millis;
  /** and until when it has none, if it had none. */
  readonly refused_until: Millis;
}

/**
 * Token buckets that all nodes share. Never is more spent in all than the buckets hold; up to a twentieth of a bucket a
 * node, for a second, may lie where no request comes.
 */
export class SharedLimiter implements Limiter {
  readonly policy: Policy;
  readonly #clock: Clock;
  readonly #counters: Counters;
  readonly #ahead: number;
  readonly #taken = new Recent<Taken>();

  constructor(policy: Policy, clock: Clock, counters: Counters) {
    this.policy = policy;
    this.#clock = clock;
    this.#counters = counters;
    this.#ahead = Math.max(1, Math.floor(policy.burst * AHEAD));
  }

  /** Rejects with AppError `unavailable` when the counters cannot be reached. */
  take(caller: string): Allowance | Promise<Allowance> {
    const now = this.#clock();
    const taken = this.#taken.get(caller);
    if (taken !== undefined) {
      if (this.#good(taken, now) && taken.left > 0) {
        taken.left--;
        return allowanceOf(this.policy, true, taken.level + taken.left * this.policy.window_ms, now);
      }
      // It said when there will be one: until then nobody is asked.
      if (now < taken.refused_until) return allowanceOf(this.policy, false, this.#refilled(taken, now), now);
    }
    return this.#ask(caller);
  }

  giveBack(caller: string): void {
    // Not to be had at the moment: then it is not returned, and fills up by itself.
    this.#counters.giveBack(this.policy, caller).catch(() => {});
  }

  async #ask(caller: string): Promise<Allowance> {
    const { granted, level } = await this.#counters.take(this.policy, caller, this.#ahead);
    const now = this.#clock();
    const before = this.#taken.get(caller);
    // Another request may have asked at the same time: what both took is there to be spent.
    const more = before !== undefined && this.#good(before, now) ? before.left : 0;
    const left = more + Math.max(0, granted - 1);
    const allowance = allowanceOf(this.policy, granted > 0, level + left * this.policy.window_ms, now);
    this.#taken.set(caller, { left, level, at: now, refused_until: granted > 0 ? 0 : now + allowance.reset_ms });
    return allowance;
  }

  #good(taken: Taken, now: Millis): boolean {
    return now >= taken.at && now - taken.at < AHEAD_MS;
  }

  #refilled({ level, at }: Taken, now: Millis): number {
    return this.policy.kind === 'day' ? level : level + (now - at) * this.policy.quota;
  }
}
