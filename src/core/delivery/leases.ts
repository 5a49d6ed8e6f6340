import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { outOfTime } from '../values/time-limit.ts';
import type { Slot } from './slots.ts';

export interface LeaseOptions {
  readonly lease_ms: Millis;
  readonly run_ms: Millis;
  readonly onError: (error: unknown) => void;
}

/** A claim that is being worked on. */
export interface Leased {
  readonly claim: Claim;
  readonly abort: AbortController;
  /** Released when the work has ended. */
  readonly slot?: Slot;
}

interface Running extends Leased {
  done: Promise<void>;
}

/** The runs of this process that have a claim: renews their leases and aborts those that lost theirs. */
export class Leases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #options: LeaseOptions;
  readonly #running = new Map<string, Running>();
  readonly #renewal: NodeJS.Timeout;
  #stopped = false;

  constructor(parts: { store: Store; clock: Clock }, options: LeaseOptions) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#options = options;
    this.#renewal = setInterval(() => void this.#renew(), options.lease_ms / 3);
    this.#renewal.unref();
  }

  get running(): number {
    return this.#running.size;
  }

  /** The end of a lease that starts now. */
  end(): Millis {
    return this.#clock() + this.#options.lease_ms;
  }

  /** A controller that aborts a run at its time limit; `track` ends it. */
  limit(): AbortController {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(outOfTime(this.#options.run_ms)), this.#options.run_ms);
    timer.unref();
    abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return abort;
  }

  /** Whether no more work begins. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Renews the lease of a claim until its work ends. */
  track(leased: Leased, work: () => Promise<void>): void {
    const { claim, abort, slot } = leased;
    if (this.#stopped) {
      abort.abort(new Error('the service stops'));
      slot?.release();
      void this.release([claim]);
      return;
    }
    // The lease expired here unnoticed and the job was claimed again; the run under the older claim can write nothing
    // more.
    this.#running.get(claim.id)?.abort.abort(new Error('the lease was lost'));
    const run: Running = { ...leased, done: Promise.resolve() };
    // Registered before the run starts, as it may end at once.
    this.#running.set(claim.id, run);
    run.done = work()
      .catch(this.#options.onError)
      .finally(() => {
        // Clears the timer of the time limit; the run has ended and no longer listens.
        abort.abort();
        if (this.#running.get(claim.id) === run) this.#running.delete(claim.id);
        slot?.release();
      });
  }

  /** Stops the run of a message that was settled by someone else. */
  abort(id: string): void {
    this.#running.get(id)?.abort.abort(new Error('canceled'));
  }

  /** Gives claims back, due at once. */
  async release(claims: readonly Claim[]): Promise<void> {
    const now = this.#clock();
    const given = await Promise.allSettled(claims.map((claim) => this.#tableOf(claim).later(claim, now)));
    for (const one of given) if (one.status === 'rejected') this.#options.onError(one.reason);
  }

  /** Waits up to `grace_ms` for `before` and the current runs, and gives the rest back. */
  async stop(grace_ms: Millis, before: Promise<unknown>): Promise<void> {
    this.#stopped = true;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, grace_ms);
    });
    const done = [before, ...[...this.#running.values()].map((run) => run.done)];
    await Promise.race([Promise.all(done), grace]);
    clearTimeout(timer);
    const left = [...this.#running.values()];
    for (const run of left) run.abort.abort(new Error('the service stops'));
    await this.release(left.map((run) => run.claim));
    clearInterval(this.#renewal);
  }

  #tableOf(claim: Claim): Pick<Store['jobs'], 'later' | 'renew'> {
    return claim.kind === 'handle' ? this.#store.handlings : this.#store.jobs;
  }

  async #renew(): Promise<void> {
    const claims = [...this.#running.values()].map((run) => run.claim);
    if (claims.length === 0) return;
    try {
      const held = new Set<string>();
      for (const table of [this.#store.handlings, this.#store.jobs]) {
        const own = claims.filter((claim) => this.#tableOf(claim) === table);
        if (own.length > 0) for (const id of await table.renew(own, this.end())) held.add(id);
      }
      for (const claim of claims) {
        const run = this.#running.get(claim.id);
        if (!held.has(claim.id) && run?.claim === claim) run.abort.abort(new Error('the lease was lost'));
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
