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
  /** The longest it sleeps though nothing told it of work: another node's, or work that became due by time. */
  readonly poll_ms: Millis;
  readonly onError: (error: unknown) => void;
}

/**
 * Does the work of a claim until it is done, or given back: a rejection leaves it to whoever claims it when the lease runs
 * out. The signal aborts when the claim is lost, after the longest time, and when the service stops.
 */
export type Work = (claim: Claim, signal: AbortSignal) => Promise<void>;

interface Running {
  readonly claim: Claim;
  readonly abort: AbortController;
  done: Promise<void>;
  /** It began beyond its caller's share, and takes no slot from others. */
  readonly extra: boolean;
  /** Its caller's share is counted without it from then on. */
  leaveShare: () => void;
}

/** A message that is being handled already, and how to end that. */
export interface StartedRun {
  readonly abort: AbortController;
  readonly outcome: Outcome | Promise<Outcome>;
}

const CLAIM_BATCH = 32;
/** So many times as many messages as run may wait for others, without a place of their own. */
const MAX_YIELDED_PER_SLOT = 8;
/** A caller's messages take up to this part of the slots as they arrive, */
const SHARE = 1 / 2;
/** and up to this part while others wait in the store, to which these slots are closed: none is held up by another's. */
const RESERVED = 1 / 8;
/** With hardly any place free it waits so long for more: a claim of one costs the store as much as one of many. */
const GATHER_MS = 2;
/** Work that no part of this process does is looked at again: one of another version may do it. */
const UNKNOWN_KIND_MS = 60_000;
/** What is out of time may take so long to tell what it had done. */
const END_MS = 2_000;

/** Takes due work under a lease, has it handled, and settles it; renews what runs long, tries again what broke. */
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
  /** Slots for what waited in the store. */
  readonly #claimable: number;
  readonly #running = new Map<string, Running>();
  /** Places kept for messages that are about to be written. */
  #reserved = 0;
  /** Runs that are over and whose outcome is being written, in a place that is free again. */
  #written = 0;
  /** Runs that wait for another message, which needs a place as well. */
  #yielded = 0;
  /** Runs beyond their callers' shares. */
  #extra = 0;
  /** More waited in the store than there were slots, when it was last looked. */
  #backlog = false;
  /** Runs that nobody has a claim for yet, each with how to get one soon; */
  readonly #expected = new Map<string, () => void>();
  /** and who waits for one. */
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

  /** There may be work: look now. */
  checkDue(): void {
    if (this.#stopped) return;
    if (this.#pumping) {
      this.#again = true;
      return;
    }
    this.#pumping = true;
    this.#pumped = this.#pump();
  }

  /** There is work, perhaps more than this node has room for: look now, here and elsewhere. */
  announceDue(): void {
    this.checkDue();
    this.#store.shared?.publish({ kind: 'due' });
  }

  /** Whether a message could be handled at once: room, and nothing that has waited longer. */
  get idle(): boolean {
    return !this.#stopped && !this.#pumping && this.#usedSlots < this.#options.max;
  }

  /**
   * Keeps a place for a message that is about to be written, if there is one and its caller does not hold its share of them:
   * `adopt` takes it, else `release` it.
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

  /** The message was not written, or may not be handled now. */
  releaseSlot(): void {
    this.#reserved--;
    this.#slotFreed();
  }

  get running(): number {
    return this.#running.size;
  }

  /** Until when a claim that is made now holds. */
  lease(): Millis {
    return this.#clock() + this.#options.lease_ms;
  }

  /** A signal that ends a run after its longest time; the caller hands it to `adopt` when the run goes on in here. */
  limit(): AbortController {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(outOfTime(this.#options.run_ms)), this.#options.run_ms);
    timer.unref();
    abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return abort;
  }

  /** What does the work of a kind that is not this one's own. What nobody does is given back for later. */
  register(kind: Exclude<JobKind, 'handle' | 'purge'>, by: Work): void {
    this.#work.set(kind, by);
  }

  /** A run begins before its message is written: `wanted` is called when it wants that at once, until this is disposed. */
  expect(id: string, wanted: () => void): Disposable {
    this.#expected.set(id, wanted);
    return { [Symbol.dispose]: () => this.#expected.delete(id) };
  }

  /** Under which claim a message is worked on: made now if it has none yet. Rejects when `signal` aborts first. */
  async claimOf(id: string, signal: AbortSignal): Promise<Claim> {
    const running = this.#running.get(id);
    // A run that was ended has none: the claim that is there may be of another one.
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

  /** Others may have the place of a run while it waits for another message: that one needs a place too. */
  async yieldSlot<T>(id: string, until: Promise<T>): Promise<T> {
    const run = this.#running.get(id);
    run?.leaveShare();
    // It takes no place of others anyway.
    if (run?.extra || this.#yielded >= MAX_YIELDED_PER_SLOT * this.#options.max) return until;
    this.#yielded++;
    this.#slotFreed();
    try {
      return await until;
    } finally {
      this.#yielded--;
    }
  }

  /** Goes on with a message that is claimed (fence 1) by its acceptance: as it was begun, or in a place reserved for it. */
  adopt(message: Message, mailbox: Mailbox, started?: StartedRun): void {
    if (started === undefined) this.#reserved--;
    const abort = started?.abort ?? this.limit();
    const claim: Claim = { id: message.id, kind: 'handle', fence: 1, attempt: 1, subject: mailbox.id };
    if (this.#stopped) {
      abort.abort(new Error('the service stops'));
      void this.#releaseClaims([claim]);
      return;
    }
    // It runs already: a caller with more of these than its share takes no slots of others by them.
    const extra = started !== undefined && this.#hasItsShare(message);
    this.#track(claim, abort, () => this.#handle(claim, message, mailbox, abort, started?.outcome), { message, extra });
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
    effects?: readonly Effect[],
  ): Promise<boolean> {
    if (effects !== undefined) return this.#settleWith(claim, message, mailbox, settlement, effects);
    return this.#write(claim, message, mailbox, settlement);
  }

  /** What may not be left behind fails the message: of its effects and its answer nothing is written. */
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

  /** What follows the settlement of a message that waited. */
  afterSettled(message: Message, mailbox: Mailbox): void {
    this.#storage.settled(message);
    this.publishSettled(message, mailbox);
  }

  /** What follows a settlement that was written. */
  publishSettled(message: Message, mailbox: Mailbox): void {
    this.#bus.publishSettled(message);
    this.publishEvents(mailbox.namespace_id);
    // The reply may have been filed with its sender.
    if (message.from !== null && message.sender_namespace_id !== null) this.publishEvents(message.sender_namespace_id);
    if (settledChannel.hasSubscribers) {
      const ms = (message.settled_at ?? message.created_at) - message.created_at;
      settledChannel.publish({ behavior: mailbox.behavior, status: message.status, ms });
    }
  }

  /** Something happened in that namespace, and is written: whoever follows it is told. */
  publishEvents(namespaceId: string): void {
    this.#bus.publishEvents(namespaceId);
  }

  /** Takes nothing new; waits up to `grace_ms` for what runs, then lets go of it for the next start or another node. */
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

  /** What is being written needs no place any more: the next message may begin. */
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

  /** A place is free: when all were taken, someone may wait for it. */
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
    // Its lease ran out here unnoticed and was taken anew: the run under the older claim can write nothing more.
    this.#running.get(claim.id)?.abort.abort(new Error('the lease was lost'));
    const leaveShare = message === undefined ? () => {} : this.#shares.take(callerOf(message));
    const run: Running = { claim, abort, done: Promise.resolve(), extra, leaveShare };
    // Before it begins, as it may be over at once: else its place would count as free meanwhile.
    this.#running.set(claim.id, run);
    if (extra) this.#extra++;
    run.done = work()
      .catch(this.#options.onError)
      .finally(() => {
        // Ends the time limit's timer; nobody listens any more.
        abort.abort();
        run.leaveShare();
        if (extra) this.#extra--;
        if (this.#running.get(claim.id) === run) this.#running.delete(claim.id);
        this.#slotFreed();
      });
    this.#claimed.get(claim.id)?.resolve(claim);
  }

  /** Counts a run in its caller's share, once its message is known. */
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
    // Another try would take as long.
    if (late !== undefined && (outcome === undefined || outcome.kind === 'retry'))
      outcome = { kind: 'fail', detail: late };
    if (outcome === undefined) return;
    const afterSettled = this.#runner.settlement(outcome, message, mailbox);
    if (!('kind' in afterSettled)) {
      const effects = effectsOf(outcome);
      const sealed = sealedOf(outcome);
      await this.#settleWithoutSlot(async () => {
        // Before the note that says there is something to read.
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

  /** An owner is to decide: nothing is due until then. */
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
   * Tries again what the store cannot do at the moment for as long as the claim may hold: what a behavior came to is not
   * thrown away because a database started anew.
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
 * What a run came to, or undefined when it was ended first: a behavior that does not heed its signal keeps its place hardly
 * longer than one that does.
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
