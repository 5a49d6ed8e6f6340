import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import {
  acceptingAfter,
  asMailbox,
  held,
  home,
  openHouse,
  reply,
  settledOf,
  submission,
  T,
  until,
  waiting,
} from './house.ts';

describe('whom a message reaches', () => {
  test('a mailbox for keys only is found by its own namespace and by nobody else', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house, { access: 'key', try_out: false }), await home(house)];
    assert.equal((await house.post.send(submission(alice, alice), waiting())).message.status, 'completed');
    await assert.rejects(house.post.send(submission(bob, alice), waiting()), { code: 'mailbox_not_found' });
    const guest = { kind: 'guest', id: null, namespace_id: null, key_id: null, from: null } as const;
    const tried = submission(alice, alice, { sender: guest, try_out: true });
    await assert.rejects(house.post.send(tried, waiting()), { code: 'mailbox_not_found' });
    await house.registry.deleteMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address);
    await assert.rejects(house.post.send(submission(bob, alice), waiting()), { code: 'mailbox_not_found' });
    await assert.rejects(house.post.send(submission(alice, alice), waiting()), { code: 'mailbox_gone' });
  });

  test('a mailbox without a try-out refuses guests and takes keys', async () => {
    await using house = await openHouse();
    const alice = await home(house, { try_out: false });
    const guest = { kind: 'guest', id: null, namespace_id: null, key_id: null, from: null } as const;
    const tried = submission(alice, alice, { sender: guest, try_out: true });
    await assert.rejects(house.post.send(tried, waiting()), { code: 'access_denied' });
    assert.equal((await house.post.send(submission(alice, alice), waiting())).message.status, 'completed');
  });

  test('an address that is not there, and one in a namespace that is gone', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const to = (local: string, namespace: string) => submission(alice, alice, { to: { local, namespace, tag: null } });
    await assert.rejects(house.post.send(to('nobody', alice.namespace.name)), { code: 'mailbox_not_found' });
    await assert.rejects(house.post.send(to('box', 'nowhere')), { code: 'mailbox_not_found' });
    const bob = await home(house);
    await house.registry.deleteNamespace({ kind: 'key', key: bob.key, network: '' }, bob.namespace.name);
    await assert.rejects(house.post.send(submission(alice, bob)), { code: 'mailbox_gone' });
    await assert.rejects(house.post.send(to('nobody', bob.namespace.name)), { code: 'namespace_gone' });
  });

  for (const wait of [undefined, waiting()]) {
    const how = wait === undefined ? 'async' : 'sync';
    test(`a mailbox deleted between look-up and write: mailbox_gone, ${how}`, async () => {
      let before: () => Promise<unknown> | undefined = () => undefined;
      await using house = await openHouse({ wrap: acceptingAfter(() => before()) });
      const alice = await home(house);
      before = () => house.store.mailboxes.delete(alice.box.id, T);
      await assert.rejects(house.post.send(submission(alice, alice), wait), { code: 'mailbox_gone' });
      // The deletion's own job may be running and ends, whereas a slot kept for the message would not be released.
      for (let i = 0; i < 200 && house.dispatch.running > 0; i++) await house.store.probe();
      assert.equal(house.dispatch.running, 0);
    });

    test(`a namespace deleted between look-up and write: refused, ${how}`, async () => {
      let interrupt: () => Promise<unknown> | undefined = () => undefined;
      await using house = await openHouse({ wrap: acceptingAfter(() => interrupt()) });
      const [alice, bob] = [await home(house), await home(house)];
      interrupt = () => house.store.namespaces.delete(bob.namespace.id, T);
      await assert.rejects(house.post.send(submission(alice, bob), wait), { code: 'mailbox_gone' });
      interrupt = () => house.store.namespaces.delete(alice.namespace.id, T);
      await assert.rejects(house.post.send(submission(alice, await home(house)), wait), { code: 'invalid_key' });
    });

    test(`a key revoked between look-up and write: invalid_key, ${how}`, async () => {
      let before: () => Promise<unknown> | undefined = () => undefined;
      await using house = await openHouse({ wrap: acceptingAfter(() => before()) });
      const alice = await home(house);
      before = () => house.store.keys.revoke(alice.key.id, alice.namespace.id, T);
      await assert.rejects(house.post.send(submission(alice, alice), wait), { code: 'invalid_key' });
      const { items } = await house.store.messages.page({ mailbox_id: alice.box.id }, null, 10);
      assert.deepEqual(items, []);
    });

    test(`a key that expires before the message is made: invalid_key, ${how}`, async () => {
      await using house = await openHouse();
      const alice = await home(house, {}, { expires_at: T + 10 });
      await house.post.send(submission(alice, alice), wait);
      house.clock.pass(10);
      await assert.rejects(house.post.send(submission(alice, alice), wait), { code: 'invalid_key' });
    });

    test(`the mailbox it writes as deleted between look-up and write: sender_not_allowed, ${how}`, async () => {
      let before: () => Promise<unknown> | undefined = () => undefined;
      await using house = await openHouse({ wrap: acceptingAfter(() => before()) });
      const [alice, bob] = [await home(house), await home(house)];
      before = () => house.store.mailboxes.delete(alice.box.id, T);
      await assert.rejects(house.post.send(submission(alice, bob, asMailbox(alice)), wait), {
        code: 'sender_not_allowed',
      });
    });

    test(`a behavior that this build does not have: rejected, behavior_unavailable, ${how}`, async () => {
      await using house = await openHouse();
      const alice = await home(house, { behavior: 'do' });
      const { message } = await house.post.send(submission(alice, alice), wait);
      const settled = await settledOf(house, message.id);
      assert.deepEqual([settled.status, settled.error_code], ['rejected', 'behavior_unavailable']);
      assert.equal(settled.reply, null);
      assert.equal(house.handled, 0);
    });
  }

  test('a run that turned slow is stopped when its message is refused after all', async () => {
    let interrupt: () => Promise<unknown> | undefined = () => undefined;
    await using house = await openHouse({ wrap: acceptingAfter(() => interrupt()) });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    interrupt = () => house.store.mailboxes.delete(alice.box.id, T);
    await assert.rejects(house.post.send(submission(alice, alice), waiting()), { code: 'mailbox_gone' });
    assert.ok(slow.signal().aborted);
    // The purge of the mailbox may be running.
    await until(() => house.dispatch.running === 0);
    slow.release();
  });
});

describe('a full mailbox', () => {
  test('takes exactly as many as may wait, then says mailbox_full, and takes the next when one settled', async () => {
    await using house = await openHouse({ max_waiting: 3 });
    const alice = await home(house, { status: 'paused' });
    const sent = await Promise.allSettled(Array.from({ length: 5 }, () => house.post.send(submission(alice, alice))));
    assert.deepEqual(
      sent.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    await assert.rejects(
      house.post.send(submission(alice, alice), waiting()),
      (error: { code: string; retry_after_ms: number }) => {
        assert.equal(error.code, 'mailbox_full');
        assert.ok(error.retry_after_ms > 0);
        return true;
      },
    );
    const first = sent[0]?.status === 'fulfilled' ? sent[0].value.message : assert.fail();
    await house.post.cancel(first);
    await house.post.send(submission(alice, alice));
    await assert.rejects(house.post.send(submission(alice, alice)), { code: 'mailbox_full' });
  });

  test('still answers what it can answer at once', async () => {
    await using house = await openHouse({ max_waiting: 1 });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    house.handle = () => reply('At once.');
    assert.equal((await house.post.send(submission(alice, alice), waiting())).message.reply?.body, 'At once.');
    await assert.rejects(house.post.send(submission(alice, alice)), { code: 'mailbox_full' });
    slow.release();
    await settledOf(house, message.id);
  });

  test('does not fill up with what settled', async () => {
    await using house = await openHouse({ max_waiting: 2 });
    const alice = await home(house);
    for (let i = 0; i < 20; i++) {
      const { message } = await house.post.send(submission(alice, alice));
      await settledOf(house, message.id);
    }
    assert.equal(house.handled, 20);
  });
});

describe('a paused mailbox', () => {
  for (const status of ['paused', 'offline'] as const) {
    test(`${status}: the message is held at once, and answered in order when it is resumed`, async () => {
      await using house = await openHouse({ dispatch: { max: 1 } });
      const alice = await home(house, { status });
      const order: string[] = [];
      house.handle = ({ body }) => {
        order.push(body);
        return reply(body);
      };
      const ids: string[] = [];
      for (const body of ['a', 'b', 'c', 'd']) {
        house.clock.pass(1);
        const { message } = await house.post.send(submission(alice, alice, { body }), waiting());
        assert.equal(message.status, 'submitted');
        ids.push(message.id);
      }
      assert.equal(await house.store.handlings.nextDue(), undefined);
      await house.registry.changeMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address, {
        status: 'online',
      });
      for (const id of ids) assert.equal((await settledOf(house, id)).status, 'completed');
      assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    });
  }

  test('paused between look-up and write: held at once, not handled until it is resumed, and handled then', async () => {
    let interrupt: () => Promise<unknown> | undefined = () => undefined;
    await using house = await openHouse({ wrap: acceptingAfter(() => interrupt()) });
    const alice = await home(house);
    interrupt = () => house.store.mailboxes.change(alice.box.id, { status: 'paused' }, T);
    const { message } = await house.post.send(submission(alice, alice));
    assert.equal(message.status, 'submitted');
    assert.equal(house.handled, 0);
    assert.equal(house.dispatch.running, 0);
    interrupt = () => undefined;
    await house.registry.changeMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address, {
      status: 'online',
    });
    assert.equal((await settledOf(house, message.id)).status, 'completed');
    assert.equal(house.handled, 1);
  });

  test('paused while a slow run is being written: held at once, the run is stopped, and handled anew when resumed', async () => {
    let interrupt: () => Promise<unknown> | undefined = () => undefined;
    await using house = await openHouse({ wrap: acceptingAfter(() => interrupt()) });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    interrupt = () => house.store.mailboxes.change(alice.box.id, { status: 'paused' }, T);
    const began = performance.now();
    const { message } = await house.post.send(submission(alice, alice), waiting(10_000));
    await assertSoon(performance.now() - began, 5_000, 'what does not wait for what is held');
    assert.equal(message.status, 'submitted');
    assert.ok(slow.signal().aborted);
    assert.equal(house.dispatch.running, 0);
    slow.release(reply('Nobody wants this.'));
    interrupt = () => undefined;
    house.handle = () => reply('Resumed.');
    await house.registry.changeMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address, {
      status: 'online',
    });
    assert.equal((await settledOf(house, message.id)).reply?.body, 'Resumed.');
  });
});
