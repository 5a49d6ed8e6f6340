import type { Millis } from '@mailroom/behavior/values/clock';
import type { Draft, DraftError } from '../entities/draft.ts';
import type { Page } from '../values/page.ts';
import type { Idempotency, Replayed } from './idempotency.ts';

/** The right to send a draft, until its lease ends. */
export interface DraftClaim {
  readonly id: string;
  /** Grows with each claim, so that the holder of an older claim can no longer write. */
  readonly fence: number;
}

/** The fields that a change writes; each change clears the error. */
type DraftFields = Pick<Draft, 'content' | 'key_id' | 'mailbox_id' | 'send_at'>;

/** The files that a change leaves to a draft: those that stay, then the new ones. */
export interface DraftFiles {
  /** Ids of files of the draft, in their order; the others are removed. */
  readonly keep: readonly string[];
  /** The upload whose files are added; null for none. */
  readonly upload: string | null;
}

export interface DraftQuery {
  readonly namespace_id: string;
  /** Only those that are sent as one of these mailboxes. */
  readonly mailbox_ids?: readonly string[] | undefined;
  /** Only those that this key wrote. */
  readonly key_id?: string;
  /** Only those with all of these pairs of `metadata`; a page may then be shorter than its size. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Messages that are not sent so far. One with `send_at` has a job of kind `draft` with its id, due at that time; while
 * that job is claimed the draft is being sent, and nothing else changes it. Drafts of deleted namespaces and mailboxes
 * are not found.
 */
export interface Drafts {
  /**
   * `full`: the namespace has `max` drafts that are not sent. `refused`: its namespace, its mailbox or its key is gone.
   * Exact also for concurrent calls. A created draft has the files of the upload, if any.
   */
  create(
    draft: Draft,
    max: number,
    idempotency?: Idempotency,
    upload?: string,
  ): Promise<{ readonly kind: 'created' | 'full' | 'refused' } | Replayed>;
  byId(id: string): Promise<Draft | undefined>;
  /** Those that are not sent, newest first; `before` is the last id of the previous page. */
  page(of: DraftQuery, before: string | null, size: number): Promise<Page<Draft>>;
  /**
   * Writes all of these fields if the draft still has this version, which then grows; undefined when it has not, is being
   * sent or was sent. Without `files` those of the draft stay.
   */
  change(id: string, version: number, fields: DraftFields, now: Millis, files?: DraftFiles): Promise<Draft | undefined>;
  /** Removes it with its files and this version, or any version, and gives its bytes back. False when it has another or is being sent. */
  remove(id: string, version: number | null): Promise<boolean>;
  /** Claims it to be sent now, until the lease ends; undefined when it has another version or is being sent already. */
  claim(id: string, version: number, now: Millis, until: Millis): Promise<DraftClaim | undefined>;
  /**
   * Records that it became this message: its contents and files are removed, and the rest of it once `forget_at` has passed. False
   * when the claim was lost.
   */
  sent(claim: DraftClaim, message_id: string, now: Millis, forget_at: Millis): Promise<boolean>;
  /** Keeps the error; it is sent again at `again`, or not by itself. False when the claim was lost. */
  failed(claim: DraftClaim, error: DraftError, now: Millis, again: Millis | null): Promise<boolean>;
  /** Removes what is left of a sent draft, with its job. False when the claim was lost. */
  forget(claim: DraftClaim): Promise<boolean>;
}
