import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Store } from '../../core/ports/store.ts';
import {
  accept,
  freshName,
  idempotencyOf,
  keyOf,
  mailboxOf,
  messageOf,
  namespaceOf,
  purgeAll,
  T,
  world,
} from './made.ts';

/** Namespaces, mailboxes, keys and secrets. */
export function namesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: namespaces`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    test('there is none in a new store, and then there is', async () => {
      assert.equal(await store.namespaces.any(), false);
      await world(store);
      assert.equal(await store.namespaces.any(), true);
    });

    test('one is found by name and by id, with its key and its mailboxes, as it was made', async () => {
      const namespace = namespaceOf(freshName(), { display_name: 'Ada Lovelace' });
      const key = keyOf(namespace, { name: 'first', scopes: ['mail:send', 'messages:read'], expires_at: T + 9 });
      const settings = { name: 'Ada', languages: { de: 'Hallo' }, links: [] };
      const mailbox = mailboxOf(namespace, 'a.b', { settings, try_out: false, access: 'key', display_name: 'X' });
      const done = await store.namespaces.create({ namespace, key, mailboxes: [mailbox] });
      assert.deepEqual(done, { kind: 'created' });
      assert.deepEqual(await store.namespaces.byName(namespace.name), namespace);
      assert.deepEqual(await store.namespaces.byId(namespace.id), namespace);
      assert.deepEqual(await store.keys.byId(key.id), key);
      assert.deepEqual(await store.mailboxes.byId(mailbox.id), mailbox);
      assert.equal(await store.namespaces.byName('nobody'), undefined);
    });

    test('a taken name makes neither key nor mailbox', async () => {
      const { namespace } = await world(store);
      const second = namespaceOf(namespace.name);
      const key = keyOf(second);
      const mailbox = mailboxOf(second, 'other');
      const done = await store.namespaces.create({ namespace: second, key, mailboxes: [mailbox] });
      assert.deepEqual(done, { kind: 'taken' });
      assert.equal(await store.keys.byId(key.id), undefined);
      assert.equal(await store.mailboxes.byId(mailbox.id), undefined);
      assert.deepEqual(await store.namespaces.byName(namespace.name), namespace);
    });

    test('of many who want one name at once, one gets it', async () => {
      const wanted = freshName();
      const done = await Promise.all(
        Array.from({ length: 20 }, () => {
          const namespace = namespaceOf(wanted);
          return store.namespaces.create({ namespace, key: keyOf(namespace), mailboxes: [] });
        }),
      );
      assert.equal(done.filter(({ kind }) => kind === 'created').length, 1);
    });

    test('a repeated request replays the first one, with its hash', async () => {
      const first = namespaceOf(freshName());
      const idempotency = idempotencyOf('namespaces', 'k1', { hash: 'h1' });
      await store.namespaces.create({ namespace: first, key: keyOf(first), mailboxes: [] }, idempotency);
      const again = namespaceOf(first.name);
      const key = keyOf(again);
      const done = await store.namespaces.create(
        { namespace: again, key, mailboxes: [] },
        { ...idempotency, hash: 'other' },
      );
      assert.deepEqual(done, { kind: 'replayed', id: first.id, hash: 'h1' });
      assert.equal(await store.keys.byId(key.id), undefined);
      assert.deepEqual(await store.idempotency('namespaces', 'k1', T), { kind: 'replayed', id: first.id, hash: 'h1' });
    });

    test('an idempotency key that came to nothing can be used again', async () => {
      const { namespace: taken } = await world(store);
      const idempotency = idempotencyOf('namespaces', 'k2');
      const second = namespaceOf(taken.name);
      const refused = await store.namespaces.create(
        { namespace: second, key: keyOf(second), mailboxes: [mailboxOf(second, 'x')] },
        idempotency,
      );
      assert.deepEqual(refused, { kind: 'taken' });
      assert.equal(await store.idempotency('namespaces', 'k2', T), undefined);
      const third = namespaceOf(freshName());
      const made = await store.namespaces.create({ namespace: third, key: keyOf(third), mailboxes: [] }, idempotency);
      assert.deepEqual(made, { kind: 'created' });
    });

    test('an expired idempotency key is free, and another scope is another key', async () => {
      const idempotency = idempotencyOf('namespaces', 'k3', { expires_at: T + 10 });
      const first = namespaceOf(freshName());
      await store.namespaces.create({ namespace: first, key: keyOf(first), mailboxes: [] }, idempotency);
      assert.equal(await store.idempotency('namespaces', 'k3', T + 10), undefined);
      const second = namespaceOf(freshName(), { created_at: T + 10 });
      const later = await store.namespaces.create(
        { namespace: second, key: keyOf(second), mailboxes: [] },
        idempotency,
      );
      assert.deepEqual(later, { kind: 'created' });
      const third = namespaceOf(freshName());
      const other = { ...idempotency, scope: 'guest:1' };
      const done = await store.namespaces.create({ namespace: third, key: keyOf(third), mailboxes: [] }, other);
      assert.deepEqual(done, { kind: 'created' });
    });

    test('a new display name shows; a deleted namespace takes none', async () => {
      const { namespace } = await world(store);
      const renamed = await store.namespaces.rename(namespace.id, 'New');
      assert.deepEqual(renamed, { ...namespace, display_name: 'New' });
      assert.equal((await store.namespaces.rename(namespace.id, null))?.display_name, null);
      await store.namespaces.delete(namespace.id, T + 1);
      assert.equal(await store.namespaces.rename(namespace.id, 'Late'), undefined);
      assert.equal(await store.namespaces.rename(newId('ns', T), 'Nobody'), undefined);
    });

    test('deleting one stops its keys and mailboxes at once, keeps its name, and happens once', async () => {
      const { namespace, key, mailbox } = await world(store);
      assert.equal(await store.namespaces.delete(namespace.id, T + 1), true);
      assert.equal(await store.namespaces.delete(namespace.id, T + 2), false);
      assert.equal(await store.namespaces.delete(newId('ns', T), T), false);
      assert.equal((await store.namespaces.byName(namespace.name))?.deleted_at, T + 1);
      assert.equal((await store.keys.byId(key.id))?.revoked_at, T + 1);
      assert.equal((await store.mailboxes.byId(mailbox.id))?.deleted_at, T + 1);
      const again = namespaceOf(namespace.name);
      const done = await store.namespaces.create({ namespace: again, key: keyOf(again), mailboxes: [] });
      assert.deepEqual(done, { kind: 'taken' });
    });

    test('a key made for a deleted namespace never works', async () => {
      const { namespace } = await world(store);
      await store.namespaces.delete(namespace.id, T + 1);
      const key = keyOf(namespace, { created_at: T + 2 });
      await store.keys.create(key);
      assert.equal(await store.keys.byId(key.id), undefined);
    });
  });

  describe(`${name}: mailboxes`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    test('an address belongs to one living mailbox', async () => {
      const { namespace, mailbox } = await world(store);
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'hello')), { kind: 'taken' });
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'other')), { kind: 'created' });
      assert.deepEqual(await store.mailboxes.byAddress('hello', namespace.name), mailbox);
      assert.equal(await store.mailboxes.byAddress('hello', 'nowhere'), undefined);
    });

    test('a deleted address is found with its deletion until it is made anew, then the living one is found', async () => {
      const { namespace, mailbox } = await world(store);
      assert.equal(await store.mailboxes.delete(mailbox.id, T + 1), true);
      assert.equal(await store.mailboxes.delete(mailbox.id, T + 2), false);
      assert.equal((await store.mailboxes.byAddress('hello', namespace.name))?.deleted_at, T + 1);
      const successor = mailboxOf(namespace, 'hello');
      assert.deepEqual(await store.mailboxes.create(successor), { kind: 'created' });
      assert.deepEqual(await store.mailboxes.byAddress('hello', namespace.name), successor);
      await store.mailboxes.delete(successor.id, T + 3);
      assert.equal((await store.mailboxes.byAddress('hello', namespace.name))?.id, successor.id);
    });

    test('no more are made than may live, however many are made at once; a deleted one leaves its place', async () => {
      const { namespace, mailbox } = await world(store);
      const many = Array.from({ length: 8 }, (_, nth) => mailboxOf(namespace, `many-${nth}`));
      const made = await Promise.all(many.map((one) => store.mailboxes.create(one, undefined, 4)));
      assert.deepEqual(made.map(({ kind }) => kind).sort(), [...Array(3).fill('created'), ...Array(5).fill('full')]);
      const ids = await store.mailboxes.ids(namespace.id);
      assert.equal(ids.length, 4);
      assert.equal(ids[0], mailbox.id);
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'hello'), undefined, 4), { kind: 'taken' });
      const idempotency = idempotencyOf('mbx', 'full', { hash: 'h1' });
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'more'), idempotency, 4), { kind: 'full' });
      assert.equal(await store.idempotency('mbx', 'full', T), undefined);
      await store.mailboxes.delete(mailbox.id, T + 1);
      assert.deepEqual(await store.mailboxes.byIds([mailbox.id]), []);
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'more'), idempotency, 4), { kind: 'created' });
      assert.equal((await store.mailboxes.byIds(await store.mailboxes.ids(namespace.id))).length, 4);
    });

    test('none is made in a deleted namespace', async () => {
      const { namespace } = await world(store);
      await store.namespaces.delete(namespace.id, T + 1);
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'late')), { kind: 'gone' });
      const idempotency = idempotencyOf('k', 'gone');
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'late'), idempotency), { kind: 'gone' });
      assert.equal(await store.idempotency('k', 'gone', T), undefined);
    });

    test('a repeated request replays, and one that was refused can be repeated', async () => {
      const { namespace } = await world(store);
      const idempotency = idempotencyOf('mbx', 'k1', { hash: 'h1' });
      assert.deepEqual(await store.mailboxes.create(mailboxOf(namespace, 'hello'), idempotency), { kind: 'taken' });
      const made = mailboxOf(namespace, 'new');
      assert.deepEqual(await store.mailboxes.create(made, idempotency), { kind: 'created' });
      const again = await store.mailboxes.create(mailboxOf(namespace, 'newer'), idempotency);
      assert.deepEqual(again, { kind: 'replayed', id: made.id, hash: 'h1' });
      assert.equal(await store.mailboxes.byAddress('newer', namespace.name), undefined);
    });

    test('a change writes the named fields and nothing else', async () => {
      const { mailbox } = await world(store, { description: 'before', display_name: 'X' });
      const changed = await store.mailboxes.change(
        mailbox.id,
        { description: 'after', display_name: null, settings: { name: 'Ada' }, try_out: false, access: 'key' },
        T + 7,
      );
      const wanted = {
        ...mailbox,
        description: 'after',
        display_name: null,
        settings: { name: 'Ada' },
        try_out: false,
        access: 'key',
        updated_at: T + 7,
      };
      assert.deepEqual(changed, wanted);
      assert.deepEqual(await store.mailboxes.byId(mailbox.id), wanted);
    });

    test('a change of one list of senders leaves the other', async () => {
      const { mailbox } = await world(store, { senders: { allow: ['a'], block: ['b'] } });
      assert.deepEqual((await store.mailboxes.byId(mailbox.id))?.senders, { allow: ['a'], block: ['b'] });
      await Promise.all([
        store.mailboxes.change(mailbox.id, { senders: { allow: ['x', 'y'] } }, T + 1),
        store.mailboxes.change(mailbox.id, { senders: { block: [] } }, T + 1),
        store.mailboxes.change(mailbox.id, { description: 'new' }, T + 1),
      ]);
      assert.deepEqual((await store.mailboxes.byId(mailbox.id))?.senders, { allow: ['x', 'y'], block: [] });
    });

    test('with another behavior the settings of the one before are kept, and go once it has it again', async () => {
      const { mailbox } = await world(store, { behavior: 'do', settings: { a: 'b' } });
      const { id } = mailbox;
      const kept = async () => Object.fromEntries(await store.mailboxes.keptSettings(id));
      await store.mailboxes.change(id, { behavior: 'do', settings: { a: 'c' } }, T);
      assert.deepEqual(await kept(), {});
      const changed = await store.mailboxes.change(id, { behavior: 'hello', settings: {} }, T);
      assert.deepEqual([changed?.behavior, changed?.settings], ['hello', {}]);
      assert.deepEqual(await kept(), { do: { a: 'c' } });
      await store.mailboxes.change(id, { behavior: 'auth', settings: { é: '👩‍🚀' } }, T);
      await store.mailboxes.change(id, { description: 'x' }, T);
      assert.deepEqual(await kept(), { do: { a: 'c' } }, 'empty ones are not kept');
      await store.mailboxes.change(id, { behavior: 'do', settings: { a: 'd' } }, T);
      assert.deepEqual(await kept(), { auth: { é: '👩‍🚀' } });
      await store.mailboxes.change(id, { behavior: 'hello', settings: {} }, T);
      assert.deepEqual(await kept(), { auth: { é: '👩‍🚀' }, do: { a: 'd' } });
    });

    test('of changes at once to several behaviors each is as if one came after the other', async () => {
      const { mailbox } = await world(store, { behavior: 'b0', settings: { of: 'b0' } });
      const names = Array.from({ length: 12 }, (_, at) => `b${at % 4}`);
      await Promise.all(names.map((of) => store.mailboxes.change(mailbox.id, { behavior: of, settings: { of } }, T)));
      const left = await store.mailboxes.byId(mailbox.id);
      const kept = await store.mailboxes.keptSettings(mailbox.id);
      assert.deepEqual(new Set([...kept.keys(), left?.behavior]), new Set(['b0', 'b1', 'b2', 'b3']));
      for (const [name, { of }] of kept) assert.equal(of, name);
    });

    test('what is for keys only is never tried out, whoever opened the one while the other was closed', async () => {
      const { mailbox } = await world(store);
      await Promise.all([
        store.mailboxes.change(mailbox.id, { access: 'key', try_out: false }, T),
        store.mailboxes.change(mailbox.id, { try_out: true }, T),
      ]);
      const changed = await store.mailboxes.byId(mailbox.id);
      assert.deepEqual([changed?.access, changed?.try_out], ['key', false]);
    });

    test('a deleted mailbox takes no change', async () => {
      const { mailbox } = await world(store);
      await store.mailboxes.delete(mailbox.id, T + 1);
      assert.equal(await store.mailboxes.change(mailbox.id, { description: 'late' }, T + 2), undefined);
      assert.equal((await store.mailboxes.byId(mailbox.id))?.description, '');
    });

    test('pages show living ones in the order they were made, each once', async () => {
      const { namespace, mailbox } = await world(store);
      const made = [mailbox];
      for (let i = 0; i < 6; i++) made.push(mailboxOf(namespace, `m${i}`));
      for (const one of made.slice(1)) await store.mailboxes.create(one);
      await store.mailboxes.delete(made[3]?.id as string, T + 1);
      const seen: string[] = [];
      let after: string | null = null;
      const filter = { namespace_id: namespace.id, listed: false, seen_by: null };
      do {
        const page = await store.mailboxes.page(filter, after, 2);
        assert.equal(await store.mailboxes.pageEnd(filter, after, 2), page.next);
        assert.ok(page.items.length <= 2);
        seen.push(...page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      assert.deepEqual(
        seen,
        made.filter((_, i) => i !== 3).map(({ id }) => id),
      );
    });

    test('the directory is narrowed by namespace, behavior, visibility and text in any case', async () => {
      const { namespace } = await world(store, { visibility: 'unlisted', behavior: 'quiet' });
      const proof = mailboxOf(namespace, 'proof', { behavior: 'proofread', description: 'Corrects 100% of_it' });
      await store.mailboxes.create(proof);
      const ids = async (query: object) =>
        (
          await store.mailboxes.page({ listed: false, seen_by: null, namespace: namespace.name, ...query }, null, 50)
        ).items.map(({ local_part }) => local_part);
      assert.deepEqual(await ids({}), ['hello', 'proof']);
      assert.deepEqual(await ids({ listed: true }), ['proof']);
      assert.deepEqual(await ids({ behavior: 'quiet' }), ['hello']);
      assert.deepEqual(await ids({ query: 'CORRECTS' }), ['proof']);
      assert.deepEqual(await ids({ query: '100%' }), ['proof']);
      assert.deepEqual(await ids({ query: '1%' }), []);
      assert.deepEqual(await ids({ query: 'f_i' }), ['proof']);
      assert.deepEqual(await ids({ query: 's_100' }), []);
      assert.deepEqual(await ids({ query: `hello@${namespace.name}` }), ['hello']);
      assert.deepEqual(await ids({ namespace: 'nowhere' }), []);
    });

    test('a mailbox for keys only is found by its own namespace alone', async () => {
      const { namespace } = await world(store);
      const inner = mailboxOf(namespace, 'inner', { access: 'key', try_out: false });
      await store.mailboxes.create(inner);
      const found = async (seen_by: string | null) => {
        const page = await store.mailboxes.page({ listed: true, seen_by, namespace_id: namespace.id }, null, 50);
        return page.items.some(({ id }) => id === inner.id);
      };
      assert.equal(await found(null), false);
      assert.equal(await found('ns_of_another'), false);
      assert.equal(await found(namespace.id), true);
    });

    test('what came of an idempotency key is remembered for a request that made nothing; the first one stays', async () => {
      const first = { scope: 'key_r', key: 'r1', hash: 'h1', expires_at: T + 100 };
      await store.remember(first, 'msg_1', T);
      await store.remember({ ...first, hash: 'h2' }, 'msg_2', T + 1);
      assert.deepEqual(await store.idempotency('key_r', 'r1', T + 2), { kind: 'replayed', id: 'msg_1', hash: 'h1' });
      await store.remember({ ...first, hash: 'h3', expires_at: T + 300 }, 'msg_3', T + 101);
      assert.equal((await store.idempotency('key_r', 'r1', T + 102))?.id, 'msg_3');
    });
  });

  describe(`${name}: keys`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    test('one is found by its hash, as it was made', async () => {
      const { namespace, mailbox } = await world(store);
      const address = `hello@${namespace.name}`;
      const key = keyOf(namespace, { mailbox_id: mailbox.id, mailbox: address, scopes: ['mail:send'] });
      assert.deepEqual(await store.keys.create(key), { kind: 'created' });
      assert.deepEqual(await store.keys.bySha256(key.sha256), key);
      assert.equal(await store.keys.bySha256('f'.repeat(64)), undefined);
    });

    test('a repeated request makes no second key', async () => {
      const { namespace } = await world(store);
      const idempotency = idempotencyOf('keys', 'k1', { hash: 'h1' });
      const key = keyOf(namespace);
      assert.deepEqual(await store.keys.create(key, idempotency), { kind: 'created' });
      const second = keyOf(namespace);
      assert.deepEqual(await store.keys.create(second, idempotency), { kind: 'replayed', id: key.id, hash: 'h1' });
      assert.equal(await store.keys.byId(second.id), undefined);
    });

    test('a revoked key is still found by its hash, is not listed, and is revoked once, by its own namespace', async () => {
      const { namespace, key } = await world(store);
      const other = await world(store);
      const second = keyOf(namespace);
      await store.keys.create(second);
      assert.equal(await store.keys.revoke(second.id, other.namespace.id, T + 1), false);
      assert.equal(await store.keys.revoke(second.id, namespace.id, T + 1), true);
      assert.equal(await store.keys.revoke(second.id, namespace.id, T + 2), false);
      assert.equal((await store.keys.bySha256(second.sha256))?.revoked_at, T + 1);
      assert.deepEqual((await store.keys.page({ namespace_id: namespace.id }, null, 10)).items, [key]);
      const all = await store.keys.page({ namespace_id: namespace.id, revoked: true }, null, 10);
      assert.deepEqual(all, { items: [key, { ...second, revoked_at: T + 1 }], next: null });
    });

    test('a key is removed once it is revoked, by its own namespace', async () => {
      const [{ namespace, key }, other] = [await world(store), await world(store)];
      assert.equal(await store.keys.remove(key.id, namespace.id), false);
      await store.keys.revoke(key.id, namespace.id, T + 1);
      assert.equal(await store.keys.remove(key.id, other.namespace.id), false);
      assert.equal(await store.keys.remove(key.id, namespace.id), true);
      assert.equal(await store.keys.byId(key.id), undefined);
    });

    test('pages are in the order they were made', async () => {
      const { namespace, key } = await world(store);
      const made = [key, keyOf(namespace), keyOf(namespace)];
      for (const one of made.slice(1)) await store.keys.create(one);
      const first = await store.keys.page({ namespace_id: namespace.id }, null, 2);
      assert.deepEqual(first.items, made.slice(0, 2));
      assert.deepEqual(await store.keys.page({ namespace_id: namespace.id }, first.next, 2), {
        items: made.slice(2),
        next: null,
      });
    });

    test('pages can be narrowed to keys that are bound to a mailbox', async () => {
      const { namespace, mailbox } = await world(store);
      const bound = keyOf(namespace, { mailbox_id: mailbox.id, mailbox: `hello@${namespace.name}` });
      await store.keys.create(bound);
      const page = await store.keys.page({ namespace_id: namespace.id, mailbox_id: mailbox.id }, null, 10);
      assert.deepEqual(page, { items: [bound], next: null });
    });

    test('the time of use moves forward only', async () => {
      const { key } = await world(store);
      await store.keys.used([]);
      await store.keys.used([{ id: key.id, at: T + 60 }]);
      await store.keys.used([
        { id: key.id, at: T + 30 },
        { id: newId('key', T), at: T },
      ]);
      assert.equal((await store.keys.byId(key.id))?.last_used_at, T + 60);
    });

    test('a key never used can have another secret, a used or revoked one cannot', async () => {
      const { namespace, key } = await world(store);
      const fresh = { sha256: 'a'.repeat(63) + key.sha256[0], prefix: 'mr_live_abcdefgh' };
      assert.deepEqual(await store.keys.renew(key.id, fresh), { ...key, ...fresh });
      assert.equal(await store.keys.bySha256(key.sha256), undefined);
      await store.keys.used([{ id: key.id, at: T }]);
      assert.equal(await store.keys.renew(key.id, { ...fresh, sha256: 'b'.repeat(64) }), undefined);
      const revoked = keyOf(namespace);
      await store.keys.create(revoked);
      await store.keys.revoke(revoked.id, namespace.id, T);
      assert.equal(await store.keys.renew(revoked.id, { ...fresh, sha256: 'c'.repeat(64) }), undefined);
      assert.equal(await store.keys.renew(newId('key', T), { ...fresh, sha256: 'd'.repeat(64) }), undefined);
    });

    test('the first key of a namespace is the one made with it', async () => {
      const { namespace, key } = await world(store);
      await store.keys.create(keyOf(namespace));
      assert.deepEqual(await store.keys.firstOf(namespace.id), key);
      assert.equal(await store.keys.firstOf(newId('ns', T)), undefined);
    });
  });

  describe(`${name}: secrets and upkeep`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    test('a secret is made once, by whoever comes first', async () => {
      const got = await Promise.all(Array.from({ length: 8 }, (_, i) => store.secrets.getOrPut('cookie', `s${i}`)));
      assert.equal(new Set(got).size, 1);
      assert.equal(await store.secrets.getOrPut('cookie', 'late'), got[0]);
      assert.equal(await store.secrets.getOrPut('other', 'mine'), 'mine');
      await store.secrets.getOrPut('cookies', 'more');
      assert.deepEqual(
        [...(await store.secrets.beginning('cookie'))].map(([name]) => name),
        ['cookie', 'cookies'],
      );
      await store.secrets.remove(['cookie', 'none']);
      assert.deepEqual([...(await store.secrets.beginning('cookie'))], [['cookies', 'more']]);
    });

    test('a probe writes', async () => {
      await store.probe();
      await store.probe();
    });

    test('a sweep removes expired idempotency keys and no others', async () => {
      const from = await world(store);
      const idempotency = (key: string, expires_at: number) => idempotencyOf(from.key.id, key, { expires_at });
      await accept(store, messageOf(from, from), { idempotency: idempotency('old', T + 1) });
      const kept = messageOf(from, from);
      await accept(store, kept, { idempotency: idempotency('new', T + 100) });
      assert.equal(await store.jobs.sweep(T + 2), 1);
      assert.equal(await store.jobs.sweep(T + 2), 0);
      assert.equal((await store.idempotency(from.key.id, 'new', T + 2))?.id, kept.id);
    });

    test('there is no purge work where nothing was deleted', async () => {
      assert.equal(await purgeAll(store, T + 1000), 0);
    });
  });
}
