import type { Draft, DraftError } from '../../core/entities/draft.ts';
import type { DraftClaim, Drafts } from '../../core/ports/drafts.ts';
import { type Cell, type Db, pageOf, params, type Row, step, type WriteStep } from '../db.ts';
import { columnsOf, insertFromSql, rowOf } from '../schema/table.ts';
import { attachments, drafts } from '../schema/tables.ts';
import { addDraftFiles, dropAttachments, setDraftFiles } from './attachments.ts';
import { readIdempotencyKey, replayedBy, takeIdempotencyKey } from './idempotency.ts';
import { fileFrom, filesByOwner } from './message-files.ts';
import { hasPair } from './metadata.ts';
import { holdStorage, refundDraftContents, refundDrafts } from './storage.ts';

const COLUMNS = columnsOf(drafts);

/** A draft of a deleted namespace or mailbox is not found from that moment, though its row is deleted in batches. */
const LIVES = `
  exists (select 1 from namespaces n where n.id = drafts.namespace_id and n.deleted_at is null)
  and not exists (select 1 from mailboxes b where b.id = drafts.mailbox_id and b.deleted_at is not null)`;

const INSERT = insertFromSql(
  drafts,
  {
    id: '$1',
    namespace_id: '$2',
    key_id: '$3',
    mailbox_id: '$4',
    content: '$5',
    send_at: 'cast($6 as bigint)',
    message_id: 'null',
    error: 'null',
    version: '1',
    created_at: 'cast($7 as bigint)',
    updated_at: 'cast($7 as bigint)',
  },
  `where exists (select 1 from namespaces where id = $2 and deleted_at is null)
    and exists (select 1 from keys where id = $3 and revoked_at is null and (expires_at is null or expires_at > $7))
    and not exists (select 1 from mailboxes where id = $4 and deleted_at is not null)
    and (select count(*) from drafts where namespace_id = $2 and message_id is null) < $8
    and not exists (select 1 from drafts where id = $1)`,
);
const IS_MINE = 'and exists (select 1 from idempotency where scope = $9 and key = $10 and ref = $1)';
const RELEASE_IDEMPOTENCY_KEY = `
  delete from idempotency where scope = $1 and key = $2 and ref = $3
  and not exists (select 1 from drafts where id = $3)`;
const COUNT = 'select count(*) as count from drafts where namespace_id = $1 and message_id is null';

/** Every transaction locks the draft before its job, so that no two can deadlock. */
const HOLD = 'update drafts set version = version where id = $1';
const HOLD_JOB = 'update jobs set fence = fence where id = $1';
const NOT_BEING_SENT = "not exists (select 1 from jobs j where j.id = $1 and j.kind = 'draft' and j.leased = 1)";

/** What a change asks of the draft: its id and its version. */
const CHANGEABLE = `id = $1 and version = $2 and message_id is null and ${NOT_BEING_SENT} and ${LIVES}`;
const CHANGE = `
  update drafts set content = $3, key_id = $4, mailbox_id = $5, send_at = $6, error = null, version = version + 1,
    updated_at = $7
  where ${CHANGEABLE} returning ${COLUMNS}`;
const FILES = `select ${columnsOf(attachments)} from attachments where owner_id = $1 order by position`;
/** These two give the draft the job that its row asks for, unless it is being sent. */
const DROP_JOB = `
  delete from jobs where id = $1 and kind = 'draft' and leased = 0
    and not exists (select 1 from drafts where id = $1 and (send_at is not null or message_id is not null))`;
const SET_JOB = `
  insert into jobs (id, kind, subject, due_at)
  select id, 'draft', id, send_at from drafts where id = $1 and send_at is not null and message_id is null
  on conflict (id) do update set due_at = excluded.due_at, attempt = 0 where jobs.leased = 0`;

const REMOVABLE = `id = $1 and ($2 = 0 or version = $2) and ${NOT_BEING_SENT}`;
const REMOVE = `delete from drafts where ${REMOVABLE} returning id`;
const DROP_ORPHAN = `
  delete from jobs where id = $1 and kind = 'draft' and leased = 0 and not exists (select 1 from drafts where id = $1)`;

const CLAIM = `
  insert into jobs (id, kind, subject, due_at, leased, fence, attempt)
  select id, 'draft', id, cast($3 as bigint), 1, 1, 1 from drafts
  where id = $1 and version = $2 and message_id is null and ${LIVES}
  on conflict (id) do update set leased = 1, fence = jobs.fence + 1, attempt = jobs.attempt + 1, due_at = excluded.due_at
  where jobs.leased = 0 or jobs.due_at <= $4 returning fence`;

const CLAIMED = "id = $1 and fence = $2 and leased = 1 and kind = 'draft'";
const STILL = `id = $1 and exists (select 1 from jobs where ${CLAIMED})`;
const HOLD_CLAIM = `update jobs set fence = fence where ${CLAIMED}`;
const SENT = `
  update drafts set content = '{}', message_id = $3, error = null, version = version + 1, updated_at = $4 where ${STILL}`;
const FAILED = `
  update drafts set error = $3, send_at = case when $5 = 1 then send_at end, version = version + 1, updated_at = $4
  where ${STILL}`;
const FORGET = `delete from drafts where message_id is not null and ${STILL}`;
const LATER = `update jobs set leased = 0, due_at = $3 where ${CLAIMED} returning id`;
const DUE_AT = `update jobs set leased = 0, attempt = 0, due_at = $3 where ${CLAIMED} returning id`;
const DONE = `delete from jobs where ${CLAIMED} returning id`;

function draftFrom(row: Row, attachments: Draft['attachments']): Draft {
  const draft = rowOf(drafts, row);
  const error = draft.error === null ? null : (JSON.parse(draft.error) as DraftError);
  return { ...draft, attachments, content: JSON.parse(draft.content) as Draft['content'], error };
}

/** Deletes up to `max` drafts with this value of the column, with their jobs; true when there may be more. */
export async function purgeDrafts(
  db: Db,
  column: 'namespace_id' | 'mailbox_id',
  value: string,
  max: number,
): Promise<boolean> {
  const rows = await db.read(`select id from drafts where ${column} = $1 order by id limit ${max}`, [value]);
  const ids = rows.map((row) => row.id as string);
  if (ids.length === 0) return false;
  const these = `id in (${ids.map((_, at) => `$${at + 1}`).join(', ')})`;
  await db.write(
    [
      holdStorage(),
      step(`update drafts set version = version where ${these}`, ...ids),
      ...refundDrafts(these, ...ids),
      ...dropAttachments(`select id from drafts where ${these}`, ...ids),
      step(`delete from jobs where kind = 'draft' and ${these}`, ...ids),
      step(`delete from drafts where ${these}`, ...ids),
    ],
    'erase',
  );
  return ids.length >= max;
}

export function makeDrafts(db: Db): Drafts {
  const ofClaim = async (claim: DraftClaim, steps: readonly WriteStep[]): Promise<boolean> => {
    const { id, fence } = claim;
    const first = [holdStorage(), step(HOLD, id), step(HOLD_CLAIM, id, fence)];
    return (await db.write([...first, ...steps], 'erase')).at(-1)?.length === 1;
  };
  return {
    async create(draft, max, idempotency, upload) {
      const { id, namespace_id, key_id, mailbox_id, content, send_at, created_at } = draft;
      const cells: Cell[] = [id, namespace_id, key_id, mailbox_id, JSON.stringify(content), send_at, created_at, max];
      const rest = [step(SET_JOB, id), step(COUNT, namespace_id), ...addDraftFiles('id = $1', [id], upload)];
      const refused = (counted: readonly Row[] | undefined) => ({
        kind: (counted?.[0]?.count as number) >= max ? ('full' as const) : ('refused' as const),
      });
      if (idempotency === undefined) {
        const [made, , counted] = await db.write([step(`${INSERT} returning id`, ...cells), ...rest]);
        return made?.length ? { kind: 'created' } : refused(counted);
      }
      const [, insertedRows, , first, , counted] = await db.write([
        takeIdempotencyKey(idempotency, id, created_at),
        step(`${INSERT} ${IS_MINE} returning id`, ...cells, idempotency.scope, idempotency.key),
        step(RELEASE_IDEMPOTENCY_KEY, idempotency.scope, idempotency.key, id),
        readIdempotencyKey(idempotency),
        ...rest,
      ]);
      if (insertedRows?.length) return { kind: 'created' };
      return replayedBy(first, id) ?? refused(counted);
    },
    async byId(id) {
      const [row] = await db.read(`select ${COLUMNS} from drafts where id = $1 and ${LIVES}`, [id]);
      return row && draftFrom(row, (await filesByOwner(db, [id]))(id));
    },
    async page({ namespace_id, mailbox_ids, key_id, metadata = {} }, beforeId, size) {
      const { values, p } = params();
      const where = [`namespace_id = ${p(namespace_id)}`, 'message_id is null', LIVES];
      if (mailbox_ids !== undefined) where.push(`mailbox_id in (${mailbox_ids.map(p).join(', ')})`);
      if (key_id !== undefined) where.push(`key_id = ${p(key_id)}`);
      const pairs = Object.entries(metadata);
      for (const [name, value] of pairs) where.push(hasPair('content', name, value, p));
      if (beforeId !== null) where.push(`id < ${p(beforeId)}`);
      const sql = `select ${COLUMNS} from drafts where ${where.join(' and ')} order by id desc limit ${p(size + 1)}`;
      const rows = await db.read(sql, values);
      const filesOf = await filesByOwner(
        db,
        rows.map((row) => row.id as string),
      );
      const { items, next } = pageOf(
        rows.map((row) => draftFrom(row, filesOf(row.id as string))),
        size,
      );
      // Other parts of the content may have such a pair too.
      const fits = ({ content }: Draft) => pairs.every(([name, value]) => content.metadata?.[name] === value);
      return { items: items.filter(fits), next };
    },
    async change(id, version, { content, key_id, mailbox_id, send_at }, now, files) {
      const written = await db.write(
        [
          holdStorage(),
          step(HOLD, id),
          step(HOLD_JOB, id),
          ...(files === undefined ? [] : setDraftFiles(CHANGEABLE, [id, version], files)),
          step(FILES, id),
          step(CHANGE, id, version, JSON.stringify(content), key_id, mailbox_id, send_at, now),
          step(DROP_JOB, id),
          step(SET_JOB, id),
        ],
        'erase',
      );
      const [attachments = [], changed = []] = written.slice(-4);
      return changed[0] && draftFrom(changed[0], attachments.map(fileFrom));
    },
    async remove(id, version) {
      const cells = [id, version ?? 0];
      const written = await db.write(
        [
          holdStorage(),
          step(HOLD, id),
          step(HOLD_JOB, id),
          ...refundDrafts(REMOVABLE, ...cells),
          ...dropAttachments(`select id from drafts where ${REMOVABLE}`, ...cells),
          step(REMOVE, ...cells),
          step(DROP_ORPHAN, id),
        ],
        'erase',
      );
      return written.at(-2)?.length === 1;
    },
    async claim(id, version, now, until) {
      const [, claimed] = await db.write([step(HOLD, id), step(CLAIM, id, version, until, now)], 'beside');
      const row = claimed?.[0];
      if (row === undefined) return undefined;
      return { id, fence: row.fence as number };
    },
    sent: (claim, messageId, now, forgetAt) =>
      ofClaim(claim, [
        ...refundDraftContents(STILL, claim.id, claim.fence),
        ...dropAttachments(`select id from drafts where ${STILL}`, claim.id, claim.fence),
        step(SENT, claim.id, claim.fence, messageId, now),
        step(DUE_AT, claim.id, claim.fence, forgetAt),
      ]),
    failed: (claim, error, now, again) =>
      ofClaim(claim, [
        step(FAILED, claim.id, claim.fence, JSON.stringify(error), now, again === null ? 0 : 1),
        again === null ? step(DONE, claim.id, claim.fence) : step(LATER, claim.id, claim.fence, again),
      ]),
    forget: (claim) =>
      ofClaim(claim, [
        ...refundDrafts(`message_id is not null and ${STILL}`, claim.id, claim.fence),
        step(FORGET, claim.id, claim.fence),
        step(DONE, claim.id, claim.fence),
      ]),
  };
}
