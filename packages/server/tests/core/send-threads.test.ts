import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId, replyIdOf, threadOf } from '@mailroom/behavior/values/ids';
import { asMailbox, held, home, openHouse, reply, settledOf, submission, T, waiting } from './house.ts';

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
      items.map(({ id, status, body, in_reply_to, from, reply }) => [id, status, body, in_reply_to, from, reply]),
      [
        [replyIdOf(later.id), 'completed', 'Late.', later.id, `box@${bob.namespace.name}`, null],
        [replyIdOf(fast.id), 'completed', 'Hello!', fast.id, `box@${bob.namespace.name}`, null],
      ],
    );
    assert.equal(await house.store.handlings.nextDue(), undefined);
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
