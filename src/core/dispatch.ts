import { channel } from 'node:diagnostics_channel';
import type { Outcome } from './behavior.ts';
import type { Clock, Millis } from './clock.ts';
import type { Directory } from './directory.ts';
import type { Hub } from './hub.ts';
import type { Mailbox } from './mailbox.ts';
import type { Message } from './message.ts';
import type { Runner } from './run.ts';
import { ATTEMPTS_MOST, backoff } from './run.ts';
import type { Claim, Settlement, Store } from './store.ts';

/** Published for each message that settles: `{ behavior, status, ms }`. */
const settledChannel = channel('mailroom:message:settled');

export interface DispatchOptions {
  /** How many messages are handled at a time. */
  readonly most: number;
  readonly lease_ms: Millis;
  readonly run_ms: Millis;
  /** The longest it sleeps though nothing told it of work: another node's, or work that became due by time. */
  readonly poll_ms: Millis;
  readonly onError: (error: unknown) => void;
}

interface Running {
  readonly claim: Claim;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

const CLAIM_MOST = 32;

/** Takes due work under a lease, has it handled, and settles it; renews what runs long, tries again what broke. */
export class Dispatch {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #runner: Runner;
  readonly #hub: Hub;
  readonly #clock: Clock;
  readonly #options: DispatchOptions;
  readonly #running = new Map<string, Running>();
  #pumping = false;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #renewal: NodeJS.Timeout;

  constructor(
    parts: { store: Store; directory: Directory; runner: Runner; hub: Hub; clock: Clock },
    options: DispatchOptions,
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#runner = parts.runner;
    this.#hub = parts.hub;
    this.#clock = parts.clock;
    this.#options = options;
    this.#renewal = setInterval(() => void this.#renew(), options.lease_ms / 3);
    this.#renewal.unref();
  }

  /** There may be work: look now. */
  poke(): void {
    if (this.#stopped) return;
    if (this.#pumping) {
      this.#again = true;
      return;
    }
    this.#pumping = true;
    void this.#pump();
  }

  /** Whether a message could be handled at once: room, and nothing that has waited longer. */
  get idle(): boolean {
    return !this.#stopped && !this.#pumping && this.#running.size < this.#options.most;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Until when a claim that is made now holds. */
  lease(): Millis {
    return this.#clock() + this.#options.lease_ms;
  }

  /** A signal that ends a run after its longest time; the caller hands both to `adopt` when it goes on in here. */
  limit(): AbortController {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error('out of time')), this.#options.run_ms);
    timer.unref();
    abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return abort;
  }

  /** Goes on with a message that is claimed (fence 1) by its acceptance; `outcome` when it is being handled already. */
  adopt(message: Message, mailbox: Mailbox, abort = this.limit(), outcome?: Outcome | Promise<Outcome>): void {
    const claim: Claim = { id: message.id, kind: 'handle', fence: 1, attempt: 1, subject: mailbox.id };
    this.#track(claim, abort, () => this.#handle(claim, message, mailbox, abort, outcome));
  }

  /** Stops the run of a message that was settled by someone else. */
  abort(id: string): void {
    this.#running.get(id)?.abort.abort(new Error('canceled'));
  }

  /** Settles, wakes who waits, tells the metrics. False: someone else settled it. */
  async settle(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
  ): Promise<boolean> {
    const settled = await this.#store.messages.settle(claim, settlement);
    if (settled) this.told({ ...message, ...settlement }, mailbox);
    return settled;
  }

  /** What follows a settlement that was written. */
  told(message: Message, mailbox: Mailbox): void {
    this.#hub.settled(message);
    if (settledChannel.hasSubscribers) {
      const ms = (message.settled_at ?? message.created_at) - message.created_at;
      settledChannel.publish({ behavior: mailbox.behavior, status: message.status, ms });
    }
  }

  /** Takes nothing new; waits up to `grace_ms` for what runs, then lets go of it for the next start or another node. */
  async stop(grace_ms: Millis): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, grace_ms);
    });
    await Promise.race([Promise.all([...this.#running.values()].map((run) => run.done)), grace]);
    clearTimeout(timer);
    const left = [...this.#running.values()];
    for (const run of left) run.abort.abort(new Error('the service stops'));
    await Promise.allSettled(left.map((run) => this.#store.jobs.later(run.claim, this.#clock())));
    clearInterval(this.#renewal);
  }

  async #pump(): Promise<void> {
    try {
      do {
        this.#again = false;
        const room = Math.min(CLAIM_MOST, this.#options.most - this.#running.size);
        if (room <= 0) break;
        const now = this.#clock();
        const due = await this.#store.jobs.nextDue();
        if (due === undefined || due > now) continue;
        const claims = await this.#store.jobs.claim(room, now, this.#options.lease_ms);
        for (const claim of claims) this.#start(claim);
        if (claims.length > 0) this.#again = true;
      } while (this.#again && !this.#stopped);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#pumping = false;
      this.#sleep();
    }
  }

  #sleep(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.poke(), this.#options.poll_ms);
    this.#timer.unref();
  }

  #start(claim: Claim): void {
    const abort = this.limit();
    this.#track(claim, abort, () =>
      claim.kind === 'purge' ? this.#purge(claim) : this.#handle(claim, undefined, undefined, abort),
    );
  }

  #track(claim: Claim, abort: AbortController, work: () => Promise<void>): void {
    const done = work()
      .catch(this.#options.onError)
      .finally(() => {
        // Ends the time limit's timer; nobody listens any more.
        abort.abort();
        this.#running.delete(claim.id);
        if (this.#running.size === this.#options.most - 1 || this.#again) this.poke();
      });
    this.#running.set(claim.id, { claim, abort, done });
  }

  async #handle(
    claim: Claim,
    known: Message | undefined,
    knownMailbox: Mailbox | undefined,
    abort: AbortController,
    begun?: Outcome | Promise<Outcome>,
  ): Promise<void> {
    const message = known ?? (await this.#store.messages.byId(claim.id));
    if (message === undefined) return;
    const mailbox = knownMailbox ?? (await this.#directory.mailboxById(message.mailbox_id));
    if (mailbox === undefined) return;
    const outcome =
      claim.attempt > ATTEMPTS_MOST
        ? ({ kind: 'fail', detail: 'The service stopped each time it handled this message.' } as const)
        : await (begun ?? this.#runner.handle(message, mailbox, () => abort.signal));
    if (this.#stopped && abort.signal.aborted) return;
    const settlement = this.#runner.settlement(this.#final(outcome, claim, abort.signal), mailbox);
    if (settlement !== undefined) {
      await this.settle(claim, message, mailbox, settlement);
    } else if (outcome.kind === 'retry') {
      await this.#store.jobs.later(claim, this.#clock() + backoff(outcome.after_ms, claim.attempt));
    }
  }

  /** A retry that was the last, or that ran out of time, is a failure. */
  #final(outcome: Outcome, claim: Claim, signal: AbortSignal): Outcome {
    if (outcome.kind !== 'retry') return outcome;
    if (signal.aborted) return { kind: 'fail', detail: 'It took longer than a message may take here.' };
    return claim.attempt >= ATTEMPTS_MOST ? { kind: 'fail', detail: outcome.detail } : outcome;
  }

  async #purge(claim: Claim): Promise<void> {
    while ((await this.#store.jobs.purge(claim)) === 'more') {
      if (this.#stopped) return;
    }
  }

  async #renew(): Promise<void> {
    const claims = [...this.#running.values()].map((run) => run.claim);
    if (claims.length === 0) return;
    try {
      const held = new Set(await this.#store.jobs.renew(claims, this.lease()));
      for (const claim of claims) {
        const run = this.#running.get(claim.id);
        if (!held.has(claim.id) && run?.claim === claim) run.abort.abort(new Error('the lease was lost'));
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
