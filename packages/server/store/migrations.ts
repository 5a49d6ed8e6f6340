import { MESSAGE_ARRIVED } from './message-arrived.ts';
import type { Dialect } from './schema/table.ts';

/** A step from one version of the schema to the next. */
export interface Migration {
  /** The fingerprints of the version that it starts from, as the release of that version wrote them. */
  readonly from: Readonly<Record<Dialect, string>>;
  readonly sql: (dialect: Dialect) => string;
  /**
   * The first version whose statements still work afterwards. Absent for a step that expands: all of them do. One that
   * contracts names it, and comes a release after the last statement that used what it takes away.
   */
  readonly oldest?: number;
}

const reviewTables = (text: string, end: string): readonly string[] => [
  `create table reviews (id ${text} not null, namespace_id ${text} not null, mailbox_id ${text} not null,
    mailbox ${text} not null, message_id ${text} not null, kind ${text} not null, status ${text} not null,
    message ${text} not null, hash ${text} not null, original ${text}, own_hash ${text}, findings ${text} not null, on_expiry ${text} not null,
    carries ${text} not null, reply_id ${text}, written_by ${text}, changed_by ${text}, requested_at bigint not null,
    expires_at bigint not null, decided_by ${text}, decided_at bigint, reason ${text}, receipt ${text},
    refusals ${text}, to_ask integer not null default 0, counted integer not null default 0,
    counted_day integer not null default 0, primary key (id));`,
  'create index reviews_namespace on reviews (namespace_id, id);',
  'create index reviews_mailbox on reviews (mailbox_id, id);',
  "create index reviews_pending on reviews (namespace_id, id) where status = 'pending';",
  'create index reviews_message on reviews (message_id);',
  'create index reviews_reply on reviews (reply_id) where reply_id is not null;',
  'create index reviews_to_ask on reviews (id) where to_ask = 1;',
  `create table contacts (mailbox_id ${text} not null, address ${text} not null, approved_at bigint not null,
    primary key (mailbox_id, address))${end};`,
  `create table recipient_days (mailbox_id ${text} not null, day integer not null, recipients integer not null,
    primary key (mailbox_id, day))${end};`,
  'create index recipient_days_day on recipient_days (day);',
];

/** A node of the version before knows owners of whole namespaces alone. */
const OWNERSHIPS = `create view ownerships as
  select namespace_id, account_id, key_id, created_at from members where role = 'owner' and mailbox_ids is null;`;

const memberTables = (dialect: Dialect): readonly string[] => {
  const [text, position] = dialect === 'sqlite' ? ['text', 'instr'] : ['text collate "C"', 'strpos'];
  return [
    `alter table keys add column also ${text};`,
    `alter table keys add column account_id ${text};`,
    'create index keys_account on keys (account_id) where account_id is not null;',
    'create index keys_revoked on keys (revoked_at) where revoked_at is not null;',
    'create index keys_expires on keys (expires_at) where expires_at is not null;',
    'alter table ownerships rename to members;',
    'drop index ownerships_account;',
    ...(dialect === 'postgres' ? ['alter index ownerships_pkey rename to members_pkey;'] : []),
    `alter table members add column role ${text} not null default 'owner';`,
    `alter table members add column mailbox_ids ${text};`,
    `alter table members add column name ${text} not null default '';`,
    'alter table members add column notify_browser integer not null default 1;',
    'alter table members add column notify_minutes integer default 15;',
    'alter table members add column called_at bigint;',
    `alter table members add column called_by ${text};`,
    'create index members_account on members (account_id);',
    'create index members_key on members (key_id);',
    ...(dialect === 'postgres' ? [OWNERSHIPS] : []),
    `update members set name = coalesce(
      (select local_part from mailboxes b where b.id = account_id),
      (select substr(a.address, 1, ${position}(a.address, '@') - 1) from accounts a where a.id = account_id), '');`,
    `create table invitations (id ${text} not null, namespace_id ${text} not null, address ${text} not null,
      role ${text} not null, mailbox_ids ${text}, name ${text} not null, sha256 ${text} not null, key_id ${text} not null,
      created_at bigint not null, expires_at bigint not null, primary key (id));`,
    'create unique index invitations_address on invitations (namespace_id, address);',
    'create unique index invitations_sha256 on invitations (sha256);',
    'update keys set account_id = (select m.account_id from members m where m.key_id = keys.id);',
  ];
};

const conversationTables = (text: string, end: string): readonly string[] => [
  `create table conversations (namespace_id ${text} not null, mailbox_id ${text} not null, thread_id ${text} not null,
    state ${text} not null, until bigint, assignee ${text}, updated_at bigint not null,
    primary key (mailbox_id, thread_id))${end};`,
  'create index conversations_state on conversations (namespace_id, state, updated_at, thread_id);',
  'create index conversations_mailbox on conversations (mailbox_id, state, updated_at, thread_id);',
  'create index conversations_assignee on conversations (namespace_id, assignee, updated_at, thread_id) where assignee is not null;',
  `create table thread_notes (id ${text} not null, namespace_id ${text} not null, mailbox_id ${text} not null,
    thread_id ${text} not null, author ${text} not null, body ${text} not null, mentions ${text} not null,
    created_at bigint not null, primary key (id));`,
  'create index thread_notes_thread on thread_notes (mailbox_id, thread_id, id);',
  "create index thread_notes_mentions on thread_notes (namespace_id, created_at) where mentions <> '[]';",
];
/** A conversation was done while the newest message that the mailbox received in it had this label. */
const DONE_LABELS: readonly string[] = [
  `insert into conversations (namespace_id, mailbox_id, thread_id, state, updated_at)
   select b.namespace_id, b.id, m.thread_id, 'done', max(m.created_at)
   from labels l join messages m on m.id = l.message_id join mailboxes b on b.id = l.mailbox_id and b.deleted_at is null
   where l.label = 'done' and not exists (
     select 1 from messages n where n.thread_id = m.thread_id and substr(n.thread_id, 5) <> substr(n.id, 5)
       and substr(n.id, 24) <> '1' and n.to_mailbox_id = l.mailbox_id and n.id > m.id)
   group by b.namespace_id, b.id, m.thread_id;`,
  "delete from labels where label = 'done';",
];

const auditTables = (text: string, end: string): readonly string[] => [
  `create table audit (namespace_id ${text} not null, number bigint not null, id ${text} not null, at bigint not null,
    actor ${text} not null, actor_id ${text}, origin ${text} not null, action ${text} not null, target ${text} not null,
    before ${text}, after ${text}, previous_hash ${text} not null, hash ${text} not null,
    primary key (namespace_id, number))${end};`,
  'create unique index audit_id on audit (id);',
  'create index audit_action on audit (namespace_id, action, number);',
  'create index audit_actor on audit (namespace_id, actor_id, number) where actor_id is not null;',
  'create index audit_actor_action on audit (namespace_id, actor_id, action, number) where actor_id is not null;',
  'create index audit_at on audit (at);',
  `create table audit_heads (namespace_id ${text} not null, number bigint not null, previous_hash ${text} not null,
    hash ${text} not null, primary key (namespace_id))${end};`,
];

/**
 * Forward only: the first makes version 2 of version 1, and a released one is never changed. The tables of a new database
 * come from `schema/tables.ts`, which changes with each step. docs/decisions/0033-migrations.md
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    from: { sqlite: '4b2165d08bfc', postgres: '8f9a40299597' },
    sql: (dialect) =>
      [
        ...['copy_of', 'recipients', 'filed', 'mail', 'metadata', 'rules', 'findings', 'trace'].map(
          (name) => `alter table messages add column ${name} text;`,
        ),
        'alter table messages add column has_file integer not null default 0;',
        'update messages set has_file = 1 where id in (select owner_id from attachments);',
        "alter table mailboxes add column wake text not null default 'to';",
        'alter table mailboxes add column sign_answers integer not null default 0;',
        'alter table mailboxes add column metadata text;',
        'alter table mailboxes add column outgoing text;',
        'alter table mailboxes add column rules text;',
        'alter table mailboxes add column budget text;',
        // The service sets these alone; quarantine was its own already.
        "update labels set label = 'own/' || label where label in ('trash', 'gone', 'spam', 'cc') or (label like 'finding/%' and length(label) <= 46);",
        'create index messages_copies on messages (copy_of) where copy_of is not null;',
        ...Object.entries({ received: 'to_mailbox_id', written: 'from_mailbox_id', sent: 'sender_namespace_id' }).map(
          ([name, column]) =>
            `create index messages_late_${name} on messages (${column}, settled_at) where settled_at > created_at + 1000;
             create index messages_unusual_${name} on messages (${column}, status, id) where status in ('failed', 'rejected', 'canceled', 'input_required');`,
        ),
        "create index messages_mailed on messages (to_mailbox_id, lower(sender_id), id) where sender_kind = 'email';",
        'create index messages_between on messages (to_mailbox_id, from_mailbox_id, id) where to_mailbox_id is not null and from_mailbox_id is not null;',
        'create index messages_file_received on messages (to_mailbox_id, id) where has_file = 1;',
        'create index messages_file_written on messages (from_mailbox_id, id) where has_file = 1;',
        "create index messages_file_sent on messages (sender_namespace_id, id) where has_file = 1 and kind = 'message';",
        "create index messages_failed on messages (to_mailbox_id, settled_at, id) where status = 'failed';",
        "create index messages_asked_back on messages (sender_namespace_id, settled_at, id) where status = 'input_required' and kind = 'message';",
        `create table index_changes (seq ${
          dialect === 'sqlite'
            ? 'integer primary key autoincrement, message_id text not null'
            : 'bigint generated by default as identity primary key, message_id text collate "C" not null'
        });`,
        ...[reviewTables, auditTables, conversationTables].flatMap((tables) =>
          tables(dialect === 'sqlite' ? 'text' : 'text collate "C"', dialect === 'sqlite' ? ' without rowid' : ''),
        ),
        `create table model_usage (${
          dialect === 'sqlite'
            ? 'mailbox_id text not null, day integer not null, sender text not null'
            : 'mailbox_id text collate "C" not null, day integer not null, sender text collate "C" not null'
        }, runs integer not null, input_tokens bigint not null, output_tokens bigint not null, reserved bigint not null, budget bigint, warned integer not null, primary key (mailbox_id, day, sender))${
          dialect === 'sqlite' ? ' without rowid' : ''
        };`,
        'create index model_usage_day on model_usage (day);',
        'alter table webhooks add column batch integer not null default 1;',
        `alter table blob_chunks add column outside ${dialect === 'sqlite' ? 'text' : 'text collate "C"'};`,
        'create index blob_chunks_outside on blob_chunks (blob_id, position) where outside is not null;',
        ...memberTables(dialect),
        ...(dialect === 'postgres' ? [MESSAGE_ARRIVED] : []),
        ...DONE_LABELS,
      ].join('\n'),
  },
];
