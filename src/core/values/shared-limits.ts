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

/** A node takes up to this part of a bucket ahead, so that most requests of a quick caller ask nobody, */
const AHEAD = 1 / 20;
/** and what it took is good for this long: it is never spent on top of a bucket that filled up meanwhile. */
const AHEAD_MS = SECOND;

/** What this node took of a bucket. */
interface Taken {
  left: number;
  /** How many it took at once, */
  readonly lot: number;
  /** what the bucket then held, */
  readonly level: number;
  readonly at: Millis;
  /** and until when it has none, if it had none. */
  readonly refused_until: Millis;
}

/** Who waits to hear whether there is one. */
type Waiter = PromiseWithResolvers<Allowance>;

/**
 * Token buckets that all nodes share. Never is more spent in all than the buckets hold. A node takes ahead no more than
 * twice what the caller just spent within a second, and no more than a twentieth of a bucket; what is not spent within a
 * second is lost to the caller, so of a day's bucket nothing is taken ahead.
 */
export class SharedLimiter implements Limiter {
  readonly policy: Policy;
  readonly #clock: Clock;
  readonly #counters: Counters;
  readonly #ahead: number;
  readonly #taken = new Recent<Taken>();
  /** Those whose bucket is being asked for: once at a time, for all who wait. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(policy: Policy, clock: Clock, counters: Counters) {
    this.policy = policy;
    this.#clock = clock;
    this.#counters = counters;
    this.#ahead = policy.kind === 'day' ? 1 : Math.max(1, Math.floor(policy.burst * AHEAD));
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
    const waiter: Waiter = Promise.withResolvers();
    const waiting = this.#waiting.get(caller);
    if (waiting !== undefined) {
      waiting.push(waiter);
    } else {
      const alone = [waiter];
      this.#waiting.set(caller, alone);
      void this.#ask(caller, alone);
    }
    return waiter.promise;
  }

  giveBack(caller: string): void {
    // Not to be had at the moment: then it is not returned, and fills up by itself.
    this.#counters.giveBack(this.policy, caller).catch(() => {});
  }

  /** Asks until everyone who waits has an answer; those who come meanwhile are asked for together. */
  async #ask(caller: string, waiting: Waiter[]): Promise<void> {
    try {
      while (waiting.length > 0) {
        const wanted = Math.max(waiting.length, this.#lot(caller));
        const { granted, level } = await this.#counters.take(this.policy, caller, wanted);
        const now = this.#clock();
        const { window_ms } = this.policy;
        let left = granted;
        for (const { resolve } of waiting.splice(0, granted)) {
          left--;
          resolve(allowanceOf(this.policy, true, level + left * window_ms, now));
        }
        let refused_until = 0;
        // Less than was wanted: the bucket is empty, also for those who came meanwhile.
        if (granted < wanted && waiting.length > 0) {
          const allowance = allowanceOf(this.policy, false, level, now);
          refused_until = now + allowance.reset_ms;
          for (const { resolve } of waiting.splice(0)) resolve(allowance);
        }
        this.#taken.set(caller, { left, lot: granted, level, at: now, refused_until });
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    } finally {
      this.#waiting.delete(caller);
    }
  }

  /** How many to take: twice as many when the last lot was spent within its time, else one. */
  #lot(caller: string): number {
    const taken = this.#taken.get(caller);
    if (taken === undefined || taken.left > 0 || !this.#good(taken, this.#clock())) return 1;
    return Math.min(this.#ahead, Math.max(1, taken.lot * 2));
  }

  #good(taken: Taken, now: Millis): boolean {
    return now >= taken.at && now - taken.at < AHEAD_MS;
  }

  #refilled({ level, at }: Taken, now: Millis): number {
    return this.policy.kind === 'day' ? level : level + (now - at) * this.policy.quota;
  }
}
