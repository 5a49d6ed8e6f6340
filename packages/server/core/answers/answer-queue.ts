import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { AnswerClaim } from '../ports/answers.ts';
import type { Store } from '../ports/store.ts';
import { AnswerCall, type ClaimRequest, type LeasedClaim, type Reservation } from './answer-call.ts';

/** Where several nodes share the database a notice may be lost, so a waiting call looks again after this time. */
const POLL_MS: Millis = 5 * SECOND;
/** The shortest pause before a call looks again because a lease or a pause ends. */
const MIN_PAUSE_MS: Millis = 20;

interface Parts {
  readonly store: Pick<Store, 'answers' | 'shared'>;
  readonly clock: Clock;
}

/**
 * Gives the messages of a mailbox that wait for an answer to the programs that ask for them. A message that arrives while
 * a call waits here is accepted under a claim of that call; any other wakes a call, on any node, which claims it from the
 * store.
 */
export class AnswerQueue {
  readonly #store: Parts['store'];
  readonly #clock: Clock;
  /** The calls in progress by mailbox, those that wait longest first. */
  readonly #calls = new Map<string, Set<AnswerCall>>();

  constructor({ store, clock }: Parts) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A message of this mailbox can be claimed: wakes a call here, or else on the other nodes. */
  announce(mailboxId: string): void {
    if (!this.wake(mailboxId)) this.#store.shared?.publish({ kind: 'answerable', ids: [mailboxId] });
  }

  /** Wakes the call that waits longest for this mailbox; false when none does. */
  wake(mailboxId: string): boolean {
    return this.#callsFor(mailboxId).some((call) => call.wake());
  }

  /**
   * A claim of the call here that waits longest and has none so far, else of one that takes more; undefined when none
   * waits. The message is accepted under it.
   */
  reserve(mailboxId: string): Reservation | undefined {
    const free = this.#callsFor(mailboxId).find((call) => call.isFree);
    return (free ?? this.#callsFor(mailboxId).find((call) => call.takesMore))?.reserve(this.#clock());
  }

  /** Ends the calls that wait for messages of a mailbox that was deleted. */
  endCalls(mailboxId: string): void {
    for (const call of this.#callsFor(mailboxId)) call.close();
  }

  /** Claims at once what there is, or waits for the first message; an empty list when none came in time. */
  async claim(mailboxId: string, request: ClaimRequest): Promise<readonly LeasedClaim[]> {
    const { wait_ms, signal } = request;
    const until = performance.now() + wait_ms;
    const call = new AnswerCall(request);
    const calls = this.#calls.get(mailboxId) ?? new Set();
    this.#calls.set(mailboxId, calls.add(call));
    try {
      for (;;) {
        // A message that comes while it looks makes it look again.
        call.look();
        const { claims, next } = await this.#look(mailboxId, request);
        if (signal.aborted) return await this.#release(mailboxId, claims);
        const left = until - performance.now();
        if (claims.length > 0 || left <= 0) return claims;
        const granted = await call.wait(left, this.#pause(next));
        if (signal.aborted) return await this.#release(mailboxId, granted);
        if (granted.length > 0 || call.closed) return granted;
      }
    } finally {
      calls.delete(call);
      if (calls.size === 0) this.#calls.delete(mailboxId);
      // It may have taken another message than the one that woke it, so the next call is woken.
      if (call.woken) this.wake(mailboxId);
    }
  }

  #callsFor(mailboxId: string): IteratorObject<AnswerCall> {
    return (this.#calls.get(mailboxId) ?? []).values();
  }

  async #look(mailboxId: string, { max, lease_ms }: ClaimRequest) {
    const now = this.#clock();
    const lease_expires_at = now + lease_ms;
    const ids = Array.from({ length: max }, () => newId('clm', now));
    const { claims, next } = await this.#store.answers.claim(mailboxId, ids, now, lease_expires_at);
    return { claims: claims.map((claim): LeasedClaim => ({ ...claim, lease_expires_at })), next };
  }

  /** Gives back what the caller did not get. */
  async #release(mailboxId: string, claims: readonly AnswerClaim[]): Promise<[]> {
    const now = this.#clock();
    await Promise.all(claims.map((claim) => this.#store.answers.release(claim, now)));
    if (claims.length > 0) this.announce(mailboxId);
    return [];
  }

  /** How long nothing can be claimed: until a lease or a pause ends. */
  #pause(next: Millis | undefined): Millis {
    const pause = next === undefined ? Number.POSITIVE_INFINITY : Math.max(MIN_PAUSE_MS, next - this.#clock());
    return this.#store.shared === undefined ? pause : Math.min(pause, POLL_MS);
  }
}
