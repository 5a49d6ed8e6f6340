import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { type Allowance, allowanceOf, type Limiter, LocalLimiter, type Policy, Recent } from './limits.ts';

/** Buckets that several nodes share. */
export interface Counters {
  /**
   * Takes up to `tokens` for `caller`, as many as are available; `level` is what is left, in the bucket's unit
   * (`window_ms` per token).
   */
  take(policy: Policy, caller: string, tokens: number): Promise<{ readonly granted: number; readonly level: number }>;
  /** Returns one that was taken and not used. */
  refund(policy: Policy, caller: string): Promise<void>;
}

/** The part of a bucket that a node may take ahead, so that most requests of a busy caller need no query. */
const AHEAD = 1 / 20;
/** How long tokens taken ahead are valid, so that they never add to a bucket that refilled meanwhile. */
const AHEAD_MS = SECOND;

/** What this node took of a bucket. */
interface Taken {
  /** How many of them are not used yet. */
  reserve: number;
  /** How many were taken together. */
  readonly lot: number;
  /** The level of the bucket after that. */
  readonly level: number;
  readonly at: Millis;
  /** Until when the bucket is known to be empty; 0 if it was not. */
  readonly refused_until: Millis;
}

/** A request that waits for its allowance. */
type Waiter = PromiseWithResolvers<Allowance>;

/**
 * Token buckets that all nodes share; together they never spend more than the buckets hold. A node takes ahead at most
 * twice what the caller spent within the last second, and at most a twentieth of a bucket. What is not spent within a
 * second is lost to the caller, so nothing is taken ahead of a daily bucket.
 */
class SharedLimiter implements Limiter {
  readonly policy: Policy;
  readonly #clock: Clock;
  readonly #counters: Counters;
  readonly #ahead: number;
  readonly #taken = new Recent<Taken>();
  /** Requests that wait for a query of the caller's bucket, of which there is one at a time. */
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
      if (this.#good(taken, now) && taken.reserve > 0) {
        taken.reserve--;
        return allowanceOf(this.policy, true, taken.level + taken.reserve * this.policy.window_ms, now);
      }
      // The bucket said when the next token is available, so until then no query is made.
      if (now >= taken.at && now < taken.refused_until)
        return allowanceOf(this.policy, false, this.#refilled(taken, now), now);
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

  refund(caller: string): void {
    // If the counters are unavailable the token is not returned; the bucket refills by itself.
    this.#counters.refund(this.policy, caller).catch(() => {});
  }

  /** Queries until every waiting request has an answer; requests that arrive meanwhile share the next query. */
  async #ask(caller: string, waiting: Waiter[]): Promise<void> {
    try {
      while (waiting.length > 0) {
        const wanted = Math.max(waiting.length, this.#lot(caller));
        const { granted, level } = await this.#counters.take(this.policy, caller, wanted);
        const now = this.#clock();
        const { window_ms } = this.policy;
        let reserve = granted;
        for (const { resolve } of waiting.splice(0, granted)) {
          reserve--;
          resolve(allowanceOf(this.policy, true, level + reserve * window_ms, now));
        }
        let refused_until = 0;
        // Fewer than wanted: the bucket is empty, also for requests that arrived meanwhile.
        if (granted < wanted && waiting.length > 0) {
          const allowance = allowanceOf(this.policy, false, level, now);
          refused_until = now + allowance.reset_ms;
          for (const { resolve } of waiting.splice(0)) resolve(allowance);
        }
        this.#taken.set(caller, { reserve, lot: granted, level, at: now, refused_until });
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    } finally {
      this.#waiting.delete(caller);
    }
  }

  /** How many to take: twice as many when the last lot was spent in time, otherwise one. */
  #lot(caller: string): number {
    const taken = this.#taken.get(caller);
    if (taken === undefined || taken.reserve > 0 || !this.#good(taken, this.#clock())) return 1;
    return Math.min(this.#ahead, Math.max(1, taken.lot * 2));
  }

  #good(taken: Taken, now: Millis): boolean {
    return now >= taken.at && now - taken.at < AHEAD_MS;
  }

  #refilled({ level, at }: Taken, now: Millis): number {
    return this.policy.kind === 'day' ? level : level + (now - at) * this.policy.quota;
  }
}

/** Counts with the other nodes where there are `counters`, else in this process. */
export const limiterOf = (policy: Policy, clock: Clock, counters: Counters | undefined): Limiter =>
  counters === undefined ? new LocalLimiter(policy, clock) : new SharedLimiter(policy, clock, counters);
