import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { StoredSigningKey } from '../../core/ports/signing-keys.ts';
import type { Store } from '../../core/ports/store.ts';
import { purgeAll, T, world } from './made.ts';

let made = 0;
const keyOf = (subject: string, fields: Partial<StoredSigningKey> = {}): StoredSigningKey => {
  const kid = `kid${++made}`;
  return {
    id: `ring:${subject}:${made}`,
    subject,
    kid,
    public_jwk: `{"kid":"${kid}"}`,
    private_jwk: `{"d":"private${made}"}`,
    signs_until: T + 100,
    published_until: T + 1000,
    ...fields,
  };
};

/** Tests of the keys that sign. */
export function signingKeysContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: signing keys`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    test('of many nodes that create the key of a ring at once, all get the same', async () => {
      const id = 'ring:1';
      const got = await Promise.all(
        Array.from({ length: 10 }, () => store.signingKeys.getOrPut(keyOf('receipts', { id }), T)),
      );
      const [first] = got;
      assert.ok(first?.private_jwk);
      for (const one of got) assert.deepEqual(one, first);
      assert.deepEqual(await store.signingKeys.get(id, T), first);
      assert.deepEqual(await store.signingKeys.published('receipts', T), [first.public_jwk]);
    });

    test('the private half is there while the key signs, and the public half while it is published', async () => {
      const subject = newId('ns', T);
      const key = keyOf(subject);
      assert.deepEqual(await store.signingKeys.getOrPut(key, T), key);
      assert.deepEqual(await store.signingKeys.get(key.id, T + 99), key);
      assert.deepEqual(await store.signingKeys.get(key.id, T + 100), { ...key, private_jwk: null });
      assert.deepEqual(await store.signingKeys.published(subject, T + 999), [key.public_jwk]);
      assert.equal(await store.signingKeys.get(key.id, T + 1000), undefined);
      assert.deepEqual(await store.signingKeys.published(subject, T + 1000), []);
    });

    test('a sweep deletes the private half that signs no more, and the key that is published no more', async () => {
      const subject = newId('ns', T);
      const [signing, ended, over] = [
        keyOf(subject, { signs_until: T + 5000, published_until: T + 9000 }),
        keyOf(subject, { signs_until: T + 2000, published_until: T + 9000 }),
        keyOf(subject, { signs_until: T + 2000, published_until: T + 3000 }),
      ];
      for (const key of [signing, ended, over]) await store.signingKeys.getOrPut(key, T);
      assert.ok((await store.signingKeys.sweep(T + 3000)) >= 2);
      // Asked with an earlier time, rows show what they hold.
      assert.deepEqual(await store.signingKeys.get(signing.id, T), signing);
      assert.deepEqual(await store.signingKeys.get(ended.id, T), { ...ended, private_jwk: null });
      assert.equal(await store.signingKeys.get(over.id, T), undefined);
      assert.equal(await store.signingKeys.sweep(T + 3000), 0);
    });

    test('keys of a set are published by how long, and no other set has them', async () => {
      const [subject, other] = [newId('ns', T), newId('ns', T)];
      const [near, far] = [keyOf(subject), keyOf(subject, { published_until: T + 2000 })];
      for (const key of [near, keyOf(other), far]) await store.signingKeys.getOrPut(key, T);
      assert.deepEqual(await store.signingKeys.published(subject, T), [far.public_jwk, near.public_jwk]);
    });

    test('keys of an issuer go with its namespace, and it gets none any more', async () => {
      const [deleted, living] = [await world(store), await world(store)];
      const [gone, left] = [keyOf(deleted.namespace.id), keyOf(living.namespace.id)];
      for (const key of [gone, left]) await store.signingKeys.getOrPut(key, T);
      await store.namespaces.delete(deleted.namespace.id, T);
      assert.equal(await store.signingKeys.getOrPut(keyOf(deleted.namespace.id), T), undefined);
      await purgeAll(store, T);
      assert.equal(await store.signingKeys.get(gone.id, T), undefined);
      assert.deepEqual(await store.signingKeys.published(deleted.namespace.id, T), []);
      assert.deepEqual(await store.signingKeys.get(left.id, T), left);
    });
  });
}
