import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOUR } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { type Draft, sizeOfDraft } from '../../core/entities/draft.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Store } from '../../core/ports/store.ts';
import { attachmentOf, bytesOf } from './files.ts';
import { idempotencyOf, keyOf, mailboxOf, purgeAll, T, type World, world } from './made.ts';

const MAX = 10;
export const draftOf = ({ namespace, key }: World, fields: Partial<Draft> = {}): Draft => ({
  id: newId('drf', T),
  namespace_id: namespace.id,
  key_id: key.id,
  mailbox_id: null,
  content: { to: 'hello@acme', body: 'Hi', data: { a: ['ü', null] } },
  attachments: [],
  send_at: null,
  message_id: null,
  error: null,
  version: 1,
  created_at: T,
  updated_at: T,
  ...fields,
});

/** What both databases promise of drafts. */
export function draftsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: drafts`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());
    const create = async (home: World, fields: Partial<Draft> = {}): Promise<Draft> => {
      const draft = draftOf(home, fields);
      assert.deepEqual(await store.drafts.create(draft, MAX), { kind: 'created' });
      return draft;
    };
    const fieldsOf = ({ content, key_id, mailbox_id, send_at }: Draft) => ({ content, key_id, mailbox_id, send_at });
    const dueOf = async (id: string, now: number): Promise<Claim | undefined> =>
      (await store.jobs.claim(1000, now, 1000)).find((claim) => claim.id === id);
    const total = async ({ namespace }: World) => (await store.storage.totals([namespace.id]))[0]?.bytes ?? 0;

    test('a draft is read as it was written, and listed newest first by namespace, key and mailbox', async () => {
      const home = await world(store);
      const other = keyOf(home.namespace);
      await store.keys.create(other);
      const first = await create(home, { mailbox_id: home.mailbox.id, send_at: T + 5 });
      const second = await create(home, { key_id: other.id });
      assert.deepEqual(await store.drafts.byId(first.id), first);
      const ids = async (of: object, before: string | null = null) =>
        (await store.drafts.page({ namespace_id: home.namespace.id, ...of }, before, 10)).items.map(({ id }) => id);
      assert.deepEqual(await ids({}), [second.id, first.id]);
      assert.deepEqual(await ids({}, second.id), [first.id]);
      assert.deepEqual(await ids({ key_id: other.id }), [second.id]);
      assert.deepEqual(await ids({ mailbox_ids: [home.mailbox.id] }), [first.id]);
    });

    test('of 15 at once the maximum is created, and a repeated request replays', async () => {
      const home = await world(store);
      const results = await Promise.all(Array.from({ length: 15 }, () => store.drafts.create(draftOf(home), MAX)));
      assert.equal(results.filter(({ kind }) => kind === 'created').length, MAX);
      assert.equal(results.filter(({ kind }) => kind === 'full').length, 15 - MAX);
      const next = await world(store);
      const idempotency = idempotencyOf(next.key.id, 'd');
      const same = await Promise.all(
        Array.from({ length: 5 }, () => store.drafts.create(draftOf(next), MAX, idempotency)),
      );
      assert.deepEqual(same.map(({ kind }) => kind).sort(), ['created', ...Array(4).fill('replayed')]);
    });

    test('a revoked key, a deleted mailbox and a deleted namespace write none, and theirs are not found', async () => {
      const home = await world(store);
      const box = mailboxOf(home.namespace, 'gone');
      await store.mailboxes.create(box);
      const [asBox, ofNamespace] = [await create(home, { mailbox_id: box.id }), await create(home)];
      await store.mailboxes.delete(box.id, T);
      assert.deepEqual(await store.drafts.create(draftOf(home, { mailbox_id: box.id }), MAX), { kind: 'refused' });
      assert.equal(await store.drafts.byId(asBox.id), undefined);
      assert.equal(await store.drafts.change(asBox.id, 1, fieldsOf(asBox), T), undefined);
      assert.equal(await store.drafts.claim(asBox.id, 1, T, T + 1), undefined);
      const key = keyOf(home.namespace);
      await store.keys.create(key);
      await store.keys.revoke(key.id, home.namespace.id, T);
      assert.deepEqual(await store.drafts.create(draftOf(home, { key_id: key.id }), MAX), { kind: 'refused' });
      await store.namespaces.delete(home.namespace.id, T);
      assert.equal(await store.drafts.byId(ofNamespace.id), undefined);
      assert.deepEqual(await store.drafts.create(draftOf(home), MAX), { kind: 'refused' });
    });

    test('of 10 changes of one version one is made, and the version grows', async () => {
      const home = await world(store);
      const draft = await create(home);
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          store.drafts.change(draft.id, 1, { ...fieldsOf(draft), content: { body: `${at}` } }, T + 1),
        ),
      );
      const [made, ...more] = results.filter((one) => one !== undefined);
      assert.deepEqual(more, []);
      assert.deepEqual([made?.version, made?.updated_at], [2, T + 1]);
      assert.deepEqual(await store.drafts.byId(draft.id), made);
    });

    test('a draft with a time has a job that is due then, moves with it, and goes with it', async () => {
      const home = await world(store);
      const draft = await create(home, { send_at: T + 1000 });
      assert.equal(await dueOf(draft.id, T + 999), undefined);
      const moved = await store.drafts.change(draft.id, 1, { ...fieldsOf(draft), send_at: T + 5000 }, T);
      assert.equal(await dueOf(draft.id, T + 4999), undefined);
      await store.drafts.change(draft.id, 2, { ...fieldsOf(draft), send_at: null }, T);
      assert.equal(await dueOf(draft.id, T + 9000), undefined);
      await store.drafts.change(draft.id, 3, fieldsOf(moved as Draft), T);
      assert.equal((await dueOf(draft.id, T + 5000))?.kind, 'draft');
      const deleted = await create(home, { send_at: T });
      assert.equal(await store.drafts.remove(deleted.id, 1), true);
      assert.equal(await dueOf(deleted.id, T + 9000), undefined);
    });

    test('while a draft is claimed nothing else changes it, and a lost claim writes nothing', async () => {
      const home = await world(store);
      const draft = await create(home);
      const claims = await Promise.all(Array.from({ length: 5 }, () => store.drafts.claim(draft.id, 1, T, T + 1000)));
      const [claim, ...more] = claims.filter((one) => one !== undefined);
      assert.deepEqual(more, []);
      assert.ok(claim !== undefined);
      assert.equal(await store.drafts.change(draft.id, 1, fieldsOf(draft), T), undefined);
      assert.equal(await store.drafts.remove(draft.id, null), false);
      assert.equal(await store.drafts.sent({ ...claim, fence: claim.fence + 1 }, 'msg_x', T, T), false);
      const next = await dueOf(draft.id, T + 1000);
      assert.equal(next?.fence, claim.fence + 1);
      assert.equal(await store.drafts.failed(claim, { code: 'x', message: 'x' }, T, null), false);
      assert.deepEqual(await store.drafts.byId(draft.id), draft);
    });

    test('a claim of another version is refused, and one of a draft whose time has come takes its job over', async () => {
      const home = await world(store);
      const draft = await create(home, { send_at: T });
      assert.equal(await store.drafts.claim(draft.id, 2, T, T + 1000), undefined);
      const claim = await store.drafts.claim(draft.id, 1, T, T + 1000);
      assert.ok(claim !== undefined);
      assert.equal(await dueOf(draft.id, T + 500), undefined);
    });

    test('a failed draft keeps its error, and is due again when it is to be tried again', async () => {
      const home = await world(store);
      const draft = await create(home, { send_at: T });
      const error = { code: 'mailbox_full', message: 'Full' };
      const claim = (await dueOf(draft.id, T)) as Claim;
      assert.equal(await store.drafts.failed(claim, error, T + 1, T + 60), true);
      const waiting = await store.drafts.byId(draft.id);
      assert.deepEqual([waiting?.error, waiting?.send_at, waiting?.content], [error, T, draft.content]);
      assert.equal(await dueOf(draft.id, T + 59), undefined);
      const again = (await dueOf(draft.id, T + 60)) as Claim;
      assert.equal(await store.drafts.failed(again, error, T + 61, null), true);
      assert.deepEqual((await store.drafts.byId(draft.id))?.send_at, null);
      assert.equal(await dueOf(draft.id, T + 1e6), undefined);
      const version = (await store.drafts.byId(draft.id))?.version ?? 0;
      assert.equal((await store.drafts.change(draft.id, version, fieldsOf(draft), T + 2))?.error, null);
    });

    test('a sent draft loses its contents, says its message, is in no list, and is forgotten', async () => {
      const home = await world(store);
      const draft = await create(home, { send_at: T });
      const claim = (await dueOf(draft.id, T)) as Claim;
      assert.equal(await store.drafts.sent(claim, 'msg_x', T + 1, T + 1000), true);
      const sent = await store.drafts.byId(draft.id);
      assert.deepEqual([sent?.message_id, sent?.content, sent?.updated_at], ['msg_x', {}, T + 1]);
      const { items } = await store.drafts.page({ namespace_id: home.namespace.id }, null, 10);
      assert.deepEqual(items, []);
      assert.equal(await store.drafts.change(draft.id, sent?.version ?? 0, fieldsOf(draft), T), undefined);
      assert.equal(await store.drafts.claim(draft.id, sent?.version ?? 0, T, T + 1), undefined);
      const last = (await dueOf(draft.id, T + 1000)) as Claim;
      assert.equal(await store.drafts.forget(last), true);
      assert.equal(await store.drafts.byId(draft.id), undefined);
      assert.equal(await dueOf(draft.id, T + 1e7), undefined);
    });

    /** Adds these texts as files of an upload, and returns its id. */
    async function upload(home: World, ...texts: readonly string[]): Promise<string> {
      const owner = newId('upl', T);
      for (const [at, text] of texts.entries()) {
        const content = { blob_id: newId('blob', T), namespace_id: home.namespace.id, bytes: Buffer.from(text) };
        assert.notEqual(await store.attachments.add(attachmentOf(owner, content.bytes, at), content, T), 'gone');
      }
      return owner;
    }
    const textsOf = async (id: string): Promise<string[]> =>
      Promise.all(
        (await store.attachments.of(id)).map(async (file) => (await bytesOf(store, file.blob_id)).toString()),
      );
    const sweep = async (): Promise<void> => {
      while (await store.blobs.sweep(T + 9 * HOUR));
    };
    const withFiles = async (home: World, ...texts: readonly string[]): Promise<Draft> => {
      const draft = draftOf(home);
      assert.deepEqual(await store.drafts.create(draft, MAX, undefined, await upload(home, ...texts)), {
        kind: 'created',
      });
      return (await store.drafts.byId(draft.id)) as Draft;
    };

    test('a draft has the files of its upload, in its view and in lists, and keeps them', async () => {
      const home = await world(store);
      const draft = await withFiles(home, 'one', 'two');
      await sweep();
      assert.deepEqual(await textsOf(draft.id), ['one', 'two']);
      const { items } = await store.drafts.page({ namespace_id: home.namespace.id }, null, 10);
      assert.deepEqual(items, [draft]);
      assert.equal(draft.attachments.length, 2);
      const unchanged = await store.drafts.change(draft.id, 1, fieldsOf(draft), T);
      assert.deepEqual(unchanged?.attachments, draft.attachments);
    });

    test('a draft that is refused or replayed takes no files', async () => {
      const home = await world(store);
      const idempotency = idempotencyOf(home.key.id, 'f');
      const first = draftOf(home);
      await store.drafts.create(first, MAX, idempotency, await upload(home, 'first'));
      const second = draftOf(home);
      const again = await upload(home, 'first');
      assert.equal((await store.drafts.create(second, MAX, idempotency, again)).kind, 'replayed');
      assert.deepEqual(await textsOf(second.id), []);
      assert.deepEqual(await textsOf(first.id), ['first']);
      assert.deepEqual(await textsOf(again), ['first'], 'its caller removes it');
    });

    test('a change keeps the named files in their order, removes the others, and adds those of an upload', async () => {
      const home = await world(store);
      const draft = await withFiles(home, 'one', 'two', 'three');
      const [one, two, three] = draft.attachments.map(({ id }) => id);
      const blob = (await store.attachments.byId(two as string))?.blob_id as string;
      const files = { keep: [three as string, one as string], upload: await upload(home, 'four', 'five') };
      const changed = await store.drafts.change(draft.id, 1, fieldsOf(draft), T, files);
      assert.deepEqual(await textsOf(draft.id), ['three', 'one', 'four', 'five']);
      assert.deepEqual(changed, await store.drafts.byId(draft.id));
      await sweep();
      assert.equal(await store.blobs.chunk(blob, 0), undefined, 'what nothing names is removed');
      const none = await store.drafts.change(draft.id, 2, fieldsOf(draft), T, { keep: [], upload: null });
      assert.deepEqual(none?.attachments, []);
      await sweep();
      assert.deepEqual(await textsOf(draft.id), []);
    });

    test('a change of another version, or of a draft that is being sent, leaves its files and the upload alone', async () => {
      const home = await world(store);
      const draft = await withFiles(home, 'one');
      const other = await upload(home, 'two');
      const change = (version: number) =>
        store.drafts.change(draft.id, version, fieldsOf(draft), T, { keep: [], upload: other });
      assert.equal(await change(7), undefined);
      const claim = (await store.drafts.claim(draft.id, 1, T, T + 1000)) as Claim;
      assert.equal(await change(1), undefined);
      assert.equal(await store.drafts.remove(draft.id, null), false);
      assert.deepEqual([await textsOf(draft.id), await textsOf(other)], [['one'], ['two']]);
      await store.drafts.failed(claim, { code: 'x', message: 'x' }, T, null);
      assert.deepEqual((await store.drafts.byId(draft.id))?.attachments, draft.attachments);
    });

    test('of changes of the files at once one is made, whole', async () => {
      const home = await world(store);
      const draft = await withFiles(home, 'old');
      const uploads = await Promise.all(Array.from({ length: 8 }, (_, at) => upload(home, `new ${at}`)));
      const results = await Promise.all(
        uploads.map((one) => store.drafts.change(draft.id, 1, fieldsOf(draft), T, { keep: [], upload: one })),
      );
      assert.equal(results.filter((one) => one !== undefined).length, 1);
      assert.deepEqual(await textsOf(draft.id), [`new ${results.findIndex((one) => one !== undefined)}`]);
    });

    test('files are removed with a deleted draft, one that was sent, and with its namespace, and no earlier', async () => {
      const home = await world(store);
      const [removed, sent, purged] = [
        await withFiles(home, 'removed'),
        await withFiles(home, 'sent'),
        await withFiles(home, 'purged'),
      ];
      const blobOf = async ({ id }: Draft) => (await store.attachments.of(id))[0]?.blob_id as string;
      const blobs = [await blobOf(removed), await blobOf(sent), await blobOf(purged)] as const;
      const copies = newId('msg', T);
      assert.equal(await store.attachments.copy(sent.id, copies, [newId('att', T)], T), true);
      assert.equal(await store.attachments.copy(sent.id, copies, [newId('att', T), newId('att', T)], T), false);
      const claim = (await store.drafts.claim(sent.id, 1, T, T + 1)) as Claim;
      await store.drafts.sent(claim, copies, T, T + 5);
      await store.blobs.sweep(T);
      assert.deepEqual((await store.drafts.byId(sent.id))?.attachments, []);
      assert.ok(await store.blobs.chunk(blobs[1], 0), 'the message has it');
      assert.equal(await store.drafts.remove(removed.id, null), true);
      await sweep();
      assert.equal(await store.blobs.chunk(blobs[0], 0), undefined);
      assert.ok(await store.blobs.chunk(blobs[2], 0));
      await store.namespaces.delete(home.namespace.id, T);
      await purgeAll(store, T + 1);
      await sweep();
      assert.deepEqual(await store.attachments.of(purged.id), []);
      assert.equal(await store.blobs.chunk(blobs[2], 0), undefined);
    });

    test('bytes are given back when a draft is deleted, sent, forgotten, or purged with its mailbox or namespace', async () => {
      const home = await world(store);
      const box = mailboxOf(home.namespace, 'box');
      await store.mailboxes.create(box);
      const [removed, sent, purged] = [
        await create(home),
        await create(home),
        await create(home, { mailbox_id: box.id }),
      ];
      const size = sizeOfDraft(removed);
      const counted = await total(home);
      assert.equal(await store.drafts.remove(removed.id, null), true);
      assert.equal(await total(home), counted - size);
      const claim = (await store.drafts.claim(sent.id, 1, T, T + 1)) as Claim;
      await store.drafts.sent(claim, 'msg_x', T, T + 5);
      await store.drafts.forget((await dueOf(sent.id, T + 5)) as Claim);
      assert.equal(await total(home), counted - 2 * size);
      await store.mailboxes.delete(box.id, T);
      await purgeAll(store, T + 1);
      assert.equal(await store.drafts.remove(purged.id, null), false, 'its row is gone');
      const left = await create(home, { send_at: T + 9 });
      await store.namespaces.delete(home.namespace.id, T + 2);
      await purgeAll(store, T + 3);
      assert.equal(await store.drafts.remove(left.id, null), false, 'its row is gone');
      assert.equal(await dueOf(left.id, T + 1e6), undefined);
    });
  });
}
