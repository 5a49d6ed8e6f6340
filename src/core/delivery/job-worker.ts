import type { DueWork } from '../notify/due-work.ts';
import type { Claim, JobKind } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import type { Leases } from './leases.ts';

/**
 * Does the work of a claim until it is done or given back. When it rejects, the job stays claimed until the lease
 * expires, and is then claimed again. The signal aborts when the claim is lost, after the time limit, and when the
 * service stops.
 */
export type Work = (claim: Claim, signal: AbortSignal) => Promise<void>;

export interface JobWorkerOptions {
  readonly lease_ms: Millis;
  /** The longest sleep without a notice, to find work of other nodes and work that became due. */
  readonly poll_ms: Millis;
  readonly onError: (error: unknown) => void;
}

/** How many jobs of a kind are done at a time, apart from messages and from other kinds. */
const MAX_RUNNING: Readonly<Record<JobKind, number>> = { schedule: 16, draft: 16, purge: 2 };

interface Queue {
  readonly kind: JobKind;
  readonly work: Work;
  running: number;
  /** Whether all its slots were taken while more was due. */
  full: boolean;
}

/** Claims due jobs and does them: each kind has slots of its own, so that no flood of messages delays them. */
export class JobWorker {
  readonly #parts: { readonly store: Store; readonly leases: Leases; readonly due: DueWork; readonly clock: Clock };
  readonly #options: JobWorkerOptions;
  readonly #queues: Queue[] = [];
  readonly #unsubscribe: () => void;
  #checking: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: { store: Store; leases: Leases; due: DueWork; clock: Clock }, options: JobWorkerOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#unsubscribe = parts.due.subscribe(() => this.#check());
    this.register('purge', (claim) => this.#purge(claim));
  }

  /** Has the jobs of this kind done by `work`. */
  register(kind: JobKind, work: Work): void {
    this.#queues.push({ kind, work, running: 0, full: false });
  }

  /** Begins nothing new; the running jobs are those of `Leases`. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#checking;
  }

  #check(): void {
    if (this.#checking !== undefined) this.#again = true;
    else this.#checking = this.#claimAll();
  }

  async #claimAll(): Promise<void> {
    const { store, clock } = this.#parts;
    try {
      do {
        this.#again = false;
        const now = clock();
        const next = await store.jobs.nextDue();
        if (next === undefined || next > now) break;
        for (const queue of this.#queues) await this.#claim(queue, now);
      } while (this.#again && !this.#stopped);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#checking = undefined;
      this.#sleep();
    }
  }

  async #claim(queue: Queue, now: Millis): Promise<void> {
    const { store, leases } = this.#parts;
    const free = MAX_RUNNING[queue.kind] - queue.running;
    queue.full = free === 0;
    if (free === 0) return;
    const claims = await store.jobs.claim(free, now, this.#options.lease_ms, queue.kind);
    queue.full = claims.length === free;
    for (const claim of claims) {
      const abort = leases.limit();
      queue.running++;
      leases.track({ claim, abort }, async () => {
        try {
          await queue.work(claim, abort.signal);
        } finally {
          queue.running--;
          if (queue.full) this.#check();
        }
      });
    }
  }

  #sleep(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#check(), this.#options.poll_ms);
    this.#timer.unref();
  }

  async #purge(claim: Claim): Promise<void> {
    const { store, leases } = this.#parts;
    while ((await store.jobs.purge(claim)) === 'more') {
      if (this.#stopped) return leases.release([claim]);
    }
  }
}
