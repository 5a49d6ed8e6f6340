import type { Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { Message } from '../entities/message.ts';
import type { GivenClaim } from '../ports/answers.ts';
import type { Acceptance } from '../ports/messages.ts';

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

type Claimed = NonNullable<Acceptance['claimed']>;

/** A claim of a waiting call, for a message that is about to be accepted. */
export interface Reservation {
  readonly claimed: Claimed;
  /** The message was accepted under the claim: the call gets it. */
  grant(message: Message): void;
  /** It was not: the call waits for another. */
  cancel(): void;
}

/** A program's call for messages: it looks in the store, waits, and looks again when it is woken. */
export class AnswerCall {
  readonly #request: ClaimRequest;
  /** Whether a message came that it has not looked for. */
  woken = false;
  /** Whether its mailbox was deleted, so that nothing comes any more. */
  closed = false;
  #waits = false;
  /** Claims for messages that are being accepted. */
  #reserved = 0;
  /** Whether a message came that it could not look for, as it had reservations. */
  #missed = false;
  readonly #granted: LeasedClaim[] = [];
  /** Whether its wait is over, once nothing is being accepted for it. */
  #over = false;
  #end = (): void => {};

  constructor(request: ClaimRequest) {
    this.#request = request;
  }

  get isFree(): boolean {
    return this.takesMore && this.#reserved === 0 && this.#granted.length === 0;
  }

  get takesMore(): boolean {
    const { max, signal } = this.#request;
    return this.#waits && !this.#over && this.#granted.length + this.#reserved < max && !signal.aborted;
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

  close(): void {
    this.closed = true;
    this.#end();
  }

  reserve(now: Millis): Reservation {
    const claimed = { claim: newId('clm', now), until: now + this.#request.lease_ms };
    this.#reserved++;
    return {
      claimed,
      grant: (message) => {
        this.#granted.push(given(message, claimed));
        this.#decided();
      },
      cancel: () => this.#decided(),
    };
  }

  /** What was granted when it is woken, after `ms` or `pause`, or when the signal aborts. */
  async wait(ms: Millis, pause: Millis): Promise<readonly LeasedClaim[]> {
    if (this.woken || this.closed) return [];
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
    const timer = setTimeout(end, Math.min(ms, pause));
    signal.addEventListener('abort', end, { once: true });
    try {
      await promise;
      return this.#granted;
    } finally {
      this.#waits = false;
      clearTimeout(timer);
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

const given = (message: Message, { claim, until }: Claimed): LeasedClaim => ({
  message_id: message.id,
  claim,
  lease_expires_at: until,
  message,
});
