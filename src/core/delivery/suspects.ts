import { setTimeout as pause } from 'node:timers/promises';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import type { Leases } from './leases.ts';
import type { Slot, Slots } from './slots.ts';

export interface SuspectOptions {
  readonly lease_ms: Millis;
  readonly poll_ms: Millis;
  readonly onError: (error: unknown) => void;
  /**
   * Suspects wait this long after the start, 2 s by default: a process that is ended again and again soon after its start
   * tells nothing about a message.
   */
  readonly suspects_after_ms?: Millis;
}

const AFTER_START_MS: Millis = 2_000;
/** How long no other message begins, so that those that are being handled end before a suspect begins. */
const DRAIN_MS: Millis = 500;
/** Suspects follow each other for this long before other messages begin again. */
const WINDOW_MS: Millis = 250;
/** The pause after a window, in which other messages are handled. */
const PAUSE_MS: Millis = 250;
const LOOK_MS: Millis = 5;
/** A suspect that found no time alone for this long is handled beside others. */
const MAX_WAIT_MS: Millis = 3_000;

/** Handles the message of a claim in a slot until its outcome is written. */
type Handle = (claim: Claim, abort: AbortController, slot: Slot) => Promise<void>;

/**
 * Handles messages that were being handled when a process died: one at a time, while no other is handled, so that the
 * one that ends the process is found and no other is blamed. Other messages have their turn after each.
 */
export class Suspects {
  readonly #parts: { readonly store: Store; readonly slots: Slots; readonly leases: Leases; readonly clock: Clock };
  readonly #handle: Handle;
  readonly #options: SuspectOptions;
  readonly #stopping = new AbortController();
  #claiming: Promise<unknown> | undefined;

  constructor(
    parts: { store: Store; slots: Slots; leases: Leases; clock: Clock },
    handle: Handle,
    options: SuspectOptions,
  ) {
    this.#parts = parts;
    this.#handle = handle;
    this.#options = options;
    this.#run().catch((error) => {
      if (!this.#stopping.signal.aborted) options.onError(error);
    });
  }

  /** Begins no more; one that is being handled is among `Leases`. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#claiming;
  }

  async #run(): Promise<void> {
    const { slots } = this.#parts;
    await this.#pause(this.#options.suspects_after_ms ?? AFTER_START_MS);
    for (;;) {
      const claim = await this.#next();
      if (claim !== undefined) {
        try {
          await this.#window(claim);
        } finally {
          slots.open();
        }
        await this.#pause(PAUSE_MS);
      } else {
        await this.#pause(this.#options.poll_ms);
      }
    }
  }

  /** Handles this suspect alone, and more until the window ends. */
  async #window(first: Claim): Promise<void> {
    await this.#alone(first);
    const end = performance.now() + WINDOW_MS;
    while (performance.now() < end && this.#parts.slots.unused) {
      const next = await this.#next();
      if (next === undefined) return;
      await this.#alone(next);
    }
  }

  #next(): Promise<Claim | undefined> {
    const claiming = this.#claim().catch((error: unknown) => {
      this.#options.onError(error);
      return undefined;
    });
    this.#claiming = claiming;
    return claiming;
  }

  async #claim(): Promise<Claim | undefined> {
    const { store, clock } = this.#parts;
    if (this.#stopping.signal.aborted) return undefined;
    const due = await store.handlings.nextDue();
    if (due === undefined || due > clock()) return undefined;
    return store.handlings.claimSuspect(clock(), this.#options.lease_ms);
  }

  async #alone(claim: Claim): Promise<void> {
    const { slots, leases } = this.#parts;
    const abort = leases.limit();
    const ended = Promise.withResolvers<void>();
    leases.track({ claim, abort }, async () => {
      try {
        await this.#drained(abort.signal);
        if (abort.signal.aborted) return;
        const slot = slots.take('common');
        try {
          const watch = setInterval(() => {
            // It waits for another message, which may have to begin.
            if (slots.inUse === 0) slots.open();
          }, 10 * LOOK_MS);
          await this.#handle(claim, abort, slot).finally(() => clearInterval(watch));
        } finally {
          slot.release();
        }
      } finally {
        ended.resolve();
      }
    });
    await ended.promise;
  }

  /** Resolves when no other message is handled here, and none begins, or on `signal`. */
  async #drained(signal: AbortSignal): Promise<void> {
    const { slots } = this.#parts;
    const end = performance.now() + MAX_WAIT_MS;
    while (performance.now() < end && !signal.aborted) {
      slots.close();
      const drain = performance.now() + DRAIN_MS;
      while (performance.now() < drain) {
        if (slots.unused || signal.aborted) return;
        await pause(LOOK_MS);
      }
      slots.open();
      await pause(DRAIN_MS);
    }
  }

  #pause(ms: Millis): Promise<void> {
    return pause(ms, undefined, { signal: this.#stopping.signal, ref: false });
  }
}
