import type { Millis } from '@mailroom/behavior/values/clock';

/** A key of a ring in one period; both halves are JWK texts (RFC 7517). */
export interface StoredSigningKey {
  /** The ring and the period. */
  readonly id: string;
  /** The set in which the public half is published: `receipts`, or the id of the namespace that is the issuer. */
  readonly subject: string;
  readonly kid: string;
  readonly public_jwk: string;
  /** Null when the key no longer signs. */
  readonly private_jwk: string | null;
  readonly signs_until: Millis;
  readonly published_until: Millis;
}

/** The keys with which the service and its issuers sign; those of a deleted namespace go with its purge. */
export interface SigningKeys {
  /** The key of this id, with its private half until `signs_until`. */
  get(id: string, now: Millis): Promise<StoredSigningKey | undefined>;
  /**
   * The key of this id: `fresh` is stored when there was none, so of concurrent calls all return the same. Undefined when
   * its subject is a namespace that was deleted.
   */
  getOrPut(fresh: StoredSigningKey, now: Millis): Promise<StoredSigningKey | undefined>;
  /** The public halves of a subject that are published now, up to 200, those published longest first. */
  published(subject: string, now: Millis): Promise<readonly string[]>;
  /** Deletes private halves that sign no more, and keys that are published no more; returns how many rows changed. */
  sweep(now: Millis): Promise<number>;
}
