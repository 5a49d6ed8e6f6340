import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { HOUR } from '@mailroom/behavior/values/clock';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import { CHUNK_BYTES } from '../../core/entities/attachment.ts';
import { KEPT_OVERHEAD } from '../../core/entities/storage-size.ts';
import type { Store } from '../../core/ports/store.ts';
import { attachmentOf, bytesOf as bytesOfBlob, sha256 } from './files.ts';
import {
  accept,
  claimDue,
  messageOf,
  opened,
  purgeAll,
  settlementOf,
  T,
  type World,
  waitingOf,
  world,
} from './made.ts';

/** Tests of attachments and of the bytes that they name. */
export function attachmentsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: attachments`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    before(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    after(() => store[Symbol.asyncDispose]());

    const bytesOf = (blobId: string): Promise<Buffer> => bytesOfBlob(store, blobId);
    /** Adds small bytes at once, larger ones chunk by chunk. */
    async function add(owner: string, bytes: Uint8Array, of = alice, position = 0, now = T) {
      const content = { blob_id: newId('blob', now), namespace_id: of.namespace.id };
      const attachment = attachmentOf(owner, bytes, position);
      if (bytes.length <= CHUNK_BYTES) {
        return { attachment, kind: await store.attachments.add(attachment, { ...content, bytes }, now) };
      }
      await store.blobs.begin({ ...content, bytes: bytes.subarray(0, CHUNK_BYTES) }, now);
      for (let at = 1; at * CHUNK_BYTES < bytes.length; at++) {
        const chunk = bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES);
        assert.equal(await store.blobs.append(content.blob_id, at, chunk, now), true);
      }
      return { attachment, kind: await store.attachments.add(attachment, content, now) };
    }
    const sweep = async (now: number): Promise<void> => {
      while (await store.blobs.sweep(now));
    };
    /** A message with these attachments. */
    async function sent(from: World, to: World, files: readonly Uint8Array[], at = T) {
      const message = messageOf(from, to, { id: newId('msg', at), created_at: at });
      const upload = newId('upl', at);
      for (const [position, bytes] of files.entries()) await add(upload, bytes, from, position, at);
      await store.attachments.assign(upload, message.id, at);
      await accept(store, message);
      return message;
    }
    const storedOf = async ({ namespace }: World): Promise<number> =>
      (await store.storage.totals([namespace.id]))[0]?.bytes ?? 0;

    test('bytes come back exactly, whatever they are and however many', async () => {
      for (const size of [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES + 17]) {
        const bytes = randomBytes(size);
        const { attachment, kind } = await add(newId('upl', T), bytes);
        assert.equal(kind, 'stored');
        const found = await store.attachments.byId(attachment.id);
        assert.ok(found);
        const { position: _, ...rest } = attachment;
        assert.deepEqual(found, { ...rest, blob_id: found.blob_id });
        assert.deepEqual(await bytesOf(found.blob_id), bytes);
      }
    });

    test('the same bytes are stored once in a namespace, and once more in another', async () => {
      for (const size of [500, 2 * CHUNK_BYTES]) {
        const bytes = randomBytes(size);
        const upload = newId('upl', T);
        assert.equal((await add(upload, bytes)).kind, 'stored');
        for (let at = 1; at < 5; at++) assert.equal((await add(upload, bytes, alice, at)).kind, 'known');
        const all = await store.attachments.of(upload);
        assert.equal(all.length, 5);
        assert.equal(new Set(all.map(({ blob_id }) => blob_id)).size, 1);
        assert.deepEqual(await bytesOf(all[0]?.blob_id as string), bytes);
        assert.equal((await add(upload, bytes, bob, 5)).kind, 'stored');
      }
    });

    test('of many who add the same bytes at the same time, one stores them', async () => {
      const bytes = randomBytes(2 * CHUNK_BYTES);
      const upload = newId('upl', T);
      const done = await Promise.all(Array.from({ length: 8 }, (_, at) => add(upload, bytes, alice, at)));
      assert.equal(done.filter(({ kind }) => kind === 'stored').length, 1);
      const blobs = new Set((await store.attachments.of(upload)).map(({ blob_id }) => blob_id));
      assert.equal(blobs.size, 1);
      await sweep(T);
      assert.deepEqual(await bytesOf([...blobs][0] as string), bytes);
    });

    test('attachments keep their order, and change hands together', async () => {
      const upload = newId('upl', T);
      for (const at of [2, 0, 1]) await add(upload, Buffer.from(`file ${at}`), alice, at);
      const message = newId('msg', T);
      await store.attachments.assign(upload, message, T);
      assert.deepEqual(await store.attachments.of(upload), []);
      const sizes = (await store.attachments.of(message)).map((one) => one.sha256);
      assert.deepEqual(
        sizes,
        [0, 1, 2].map((at) => sha256(Buffer.from(`file ${at}`))),
      );
    });

    test('a copy names the same bytes under ids of its own', async () => {
      const message = await sent(alice, bob, [Buffer.from('one'), Buffer.from('two')]);
      const other = messageOf(alice, bob);
      const ids = [newId('att', T), newId('att', T)];
      assert.equal(await store.attachments.copy(message.id, other.id, ids, T), true);
      const [before, copied] = [await store.attachments.of(message.id), await store.attachments.of(other.id)];
      assert.deepEqual(
        copied.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        copied.map(({ blob_id }) => blob_id),
        before.map(({ blob_id }) => blob_id),
      );
    });

    test('bytes are removed with the last message that names them, and their storage is given back', async () => {
      const [ann, ben] = [await world(store), await world(store)];
      const bytes = randomBytes(2 * CHUNK_BYTES);
      const first = await sent(ann, ann, [bytes]);
      await sent(ann, ben, [bytes]);
      const [attachment] = await store.attachments.of(first.id);
      const blob = attachment?.blob_id as string;
      await store.storage.add([{ subject: ann.namespace.id, bytes: 1_000_000, expires_at: null }]);
      await store.mailboxes.delete(ann.mailbox.id, T);
      await purgeAll(store, T + 10);
      assert.equal(await store.attachments.byId(attachment?.id as string), undefined);
      assert.deepEqual(await bytesOf(blob), bytes);
      const left = await storedOf(ann);
      await store.mailboxes.delete(ben.mailbox.id, T);
      await purgeAll(store, T + 20);
      assert.equal(await store.blobs.chunk(blob, 0), undefined);
      assert.ok((await storedOf(ann)) <= left - bytes.length, 'its bytes count for no one');
    });

    test('each attachment gives back its row, however often its bytes are named, and a copy counts one', async () => {
      const [ann, ben] = [await world(store), await world(store)];
      const bytes = Buffer.from('the same');
      const message = await sent(ann, ben, [bytes, bytes, bytes]);
      const counted = 3 * KEPT_OVERHEAD + bytes.length;
      await store.storage.add([{ subject: ann.namespace.id, bytes: counted, expires_at: null }]);
      const copy = newId('upl', T);
      const ids = [newId('att', T), newId('att', T), newId('att', T)];
      assert.equal(await store.attachments.copy(message.id, copy, ids, T), true);
      assert.equal(await storedOf(ann), counted + 3 * KEPT_OVERHEAD);
      await store.attachments.remove(copy);
      assert.equal(await storedOf(ann), counted);
      const lost = newId('upl', T);
      assert.equal(await store.attachments.copy(message.id, lost, ids, T), true);
      await sweep(T + 2 * HOUR);
      assert.deepEqual([await store.attachments.of(lost), await storedOf(ann)], [[], counted]);
      await store.attachments.remove(message.id);
      assert.equal(await storedOf(ann), bytes.length);
      await sweep(T + 2 * HOUR);
      assert.equal(await storedOf(ann), 0);
      assert.equal(await storedOf(ben), 0);
    });

    test('a reply gets the files of the run that holds the claim, in place of those of an earlier run', async () => {
      const ann = await world(store);
      const message = waitingOf(ann, ann);
      await accept(store, message, { leased_until: T + 100 });
      const reply = replyIdOf(message.id);
      const run = async (...texts: readonly string[]) => {
        const upload = newId('upl', T);
        for (const [at, text] of texts.entries()) await add(upload, Buffer.from(text), ann, at);
        return upload;
      };
      const hashes = async (owner: string) => (await store.attachments.of(owner)).map((one) => one.sha256);
      const hashesOf = (...texts: readonly string[]) => texts.map((text) => sha256(Buffer.from(text)));
      await store.storage.add([
        { subject: ann.namespace.id, bytes: 5 * KEPT_OVERHEAD + 'firstbothlatesecond'.length, expires_at: null },
      ]);
      const first = await run('first', 'both');
      assert.equal(await store.attachments.assignToReply(first, reply, { id: message.id, fence: 1 }, T), true);
      assert.deepEqual([await hashes(first), await hashes(reply)], [[], hashesOf('first', 'both')]);

      const [claim] = await claimDue(store, 1, T + 101, 100);
      assert.ok(claim !== undefined && claim.id === message.id && claim.fence > 1);
      const late = await run('late');
      assert.equal(await store.attachments.assignToReply(late, reply, { id: message.id, fence: 1 }, T), false);
      assert.deepEqual([await hashes(late), await hashes(reply)], [hashesOf('late'), hashesOf('first', 'both')]);
      const second = await run('both', 'second');
      assert.equal(await store.attachments.assignToReply(second, reply, claim, T), true);
      assert.deepEqual(await hashes(reply), hashesOf('both', 'second'));
      await store.attachments.remove(late);
      await sweep(T);
      assert.equal(await storedOf(ann), 2 * KEPT_OVERHEAD + 'bothsecond'.length);

      const none = newId('upl', T);
      assert.equal(await store.attachments.assignToReply(none, reply, claim, T), true, 'a run without files');
      assert.deepEqual(await hashes(reply), []);
      const failed = await run('failed');
      assert.equal(await store.attachments.assignToReply(failed, reply, claim, T), true);
      await store.messages.settle(claim, settlementOf({ status: 'failed', reply: null }));
      await sweep(T + 2 * HOUR);
      assert.deepEqual(await hashes(reply), [], 'the files of a reply that was never written');
      assert.equal(await store.attachments.assignToReply(await run('x'), reply, claim, T), false, 'it is settled');
    });

    test('retention removes the bytes of what it removes', async () => {
      const [ann, ben] = [await world(store), await world(store)];
      const old = T - 100 * HOUR;
      const message = await sent(ann, ben, [randomBytes(CHUNK_BYTES + 5)], old);
      const blob = (await store.attachments.of(message.id))[0]?.blob_id as string;
      await store.messages.retire(T, '', 1000);
      assert.deepEqual(await store.attachments.of(message.id), []);
      await sweep(T);
      assert.equal(await store.blobs.chunk(blob, 0), undefined);
    });

    test('an upload that was given up is swept an hour after its last chunk, and no earlier', async () => {
      const ann = await world(store);
      const chunk = randomBytes(CHUNK_BYTES);
      const content = { blob_id: newId('blob', T), namespace_id: ann.namespace.id };
      await store.blobs.begin({ ...content, bytes: chunk }, T);
      assert.equal(await store.blobs.append(content.blob_id, 1, chunk, T + HOUR), true);
      await store.storage.add([{ subject: ann.namespace.id, bytes: 2 * CHUNK_BYTES, expires_at: null }]);
      await sweep(T + HOUR);
      assert.equal((await bytesOf(content.blob_id)).length, 2 * CHUNK_BYTES);
      await sweep(T + 2 * HOUR);
      assert.equal((await bytesOf(content.blob_id)).length, 0);
      assert.equal(await storedOf(ann), 0);
      assert.equal(await store.blobs.append(content.blob_id, 2, chunk, T + 2 * HOUR), false);
    });

    test('a discarded upload gives nothing back itself, and is gone with the next sweep', async () => {
      const ann = await world(store);
      const content = { blob_id: newId('blob', T), namespace_id: ann.namespace.id };
      await store.blobs.begin({ ...content, bytes: randomBytes(10) }, T);
      await store.storage.add([{ subject: ann.namespace.id, bytes: 10, expires_at: null }]);
      assert.equal(await store.blobs.discard(content.blob_id), true);
      assert.equal(await store.blobs.discard(content.blob_id), false);
      assert.equal(await store.blobs.append(content.blob_id, 1, randomBytes(10), T), false);
      await sweep(T);
      assert.equal(await store.blobs.chunk(content.blob_id, 0), undefined);
      assert.equal(await storedOf(ann), 10);
    });

    test('attachments of a message that was never accepted are swept after an hour; accepted ones stay', async () => {
      const ann = await world(store);
      const kept = await sent(ann, ann, [Buffer.from('kept')]);
      const lost = newId('msg', T);
      await add(lost, Buffer.from('lost'), ann);
      const blob = (await store.attachments.of(lost))[0]?.blob_id as string;
      await sweep(T + HOUR - 1);
      assert.equal((await store.attachments.of(lost)).length, 1);
      await sweep(T + HOUR);
      await sweep(T + 3 * HOUR);
      assert.equal((await store.attachments.of(lost)).length, 0);
      assert.equal(await store.blobs.chunk(blob, 0), undefined);
      const [stays] = await store.attachments.of(kept.id);
      assert.deepEqual(await bytesOf(stays?.blob_id as string), Buffer.from('kept'));
    });

    test('what a refused message had is removed, unless another names the same bytes', async () => {
      const ann = await world(store);
      const [shared, own] = [Buffer.from('shared by two'), Buffer.from('of one alone')];
      const message = await sent(ann, ann, [shared]);
      const refused = newId('upl', T);
      await add(refused, shared, ann);
      await add(refused, own, ann, 1);
      const blobs = (await store.attachments.of(refused)).map(({ blob_id }) => blob_id);
      await store.attachments.remove(refused);
      await sweep(T);
      assert.deepEqual(await store.attachments.of(refused), []);
      assert.deepEqual(await bytesOf(blobs[0] as string), shared);
      assert.equal((await bytesOf(blobs[1] as string)).length, 0);
      assert.equal((await store.attachments.of(message.id)).length, 1);
    });

    test('bytes that are being removed and added again at the same time are whole', async () => {
      const ann = await world(store);
      const bytes = randomBytes(CHUNK_BYTES + 100);
      for (let round = 0; round < 10; round++) {
        const before = newId('upl', T);
        await add(before, bytes, ann);
        const upload = newId('upl', T);
        await Promise.all([store.attachments.remove(before).then(() => sweep(T)), add(upload, bytes, ann), sweep(T)]);
        await sweep(T);
        const [attachment] = await store.attachments.of(upload);
        assert.deepEqual(await bytesOf(attachment?.blob_id as string), bytes);
        await store.attachments.remove(upload);
      }
    });

    test('nothing is added for a deleted namespace', async () => {
      const ann = await world(store);
      await store.namespaces.delete(ann.namespace.id, T);
      const upload = newId('upl', T);
      assert.equal((await add(upload, Buffer.from('late'), ann)).kind, 'gone');
      assert.equal((await add(upload, randomBytes(CHUNK_BYTES + 1), ann)).kind, 'gone');
      assert.deepEqual(await store.attachments.of(upload), []);
    });
  });
}
