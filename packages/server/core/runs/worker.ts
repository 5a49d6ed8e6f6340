import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { outOfTime } from '@mailroom/behavior/values/time-limit';

/** What is released when the work in it has ended. */
interface Releasable {
  release(): void;
}

/** Work of a claim in its slot. */
export interface Leased<C, S = Releasable> {
  readonly claim: C;
  readonly slot: S;
}

/** What a claim brought. */
interface Claimed<C, S> {
  readonly leased: readonly Leased<C, S>[];
  /** More may be due: claimed at once after a claim that brought something, and else as a run ends. */
  readonly more: boolean;
  /** When the next work becomes due, or the next lease ends; undefined when none does. */
  readonly next: Millis | undefined;
}

/** Durable work that is claimed under leases, by any node. */
export interface Queue<C, S = Releasable> {
  /** Claims what is due and has a slot, until `now + lease_ms`. */
  claim(now: Millis, lease_ms: Millis): Promise<Claimed<C, S>>;
  /** Extends the leases until `until`; returns the ids still claimed. */
  renew(claims: readonly C[], until: Millis): Promise<readonly string[]>;
  /** Gives a claim back, due at `at`. */
  release(claim: C, at: Millis): Promise<unknown>;
}

export interface WorkerOptions {
  readonly lease_ms: Millis;
  /** The longest sleep without a notice, to find work of other nodes. */
  readonly poll_ms: Millis;
  /** A run is aborted after this time; without it its handler ends it. */
  readonly run_ms?: Millis;
  readonly onError: (error: unknown) => void;
}

interface Running<C> extends Leased<C, Releasable> {
  readonly abort: AbortController;
  done: Promise<void>;
}

/** With so many in progress, what ends within `GATHER_MS` is followed by one claim, which costs the store as much. */
const MANY = 8;
const GATHER_MS: Millis = 2;

/**
 * The one loop for work of a queue: claims what is due under a lease, runs each in a slot, renews the leases meanwhile,
 * and gives back what has not ended at the stop. A run that lost its lease is aborted.
 */
export class Worker<C extends { readonly id: string }, S extends Releasable = Releasable> {
  readonly #queue: Queue<C, S>;
  readonly #handle: (leased: Leased<C, S>, abort: AbortController) => Promise<void>;
  readonly #clock: Clock;
  readonly #options: WorkerOptions;
  readonly #running = new Map<string, Running<C>>();
  readonly #renewal: NodeJS.Timeout;
  #claiming: Promise<void> | undefined;
  #again = false;
  #more = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;

  /** `handle` does the work of a claim until it is done or given back; what it leaves claimed is claimed again later. */
  constructor(
    parts: {
      readonly queue: Queue<C, S>;
      readonly handle: (leased: Leased<C, S>, abort: AbortController) => Promise<void>;
      readonly clock: Clock;
    },
    options: WorkerOptions,
  ) {
    this.#queue = parts.queue;
    this.#handle = parts.handle;
    this.#clock = parts.clock;
    this.#options = options;
    this.#renewal = setInterval(() => void this.#renew(), options.lease_ms / 3);
    this.#renewal.unref();
  }

  /** The number of runs in progress. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether it claims now. */
  get claiming(): boolean {
    return this.#claiming !== undefined;
  }

  /** Whether no more work begins. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** The end of a lease that starts now. */
  leaseEnd(): Millis {
    return this.#clock() + this.#options.lease_ms;
  }

  /** A controller that aborts a run at its time limit; `run` ends it. */
  limit(): AbortController {
    const abort = new AbortController();
    const { run_ms } = this.#options;
    if (run_ms === undefined) return abort;
    const timer = setTimeout(() => abort.abort(outOfTime(run_ms)), run_ms);
    timer.unref();
    abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return abort;
  }

  /** Claims what is due now, because there may be some. */
  check(): void {
    if (this.#stopped) return;
    if (this.#claiming !== undefined) this.#again = true;
    else this.#claiming = this.#claimAll();
  }

  /** As `check`, after a slot was freed. */
  checkSoon(): void {
    if (this.#stopped || this.#gathering !== undefined) return;
    if (this.#running.size < MANY) this.check();
    else
      this.#gathering = setTimeout(() => {
        this.#gathering = undefined;
        this.check();
      }, GATHER_MS);
  }

  /** Runs `work` under a claim, by default what `handle` does, and renews the lease until it ends. */
  run(leased: Leased<C, S>, abort = this.limit(), work = () => this.#handle(leased, abort)): void {
    const { claim, slot } = leased;
    if (this.#stopped) {
      abort.abort(new Error('the service stops'));
      void this.#releaseWithSlots([leased]);
      return;
    }
    // The lease expired here unnoticed and the work was claimed again; the older run can write nothing more.
    this.#running.get(claim.id)?.abort.abort(new Error('the lease was lost'));
    const run: Running<C> = { ...leased, abort, done: Promise.resolve() };
    // Registered before it starts, as it may end at once.
    this.#running.set(claim.id, run);
    run.done = work()
      .catch(this.#options.onError)
      .finally(() => {
        // Clears the timer of the time limit; the run has ended and no longer listens. An error as a reason would cost more.
        abort.abort('the run has ended');
        if (this.#running.get(claim.id) === run) this.#running.delete(claim.id);
        slot.release();
        if (this.#more) this.checkSoon();
      });
  }

  /** Stops the run of what was canceled, or ended by another. */
  abort(id: string): void {
    this.#running.get(id)?.abort.abort(new Error('canceled'));
  }

  /** Claims nothing more, waits up to `grace_ms` for the current runs, and gives the rest back. */
  async stop(grace_ms: Millis): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, grace_ms);
    });
    const done = [this.#claiming ?? Promise.resolve(), ...this.#running.values().map((run) => run.done)];
    await Promise.race([Promise.all(done), grace]);
    clearTimeout(timer);
    const unfinished = [...this.#running.values()];
    for (const { abort } of unfinished) abort.abort(new Error('the service stops'));
    // Each releases its slot as it ends.
    await this.#release(unfinished);
    clearInterval(this.#renewal);
  }

  async #claimAll(): Promise<void> {
    let next: Millis | undefined;
    let now = this.#clock();
    try {
      do {
        this.#again = false;
        now = this.#clock();
        const claimed = await this.#queue.claim(now, this.#options.lease_ms);
        if (this.#stopped) await this.#releaseWithSlots(claimed.leased);
        else for (const leased of claimed.leased) this.run(leased);
        this.#more = claimed.more;
        next = claimed.next;
        if (claimed.more && claimed.leased.length > 0) this.#again = true;
      } while (this.#again && !this.#stopped);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#claiming = undefined;
      this.#sleep(next, now);
    }
  }

  /** Until `next`, as it was seen at `now`. */
  #sleep(next: Millis | undefined, now: Millis): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const { poll_ms } = this.#options;
    // What was due at `now` and was not claimed has no slot; what became due since waits for nothing.
    const pause = next === undefined || next <= now ? poll_ms : Math.max(0, next - this.#clock());
    this.#timer = setTimeout(() => this.check(), Math.min(pause, poll_ms));
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    try {
      const claims = running.map(({ claim }) => claim);
      const held = new Set(await this.#queue.renew(claims, this.leaseEnd()));
      for (const run of running)
        if (!held.has(run.claim.id) && this.#running.get(run.claim.id) === run)
          run.abort.abort(new Error('the lease was lost'));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Gives back claims that no run was begun for. */
  #releaseWithSlots(leased: readonly Leased<C>[]): Promise<void> {
    for (const { slot } of leased) slot.release();
    return this.#release(leased);
  }

  async #release(leased: readonly Leased<C>[]): Promise<void> {
    const now = this.#clock();
    const released = await Promise.allSettled(leased.map(({ claim }) => this.#queue.release(claim, now)));
    for (const one of released) if (one.status === 'rejected') this.#options.onError(one.reason);
  }
}
