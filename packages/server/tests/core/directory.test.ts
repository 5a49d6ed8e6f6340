import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Directory } from '../../core/access/directory.ts';
import type { Store } from '../../core/ports/store.ts';
import { home, newFile, openFile, TestClock } from './house.ts';

interface Watched {
  readonly store: Store;
  reads: number;
  /** What a look-up waits for after it has read. */
  slow: Promise<void> | undefined;
}

/** The store with its look-ups counted, and slow on demand. */
function watch(store: Store): Watched {
  const watched: Watched = {
    reads: 0,
    slow: undefined,
    store: {
      ...store,
      mailboxes: {
        ...store.mailboxes,
        byAddress: (local, namespace) => read(() => store.mailboxes.byAddress(local, namespace)),
        byId: (id) => read(() => store.mailboxes.byId(id)),
      },
      keys: { ...store.keys, bySha256: (sha256) => read(() => store.keys.bySha256(sha256)) },
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    },
  };
  async function read<T>(from: () => Promise<T>): Promise<T> {
    watched.reads++;
    const { slow } = watched;
    const value = await from();
    await slow;
    return value;
  }
  return watched;
}

async function open() {
  const clock = new TestClock();
  const store = await openFile(newFile(), clock);
  const watched = watch(store);
  const directory = new Directory(watched.store, clock.read);
  return { clock, store, watched, directory, ...(await home({ store })) };
}

test('what it knows is at most a second old', async () => {
  const { clock, store, watched, directory, box, namespace, key } = await open();
  await using _ = store;
  await directory.mailbox('box', namespace.name);
  await directory.mailboxById(box.id);
  await directory.key(key.sha256);
  assert.equal(watched.reads, 3);
  // Changed as another node would.
  await store.mailboxes.change(box.id, { description: 'new' }, clock.now);
  await store.keys.revoke(key.id, namespace.id, clock.now);
  clock.pass(999);
  assert.equal((await directory.mailbox('box', namespace.name))?.description, '');
  assert.equal((await directory.mailboxById(box.id))?.description, '');
  assert.equal((await directory.key(key.sha256))?.revoked_at, null);
  assert.equal(watched.reads, 3);
  clock.pass(1);
  assert.equal((await directory.mailbox('box', namespace.name))?.description, 'new');
  assert.equal((await directory.mailboxById(box.id))?.description, 'new');
  assert.notEqual((await directory.key(key.sha256))?.revoked_at, null);
});

test('after forget it knows nothing old', async () => {
  const { clock, store, directory, box, namespace, key } = await open();
  await using _ = store;
  await directory.mailbox('box', namespace.name);
  await directory.key(key.sha256);
  await store.mailboxes.delete(box.id, clock.now);
  await store.keys.revoke(key.id, namespace.id, clock.now);
  directory.forget();
  assert.equal((await directory.mailbox('box', namespace.name))?.deleted_at, clock.now);
  assert.equal((await directory.key(key.sha256))?.revoked_at, clock.now);
});

test('a look-up that was under way when it was told to forget leaves nothing old behind', async () => {
  const { clock, store, watched, directory, box, namespace, key } = await open();
  await using _ = store;
  const { promise, resolve } = Promise.withResolvers<void>();
  watched.slow = promise;
  const old = [directory.mailbox('box', namespace.name), directory.key(key.sha256)] as const;
  await store.mailboxes.change(box.id, { description: 'new' }, clock.now);
  await store.keys.revoke(key.id, namespace.id, clock.now);
  directory.forget();
  watched.slow = undefined;
  resolve();
  for (const lookUp of old) await lookUp;
  assert.equal((await directory.mailbox('box', namespace.name))?.description, 'new');
  assert.equal((await directory.key(key.sha256))?.revoked_at, clock.now);
});

test('what is not there is looked up each time, so that it is there once it is made', async () => {
  const { store, watched, directory } = await open();
  await using _ = store;
  for (let i = 1; i <= 3; i++) {
    assert.equal(await directory.mailbox('nobody', 'nowhere'), undefined);
    assert.equal(await directory.key('0'.repeat(64)), undefined);
    assert.equal(watched.reads, i * 2);
  }
});

test('a look-up that fails is not remembered', async () => {
  const { store, watched, directory, key } = await open();
  await using _ = store;
  watched.slow = Promise.reject(new Error('The disk is gone'));
  await assert.rejects(async () => directory.key(key.sha256), /disk/);
  watched.slow = undefined;
  assert.equal((await directory.key(key.sha256))?.id, key.id);
});

test('a clock that is set back keeps nothing for longer', async () => {
  const { clock, store, directory, box, namespace } = await open();
  await using _ = store;
  await directory.mailbox('box', namespace.name);
  await store.mailboxes.change(box.id, { description: 'new' }, clock.now);
  clock.pass(-3_600_000);
  assert.equal((await directory.mailbox('box', namespace.name))?.description, 'new');
});
