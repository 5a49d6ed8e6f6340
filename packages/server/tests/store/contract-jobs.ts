import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Claim } from '../../core/ports/claim.ts';
import type { Store } from '../../core/ports/store.ts';
import {
  accept,
  claimDue,
  freshName,
  idempotencyOf,
  keyOf,
  mailboxOf,
  messageOf,
  namespaceOf,
  opened,
  purgeAll,
  settlementOf,
  T,
  type World,
  waitingOf,
} from './made.ts';

export function jobsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: jobs`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const send = async (at = T, to = bob) => {
      const message = waitingOf(alice, to, { created_at: at });
      await accept(store, message);
      return message;
    };
    const claimOne = async (now: number, lease = 1000): Promise<Claim> => {
      const [claim] = await store.handlings.claim(1, now, lease);
      assert.ok(claim);
      return claim;
    };

    test('the longest due is claimed first, so many and no more, and nobody else gets it', async () => {
      const late = await send(T + 2);
      const early = await send(T + 1);
      await send(T + 100);
      const [{ message, ...first } = {} as Claim] = await store.handlings.claim(1, T + 10, 1000);
      // The message may come with the claim.
      if (message !== undefined) assert.deepEqual(message, await store.messages.byId(early.id));
      assert.deepEqual(first, { id: early.id, kind: 'handle', fence: 1, attempt: 1, subject: bob.mailbox.id });
      const rest = await store.handlings.claim(10, T + 10, 1000);
      assert.deepEqual(
        rest.map(({ id }) => id),
        [late.id],
      );
      assert.deepEqual(await store.handlings.claim(10, T + 10, 1000), []);
      assert.equal((await store.messages.byId(early.id))?.status, 'working');
    });

    test('two who claim at once share nothing', async () => {
      for (let i = 0; i < 10; i++) await send();
      const claims = (await Promise.all([1, 2, 3].map(() => store.handlings.claim(4, T, 1000)))).flat();
      assert.equal(claims.length, 10);
      assert.equal(new Set(claims.map(({ id }) => id)).size, 10);
    });

    test('an expired lease is claimed again, with a higher fence', async () => {
      const { id } = await send();
      const first = await claimOne(T);
      assert.equal(await store.handlings.nextDue(), T + 1000);
      assert.deepEqual(await store.handlings.claim(1, T + 999, 1000), []);
      const [second] = await claimDue(store, 1, T + 1000, 1000);
      assert.deepEqual([second?.id, second?.fence], [id, 2]);
      assert.equal(await store.handlings.later(first, T + 1001), false);
      assert.deepEqual(await store.handlings.renew([first], T + 9000), []);
    });

    test('a renewed lease holds on; what was lost is not among those still held', async () => {
      await send();
      await send();
      const [kept, lost] = (await store.handlings.claim(2, T, 1000)) as [Claim, Claim];
      await store.messages.cancel(lost.id, T);
      assert.deepEqual(await store.handlings.renew([kept, lost], T + 5000), [kept.id]);
      assert.deepEqual(await store.handlings.claim(2, T + 4999, 1000), []);
      assert.deepEqual(await store.handlings.renew([], T), []);
    });

    test('what is given back is due at its time, and shows as submitted until then', async () => {
      const { id } = await send();
      const claim = await claimOne(T);
      assert.equal(await store.handlings.later(claim, T + 500), true);
      assert.equal(await store.handlings.later(claim, T + 500), false);
      assert.equal((await store.messages.byId(id))?.status, 'submitted');
      assert.equal(await store.handlings.nextDue(), T + 500);
      assert.deepEqual(await store.handlings.claim(1, T + 499, 1000), []);
      assert.equal((await claimOne(T + 500)).attempt, 2);
    });

    test('pausing holds what waits and not what is worked on; resuming lets it go', async () => {
      const working = await send(T);
      await claimOne(T);
      const waiting = await send(T + 1);
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 2);
      assert.deepEqual(await store.handlings.claim(10, T + 10, 1000), []);
      assert.equal(await store.messages.settle({ id: working.id, fence: 1 }, settlementOf()), true);
      assert.equal(await store.handlings.nextDue(), undefined);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 20);
      assert.equal(await store.handlings.nextDue(), T + 20);
      assert.equal((await claimOne(T + 20)).id, waiting.id);
    });

    test('what is given back, or whose lease runs out, while its mailbox is paused is held', async () => {
      await send();
      await send();
      const [back] = (await store.handlings.claim(2, T, 1000)) as [Claim];
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T);
      assert.equal(await store.handlings.later(back, T + 1), true);
      assert.deepEqual(await store.handlings.claim(10, T + 5000, 1000), []);
      assert.equal(await store.handlings.nextDue(), undefined);
      assert.equal(await store.handlings.depth(), 0);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 6000);
      assert.equal((await claimDue(store, 10, T + 6000, 1000)).length, 2);
    });

    test('the depth counts what is due or claimed, not what is held or for later', async () => {
      await send();
      await send();
      await send();
      const claim = await claimOne(T);
      assert.equal(await store.handlings.depth(), 3);
      await store.handlings.later(claim, T + 1e12);
      assert.equal(await store.handlings.depth(), 2);
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T);
      assert.equal(await store.handlings.depth(), 0);
    });

    test('jobs of a deleted mailbox are never claimed again, however many, and stand in nobody’s way', async () => {
      await Promise.all(Array.from({ length: 1200 }, () => send(T)));
      const other = mailboxOf(alice.namespace, 'other');
      await store.mailboxes.create(other);
      const living = await send(T + 1, { ...alice, mailbox: other });
      await store.namespaces.delete(bob.namespace.id, T + 2);
      const claims: Claim[] = [];
      for (let i = 0; i < 5; i++) claims.push(...(await store.handlings.claim(1, T + 2, 1000)));
      assert.deepEqual(
        claims.map(({ id }) => id),
        [living.id],
      );
      assert.deepEqual(
        (await store.jobs.claim(5, T + 2, 1000)).map(({ kind, subject }) => [kind, subject]),
        [
          ['purge', `mailbox:${bob.mailbox.id}`],
          ['purge', `sender:${bob.namespace.id}`],
        ],
      );
    });

    test('mailboxes take turns: a backlog of one delays another by one message', async () => {
      const other = mailboxOf(alice.namespace, 'other');
      await store.mailboxes.create(other);
      for (let i = 0; i < 50; i++) await send(T);
      const few = [await send(T + 1, { ...alice, mailbox: other }), await send(T + 1, { ...alice, mailbox: other })];
      const order: string[] = [];
      for (let i = 0; i < 5; i++) {
        for (const { id } of await store.handlings.claim(1, T + 2, 1000)) order.push(id);
      }
      const places = few.map(({ id }) => order.indexOf(id));
      assert.ok((places[0] as number) >= 0 && (places[0] as number) <= 1, order.join());
      assert.equal(places[1], (places[0] as number) + 2);
      const many = await store.handlings.claim(20, T + 2, 1000);
      assert.equal(many.length, 20, 'with one mailbox left, all that is asked for is its');
    });

    test('of many mailboxes a claim takes one message each before a second of any', async () => {
      const boxes = Array.from({ length: 6 }, (_, i) => mailboxOf(alice.namespace, `box${i}`));
      for (const box of boxes) await store.mailboxes.create(box);
      for (const box of boxes) for (let i = 0; i < 3; i++) await send(T, { ...alice, mailbox: box });
      const counts = async (max: number): Promise<number[]> => {
        const claims = await store.handlings.claim(max, T, 1000);
        const of = Map.groupBy(claims, ({ subject }) => subject);
        return [...of.values()].map(({ length }) => length).sort((a, b) => a - b);
      };
      assert.deepEqual(await counts(4), [1, 1, 1, 1]);
      assert.deepEqual(await counts(6), [1, 1, 1, 1, 1, 1]);
      assert.deepEqual(await counts(8), [1, 1, 1, 1, 2, 2]);
      assert.deepEqual(await counts(8), []);
    });

    test('a purge goes in bites until nothing is left, and a lost claim bites nothing', async () => {
      await Promise.all(Array.from({ length: 1100 }, () => accept(store, messageOf(alice, bob))));
      await store.mailboxes.delete(bob.mailbox.id, T);
      const claims = await store.jobs.claim(10, T, 1000);
      const claim = claims.find(({ subject }) => subject === `mailbox:${bob.mailbox.id}`) as Claim;
      assert.equal(claim.kind, 'purge');
      assert.equal(await store.jobs.purge({ ...claim, fence: 0 }), 'lost');
      const batches = [];
      for (let i = 0; i < 4; i++) batches.push(await store.jobs.purge(claim));
      assert.deepEqual(batches, ['more', 'more', 'more', 'more']);
      for (let batch = ''; batch !== 'done'; ) batch = await store.jobs.purge(claim);
      assert.equal(await store.jobs.purge(claim), 'lost');
    });

    test('large messages go in smaller bites', async () => {
      const body = 'x'.repeat(500_000);
      for (let i = 0; i < 10; i++) await accept(store, messageOf(alice, bob, { body }));
      await store.namespaces.delete(bob.namespace.id, T);
      const claims = await store.jobs.claim(10, T, 1000);
      const claim = claims.find(({ subject }) => subject === `mailbox:${bob.mailbox.id}`) as Claim;
      const batches = [];
      for (let batch = ''; batch !== 'done'; batches.push(batch)) batch = await store.jobs.purge(claim);
      assert.ok(batches.length > 2 && batches.length <= 10, batches.join());
    });

    test('of a mailbox that was purged its address is left, and nothing that was said of it', async () => {
      const { namespace } = alice;
      const settings = { name: 'Ada' };
      const senders = { allow: ['ada@acme'], block: ['spam'] };
      const rules = { items: [{ id: 'a', if: { subject: ['x'] }, then: { label: ['b'] } }], key_id: 'key_1' };
      const mailbox = mailboxOf(namespace, 'gone', {
        display_name: 'Ada',
        description: 'Her mailbox',
        settings,
        senders,
        rules,
      });
      await store.mailboxes.create(mailbox);
      assert.deepEqual((await store.mailboxes.byId(mailbox.id))?.rules, rules);
      await store.mailboxes.change(mailbox.id, { behavior: 'do', settings: { a: 'b'.repeat(100) } }, T);
      await store.mailboxes.change(mailbox.id, { behavior: 'auth', settings }, T);
      const total = async () => (await store.storage.totals([namespace.id]))[0]?.bytes ?? 0;
      const counted = await total();
      await store.mailboxes.delete(mailbox.id, T + 1);
      assert.equal((await store.mailboxes.keptSettings(mailbox.id)).size, 0);
      await purgeAll(store, T + 1);
      const size = (one: object): number => Buffer.byteLength(JSON.stringify(one));
      const freed = [settings, settings, { a: 'b'.repeat(100) }, senders.allow, senders.block, rules].map(size);
      const sum = freed.reduce((all, one) => all + one);
      assert.equal(await total(), counted - sum, 'kept settings, lists of senders and rules are given back too');
      const { rules: _, ...plain } = mailbox;
      const left = {
        ...plain,
        behavior: 'auth',
        display_name: null,
        description: '',
        settings: {},
        senders: { allow: [], block: [] },
        updated_at: T + 1,
        deleted_at: T + 1,
      };
      assert.deepEqual(await store.mailboxes.byAddress('gone', namespace.name), left);
      const successor = mailboxOf(namespace, 'gone', { description: 'Another' });
      assert.deepEqual(await store.mailboxes.create(successor), { kind: 'created' });
      assert.equal(await purgeAll(store, T + 2), 0);
      assert.deepEqual(await store.mailboxes.byId(successor.id), successor);
    });

    test('of a namespace that was purged its name is left, taken, and nothing else that anyone wrote', async () => {
      const namespace = namespaceOf(freshName(), { display_name: 'Ada' });
      const key = keyOf(namespace, { name: 'first' });
      const before = mailboxOf(namespace, 'before');
      const mailbox = mailboxOf(namespace, 'ada', { display_name: 'Ada', description: 'Hers', settings: { a: 'b' } });
      await store.namespaces.create({ namespace, key, mailboxes: [before, mailbox] });
      await store.keys.create(keyOf(namespace));
      const gone: World = { namespace, key, mailbox };
      await accept(store, messageOf(gone, bob), { idempotency: idempotencyOf(key.id, 'order-1') });
      await accept(store, messageOf(alice, bob), { idempotency: idempotencyOf(alice.key.id, 'order-1') });
      await store.mailboxes.delete(before.id, T);
      await purgeAll(store, T);
      await store.namespaces.delete(namespace.id, T + 1);
      await purgeAll(store, T + 1);
      const left = { ...namespace, display_name: null, deleted_at: T + 1 };
      assert.deepEqual(await store.namespaces.byName(namespace.name), left);
      assert.deepEqual(await store.keys.page({ namespace_id: namespace.id, revoked: true }, null, 10), {
        items: [],
        next: null,
      });
      assert.equal(await store.keys.bySha256(key.sha256), undefined);
      assert.equal(await store.idempotency(key.id, 'order-1', T), undefined);
      assert.notEqual(await store.idempotency(alice.key.id, 'order-1', T), undefined);
      for (const one of [before, mailbox]) {
        assert.equal(await store.mailboxes.byAddress(one.local_part, namespace.name), undefined);
        const { local_part, display_name, description, settings } =
          (await store.mailboxes.byId(one.id)) ?? assert.fail();
        assert.deepEqual([local_part, display_name, description, settings], ['', null, '', {}]);
      }
    });

    test('what a mailbox sent among much else is blanked in bites', async () => {
      const as = {
        sender_kind: 'mailbox',
        sender_id: alice.mailbox.id,
        from: `hello@${alice.namespace.name}`,
      } as const;
      const sent = Array.from({ length: 1200 }, (_, i) => messageOf(alice, bob, i > 0 ? as : {}));
      await Promise.all(
        sent.map((message, i) => accept(store, message, { from_mailbox_id: i > 0 ? alice.mailbox.id : null })),
      );
      await store.mailboxes.delete(alice.mailbox.id, T);
      const claims = await store.jobs.claim(10, T, 1000);
      const claim = claims.find(({ subject }) => subject === `from:${alice.mailbox.id}`) as Claim;
      const batches = [];
      for (let i = 0; i < 3; i++) batches.push(await store.jobs.purge(claim));
      assert.deepEqual(batches, ['more', 'more', 'done']);
      const last = await store.messages.byId(sent[1199]?.id as string);
      assert.deepEqual([last?.from, last?.sender_id, last?.key_id], [null, null, alice.key.id]);
      assert.equal((await store.messages.byId(sent[0]?.id as string))?.sender_id, alice.key.id);
    });
  });
}
