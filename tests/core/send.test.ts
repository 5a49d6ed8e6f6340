import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSettled } from '../../src/core/entities/message.ts';
import { newId, replyIdOf, threadOf } from '../../src/core/values/ids.ts';
import { assertSoon } from '../harness/soon.ts';
import {
  acceptingAfter,
  asMailbox,
  commitsOf,
  held,
  home,
  newFile,
  openFile,
  openHouse,
  reply,
  settledOf,
  submission,
  T,
  TestClock,
  until,
  waiting,
} from './house.ts';

describe('an exchange that is answered at once', () => {
  test('is one durable write, message and reply together', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const commits = await commitsOf(async () => {
      const { message, replayed } = await house.post.send(submission(alice, alice), waiting());
      assert.equal(message.status, 'completed');
      assert.equal(message.reply_body, 'Hello!');
      assert.equal(replayed, false);
      assert.deepEqual(await house.store.messages.byId(message.id), message);
    });
    assert.deepEqual(commits, [1]);
    assert.equal(await house.store.jobs.depth(), 0);
  });

  test('is one write too when the behavior needs a moment, and when it asks back, rejects or fails', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const outcomes = [
      { kind: 'input_required', body: 'Which one?', data: { choices: [1, 2] } },
      { kind: 'reject', detail: 'Not this.' },
      { kind: 'fail', detail: 'Broken.' },
    ] as const;
    const settled = [
      ['input_required', null, null, 'Which one?', '{"choices":[1,2]}'],
      ['rejected', 'rejected', 'Not this.', null, null],
      ['failed', 'behavior_failed', 'Broken.', null, null],
    ];
    for (const [at, outcome] of outcomes.entries()) {
      house.handle = () => Promise.resolve(outcome);
      const commits = await commitsOf(async () => {
        const { message: m } = await house.post.send(submission(alice, alice), waiting());
        assert.deepEqual([m.status, m.error_code, m.error_message, m.reply_body, m.reply_data], settled[at]);
        assert.equal(m.settled_at, T);
      });
      assert.deepEqual(commits, [1]);
    }
  });

  test('does not keep its behavior waiting for a timer or a signal it did not ask for', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await house.post.send(submission(alice, alice), waiting());
    assert.equal(timers(), before);
  });
});

describe('a run that takes longer than 100 ms', () => {
  test('is durable before it goes on, is seen working by others, and settles once', async () => {
    const [file, clock] = [newFile(), new TestClock()];
    await using store = await openFile(file, clock);
    await using reader = await openFile(file, clock, { alongside: true });
    await using house = await openHouse({ store, clock });
    const alice = await home(house);
    const slow = held(reply('Done.'));
    house.handle = slow.handle;
    const sent = house.post.send(submission(alice, alice), waiting());
    const { id } = await slow.begun;
    assert.equal(await reader.messages.byId(id), undefined);
    await until(() => reader.messages.byId(id));
    assert.equal((await reader.messages.byId(id))?.status, 'working');
    slow.release();
    const { message } = await sent;
    assert.equal(message.status, 'completed');
    assert.deepEqual({ ...(await house.store.messages.byId(id)) }, { ...message });
    assert.equal(house.handled, 1);
    assert.equal(house.dispatch.running, 0);
    assert.equal(await house.store.jobs.depth(), 0);
  });

  test('outlives the wait of its sender: the wait ends with how it stands, the reply still comes', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held(reply('Late.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice), waiting(1));
    assert.equal(message.status, 'working');
    assert.equal(message.reply_body, null);
    slow.release();
    assert.equal((await settledOf(house, message.id)).reply_body, 'Late.');
    assert.equal(house.handled, 1);
  });

  test('goes on when its sender goes away', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held(reply('To nobody.'));
    house.handle = slow.handle;
    const gone = new AbortController();
    const sent = house.post.send(submission(alice, alice), waiting(20_000, gone.signal));
    const { id } = await slow.begun;
    gone.abort();
    const { message } = await sent;
    assert.equal(message.id, id);
    assert.ok(!isSettled(message.status));
    slow.release();
    assert.equal((await settledOf(house, id)).reply_body, 'To nobody.');
    assert.equal(house.bus.size, 0);
  });

  test('of a sender that was gone before it began is handled all the same', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { message } = await house.post.send(submission(alice, alice), waiting(20_000, AbortSignal.abort()));
    assert.equal(message.status, 'completed');
  });
});

describe('a message nobody waits for', () => {
  test('is durable as submitted before its id is told, then handled', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    assert.equal(message.status, 'submitted');
    assert.equal((await house.store.messages.byId(message.id))?.body, 'Hello?');
    slow.release();
    assert.equal((await settledOf(house, message.id)).status, 'completed');
  });

  test('is handed to its behavior as it was written, with the tag of its address', async () => {
    await using house = await openHouse();
    const alice = await home(house, { settings: { tone: 'kind' } });
    const got: unknown[] = [];
    house.handle = (message, { settings, mailbox, sender, signal, clock }) => {
      got.push(message, settings, mailbox.id, sender, signal.aborted, clock());
      return reply('');
    };
    const { message } = await house.post.send(
      submission(alice, alice, {
        to: { local: 'box', namespace: alice.namespace.name, tag: 'en' },
        subject: 'S',
        data: '{"a":[1]}',
      }),
    );
    await settledOf(house, message.id);
    const { id, thread_id, created_at } = message;
    assert.deepEqual(got, [
      {
        id,
        thread_id,
        in_reply_to: null,
        retry_of: null,
        subject: 'S',
        body: 'Hello?',
        data: { a: [1] },
        tag: 'en',
        created_at,
        hops: 0,
        channel: 'api',
      },
      { tone: 'kind' },
      alice.box.id,
      submission(alice, alice).sender,
      false,
      T,
    ]);
    assert.equal(message.to, `box+en@${alice.namespace.name}`);
  });
});

describe('waiting for a settlement', () => {
  test('ends at once for a settled message and for one that is not there', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { message } = await house.post.send(submission(alice, alice), waiting());
    assert.deepEqual(await house.post.settled(message.id, waiting()), message);
    assert.equal(await house.post.settled(newId('msg', T), waiting()), undefined);
    assert.equal(house.bus.size, 0);
  });

  test('wakes each of many, and misses no settlement between look and listen', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held(reply('For all.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    const waits = Array.from({ length: 50 }, () => house.post.settled(message.id, waiting()));
    slow.release();
    for (const settled of await Promise.all(waits)) assert.equal(settled?.reply_body, 'For all.');
    assert.equal(house.bus.size, 0);
  });

  test('without time, or for one who is gone, tells how it stands', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    assert.equal((await house.post.settled(message.id, undefined))?.status, 'working');
    assert.equal((await house.post.settled(message.id, waiting(0)))?.status, 'working');
    assert.equal((await house.post.settled(message.id, waiting(1)))?.status, 'working');
    assert.equal((await house.post.settled(message.id, waiting(20_000, AbortSignal.abort())))?.status, 'working');
    assert.equal(house.bus.size, 0);
    slow.release();
    await settledOf(house, message.id);
  });

  test('leaves nobody waiting when the store cannot be read', async () => {
    let broken = false;
    await using house = await openHouse({
      wrap: (store) => ({
        ...store,
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
        messages: {
          ...store.messages,
          byId: async (id) => {
            if (broken) throw new Error('The disk is gone');
            return store.messages.byId(id);
          },
        },
      }),
    });
    broken = true;
    await assert.rejects(house.post.settled(newId('msg', T), waiting()), /disk/);
    assert.equal(house.bus.size, 0);
  });
});

describe('loops', () => {
  test('seven messages may cause one another; the eighth is refused and leaves nothing behind', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { message } = await house.post.send(submission(alice, alice, { hops: 7 }), waiting());
    assert.equal(message.status, 'completed');
    assert.equal(message.hops, 7);
    for (const hops of [8, 9]) {
      for (const wait of [undefined, waiting()]) {
        await assert.rejects(house.post.send(submission(alice, alice, { hops }), wait), { code: 'loop_detected' });
      }
    }
    assert.equal(house.handled, 1);
    const { items } = await house.store.messages.page({ mailbox_id: alice.box.id }, null, 10);
    assert.equal(items.length, 1);
  });
});

describe('threads', () => {
  test('a thread goes on by its id, by its message and by the reply', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { message: first } = await house.post.send(submission(alice, alice), waiting());
    const ways = [
      { thread_id: first.thread_id },
      { in_reply_to: first.id },
      { in_reply_to: replyIdOf(first.id) },
      { in_reply_to: replyIdOf(first.id), thread_id: first.thread_id },
    ];
    for (const way of ways) {
      const { message } = await house.post.send(submission(alice, alice, way), waiting());
      assert.equal(message.thread_id, first.thread_id);
      assert.equal(message.in_reply_to, way.in_reply_to ?? null);
    }
    const { items } = await house.store.messages.thread(first.thread_id, null, 10);
    assert.equal(items.length, 5);
    // A reply to a later message is in the same thread.
    const later = items.at(-1)?.id as string;
    const { message } = await house.post.send(submission(alice, alice, { in_reply_to: later }), waiting());
    assert.equal(message.thread_id, first.thread_id);
  });

  test('another sender’s thread, another mailbox’s, one that is not there: refused at /thread_id', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const { message: first } = await house.post.send(submission(alice, alice), waiting());
    const { thread_id } = first;
    const errors = [{ pointer: '/thread_id', message: undefined }];
    const wrong = [
      submission(bob, alice, { thread_id }),
      submission(alice, bob, { thread_id }),
      submission(alice, alice, { ...asMailbox(alice), thread_id }),
      submission(alice, alice, { thread_id: threadOf(newId('msg', T)) }),
      submission(alice, alice, { thread_id: first.id }),
      submission(alice, alice, { thread_id: '' }),
      submission(alice, alice, { thread_id: "thr_' or 1=1 --" }),
    ];
    for (const [at, one] of wrong.entries()) {
      await assert.rejects(house.post.send(one, waiting()), (error: { code: string; errors: typeof errors }) => {
        assert.equal(error.code, 'validation_error');
        assert.equal(error.errors[0]?.pointer, '/thread_id', String(at));
        return true;
      });
    }
    assert.equal(house.handled, 1);
  });

  test('an in_reply_to that is not of that sender, mailbox and thread is refused at /in_reply_to', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const { message: mine } = await house.post.send(submission(alice, alice), waiting());
    const { message: other } = await house.post.send(submission(alice, alice), waiting());
    house.handle = () => ({ kind: 'reject', detail: 'No.' });
    const { message: unanswered } = await house.post.send(submission(alice, alice), waiting());
    const wrong = [
      submission(bob, alice, { in_reply_to: mine.id }),
      submission(alice, bob, { in_reply_to: mine.id }),
      submission(alice, alice, { in_reply_to: mine.id, thread_id: other.thread_id }),
      submission(alice, alice, { in_reply_to: newId('msg', T) }),
      submission(alice, alice, { in_reply_to: replyIdOf(unanswered.id) }),
      submission(alice, alice, { in_reply_to: mine.thread_id }),
      submission(alice, alice, { in_reply_to: '' }),
    ];
    for (const [at, one] of wrong.entries()) {
      await assert.rejects(house.post.send(one, waiting()), (error: { errors: { pointer: string }[] }) => {
        assert.equal(error.errors[0]?.pointer, '/in_reply_to', String(at));
        return true;
      });
    }
  });

  test('a guest goes on with its own thread and with no other’s', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const guest = (id: string | null) =>
      submission(alice, alice, {
        sender: { kind: 'guest', id, namespace_id: null, key_id: null, from: null },
        thread_id: id,
        try_out: true,
      });
    const { message: first } = await house.post.send(guest(null), waiting());
    assert.equal(first.sender_id, first.thread_id);
    const { message: second } = await house.post.send(guest(first.thread_id), waiting());
    assert.equal(second.thread_id, first.thread_id);
    const { message: keys } = await house.post.send(submission(alice, alice), waiting());
    await assert.rejects(house.post.send(guest(keys.thread_id), waiting()), { code: 'validation_error' });
  });
});

describe('whom a letter reaches', () => {
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
      let before: () => Promise<unknown> | undefined = () => undefined;
      await using house = await openHouse({ wrap: acceptingAfter(() => before()) });
      const [alice, bob] = [await home(house), await home(house)];
      before = () => house.store.namespaces.delete(bob.namespace.id, T);
      await assert.rejects(house.post.send(submission(alice, bob), wait), { code: 'mailbox_gone' });
      before = () => house.store.namespaces.delete(alice.namespace.id, T);
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
      assert.equal(settled.reply_body, null);
      assert.equal(house.handled, 0);
    });
  }

  test('a run that turned slow is stopped when its message is refused after all', async () => {
    let before: () => Promise<unknown> | undefined = () => undefined;
    await using house = await openHouse({ wrap: acceptingAfter(() => before()) });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    before = () => house.store.mailboxes.delete(alice.box.id, T);
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
    assert.equal((await house.post.send(submission(alice, alice), waiting())).message.reply_body, 'At once.');
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
      assert.equal(await house.store.jobs.nextDue(), undefined);
      await house.registry.changeMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address, {
        status: 'online',
      });
      for (const id of ids) assert.equal((await settledOf(house, id)).status, 'completed');
      assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    });
  }

  test('paused between look-up and write: held at once, not handled until it is resumed, and handled then', async () => {
    let before: () => Promise<unknown> | undefined = () => undefined;
    await using house = await openHouse({ wrap: acceptingAfter(() => before()) });
    const alice = await home(house);
    before = () => house.store.mailboxes.change(alice.box.id, { status: 'paused' }, T);
    const { message } = await house.post.send(submission(alice, alice));
    assert.equal(message.status, 'submitted');
    assert.equal(house.handled, 0);
    assert.equal(house.dispatch.running, 0);
    before = () => undefined;
    await house.registry.changeMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address, {
      status: 'online',
    });
    assert.equal((await settledOf(house, message.id)).status, 'completed');
    assert.equal(house.handled, 1);
  });

  test('paused while a slow run is being written: held at once, the run is stopped, and handled anew when resumed', async () => {
    let before: () => Promise<unknown> | undefined = () => undefined;
    await using house = await openHouse({ wrap: acceptingAfter(() => before()) });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    before = () => house.store.mailboxes.change(alice.box.id, { status: 'paused' }, T);
    const began = performance.now();
    const { message } = await house.post.send(submission(alice, alice), waiting(10_000));
    await assertSoon(performance.now() - began, 5_000, 'what does not wait for what is held');
    assert.equal(message.status, 'submitted');
    assert.ok(slow.signal().aborted);
    assert.equal(house.dispatch.running, 0);
    slow.release(reply('Nobody wants this.'));
    before = () => undefined;
    house.handle = () => reply('Resumed.');
    await house.registry.changeMailbox({ kind: 'key', key: alice.key, network: '' }, alice.address, {
      status: 'online',
    });
    assert.equal((await settledOf(house, message.id)).reply_body, 'Resumed.');
  });
});

describe('written as a mailbox', () => {
  test('the reply is filed there as completed, and triggers nothing, whether it came at once or late', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const slow = held(reply('Late.'));
    const { message: fast } = await house.post.send(submission(alice, bob, asMailbox(alice)), waiting());
    house.handle = slow.handle;
    const { message: later } = await house.post.send(submission(alice, bob, asMailbox(alice)));
    await slow.begun;
    slow.release();
    await settledOf(house, later.id);
    assert.equal(house.handled, 2);
    const { items } = await house.store.messages.page({ mailbox_id: alice.box.id }, null, 10);
    assert.deepEqual(
      items.map(({ id, status, body, in_reply_to, from, reply_body }) => [
        id,
        status,
        body,
        in_reply_to,
        from,
        reply_body,
      ]),
      [
        [replyIdOf(later.id), 'completed', 'Late.', later.id, `box@${bob.namespace.name}`, null],
        [replyIdOf(fast.id), 'completed', 'Hello!', fast.id, `box@${bob.namespace.name}`, null],
      ],
    );
    assert.equal(await house.store.jobs.nextDue(), undefined);
  });

  test('a message that was rejected or failed files nothing', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    for (const kind of ['reject', 'fail'] as const) {
      house.handle = () => ({ kind, detail: 'No.' });
      for (const wait of [undefined, waiting()]) {
        const { message } = await house.post.send(submission(alice, bob, asMailbox(alice)), wait);
        await settledOf(house, message.id);
      }
    }
    const { items } = await house.store.messages.page({ mailbox_id: alice.box.id }, null, 10);
    assert.deepEqual(items, []);
  });
});
