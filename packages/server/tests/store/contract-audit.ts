import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sha256 } from '@mailroom/behavior/values/hash';
import { newId } from '@mailroom/behavior/values/ids';
import { AUDIT_GENESIS, type AuditEntry, auditText, hashedText } from '../../core/entities/audit.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { inAuditScope } from '../../core/ports/audit-scope.ts';
import type { Store } from '../../core/ports/store.ts';
import { unsaid } from '../../store/audit/shown.ts';
import { webhookOf } from './contract-webhooks.ts';
import { keyOf, T, type World, world } from './made.ts';

const ORIGIN = { channel: 'api', network: '192.0.2.1' } as const;

/** Throws unless each entry follows the one before it, from the first one on. */
export function assertChain(chain: readonly AuditEntry[], first = AUDIT_GENESIS): void {
  let previous = first;
  for (const [index, entry] of chain.entries()) {
    assert.equal(entry.number, (chain[0]?.number ?? 1) + index);
    assert.equal(entry.previous_hash, previous);
    assert.equal(entry.hash, sha256(auditText(entry).join(previous)));
    previous = entry.hash;
  }
}

/** The audit log: its chain, and that changes and entries are written together. */
export function auditContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: the audit log`, () => {
    let store: Store;
    let alice: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const chain = (size = 1_000) => store.audit.chain(alice.namespace.id, 0, Number.MAX_SAFE_INTEGER, size);
    const newest = async () => (await store.audit.page({ namespace_id: alice.namespace.id }, null, 1)).items[0];
    const asAlice = <R>(act: () => Promise<R>) => inAuditScope({ origin: ORIGIN, key: alice.key }, act);

    test('an entry says who changed what, from where, and only the fields that changed', async () => {
      await asAlice(() => store.mailboxes.change(alice.mailbox.id, { description: 'Sales', wake: 'mention' }, T));
      const entry = await newest();
      assert.equal(entry?.action, 'mailbox.updated');
      assert.deepEqual(entry?.actor, { kind: 'key', id: alice.key.id, name: alice.key.name });
      assert.deepEqual(entry?.origin, ORIGIN);
      const { id, local_part, namespace } = alice.mailbox;
      assert.deepEqual(entry?.target, { kind: 'mailbox', id, name: `${local_part}@${namespace}` });
      assert.equal(entry?.before?.wake, alice.mailbox.wake);
      assert.deepEqual(entry?.after, { description: unsaid('Sales'), wake: 'mention' });
    });

    test('of settings only the names that changed are shown, and no secret', async () => {
      const change = (settings: Mailbox['settings']) => store.mailboxes.change(alice.mailbox.id, { settings }, T);
      await change({ tone: 'brief', servers: [{ url: 'https://mcp.example/?k=swordfish', token: 'swordfish' }] });
      await change({ tone: 'warm', servers: [{ url: 'https://mcp.example/?k=swordfish', token: 'hunter' }], limit: 3 });
      assert.deepEqual((await newest())?.after, { settings: { tone: unsaid('warm'), limit: 3 } });
      const text = JSON.stringify(await chain());
      for (const secret of ['swordfish', 'hunter']) assert.ok(!text.includes(secret), secret);
    });

    test('a change of a secret alone has an entry without it', async () => {
      const webhook = webhookOf(alice);
      await store.webhooks.create(webhook, 10);
      await store.webhooks.rotate(webhook.id, webhook.secret, { secret: 'whsec_next', previous_secrets: [] }, T);
      const entry = await newest();
      assert.equal(entry?.action, 'webhook.rotated');
      assert.deepEqual([entry?.before, entry?.after], [null, null]);
      assert.ok(!JSON.stringify(await chain()).includes('whsec_'));
    });

    test('what changes nothing has no entry: an idempotent repetition, a revoked key, a full namespace', async () => {
      const length = (await chain()).length;
      const key = keyOf(alice.namespace);
      const once = { scope: 'a', key: 'k', hash: 'h', expires_at: T + 1e6 };
      await store.keys.create(key, once);
      assert.equal((await chain()).length, length + 1);
      await store.keys.create(keyOf(alice.namespace), once);
      assert.equal((await store.keys.create(keyOf(alice.namespace), undefined, 0)).kind, 'full');
      await store.keys.revoke(key.id, alice.namespace.id, T);
      await store.keys.revoke(key.id, alice.namespace.id, T);
      await store.keys.revoke(newId('key', T), alice.namespace.id, T);
      assert.equal((await chain()).length, length + 2);
    });

    test('concurrent changes of two namespaces make two whole chains, each change with its entry', async () => {
      const bob = await world(store);
      const first = (await chain()).length;
      const rounds = Array.from({ length: 40 }, (_, round) => round);
      await Promise.all(
        rounds.flatMap((round) =>
          [alice, bob].map(({ namespace }) => store.keys.create(keyOf(namespace, { name: `key ${round}` }))),
        ),
      );
      for (const { namespace } of [alice, bob]) {
        const entries = await store.audit.chain(namespace.id, 0, Number.MAX_SAFE_INTEGER, 1_000);
        assertChain(entries);
        assert.equal(entries.length, first + rounds.length);
        const head = await store.audit.head(namespace.id);
        assert.deepEqual(head, { number: entries.length, hash: entries.at(-1)?.hash });
      }
    });

    test('a write that fails leaves neither its change nor an entry, and the chain goes on', async () => {
      const length = (await chain()).length;
      const key = keyOf(alice.namespace);
      await store.keys.create(key);
      await assert.rejects(store.keys.create(key));
      await store.keys.create(keyOf(alice.namespace));
      assertChain(await chain());
      assert.equal((await chain()).length, length + 2);
    });

    test('work that goes on after its request is done is the service’s own', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let late: Promise<unknown> = Promise.resolve();
      await asAlice(async () => {
        late = promise.then(() => store.keys.create(keyOf(alice.namespace)));
      });
      resolve();
      await late;
      assert.equal((await newest())?.actor.kind, 'service');
    });

    test('pages are newest first, by action and by actor', async () => {
      for (let count = 0; count < 5; count++) await asAlice(() => store.keys.create(keyOf(alice.namespace)));
      await asAlice(() => store.mailboxes.change(alice.mailbox.id, { description: 'x' }, T));
      const query = { namespace_id: alice.namespace.id, action: 'key.created', actor: alice.key.id };
      const first = await store.audit.page(query, null, 3);
      const second = await store.audit.page(query, first.next, 3);
      const numbers = [...first.items, ...second.items].map(({ number }) => number);
      assert.equal(numbers.length, 5);
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => b - a),
      );
      assert.equal(second.next, null);
    });

    test('the oldest entries are removed, and what is left continues their chain', async () => {
      for (let count = 0; count < 5; count++) await store.keys.create(keyOf(alice.namespace));
      const all = await chain();
      assert.equal(await store.audit.retire(0, 100), 0);
      assert.equal(await store.audit.retire(Number.MAX_SAFE_INTEGER, 3), 3);
      const left = await chain();
      assert.deepEqual(left, all.slice(3));
      assertChain(left, all[2]?.hash);
      while ((await store.audit.retire(Number.MAX_SAFE_INTEGER, 3)) > 0);
      await store.keys.create(keyOf(alice.namespace));
      const [entry] = await chain();
      assert.equal(entry?.previous_hash, all.at(-1)?.hash);
      assert.equal(entry?.number, all.length + 1);
    });

    test('the address of a person is in the log while their account is, and by its hash in the chain', async () => {
      const account = { id: newId('acc', T), address: `ada-${newId('acc', T)}@example.com`, created_at: T };
      await store.accounts.getOrPut(account);
      const actor = { kind: 'member', id: account.id, name: null } as const;
      const target = { kind: 'account', id: account.id, name: null };
      await inAuditScope({ origin: ORIGIN, actor }, () =>
        store.audit.add({ namespace_id: alice.namespace.id, action: 'messages.exported', target }),
      );
      const named = await newest();
      assert.deepEqual([named?.actor.name, named?.target.name], [account.address, account.address]);
      const length = (await chain()).length;
      await store.accounts.remove(account.id);
      const gone = (await chain())[length - 1];
      const hashed = hashedText(account.address);
      assert.deepEqual([gone?.actor.name, gone?.target.name, gone?.hash], [hashed, hashed, named?.hash]);
      assert.ok(!JSON.stringify(await chain()).includes(account.address));
      assertChain(await chain());
    });

    test('a read is added by itself', async () => {
      const target = { kind: 'message', id: newId('msg', T), name: null };
      await asAlice(() => store.audit.add({ namespace_id: alice.namespace.id, action: 'raw_mail.read', target }));
      const entry = await newest();
      assert.deepEqual([entry?.action, entry?.target, entry?.actor.id], ['raw_mail.read', target, alice.key.id]);
      assertChain(await chain());
    });
  });
}
