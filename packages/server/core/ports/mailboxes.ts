import type { Millis } from '@mailroom/behavior/values/clock';
import type { Mailbox, MailboxSummary, MailboxWithSecret } from '../entities/mailbox.ts';
import type { Metadata } from '../entities/recipients.ts';
import type { SenderLists } from '../entities/sender-lists.ts';
import type { Page } from '../values/page.ts';
import type { Idempotency, Replayed } from './idempotency.ts';
import type { SearchCaller } from './search.ts';

export interface MailboxQuery {
  /** Only of this namespace. */
  readonly namespace_id?: string;
  /** The namespace by name; an unknown one has no mailboxes. */
  readonly namespace?: string;
  readonly behavior?: string;
  /** Only with these pairs; of one's own namespace. */
  readonly metadata?: Metadata;
  /** A part of the address, display name or description, ignoring case. */
  readonly query?: string;
  /** Only those with visibility `listed`; required when all namespaces are searched. */
  readonly listed: boolean;
  /** Mailboxes with access `key` are found only for this namespace. */
  readonly seen_by: string | null;
}

/** What of a mailbox may change; of `senders`, a list that is left out stays as it is. */
export type MailboxFields = Partial<Omit<Mailbox, 'senders'>> & { readonly senders?: Partial<SenderLists> };

export interface Mailboxes {
  /**
   * `taken`: a living mailbox has the address. `full`: `most` live in its namespace. `gone`: its namespace was deleted.
   * Exact also for concurrent calls.
   */
  create(
    mailbox: MailboxWithSecret,
    idempotency?: Idempotency,
    max?: number,
  ): Promise<{ readonly kind: 'created' | 'taken' | 'full' | 'gone' } | Replayed>;
  /** The living mailbox of this address, or else the one deleted last, with its `deleted_at`. */
  byAddress(local_part: string, namespace: string): Promise<Mailbox | undefined>;
  byId(id: string): Promise<Mailbox | undefined>;
  /**
   * Writes these fields unless it is deleted; with `status`, waiting messages are held (paused) or released (online) in
   * the same transaction. With another `behavior`, the settings of the previous one are kept, and those kept of the new
   * one are removed, as `settings` replaces them. Undefined when it is gone.
   */
  change(id: string, fields: MailboxFields, now: Millis): Promise<Mailbox | undefined>;
  /** The settings that a living mailbox had for earlier behaviors, by name; empty ones are left out. */
  keptSettings(id: string): Promise<ReadonlyMap<string, Mailbox['settings']>>;
  /** Its program is connected until `until`; true when it was not before. */
  seen(id: string, until: Millis, now: Millis): Promise<boolean>;
  /** Its messages leave as ids alone since `now`, with an event `mailbox.limited`. False when they did before. */
  limit(id: string, now: Millis): Promise<boolean>;
  /** As for a namespace: gone at once, the rows by a `purge` job. False when it was deleted before. */
  delete(id: string, now: Millis): Promise<boolean>;
  /** The living ones of a namespace, in the order of creation. */
  ids(namespace_id: string): Promise<readonly string[]>;
  /** The living ones among `ids`, in any order. */
  byIds(ids: readonly string[]): Promise<readonly MailboxSummary[]>;
  /**
   * Living ones in the order of creation; `after` is the last id of the previous page. With a `query` at most 20,000 are
   * examined: a page may hold fewer than `size`, or none, and still have a `next`.
   */
  page(of: MailboxQuery, after: string | null, size: number, caller?: SearchCaller): Promise<Page<MailboxSummary>>;
  /** `next` of that page, without reading it, for a query without `query`. */
  pageEnd(of: Omit<MailboxQuery, 'query'>, after: string | null, size: number): Promise<string | null>;
}
