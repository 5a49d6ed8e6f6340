import type { Blobs, ChunkPlace, Moved } from '../../core/ports/blobs.ts';
import { type Db, type Row, step } from '../db.ts';
import { chunkName, digestOf, type Objects } from '../objects/objects.ts';

/** Chunks of one batch, which are in memory together. */
const BATCH = 16;

const INSIDE = `
  select blob_id, position, bytes, outside from blob_chunks
  where (blob_id, position) > ($1, $2) and length(bytes) > 0 order by blob_id, position limit ${BATCH}`;
const OUTSIDE = `
  select blob_id, position, bytes, outside from blob_chunks
  where (blob_id, position) > ($1, $2) and outside is not null order by blob_id, position limit ${BATCH}`;
const NAME = 'update blob_chunks set outside = $3 where blob_id = $1 and position = $2 and outside is null';
const FILL = 'update blob_chunks set bytes = $3 where blob_id = $1 and position = $2 and outside is not null';
const EMPTY = `
  update blob_chunks set bytes = $3 where blob_id = $1 and position = $2 and outside is not null returning position`;
const FORGET = 'update blob_chunks set outside = null where blob_id = $1 and position = $2 and length(bytes) > 0';
/** An upload that was given up, whose bytes may never have been stored. */
const GIVE_UP = `
  update blob_chunks set outside = null where blob_id = $1 and position = $2
    and exists (select 1 from blobs where id = $1 and complete = 0) returning position`;

const NONE = new Uint8Array();

/**
 * See `Blobs.move`. A row names its object as long as there may be one, and has its bytes until these are stored, so that
 * readers find them and a removal removes both, wherever a move was ended.
 */
export async function moveChunks(
  db: Db,
  objects: Objects | undefined,
  to: Parameters<Blobs['move']>[0],
  after: ChunkPlace | undefined,
): Promise<Moved> {
  if (objects === undefined) throw new Error('BLOBS_URL says where object storage is: set it.');
  const place = [after?.blob_id ?? '', after?.position ?? 0];
  const rows = await db.read(to === 'outside' ? INSIDE : OUTSIDE, place);
  const move = to === 'outside' ? moveOut : moveIn;
  // Each one ends before the first failure is told, so that none is moved twice at once.
  const moved = await Promise.allSettled(rows.map((row) => move(db, objects, row)));
  const failed = moved.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const last = rows.length < BATCH ? undefined : rows.at(-1);
  return {
    chunks: rows.length,
    bytes: moved.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0),
    next: last && { blob_id: last.blob_id as string, position: Number(last.position) },
  };
}

async function moveOut(db: Db, objects: Objects, { blob_id, position, bytes }: Row): Promise<number> {
  const [id, at, content] = [blob_id as string, Number(position), bytes as Uint8Array];
  const sha256 = digestOf(content);
  await db.write([step(NAME, id, at, sha256)], 'beside');
  await objects.put(chunkName(id, at), content, sha256);
  if ((await objects.get(chunkName(id, at), sha256)) === undefined) throw lost(id, at);
  const [emptied] = await db.write([step(EMPTY, id, at, NONE)], 'erase');
  // The file was removed meanwhile.
  if (emptied?.length === 0) await objects.remove([chunkName(id, at)]);
  return content.length;
}

async function moveIn(db: Db, objects: Objects, { blob_id, position, bytes, outside }: Row): Promise<number> {
  const [id, at] = [blob_id as string, Number(position)];
  const isInside = (bytes as Uint8Array).length > 0;
  const content = isInside ? (bytes as Uint8Array) : await objects.get(chunkName(id, at), outside as string);
  if (content === undefined) {
    const [given] = await db.write([step(GIVE_UP, id, at)], 'beside');
    if (given?.length === 0) throw lost(id, at);
    return 0;
  }
  if (!isInside) await db.write([step(FILL, id, at, content)], 'beside');
  await objects.remove([chunkName(id, at)]);
  await db.write([step(FORGET, id, at)], 'beside');
  return content.length;
}

const lost = (id: string, at: number): Error =>
  new Error(`${chunkName(id, at)} is missing or damaged in object storage. Its row is left as it was.`);
