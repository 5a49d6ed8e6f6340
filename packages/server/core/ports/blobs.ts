import type { Millis } from '@mailroom/behavior/values/clock';
import type { Attachment } from '../entities/attachment.ts';

/** An attachment as it is stored. */
export interface StoredAttachment extends Attachment {
  /** The message, reply or draft that has it; before that, the upload (`upl_…`). */
  readonly owner_id: string;
  readonly blob_id: string;
}

/** The bytes that a new attachment names. */
interface Content {
  /** A new id, or that of an upload. */
  readonly blob_id: string;
  /** Pays for them. */
  readonly namespace_id: string;
  /** All of them when they fit in one chunk; undefined when they were appended to an upload. */
  readonly bytes?: Uint8Array;
}

/** The place of a chunk in the order of their rows. */
export interface ChunkPlace {
  readonly blob_id: string;
  readonly position: number;
}

/** What one batch of a move did. */
export interface Moved {
  readonly chunks: number;
  readonly bytes: number;
  readonly next: ChunkPlace | undefined;
}

/**
 * Bytes of attachments: once per namespace and content, in chunks of `CHUNK_BYTES`. An upload that is not added as an
 * attachment within an hour after its last chunk is removed.
 */
export interface Blobs {
  /** Begins an upload, with its first chunk. */
  begin(content: Required<Content>, now: Millis): Promise<void>;
  /** Appends the chunk of this position. False when the upload was removed. */
  append(blob_id: string, position: number, bytes: Uint8Array, now: Millis): Promise<boolean>;
  /** Ends an upload that is not complete; its caller gives back the storage. False when it was removed. */
  discard(blob_id: string): Promise<boolean>;
  /** Undefined when it was removed. */
  chunk(blob_id: string, position: number): Promise<Uint8Array | undefined>;
  /**
   * One bounded batch: removes bytes that nothing names any more, uploads that were given up, and attachments whose owner
   * does not exist an hour after they were added. Gives the storage back. True when more is left.
   */
  sweep(now: Millis): Promise<boolean>;
  /**
   * One bounded batch of a move between the database and object storage, after the `next` of the previous one: of rows of
   * which a part was moved before, the rest. `next` is undefined at the end.
   */
  move(to: 'outside' | 'inside', after: ChunkPlace | undefined): Promise<Moved>;
}

/** Each counts as `KEPT_OVERHEAD` for who pays for its bytes, until it is removed. */
export interface Attachments {
  /**
   * Adds an attachment, to be removed in an hour unless its owner exists by then. `known`: the namespace has these bytes,
   * so nothing was stored and the upload is removed; its caller gives back the storage. `gone`: the upload or the
   * namespace was removed. Its caller has reserved its storage.
   */
  add(
    attachment: Attachment & { readonly owner_id: string; readonly position: number },
    content: Content,
    now: Millis,
  ): Promise<'stored' | 'known' | 'gone'>;
  byId(id: string): Promise<StoredAttachment | undefined>;
  /** Those of an owner, in their order. */
  of(owner_id: string): Promise<readonly StoredAttachment[]>;
  /** Hands those of `from` to `to`, to be removed in an hour, or in `check_ms`, unless that exists by then. */
  assign(from: string, to: string, now: Millis, check_ms?: Millis): Promise<void>;
  /**
   * Hands those of `from` to the reply `to`, in place of those of an earlier run. False, and nothing is changed, when the
   * claim is lost.
   */
  assignToReply(
    from: string,
    to: string,
    claim: { readonly id: string; readonly fence: number },
    now: Millis,
  ): Promise<boolean>;
  /** Adds those of `from` to `to` under these new ids, one for each, without copying bytes. False when one was gone. */
  copy(from: string, to: string, ids: readonly string[], now: Millis): Promise<boolean>;
  /** Removes all of an owner, because it was not accepted or is deleted. */
  remove(owner_id: string): Promise<void>;
}
