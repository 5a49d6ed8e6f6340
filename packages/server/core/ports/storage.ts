import type { Millis } from '@mailroom/behavior/values/clock';

/** Bytes to add, or to give back when negative. */
export interface StorageChange {
  /** A namespace's id, or the keyed hash of a network. */
  readonly subject: string;
  readonly bytes: number;
  /** When the total is of no use any more; null: never. */
  readonly expires_at: Millis | null;
}

export interface StorageTotal {
  readonly subject: string;
  readonly bytes: number;
  /** For a namespace: its name, the network it was created from, and whether a person has claimed it. */
  readonly name: string | null;
  readonly network: string | null;
  readonly claimed: boolean;
}

/** The bytes that namespaces and networks store. Each deletion gives its bytes back itself. */
export interface StorageTotals {
  add(changes: readonly StorageChange[]): Promise<void>;
  /** One for each subject. */
  totals(subjects: readonly string[]): Promise<readonly StorageTotal[]>;
  /**
   * Writes the event `namespace.nearly_full`, unless one was written at `since` or later; returns whether it was.
   */
  warn(namespace: { readonly id: string; readonly max_bytes: number }, now: Millis, since: Millis): Promise<boolean>;
  /** How many namespaces store so many bytes or more; of those that no person has claimed, `unclaimed`. */
  countFrom(bytes: { readonly claimed: number; readonly unclaimed: number }): Promise<number>;
  /** Removes those that expired before `now`; returns how many. */
  sweep(now: Millis): Promise<number>;
}
