import diagnostics from 'node:diagnostics_channel';
import type {
  DeliveryClaim,
  DeliveryKind,
  DeliveryName,
  DeliveryResult,
  DueDelivery,
  Failure,
  NewDelivery,
} from '../ports/delivery.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { HOUR } from '../values/clock.ts';
import { TimeLimit } from '../values/time-limit.ts';
import { RETRIES } from './delivery-retries.ts';
import { DeliverySlots, DestinationHistory } from './delivery-slots.ts';
import { WaitingDeliveries } from './waiting-deliveries.ts';

export interface DelivererOptions {
  readonly lease_ms: Millis;
  /** The longest sleep without a notice, to find deliveries of other nodes and those that became due. */
  readonly poll_ms: Millis;
  readonly onError: (error: unknown) => void;
  readonly log: (entry: DeliveryLog) => void;
}

/** An entry for the log: at most a domain, never an address and nothing of the payload. */
export interface DeliveryLog {
  readonly delivery_id: string;
  readonly kind: DeliveryName;
  readonly domain: string;
  readonly attempt: number;
  /** `deferred`: it is retried. `failed`: it is not. */
  readonly outcome: 'deferred' | 'failed';
  readonly reason: string;
}

interface Running {
  readonly claim: DeliveryClaim;
  readonly abort: AbortController;
  done: Promise<void>;
}

/** A slot for a delivery that is about to be written, with the lease that it is written with. */
export interface HeldSlot {
  readonly leased_until: Millis;
  /** Begins the delivery that was written with the lease, by `deliver`; undefined gives the slot back. */
  begin(claim: DeliveryClaim | undefined, deliver: DeliveryKind['deliver']): void;
}

/** Maximum number of due deliveries that are read at a time. */
const DUE_BATCH = 256;
/** The longest pause that a target can ask for. */
const MAX_AFTER_MS: Millis = 10 * HOUR;
/** With so many in progress, what ends within `GATHER_MS` is followed by one claim of what waits. */
const MANY = 8;
const GATHER_MS: Millis = 10;
/** With so many in progress, a query is followed by a pause of this many times what it took: requests come first. */
const PAUSE = 20;
/** An aborted attempt has this long to report how it ended. */
const END_MS: Millis = 1000;

const attempted = diagnostics.channel('mailroom:delivery:attempted');

/**
 * Makes the deliveries of this node: claims what is due under a lease, makes one attempt, and retries by the schedule of
 * its kind until it is too old. It has slots of its own, some for each kind and few of them for one destination.
 */
export class Deliverer {
  readonly #store: Pick<Store, 'deliveries' | 'suppressions' | 'shared'>;
  readonly #clock: Clock;
  readonly #kinds: ReadonlyMap<DeliveryName, DeliveryKind>;
  readonly #options: DelivererOptions;
  readonly #running = new Map<string, Running>();
  readonly #history = new DestinationHistory();
  readonly #slots: DeliverySlots;
  readonly #waiting = new WaitingDeliveries();
  readonly #renewal: NodeJS.Timeout;
  #pumping = false;
  #pumped: Promise<void> = Promise.resolve();
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  /** There may be due deliveries in the store that do not wait here. */
  #more = false;
  /** The last query may not have shown all that was due. */
  #partial = false;
  /** How long the last query of what is due took, and when it ended, by the clock of `performance`. */
  #look_ms: Millis = 0;
  #looked_at = Number.NEGATIVE_INFINITY;

  constructor(
    parts: {
      readonly store: Pick<Store, 'deliveries' | 'suppressions' | 'shared'>;
      readonly clock: Clock;
      /** Deliveries of other kinds are left to other nodes. */
      readonly kinds: readonly DeliveryKind[];
    },
    options: DelivererOptions,
  ) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#kinds = new Map(parts.kinds.map((kind) => [kind.name, kind]));
    this.#slots = new DeliverySlots(this.#kinds, this.#history);
    this.#options = options;
    this.#renewal = setInterval(() => void this.#renew(), options.lease_ms / 3);
    this.#renewal.unref();
  }

  /** The number of deliveries in progress. */
  get running(): number {
    return this.#running.size;
  }

  /**
   * Durable when it resolves, with `state` in the same transaction; it is made soon after, here or on another node. The
   * same id twice is one delivery. AppError `unavailable`.
   */
  async add(delivery: NewDelivery, state?: State): Promise<void> {
    const expires_at = Math.min(delivery.expires_at, delivery.created_at + RETRIES[delivery.kind].max_age_ms);
    await this.#store.deliveries.add({ ...delivery, expires_at }, state);
    this.announce(delivery);
  }

  /** That delivery was written: make it when there is a slot for it, here or on another node. */
  announce(delivery: Pick<DueDelivery, 'kind' | 'destination'> & Partial<Pick<NewDelivery, 'id' | 'due_at'>>): void {
    const { id, due_at = 0 } = delivery;
    const waits = id !== undefined && due_at <= this.#clock() && this.#waiting.add({ ...delivery, id });
    if (!waits) this.#more = true;
    if (!this.#stopped && this.#slots.has(delivery)) this.#check();
    else this.#store.shared?.publish({ kind: 'due' });
  }

  /**
   * Holds a slot for a delivery that is about to be written, which is then neither looked for nor claimed. Undefined when
   * there is none, and while others to its destination wait for one: then it is announced once it is written.
   */
  hold(delivery: Pick<DueDelivery, 'kind' | 'destination'>): HeldSlot | undefined {
    if (this.#stopped || this.#waiting.has(delivery) || !this.#slots.take(delivery)) return undefined;
    return {
      leased_until: this.#clock() + this.#options.lease_ms,
      begin: (claim, deliver) => {
        if (claim !== undefined && !this.#stopped) this.#start(claim, deliver);
        else {
          this.#slots.release(delivery);
          if (claim !== undefined) void this.#release([claim]);
          else this.#ended();
        }
      },
    };
  }

  /** Looks for due deliveries now, because there may be some. */
  checkDue(): void {
    this.#more = true;
    this.#check();
  }

  #check(): void {
    if (this.#stopped) return;
    if (this.#pumping) {
      this.#again = true;
      return;
    }
    this.#pumping = true;
    this.#pumped = this.#pump();
  }

  /** Takes nothing new, waits up to `grace_ms` for the current attempts, and gives the rest back. */
  async stop(grace_ms: Millis): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, grace_ms);
    });
    const done = async (): Promise<void> => {
      await this.#pumped;
      await Promise.all([...this.#running.values()].map((one) => one.done));
    };
    await Promise.race([done(), grace]);
    clearTimeout(timer);
    const left = [...this.#running.values()];
    for (const { abort } of left) abort.abort(new Error('the service stops'));
    await this.#release(left.map(({ claim }) => claim));
    clearInterval(this.#renewal);
  }

  async #pump(): Promise<void> {
    try {
      do {
        this.#again = false;
        await this.#claim();
        if (this.#more && this.#mayLook() && (await this.#look())) this.#again = true;
      } while (this.#again && !this.#stopped);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#pumping = false;
      if (!this.#stopped)
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.checkDue();
        }, this.#options.poll_ms).unref();
    }
  }

  /** Whether enough time has passed since the last query; if not, it is made after that. */
  #mayLook(): boolean {
    const pause = this.#looked_at + PAUSE * this.#look_ms - performance.now();
    if (pause <= 0 || this.#running.size < MANY) return true;
    this.#gather(pause);
    return false;
  }

  /** Finds what is due and does not wait here; returns whether some of it does now. */
  async #look(): Promise<boolean> {
    this.#more = false;
    const next = await this.#store.deliveries.nextDue();
    if (next === undefined || next > this.#clock()) return false;
    const query = this.#slots.query(this.#waiting.destinations());
    const from = performance.now();
    const due = await this.#store.deliveries.due(query, this.#clock(), DUE_BATCH);
    this.#looked_at = performance.now();
    this.#look_ms = this.#looked_at - from;
    let added = 0;
    // The lease of one that runs here is renewed late, unless another node claims it before.
    for (const one of due) if (!this.#running.has(one.id) && this.#waiting.add(one)) added += 1;
    const whole = due.length < DUE_BATCH;
    this.#more = !whole && added > 0;
    this.#partial = !whole || query.partial;
    return added > 0;
  }

  /** Starts those that there are slots for. */
  async #claim(): Promise<void> {
    const taken = this.#waiting.take((one) => this.#slots.take(one));
    if (taken.length === 0) return;
    const begun = new Set<string>();
    try {
      const ids = taken.map(({ id }) => id);
      const claims = await this.#store.deliveries.claim(ids, this.#clock(), this.#options.lease_ms);
      if (this.#stopped) await this.#release(claims);
      else
        for (const claim of claims) {
          begun.add(claim.id);
          this.#start(claim);
        }
    } finally {
      // Others claimed it, or it is gone.
      for (const one of taken) if (!begun.has(one.id)) this.#slots.release(one);
      if (begun.size < taken.length) this.#again = this.#waiting.size > 0;
    }
  }

  /** Begins a delivery that has a slot. */
  #start(claim: DeliveryClaim, deliver?: DeliveryKind['deliver']): void {
    const known = this.#kinds.get(claim.kind) as DeliveryKind;
    const kind = deliver === undefined ? known : { ...known, deliver };
    // The lease expired here unnoticed and the delivery was claimed again.
    this.#running.get(claim.id)?.abort.abort(new Error('the lease was lost'));
    const running: Running = { claim, abort: new AbortController(), done: Promise.resolve() };
    this.#running.set(claim.id, running);
    running.done = this.#attempt(claim, kind, running.abort.signal)
      .catch(this.#options.onError)
      .finally(() => {
        if (this.#running.get(claim.id) === running) this.#running.delete(claim.id);
        this.#slots.release(claim);
        this.#ended();
      });
  }

  #ended(): void {
    if (this.#partial) this.#more = true;
    if (this.#running.size < MANY) this.#check();
    else if (this.#more || this.#waiting.size > 0) this.#gather(GATHER_MS);
  }

  #gather(ms: Millis): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#check();
    }, ms);
  }

  async #attempt(claim: DeliveryClaim, kind: DeliveryKind, signal: AbortSignal): Promise<void> {
    const { deliveries } = this.#store;
    const from = performance.now();
    const result = await this.#deliver(claim, kind, signal);
    // A server that refuses a mail answers as well as one that takes it.
    const isReply = result.kind === 'failed' && result.response !== undefined;
    this.#history.note(claim, isReply ? 'sent' : result.kind, performance.now() - from);
    if (result.kind === 'dropped') {
      await deliveries.remove(claim);
      return;
    }
    if (result.kind === 'sent') {
      await (kind.keeps ? deliveries.sent(claim, this.#clock()) : deliveries.remove(claim));
      kind.changed?.(claim);
      attempted.publish({ kind: kind.name, outcome: 'sent' });
      return;
    }
    // The claim is another node's now, or given back.
    if (signal.aborted) return;
    if (result.kind === 'later') {
      await deliveries.release(claim, result.at);
      return;
    }
    const { permanent, reason, response = reason, retry_after_ms = 0 } = result;
    const pause = permanent ? undefined : RETRIES[kind.name].pause(claim.attempt);
    const at =
      pause === undefined ? undefined : this.#clock() + Math.max(pause, Math.min(retry_after_ms, MAX_AFTER_MS));
    const again = at !== undefined && at < claim.expires_at ? at : undefined;
    const outcome = again === undefined ? 'failed' : 'deferred';
    const { id: delivery_id, attempt } = claim;
    const domain = kind.logged(claim.target);
    this.#options.log({ delivery_id, kind: kind.name, domain, attempt, outcome, reason });
    if (again !== undefined) await deliveries.deferred(claim, response, again, this.#clock());
    else if (kind.keeps) await deliveries.failed(claim, response, this.#clock());
    else await deliveries.remove(claim);
    kind.changed?.(claim);
    attempted.publish({ kind: kind.name, outcome });
  }

  async #deliver(claim: DeliveryClaim, kind: DeliveryKind, signal: AbortSignal): Promise<DeliveryResult> {
    if (this.#clock() >= claim.expires_at) return failed({ permanent: true, reason: 'expired' });
    try {
      if (kind.suppressible === true) {
        const suppressed = await this.#store.suppressions.find(claim);
        if (suppressed !== undefined) return failed({ permanent: true, reason: `suppressed: ${suppressed.reason}` });
      }
      using limit = new TimeLimit(kind.attempt_ms, signal);
      return await unlessAborted(kind.deliver(claim, limit.signal), limit.signal);
    } catch (error) {
      this.#options.onError(error);
      return failed({ permanent: false, reason: 'internal' });
    }
  }

  async #renew(): Promise<void> {
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    try {
      const until = this.#clock() + this.#options.lease_ms;
      const claims = running.map(({ claim }) => claim);
      const held = new Set(await this.#store.deliveries.renew(claims, until));
      for (const { claim, abort } of running) if (!held.has(claim.id)) abort.abort(new Error('the lease was lost'));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #release(claims: readonly DeliveryClaim[]): Promise<void> {
    const now = this.#clock();
    const released = await Promise.allSettled(claims.map((claim) => this.#store.deliveries.release(claim, now)));
    for (const one of released) if (one.status === 'rejected') this.#options.onError(one.reason);
  }
}

const failed = (failure: Failure): DeliveryResult => ({ kind: 'failed', ...failure });

/** The result of an attempt, also when its transport ignores that it was aborted. */
function unlessAborted(attempt: Promise<DeliveryResult>, signal: AbortSignal): Promise<DeliveryResult> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      setTimeout(() => resolve(failed({ permanent: false, reason: 'ETIMEDOUT' })), END_MS).unref();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    attempt.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
