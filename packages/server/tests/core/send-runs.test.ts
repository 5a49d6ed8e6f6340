import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { isSettled } from '../../core/entities/message.ts';
import {
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
      assert.equal(message.reply?.body, 'Hello!');
      assert.equal(replayed, false);
      assert.deepEqual(await house.store.messages.byId(message.id), message);
    });
    assert.deepEqual(commits, [1]);
    assert.equal(await house.store.handlings.depth(), 0);
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
        assert.deepEqual(
          [m.status, m.error_code, m.error_message, m.reply?.body ?? null, m.reply?.data ?? null],
          settled[at],
        );
        assert.equal(m.settled_at, T);
      });
      assert.deepEqual(commits, [1]);
    }
  });

  test('is written once also beyond the slots, where one is free soon', async () => {
    await using house = await openHouse({ dispatch: { max: 4 } });
    const alice = await home(house);
    const writtenFirst: string[] = [];
    house.handle = async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if ((await house.store.messages.byId(id)) !== undefined) writtenFirst.push(id);
      return reply('Hello!');
    };
    // As many may wait for a slot as there are slots.
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => house.post.send(submission(alice, alice), waiting())),
    );
    for (const { message } of sent) assert.equal(message.reply?.body, 'Hello!');
    assert.deepEqual(writtenFirst, []);
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
    assert.equal(await house.store.handlings.depth(), 0);
  });

  test('outlives the wait of its sender: the wait ends with how it stands, the reply still comes', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held(reply('Late.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice), waiting(1));
    assert.equal(message.status, 'working');
    assert.equal(message.reply, null);
    slow.release();
    assert.equal((await settledOf(house, message.id)).reply?.body, 'Late.');
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
    assert.equal((await settledOf(house, id)).reply?.body, 'To nobody.');
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
    for (const settled of await Promise.all(waits)) assert.equal(settled?.reply?.body, 'For all.');
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
