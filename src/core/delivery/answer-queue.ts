import type { Message } from '../entities/message.ts';
import type { AnswerClaim, GivenClaim } from '../ports/answers.ts';
import type { Acceptance } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { newId } from '../values/ids.ts';
import type { Granted } from './claim-offers.ts';
import { ClaimOffers } from './claim-offers.ts';

/** Where several nodes share the database a notice may be lost, so a waiting call looks again after this time. */
const POLL_MS: Millis = 5 * SECOND;
/** A call that waits for longer is offered to the other nodes. */
const OFFER_AFTER_MS: Millis = 5;
/** The shortest pause before a call looks again because a lease or a pause ends. */
const MIN_PAUSE_MS: Millis = 20;

/** What a program asks for with a claim. */
export interface ClaimRequest {
  /** How many messages at most. */
  readonly max: number;
  /** How long to wait for the first one. */
  readonly wait_ms: Millis;
  readonly lease_ms: Millis;
  /** Aborts when the caller is gone or the service stops. */
  readonly signal: AbortSignal;
}

/** A claim, and when its lease ends. */
export interface LeasedClaim extends GivenClaim {
  readonly lease_expires_at: Millis;
}

/** A claim of a waiting call, for a message that is about to be accepted. */
export interface Reservation {
  readonly claimed: NonNullable<Acceptance['claimed']>;
  /** The message was accepted under the claim: the call gets it. */
  grant(message: Message): void;
  /** It was not: the call waits for another. */
  cancel(): void;
}

/**
 * Gives the messages of a mailbox that wait for an answer to the programs that ask for them. A message that arrives while
 * a call waits on this node is accepted under a claim of that call; otherwise the message wakes a call, on any node, which
 * claims it from the store.
 */
export class AnswerQueue {
  readonly #store: Pick<Store, 'answers' | 'messages' | 'shared'>;
  readonly #offers: ClaimOffers<Call> | undefined;
  readonly #clock: Clock;
  /** The calls in progress by mailbox, those that wait longest first. */
  readonly #calls = new Map<string, Set<Call>>();

  constructor({
    store,
    clock,
  }: { readonly store: Pick<Store, 'answers' | 'messages' | 'shared'>; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#offers =
      store.shared &&
      new ClaimOffers<Call>(store.shared, (granted, call) => {
        // What cannot be read now is for others when its lease ends.
        this.#onGranted(granted, call).catch(() => {});
      });
  }

  /** A message of this mailbox can be claimed: wakes a call here, or else on the other nodes. */
  announce(mailboxId: string): void {
    if (!this.wake(mailboxId)) this.#store.shared?.publish({ kind: 'answerable', ids: [mailboxId] });
  }

  /** Wakes the call that waits longest for this mailbox; false when none does. */
  wake(mailboxId: string): boolean {
    const calls = this.#calls.get(mailboxId);
    if (calls === undefined) return false;
    for (const call of calls) if (call.wake()) return true;
    return false;
  }

  /**
   * A claim of the call that waits longest and has none so far, else of one that takes more, else of a call on another
   * node; undefined when none is known to wait.
   */
  reserve(mailboxId: string): Reservation | undefined {
    const calls = this.#calls.get(mailboxId);
    let more: Call | undefined;
    for (const call of calls ?? []) {
      if (call.isFree) return call.reserve(this.#clock());
      if (more === undefined && call.takesMore) more = call;
    }
    if (more !== undefined) return more.reserve(this.#clock());
    // A call here that is not waiting yet looks for it in the store.
    return calls === undefined ? this.#reserveElsewhere(mailboxId) : undefined;
  }

  #reserveElsewhere(mailboxId: string): Reservation | undefined {
    const offers = this.#offers;
    const offer = offers?.take(mailboxId);
    if (offers === undefined || offer === undefined) return undefined;
    const until = this.#clock() + offer.lease_ms;
    return {
      claimed: { claim: offer.claim, until },
      grant: ({ id }) => offers.grant(offer, id, until),
      cancel: () => offers.putBack(offer),
    };
  }

  /** Another node accepted a message under a claim that a call here offered: that call gets it, or one like it. */
  async #onGranted({ claim, message_id, until }: Granted, offering: Call): Promise<void> {
    const { mailbox_id, lease_ms } = offering;
    const like = [offering, ...(this.#calls.get(mailbox_id) ?? [])];
    const call = like.find((one) => one.isFree && one.lease_ms === lease_ms);
    const reservation = call?.reserve(this.#clock(), { claim, until });
    let message: Message | undefined;
    try {
      message = await this.#store.messages.byId(message_id);
    } finally {
      // It may have been answered by hand or canceled meanwhile.
      const held = message?.status === 'working' && message.waiting_for === 'answer' && this.#clock() < until;
      if (!held) message = undefined;
      if (message === undefined) reservation?.cancel();
    }
    if (message === undefined) return;
    if (reservation !== undefined) reservation.grant(message);
    else await this.#release(mailbox_id, [{ message_id, claim }]);
  }

  /** Claims at once what there is, or waits for the first message; an empty list when none came in time. */
  async claim(mailboxId: string, request: ClaimRequest): Promise<readonly LeasedClaim[]> {
    const { max, wait_ms, lease_ms, signal } = request;
    const until = performance.now() + wait_ms;
    const call = new Call(mailboxId, request);
    const offer = this.#offerOf(call);
    const calls = this.#calls.get(mailboxId) ?? new Set();
    this.#calls.set(mailboxId, calls.add(call));
    try {
      for (;;) {
        // A message that comes while it looks makes it look again.
        call.look();
        const claims = await this.#take(mailboxId, max, lease_ms);
        if (signal.aborted) return await this.#release(mailboxId, claims);
        const left = until - performance.now();
        if (claims.length > 0 || left <= 0) return claims;
        const granted = await call.wait(left, this.#pause(mailboxId));
        if (granted.length === 0) await offer.look();
        if (signal.aborted) return await this.#release(mailboxId, granted);
        if (granted.length > 0) return granted;
      }
    } finally {
      offer.close();
      calls.delete(call);
      if (calls.size === 0 && this.#calls.get(mailboxId) === calls) this.#calls.delete(mailboxId);
      // It may have taken another message than the one that woke it, so the next call is woken.
      if (call.woken) this.wake(mailboxId);
    }
  }

  /** Offers a claim of this call to the other nodes, if it waits for longer than others need to bring a message. */
  #offerOf(call: Call) {
    const offers = this.#offers;
    const { mailbox_id, lease_ms } = call;
    let open: ReturnType<ClaimOffers<Call>['open']> | undefined;
    const timer =
      offers &&
      setTimeout(() => {
        open = offers.open(call, mailbox_id, lease_ms, this.#clock());
      }, OFFER_AFTER_MS);
    return {
      /** Finds a message whose notice was lost. */
      look: async (): Promise<void> => {
        const claim = open?.claim;
        if (claim === undefined) return;
        const found = await this.#store.answers.under(mailbox_id, claim);
        for (const { id, until } of found) offers?.granted({ kind: 'granted', claim, message_id: id, until });
      },
      close: (): void => {
        clearTimeout(timer);
        open?.close();
      },
    };
  }

  async #take(mailboxId: string, max: number, lease_ms: Millis): Promise<readonly LeasedClaim[]> {
    const now = this.#clock();
    const lease_expires_at = now + lease_ms;
    const ids = Array.from({ length: max }, () => newId('clm', now));
    const claims = await this.#store.answers.claim(mailboxId, ids, now, lease_expires_at);
    return claims.map((claim) => ({ ...claim, lease_expires_at }));
  }

  /** Gives back what the caller did not get. */
  async #release(mailboxId: string, claims: readonly AnswerClaim[]): Promise<[]> {
    const now = this.#clock();
    await Promise.all(claims.map((claim) => this.#store.answers.release(claim, now)));
    if (claims.length > 0) this.announce(mailboxId);
    return [];
  }

  /** How long nothing can be claimed as far as this node knows. */
  async #pause(mailboxId: string): Promise<Millis> {
    const next = await this.#store.answers.nextAt(mailboxId);
    const pause = next === undefined ? Number.POSITIVE_INFINITY : Math.max(MIN_PAUSE_MS, next - this.#clock());
    return this.#store.shared === undefined ? pause : Math.min(pause, POLL_MS);
  }
}

/** A program's call for messages: it looks in the store, waits, and looks again when it is woken. */
class Call {
  readonly mailbox_id: string;
  readonly #request: ClaimRequest;
  /** Whether a message came that it has not looked for. */
  woken = false;
  #waits = false;
  /** Claims for messages that are being accepted. */
  #reserved = 0;
  /** Whether a message came that it could not look for, as it had reservations. */
  #missed = false;
  readonly #granted: LeasedClaim[] = [];
  /** Whether its wait is over, once nothing is being accepted for it. */
  #over = false;
  #end = (): void => {};

  constructor(mailbox_id: string, request: ClaimRequest) {
    this.mailbox_id = mailbox_id;
    this.#request = request;
  }

  get lease_ms(): Millis {
    return this.#request.lease_ms;
  }

  get isFree(): boolean {
    return this.takesMore && this.#reserved === 0;
  }

  get takesMore(): boolean {
    const { max, signal } = this.#request;
    return this.#waits && !this.#over && this.#granted.length === 0 && this.#reserved < max && !signal.aborted;
  }

  look(): void {
    this.woken = false;
  }

  /** False when it is woken already, or is about to end with other messages. */
  wake(): boolean {
    if (this.#reserved > 0) this.#missed = true;
    if (this.woken || this.#reserved > 0 || this.#granted.length > 0) return false;
    this.woken = true;
    this.#end();
    return true;
  }

  reserve(now: Millis, claimed = { claim: newId('clm', now), until: now + this.lease_ms }): Reservation {
    this.#reserved++;
    return {
      claimed,
      grant: (message) => {
        const { claim, until } = claimed;
        this.#granted.push({ message_id: message.id, claim, lease_expires_at: until, message });
        this.#decided();
      },
      cancel: () => this.#decided(),
    };
  }

  /** What was granted when it is woken, after `ms` or `pause`, or when the signal aborts. */
  async wait(ms: Millis, pause: Promise<Millis>): Promise<readonly LeasedClaim[]> {
    if (this.woken) return [];
    const { signal } = this.#request;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      this.#over = true;
      // What is being accepted under its claims is its own.
      if (this.#reserved === 0) resolve();
    };
    this.#end = end;
    this.#over = false;
    this.#waits = true;
    const timers = [setTimeout(end, ms)];
    pause.then(
      (soon) => !this.#over && soon < ms && timers.push(setTimeout(end, soon)),
      () => end(),
    );
    signal.addEventListener('abort', end, { once: true });
    try {
      await promise;
      return this.#granted;
    } finally {
      this.#waits = false;
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  #decided(): void {
    this.#reserved--;
    if (this.#reserved > 0) return;
    if (this.#granted.length > 0 || this.#over) this.#end();
    else if (this.#missed) this.wake();
    this.#missed = false;
  }
}
