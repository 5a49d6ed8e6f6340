import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ownerOf } from '@mailroom/behavior/note';
import type { AppError } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import { asMailbox, commitsOf, home, openHouse, reply, settledOf, submission, T, until, waiting } from './house.ts';

describe('what a behavior reaches beyond its message', () => {
  test('a note is written with the outcome, for this sender in this mailbox, and not when the message fails before', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    house.handle = (message) =>
      message.body === 'break'
        ? { kind: 'fail', detail: 'No.' }
        : {
            ...reply('Noted.'),
            kind: 'reply',
            body: 'Noted.',
            effects: [{ kind: 'note', name: 'door', text: '4711' }],
          };
    const { message } = await house.post.send(submission(alice, alice), waiting());
    assert.equal(message.status, 'completed');
    const own = ownerOf(submission(alice, alice).sender, alice.box.id);
    assert.ok(own);
    assert.deepEqual(await house.store.notes.get(own, 'door'), { name: 'door', text: '4711', updated_at: T });
    await house.post.send(submission(bob, alice, { body: 'break' }), waiting());
    const others = ownerOf(submission(bob, alice).sender, alice.box.id);
    assert.ok(others);
    assert.equal(await house.store.notes.count(others), 0);
  });

  test('an outcome without effects is one write, one with them is durable first', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = () => ({ kind: 'reply', body: 'Yes.', effects: [] });
    assert.deepEqual(await commitsOf(() => house.post.send(submission(alice, alice), waiting())), [1]);
  });

  test('what it saves is there for the next run, and saving makes the message durable at once', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const kept: unknown[] = [];
    house.handle = async (message, { again, services }) => {
      kept.push(again, await services.checkpoint());
      if (again) return reply('Done.');
      await services.save({ step: 2 });
      assert.ok(await house.store.messages.byId(message.id));
      return { kind: 'retry', after_ms: 1, detail: 'Once more.' };
    };
    const { message } = await house.post.send(submission(alice, alice));
    house.clock.pass(60_000);
    house.dispatch.checkDue();
    assert.equal((await settledOf(house, message.id)).reply?.body, 'Done.');
    assert.deepEqual(kept, [false, undefined, true, { step: 2 }]);
  });

  test('a sync sender gets the answer of a run that saved before it', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    house.handle = async (_message, { services }) => {
      await services.save({ step: 1 });
      return reply('Saved.');
    };
    const { message } = await house.post.send(submission(alice, alice), waiting());
    assert.deepEqual([message.status, message.reply?.body], ['completed', 'Saved.']);
  });

  test('it writes to another mailbox as its own, one hop further, and of two runs of a step one message is made', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const answers: unknown[] = [];
    house.handle = async (message, { mailbox, services }) => {
      if (mailbox.id === bob.box.id) {
        assert.equal(message.hops, 1);
        return reply('Bob here.');
      }
      for (const _ of [1, 2]) answers.push(await services.ask('1', { to: bob.address, body: 'Hi', ms: 5_000 }));
      return reply('Asked.');
    };
    const { message } = await house.post.send(submission(alice, alice), waiting());
    assert.equal(message.reply?.body, 'Asked.');
    const [one, two] = answers as {
      id: string;
      reply: { body: string };
      sender_id: string;
    }[];
    assert.equal(one?.id, two?.id);
    assert.deepEqual([one?.reply?.body, one?.sender_id], ['Bob here.', alice.box.id]);
    const page = await house.store.messages.page({ mailbox_id: bob.box.id }, null, 10);
    assert.equal(page.items.length, 1);
  });

  test('as many as may run at a time can wait for others, which need a place too', async () => {
    await using house = await openHouse({ dispatch: { max: 2 } });
    const [alice, bob] = [await home(house), await home(house)];
    house.handle = async (_message, { mailbox, services }) => {
      if (mailbox.id === bob.box.id) {
        // A pause, so that the run needs a slot.
        await new Promise((resolve) => setTimeout(resolve, 120));
        return reply('Bob here.');
      }
      await services.ask('1', { to: bob.address, body: 'Hi', ms: 20_000 });
      return reply('Asked.');
    };
    const sent = await Promise.all(Array.from({ length: 6 }, () => house.post.send(submission(alice, alice))));
    for (const { message } of sent) assert.equal((await settledOf(house, message.id)).reply?.body, 'Asked.');
  });

  test('messages that cause one another end after eight', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const errors: string[] = [];
    house.handle = async (_message, { services }) => {
      try {
        await services.ask('1', { to: alice.address, body: 'Again', ms: 20_000 });
      } catch (error) {
        errors.push((error as AppError).code);
      }
      return reply('Done.');
    };
    await house.post.send(submission(alice, alice), waiting());
    assert.deepEqual(errors, ['loop_detected']);
    assert.equal(house.handled, 8);
  });

  test('a run whose lease was taken anew keeps nothing, and writes to nobody, by the claim of the next one', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const statuses: string[] = [];
    house.handle = async (_message, { mailbox, services, again }) => {
      if (mailbox.id === bob.box.id) return reply('Bob here.');
      if (again) {
        first.resolve();
        await second.promise;
        return reply(JSON.stringify(await services.checkpoint()));
      }
      await services.save({ step: 1 });
      await first.promise;
      const late = [services.save({ step: 2 }), services.ask('1', { to: bob.address, body: 'Hi', ms: 5_000 })];
      for (const { status } of await Promise.allSettled(late)) statuses.push(status);
      second.resolve();
      return reply('Late.');
    };
    const { message } = await house.post.send(submission(alice, alice));
    await until(async () => (await house.store.handlings.kept(message.id))?.state != null);
    house.clock.pass(31_000);
    house.dispatch.checkDue();
    assert.equal((await settledOf(house, message.id)).reply?.body, '{"step":1}');
    assert.deepEqual(statuses, ['rejected', 'rejected']);
    assert.equal((await house.store.messages.page({ mailbox_id: bob.box.id }, null, 10)).items.length, 0);
  });

  test('a run that can keep nothing more, as another node canceled it, is ended and not broken', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    let kept = 0;
    house.handle = async ({ id }, { services }) => {
      await services.save({ step: ++kept });
      await house.store.messages.cancel(id, house.clock.now);
      await services.save({ step: ++kept });
      return reply('Done.');
    };
    const { message } = await house.post.send(submission(alice, alice));
    await until(() => kept === 2 && house.dispatch.running === 0);
    assert.equal((await house.store.messages.byId(message.id))?.status, 'canceled');
    assert.deepEqual(house.errors, []);
  });

  test('the thread before is told, oldest first, and nothing of it to the first message', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const threads: string[][] = [];
    house.handle = async (message, { services }) => {
      threads.push((await services.thread()).map(({ body }) => body));
      return reply(`To ${message.body}`);
    };
    const first = await house.post.send(submission(alice, alice, { body: 'one' }), waiting());
    const { thread_id } = first.message;
    await house.post.send(submission(alice, alice, { body: 'two', thread_id }), waiting());
    await house.post.send(submission(alice, alice, { body: 'three', thread_id }), waiting());
    assert.deepEqual(threads, [[], ['one'], ['one', 'two']]);
  });

  test('a schedule it makes belongs to the sender as which mailbox it wrote', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { sender } = { ...submission(alice, alice), ...asMailbox(alice) };
    const owner = ownerOf(sender as never, alice.box.id);
    assert.ok(owner);
    const id = newId('sch', T);
    house.handle = (message) => ({
      kind: 'reply',
      body: 'Planned.',
      effects: [
        {
          kind: 'schedule',
          schedule: {
            id,
            ...owner,
            sender: JSON.stringify(sender),
            from_mailbox_id: alice.box.id,
            thread_id: message.thread_id,
            hops: 1,
            name: 'later',
            body: 'later',
            data: null,
            rule: null,
            time_zone: 'UTC',
            next_at: T + 60_000,
            last_at: null,
            created_at: T,
          },
        },
      ],
    });
    await house.post.send(submission(alice, alice, asMailbox(alice)), waiting());
    assert.deepEqual(
      (await house.store.schedules.of(owner, 10)).map((one) => one.id),
      [id],
    );
  });
});
