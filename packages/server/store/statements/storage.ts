import type { EventType } from '../../core/entities/event.ts';
import type { NamespaceStorage } from '../../core/entities/namespace-storage.ts';
import { NOTE_OVERHEAD } from '../../core/entities/standing.ts';
import { KEPT_OVERHEAD, MESSAGE_OVERHEAD, STRANGERS as OF_STRANGERS } from '../../core/entities/storage-size.ts';
import type { StorageChange, StorageTotal, StorageTotals } from '../../core/ports/storage.ts';
import { type Cell, type Db, params, step, type WriteStep } from '../db.ts';

const STRANGERS = `'${OF_STRANGERS}'`;
/** Maximum rows of one statement. */
const CHUNK = 200;

/** Every transaction that writes `storage` first locks this one row, so that no two can deadlock. */
const HOLD = `
  insert into storage (subject, bytes) values ('', 0) on conflict (subject) do update set bytes = 0`;
export const holdStorage = (): WriteStep => step(HOLD);

const sizeOf = (m: string): string => `case when ${m}.copy_of is not null then 0 else
  octet_length(${m}.body) + coalesce(octet_length(${m}.data), 0) + coalesce(octet_length(${m}.mail), 0)
  + case when ${m}.kind = 'message' then ${MESSAGE_OVERHEAD} + coalesce(octet_length(${m}.subject), 0) else 0 end end`;

/** Subtracts `size` of each `subject`. */
const less = (from: string): string => `
  insert into storage as t (subject, bytes) select f.subject, -f.size from (${from}) f where f.subject is not null
  on conflict (subject) do update set bytes = t.bytes + excluded.bytes`;

/**
 * Subtracts `size` by `subject`, for the namespaces and for the networks they were created from. Bytes may be subtracted
 * before they were added, so a total can be negative for a moment.
 */
const refund = (sizes: string): readonly string[] => {
  return [
    less(`select subject, sum(size) as size from (${sizes}) s group by subject`),
    less(`select n.network as subject, sum(s.size) as size from (${sizes}) s join namespaces n on n.id = s.subject
      group by n.network`),
  ];
};

/** Whether a stranger wrote a message by mail, or it answers such a mail; `m` is the message. */
const OF_STRANGER = `m.sender_namespace_id is null and (m.sender_kind = 'email'
  or m.kind = 'reply' and exists (select 1 from emails e where e.message_id = m.in_reply_to))`;
const NAMESPACE = `(select b.namespace_id from mailboxes b where b.id = coalesce(m.to_mailbox_id, m.from_mailbox_id))`;

/** Steps that give back the bytes of the messages for which `where` holds (columns of `m`), before they are deleted. */
export const refundMessages = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] => {
  const sizes = `
    select case when ${OF_STRANGER} then ${NAMESPACE} else m.sender_namespace_id end as subject, ${sizeOf('m')} as size
    from messages m where ${where}`;
  const received = `
    select ${NAMESPACE} as namespace_id,
      ${sizeOf('m')} + coalesce((select e.stranger_bytes from emails e where e.message_id = m.id), 0) as size
    from messages m where ${OF_STRANGER} and (${where})`;
  const strangers = [
    `select ${STRANGERS} || namespace_id as subject, sum(size) as size from (${received}) r group by namespace_id`,
    `select ${STRANGERS} || n.network as subject, sum(r.size) as size
     from (${received}) r join namespaces n on n.id = r.namespace_id group by n.network`,
  ];
  return [...refund(sizes), ...strangers.map(less)].map((sql) => step(sql, ...cells));
};

/**
 * Gives back the bytes of a deleted mailbox's settings, kept settings and lists of senders, metadata and rules, before they are blanked;
 * blank ones give back the rest of its row.
 */
export const refundSettings = (mailboxId: string): readonly WriteStep[] =>
  refund(
    `select namespace_id as subject, octet_length(settings) as size from mailboxes
     where id = $1 and deleted_at is not null and settings <> '{}'
     union all
     select namespace_id as subject, octet_length(senders_allow) as size from mailboxes
     where id = $1 and deleted_at is not null and senders_allow <> '[]'
     union all
     select namespace_id as subject, octet_length(senders_block) as size from mailboxes
     where id = $1 and deleted_at is not null and senders_block <> '[]'
     union all
     select namespace_id as subject, octet_length(metadata) as size from mailboxes
     where id = $1 and deleted_at is not null and metadata is not null
     union all
     select namespace_id as subject, octet_length(rules) as size from mailboxes
     where id = $1 and deleted_at is not null and rules is not null
     union all
     select b.namespace_id as subject, octet_length(k.settings) as size
     from kept_settings k join mailboxes b on b.id = k.mailbox_id
     where k.mailbox_id = $1 and b.deleted_at is not null`,
  ).map((sql) => step(sql, mailboxId));

/** Bytes of attachments that nothing names any more; those of a deleted namespace count for none. */
export const refundBlob = (id: string, now: number): readonly WriteStep[] =>
  refund(
    `select b.namespace_id as subject, b.size from blobs b
     join namespaces l on l.id = b.namespace_id and l.deleted_at is null
     where b.id = $1 and b.check_at <= $2 and b.size > 0`,
  ).map((sql) => step(sql, id, now));

const ofAttachments = (where: string): string => `
  select b.namespace_id as subject, ${KEPT_OVERHEAD} as size
  from (select blob_id from attachments where ${where}) a join blobs b on b.id = a.blob_id
  join namespaces l on l.id = b.namespace_id and l.deleted_at is null`;
/** Rows of attachments for which `where` holds, before they are deleted; they count for who pays for their bytes. */
export const refundAttachments = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] =>
  refund(ofAttachments(where)).map((sql) => step(sql, ...cells));
/** Counts those rows, after they were copied. */
export const countAttachments = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] =>
  refund(`select subject, -size as size from (${ofAttachments(where)}) c`).map((sql) => step(sql, ...cells));

/** Rows of `notes` or `schedules` for which `where` holds; they count for their author. */
export const refundKept = (
  table: 'notes' | 'schedules',
  where: string,
  ...cells: readonly Cell[]
): readonly WriteStep[] =>
  refund(
    `select sender_namespace_id as subject, octet_length(body)${table === 'notes' ? '' : ' + coalesce(octet_length(data), 0)'} as size from ${table}
     where sender_namespace_id is not null and ${where}`,
  ).map((sql) => step(sql, ...cells));

/** Notes beside threads for which `where` holds, before they are deleted. */
export const refundThreadNotes = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] =>
  refund(
    `select namespace_id as subject, ${NOTE_OVERHEAD} + octet_length(body) as size from thread_notes where ${where}`,
  ).map((sql) => step(sql, ...cells));

/** Drafts for which `where` holds, before they are deleted. */
export const refundDrafts = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] =>
  refund(
    `select namespace_id as subject, ${KEPT_OVERHEAD} + octet_length(content) as size from drafts where ${where}`,
  ).map((sql) => step(sql, ...cells));

/** Push configurations for which `where` holds, before they are deleted; those of a deleted namespace count for none. */
export const refundPushConfigs = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] =>
  refund(
    `select c.namespace_id as subject, ${KEPT_OVERHEAD} + octet_length(c.sealed) as size
     from (select namespace_id, sealed from push_configs where ${where}) c
     join namespaces l on l.id = c.namespace_id and l.deleted_at is null`,
  ).map((sql) => step(sql, ...cells));

/** The contents of drafts for which `where` holds, before they are blanked. */
export const refundDraftContents = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] =>
  refund(`select namespace_id as subject, octet_length(content) - 2 as size from drafts where ${where}`).map((sql) =>
    step(sql, ...cells),
  );

/** What a deleted namespace left with others continues to count for the network it was created from. */
export const dropStorage = (namespaceId: string): WriteStep =>
  step(`delete from storage where subject in ($1, ${STRANGERS} || $1)`, namespaceId);

const CLAIM_NETWORK = `
  update storage set bytes = storage.bytes - f.bytes
  from (select n.network as subject, s.bytes from namespaces n join storage s on s.subject = n.id
    where n.id = $1 and n.claimed_at is null) f
  where storage.subject = f.subject`;
const CLAIM_STRANGERS = `
  update storage set bytes = storage.bytes - f.bytes
  from (select ${STRANGERS} || n.network as subject, s.bytes from namespaces n join storage s on s.subject = ${STRANGERS} || n.id
    where n.id = $1 and n.claimed_at is null) f
  where storage.subject = f.subject`;
const CLAIM = `
  update namespaces set claimed_at = $2, network = null where id = $1 and claimed_at is null returning id`;
/** From now on the namespace counts for itself alone. */
export const claimSteps = (namespaceId: string, now: number): readonly WriteStep[] => [
  holdStorage(),
  step(CLAIM_NETWORK, namespaceId),
  step(CLAIM_STRANGERS, namespaceId),
  step(CLAIM, namespaceId, now),
];

const NEARLY_FULL: EventType = 'namespace.nearly_full';
const NOT_WARNED = 'subject = $1 and (warned_at is null or warned_at < cast($2 as bigint))';
const WARNING = `
  insert into events (namespace_id, mailbox_id, type, subject_id, at, arrived)
  select subject, '', '${NEARLY_FULL}', subject, cast($3 as bigint), 0 from storage where ${NOT_WARNED}`;
const WARNED = `
  update storage set warned_at = $3, max_bytes = $4 where ${NOT_WARNED} returning subject`;

/** How full those of these namespaces are whose owner was told. */
export async function storageByIds(db: Db, ids: readonly string[]): Promise<readonly NamespaceStorage[]> {
  const these = [...new Set(ids.filter((id) => id.startsWith('ns_')))];
  if (these.length === 0) return [];
  const { values, p } = params();
  const rows = await db.read(
    `select n.id, n.name, s.bytes, s.max_bytes from storage s join namespaces n on n.id = s.subject
     where s.max_bytes is not null and s.subject in (${these.map(p).join(', ')})`,
    values,
  );
  return rows as unknown as readonly NamespaceStorage[];
}

const COUNT = `
  select count(*) as n from storage s join namespaces n on n.id = s.subject
  where n.deleted_at is null and s.bytes >= case when n.claimed_at is null then cast($2 as bigint) else cast($1 as bigint) end`;

const SWEEP = 'delete from storage where expires_at < $1 returning subject';

export function makeStorage(db: Db): StorageTotals {
  async function totals(subjects: readonly string[]): Promise<readonly StorageTotal[]> {
    const found: StorageTotal[] = [];
    for (let start = 0; start < subjects.length; start += CHUNK) {
      const { values, p } = params();
      const these = subjects
        .slice(start, start + CHUNK)
        .map((subject) => `select ${p(subject)} as subject`)
        .join(' union all ');
      const rows = await db.read(
        `select w.subject, coalesce(s.bytes, 0) as bytes, n.name, n.network, n.claimed_at
         from (${these}) w left join storage s on s.subject = w.subject left join namespaces n on n.id = w.subject`,
        values,
      );
      for (const row of rows) {
        found.push({
          subject: row.subject as string,
          bytes: row.bytes as number,
          name: row.name as string | null,
          network: row.network as string | null,
          claimed: row.claimed_at !== null,
        });
      }
    }
    return found;
  }
  return {
    totals,
    async add(changes: readonly StorageChange[]) {
      const steps: WriteStep[] = [];
      for (let start = 0; start < changes.length; start += CHUNK) {
        const { values, p } = params();
        const rows = changes
          .slice(start, start + CHUNK)
          .map(
            ({ subject, bytes, expires_at }) =>
              `(${p(subject)}, cast(${p(bytes)} as bigint), cast(${p(expires_at)} as bigint))`,
          );
        steps.push(
          step(
            `insert into storage as s (subject, bytes, expires_at) values ${rows.join(', ')}
             on conflict (subject) do update set bytes = s.bytes + excluded.bytes`,
            ...values,
          ),
        );
      }
      if (steps.length > 0) await db.write([holdStorage(), ...steps], 'beside');
    },
    async warn({ id, max_bytes }, now, since) {
      const written = await db.write(
        [holdStorage(), step(WARNING, id, since, now), step(WARNED, id, since, now, max_bytes)],
        'beside',
      );
      return written.at(-1)?.length === 1;
    },
    async countFrom({ claimed, unclaimed }) {
      const [row] = await db.read(COUNT, [claimed, unclaimed]);
      return Number(row?.n ?? 0);
    },
    async sweep(now) {
      const [gone] = await db.write([holdStorage(), step(SWEEP, now)], 'beside').then((done) => done.slice(1));
      return gone?.length ?? 0;
    },
  };
}
