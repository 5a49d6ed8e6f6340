import { bigint, integer, nullable, serial, table, text } from '../table.ts';

/** Due work that is neither a handling nor a delivery; `place` is where a purge continues. */
export const jobs = table(
  'jobs',
  {
    id: text(),
    kind: text<
      'schedule' | 'purge' | 'draft' | 'copies' | 'answer' | 'trash' | 'held' | 'waiting' | 'forward' | 'later'
    >(),
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

/** Messages that changed in another way than the events tell, for the index of messages; removed once that has them. */
export const indexChanges = table('index_changes', { seq: serial(), message_id: text() }, { key: ['seq'] });

/** The bytes of a namespace (its id) and of a network (an HMAC, never its address). */
export const storage = table(
  'storage',
  {
    subject: text(),
    bytes: bigint(),
    expires_at: nullable(bigint()),
    /** When the owner of a namespace was told last that it is nearly full, and of how many bytes. */
    warned_at: nullable(bigint()),
    max_bytes: nullable(bigint()),
  },
  { key: ['subject'], clustered: true, indexes: ['storage_expires (expires_at) where expires_at is not null'] },
);

/** To how many recipients a mailbox wrote on one UTC day (`day` counts them from 1970-01-01), where its owner set a maximum. */
export const recipientDays = table(
  'recipient_days',
  { mailbox_id: text(), day: integer(), recipients: integer() },
  { key: ['mailbox_id', 'day'], clustered: true, indexes: ['recipient_days_day (day)'] },
);

/**
 * What the messages of a mailbox took of the language model on one UTC day (`day` counts them from 1970-01-01): of all
 * (`sender` is '') and, where each sender has a limit, of each (an HMAC, never an address).
 */
export const modelUsage = table(
  'model_usage',
  {
    mailbox_id: text(),
    day: integer(),
    sender: text(),
    runs: integer(),
    input_tokens: bigint(),
    output_tokens: bigint(),
    /** What runs that have not ended may still use, with those that a crash ended. */
    reserved: bigint(),
    /** The limit of the day when the last run began; null for none. */
    budget: nullable(bigint()),
    /** Whether its owner was told that the budget is nearly spent (1), or spent (2). */
    warned: integer(),
  },
  { key: ['mailbox_id', 'day', 'sender'], clustered: true, indexes: ['model_usage_day (day)'] },
);
