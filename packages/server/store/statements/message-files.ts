import { isReplyId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Attachment } from '../../core/entities/attachment.ts';
import type { Message } from '../../core/entities/message.ts';
import { type Db, params, type Row } from '../db.ts';

/** Whether the message `m` or its reply has files; only then are they read. */
export const HAS_FILES = `
  case when exists (select 1 from attachments f where f.owner_id in (m.id, substr(m.id, 1, 23) || '1')) then 1 else 0 end
    as has_files`;

/** The messages of these rows with their files, and those of their replies. */
export async function withFiles(
  db: Pick<Db, 'read'>,
  rows: readonly Row[],
  from: (row: Row) => Message,
): Promise<readonly Message[]> {
  const owners = rows.filter((row) => row.has_files === 1).map((row) => row.id as string);
  if (owners.length === 0) return rows.map(from);
  const filesOf = await filesByOwner(
    db,
    owners.flatMap((id) => (isReplyId(id) ? [id] : [id, replyIdOf(id)])),
  );
  return rows.map((row) => {
    const message = from(row);
    if (row.has_files !== 1) return message;
    return { ...message, attachments: filesOf(message.id), reply_attachments: filesOf(replyIdOf(message.id)) };
  });
}

/** The files of these owners, each in its order. */
export async function filesByOwner(
  db: Pick<Db, 'read'>,
  owners: readonly string[],
): Promise<(owner: string) => Attachment[]> {
  if (owners.length === 0) return () => [];
  const { values, p } = params();
  const found = await db.read(
    `select owner_id, id, filename, content_type, size, sha256 from attachments
     where owner_id in (${owners.map(p).join(', ')}) order by owner_id, position`,
    values,
  );
  const files = Map.groupBy(found, ({ owner_id }) => owner_id as string);
  return (owner) => (files.get(owner) ?? []).map(fileFrom);
}

/** The attachment of a row, which may have more columns. */
export function fileFrom(row: Row): Attachment {
  const { id, filename, content_type, size, sha256 } = row as unknown as Attachment;
  return { id, filename, content_type, size, sha256 };
}
