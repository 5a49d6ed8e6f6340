import diagnostics from 'node:diagnostics_channel';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { HOUR } from '@mailroom/behavior/values/clock';
import { TimeLimit } from '@mailroom/behavior/values/time-limit';
import type { DeliveryClaim, DeliveryName, NewDelivery } from '../entities/delivery.ts';
import type { DeliveryKind, DeliveryResult, DueDelivery, Failure } from '../ports/delivery.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';
import type { Queue } from '../runs/worker.ts';
import { Worker } from '../runs/worker.ts';
import { RETRIES } from './delivery-retries.ts';
import { DeliverySlots } from './delivery-slots.ts';

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

/** Maximum number of due deliveries that are read at a time. */
const DUE_BATCH = 64;
/** The longest pause that a target can ask for. */
const MAX_AFTER_MS: Millis = 10 * HOUR;
/** How often a claim is repeated when other nodes took all that it had found. */
const MAX_LOST = 3;
/** While `MANY` are in progress, a query is followed by a pause of this many times what it took: requests come first. */
const PAUSE = 20;
const MANY = 8;
/** An aborted attempt has this long to report how it ended. */
const END_MS: Millis = 1000;

const attempted = diagnostics.channel('mailroom:delivery:attempted');

/** What is due and has a slot, those due longest first. */
class DeliveryQueue implements Queue<DeliveryClaim> {
  readonly #deliveries: Store['deliveries'];
  readonly #slots: DeliverySlots;
  /** When the next query may be made, by the clock of `performance`. */
  #rested_at = 0;

  constructor(deliveries: Store['deliveries'], slots: DeliverySlots) {
    this.#deliveries = deliveries;
    this.#slots = slots;
  }

  async claim(now: Millis, lease_ms: Millis, tries = MAX_LOST): ReturnType<Queue<DeliveryClaim>['claim']> {
    const from = performance.now();
    if (this.#slots.total >= MANY && from < this.#rested_at)
      return { leased: [], more: true, next: now + this.#rested_at - from };
    const query = this.#slots.query();
    const { due, next } = await this.#deliveries.due(query, now, DUE_BATCH);
    this.#rested_at = performance.now() + PAUSE * (performance.now() - from);
    const taken = due.filter((one) => this.#slots.take(one));
    const claims = await this.#claim(taken, now, lease_ms);
    if (claims.length === 0 && taken.length > 0 && tries > 1) return this.claim(now, lease_ms, tries - 1);
    const leased = claims.map((claim) => ({ claim, slot: { release: () => this.#slots.release(claim) } }));
    return { leased, more: query.partial || claims.length < due.length || due.length === DUE_BATCH, next };
  }

  /** Claims those that have a slot; others may have claimed some of them meanwhile. */
  async #claim(taken: readonly DueDelivery[], now: Millis, lease_ms: Millis): Promise<readonly DeliveryClaim[]> {
    if (taken.length === 0) return [];
    const unclaimed = new Map(taken.map((one) => [one.id, one]));
    try {
      const claims = await this.#deliveries.claim([...unclaimed.keys()], now, lease_ms);
      for (const { id } of claims) unclaimed.delete(id);
      return claims;
    } finally {
      for (const one of unclaimed.values()) this.#slots.release(one);
    }
  }

  renew(claims: readonly DeliveryClaim[], until: Millis): Promise<readonly string[]> {
    return this.#deliveries.renew(claims, until);
  }

  release(claim: DeliveryClaim, at: Millis): Promise<boolean> {
    return this.#deliveries.release(claim, at);
  }
}

/**
 * Makes the deliveries of this node: one attempt under each claim, and retries by the schedule of its kind until it is too
 * old. It has slots of its own, some for each kind and few of them for one destination.
 */
export class Deliverer {
  readonly #store: Pick<Store, 'deliveries' | 'suppressions' | 'shared'>;
  readonly #clock: Clock;
  readonly #kinds: ReadonlyMap<DeliveryName, DeliveryKind>;
  readonly #options: DelivererOptions;
  readonly #slots: DeliverySlots;
  readonly #worker: Worker<DeliveryClaim>;
  /** Those whose target was looked at as they were written. */
  readonly #begun = new Set<string>();

  constructor(
    parts: {
      readonly store: Pick<Store, 'deliveries' | 'suppressions' | 'shared'>;
      readonly clock: Clock;
      /** Deliveries of other kinds are left to other nodes. */
      readonly kinds: readonly DeliveryKind[];
    },
    options: DelivererOptions,
  ) {
    const { store, clock, kinds } = parts;
    this.#store = store;
    this.#clock = clock;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#slots = new DeliverySlots(kinds);
    this.#options = options;
    const queue = new DeliveryQueue(store.deliveries, this.#slots);
    this.#worker = new Worker(
      { queue, handle: ({ claim }, { signal }) => this.#attempt(claim, signal), clock },
      options,
    );
  }

  /** The number of deliveries in progress. */
  get running(): number {
    return this.#worker.running;
  }

  /**
   * Durable when it resolves, with `state` in the same transaction; it is made soon after, here or on another node. The
   * same id twice is one delivery. AppError `unavailable`.
   */
  async add(delivery: NewDelivery, state?: State): Promise<void> {
    await this.addBy(delivery, async (bounded) => {
      await this.#store.deliveries.add(bounded, state);
      return true;
    });
  }

  /** As `add`, where `write` stores it with what it depends on. False where it did not. */
  async addBy(delivery: NewDelivery, write: (bounded: NewDelivery) => Promise<boolean>): Promise<boolean> {
    const expires_at = Math.min(delivery.expires_at, delivery.created_at + RETRIES[delivery.kind].max_age_ms);
    const isWritten = await write({ ...delivery, expires_at });
    if (isWritten) this.announce(delivery);
    return isWritten;
  }

  /** Such a delivery was written: make it when there is a slot for it, here or on another node. */
  announce(delivery: Pick<DueDelivery, 'kind' | 'destination'>): void {
    if (this.#worker.stopped || !this.#slots.has(delivery)) this.#store.shared?.publish({ kind: 'due' });
    this.#worker.check();
  }

  /** The end of a lease that starts now. */
  leaseEnd(): Millis {
    return this.#worker.leaseEnd();
  }

  /** Makes the first attempt of a delivery that was written under a lease until then, without a slot. */
  begin({ leased_until = this.leaseEnd(), ...delivery }: NewDelivery): void {
    const claim: DeliveryClaim = {
      ...{ ...delivery, event_id: delivery.event_id ?? null, status: 'queued', error: null },
      ...{ due_at: leased_until, attempt: 1, fence: 1, updated_at: delivery.created_at },
    };
    this.#begun.add(claim.id);
    this.#worker.run({ claim, slot: { release: () => {} } });
  }

  /** Looks for due deliveries now, because there may be some. */
  checkDue(): void {
    this.#worker.check();
  }

  /** Takes nothing new, waits up to `grace_ms` for the current attempts, and gives the rest back. */
  stop(grace_ms: Millis): Promise<void> {
    return this.#worker.stop(grace_ms);
  }

  async #attempt(claim: DeliveryClaim, signal: AbortSignal): Promise<void> {
    const kind = this.#kinds.get(claim.kind) as DeliveryKind;
    const { deliveries } = this.#store;
    const from = performance.now();
    const result = await this.#deliver(claim, kind, signal);
    // A server that refuses a mail answers as well as one that takes it.
    const isReply = result.kind === 'failed' && result.response !== undefined;
    this.#slots.note(claim, isReply ? 'sent' : result.kind, performance.now() - from);
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
      if (!this.#begun.delete(claim.id) && kind.suppressible === true) {
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
