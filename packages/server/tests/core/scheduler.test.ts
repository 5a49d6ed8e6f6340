import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Effect } from '@mailroom/behavior/effect';
import { ownerOf } from '@mailroom/behavior/note';
import type { Schedule } from '@mailroom/behavior/schedule';
import { newId } from '@mailroom/behavior/values/ids';
import { Scheduler } from '../../core/messages/scheduler.ts';
import {
  type Home,
  type House,
  home,
  newFile,
  openFile,
  openHouse,
  reply,
  submission,
  T,
  TestClock,
  until,
  waiting,
} from './house.ts';

const MINUTE = 60_000;

function wake(house: House): void {
  new Scheduler({
    store: house.store,
    post: house.post,
    dispatch: house.dispatch,
    clock: house.clock.read,
    nextTime: (_rule, _zone, after) => (Math.floor(after / MINUTE) + 1) * MINUTE,
    limits: { interval: async () => MINUTE, gone: () => {} },
  });
}

/** Plans `body` for the mailbox of `alice`, as a message does. */
async function plan(house: House, alice: Home, fields: Partial<Schedule>): Promise<string> {
  const id = newId('sch', T);
  const { sender } = submission(alice, alice);
  const owner = ownerOf(sender, alice.box.id);
  assert.ok(owner);
  house.handle = (message) => {
    if (message.body !== 'plan') return reply(`Did ${message.body}`);
    const schedule: Schedule = {
      id,
      ...owner,
      sender: JSON.stringify(sender),
      from_mailbox_id: null,
      thread_id: message.thread_id,
      hops: 1,
      name: 'tea',
      body: 'tea',
      data: null,
      rule: null,
      time_zone: 'UTC',
      next_at: T + MINUTE,
      last_at: null,
      created_at: T,
      ...fields,
    };
    const effects: Effect[] = [{ kind: 'schedule', schedule }];
    return { kind: 'reply', body: 'Planned.', effects };
  };
  const { message } = await house.post.send(submission(alice, alice, { body: 'plan' }), waiting());
  assert.equal(message.status, 'completed');
  return id;
}

const received = async (house: House, alice: Home) =>
  (await house.store.messages.page({ mailbox_id: alice.box.id }, null, 50)).items;

describe('what is planned', () => {
  test('happens at its time and not before: a message in the thread where it was planned, from who planned it', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    wake(house);
    const id = await plan(house, alice, {});
    house.clock.pass(MINUTE - 1);
    house.dispatch.checkDue();
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal((await received(house, alice)).length, 1);
    house.clock.pass(1);
    await until(async () => (await received(house, alice)).some((one) => one.reply?.body === 'Did tea'));
    const [done, planned] = await received(house, alice);
    assert.deepEqual(
      [done?.thread_id, done?.sender_id, done?.key_id, done?.hops],
      [planned?.thread_id, alice.key.id, alice.key.id, 1],
    );
    await until(async () => (await house.store.schedules.byId(id)) === undefined);
  });

  test('by a rule happens once for each time it is due, and times that were missed are made up for by one', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    wake(house);
    const id = await plan(house, alice, { rule: '* * * * *' });
    const count = async () => (await received(house, alice)).filter(({ body }) => body === 'tea').length;
    for (const wanted of [1, 2]) {
      house.clock.pass(MINUTE);
      await until(async () => (await count()) === wanted);
      await until(async () => ((await house.store.schedules.byId(id))?.next_at ?? 0) > house.clock.now);
    }
    house.clock.pass(60 * MINUTE);
    await until(async () => (await count()) === 3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await count(), 3);
  });

  test('of a crash between the message and the note that it was sent makes no second one', async () => {
    const [file, clock] = [newFile(), new TestClock()];
    let broken = true;
    await using store = await openFile(file, clock);
    await using house = await openHouse({
      store,
      clock,
      wrap: (real) => ({
        ...real,
        [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
        schedules: {
          ...real.schedules,
          ran: async (...given) => {
            if (!broken) return real.schedules.ran(...given);
            broken = false;
            throw new Error('The power went.');
          },
        },
      }),
    });
    const alice = await home(house);
    wake(house);
    const id = await plan(house, alice, {});
    house.clock.pass(MINUTE);
    await until(() => !broken);
    // Its lease runs out.
    house.clock.pass(31_000);
    await until(async () => (await store.schedules.byId(id)) === undefined);
    assert.equal((await received(house, alice)).filter(({ body }) => body === 'tea').length, 1);
  });

  test('ends for good when its key was revoked or its mailbox deleted', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    wake(house);
    const first = await plan(house, alice, { rule: '* * * * *' });
    const second = await plan(house, bob, { rule: '* * * * *' });
    await house.store.keys.revoke(alice.key.id, alice.namespace.id, T);
    await house.store.mailboxes.delete(bob.box.id, T);
    house.directory.forget();
    house.clock.pass(MINUTE);
    await until(async () => (await house.store.schedules.byId(first)) === undefined);
    await until(async () => (await house.store.schedules.byId(second)) === undefined);
    assert.equal((await received(house, alice)).length, 1);
  });
});
