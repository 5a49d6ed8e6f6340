import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { MAX_ALLOWANCES, MAX_CLIENTS } from '../../core/entities/client.ts';
import type { Store } from '../../core/ports/store.ts';
import { mailboxOf, opened, purgeAll, T, type World, world } from './made.ts';
import { allowanceOf, clientOf, inWaves } from './signed-in.ts';

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** Tests of services and allowances. */
export function clientsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: services`, () => {
    let store: Store;
    let alice: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store, { behavior: 'auth' });
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const register = async (fields = {}, { mailbox } = alice) => {
      const client = clientOf(mailbox, fields);
      assert.equal(await store.clients.create(client), 'created');
      return client;
    };

    test('one is kept whole, and changed in the named fields alone', async () => {
      const client = await register({ source: 'registration' });
      assert.deepEqual(await store.clients.byId(client.id), client);
      const named = { ...client, name: 'Café', updated_at: T + 1 };
      assert.deepEqual(await store.clients.change(client.id, { name: 'Café' }, T + 1), named);
      const open = { ...named, metadata: '{}', secret: null, updated_at: T + 2 };
      assert.deepEqual(await store.clients.change(client.id, { metadata: '{}', secret: null }, T + 2), open);
      assert.deepEqual(await store.clients.byId(client.id), open);
      assert.equal(await store.clients.change(newId('cli', T), { name: 'x' }, T), undefined);
      assert.equal(await store.clients.byId(newId('cli', T)), undefined);
    });

    test('pages show those of a mailbox in the order they were made, each once', async () => {
      const other = mailboxOf(alice.namespace, 'other');
      await store.mailboxes.create(other);
      const made: string[] = [];
      for (let at = 0; at < 5; at++) made.push((await register()).id);
      await register({}, { ...alice, mailbox: other });
      const of = { mailbox_id: alice.mailbox.id };
      const first = await store.clients.page(of, null, 3);
      assert.deepEqual(idsOf(first.items), made.slice(0, 3));
      const second = await store.clients.page(of, first.next, 3);
      assert.deepEqual([idsOf(second.items), second.next], [made.slice(3), null]);
    });

    test(`a mailbox has ${MAX_CLIENTS} and no more, however many are made at once; one that goes leaves its place`, async () => {
      const come = (count: number) =>
        inWaves(
          Array.from({ length: count }, () => clientOf(alice.mailbox)),
          (client) => store.clients.create(client),
        );
      assert.deepEqual(new Set(await come(MAX_CLIENTS - 10)), new Set(['created']));
      const last = await come(40);
      assert.equal(last.filter((one) => one === 'created').length, 10);
      assert.equal(last.filter((one) => one === 'full').length, 30);
      const [client] = (await store.clients.page({ mailbox_id: alice.mailbox.id }, null, 1)).items;
      assert.equal(await store.clients.remove(client?.id as string, alice.mailbox.id), true);
      assert.deepEqual((await come(2)).toSorted(), ['created', 'full']);
    });

    test('one is removed by its own mailbox, once, with what is allowed of it', async () => {
      const [client, other] = [await register(), await register()];
      const bob = await world(store);
      for (const { id } of [client, other]) await store.allowances.allow(allowanceOf(bob.mailbox, alice.namespace, id));
      await store.allowances.allow(allowanceOf(bob.mailbox, bob.namespace, client.id));
      assert.equal(await store.clients.remove(client.id, bob.mailbox.id), false);
      assert.equal(await store.allowances.has(bob.mailbox.id, alice.namespace.id, client.id), true);
      assert.equal(await store.clients.remove(client.id, alice.mailbox.id), true);
      assert.equal(await store.clients.remove(client.id, alice.mailbox.id), false);
      assert.equal(await store.clients.byId(client.id), undefined);
      const left = (await store.allowances.of(bob.mailbox.id)).map((one) => [one.issuer_id, one.client_id]);
      assert.deepEqual(
        new Set(left.map(String)),
        new Set([`${alice.namespace.id},${other.id}`, `${bob.namespace.id},${client.id}`]),
      );
    });

    for (const [what, deleted] of [
      ['mailbox', () => store.mailboxes.delete(alice.mailbox.id, T + 1)],
      ['namespace', () => store.namespaces.delete(alice.namespace.id, T + 1)],
    ] as const) {
      test(`with its ${what} a service is gone from that moment, none is made, and the purge takes the rest`, async () => {
        const client = await register();
        const bob = await world(store);
        const kept = await register({}, bob);
        await store.allowances.allow(allowanceOf(bob.mailbox, alice.namespace, client.id));
        assert.equal(await deleted(), true);
        const nothing = async () => {
          assert.equal(await store.clients.byId(client.id), undefined);
          assert.equal(await store.clients.change(client.id, { name: 'x' }, T + 2), undefined);
          const page = await store.clients.page({ mailbox_id: alice.mailbox.id }, null, 10);
          assert.deepEqual(page, { items: [], next: null });
          assert.equal(await store.clients.create(clientOf(alice.mailbox)), 'gone');
        };
        await nothing();
        await purgeAll(store, T + 1);
        await nothing();
        assert.equal(await store.allowances.has(bob.mailbox.id, alice.namespace.id, client.id), false);
        assert.deepEqual(await store.clients.byId(kept.id), kept);
        assert.equal(await store.clients.create({ ...clientOf(bob.mailbox), id: client.id }), 'created');
      });
    }
  });

  describe(`${name}: allowances`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());
    const allow = (client: string, at = T) =>
      store.allowances.allow(allowanceOf(bob.mailbox, alice.namespace, client, at));
    const has = (client: string, { mailbox } = bob, { namespace } = alice) =>
      store.allowances.has(mailbox.id, namespace.id, client);

    test('one is of this mailbox, this issuer and this service; it may be said again and is as it was', async () => {
      const url = 'https://shop.example/client.json';
      assert.equal(await allow(url), 'allowed');
      assert.equal(await allow(url, T + 5), 'allowed');
      assert.deepEqual(await store.allowances.of(bob.mailbox.id), [allowanceOf(bob.mailbox, alice.namespace, url)]);
      assert.equal(await has(url), true);
      assert.equal(await has(`${url}/`), false);
      assert.equal(await has(url, alice), false);
      assert.equal(await has(url, bob, bob), false);
    });

    test('the newest comes first, and one is taken back once', async () => {
      for (const [at, client] of ['one', 'two', 'three'].entries()) await allow(client, T + at);
      const clients = async () => (await store.allowances.of(bob.mailbox.id)).map(({ client_id }) => client_id);
      assert.deepEqual(await clients(), ['three', 'two', 'one']);
      const take = () => store.allowances.remove(bob.mailbox.id, alice.namespace.id, 'two');
      assert.deepEqual([await take(), await take()], [true, false]);
      assert.deepEqual(await clients(), ['three', 'one']);
      assert.equal(await has('two'), false);
    });

    test(`a mailbox has ${MAX_ALLOWANCES} and no more, however many come at once; what it has may be said again`, async () => {
      const clients = Array.from({ length: MAX_ALLOWANCES + 30 }, (_, at) => `client ${at}`);
      const results = await inWaves(clients, (client) => allow(client));
      assert.equal(results.filter((one) => one === 'full').length, 30);
      const all = await store.allowances.of(bob.mailbox.id);
      assert.equal(all.length, MAX_ALLOWANCES);
      assert.equal(await allow(all[0]?.client_id as string), 'allowed');
      assert.equal(await allow('another'), 'full');
      await store.allowances.remove(bob.mailbox.id, alice.namespace.id, all[0]?.client_id as string);
      assert.equal(await allow('another'), 'allowed');
    });

    for (const [what, deleted, left] of [
      ['mailbox', () => store.mailboxes.delete(bob.mailbox.id, T + 1), false],
      ['issuer', () => store.namespaces.delete(alice.namespace.id, T + 1), true],
    ] as const) {
      test(`of a deleted ${what} nothing is allowed from that moment, and the purge takes what was`, async () => {
        await allow('one');
        await store.allowances.allow(allowanceOf(bob.mailbox, bob.namespace, 'own'));
        await deleted();
        for (const purged of [false, true]) {
          if (purged) await purgeAll(store, T + 1);
          assert.equal(await has('one'), false);
          assert.equal(await has('own', bob, bob), left);
          assert.equal((await store.allowances.of(bob.mailbox.id)).length, left ? 1 : 0);
          assert.equal(await allow('two'), 'gone');
        }
      });
    }
  });
}
