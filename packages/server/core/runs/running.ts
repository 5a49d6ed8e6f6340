import type { Outcome } from '@mailroom/behavior';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';
import type { Progress, RunProgress } from '../notify/progress.ts';
import type { Claim } from '../ports/claim.ts';
import type { ServiceAccess } from './service-access.ts';
import type { Slot } from './slots.ts';

/** A run of a message, as its behavior uses it. */
export interface Run {
  /** Aborts when the message is canceled, runs out of time or loses its claim, and when the service stops. */
  readonly signal: AbortSignal;
  /** Whether the run was aborted; unlike `signal` this makes no controller. */
  readonly aborted: boolean;
  /** Whether an earlier run handled the message. */
  readonly again: boolean;
  /** The slot it runs in; undefined for a preview. */
  readonly slot: Slot | undefined;
  /** Where it reports what it does; undefined discards the reports. */
  readonly progress: RunProgress | undefined;
  /** What its behavior may use of the service; undefined for a preview. */
  readonly context: ServiceAccess | undefined;
  /** The claim under which the message is handled; makes the message durable first. Rejects when the run ends before. */
  claim(): Promise<Claim>;
}

/** What all runs of one kind have in common. */
export interface RunParts {
  readonly progress: Progress;
  readonly context: ServiceAccess;
}

/** A message that is handled before it is written, for a caller who waits for its reply. */
export class InlineRun implements Run {
  readonly again = false;
  readonly slot: Slot;
  readonly context: ServiceAccess;
  readonly #message: Message;
  readonly #reports: Progress;
  readonly #limit: () => AbortController;
  #abort: AbortController | undefined;
  #progress: RunProgress | undefined;
  #claim: Claim | undefined;
  #claimed: PromiseWithResolvers<Claim> | undefined;
  #onWanted: (() => void) | undefined;

  /** `limit` makes the controller of the time limit, once it is needed: most behaviors answer at once. */
  constructor(message: Message, slot: Slot, parts: RunParts, limit: () => AbortController) {
    this.slot = slot;
    this.context = parts.context;
    this.#message = message;
    this.#reports = parts.progress;
    this.#limit = limit;
  }

  get progress(): RunProgress {
    this.#progress ??= this.#reports.of(this.#message, () => this.#claim);
    return this.#progress;
  }

  /** The controller of the run, with its time limit. */
  get abort(): AbortController {
    this.#abort ??= this.#limit();
    return this.#abort;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get aborted(): boolean {
    return this.#abort?.signal.aborted === true;
  }

  claim(): Promise<Claim> {
    this.#claimed ??= Promise.withResolvers();
    if (this.#claim !== undefined) this.#claimed.resolve(this.#claim);
    this.#onWanted?.();
    return unlessAborted(this.#claimed.promise, this.signal);
  }

  /** The message was written under this claim. */
  accepted(claim: Claim): void {
    this.#claim = claim;
    this.#claimed?.resolve(claim);
  }

  /** Ends the time limit of a run that has its outcome. */
  end(): void {
    this.#abort?.abort();
  }

  /** The outcome; undefined when it takes longer than `ms`, or when the run needs its claim first. */
  within(ms: Millis, outcome: Promise<Outcome>): Promise<Outcome | undefined> {
    if (this.#claimed !== undefined) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms, undefined);
      const end = (): void => {
        clearTimeout(timer);
        this.#onWanted = undefined;
      };
      this.#onWanted = () => {
        end();
        resolve(undefined);
      };
      outcome.then(
        (early) => {
          end();
          resolve(early);
        },
        (error) => {
          end();
          reject(error);
        },
      );
    });
  }
}

/** A message that is handled under its claim. */
export class LeasedRun implements Run {
  readonly slot: Slot;
  readonly context: ServiceAccess;
  readonly abort: AbortController;
  readonly #message: Message;
  readonly #reports: Progress;
  readonly #claim: Claim;
  #progress: RunProgress | undefined;

  constructor(message: Message, slot: Slot, parts: RunParts, lease: { claim: Claim; abort: AbortController }) {
    this.slot = slot;
    this.context = parts.context;
    this.abort = lease.abort;
    this.#message = message;
    this.#reports = parts.progress;
    this.#claim = lease.claim;
  }

  get again(): boolean {
    return this.#claim.fence > 1;
  }

  get progress(): RunProgress {
    this.#progress ??= this.#reports.of(this.#message, () => this.#claim);
    return this.#progress;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }

  async claim(): Promise<Claim> {
    // An aborted run has lost its claim, or is about to give it back.
    this.signal.throwIfAborted();
    return this.#claim;
  }
}

/** As `promise`, but rejects when `signal` aborts first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const fail = (): void => reject(signal.reason);
  signal.addEventListener('abort', fail, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', fail);
  }
}
