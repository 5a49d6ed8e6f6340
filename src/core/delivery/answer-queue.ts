import type { AnswerClaim } from '../ports/answers.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { newId } from '../values/ids.ts';

/** Where several nodes share the database a notice may be lost, so a waiting call looks again after this time. */
const POLL_MS: Millis = 5 * SECOND;
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
export interface LeasedClaim extends AnswerClaim {
  readonly lease_expires_at: Millis;
}

/**
 * Gives the messages of a mailbox that wait for an answer to the programs that ask for them. A program that waits is
 * woken by the message itself, on any node.
 */
export class AnswerQueue {
  readonly #store: Pick<Store, 'answers' | 'shared'>;
  readonly #clock: Clock;
  /** Calls that wait, by mailbox, those that wait longest first. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor({ store, clock }: { readonly store: Pick<Store, 'answers' | 'shared'>; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A message of this mailbox can be claimed: wakes a call here, or else on the other nodes. */
  announce(mailboxId: string): void {
    if (!this.wake(mailboxId)) this.#store.shared?.publish({ kind: 'answerable', ids: [mailboxId] });
  }

  /** Wakes the call that waits longest for this mailbox; false when none does. */
  wake(mailboxId: string): boolean {
    const [first] = this.#waiting.get(mailboxId) ?? [];
    first?.();
    return first !== undefined;
  }

  /** Claims at once what there is, or waits for the first message; an empty list when none came in time. */
  async claim(mailboxId: string, request: ClaimRequest): Promise<readonly LeasedClaim[]> {
    const { max, wait_ms, lease_ms, signal } = request;
    const until = performance.now() + wait_ms;
    for (;;) {
      // It waits before it looks, so that no message falls between the two.
      const call = this.#wait(mailboxId);
      try {
        const claims = await this.#take(mailboxId, max, lease_ms);
        if (signal.aborted) {
          await this.#release(claims);
          return [];
        }
        const left = until - performance.now();
        if (claims.length > 0 || left <= 0) return claims;
        await call.within(Math.min(left, await this.#pause(mailboxId)), signal);
        if (signal.aborted) return [];
      } finally {
        call.end();
      }
    }
  }

  async #take(mailboxId: string, max: number, lease_ms: Millis): Promise<readonly LeasedClaim[]> {
    const now = this.#clock();
    const lease_expires_at = now + lease_ms;
    const ids = Array.from({ length: max }, () => newId('clm', now));
    const claims = await this.#store.answers.claim(mailboxId, ids, now, lease_expires_at);
    return claims.map((claim) => ({ ...claim, lease_expires_at }));
  }

  async #release(claims: readonly AnswerClaim[]): Promise<void> {
    const now = this.#clock();
    await Promise.all(claims.map((claim) => this.#store.answers.release(claim, now)));
  }

  /** How long nothing can be claimed as far as this node knows. */
  async #pause(mailboxId: string): Promise<Millis> {
    const next = await this.#store.answers.nextAt(mailboxId);
    const pause = next === undefined ? Number.POSITIVE_INFINITY : Math.max(MIN_PAUSE_MS, next - this.#clock());
    return this.#store.shared === undefined ? pause : Math.min(pause, POLL_MS);
  }

  #wait(mailboxId: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const calls = this.#waiting.get(mailboxId) ?? new Set();
    let woken = false;
    let waits = false;
    const wake = (): void => {
      woken = true;
      leave();
      resolve();
    };
    const leave = (): void => {
      calls.delete(wake);
      if (calls.size === 0 && this.#waiting.get(mailboxId) === calls) this.#waiting.delete(mailboxId);
    };
    this.#waiting.set(mailboxId, calls.add(wake));
    return {
      /** Resolves when it is woken, after `ms`, or when the signal aborts. */
      within: async (ms: Millis, signal: AbortSignal): Promise<void> => {
        waits = true;
        const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
        signal.addEventListener('abort', () => resolve(), { once: true });
        await promise;
        clearTimeout(timer);
      },
      /** A call that was woken without waiting may have taken another message, so the next one is woken. */
      end: (): void => {
        leave();
        if (woken && !waits) this.wake(mailboxId);
      },
    };
  }
}
