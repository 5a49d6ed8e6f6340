import type { Millis } from '@mailroom/behavior/values/clock';
import type { Key } from '../entities/key.ts';
import type { Page } from '../values/page.ts';
import type { Idempotency, Replayed } from './idempotency.ts';

export interface Keys {
  /** `full`: `maxItems` keys of its namespace work, or the key `maker` may not do as much by now. Exact also for concurrent calls. */
  create(
    key: Key,
    idempotency?: Idempotency,
    maxItems?: number,
    maker?: string,
  ): Promise<{ readonly kind: 'created' | 'full' } | Replayed>;
  /** Includes revoked and expired ones, which the caller checks. */
  bySha256(sha256: string): Promise<Key | undefined>;
  byId(id: string): Promise<Key | undefined>;
  /** Keys in the order of creation, without revoked ones unless `revoked`; with `mailbox_id`, those bound to it. */
  page(
    of: { readonly namespace_id: string; readonly mailbox_id?: string; readonly revoked?: boolean },
    after: string | null,
    size: number,
  ): Promise<Page<Key>>;
  /** False when it was revoked before or is not of this namespace. */
  revoke(id: string, namespace_id: string, now: Millis): Promise<boolean>;
  /** Removes a revoked key that only this service itself used; false where there is none of this namespace. */
  remove(id: string, namespace_id: string): Promise<boolean>;
  /** Removes up to `max` keys that were revoked before this time, and as many that expired; returns how many of the more. */
  sweep(before: Millis, max: number): Promise<number>;
  /** Records when these were used; never moves a time backward. */
  used(uses: readonly { readonly id: string; readonly at: Millis }[]): Promise<void>;
  /**
   * Gives a key that was never used another secret; undefined when it was used, revoked or is gone. One statement, so
   * that of two callers only the last one's secret works, and a used key never changes.
   */
  renew(id: string, fresh: { readonly sha256: string; readonly prefix: string }): Promise<Key | undefined>;
  /** The first key of a namespace, created with it. */
  firstOf(namespace_id: string): Promise<Key | undefined>;
}
