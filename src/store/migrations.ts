/**
 * The schema, forward only: a released entry is never changed, and the version is the number of entries run. Text is
 * compared by bytes; PostgreSQL reads the same text without `without rowid`, with `collate "C"`, and with an identity
 * column for `autoincrement`.
 *
 * `messages` has few indexes because each one slows every message. A thread has the id of its first message, so the
 * index of threads holds only later messages; the filed copy of a reply (its id ends with 1) appears in its mailbox and
 * not in the thread. `events` has one index: statistics read the log from its end, and deleted events are found by the
 * namespace.
 *
 * A job is not suspended (0), suspended until the owner decides on its plan (1), or approved (2). `decides` says whose
 * owner decides, null for the recipient's. `behavior` of a job is the one that asked for an approval, since no other
 * carries its plan out.
 *
 * `states` are also found by their subject alone, because those of a deleted account, mailbox or namespace are removed
 * with it. `kept_settings` holds the settings of a mailbox's earlier behaviors, one row per behavior and none of the
 * current one.
 *
 * `storage` counts the bytes of a namespace (its id) and of a network (an HMAC, never its address). `network` of a
 * namespace is the one it was created from, until a person claims it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table namespaces (
    id text primary key not null,
    name text not null unique,
    display_name text,
    created_at bigint not null,
    deleted_at bigint
  );

  create table mailboxes (
    id text primary key not null,
    namespace_id text not null,
    namespace text not null,
    local_part text not null,
    display_name text,
    description text not null,
    behavior text not null,
    settings text not null,
    status text not null,
    visibility text not null,
    access text not null,
    try_out integer not null,
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint
  );
  create unique index mailboxes_living on mailboxes (namespace_id, local_part) where deleted_at is null;
  create index mailboxes_address on mailboxes (namespace, local_part, id);
  create index mailboxes_namespace on mailboxes (namespace_id, id);

  create table keys (
    id text primary key not null,
    namespace_id text not null,
    namespace text not null,
    name text,
    prefix text not null,
    sha256 text not null unique,
    scopes text not null,
    mailbox_id text,
    mailbox text,
    created_at bigint not null,
    last_used_at bigint,
    expires_at bigint,
    revoked_at bigint
  );
  create index keys_namespace on keys (namespace_id, id);

  create table messages (
    id text primary key not null,
    thread_id text not null,
    in_reply_to text,
    retry_of text,
    mailbox_id text not null,
    "to" text not null,
    "from" text,
    sender_kind text not null,
    sender_id text,
    sender_namespace_id text,
    key_id text,
    channel text not null,
    hops integer not null,
    subject text,
    body text not null,
    data text,
    status text not null,
    waiting_for text,
    error_code text,
    error_message text,
    reply_body text,
    reply_data text,
    created_at bigint not null,
    settled_at bigint,
    from_mailbox_id text
  );
  create index messages_mailbox on messages (mailbox_id, id);
  create index messages_sender on messages (sender_namespace_id, id) where sender_namespace_id is not null;
  create index messages_thread on messages (thread_id, id)
    where substr(thread_id, 5) <> substr(id, 5) and substr(id, 24) = '0';

  create table jobs (
    id text primary key not null,
    kind text not null,
    mailbox_id text,
    subject text,
    progress text,
    due_at bigint,
    leased integer not null default 0,
    fence integer not null default 0,
    attempt integer not null default 0
  ) without rowid;
  create index jobs_due on jobs (due_at, id) where due_at is not null;
  create index jobs_mailbox on jobs (mailbox_id) where mailbox_id is not null;

  create table idempotency (
    scope text not null,
    key text not null,
    hash text not null,
    ref text not null,
    expires_at bigint not null,
    primary key (scope, key)
  ) without rowid;
  create index idempotency_expires on idempotency (expires_at);

  create table secrets (
    name text primary key not null,
    value text not null
  ) without rowid;

  create table probe (
    id integer primary key not null,
    writes bigint not null
  );
  `,
  `
  create table states (
    kind text not null,
    id text not null,
    subject text,
    value text not null,
    expires_at bigint not null,
    primary key (kind, id)
  ) without rowid;
  create index states_subject on states (kind, subject) where subject is not null;
  create index states_expires on states (expires_at);

  create table events (
    seq integer primary key autoincrement,
    tx bigint not null default 0,
    namespace_id text not null,
    mailbox_id text not null,
    type text not null,
    message_id text,
    at bigint not null,
    arrived integer not null,
    took_ms bigint
  );
  create index events_namespace on events (namespace_id, tx, seq);
  `,
  `
  alter table jobs add column checkpoint text;
  alter table jobs add column plan text;
  alter table jobs add column parked integer not null default 0;

  create table notes (
    mailbox_id text not null,
    owner text not null,
    name text not null,
    body text not null,
    updated_at bigint not null,
    sender_namespace_id text,
    primary key (mailbox_id, owner, name)
  ) without rowid;
  create index notes_sender on notes (sender_namespace_id) where sender_namespace_id is not null;

  create table schedules (
    id text primary key not null,
    mailbox_id text not null,
    owner text not null,
    sender text not null,
    from_mailbox_id text,
    thread_id text not null,
    hops integer not null,
    name text not null,
    body text not null,
    data text,
    rule text,
    time_zone text not null,
    next_at bigint not null,
    last_at bigint,
    created_at bigint not null,
    sender_namespace_id text
  );
  create index schedules_owner on schedules (mailbox_id, owner, next_at, id);
  create index schedules_sender on schedules (sender_namespace_id) where sender_namespace_id is not null;
  `,
  `
  alter table jobs add column decides text;
  create index messages_asking on messages (sender_namespace_id, id) where waiting_for is not null;

  drop index states_subject;
  create index states_subject on states (subject, kind) where subject is not null;

  create table accounts (
    id text primary key not null,
    address text not null unique,
    created_at bigint not null
  );

  create table subjects (
    namespace_id text not null,
    account_id text not null,
    subject text not null,
    primary key (namespace_id, account_id)
  ) without rowid;
  create unique index subjects_subject on subjects (namespace_id, subject);
  create index subjects_account on subjects (account_id);

  create table passkeys (
    id text primary key not null,
    account_id text not null,
    name text not null,
    public_key text not null,
    counter bigint not null,
    transports text not null,
    backed_up integer not null,
    created_at bigint not null,
    used_at bigint
  );
  create index passkeys_account on passkeys (account_id);

  create table ownerships (
    namespace_id text not null,
    account_id text not null,
    key_id text not null,
    created_at bigint not null,
    primary key (namespace_id, account_id)
  ) without rowid;
  create index ownerships_account on ownerships (account_id);

  create table clients (
    id text primary key not null,
    namespace_id text not null,
    mailbox_id text not null,
    source text not null,
    name text not null,
    metadata text not null,
    secret text,
    created_at bigint not null,
    updated_at bigint not null
  );
  create index clients_mailbox on clients (mailbox_id, id);

  create table allowances (
    mailbox_id text not null,
    issuer_id text not null,
    client_id text not null,
    name text not null,
    created_at bigint not null,
    primary key (mailbox_id, issuer_id, client_id)
  ) without rowid;
  create index allowances_client on allowances (issuer_id, client_id);
  `,
  `
  create index mailboxes_public on mailboxes (id)
    where deleted_at is null and visibility = 'listed' and access = 'public';
  create index mailboxes_public_behavior on mailboxes (behavior, id)
    where deleted_at is null and visibility = 'listed' and access = 'public';
  create index mailboxes_of on mailboxes (namespace_id, id) where deleted_at is null;
  `,
  `
  create index keys_living on keys (namespace_id, id) where revoked_at is null;
  `,
  `
  alter table namespaces add column network text;
  alter table namespaces add column claimed_at bigint;
  update namespaces set claimed_at = created_at where id in (select namespace_id from ownerships);

  create table storage (
    subject text primary key not null,
    bytes bigint not null,
    expires_at bigint
  ) without rowid;
  create index storage_expires on storage (expires_at) where expires_at is not null;
  insert into storage (subject, bytes)
    select sender_namespace_id, sum(1024 + octet_length(body) + coalesce(octet_length(data), 0)
      + coalesce(octet_length(subject), 0) + coalesce(octet_length(reply_body), 0) + coalesce(octet_length(reply_data), 0))
    from messages where sender_namespace_id is not null group by sender_namespace_id;

  create index keys_working on keys (namespace_id, expires_at) where revoked_at is null;
  `,
  `
  create table kept_settings (
    mailbox_id text not null,
    behavior text not null,
    settings text not null,
    primary key (mailbox_id, behavior)
  ) without rowid;
  alter table jobs add column behavior text;
  `,
];
