import diagnostics from 'node:diagnostics_channel';
import { type Clock, HOUR, type Millis } from '@mailroom/behavior/values/clock';
import { TimeLimit } from '@mailroom/behavior/values/time-limit';
import type { DeliveryClaim, DeliveryName, NewDelivery } from '../entities/delivery.ts';
import type { DeliveryEnd, DeliveryKind, DeliveryResult, DueDelivery, Failure } from '../ports/delivery.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';
import { type Tracing, traced } from '../ports/tracing.ts';
import { Worker } from '../runs/worker.ts';
import { DeliveryQueue, together } from './delivery-queue.ts';
import { RETRIES } from './delivery-retries.ts';
import { DeliverySlots, partsOf } from './delivery-slots.ts';
import { type Attempt, type DeliverySource, firstClaim, stream } from './delivery-stream.ts';

export interface DelivererOptions {
  readonly lease_ms: Millis;
  /** The longest sleep without a notice, to find deliveries of other nodes and those that became due. */
  readonly poll_ms: Millis;
  readonly onError: (error: unknown) => void;
  readonly log: (entry: DeliveryLog) => void;
}

export interface DelivererParts {
  readonly store: Pick<Store, 'deliveries' | 'suppressions' | 'shared' | 'messages'>;
  readonly clock: Clock;
  /** Deliveries of other kinds are left to other nodes. */
  readonly kinds: readonly DeliveryKind[];
  readonly tracing?: Tracing | undefined;
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

type Target = Pick<DueDelivery, 'kind' | 'destination'>;

/** The longest pause that a target can ask for. */
const MAX_AFTER_MS: Millis = 10 * HOUR;
/** An aborted attempt has this long to report how it ended. */
const END_MS: Millis = 1000;

const attempted = diagnostics.channel('mailroom:delivery:attempted');

/**
 * Makes the deliveries of this node: one attempt under each claim, and retries by the schedule of its kind until it is too
 * old. It has slots of its own, some for each kind and few of them for one destination.
 */
export class Deliverer {
  readonly #store: DelivererParts['store'];
  readonly #parts: DelivererParts;
  readonly #clock: Clock;
  readonly #kinds: ReadonlyMap<DeliveryName, DeliveryKind>;
  readonly #options: DelivererOptions;
  readonly #slots: DeliverySlots;
  readonly #queue: DeliveryQueue;
  readonly #worker: Worker<DeliveryClaim>;
  /** Those whose target was looked at as they were written. */
  readonly #begun = new Set<string>();

  constructor(parts: DelivererParts, options: DelivererOptions) {
    this.#parts = parts;
    const { store, clock, kinds } = parts;
    this.#store = store;
    this.#clock = clock;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#slots = new DeliverySlots(kinds);
    this.#options = options;
    this.#queue = new DeliveryQueue(store.deliveries, this.#slots);
    this.#worker = new Worker(
      { queue: this.#queue, handle: ({ claim, slot }, { signal }) => this.#attempt(claim, slot, signal), clock },
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
  announce(delivery: Target): void {
    if (this.#worker.stopped || !this.#slots.has(delivery)) this.#store.shared?.publish({ kind: 'due' });
    this.#worker.check();
  }

  /** The end of a lease that starts now. */
  leaseEnd(): Millis {
    return this.#worker.leaseEnd();
  }

  /** Makes the first attempt of a delivery that was written under a lease until then, without a slot. */
  begin({ leased_until = this.leaseEnd(), ...delivery }: NewDelivery): void {
    const claim = firstClaim(delivery, leased_until);
    this.#begun.add(claim.id);
    this.#worker.run({ claim, slot: { release: () => {} } });
  }

  /** A slot for a stream to a destination whose last attempt was answered soon; undefined while there is none. */
  slotFor(target: Target): { release(): void } | undefined {
    if (this.#worker.stopped || !this.#slots.answers(target) || !this.#slots.take(target)) return undefined;
    return { release: () => this.#slots.release(target) };
  }

  /** Makes deliveries as they are read, in this slot, beginning with one that was written under a lease until then. */
  stream(
    { leased_until = this.leaseEnd(), ...delivery }: NewDelivery,
    slot: { release(): void },
    source: DeliverySource,
  ) {
    const claim = firstClaim(delivery, leased_until);
    const kind = this.#kinds.get(claim.kind) as DeliveryKind;
    const abort = this.#worker.limit();
    const { signal } = abort;
    const parts = {
      ...{ source, signal, batch: partsOf(claim.destination).batch, leaseEnd: () => this.leaseEnd() },
      request: (claims: readonly DeliveryClaim[]) => this.#request(claim, claims, kind, signal),
      ends: (attempts: readonly Attempt[]) => this.#endsOf(attempts, kind),
      hold: (claims: readonly DeliveryClaim[]) => this.#queue.keep(claim, claims),
      isStopped: () => this.#worker.stopped,
    };
    this.#worker.run({ claim, slot }, abort, () => stream(claim, parts).finally(() => source.ended()));
  }

  /** Looks for due deliveries now, because there may be some. */
  checkDue(): void {
    this.#worker.check();
  }

  /** Takes nothing new, waits up to `grace_ms` for the current attempts, and gives the rest back. */
  stop(grace_ms: Millis): Promise<void> {
    return this.#worker.stop(grace_ms);
  }

  /**
   * Attempts a claim: of several as many in a request as it takes, one request after the other, while nothing fails. The
   * end of one request is written during the next.
   */
  async #attempt(claim: DeliveryClaim, slot: { release(): void }, signal: AbortSignal): Promise<void> {
    const kind = this.#kinds.get(claim.kind) as DeliveryKind;
    const { batch } = partsOf(claim.destination);
    let unended = together(claim);
    let writing = Promise.resolve(false);
    let isChanged = false;
    for (let goesOn = true; goesOn && unended.length > 0; ) {
      const request = this.#request(claim, unended.slice(0, batch), kind, signal);
      const [attempts, changed] = await Promise.all([request, writing]);
      isChanged ||= changed;
      const isLater = ({ result }: Attempt) => result.kind === 'later';
      goesOn =
        !this.#worker.stopped && !attempts.every(isLater) && attempts.every(({ result }) => result.kind !== 'failed');
      const ended = goesOn ? attempts.filter((one) => !isLater(one)) : attempts;
      unended = [...(goesOn ? attempts.filter(isLater).map((one) => one.claim) : []), ...unended.slice(batch)];
      this.#queue.keep(claim, unended);
      if (unended.length === 0 && claim.others !== undefined) {
        // The next request is prepared while this one's end is written, in the same commit where they meet.
        slot.release();
        this.#worker.check();
      }
      writing = this.#write(ended, kind, signal);
    }
    isChanged = (await writing) || isChanged;
    if (unended.length > 0 && !signal.aborted) await this.#queue.release(claim, this.#clock());
    if (isChanged) kind.changed?.(claim);
  }

  /** One request, and what it says of its destination. */
  async #request(
    claim: DeliveryClaim,
    claims: readonly DeliveryClaim[],
    kind: DeliveryKind,
    signal: AbortSignal,
  ): Promise<readonly Attempt[]> {
    const from = performance.now();
    const results = await this.#deliverAll(claims, kind, signal);
    const ms = performance.now() - from;
    // A server that refuses a mail answers as well as one that takes it.
    const isReply = (result: DeliveryResult) => result.kind === 'failed' && result.response !== undefined;
    for (const kindOf of new Set(results.map((result) => (isReply(result) ? 'sent' : result.kind))))
      this.#slots.note(claim, kindOf, ms);
    return claims.map((one, place) => ({ claim: one, result: results[place] ?? DROPPED }));
  }

  /** Writes how the attempts of one request ended; whether the status of one changed. */
  async #write(attempts: readonly Attempt[], kind: DeliveryKind, signal: AbortSignal): Promise<boolean> {
    const isSent = ({ result }: Attempt) => result.kind === 'sent';
    const sent = attempts.length === 1 ? [] : attempts.filter(isSent).map((one) => one.claim);
    if (sent.length > 0) await this.#store.deliveries.sentAll(sent, this.#clock());
    for (const _ of sent) attempted.publish({ kind: kind.name, outcome: 'sent' });
    // One draw and one time for all, so that what failed together is due together again.
    const [random, now] = [Math.random(), this.#clock()];
    const rest = sent.length === 0 ? attempts : attempts.filter((one) => !isSent(one));
    const logged = rest.find(({ result }) => result.kind === 'failed')?.claim;
    await Promise.all(
      rest.map((one) =>
        this.#end(one.claim, kind, one.result, { signal, random, now, isLogged: one.claim === logged }),
      ),
    );
    return attempts.some(isSent) || (logged !== undefined && !signal.aborted);
  }

  /** Writes how the attempt of one ended. */
  async #end(
    claim: DeliveryClaim,
    kind: DeliveryKind,
    result: DeliveryResult,
    { signal, random, now, isLogged }: Ending,
  ): Promise<void> {
    const { deliveries } = this.#store;
    if (result.kind === 'dropped') {
      await deliveries.remove(claim);
      return;
    }
    if (result.kind === 'sent') {
      if (!kind.keeps) await deliveries.remove(claim);
      else if (result.ended !== true) await deliveries.sent(claim, now);
      attempted.publish({ kind: kind.name, outcome: 'sent' });
      return;
    }
    // The claim is another node's now, or given back.
    if (signal.aborted) return;
    if (result.kind === 'later') {
      await deliveries.release(claim, result.at);
      return;
    }
    const { error, due_at } = this.#failed(claim, kind, result, { random, now, isLogged });
    if (due_at !== null) await deliveries.deferred(claim, error, due_at, now);
    else if (kind.keeps) await deliveries.failed(claim, error, now);
    else await deliveries.remove(claim);
  }

  /** How an attempt ended that failed, after it is logged and counted. */
  #failed(
    claim: DeliveryClaim,
    kind: DeliveryKind,
    { permanent, reason, response = reason, retry_after_ms = 0 }: Failure,
    { random, now, isLogged }: Omit<Ending, 'signal'>,
  ): DeliveryEnd & { readonly error: string } {
    const pause = permanent ? undefined : RETRIES[kind.name].pause(claim.attempt, () => random);
    const at = pause === undefined ? undefined : now + Math.max(pause, Math.min(retry_after_ms, MAX_AFTER_MS));
    const due_at = at !== undefined && at < claim.expires_at ? at : null;
    const status = due_at === null ? 'failed' : 'deferred';
    const { id: delivery_id, attempt } = claim;
    const domain = kind.logged(claim.target);
    if (isLogged) this.#options.log({ delivery_id, kind: kind.name, domain, attempt, outcome: status, reason });
    attempted.publish({ kind: kind.name, outcome: status });
    return { status, error: response, due_at };
  }

  /** How the attempts of one request of a stream ended; undefined for what was dropped. */
  #endsOf(attempts: readonly Attempt[], kind: DeliveryKind): readonly (DeliveryEnd | undefined)[] {
    const [random, now] = [Math.random(), this.#clock()];
    const logged = attempts.find(({ result }) => result.kind === 'failed')?.claim;
    return attempts.map(({ claim, result }) => {
      if (result.kind === 'failed')
        return this.#failed(claim, kind, result, { random, now, isLogged: claim === logged });
      if (result.kind !== 'sent') return undefined;
      attempted.publish({ kind: kind.name, outcome: 'sent' });
      return { status: 'sent', error: null, due_at: null };
    });
  }

  /** The results of one attempt, in the order of the claims. */
  async #deliverAll(
    claims: readonly DeliveryClaim[],
    kind: DeliveryKind,
    signal: AbortSignal,
  ): Promise<readonly DeliveryResult[]> {
    const expired = failed({ permanent: true, reason: 'expired' });
    const live = claims.filter(({ expires_at }) => this.#clock() < expires_at);
    if (live.length === 0) return claims.map(() => expired);
    const results = await this.#deliver(live, kind, signal);
    const byClaim = new Map(live.map((claim, place) => [claim, results[place] ?? DROPPED]));
    return claims.map((claim) => byClaim.get(claim) ?? expired);
  }

  async #deliver(
    claims: readonly DeliveryClaim[],
    kind: DeliveryKind,
    signal: AbortSignal,
  ): Promise<readonly DeliveryResult[]> {
    const all = (result: DeliveryResult): readonly DeliveryResult[] => claims.map(() => result);
    const [claim] = claims;
    if (claim === undefined) return [];
    try {
      if (!this.#begun.delete(claim.id) && kind.suppressible === true) {
        const suppressed = await this.#store.suppressions.find(claim);
        if (suppressed !== undefined)
          return all(failed({ permanent: true, reason: `suppressed: ${suppressed.reason}` }));
      }
      using limit = new TimeLimit(kind.attempt_ms, signal);
      const act = () =>
        kind.deliverAll?.(claims, limit.signal) ?? kind.deliver(claim, limit.signal).then((result) => [result]);
      const { tracing } = this.#parts;
      const attempt = tracing === undefined ? act() : this.#traced(tracing, claims, act);
      return await unlessAborted(attempt, limit.signal, all(failed({ permanent: false, reason: 'ETIMEDOUT' })));
    } catch (error) {
      this.#options.onError(error);
      return all(failed({ permanent: false, reason: 'internal' }));
    }
  }

  /** An attempt in a span below that of its message; of several messages below that of the first, with links to the others. */
  async #traced(
    tracing: Tracing,
    claims: readonly DeliveryClaim[],
    act: () => Promise<readonly DeliveryResult[]>,
  ): Promise<readonly DeliveryResult[]> {
    const ids = claims.map(({ message_id }) => message_id).filter((id) => id !== null);
    const traces = ids.length === 0 ? [] : await this.#store.messages.traces(ids);
    const [parent, ...links] = new Set(traces.filter((one) => one !== undefined));
    const { kind, attempt } = claims[0] as DeliveryClaim;
    const attributes = {
      'mailroom.delivery.kind': kind,
      'mailroom.delivery.attempt': attempt,
      'mailroom.delivery.count': claims.length,
    };
    const outcome = (results: readonly DeliveryResult[]) => ({
      'mailroom.delivery.outcome': results[0]?.kind ?? 'dropped',
    });
    return traced(tracing, [`deliver ${kind}`, { kind: 'client', parent, links, attributes }], act, outcome);
  }
}

/** What the ends of one request have in common, but for the one that is logged. */
interface Ending {
  readonly signal: AbortSignal;
  readonly random: number;
  readonly now: Millis;
  readonly isLogged: boolean;
}

const DROPPED: DeliveryResult = { kind: 'dropped' };
const failed = (failure: Failure): DeliveryResult => ({ kind: 'failed', ...failure });

/** The result of an attempt, also when its transport ignores that it was aborted. */
function unlessAborted<T>(attempt: Promise<T>, signal: AbortSignal, aborted: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      setTimeout(() => resolve(aborted), END_MS).unref();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    attempt.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
