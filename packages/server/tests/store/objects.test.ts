import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import type { AppError } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { startS3 } from '../../../../tests/harness/s3.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { LONG, LONG_ONLY } from '../../../../tests/soak/length.ts';
import { CHUNK_BYTES } from '../../core/entities/attachment.ts';
import type { ChunkPlace } from '../../core/ports/blobs.ts';
import type { Store } from '../../core/ports/store.ts';
import { openStore } from '../../store/open.ts';
import { attachmentsContract } from './contract-attachments.ts';
import { attachmentOf, bytesOf } from './files.ts';
import { opened, T } from './made.ts';

const folder = newFolder();
const s3 = await startS3(folder);
const postgres = await sharedPostgres();
after(async () => {
  await s3[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  removeFolder(folder);
});
beforeEach(() => s3.feel('good'));

let files = 0;
const KINDS = {
  SQLite: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  PostgreSQL: () => postgres.newDatabase(),
};
const openAt = (url: string, blobs: string | undefined = s3.url): Promise<Store> =>
  openStore(url, { clock: () => T + 100, blobs });

/** Adds a file of its own owner; returns where its bytes are. */
async function add(store: Store, namespace_id: string, bytes: Uint8Array) {
  const content = { blob_id: newId('blob', T), namespace_id };
  const owner = newId('upl', T);
  const small = bytes.length <= CHUNK_BYTES;
  if (!small) await store.blobs.begin({ ...content, bytes: bytes.subarray(0, CHUNK_BYTES) }, T);
  for (let at = 1; at * CHUNK_BYTES < bytes.length; at++) {
    const chunk = bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES);
    assert.equal(await store.blobs.append(content.blob_id, at, chunk, T), true);
  }
  const kind = await store.attachments.add(attachmentOf(owner, bytes), { ...content, ...(small && { bytes }) }, T);
  const blob_id = (await store.attachments.of(owner))[0]?.blob_id ?? '';
  return { kind, owner, blob_id };
}

async function moveAll(store: Store, to: 'inside' | 'outside'): Promise<number> {
  let [chunks, place]: [number, ChunkPlace | undefined] = [0, undefined];
  do {
    const moved = await store.blobs.move(to, place);
    chunks += moved.chunks;
    place = moved.next;
  } while (place !== undefined);
  return chunks;
}

const mine = async (blob_id: string): Promise<readonly string[]> =>
  (await s3.names()).filter((name) => name.startsWith(`files/${blob_id}/`));
const unavailable = (error: AppError): boolean => error.code === 'unavailable';

// In short each test is on one kind: attachments without object storage are tested on both.
for (const [kind, newUrl] of Object.entries(KINDS)) {
  if (LONG || kind === 'SQLite') attachmentsContract(`${kind} with object storage`, async () => openAt(await newUrl()));
  const options = { skip: kind === 'SQLite' && LONG_ONLY.skip };

  test(
    `${kind}: bytes are in the bucket, a chunk an object, and are removed with their last use`,
    options,
    async () => {
      const { store, alice } = await opened(async () => openAt(await newUrl()));
      await using _ = store;
      const bytes = randomBytes(2 * CHUNK_BYTES + 5);
      const first = await add(store, alice.namespace.id, bytes);
      const second = await add(store, alice.namespace.id, bytes);
      assert.deepEqual([first.kind, second.kind], ['stored', 'known']);
      assert.equal((await mine(first.blob_id)).length, 3);
      await store.attachments.remove(first.owner);
      while (await store.blobs.sweep(0));
      assert.deepEqual(await bytesOf(store, first.blob_id), bytes);
      await store.attachments.remove(second.owner);
      while (await store.blobs.sweep(0));
      assert.deepEqual(await mine(first.blob_id), []);
      assert.equal(await store.blobs.chunk(first.blob_id, 0), undefined);
    },
  );

  test(
    `${kind}: a server that is busy, cuts or changes bytes is asked again; one that stays so is an error, and nothing is left`,
    options,
    async () => {
      const { store, alice } = await opened(async () => openAt(await newUrl()));
      await using _ = store;
      const bytes = randomBytes(CHUNK_BYTES + 9);
      for (const mood of ['busy', 'gone'] as const) {
        s3.feel(mood, 2);
        assert.equal((await add(store, alice.namespace.id, randomBytes(500))).kind, 'stored', mood);
      }
      const { blob_id } = await add(store, alice.namespace.id, bytes);
      for (const mood of ['busy', 'gone', 'cut', 'wrong'] as const) {
        s3.feel(mood, 2);
        assert.deepEqual(await bytesOf(store, blob_id), bytes, mood);
      }
      const there = await s3.names();
      for (const mood of ['busy', 'gone'] as const) {
        s3.feel(mood);
        await assert.rejects(add(store, alice.namespace.id, randomBytes(2 * CHUNK_BYTES)), unavailable, mood);
        await assert.rejects(store.blobs.chunk(blob_id, 0), unavailable, mood);
      }
      for (const mood of ['cut', 'wrong'] as const) {
        s3.feel(mood);
        await assert.rejects(store.blobs.chunk(blob_id, 0), unavailable, mood);
      }
      s3.feel('good');
      while (await store.blobs.sweep(0));
      assert.deepEqual(await s3.names(), there);
    },
  );

  test(
    `${kind}: files move out and back, also from where a move was ended, and a database with files outside does not open without them`,
    options,
    async () => {
      const url = await newUrl();
      const { store: inside, alice } = await opened(() => openStore(url, { clock: () => T + 100 }));
      const kept = new Map<string, Buffer>();
      for (let n = 0; n < 12; n++) {
        const bytes = randomBytes([0, 100, CHUNK_BYTES + n, 3 * CHUNK_BYTES][n % 4] as number);
        if (n % 4 === 0 && n > 0) continue;
        kept.set((await add(inside, alice.namespace.id, bytes)).blob_id, bytes);
      }
      const same = async (store: Store) => {
        for (const [blob_id, bytes] of kept) assert.deepEqual(await bytesOf(store, blob_id), bytes);
      };
      await inside[Symbol.asyncDispose]();
      const had = (await s3.names()).length;
      {
        await using store = await openAt(url);
        await same(store);
        s3.feel('gone');
        await assert.rejects(moveAll(store, 'outside'), unavailable);
        s3.feel('good');
        await same(store);
        assert.ok((await moveAll(store, 'outside')) > 0);
        await same(store);
        assert.equal(await moveAll(store, 'outside'), 0);
      }
      assert.ok((await s3.names()).length > had);
      await assert.rejects(openStore(url), /set BLOBS_URL/u);
      {
        await using store = await openAt(url);
        s3.feel('wrong');
        await assert.rejects(moveAll(store, 'inside'), /missing or damaged/u);
        s3.feel('good');
        assert.ok((await moveAll(store, 'inside')) > 0);
      }
      assert.equal((await s3.names()).length, had);
      await using store = await openStore(url);
      await same(store);
    },
  );
}
