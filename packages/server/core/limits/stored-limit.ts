import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { States } from '../ports/states.ts';
import { type Allowance, allowanceOf, type Limiter, type Policy } from '../values/limits.ts';

const KIND = 'day_count';
/** Others count in the same row at the same time; more than this is a fault. */
const MAX_SWAPS = 100;

/**
 * Counts the actions of callers on one UTC day in the store, so that neither a restart nor a deletion forgets any. A take
 * is a read and a write: for what is rare.
 */
export class StoredDayLimiter implements Limiter {
  readonly policy: Policy;
  readonly #states: Pick<States, 'get' | 'put' | 'swap'>;
  readonly #clock: Clock;

  /** Of the policy, `quota` counts. */
  constructor(policy: Policy, states: Pick<States, 'get' | 'put' | 'swap'>, clock: Clock) {
    this.policy = policy;
    this.#states = states;
    this.#clock = clock;
  }

  async take(caller: string): Promise<Allowance> {
    const { policy } = this;
    const count = await this.#add(caller, 1);
    const left = Math.max(0, policy.quota - (count ?? policy.quota));
    return allowanceOf(policy, count !== undefined, left * policy.window_ms, this.#clock());
  }

  refund(caller: string): void {
    // One that is not given back is one mail less on that day.
    this.#add(caller, -1).catch(() => {});
  }

  /** The count after it; undefined where it would be above the quota, or below zero. */
  async #add(caller: string, by: 1 | -1): Promise<number | undefined> {
    const now = this.#clock();
    const day = Math.floor(now / DAY);
    const id = `${this.policy.name} ${caller} ${day}`;
    for (let swaps = 0; swaps < MAX_SWAPS; swaps++) {
      const state = await this.#states.get(KIND, id, now);
      const count = Number(state?.value ?? 0) + by;
      if (count > this.policy.quota || count < 0) return undefined;
      const value = String(count);
      const written =
        state === undefined
          ? await this.#states.put({ kind: KIND, id, subject: null, value, expires_at: (day + 1) * DAY }, now)
          : await this.#states.swap(KIND, id, state.value, value, now);
      if (written) return count;
    }
    throw new AppError('unavailable', 'The count of today cannot be written. Try again later.');
  }
}
