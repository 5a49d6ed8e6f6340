import { HOUR } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Blobs } from '../../core/ports/blobs.ts';
import { type Db, step, type WriteStep } from '../db.ts';
import { chunkName, digestOf, type Objects } from '../objects/objects.ts';
import { insertIfSql, insertSql } from '../schema/table.ts';
import { blobChunks, blobs } from '../schema/tables.ts';

/** When it is checked whether an upload became an attachment, and an attachment that of a message. */
export const CHECK_MS = HOUR;

const BEGIN = insertSql(blobs);
const FIRST_CHUNK = insertSql(blobChunks);
const GROW =
  'update blobs set size = size + $2, check_at = $3 where id = $1 and complete = 0 and check_at > 0 returning id';
const APPEND = insertIfSql(blobChunks, 'exists (select 1 from blobs where id = $1 and complete = 0 and check_at > 0)');
/** A size of 0, because its caller gives the storage back. */
const DISCARD = 'update blobs set size = 0, check_at = 0 where id = $1 and complete = 0 and check_at > 0 returning id';
const CHUNK = 'select bytes, outside from blob_chunks where blob_id = $1 and position = $2';

const NONE = new Uint8Array();

export const discardUpload = (blobId: string): WriteStep => step(DISCARD, blobId);

/**
 * Uploads chunk by chunk. With `objects` the database has the SHA-256 of each chunk, written before its bytes are stored
 * outside, so that none are there that the database does not know.
 */
export function makeChunks(db: Db, objects: Objects | undefined): Omit<Blobs, 'sweep' | 'move'> {
  const stored = (bytes: Uint8Array): readonly [Uint8Array, string | null] =>
    objects === undefined || bytes.length === 0 ? [bytes, null] : [NONE, digestOf(bytes)];
  const discard = async (blobId: string): Promise<boolean> => {
    const [rows] = await db.write([discardUpload(blobId)], 'beside');
    return rows?.length === 1;
  };

  return {
    async begin({ blob_id, namespace_id, bytes }, now) {
      const [inside, outside] = stored(bytes);
      const steps = [
        step(BEGIN, blob_id, namespace_id, '', bytes.length, 0, now + CHECK_MS),
        step(FIRST_CHUNK, blob_id, 0, inside, outside),
      ];
      await db.write(steps, 'beside');
      if (outside === null) return;
      await objects?.put(chunkName(blob_id, 0), bytes, outside).catch(async (error: unknown) => {
        await discard(blob_id);
        throw error;
      });
    },
    async append(blobId, position, bytes, now) {
      const [inside, outside] = stored(bytes);
      const steps = [step(GROW, blobId, bytes.length, now + CHECK_MS), step(APPEND, blobId, position, inside, outside)];
      const [grown] = await db.write(steps, 'beside');
      if (grown?.length !== 1) return false;
      if (outside !== null) await objects?.put(chunkName(blobId, position), bytes, outside);
      return true;
    },
    discard,
    async chunk(blobId, position) {
      // It may be removed, or brought into the database, between the look at its row and that at its object.
      for (let look = 0; look < 2; look++) {
        const [row] = await db.read(CHUNK, [blobId, position]);
        const inside = row?.bytes as Uint8Array | undefined;
        if (row === undefined || row.outside === null || inside?.length !== 0) return inside;
        const bytes = await objects?.get(chunkName(blobId, position), row.outside as string);
        if (bytes !== undefined) return bytes;
      }
      throw new AppError('unavailable', 'The bytes of this file are missing or damaged in object storage.');
    },
  };
}

const SOME_OUTSIDE = 'select 1 as some from blob_chunks where outside is not null limit 1';

/** Rejects where files are in object storage that is not given. */
export async function requireObjects(db: Db, objects: Objects | undefined): Promise<void> {
  if (objects !== undefined || (await db.read(SOME_OUTSIDE, [])).length === 0) return;
  throw new Error(
    'Files of this database are in object storage: set BLOBS_URL to it. "npm run migrate-blobs -- --back" brings them into the database.',
  );
}
