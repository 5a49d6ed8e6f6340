import { type Clock, DAY, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { WaitingDeliveries } from '../ports/delivery.ts';

/** Kinds of errors that no one is shown when they happen. */
export type TroubleKind = 'write' | 'background' | 'behavior';

/** Errors of one kind in the last 24 hours. */
export interface Trouble {
  readonly kind: TroubleKind;
  readonly count: number;
  readonly last_at: Millis;
}

/** A behavior that the operator named and that this process does not have. */
export interface MissingBehavior {
  /** As it is named; of a folder its last part. */
  readonly name: string;
  readonly reason: 'not found' | 'failed to start' | 'not a behavior' | 'named twice';
}

/** How full the storage is. */
export interface StorageState {
  /** The first namespace, of the operator: what it stores and may store, in bytes. */
  readonly house: {
    readonly name: string;
    readonly bytes: number;
    readonly max_bytes: number;
    readonly nearly_full: boolean;
  };
  /** How many namespaces store 80 % or more of what they may. */
  readonly nearly_full: number;
}

export interface Check {
  /** Whether the database accepts writes. */
  readonly writes: boolean;
  /** Whether it is damaged, so that it accepts none until it was repaired. */
  readonly damaged: boolean;
  readonly checked_at: Millis;
}

/** How often the server that takes mail is looked at. */
const RELAY_MS = MINUTE;
/** How long the result of a check, and what waits, is reused. */
const CHECK_MS = SECOND;
/** The same of the storage, for which all namespaces are counted. */
const STORAGE_MS = 10 * SECOND;
/** How long a write may take. */
const WRITE_MS = 3 * SECOND;
/** Maximum number of remembered errors of a kind; more are reported as this many. */
const KEPT = 1_000;

/** The state of this process, as shown to people. */
export class Health {
  readonly #probe: () => Promise<void>;
  readonly #damaged: () => boolean;
  readonly #readWaiting: () => Promise<readonly WaitingDeliveries[]>;
  readonly #readStorage: () => Promise<StorageState>;
  readonly #checkRelay: (() => Promise<void>) | undefined;
  readonly #clock: Clock;
  readonly #trouble = new Map<TroubleKind, Millis[]>();
  readonly since: Millis;
  /** Set once, as the behaviors are loaded. */
  missing: readonly MissingBehavior[] = [];
  #checking: Promise<Check> | undefined;
  #waiting: Promise<readonly WaitingDeliveries[] | undefined> | undefined;
  #storage: Promise<StorageState | undefined> | undefined;
  #relayUp: boolean | undefined;
  #relayAt = Number.NEGATIVE_INFINITY;

  constructor(parts: {
    readonly probe: () => Promise<void>;
    readonly damaged: () => boolean;
    readonly waiting: () => Promise<readonly WaitingDeliveries[]>;
    readonly storage: () => Promise<StorageState>;
    /** Rejects while the server that takes mail refuses to; undefined where there is none. */
    readonly relay?: (() => Promise<void>) | undefined;
    readonly clock: Clock;
  }) {
    this.#probe = parts.probe;
    this.#damaged = parts.damaged;
    this.#readWaiting = parts.waiting;
    this.#readStorage = parts.storage;
    this.#checkRelay = parts.relay;
    this.#clock = parts.clock;
    this.since = parts.clock();
  }

  /** Writes to the database, at most once a second for any number of callers. Never rejects. */
  check(): Promise<Check> {
    if (this.#checking !== undefined) return this.#checking;
    const checking = this.#write();
    this.#checking = checking;
    const forget = (): void => {
      if (this.#checking === checking) this.#checking = undefined;
    };
    void checking.then(() => setTimeout(forget, CHECK_MS).unref());
    return checking;
  }

  /**
   * What waits to leave the service, by kind, read at most once a second for any number of callers. Undefined when it
   * cannot be read. Never rejects.
   */
  waiting(): Promise<readonly WaitingDeliveries[] | undefined> {
    if (this.#waiting !== undefined) return this.#waiting;
    const waiting = this.#readWaiting().catch(() => undefined);
    this.#waiting = waiting;
    void waiting.then(() =>
      setTimeout(() => {
        this.#waiting = undefined;
      }, CHECK_MS).unref(),
    );
    return waiting;
  }

  /** How full the storage is, read at most every ten seconds. Undefined when it cannot be read. Never rejects. */
  storage(): Promise<StorageState | undefined> {
    if (this.#storage !== undefined) return this.#storage;
    const storage = this.#readStorage().catch(() => undefined);
    this.#storage = storage;
    void storage.then(() =>
      setTimeout(() => {
        this.#storage = undefined;
      }, STORAGE_MS).unref(),
    );
    return storage;
  }

  /**
   * Whether the server that takes mail answers, as it was found within the last minute or so; the call has it looked at
   * again. Undefined where there is none, and until it is known.
   */
  relayUp(): boolean | undefined {
    const now = performance.now();
    if (this.#checkRelay !== undefined && now - this.#relayAt >= RELAY_MS) {
      this.#relayAt = now;
      this.#checkRelay().then(
        () => {
          this.#relayUp = true;
        },
        () => {
          this.#relayUp = false;
        },
      );
    }
    return this.#relayUp;
  }

  /** Records an error. */
  note(kind: TroubleKind): void {
    const times = this.#trouble.get(kind) ?? [];
    times.push(this.#clock());
    if (times.length > KEPT) times.shift();
    this.#trouble.set(kind, times);
  }

  /** The errors of the last 24 hours since this process started. */
  recent(): readonly Trouble[] {
    const from = this.#clock() - DAY;
    return [...this.#trouble].flatMap(([kind, times]) => {
      const recent = times.filter((at) => at > from);
      const last_at = recent.at(-1);
      return last_at === undefined ? [] : [{ kind, count: recent.length, last_at }];
    });
  }

  async #write(): Promise<Check> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), WRITE_MS);
    });
    const written = this.#probe().then(
      () => true,
      () => false,
    );
    const writes = await Promise.race([written, late]);
    clearTimeout(timer);
    if (!writes) this.note('write');
    return { writes, damaged: this.#damaged(), checked_at: this.#clock() };
  }
}
