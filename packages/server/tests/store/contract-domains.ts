import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Domain } from '../../core/entities/domain.ts';
import type { DomainCheck } from '../../core/ports/domains.ts';
import type { Store } from '../../core/ports/store.ts';
import { freshName, T, type World, world } from './made.ts';

/** What both databases promise of domains of owners. */
export function domainsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: domains`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    const domainOf = ({ namespace }: World, domain: string, fields: Partial<Domain> = {}): Domain => ({
      id: newId('dom', T),
      namespace_id: namespace.id,
      domain,
      status: 'pending',
      token: 'abc',
      keys: [{ selector: 's', algorithm: 'ed25519-sha256', private_key: 'PEM' }],
      records: [],
      error: null,
      checked_at: null,
      check_at: null,
      misses: 0,
      failing_since: null,
      verified_at: null,
      created_at: T,
      ...fields,
    });
    const CHECK: DomainCheck = {
      records: [{ name: '_mailroom.x', type: 'TXT', status: 'verified', error: null, found: ['x'] }],
      error: null,
      checked_at: T,
      check_at: T + 1000,
      misses: 0,
      failing_since: null,
    };
    const added = async (to: World, domain: string, fields: Partial<Domain> = {}): Promise<Domain> => {
      const made = domainOf(to, domain, fields);
      assert.equal(await store.domains.create(made, 20), 'created');
      return made;
    };
    const newName = (): string => `${freshName()}.example.com`;
    const types = async (to: World): Promise<string[]> =>
      (await store.events.page({ namespace_id: to.namespace.id }, null, 100)).items
        .filter((event) => 'domain' in event)
        .map((event) => `${event.type} ${'domain' in event ? event.domain.domain : ''}`);

    test('a domain comes back whole, once in a namespace, up to a maximum', async () => {
      const to = await world(store);
      const one = await added(to, newName());
      const two = await added(to, newName());
      assert.deepEqual(await store.domains.find(to.namespace.id, one.domain), one);
      assert.deepEqual(await store.domains.list(to.namespace.id), [one, two]);
      assert.equal(await store.domains.create(domainOf(to, one.domain), 20), 'exists');
      assert.equal(await store.domains.create(domainOf(to, newName()), 2), 'full');
      const made = await Promise.all(Array.from({ length: 4 }, () => store.domains.create(domainOf(to, newName()), 4)));
      assert.deepEqual(made.toSorted(), ['created', 'created', 'full', 'full']);
    });

    test('keys are replaced unless they were in between, and the next check is not put off', async () => {
      const to = await world(store);
      const { id, domain, keys } = await added(to, newName(), { check_at: T + 1000 });
      const next = [{ ...keys[0], selector: 's-2', generation: 2 } as (typeof keys)[number], ...keys];
      const both = [
        store.domains.replaceKeys(id, keys, next, { check_at: T + 10, changed_at: T }),
        store.domains.replaceKeys(id, keys, next, { check_at: T + 10, changed_at: T }),
      ];
      assert.equal((await Promise.all(both)).filter(Boolean).length, 1);
      const seen = await store.domains.find(to.namespace.id, domain);
      assert.deepEqual([seen?.keys, seen?.check_at], [next, T + 10]);
      assert.equal(await store.domains.replaceKeys(id, next, keys, { check_at: T + 20 }), true);
      assert.equal(await store.domains.replaceKeys(id, keys, next), true);
      assert.deepEqual(await types(to), [`domain.keys_changed ${domain}`]);
      assert.equal((await store.domains.find(to.namespace.id, domain))?.check_at, T + 10);
      // So that no other test takes it as due.
      await store.domains.remove(id);
    });

    test('of several namespaces that verify a domain at once, one does', async () => {
      const name = newName();
      const worlds = await Promise.all([world(store), world(store), world(store)]);
      const all = await Promise.all(worlds.map((to) => added(to, name)));
      const written = await Promise.all(all.map(({ id }) => store.domains.verify(id, CHECK, T)));
      assert.deepEqual(written.toSorted(), ['taken', 'taken', 'verified']);
      const winner = all[written.indexOf('verified')];
      assert.equal((await store.domains.verified(name))?.id, winner?.id);
      assert.equal((await store.domains.holder(name))?.namespace_id, winner?.namespace_id);
      const events = await Promise.all(worlds.map(types));
      assert.deepEqual(events.flat(), [`domain.verified ${name}`]);
    });

    test('a domain that no longer proves itself is displaced by another, with an event in both namespaces', async () => {
      const name = newName();
      const [first, second] = [await world(store), await world(store)];
      const [old, next] = [await added(first, name), await added(second, name)];
      assert.equal(await store.domains.verify(old.id, CHECK, T), 'verified');
      assert.equal(await store.domains.verify(old.id, CHECK, T + 1), 'verified');
      assert.equal(await store.domains.verify(next.id, CHECK, T + 2, old.id), 'verified');
      const [was, is] = [
        await store.domains.find(first.namespace.id, name),
        await store.domains.find(second.namespace.id, name),
      ];
      assert.deepEqual([was?.status, was?.check_at, is?.status, is?.verified_at], ['failed', null, 'verified', T + 2]);
      assert.deepEqual(await types(first), [`domain.verified ${name}`, `domain.failed ${name}`]);
      assert.deepEqual(await types(second), [`domain.verified ${name}`]);
    });

    test('mailboxes have the verified domains of their namespace, and no others', async () => {
      const to = await world(store);
      const names = [newName(), newName()].toSorted();
      for (const name of names.toReversed()) await store.domains.verify((await added(to, name)).id, CHECK, T);
      const pending = await added(to, newName());
      const { local_part, id } = to.mailbox;
      assert.deepEqual((await store.mailboxes.byAddress(local_part, to.namespace.name))?.domains, names);
      const of = { namespace_id: to.namespace.id, listed: true, seen_by: to.namespace.id };
      assert.deepEqual((await store.mailboxes.page(of, null, 10)).items[0]?.domains, names);
      assert.deepEqual((await store.mailboxes.change(id, { description: 'New' }, T))?.domains, names);
      const [first = ''] = names;
      await store.domains.fail((await store.domains.find(to.namespace.id, first))?.id ?? '', CHECK, T);
      assert.deepEqual((await store.mailboxes.byId(id))?.domains, names.slice(1));
      assert.equal(await store.domains.remove(pending.id), true);
      assert.equal(await store.domains.remove(pending.id), false);
      assert.equal(await store.domains.note(pending.id, CHECK), false);
      assert.equal(await store.domains.fail(pending.id, CHECK, T), false);
      assert.equal(await store.domains.verify(pending.id, CHECK, T), 'gone');
    });

    test('a check that is due is taken once, and again when it was not recorded', async () => {
      const to = await world(store);
      const due = await added(to, newName(), { check_at: T - 10 });
      const later = await added(to, newName(), { check_at: T + 10 });
      const taken = await Promise.all([store.domains.takeDue(T, T + 100, 10), store.domains.takeDue(T, T + 100, 10)]);
      assert.deepEqual(
        taken.flat().map(({ id }) => id),
        [due.id],
      );
      assert.equal(await store.domains.note(later.id, { ...CHECK, check_at: T + 500 }), true);
      assert.deepEqual(
        (await store.domains.takeDue(T + 100, T + 200, 10)).map(({ id }) => id),
        [due.id],
      );
    });

    test('with its namespace a domain is gone, and others may verify it', async () => {
      const name = newName();
      const [first, second] = [await world(store), await world(store)];
      assert.equal(await store.domains.verify((await added(first, name)).id, CHECK, T), 'verified');
      const next = await added(second, name);
      await store.namespaces.delete(first.namespace.id, T);
      assert.deepEqual(await store.domains.list(first.namespace.id), []);
      assert.equal(await store.domains.verify(next.id, CHECK, T), 'verified');
      assert.equal(await store.domains.create(domainOf(first, newName()), 20), 'gone');
    });
  });
}
