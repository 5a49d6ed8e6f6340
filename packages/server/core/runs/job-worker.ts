import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { Claim, JobKind } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import { type Queue, Worker, type WorkerOptions } from './worker.ts';

/**
 * Does the work of a claim until it is done or given back. When it rejects, the job stays claimed until the lease
 * expires, and is then claimed again. The signal aborts when the claim is lost, after the time limit, and when the
 * service stops.
 */
export type Work = (claim: Claim, signal: AbortSignal) => Promise<void>;

/** How many jobs of a kind are done at a time, apart from messages and from other kinds. */
const MAX_RUNNING: Readonly<Record<JobKind, number>> = {
  schedule: 16,
  draft: 16,
  copies: 16,
  answer: 16,
  trash: 4,
  held: 16,
  waiting: 2,
  review: 16,
  forward: 16,
  later: 16,
  purge: 2,
};

/** Does due jobs: each kind has slots of its own, so that no flood of messages delays them. */
export class JobWorker implements Queue<Claim> {
  readonly #jobs: Store['jobs'];
  readonly #clock: Clock;
  readonly #worker: Worker<Claim>;
  readonly #works = new Map<Claim['kind'], Work>();
  readonly #used: Record<JobKind, number> = {
    ...{ schedule: 0, draft: 0, copies: 0, answer: 0, trash: 0, held: 0, waiting: 0, review: 0, forward: 0, later: 0 },
    purge: 0,
  };

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }, options: WorkerOptions) {
    this.#jobs = store.jobs;
    this.#clock = clock;
    const handle = ({ claim }: { readonly claim: Claim }, { signal }: AbortController) =>
      (this.#works.get(claim.kind) as Work)(claim, signal);
    this.#worker = new Worker({ queue: this, handle, clock }, options);
    this.register('purge', (claim) => this.#purge(claim));
  }

  /** The number of jobs in progress. */
  get running(): number {
    return this.#worker.running;
  }

  /** Has the jobs of this kind done by `work`. */
  register(kind: JobKind, work: Work): void {
    this.#works.set(kind, work);
  }

  /** As of `Worker.check`. */
  check(): void {
    this.#worker.check();
  }

  /** As of `Worker.stop`. */
  stop(grace_ms: Millis): Promise<void> {
    return this.#worker.stop(grace_ms);
  }

  /** Claims for the free slots of one kind at a time. */
  async claim(now: Millis, lease_ms: Millis) {
    const next = await this.#jobs.nextDue();
    if (next === undefined || next > now) return { leased: [], more: false, next };
    let more = false;
    for (const kind of this.#works.keys() as Iterable<JobKind>) {
      const free = MAX_RUNNING[kind] - this.#used[kind];
      const claims = free <= 0 ? [] : await this.#jobs.claim(free, now, lease_ms, kind);
      if (claims.length > 0) return { leased: claims.map((claim) => this.#leased(claim, kind)), more: true, next };
      more ||= free <= 0;
    }
    return { leased: [], more, next };
  }

  #leased(claim: Claim, kind: JobKind) {
    this.#used[kind]++;
    const release = (): void => {
      this.#used[kind]--;
    };
    return { claim, slot: { release } };
  }

  renew(claims: readonly Claim[], until: Millis): Promise<readonly string[]> {
    return this.#jobs.renew(claims, until);
  }

  release(claim: Claim, at: Millis): Promise<boolean> {
    return this.#jobs.later(claim, at);
  }

  async #purge(claim: Claim): Promise<void> {
    while ((await this.#jobs.purge(claim)) === 'more') {
      if (!this.#worker.stopped) continue;
      await this.#jobs.later(claim, this.#clock());
      return;
    }
  }
}
