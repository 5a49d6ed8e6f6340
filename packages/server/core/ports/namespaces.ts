import type { Millis } from '@mailroom/behavior/values/clock';
import type { Key } from '../entities/key.ts';
import type { MailboxWithSecret } from '../entities/mailbox.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { Idempotency, Replayed } from './idempotency.ts';

export interface Namespaces {
  /** All in one transaction. The name of a deleted namespace stays taken. */
  create(
    made: {
      readonly namespace: Namespace;
      readonly key: Key;
      readonly mailboxes: readonly MailboxWithSecret[];
      /** The keyed hash of the network it is created from. */
      readonly network?: string;
    },
    idempotency?: Idempotency,
  ): Promise<{ readonly kind: 'created' | 'taken' } | Replayed>;
  /** Includes deleted ones, with their `deleted_at`. */
  byName(name: string): Promise<Namespace | undefined>;
  byId(id: string): Promise<Namespace | undefined>;
  /** Whether there is any, including deleted ones. */
  any(): Promise<boolean>;
  /** Marks it as owned by a person, so that it no longer counts for a network; false when it was so before. */
  claim(id: string, now: Millis): Promise<boolean>;
  isClaimed(id: string): Promise<boolean>;
  /** Undefined when it is deleted or never existed. */
  rename(id: string, display_name: string | null): Promise<Namespace | undefined>;
  /**
   * Takes effect at once: its keys are revoked, its mailboxes deleted (their messages are no longer found), and what it
   * sent to others has no sender any more. A `purge` job removes the rows. False when it was deleted before.
   */
  delete(id: string, now: Millis): Promise<boolean>;
}
