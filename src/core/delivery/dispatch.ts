import { channel } from 'node:diagnostics_channel';
import type { Directory } from '../access/directory.ts';
import type { Effect } from '../entities/effect.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Outcome } from '../ports/behavior.ts';
import type { Claim, JobKind, Settlement, Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { AppError } from '../values/error.ts';
import { lateText, outOfTime } from '../values/time-limit.ts';
import { callerOf } from './caller-of.ts';
import type { EffectLimits, TakenEffects } from './effect-limits.ts';
import type { OneTimeSecrets } from './one-time-secrets.ts';
import type { Approval, Runner } from './run.ts';
import { backoff, effectsOf, MAX_ATTEMPTS, sealedOf } from './run.ts';
import { Shares } from './shares.ts';
import type { StorageMeter } from './storage-meter.ts';
import { checkpointWith } from './suspended-result.ts';

/** Published for each message that settles: `{ behavior, status, ms }`. */
const settledChannel = channel('mailroom:message:settled');

export interface DispatchOptions {
  /** How many messages are handled at a time. */
  readonly max: number;
  readonly lease_ms: Millis;
  readonly run_ms: Millis;
  /** The longest sleep without a notice, to find work of other nodes and work that became due. */
  readonly poll_ms: Millis;
  readonly onError: (error: unknown) => void;
}

/**
 * Does the work of a claim until it is done or given back. When it rejects, the job stays claimed until the lease
 * expires, and is then claimed again. The signal aborts when the claim is lost, after the time limit, and when the
 * service stops.
 */
export type Work = (claim: Claim, signal: AbortSignal) => Promise<void>;

interface Running {
  readonly claim: Claim;
  readonly abort: AbortController;
  done: Promise<void>;
  /** It began beyond its caller's share and holds no slot. */
  readonly extra: boolean;
  /** Removes the run from its caller's share. */
  leaveShare: () => void;
}

/** A message that is already being handled, with the controller that ends its run. */
export interface StartedRun {
  readonly abort: AbortController;
  readonly outcome: Outcome | Promise<Outcome>;
}

const CLAIM_BATCH = 32;
/** Runs that wait for another message may give up their slots, up to this many times the number of slots. */
const MAX_YIELDED_PER_SLOT = 8;
/** A caller's messages take up to this part of the slots as they arrive. */
const SHARE = 1 / 2;
/**
 * While messages wait in the store, arriving ones take up to this part of the slots, which claimed ones cannot use, so
 * neither kind holds up the other.
 */
const RESERVED = 1 / 8;
/**
 * With few slots free the dispatcher waits this long for more, as claiming one job costs the store as much as claiming
 * many.
 */
const GATHER_MS = 2;
/** A job of a kind unknown here is retried after this time, as a node of another version may know it. */
const UNKNOWN_KIND_MS = 60_000;
/** A run past its time limit has this long to report what it had done. */
const END_MS = 2_000;

/** Claims due work under a lease, runs it and settles it; renews the leases of long runs and retries what failed. */
export class Dispatch {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #runner: Runner;
  readonly #bus: EventBus;
  readonly #secrets: OneTimeSecrets;
  readonly #storage: StorageMeter;
  readonly #limits: EffectLimits;
  readonly #clock: Clock;
  readonly #options: DispatchOptions;
  readonly #shares = new Shares();
  /** Slots for messages that waited in the store. */
  readonly #claimable: number;
  readonly #running = new Map<string, Running>();
  /** Slots reserved for messages that are about to be written. */
  #reserved = 0;
  /** Runs that have ended and whose outcome is being written; they hold no slot any more. */
  #written = 0;
  /** Runs that gave up their slot while they wait for another message, which needs a slot as well. */
  #yielded = 0;
  /** Runs beyond their callers' shares. */
  #extra = 0;
  /** Whether the store held more due work than there were slots at the last claim. */
  #backlog = false;
  /** Runs without a claim so far, each with a function that requests one. */
  readonly #expected = new Map<string, () => void>();
  /** Callers of `claimOf` that wait for a claim, by message id. */
  readonly #claimed = new Map<string, PromiseWithResolvers<Claim>>();
  readonly #work = new Map<JobKind, Work>([['purge', (claim) => this.#purge(claim)]]);
  #pumping = false;
  #pumped: Promise<void> = Promise.resolve();
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #renewal: NodeJS.Timeout;

  constructor(
    parts: {
      store: Store;
      directory: Directory;
      runner: Runner;
      bus: EventBus;
      sealed: OneTimeSecrets;
      storage: StorageMeter;
      limits: EffectLimits;
      clock: Clock;
    },
    options: DispatchOptions,
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#runner = parts.runner;
    this.#bus = parts.bus;
    this.#secrets = parts.sealed;
    this.#storage = parts.storage;
    this.#limits = parts.limits;
    this.#clock = parts.clock;
    this.#options = options;
    this.#claimable = options.max - Math.floor(options.max * RESERVED);
    this.#runner.progress?.claimedBy((id) => this.#running.get(id)?.claim);
    this.#runner.service?.setClaims(this);
    this.#renewal = setInterval(() => void this.#renew(), options.lease_ms / 3);
    this.#renewal.unref();
  }

  /** Looks for due work now, because there may be some. */
  checkDue(): void {
    if (this.#stopped) return;
    if (this.#pumping) {
      this.#again = true;
      return;
    }
    this.#pumping = true;
    this.#pumped = this.#pump();
  }

  /** There is due work, perhaps more than this node has slots for: look now, here and on the other nodes. */
  announceDue(): void {
    this.checkDue();
    this.#store.shared?.publish({ kind: 'due' });
  }

  /** Whether a message could be handled at once: a slot is free and nothing has waited longer. */
  get idle(): boolean {
    return !this.#stopped && !this.#pumping && this.#usedSlots < this.#options.max;
  }

  /**
   * Reserves a slot for a message that is about to be written, if one is free and its caller is within its share. `adopt`
   * takes the slot over; otherwise call `releaseSlot`.
   */
  acquireSlot(message: Message): boolean {
    if (this.#stopped || this.#usedSlots >= this.#options.max || this.#hasItsShare(message)) return false;
    this.#reserved++;
    return true;
  }

  #hasItsShare(message: Message): boolean {
    const share = this.#backlog ? RESERVED : SHARE;
    return this.#shares.of(callerOf(message)) >= Math.ceil(this.#options.max * share);
  }

  /** Returns a reserved slot when the message was not written or may not be handled now. */
  releaseSlot(): void {
    this.#reserved--;
    this.#slotFreed();
  }

  get running(): number {
    return this.#running.size;
  }

  /** The end of a lease that starts now. */
  lease(): Millis {
    return this.#clock() + this.#options.lease_ms;
  }

  /**
   * A controller that aborts a run at its time limit; the caller passes it to `adopt` when the dispatcher takes the run
   * over.
   */
  limit(): AbortController {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(outOfTime(this.#options.run_ms)), this.#options.run_ms);
    timer.unref();
    abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return abort;
  }

  /**
   * Registers the worker of a kind that the dispatcher does not handle itself; jobs of unregistered kinds are given back
   * for later.
   */
  register(kind: Exclude<JobKind, 'handle' | 'purge'>, by: Work): void {
    this.#work.set(kind, by);
  }

  /**
   * Announces a run that begins before its message is written; `wanted` is called when the run needs a claim, until the
   * result is disposed.
   */
  expect(id: string, wanted: () => void): Disposable {
    this.#expected.set(id, wanted);
    return { [Symbol.dispose]: () => this.#expected.delete(id) };
  }

  /**
   * The claim of a message that is being handled; requests one if there is none so far. Rejects when `signal` aborts
   * first.
   */
  async claimOf(id: string, signal: AbortSignal): Promise<Claim> {
    const running = this.#running.get(id);
    // An aborted run has no claim; a claim found now may belong to another run.
    signal.throwIfAborted();
    if (running !== undefined) return running.claim;
    const claimed = this.#claimed.get(id) ?? Promise.withResolvers<Claim>();
    this.#claimed.set(id, claimed);
    const fail = (): void => claimed.reject(signal.reason);
    signal.addEventListener('abort', fail, { once: true });
    if (signal.aborted) fail();
    this.#expected.get(id)?.();
    try {
      return await claimed.promise;
    } finally {
      signal.removeEventListener('abort', fail);
      this.#claimed.delete(id);
    }
  }

  /** Frees the run's slot while it waits for another message, because that message needs a slot too. */
  async yieldSlot<T>(id: string, until: Promise<T>): Promise<T> {
    const run = this.#running.get(id);
    run?.leaveShare();
    // An extra run holds no slot that it could give up.
    if (run?.extra || this.#yielded >= MAX_YIELDED_PER_SLOT * this.#options.max) return until;
    this.#yielded++;
    this.#slotFreed();
    try {
      return await until;
    } finally {
      this.#yielded--;
    }
  }

  /** Takes over a message that was claimed (fence 1) when it was accepted: its run has started, or has a slot reserved. */
  adopt(message: Message, mailbox: Mailbox, started?: StartedRun): void {
    if (started === undefined) this.#reserved--;
    const abort = started?.abort ?? this.limit();
    const claim: Claim = { id: message.id, kind: 'handle', fence: 1, attempt: 1, subject: mailbox.id };
    if (this.#stopped) {
      abort.abort(new Error('the service stops'));
      void this.#releaseClaims([claim]);
      return;
    }
    // The run has already started, so beyond its caller's share it counts as extra and takes no slot from others.
    const extra = started !== undefined && this.#hasItsShare(message);
    this.#track(claim, abort, () => this.#handle(claim, message, mailbox, abort, started?.outcome), { message, extra });
  }

  /** Stops the run of a message that was settled by someone else. */
  abort(id: string): void {
    this.#running.get(id)?.abort.abort(new Error('canceled'));
  }

  /** Settles, wakes the waiting requests and updates the metrics. False: another run or request settled it. */
  async settle(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    effects?: readonly Effect[],
  ): Promise<boolean> {
    if (effects !== undefined) return this.#settleWith(claim, message, mailbox, settlement, effects);
    return this.#write(claim, message, mailbox, settlement);
  }

  /** When an effect is refused, the message fails and neither its effects nor its reply is written. */
  async #settleWith(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    effects: readonly Effect[],
  ): Promise<boolean> {
    let taken: TakenEffects;
    try {
      taken = await this.#retryWhileUnavailable(() => this.#limits.take(message, mailbox, effects));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      return this.#write(claim, message, mailbox, {
        ...settlement,
        status: 'failed',
        error_code: error.code === 'storage_full' ? error.code : 'behavior_failed',
        error_message: error.message,
        reply_body: null,
        reply_data: null,
      });
    }
    let settled = false;
    try {
      settled = await this.#write(claim, message, mailbox, settlement, effects);
    } finally {
      taken.end(settled);
    }
    return settled;
  }

  async #write(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    effects?: readonly Effect[],
  ): Promise<boolean> {
    const settled = await this.#retryWhileUnavailable(() => this.#store.messages.settle(claim, settlement, effects));
    if (settled) {
      this.afterSettled({ ...message, ...settlement }, mailbox);
      this.#store.shared?.publish({ kind: 'settled', ids: [message.id] });
    }
    return settled;
  }

  /** Publishes the settlement of a message that waited. */
  afterSettled(message: Message, mailbox: Mailbox): void {
    this.#storage.settled(message);
    this.publishSettled(message, mailbox);
  }

  /** Publishes a settlement that was written. */
  publishSettled(message: Message, mailbox: Mailbox): void {
    this.#bus.publishSettled(message);
    this.publishEvents(mailbox.namespace_id);
    // The reply may have been filed in the sender's mailbox.
    if (message.from !== null && message.sender_namespace_id !== null) this.publishEvents(message.sender_namespace_id);
    if (settledChannel.hasSubscribers) {
      const ms = (message.settled_at ?? message.created_at) - message.created_at;
      settledChannel.publish({ behavior: mailbox.behavior, status: message.status, ms });
    }
  }

  /** Notifies subscribers that events of that namespace were written. */
  publishEvents(namespaceId: string): void {
    this.#bus.publishEvents(namespaceId);
  }

  /**
   * Takes nothing new, waits up to `grace_ms` for the current runs, and leaves the rest to the next start or another
   * node.
   */
  async stop(grace_ms: Millis): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, grace_ms);
    });
    const done = [this.#pumped, ...[...this.#running.values()].map((run) => run.done)];
    await Promise.race([Promise.all(done), grace]);
    clearTimeout(timer);
    const left = [...this.#running.values()];
    for (const run of left) run.abort.abort(new Error('the service stops'));
    await this.#releaseClaims(left.map((run) => run.claim));
    clearInterval(this.#renewal);
  }

  get #usedSlots(): number {
    return this.#running.size - this.#written - this.#yielded - this.#extra + this.#reserved;
  }

  /** Writes after giving up the slot, so that the next message may begin during the write. */
  async #settleWithoutSlot(write: () => Promise<boolean>): Promise<void> {
    if (this.#written >= this.#options.max) {
      await write();
      return;
    }
    this.#written++;
    this.#slotFreed();
    try {
      await write();
    } finally {
      this.#written--;
    }
  }

  /** A slot was freed: when all were taken, work may wait for it. */
  #slotFreed(): void {
    if (this.#usedSlots === this.#claimable - 1 || this.#again) this.checkDue();
  }

  async #releaseClaims(claims: readonly Claim[]): Promise<void> {
    const now = this.#clock();
    const given = await Promise.allSettled(claims.map((claim) => this.#store.jobs.later(claim, now)));
    for (const one of given) if (one.status === 'rejected') this.#options.onError(one.reason);
  }

  get #freeSlots(): number {
    return Math.min(CLAIM_BATCH, this.#claimable - this.#usedSlots);
  }

  async #pump(): Promise<void> {
    let more = false;
    try {
      do {
        this.#again = false;
        if (this.#freeSlots <= 0) {
          this.#backlog = true;
          break;
        }
        if (this.#freeSlots < this.#options.max / 8) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
        const free = this.#freeSlots;
        if (free <= 0) break;
        const now = this.#clock();
        if (!more) {
          const announceDue = await this.#store.jobs.nextDue();
          if (announceDue === undefined || announceDue > now) {
            this.#backlog = false;
            continue;
          }
        }
        const claims = await this.#store.jobs.claim(free, now, this.#options.lease_ms);
        if (this.#stopped) await this.#releaseClaims(claims);
        else for (const claim of claims) this.#start(claim);
        more = claims.length === free;
        this.#backlog = more;
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
    this.#timer = setTimeout(() => this.checkDue(), this.#options.poll_ms);
    this.#timer.unref();
  }

  #start(claim: Claim): void {
    const abort = this.limit();
    const work = async (): Promise<void> => {
      if (claim.kind === 'handle') return this.#handle(claim, undefined, undefined, abort);
      const work = this.#work.get(claim.kind);
      if (work !== undefined) return work(claim, abort.signal);
      await this.#store.jobs.later(claim, this.#clock() + UNKNOWN_KIND_MS);
    };
    this.#track(claim, abort, work, { message: claim.message });
  }

  #track(
    claim: Claim,
    abort: AbortController,
    work: () => Promise<void>,
    { message, extra = false }: { readonly message?: Message | undefined; readonly extra?: boolean } = {},
  ): void {
    // The lease expired here unnoticed and the job was claimed again; the run under the older claim can write nothing
    // more.
    this.#running.get(claim.id)?.abort.abort(new Error('the lease was lost'));
    const leaveShare = message === undefined ? () => {} : this.#shares.take(callerOf(message));
    const run: Running = { claim, abort, done: Promise.resolve(), extra, leaveShare };
    // Registered before the run starts, as it may end at once; its slot would otherwise count as free meanwhile.
    this.#running.set(claim.id, run);
    if (extra) this.#extra++;
    run.done = work()
      .catch(this.#options.onError)
      .finally(() => {
        // Clears the timer of the time limit; the run has ended and no longer listens.
        abort.abort();
        run.leaveShare();
        if (extra) this.#extra--;
        if (this.#running.get(claim.id) === run) this.#running.delete(claim.id);
        this.#slotFreed();
      });
    this.#claimed.get(claim.id)?.resolve(claim);
  }

  /** Counts a run in its caller's share as soon as its message is known. */
  #count(claim: Claim, message: Message): void {
    const run = this.#running.get(claim.id);
    if (run?.claim === claim) run.leaveShare = this.#shares.take(callerOf(message));
  }

  async #handle(
    claim: Claim,
    known: Message | undefined,
    knownMailbox: Mailbox | undefined,
    abort: AbortController,
    started?: Outcome | Promise<Outcome>,
  ): Promise<void> {
    const message = known ?? claim.message ?? (await this.#store.messages.byId(claim.id));
    if (message === undefined) return;
    if (known === undefined && claim.message === undefined) this.#count(claim, message);
    const mailbox = knownMailbox ?? (await this.#directory.mailboxById(message.mailbox_id));
    if (mailbox === undefined) return;
    const { signal } = abort;
    let outcome: Outcome | undefined;
    if (claim.attempt > MAX_ATTEMPTS) {
      outcome = { kind: 'fail', detail: 'The service stopped each time it handled this message.' };
    } else {
      const run = started ?? this.#runner.handle(message, mailbox, () => signal, claim.fence > 1);
      outcome = run instanceof Promise ? await unlessAborted(run, signal) : run;
    }
    const late = lateText(signal);
    // Another attempt would take as long.
    if (late !== undefined && (outcome === undefined || outcome.kind === 'retry'))
      outcome = { kind: 'fail', detail: late };
    if (outcome === undefined) return;
    const afterSettled = this.#runner.settlement(outcome, message, mailbox);
    if (!('kind' in afterSettled)) {
      const effects = effectsOf(outcome);
      const sealed = sealedOf(outcome);
      await this.#settleWithoutSlot(async () => {
        // Sealed before the note is written that says there is something to read.
        if (sealed !== undefined) {
          await this.#retryWhileUnavailable(() => this.#secrets.seal(message.id, sealed, sealed.until, 'once'));
        }
        return this.settle(claim, message, mailbox, afterSettled, effects);
      });
    } else if (afterSettled.kind === 'approval') {
      await this.#suspend(claim, message, mailbox, afterSettled);
    } else if (claim.attempt >= MAX_ATTEMPTS) {
      const failure = { kind: 'fail', detail: afterSettled.detail, ...afterSettled.done } as const;
      const settlement = this.#runner.settlement(failure, message, mailbox) as Settlement;
      await this.settle(claim, message, mailbox, settlement, effectsOf(failure));
    } else {
      await this.#store.jobs.later(claim, this.#clock() + backoff(afterSettled.after_ms, claim.attempt));
    }
  }

  /** Suspends the message until an owner decides; no job of it is due until then. */
  async #suspend(claim: Claim, message: Message, mailbox: Mailbox, asked: Approval): Promise<void> {
    const { plan, by } = asked;
    const [text, state] = [JSON.stringify(plan), checkpointWith(asked)];
    const { behavior } = mailbox;
    if (
      !(await this.#retryWhileUnavailable(() =>
        this.#store.messages.suspend(claim, text, state, this.#clock(), by, behavior),
      ))
    )
      return;
    this.#bus.publishSettled({
      ...message,
      status: 'working',
      waiting_for: 'approval',
      plan: text,
      decides: by ?? 'recipient',
    });
    this.publishEvents(mailbox.namespace_id);
    if (by === 'sender' && message.sender_namespace_id !== null) this.publishEvents(message.sender_namespace_id);
  }

  /**
   * Retries a write while the store is unavailable, for as long as the lease holds, so that a restart of the database
   * does not lose the outcome of a run.
   */
  async #retryWhileUnavailable<T>(write: () => Promise<T>): Promise<T> {
    const until = this.#clock() + this.#options.lease_ms;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const passes = error instanceof AppError && error.code === 'unavailable';
        if (!passes || this.#stopped || this.#clock() >= until) throw error;
        await new Promise((resolve) => setTimeout(resolve, this.#options.poll_ms));
      }
    }
  }

  async #purge(claim: Claim): Promise<void> {
    while ((await this.#store.jobs.purge(claim)) === 'more') {
      if (this.#stopped) return this.#releaseClaims([claim]);
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

/**
 * The outcome of a run, or undefined when it was aborted first, so that a behavior that ignores its signal holds its slot
 * hardly longer than one that ends on it.
 */
const unlessAborted = (run: Promise<Outcome>, signal: AbortSignal): Promise<Outcome | undefined> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      if (lateText(signal) === undefined) resolve(undefined);
      else timer = setTimeout(resolve, END_MS, undefined);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    run.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    });
  });
