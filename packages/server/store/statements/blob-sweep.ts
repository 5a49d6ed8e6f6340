import type { Millis } from '@mailroom/behavior/values/clock';
import { type Db, step } from '../db.ts';
import { chunkName, type Objects } from '../objects/objects.ts';
import { dropThese } from './attachments.ts';
import { CHECK_MS } from './chunks.ts';
import { holdStorage, refundBlob } from './storage.ts';

/** Maximum blobs or attachments that one batch of a sweep examines. */
const BATCH = 20;
/** Maximum chunks that one transaction removes, because other writes wait meanwhile. */
const CHUNKS = 32;

const ORPHANS = `select id from attachments where check_at <= $1 order by check_at limit ${BATCH}`;
/** A node of a version before that column did not note that the message has a file. */
const NOTE_FILES = `
  update messages set has_file = 1 where has_file = 0 and id in (select owner_id from attachments where check_at <= $1)`;
const OWNED = `
  exists (select 1 from messages m where m.id = owner_id)
  or exists (select 1 from drafts d where d.id = owner_id)`;
const KEEP = `update attachments set check_at = null where id = $1 and (${OWNED})`;
/** A reply that waits for its review may never be written, so its files are checked again. */
const KEEP_HELD = `
  update attachments set check_at = $2 where id = $1 and check_at is not null
    and exists (select 1 from reviews r where r.reply_id = owner_id and r.status in ('pending', 'approved'))`;

const DUE = `select id from blobs where check_at <= $1 order by check_at limit ${BATCH}`;
const HOLD_BLOB = 'update blobs set size = size where id = $1';
const NAMED = 'exists (select 1 from attachments where blob_id = $1)';
const KEEP_BLOB = `update blobs set check_at = null where id = $1 and complete = 1 and ${NAMED}`;
/** From now on no upload is given these bytes. */
const OUTSIDE = `
  select position from blob_chunks where blob_id = $1 and outside is not null
  order by position limit ${CHUNKS}`;
const GIVE_UP = `update blobs set complete = 0, size = 0, check_at = 0 where id = $1 and check_at <= $2`;
const DROP_CHUNKS = `
  delete from blob_chunks where blob_id = $1 and position in
    (select position from blob_chunks where blob_id = $1 order by position limit ${CHUNKS})
  and exists (select 1 from blobs where id = $1 and complete = 0 and check_at = 0)`;
const DROP_BLOB = `
  delete from blobs where id = $1 and complete = 0 and check_at = 0
    and not exists (select 1 from blob_chunks where blob_id = $1)`;
const LEFT = 'select 1 as more from blobs where id = $1 and check_at = 0';

/**
 * One bounded batch of what is to be checked until `now`: see `Blobs.sweep`. With 0 only what was released. Returns
 * whether more is left.
 */
export async function sweepBlobs(db: Db, objects: Objects | undefined, now: Millis): Promise<boolean> {
  const orphans = now === 0 ? [] : await db.read(ORPHANS, [now]);
  if (orphans.length > 0) await db.write([step(NOTE_FILES, now)], 'beside');
  for (const { id } of orphans) {
    const attachment = id as string;
    const keep = [step(KEEP, attachment), step(KEEP_HELD, attachment, now + CHECK_MS)];
    await db.write([holdStorage(), ...keep, ...dropThese('id = $1 and check_at <= $2', attachment, now)], 'erase');
  }
  const due = await db.read(DUE, [now]);
  for (const { id } of due) await sweepBlob(db, objects, id as string, now);
  return orphans.length === BATCH || due.length === BATCH;
}

/** Objects go before the rows that name them, so that none is left when this process dies. */
async function sweepBlob(db: Db, objects: Objects | undefined, blob: string, now: Millis): Promise<void> {
  const release = [step(HOLD_BLOB, blob), step(KEEP_BLOB, blob), ...refundBlob(blob, now), step(GIVE_UP, blob, now)];
  const drop = [step(DROP_CHUNKS, blob), step(DROP_BLOB, blob), step(LEFT, blob)];
  const outside = await db.read(OUTSIDE, [blob]);
  if (outside.length > 0) {
    const released = await db.write([holdStorage(), ...release, step(LEFT, blob)], 'erase');
    if (released.at(-1)?.length === 0) return;
  }
  for (let removed = outside; ; removed = await db.read(OUTSIDE, [blob])) {
    if (removed.length > 0)
      await removeOutside(
        objects,
        blob,
        removed.map(({ position }) => Number(position)),
      );
    // Each batch of chunks is a transaction of its own.
    const done = await db.write([holdStorage(), ...release, ...drop], 'erase');
    if (done.at(-1)?.length === 0) return;
  }
}

async function removeOutside(objects: Objects | undefined, blob: string, positions: readonly number[]): Promise<void> {
  if (objects === undefined) throw new Error('BLOBS_URL is not set, but files are in object storage.');
  await objects.remove(positions.map((position) => chunkName(blob, position)));
}
