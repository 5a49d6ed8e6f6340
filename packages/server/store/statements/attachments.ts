import type { Attachments, StoredAttachment } from '../../core/ports/blobs.ts';
import type { DraftFiles } from '../../core/ports/drafts.ts';
import { type Cell, type Db, type Row, step, type WriteStep } from '../db.ts';
import type { Objects } from '../objects/objects.ts';
import { columnsBut, insertFromSql, insertIfSql, ownCells } from '../schema/table.ts';
import { attachments, blobChunks, blobs } from '../schema/tables.ts';
import { CHECK_MS, discardUpload, makeChunks } from './chunks.ts';
import { holdNamespace, namespaceLives } from './living.ts';
import { countAttachments, holdStorage, refundAttachments } from './storage.ts';

/** Locks the bytes, so that a sweep does not remove them before they are named. */
const HOLD_CONTENT = `
  update blobs set size = size where namespace_id = $1 and sha256 = $2 and complete = 1`;
const unknown = (namespace: string, sha256: string): string => `
  not exists (select 1 from blobs k where k.namespace_id = ${namespace} and k.sha256 = ${sha256} and k.complete = 1)`;
const INSERT_BLOB = insertFromSql(
  blobs,
  { id: '$1', namespace_id: '$2', sha256: '$3', size: '$4', complete: '1', check_at: 'null' },
  `where ${namespaceLives('$2')} and ${unknown('$2', '$3')}`,
);
const ONLY_CHUNK = insertIfSql(blobChunks, 'exists (select 1 from blobs where id = $1 and complete = 1)');
const COMPLETE = `
  update blobs set sha256 = $3, size = $4, complete = 1, check_at = null
  where id = $1 and complete = 0 and check_at > 0 and ${namespaceLives('$2')} and ${unknown('$2', '$3')}`;
const ADD = insertFromSql(
  attachments,
  {
    id: '$1',
    owner_id: '$2',
    position: '$3',
    filename: '$4',
    content_type: '$5',
    size: '$6',
    sha256: '$7',
    blob_id: 'b.id',
    check_at: '$8',
  },
  `from blobs b where b.namespace_id = $9 and b.sha256 = $7 and b.complete = 1 and ${namespaceLives('$9')}
   returning blob_id`,
);

const COLUMNS = columnsBut(attachments, 'position', 'check_at');
const BY_ID = `select ${COLUMNS} from attachments where id = $1`;
const OF_OWNER = `select ${COLUMNS} from attachments where owner_id = $1 order by position`;
const ASSIGN = 'update attachments set owner_id = $2, check_at = $3 where owner_id = $1';

const CLAIMED = 'select cast($1 as text) from handlings where message_id = $2 and fence = $3';
const ASSIGN_TO_REPLY = `
  update attachments set owner_id = $2, check_at = $3
  where owner_id = $1 and exists (select 1 from handlings where message_id = $4 and fence = $5)`;
const IS_CLAIMED = 'select 1 as claimed from handlings where message_id = $1 and fence = $2';

/** Locks the bytes of an owner, in an order, so that two transactions do not wait for each other. */
const HOLD_OWNED = `
  update blobs set size = size where id in (select blob_id from attachments where owner_id = $1)`;
const COPY = insertFromSql(
  attachments,
  { ...ownCells(attachments), id: '$3', owner_id: '$2', check_at: '$5' },
  'from attachments where owner_id = $1 and position = $4 returning id',
);

/**
 * Steps that remove the attachments of owners, before these are deleted, in a transaction that began with `holdStorage`.
 * `owners` is SQL of their ids. Bytes are checked soon, because others may name them too.
 */
export const dropAttachments = (owners: string, ...cells: readonly Cell[]): readonly WriteStep[] =>
  dropThese(`owner_id in (${owners})`, ...cells);

/** As `dropAttachments`, for those of which the condition holds. */
export const dropThese = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] => [
  ...refundAttachments(where, ...cells),
  step(`update blobs set check_at = 0 where id in (select blob_id from attachments where ${where})`, ...cells),
  step(`delete from attachments where ${where}`, ...cells),
];

/**
 * Steps that give a draft for which `where` holds (columns of `drafts`) the files `keep` of its own, then those of the
 * upload; its other files are removed.
 */
export function setDraftFiles(
  where: string,
  cells: readonly Cell[],
  { keep, upload }: DraftFiles,
): readonly WriteStep[] {
  const owner = `owner_id in (select id from drafts where ${where})`;
  const p = (at: number): string => `$${cells.length + 1 + at}`;
  const others = keep.length === 0 ? '' : ` and id not in (${keep.map((_, at) => p(at)).join(', ')})`;
  const placed = keep.map((id, at) =>
    step(`update attachments set position = ${p(0)} where id = ${p(1)} and ${owner}`, ...cells, at, id),
  );
  return [
    ...dropThese(owner + others, ...cells, ...keep),
    ...placed,
    ...addDraftFiles(where, cells, upload, keep.length),
  ];
}

/** Steps that hand the files of an upload to a draft for which `where` holds, at the places from `first` on. */
export function addDraftFiles(
  where: string,
  cells: readonly Cell[],
  upload: string | null | undefined,
  first = 0,
): readonly WriteStep[] {
  if (upload === null || upload === undefined) return [];
  const [from, by] = [`$${cells.length + 1}`, `$${cells.length + 2}`];
  return [
    step(
      `update attachments set owner_id = (select id from drafts where ${where}), position = position + cast(${by} as integer),
         check_at = null
       where owner_id = ${from} and exists (select 1 from drafts where ${where})`,
      ...cells,
      upload,
      first,
    ),
  ];
}

const attachmentFrom = (row: Row): StoredAttachment => ({ ...row }) as unknown as StoredAttachment;

export function makeAttachments(db: Db, objects?: Objects): Attachments {
  const chunks = makeChunks(db, objects);
  return {
    async add(attachment, { blob_id, namespace_id, ...content }, now) {
      // Bytes that are stored outside are an upload before the attachment names them.
      const bytes = objects === undefined ? content.bytes : undefined;
      if (bytes === undefined && content.bytes !== undefined) {
        await chunks.begin({ blob_id, namespace_id, bytes: content.bytes }, now);
      }
      const { id, owner_id, position, filename, content_type, size, sha256 } = attachment;
      const stored =
        bytes === undefined
          ? [step(COMPLETE, blob_id, namespace_id, sha256, size)]
          : [step(INSERT_BLOB, blob_id, namespace_id, sha256, size), step(ONLY_CHUNK, blob_id, 0, bytes, null)];
      const cells = [id, owner_id, position, filename, content_type, size, sha256, now + CHECK_MS, namespace_id];
      const done = await db.write(
        [
          // Of uploads of the same bytes at the same time one is stored.
          holdNamespace(namespace_id),
          step(HOLD_CONTENT, namespace_id, sha256),
          ...stored,
          step(ADD, ...cells),
          discardUpload(blob_id),
        ],
        'beside',
      );
      const named = done.at(-2)?.[0]?.blob_id;
      if (named === undefined) return 'gone';
      return named === blob_id ? 'stored' : 'known';
    },
    async byId(id) {
      const [row] = await db.read(BY_ID, [id]);
      return row && attachmentFrom(row);
    },
    of: async (ownerId) => (await db.read(OF_OWNER, [ownerId])).map(attachmentFrom),
    async assign(from, to, now, check_ms = CHECK_MS) {
      await db.write([step(ASSIGN, from, to, now + check_ms)], 'beside');
    },
    async assignToReply(from, to, { id, fence }, now) {
      const done = await db.write(
        [
          holdStorage(),
          ...dropAttachments(CLAIMED, to, id, fence),
          step(ASSIGN_TO_REPLY, from, to, now + CHECK_MS, id, fence),
          step(IS_CLAIMED, id, fence),
        ],
        'erase',
      );
      return done.at(-1)?.length === 1;
    },
    async copy(from, to, ids, now) {
      const copies = ids.map((id, position) => step(COPY, from, to, id, position, now + CHECK_MS));
      const counted = countAttachments('owner_id = $1', to);
      const done = await db.write([holdStorage(), step(HOLD_OWNED, from), ...copies, ...counted], 'beside');
      return done.slice(2, 2 + ids.length).every((rows) => rows.length === 1);
    },
    async remove(ownerId) {
      await db.write([holdStorage(), ...dropAttachments('$1', ownerId)], 'erase');
    },
  };
}
