import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Caller } from '../../core/access/caller.ts';
import type { Key, Scope } from '../../core/entities/key.ts';
import type { Idempotency } from '../../core/ports/idempotency.ts';
import { type Home, home, openHouse, settledOf, submission, T, waiting } from './house.ts';

const as = (key: Key): Caller => ({ kind: 'key', key, network: '' });
const owner = (of: Home): Caller => as(of.key);
const idempotencyOf = (key: string, hash = 'same'): Idempotency => ({
  scope: 'namespaces',
  key,
  hash,
  expires_at: T + 86_400_000,
});

describe('a namespace', () => {
  test('made twice at once with one Idempotency-Key is one, with one working secret at the end', async () => {
    await using house = await openHouse();
    const registrations = await Promise.all(
      Array.from({ length: 50 }, () => house.registry.createNamespace({ name: 'Twice' }, idempotencyOf('k'))),
    );
    assert.equal(new Set(registrations.map(({ namespace }) => namespace.id)).size, 1);
    assert.equal(registrations.filter(({ replayed }) => !replayed).length, 1);
    const working = [];
    for (const { secret } of registrations) {
      if (secret !== null && (await house.store.keys.bySha256(sha256(secret))) !== undefined) working.push(secret);
    }
    assert.equal(working.length, 1);
    await house.store.keys.used([{ id: registrations[0]?.key.id as string, at: T }]);
    const late = await house.registry.createNamespace({ name: 'twice' }, idempotencyOf('k'));
    assert.deepEqual([late.secret, late.replayed], [null, true]);
    assert.ok(await house.store.keys.bySha256(sha256(working[0] as string)));
  });

  test('is refused when its name is taken, reserved or was another’s, and the key is free again', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const taken = { name: alice.namespace.name.toUpperCase() };
    await assert.rejects(house.registry.createNamespace(taken, idempotencyOf('k')), { code: 'namespace_taken' });
    await house.registry.deleteNamespace(owner(alice), alice.namespace.name);
    await assert.rejects(house.registry.createNamespace(taken, idempotencyOf('k')), { code: 'namespace_taken' });
    await assert.rejects(house.registry.createNamespace({ name: 'admin' }), { code: 'validation_error' });
    assert.equal((await house.registry.createNamespace({ name: 'free' }, idempotencyOf('k'))).replayed, false);
    await assert.rejects(house.registry.createNamespace({ name: 'other' }, idempotencyOf('k', 'other')), {
      code: 'idempotency_mismatch',
    });
  });

  test('deleted stops its keys and mailboxes at once', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    await house.post.send(submission(bob, alice), waiting());
    await house.registry.deleteNamespace(owner(alice), alice.namespace.name);
    await assert.rejects(house.post.send(submission(alice, bob), waiting()), { code: 'invalid_key' });
    await assert.rejects(house.post.send(submission(bob, alice), waiting()), { code: 'mailbox_gone' });
    await assert.rejects(house.registry.namespace(alice.namespace.name), { code: 'namespace_gone' });
    await assert.rejects(house.registry.mailbox(owner(bob), alice.address), { code: 'mailbox_gone' });
    await assert.rejects(house.registry.mailbox(owner(bob), `nobody@${alice.namespace.name}.mailroom.test`), {
      code: 'namespace_gone',
    });
  });
});

describe('a mailbox', () => {
  test('is changed and removed by its own namespace’s keys with the scope, and by nobody else', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const change = (caller: Caller) => house.registry.changeMailbox(caller, alice.address, { description: 'x' });
    const key = (scopes: Scope[], of = alice) => as({ ...of.key, scopes });
    await assert.rejects(change(owner(bob)), { code: 'access_denied' });
    await assert.rejects(change(key(['mail:send', 'messages:read', 'keys:write'])), { code: 'insufficient_scope' });
    await assert.rejects(change({ kind: 'guest', network: '' }), { code: 'access_denied' });
    await assert.rejects(change(as({ ...alice.key, mailbox_id: 'mbx_other', mailbox: 'other@x' })), {
      code: 'access_denied',
    });
    assert.equal((await change(key(['mailboxes:write']))).description, 'x');
    assert.equal((await change(as({ ...alice.key, mailbox_id: alice.box.id, mailbox: 'x' }))).description, 'x');
    await assert.rejects(house.registry.deleteMailbox(owner(bob), alice.address), { code: 'access_denied' });
  });

  test('for keys only has no try-out, whichever way it comes to that', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const change = (fields: object) => house.registry.changeMailbox(owner(alice), alice.address, fields);
    await assert.rejects(change({ access: 'key', try_out: true }), { code: 'validation_error' });
    const closed = await change({ access: 'key' });
    assert.deepEqual([closed.access, closed.try_out], ['key', false]);
    await assert.rejects(change({ try_out: true }), { code: 'validation_error' });
    const open = await change({ access: 'public' });
    assert.deepEqual([open.access, open.try_out], ['public', false]);
    assert.equal((await change({ try_out: true })).try_out, true);
  });

  test('changed twice at once is as if one change came after the other', async () => {
    await using house = await openHouse();
    for (let i = 0; i < 10; i++) {
      const alice = await home(house);
      const change = (fields: object) => house.registry.changeMailbox(owner(alice), alice.address, fields);
      await Promise.allSettled([change({ access: 'key' }), change({ try_out: true })]);
      const { access, try_out } = await house.registry.mailbox(owner(alice), alice.address);
      assert.ok(access === 'public' || !try_out, `${access} ${String(try_out)}`);
    }
  });

  test('keeps its settings when something else changes, and with another behavior those are kept', async () => {
    await using house = await openHouse({ behaviors: ['script', 'other'] });
    const alice = await home(house, { settings: { a: 1 } });
    const change = (fields: object) => house.registry.changeMailbox(owner(alice), alice.address, fields);
    assert.deepEqual((await change({ description: 'x' })).settings, { a: 1 });
    assert.deepEqual((await change({ behavior: { name: 'script' } })).settings, { a: 1 });
    assert.deepEqual((await change({ behavior: { settings: { b: 2 } } })).settings, { b: 2 });
    assert.deepEqual((await change({ behavior: { name: 'other' } })).settings, {});
    assert.deepEqual((await change({ behavior: { name: 'script' } })).settings, { b: 2 });
    assert.deepEqual((await change({ behavior: { name: 'other', settings: { c: 3 } } })).settings, { c: 3 });
    assert.deepEqual((await change({ behavior: { name: 'script', settings: { d: 4 } } })).settings, { d: 4 });
    assert.deepEqual((await change({ behavior: { name: 'other' } })).settings, { c: 3 });
    await assert.rejects(change({ behavior: { name: 'none' } }), { code: 'validation_error' });
  });

  test('has the description of its behavior until its owner writes one', async () => {
    await using house = await openHouse({ behaviors: ['script', 'other'] });
    const alice = await home(house, { description: 'script' });
    const change = async (fields: object) =>
      (await house.registry.changeMailbox(owner(alice), alice.address, fields)).description;
    assert.equal(await change({ behavior: { name: 'other' } }), 'other');
    assert.equal(await change({ behavior: { settings: { a: 1 } } }), 'other');
    assert.equal(await change({ behavior: { name: 'script' }, description: 'other' }), 'script');
    assert.equal(await change({ behavior: { name: 'other' }, description: 'Mine' }), 'Mine');
    assert.equal(await change({ behavior: { name: 'script' } }), 'Mine');
  });

  test('counts what is kept of each behavior once, however often it changes', async () => {
    await using house = await openHouse({ behaviors: ['script', 'other'] });
    const alice = await home(house, { settings: { a: 'x'.repeat(1000) } });
    const total = async () => {
      await house.storage.flush();
      return (await house.store.storage.totals([alice.namespace.id]))[0]?.bytes ?? 0;
    };
    const put = (behavior: object) => house.registry.changeMailbox(owner(alice), alice.address, { behavior });
    const totalBefore = await total();
    const added: number[] = [];
    for (const behavior of [
      { name: 'other', settings: { b: 'x'.repeat(500) } },
      { name: 'script' },
      { name: 'other' },
      { name: 'script', settings: { a: 'x'.repeat(2000) } },
      { settings: {} },
      { name: 'other', settings: {} },
    ]) {
      await put(behavior);
      added.push((await total()) - totalBefore);
    }
    // As JSON: 1,008 bytes of "a" were there; of "b" 508 come; then "a" has 2,008, and at last both have none.
    assert.deepEqual(added, [508, 508, 508, 1508, 508 - 1006, -1006]);
  });

  test('made twice at once at one address is made once', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const wanted = { local_part: 'New', behavior: { name: 'script' } };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => house.registry.createMailbox(owner(alice), alice.namespace.name, wanted)),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of results) {
      if (one.status === 'rejected') assert.equal((one.reason as { code: string }).code, 'mailbox_taken');
    }
  });

  test('deleted while a message is handled: nothing is written, the sender’s wait ends', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    house.handle = async () => {
      await house.registry.deleteMailbox(owner(bob), bob.address);
      return { kind: 'reply', body: 'Nobody reads this.' };
    };
    await assert.rejects(house.post.send(submission(alice, bob), waiting()), { code: 'mailbox_gone' });
  });
});

describe('a key', () => {
  test('makes no key that can do more than itself', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const maker = (fields: Partial<Key>): Key => ({ ...alice.key, scopes: ['keys:write', 'mail:send'], ...fields });
    const make = (key: Key, wanted: object) => house.keys.create(key, { scopes: ['mail:send'], ...wanted });
    const refused = { code: 'insufficient_scope' };
    for (const scope of ['owner', 'messages:read', 'mailboxes:write', 'auth:assert'] as const) {
      await assert.rejects(make(maker({}), { scopes: ['mail:send', scope] }), refused);
    }
    const bound = maker({ mailbox_id: alice.box.id, mailbox: `box@${alice.namespace.name}` });
    await assert.rejects(make(bound, {}), refused);
    assert.equal((await make(bound, { mailbox: alice.address })).key.mailbox_id, alice.box.id);
    const other = await house.registry.createMailbox(owner(alice), alice.namespace.name, {
      local_part: 'other',
      behavior: { name: 'script' },
    });
    const elsewhere = `${other.mailbox.local_part}@${alice.namespace.name}.mailroom.test`;
    await assert.rejects(make(bound, { mailbox: elsewhere }), refused);
    const short = maker({ expires_at: T + 1000 });
    assert.equal((await make(short, {})).key.expires_at, T + 1000);
    await assert.rejects(make(short, { expires_at: new Date(T + 1001).toISOString() }), refused);
    assert.equal((await make(short, { expires_at: new Date(T + 500).toISOString() })).key.expires_at, T + 500);
    await assert.rejects(make(maker({}), { expires_at: new Date(T).toISOString() }), { code: 'validation_error' });
  });

  test('is bound to no mailbox of another namespace, and to none that is gone', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const make = (mailbox: string) => house.keys.create(alice.key, { scopes: ['mail:send'], mailbox });
    await assert.rejects(make(bob.address), { code: 'validation_error' });
    await assert.rejects(make('no address'), { code: 'validation_error' });
    await house.registry.deleteMailbox(owner(alice), alice.address);
    await assert.rejects(make(alice.address), { code: 'validation_error' });
  });

  test('is revoked within its namespace only, an owner’s by an owner only, and once', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const { key } = await house.keys.create(alice.key, { scopes: ['keys:write'] });
    await assert.rejects(house.keys.revoke(bob.key, key.id), { code: 'not_found' });
    await assert.rejects(house.keys.revoke(key, alice.key.id), { code: 'insufficient_scope' });
    await house.keys.revoke(alice.key, key.id);
    await assert.rejects(house.keys.revoke(alice.key, key.id), { code: 'not_found' });
    await assert.rejects(house.keys.revoke(alice.key, 'key_none'), { code: 'not_found' });
  });

  test('revoked between look-up and write answers nothing that was sent with it', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { key } = await house.keys.create(alice.key, { scopes: ['mail:send'] });
    house.handle = async () => {
      await house.keys.revoke(alice.key, key.id);
      return { kind: 'reply', body: 'x' };
    };
    const sender = { ...submission(alice, alice).sender, id: key.id, key_id: key.id };
    await assert.rejects(house.post.send(submission(alice, alice, { sender }), waiting()), { code: 'invalid_key' });
  });

  test('revoked while its message waits does not stop the message', async () => {
    await using house = await openHouse();
    const alice = await home(house, { status: 'paused' });
    const { key } = await house.keys.create(alice.key, { scopes: ['mail:send'] });
    const sender = { ...submission(alice, alice).sender, id: key.id, key_id: key.id };
    const { message } = await house.post.send(submission(alice, alice, { sender }));
    await house.keys.revoke(alice.key, key.id);
    await house.registry.changeMailbox(owner(alice), alice.address, { status: 'online' });
    assert.equal((await settledOf(house, message.id)).status, 'completed');
  });
});
