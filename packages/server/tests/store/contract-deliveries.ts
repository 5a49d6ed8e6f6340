import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { DeliveryClaim, NewDelivery } from '../../core/entities/delivery.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, messageOf, purgeAll, T, world } from './made.ts';

export const deliveryOf = (fields: Partial<NewDelivery> = {}): NewDelivery => {
  const at = fields.created_at ?? T;
  return {
    id: newId('mail', at),
    kind: 'mail',
    namespace_id: null,
    message_id: null,
    target: 'ada@outside.example',
    destination: 'outside.example',
    payload: '{"text":"Grüße 👩‍🚀"}',
    due_at: at,
    created_at: at,
    expires_at: at + 60_000,
    ...fields,
  };
};

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
const ALL = { kinds: ['mail', 'webhook', 'push'], busy: [], busy_owners: [], only: [] } as const;

/** Tests of what leaves the service. */
export function deliveriesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: deliveries`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const add = async (fields: Partial<NewDelivery> = {}): Promise<NewDelivery> => {
      const delivery = deliveryOf(fields);
      await store.deliveries.add(delivery);
      return delivery;
    };
    const claim = async (now = T, lease_ms = 1000): Promise<readonly DeliveryClaim[]> =>
      store.deliveries.claim(idsOf((await store.deliveries.due(ALL, now, 100)).due), now, lease_ms);
    const claimOne = async (now = T, lease_ms = 1000): Promise<DeliveryClaim> => {
      const [one, ...more] = await claim(now, lease_ms);
      assert.ok(one !== undefined && more.length === 0);
      return one;
    };

    test('one is kept whole, and claimed when it is due', async () => {
      const made = await add({ due_at: T + 10, message_id: newId('msg', T), namespace_id: newId('ns', T) });
      const stored = { ...made, event_id: null, status: 'queued', error: null, attempt: 0, updated_at: T };
      assert.deepEqual(await store.deliveries.byId(made.id), stored);
      assert.deepEqual(await store.deliveries.due(ALL, T + 9, 10), { due: [], next: T + 10 });
      const { id, kind, destination } = made;
      assert.deepEqual(await store.deliveries.due(ALL, T + 10, 10), {
        due: [{ id, kind, destination }],
        next: undefined,
      });
      assert.deepEqual(await claim(T + 10), [{ ...stored, due_at: T + 1010, attempt: 1, fence: 1 }]);
      assert.deepEqual(await claim(T + 1009), []);
      assert.equal(await store.deliveries.byId(newId('mail', T)), undefined);
    });

    test('of many who add one with one id at once, one is added, and stays as it was', async () => {
      const id = newId('mail', T);
      await Promise.all(Array.from({ length: 50 }, () => add({ id })));
      await add({ id, payload: 'other', due_at: T + 5 });
      assert.equal((await claimOne()).payload, deliveryOf().payload);
    });

    test('of many nodes that claim the same at once, one has it', async () => {
      for (let i = 0; i < 20; i++) await add();
      const ids = idsOf((await store.deliveries.due(ALL, T, 100)).due);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          store.deliveries.claim(i % 2 === 0 ? ids : ids.toReversed(), T, 1000).catch(() => []),
        ),
      );
      assert.deepEqual(idsOf(claims.flat()).toSorted(), ids.toSorted());
    });

    test('a state is set in the same transaction', async () => {
      const state = { kind: 'code', id: 'c1', subject: null, value: '1', expires_at: T + 10 };
      const delivery = deliveryOf();
      await store.deliveries.add(delivery, state);
      assert.deepEqual(await store.states.get('code', 'c1', T), state);
      await store.deliveries.add(deliveryOf(), { ...state, value: '2' });
      assert.equal((await store.states.get('code', 'c1', T))?.value, '2');
      assert.ok(await store.deliveries.byId(delivery.id));
    });

    test('those due longest come first, without other kinds and without destinations that are full', async () => {
      const late = await add({ due_at: T + 2 });
      const early = await add({ due_at: T + 1 });
      const other = await add({ kind: 'webhook', destination: 'wh_1', due_at: T });
      // The same name is another destination for another kind.
      const same = await add({ kind: 'webhook', destination: 'outside.example', due_at: T + 3 });
      const due = async (of: Parameters<Store['deliveries']['due']>[0], max = 10) =>
        idsOf((await store.deliveries.due(of, T + 9, max)).due);
      assert.deepEqual(await due(ALL), idsOf([other, early, late, same]));
      assert.deepEqual(await due(ALL, 2), idsOf([other, early]));
      assert.deepEqual(await due({ ...ALL, kinds: ['mail'] }), idsOf([early, late]));
      assert.deepEqual(await due({ ...ALL, kinds: [] }), []);
      const full = [
        { kind: 'mail', destination: 'outside.example' },
        { kind: 'webhook', destination: 'wh_1' },
      ] as const;
      assert.deepEqual(await due({ ...ALL, busy: full }), idsOf([same]));
      const owned = await add({ kind: 'webhook', destination: 'ns_1/wh_1', due_at: T + 4 });
      const near = await add({ kind: 'webhook', destination: 'ns_12/wh_1', due_at: T + 5 });
      assert.deepEqual(await due({ ...ALL, busy: full }), idsOf([same, owned, near]));
      const busy_owners = [{ kind: 'webhook', prefix: 'ns_1/' }] as const;
      assert.deepEqual(await due({ ...ALL, busy: full, busy_owners }), idsOf([same, near]));
      assert.deepEqual(await due({ ...ALL, kinds: ['webhook'], busy_owners }, 1), idsOf([other]));
      const only = [{ kind: 'webhook', domains: ['outside.example'] }] as const;
      assert.deepEqual(await due({ ...ALL, only }), idsOf([early, late, same, owned, near]));
      assert.deepEqual(await due({ ...ALL, only: [{ kind: 'mail', domains: [] }] }, 1), idsOf([other]));
    });

    test('deferred, it is due again at its time and counts its attempts', async () => {
      const { id } = await add();
      const first = await claimOne();
      assert.equal(await store.deliveries.deferred(first, '451', T + 500, T + 3), true);
      assert.equal(await store.deliveries.deferred(first, '451', T + 500, T + 3), false, 'it is no one’s');
      const { status, error, due_at, attempt, updated_at } = (await store.deliveries.byId(id)) ?? assert.fail();
      assert.deepEqual([status, error, due_at, attempt, updated_at], ['deferred', '451', T + 500, 1, T + 3]);
      assert.deepEqual(await claim(T + 499), []);
      const second = await claimOne(T + 500);
      assert.deepEqual([second.fence, second.attempt], [2, 2]);
    });

    test('released, it is due at once and no attempt is counted', async () => {
      await add();
      const first = await claimOne();
      assert.equal(await store.deliveries.release(first, T + 1), true);
      assert.equal(await store.deliveries.release(first, T + 1), false);
      const second = await claimOne(T + 1);
      assert.deepEqual([second.fence, second.attempt], [2, 1]);
    });

    test('sent or failed, it stays with its status and is never due again', async () => {
      const [one, other] = [await add({ id: 'mail_1' }), await add({ id: 'mail_2' })];
      const [first, second] = await claim();
      assert.ok(first && second);
      assert.equal(await store.deliveries.sent(first, T + 5), true);
      assert.equal(await store.deliveries.failed(second, '550', T + 6), true);
      const of = async (id: string) => {
        const { status, error, due_at, updated_at } = (await store.deliveries.byId(id)) ?? assert.fail();
        return [status, error, due_at, updated_at];
      };
      assert.deepEqual(await of(one.id), ['sent', null, null, T + 5]);
      assert.deepEqual(await of(other.id), ['failed', '550', null, T + 6]);
      assert.deepEqual(await store.deliveries.due(ALL, T, 10), { due: [], next: undefined });
      assert.deepEqual(await claim(T + 1e9), []);
    });

    test('whose lease ran out is another’s, and only that one may write', async () => {
      const { id } = await add();
      const lost = await claimOne(T, 10);
      const held = await claimOne(T + 10);
      for (const write of [
        store.deliveries.sent(lost, T),
        store.deliveries.failed(lost, 'x', T),
        store.deliveries.deferred(lost, 'x', T, T),
        store.deliveries.release(lost, T),
        store.deliveries.remove(lost),
      ]) {
        assert.equal(await write, false);
      }
      assert.deepEqual(await store.deliveries.renew([lost, held], T + 9000), [id]);
      assert.deepEqual(await claim(T + 8999), []);
      assert.deepEqual([await store.deliveries.remove(held), await store.deliveries.remove(held)], [true, false]);
      assert.equal(await store.deliveries.byId(id), undefined);
      assert.deepEqual(await store.deliveries.renew([held], T + 9000), []);
    });

    test('pages show those of a namespace, newest first, by message, target and status', async () => {
      const [namespace_id, elsewhere] = [newId('ns', T), newId('ns', T)];
      const message_id = newId('msg', T);
      const made: string[] = [];
      for (let at = 0; at < 5; at++) {
        const { id } = await add({
          id: `mail_${at}`,
          namespace_id,
          message_id: at % 2 === 0 ? message_id : null,
          target: at < 2 ? 'wh_1' : 'wh_2',
        });
        made.unshift(id);
      }
      await add({ namespace_id: elsewhere });
      const first = await store.deliveries.page({ namespace_id }, null, 3);
      assert.deepEqual(idsOf(first.items), made.slice(0, 3));
      const second = await store.deliveries.page({ namespace_id }, first.next, 3);
      assert.deepEqual([idsOf(second.items), second.next], [made.slice(3), null]);
      const of = async (query: object) =>
        idsOf((await store.deliveries.page({ namespace_id, ...query }, null, 9)).items);
      assert.deepEqual(await of({ message_id }), ['mail_4', 'mail_2', 'mail_0']);
      assert.deepEqual(await of({ message_id, target: 'wh_2' }), ['mail_4', 'mail_2']);
      const claims = await claim();
      await store.deliveries.sent(claims.find(({ id }) => id === 'mail_3') ?? assert.fail(), T);
      assert.deepEqual(await of({ status: 'sent' }), ['mail_3']);
      assert.deepEqual(await of({ status: 'queued', target: 'wh_1' }), ['mail_1', 'mail_0']);
    });

    test('what waits is counted by kind, with the age of the oldest', async () => {
      assert.deepEqual(await store.deliveries.waiting(), []);
      await add({ created_at: T + 3, due_at: T + 1e6 });
      const { id } = await add({ created_at: T + 1 });
      await add({ kind: 'push', destination: 'p', created_at: T + 2 });
      const one = (await claim(T + 9)).find((it) => it.id === id) ?? assert.fail();
      assert.deepEqual(await store.deliveries.waiting(), [
        { kind: 'mail', count: 2, oldest_at: T + 1 },
        { kind: 'push', count: 1, oldest_at: T + 2 },
      ]);
      await store.deliveries.sent(one, T);
      const [mail] = await store.deliveries.waiting();
      assert.deepEqual(mail, { kind: 'mail', count: 1, oldest_at: T + 3 });
    });

    test('those of a deleted namespace go with it, and no others', async () => {
      const [deleted, living] = [await world(store), await world(store)];
      const gone = await add({ namespace_id: deleted.namespace.id });
      const left = [await add({ namespace_id: living.namespace.id }), await add()];
      await store.namespaces.delete(deleted.namespace.id, T);
      await purgeAll(store, T);
      assert.equal(await store.deliveries.byId(gone.id), undefined);
      for (const { id } of left) assert.ok(await store.deliveries.byId(id));
    });

    test('one that ended long enough ago goes, those that ended first, and none that waits', async () => {
      const [sent, failed, later, deferred] = [await add(), await add(), await add(), await add()];
      const claims = new Map((await claim()).map((one) => [one.id, one]));
      const of = ({ id }: NewDelivery): DeliveryClaim => claims.get(id) ?? assert.fail();
      await store.deliveries.failed(of(failed), 'no', T + 1);
      await store.deliveries.sent(of(sent), T + 2);
      await store.deliveries.sent(of(later), T + 3);
      await store.deliveries.deferred(of(deferred), '451', T + 9, T + 1);
      const waits = await add();
      const left = async () => {
        const all = [sent, failed, later, deferred, waits];
        const found = await Promise.all(all.map(({ id }) => store.deliveries.byId(id)));
        return found.filter((one) => one !== undefined).map(({ id }) => id);
      };
      assert.equal(await store.deliveries.retire(T + 1, 10), 0);
      assert.equal(await store.deliveries.retire(T + 3, 1), 1);
      assert.deepEqual(await left(), idsOf([sent, later, deferred, waits]));
      assert.equal(await store.deliveries.retire(T + 3, 10), 1);
      assert.deepEqual(await left(), idsOf([later, deferred, waits]));
      assert.equal(await store.deliveries.retire(T + 1e9, 10), 1);
      assert.deepEqual(await left(), idsOf([deferred, waits]));
    });

    test('one goes with the message that it is about, whether it waits or ended', async () => {
      const [from, to] = [await world(store), await world(store)];
      const [old, young] = [messageOf(from, to, { created_at: T - 10, settled_at: T - 10 }), messageOf(from, to)];
      for (const message of [old, young]) await accept(store, message);
      const ended = await add({ message_id: old.id });
      await store.deliveries.sent(await claimOne(), T);
      const gone = [ended, await add({ message_id: old.id })];
      const left = await add({ message_id: young.id });
      for (let after: string | null = ''; after !== null; )
        after = (await store.messages.retire(T - 5, after, 10)).next;
      for (const { id } of gone) assert.equal(await store.deliveries.byId(id), undefined);
      assert.ok(await store.deliveries.byId(left.id));
      await store.mailboxes.delete(to.mailbox.id, T);
      await purgeAll(store, T);
      assert.equal(await store.deliveries.byId(left.id), undefined);
    });

    test('a target is suppressed for its kind until it is no more; the first reason stays', async () => {
      const { namespace } = await world(store);
      const mail = { kind: 'mail', target: 'ada@outside.example', reason: 'bounced', created_at: T } as const;
      for (const one of [
        { ...mail, namespace_id: null },
        { ...mail, namespace_id: namespace.id },
      ]) {
        assert.equal(await store.suppressions.find(one), undefined);
        await store.suppressions.add(one);
        await store.suppressions.add({ ...one, reason: 'complained', created_at: T + 1 });
        assert.deepEqual(await store.suppressions.find(one), one);
        assert.equal(await store.suppressions.find({ ...one, kind: 'webhook' }), undefined);
        assert.equal(await store.suppressions.find({ ...one, target: 'eve@outside.example' }), undefined);
        assert.deepEqual([await store.suppressions.remove(one), await store.suppressions.remove(one)], [true, false]);
        assert.equal(await store.suppressions.find(one), undefined);
      }
    });

    test('the suppressions of a namespace are its own, are listed by target, and go with it', async () => {
      const [{ namespace }, { namespace: other }] = [await world(store), await world(store)];
      const one = (target: string, namespace_id = namespace.id) =>
        ({ namespace_id, kind: 'email', target, reason: 'bounced 5.1.1', created_at: T }) as const;
      const [a, b, c] = [one('a@x.example'), one('b@x.example'), one('c@x.example')];
      for (const each of [c, a, b, one('a@x.example', other.id), { ...a, kind: 'mail' } as const])
        await store.suppressions.add(each);
      const of = { namespace_id: namespace.id, kind: 'email' } as const;
      assert.deepEqual(await store.suppressions.page(of, null, 2), { items: [a, b], next: b.target });
      assert.deepEqual(await store.suppressions.page(of, b.target, 2), { items: [c], next: null });
      await store.namespaces.delete(namespace.id, T);
      await purgeAll(store, T);
      assert.deepEqual((await store.suppressions.page(of, null, 2)).items, []);
      assert.ok(await store.suppressions.find(one('a@x.example', other.id)));
    });
  });
}
