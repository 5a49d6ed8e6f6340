/** A Message-ID of mail and a message for which it stands. */
export interface MessageIdOf {
  readonly rfc_id: string;
  readonly message_id: string;
}

/**
 * The Message-IDs of mail (RFC 5322, section 3.6.4) and the messages of a namespace for which they stand: its senders
 * choose them, so one may stand for several messages, and is never found from another namespace. Removed with the message
 * or the namespace.
 */
export interface MessageIds {
  /**
   * Records that these ids stand for a message that a mailbox of the namespace received or wrote; for any other, nothing.
   * An id has at most 998 characters (RFC 5322, section 2.1.1). One that begins with that of the message says so itself, and is
   * not stored.
   */
  add(namespace_id: string, message_id: string, rfc_ids: readonly string[]): Promise<void>;
  /** Of each of up to 100 ids the newest 20 messages that living mailboxes of the namespace received or wrote, in any order. */
  find(namespace_id: string, rfc_ids: readonly string[]): Promise<readonly MessageIdOf[]>;
}
