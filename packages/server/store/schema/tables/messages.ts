import type { Channel, Decider, SenderKind, Status } from '@mailroom/behavior/message';
import { bigint, blob, integer, nullable, table, text } from '../table.ts';

/** SQL for a message that was answered, or failed, so late that its conversation moves up in the list again. */
export const isLate = (message: string): string => `${message}.settled_at > ${message}.created_at + 1000`;

/** Statuses that few messages end with: lists by one of them have indexes of their own. */
export const UNUSUAL: readonly Status[] = ['failed', 'rejected', 'canceled', 'input_required'];
/** SQL for a message with such a status, word for word as in those indexes. */
export const isUnusual = (message: string): string => `${message}.${UNUSUAL_STATUS}`;
const UNUSUAL_STATUS = `status in (${UNUSUAL.map((status) => `'${status}'`).join(', ')})`;

/**
 * One row per message in either direction, a reply too. What happened to it is in the columns from `status` on, which
 * are written once, when it settles: the state of working on it is a row of `handlings`. It has few indexes because each
 * one slows every message. A thread has the id of its first message, and the reply that settles a message has its id but
 * for the last character, so the index of threads holds only later messages and further replies.
 */
export const messages = table(
  'messages',
  {
    id: text(),
    kind: text<'message' | 'reply'>(),
    thread_id: text(),
    in_reply_to: nullable(text()),
    retry_of: nullable(text()),
    from_mailbox_id: nullable(text()),
    to_mailbox_id: nullable(text()),
    from: nullable(text()),
    to: nullable(text()),
    sender_kind: text<SenderKind>(),
    sender_id: nullable(text()),
    sender_namespace_id: nullable(text()),
    sender_agent: nullable(text()),
    key_id: nullable(text()),
    channel: text<Channel>(),
    hops: integer(),
    subject: nullable(text()),
    body: text(),
    data: nullable(text()),
    created_at: bigint(),
    status: text<Status>(),
    error_code: nullable(text()),
    error_message: nullable(text()),
    settled_at: nullable(bigint()),
    reply_id: nullable(text()),
    replies_count: integer(0),
    /** 1 once it was read in the mailbox that received it; for no other mailbox is it read or unread. */
    read: integer(0),
    /** Of a reply: whether a person wrote it, as far as it was given without a claim. */
    by_hand: integer(0),
    /** Who answered it from outside, as JSON text; of a further reply, who gave it. Null for a webhook's answer. */
    answered_by: nullable(text()),
    /** Of a copy in the mailbox of one of several recipients: the message that its sender wrote. */
    copy_of: nullable(text()),
    /** To, Cc and, on the sender's message alone, Bcc as JSON text; null where `to` is all. */
    recipients: nullable(text()),
    /** Why it is filed without being handled; of a mail, `emails` has that. */
    filed: nullable(text()),
    /** What its author gives for mail alone, as JSON text: HTML, Reply-To and header fields. */
    mail: nullable(text()),
    /** Pairs of its author's namespace, as JSON text. */
    metadata: nullable(text()),
    /** What the rules of the mailbox that received it did, as JSON text; null where none applied. */
    rules: nullable(text()),
    /** Evidence on it, as JSON text; null for none. */
    findings: nullable(text()),
    /** The `traceparent` of its submission, where it was traced: what happens to it later, on any node, belongs to that. */
    trace: nullable(text()),
    /** 1 where it has files, so that lists of those examine no others. */
    has_file: integer(0),
  },
  {
    key: ['id'],
    indexes: [
      // With `read`, so that the unread ones are counted in the index alone.
      'messages_received (to_mailbox_id, id, read) where to_mailbox_id is not null',
      'messages_written (from_mailbox_id, id) where from_mailbox_id is not null',
      "messages_sender (sender_namespace_id, id) where sender_namespace_id is not null and kind = 'message'",
      'messages_copies (copy_of) where copy_of is not null',
      // Of few messages each.
      'messages_late_received (to_mailbox_id, settled_at) where settled_at > created_at + 1000',
      'messages_late_written (from_mailbox_id, settled_at) where settled_at > created_at + 1000',
      'messages_late_sent (sender_namespace_id, settled_at) where settled_at > created_at + 1000',
      "messages_failed (to_mailbox_id, settled_at, id) where status = 'failed'",
      "messages_asked_back (sender_namespace_id, settled_at, id) where status = 'input_required' and kind = 'message'",
      `messages_unusual_received (to_mailbox_id, status, id) where ${UNUSUAL_STATUS}`,
      `messages_unusual_written (from_mailbox_id, status, id) where ${UNUSUAL_STATUS}`,
      `messages_unusual_sent (sender_namespace_id, status, id) where ${UNUSUAL_STATUS}`,
      "messages_mailed (to_mailbox_id, lower(sender_id), id) where sender_kind = 'email'",
      'messages_between (to_mailbox_id, from_mailbox_id, id) where to_mailbox_id is not null and from_mailbox_id is not null',
      'messages_file_received (to_mailbox_id, id) where has_file = 1',
      'messages_file_written (from_mailbox_id, id) where has_file = 1',
      "messages_file_sent (sender_namespace_id, id) where has_file = 1 and kind = 'message'",
      "messages_thread (thread_id, id) where substr(thread_id, 5) <> substr(id, 5) and substr(id, 24) <> '1'",
    ],
  },
);

/**
 * The state of answering one unsettled message; deleted with the settlement. `due_at` is null while it is held or
 * suspended. Suspended means that `waiting_for` is set; once the owner approved, `approved` is 1. `behavior` is the one
 * that asked for the approval, since no other carries its plan out. `asked_namespace_id` is the sender's namespace when
 * its owner decides. `suspect` is 1 when a process died while it was handled, and `crashes` is how often one died since,
 * while it was handled again.
 */
export const handlings = table(
  'handlings',
  {
    message_id: text(),
    mailbox_id: text(),
    due_at: nullable(bigint()),
    leased: integer(0),
    fence: integer(0),
    attempt: integer(0),
    suspect: integer(0),
    crashes: integer(0),
    progress: nullable(text()),
    state: nullable(text()),
    waiting_for: nullable(text<'approval' | 'answer' | 'review'>()),
    plan: nullable(text()),
    decides: nullable(text<Decider>()),
    approved: integer(0),
    behavior: nullable(text()),
    asked_namespace_id: nullable(text()),
    /** The claim (`clm_…`) of the program that last took it to answer it. */
    claim: nullable(text()),
    /** When a program may take it: at once, when the current claim's lease ends, or after a pause; null for never. */
    answerable_at: nullable(bigint()),
    /** Its thread was taken over: how long it waits for an answer by hand; 0 where it was not. */
    by_hand_ms: bigint(0),
    /** It waits for approval, and its owners are still to be asked by mail. */
    to_ask: integer(0),
  },
  {
    key: ['message_id'],
    clustered: true,
    indexes: [
      'handlings_due (due_at) where due_at is not null',
      'handlings_turns (mailbox_id, due_at, message_id) where due_at is not null and suspect = 0',
      'handlings_suspects (due_at) where suspect = 1',
      'handlings_mailbox (mailbox_id)',
      'handlings_answers (mailbox_id, answerable_at, message_id) where answerable_at is not null',
      'handlings_asked (asked_namespace_id, message_id) where asked_namespace_id is not null',
      'handlings_to_ask (message_id) where to_ask = 1',
    ],
  },
);

/** Threads whose messages in a mailbox wait for an answer by hand, each for `answer_within_ms`, until they are handed back. */
export const takenThreads = table(
  'taken_threads',
  { thread_id: text(), mailbox_id: text(), answer_within_ms: bigint(), taken_at: bigint() },
  { key: ['thread_id', 'mailbox_id'], clustered: true, indexes: ['taken_threads_mailbox (mailbox_id)'] },
);

/**
 * A file of a message, of a reply or of a draft (`owner_id`), in the order of `position`. At `check_at` it is removed
 * unless that owner exists.
 */
export const attachments = table(
  'attachments',
  {
    id: text(),
    owner_id: text(),
    position: integer(),
    filename: text(),
    content_type: text(),
    size: bigint(),
    sha256: text(),
    blob_id: text(),
    check_at: nullable(bigint()),
  },
  {
    key: ['id'],
    indexes: [
      'attachments_owner (owner_id, position)',
      'attachments_blob (blob_id)',
      'attachments_check (check_at) where check_at is not null',
    ],
  },
);

/**
 * Bytes, once per namespace and content; `complete` is 0 while they are received or removed. `namespace_id` pays for
 * them. At `check_at` they are removed unless an attachment names them.
 */
export const blobs = table(
  'blobs',
  {
    id: text(),
    namespace_id: text(),
    sha256: text(),
    size: bigint(),
    complete: integer(),
    check_at: nullable(bigint()),
  },
  {
    key: ['id'],
    indexes: [
      'unique blobs_content (namespace_id, sha256) where complete = 1',
      'blobs_check (check_at) where check_at is not null',
    ],
  },
);

/** `outside` is the SHA-256 of bytes that are in object storage, where `bytes` is empty. */
export const blobChunks = table(
  'blob_chunks',
  { blob_id: text(), position: integer(), bytes: blob(), outside: nullable(text()) },
  { key: ['blob_id', 'position'], indexes: ['blob_chunks_outside (blob_id, position) where outside is not null'] },
);

/** Labels of a message in one mailbox; `unread` is not among them, since it follows from `messages.read`. */
export const labels = table(
  'labels',
  { mailbox_id: text(), label: text(), message_id: text() },
  { key: ['mailbox_id', 'label', 'message_id'], clustered: true, indexes: ['labels_message (message_id)'] },
);

/** A message that is not sent so far; `content` is its JSON. With `send_at` a job sends it at that time. */
export const drafts = table(
  'drafts',
  {
    id: text(),
    namespace_id: text(),
    key_id: text(),
    mailbox_id: nullable(text()),
    content: text(),
    send_at: nullable(bigint()),
    message_id: nullable(text()),
    error: nullable(text()),
    version: integer(1),
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['id'],
    indexes: ['drafts_namespace (namespace_id, id)', 'drafts_mailbox (mailbox_id) where mailbox_id is not null'],
  },
);
