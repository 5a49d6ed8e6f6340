import type { DomainStatus } from '../../core/entities/domain.ts';
import type { NotAnswered } from '../../core/entities/email.ts';
import type { Key } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Channel, Decider, SenderKind, Status } from '../../core/entities/message.ts';
import type { Webhook, WebhookReason } from '../../core/entities/webhook.ts';
import type { DeliveryName, DeliveryStatus } from '../../core/ports/delivery.ts';
import type { Client } from '../../core/sign-in/client.ts';
import type { Table } from './table.ts';
import { bigint, blob, integer, nullable, serial, table, text } from './table.ts';

/** `network` is the one it was created from (an HMAC, never the address), until a person claims it. */
export const namespaces = table(
  'namespaces',
  {
    id: text(),
    name: text(),
    display_name: nullable(text()),
    created_at: bigint(),
    deleted_at: nullable(bigint()),
    network: nullable(text()),
    claimed_at: nullable(bigint()),
  },
  { key: ['id'], indexes: ['unique namespaces_name (name)'] },
);

/** The lists of senders are JSON. */
export const mailboxes = table(
  'mailboxes',
  {
    id: text(),
    namespace_id: text(),
    namespace: text(),
    local_part: text(),
    display_name: nullable(text()),
    description: text(),
    behavior: text(),
    settings: text(),
    senders_allow: { ...text(), otherwise: "'[]'" },
    senders_block: { ...text(), otherwise: "'[]'" },
    status: text<Mailbox['status']>(),
    /** Where a program answers: until when it is connected. */
    online_until: nullable(bigint()),
    /** Whether messages are pushed to a webhook; null where there is none. */
    webhook: nullable(text<'on' | 'off'>()),
    visibility: text<Mailbox['visibility']>(),
    access: text<Mailbox['access']>(),
    try_out: integer(),
    created_at: bigint(),
    updated_at: bigint(),
    deleted_at: nullable(bigint()),
  },
  {
    key: ['id'],
    indexes: [
      'unique mailboxes_living (namespace_id, local_part) where deleted_at is null',
      'mailboxes_address (namespace, local_part, id)',
      'mailboxes_namespace (namespace_id, id)',
      "mailboxes_public (id) where deleted_at is null and visibility = 'listed' and access = 'public'",
      "mailboxes_public_behavior (behavior, id) where deleted_at is null and visibility = 'listed' and access = 'public'",
      'mailboxes_of (namespace_id, id) where deleted_at is null',
    ],
  },
);

/** The settings of a mailbox's earlier behaviors, one row per behavior and none of the current one. */
export const keptSettings = table(
  'kept_settings',
  { mailbox_id: text(), behavior: text(), settings: text() },
  { key: ['mailbox_id', 'behavior'], clustered: true },
);

/**
 * The webhook to which a mailbox's messages are pushed; its URL is a setting. `old_secret` signs too, until `old_until`.
 * `failing_since` is when the first of the attempts failed since which none has worked.
 */
export const agentWebhooks = table(
  'agent_webhooks',
  {
    mailbox_id: text(),
    secret: text(),
    old_secret: nullable(text()),
    old_until: nullable(bigint()),
    failing_since: nullable(bigint()),
    off_at: nullable(bigint()),
    error: nullable(text()),
  },
  { key: ['mailbox_id'], clustered: true },
);

export const keys = table(
  'keys',
  {
    id: text(),
    namespace_id: text(),
    namespace: text(),
    name: nullable(text()),
    prefix: text(),
    sha256: text<Key['sha256']>(),
    scopes: text(),
    mailbox_id: nullable(text()),
    mailbox: nullable(text()),
    created_at: bigint(),
    last_used_at: nullable(bigint()),
    expires_at: nullable(bigint()),
    revoked_at: nullable(bigint()),
  },
  {
    key: ['id'],
    indexes: [
      'unique keys_sha256 (sha256)',
      'keys_namespace (namespace_id, id)',
      'keys_living (namespace_id, id) where revoked_at is null',
      'keys_working (namespace_id, expires_at) where revoked_at is null',
    ],
  },
);

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
  },
  {
    key: ['id'],
    indexes: [
      // With `read`, so that the unread ones are counted in the index alone.
      'messages_received (to_mailbox_id, id, read) where to_mailbox_id is not null',
      'messages_written (from_mailbox_id, id) where from_mailbox_id is not null',
      "messages_sender (sender_namespace_id, id) where sender_namespace_id is not null and kind = 'message'",
      "messages_thread (thread_id, id) where substr(thread_id, 5) <> substr(id, 5) and substr(id, 24) <> '1'",
    ],
  },
);

/**
 * The state of answering one unsettled message; deleted with the settlement. `due_at` is null while it is held or
 * suspended. Suspended means that `waiting_for` is set; once the owner approved, `approved` is 1. `behavior` is the one
 * that asked for the approval, since no other carries its plan out. `asked_namespace_id` is the sender's namespace when
 * its owner decides. `suspect` is 1 when a process died while it was handled, and `crashes` is
 * how often that happened while nothing else was handled.
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
    waiting_for: nullable(text<'approval' | 'answer'>()),
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

export const blobChunks = table(
  'blob_chunks',
  { blob_id: text(), position: integer(), bytes: blob() },
  { key: ['blob_id', 'position'] },
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

/**
 * A message, an event or a mail of the service on its way to one target. `due_at` is when the next attempt is due, or the
 * lease of the current one ends.
 */
export const deliveries = table(
  'deliveries',
  {
    id: text(),
    kind: text<DeliveryName>(),
    namespace_id: nullable(text()),
    message_id: nullable(text()),
    /** The event that is delivered, at most once to a target. */
    event_id: nullable(text()),
    target: text(),
    destination: text(),
    payload: text(),
    status: text<DeliveryStatus>(),
    error: nullable(text()),
    due_at: nullable(bigint()),
    leased: integer(0),
    fence: integer(0),
    attempt: integer(0),
    created_at: bigint(),
    updated_at: bigint(),
    expires_at: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      // Destinations with no free slot are skipped, and those that wait are counted, in the index alone.
      'deliveries_due (due_at, id, kind, destination, created_at) where due_at is not null',
      'deliveries_ended (updated_at) where due_at is null',
      'deliveries_message (message_id) where message_id is not null',
      'deliveries_namespace (namespace_id, id) where namespace_id is not null',
      'unique deliveries_event (target, event_id) where event_id is not null',
      'deliveries_target (target, id) where event_id is not null',
      // Few, while what arrived may be much.
      "deliveries_unsent (target, status, id) where event_id is not null and status <> 'sent'",
    ],
  },
);

/**
 * URLs to which events are sent. `types` and `previous_secrets` are JSON. The events up to (`cursor_tx`, `cursor_seq`) are among its deliveries
 * or were passed over; what ended before `replayed_at` is delivered again when the cursor comes past it.
 */
export const webhooks = table(
  'webhooks',
  {
    id: text(),
    namespace_id: text(),
    mailbox_id: nullable(text()),
    mailbox: nullable(text()),
    url: text(),
    types: text(),
    status: text<Webhook['status']>(),
    disabled_reason: nullable(text<WebhookReason>()),
    disabled_at: nullable(bigint()),
    failing_since: nullable(bigint()),
    error: nullable(text()),
    secret: text(),
    previous_secrets: text(),
    cursor_tx: bigint(),
    cursor_seq: bigint(),
    replayed_at: nullable(bigint()),
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      'webhooks_namespace (namespace_id, id)',
      'webhooks_mailbox (mailbox_id) where mailbox_id is not null',
      // Those that have events to come are found in the index alone.
      "webhooks_enabled (namespace_id, cursor_tx, cursor_seq, id) where status = 'enabled'",
    ],
  },
);

/** Targets to which nothing is delivered any more from a namespace; that of mail of the service itself is ''. */
export const suppressions = table(
  'suppressions',
  { namespace_id: text(), kind: text<DeliveryName>(), target: text(), reason: text(), created_at: bigint() },
  { key: ['namespace_id', 'kind', 'target'], clustered: true },
);

/**
 * Domains of owners. `dkim` (with private keys) and `records` (as of the last check) are JSON. In one namespace at most a
 * domain is verified.
 */
export const domains = table(
  'domains',
  {
    id: text(),
    namespace_id: text(),
    domain: text(),
    status: text<DomainStatus>(),
    token: text(),
    dkim: text(),
    records: text(),
    error: nullable(text()),
    checked_at: nullable(bigint()),
    check_at: nullable(bigint()),
    misses: integer(),
    failing_since: nullable(bigint()),
    verified_at: nullable(bigint()),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      'unique domains_namespace (namespace_id, domain)',
      "unique domains_verified (domain) where status = 'verified'",
      'domains_domain (domain, id)',
      'domains_due (check_at) where check_at is not null',
    ],
  },
);

/** The Message-IDs of mail (RFC 5322, section 3.6.4) and the messages for which they stand in a namespace. */
export const messageIds = table(
  'message_ids',
  { namespace_id: text(), rfc_id: text(), message_id: text() },
  {
    key: ['namespace_id', 'rfc_id', 'message_id'],
    clustered: true,
    indexes: ['message_ids_message (message_id)'],
  },
);

/**
 * What is known of the messages that came by e-mail; `references_json` and `authentication` are JSON. `domain` is the domain
 * of an owner that was written to; null for that of the namespace. `owed` is 1 while a reply may be written that is not
 * queued to leave; those written up to `queued_until` are.
 */
export const emails = table(
  'emails',
  {
    message_id: text(),
    rfc_id: nullable(text()),
    references_json: text(),
    authentication: text(),
    domain: nullable(text()),
    not_answered: nullable(text<NotAnswered>()),
    owed: integer(0),
    queued_until: bigint(0),
    created_at: bigint(),
  },
  { key: ['message_id'], clustered: true, indexes: ['emails_owed (message_id) where owed = 1'] },
);

/** Due work that is neither a handling nor a delivery; `place` is where a purge continues. */
export const jobs = table(
  'jobs',
  {
    id: text(),
    kind: text<'schedule' | 'purge' | 'draft'>(),
    subject: nullable(text()),
    place: nullable(text()),
    due_at: nullable(bigint()),
    leased: integer(0),
    fence: integer(0),
    attempt: integer(0),
  },
  { key: ['id'], clustered: true, indexes: ['jobs_due (due_at, id) where due_at is not null'] },
);

export const idempotency = table(
  'idempotency',
  { scope: text(), key: text(), hash: text(), ref: text(), expires_at: bigint() },
  { key: ['scope', 'key'], clustered: true, indexes: ['idempotency_expires (expires_at)'] },
);

export const secrets = table('secrets', { name: text(), value: text() }, { key: ['name'], clustered: true });

export const probe = table('probe', { id: integer(), writes: bigint() }, { key: ['id'] });

/** What is short-lived; also found by its subject alone, because it is removed with it. */
export const states = table(
  'states',
  { kind: text(), id: text(), subject: nullable(text()), value: text(), expires_at: bigint() },
  {
    key: ['kind', 'id'],
    clustered: true,
    indexes: ['states_subject (subject, kind) where subject is not null', 'states_expires (expires_at)'],
  },
);

/**
 * The keys with which the service and its issuers sign: `id` is the ring and the period, `subject` the set in which the
 * public half is published until `published_until`. The private half is deleted at `signs_until`.
 */
export const signingKeys = table(
  'signing_keys',
  {
    id: text(),
    subject: text(),
    kid: text(),
    public_jwk: text(),
    private_jwk: nullable(text()),
    signs_until: bigint(),
    published_until: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      'signing_keys_subject (subject, published_until)',
      'signing_keys_private (signs_until) where private_jwk is not null',
    ],
  },
);

/**
 * One index: statistics read the log from its end, and deleted events are found by the namespace. `tx` is 0 in SQLite,
 * where one writer numbers the events as it commits them.
 */
export const events = table(
  'events',
  {
    seq: serial(),
    tx: bigint(0),
    namespace_id: text(),
    mailbox_id: text(),
    type: text(),
    message_id: nullable(text()),
    /** What an event of the namespace itself is about: a webhook. `mailbox_id` is '' then. */
    subject_id: nullable(text()),
    at: bigint(),
    arrived: integer(),
    took_ms: nullable(bigint()),
  },
  { key: ['seq'], indexes: ['events_namespace (namespace_id, tx, seq)'] },
);

export const notes = table(
  'notes',
  {
    mailbox_id: text(),
    owner: text(),
    name: text(),
    body: text(),
    updated_at: bigint(),
    sender_namespace_id: nullable(text()),
  },
  {
    key: ['mailbox_id', 'owner', 'name'],
    clustered: true,
    indexes: ['notes_sender (sender_namespace_id) where sender_namespace_id is not null'],
  },
);

export const schedules = table(
  'schedules',
  {
    id: text(),
    mailbox_id: text(),
    owner: text(),
    sender: text(),
    from_mailbox_id: nullable(text()),
    thread_id: text(),
    hops: integer(),
    name: text(),
    body: text(),
    data: nullable(text()),
    rule: nullable(text()),
    time_zone: text(),
    next_at: bigint(),
    last_at: nullable(bigint()),
    created_at: bigint(),
    sender_namespace_id: nullable(text()),
  },
  {
    key: ['id'],
    indexes: [
      'schedules_owner (mailbox_id, owner, next_at, id)',
      'schedules_sender (sender_namespace_id) where sender_namespace_id is not null',
    ],
  },
);

export const accounts = table(
  'accounts',
  { id: text(), address: text(), created_at: bigint() },
  { key: ['id'], indexes: ['unique accounts_address (address)'] },
);

export const subjects = table(
  'subjects',
  { namespace_id: text(), account_id: text(), subject: text() },
  {
    key: ['namespace_id', 'account_id'],
    clustered: true,
    indexes: ['unique subjects_subject (namespace_id, subject)', 'subjects_account (account_id)'],
  },
);

export const passkeys = table(
  'passkeys',
  {
    id: text(),
    account_id: text(),
    name: text(),
    public_key: text(),
    counter: bigint(),
    transports: text(),
    backed_up: integer(),
    created_at: bigint(),
    used_at: nullable(bigint()),
  },
  { key: ['id'], indexes: ['passkeys_account (account_id)'] },
);

export const ownerships = table(
  'ownerships',
  { namespace_id: text(), account_id: text(), key_id: text(), created_at: bigint() },
  { key: ['namespace_id', 'account_id'], clustered: true, indexes: ['ownerships_account (account_id)'] },
);

export const clients = table(
  'clients',
  {
    id: text(),
    namespace_id: text(),
    mailbox_id: text(),
    source: text<Client['source']>(),
    name: text(),
    metadata: text(),
    secret: nullable(text()),
    created_at: bigint(),
    updated_at: bigint(),
  },
  { key: ['id'], indexes: ['clients_mailbox (mailbox_id, id)'] },
);

export const allowances = table(
  'allowances',
  { mailbox_id: text(), issuer_id: text(), client_id: text(), name: text(), created_at: bigint() },
  {
    key: ['mailbox_id', 'issuer_id', 'client_id'],
    clustered: true,
    indexes: ['allowances_client (issuer_id, client_id)'],
  },
);

/** The bytes of a namespace (its id) and of a network (an HMAC, never its address). */
export const storage = table(
  'storage',
  { subject: text(), bytes: bigint(), expires_at: nullable(bigint()) },
  { key: ['subject'], clustered: true, indexes: ['storage_expires (expires_at) where expires_at is not null'] },
);

/** All tables of the first version. */
export const TABLES: readonly Table[] = [
  namespaces,
  mailboxes,
  keptSettings,
  agentWebhooks,
  keys,
  messages,
  handlings,
  takenThreads,
  attachments,
  blobs,
  blobChunks,
  labels,
  drafts,
  deliveries,
  webhooks,
  suppressions,
  domains,
  messageIds,
  emails,
  jobs,
  idempotency,
  secrets,
  probe,
  states,
  signingKeys,
  events,
  notes,
  schedules,
  accounts,
  subjects,
  passkeys,
  ownerships,
  clients,
  allowances,
  storage,
];
