import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Incoming } from '@mailroom/behavior';
import type { Store } from '../../core/ports/store.ts';
import { replaced } from '../process/proof/wrap.ts';
import {
  type Handle,
  type House,
  held,
  home,
  openHouse,
  reply,
  settledOf,
  submission,
  until,
  waiting,
} from './house.ts';

/** Lets time pass while there is nothing to do, so that no lease ends, until `holds` is true. */
async function later(house: House, holds: () => unknown, step = 1000): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    if (house.dispatch.idle && house.dispatch.running === 0) {
      house.clock.pass(step);
      house.dispatch.checkDue();
    }
    return false;
  });
}

describe('many messages', () => {
  test('are handled so many at a time and no more, however many arrive at once', async () => {
    await using house = await openHouse({ dispatch: { max: 4 } });
    const [alice, bob] = [await home(house), await home(house)];
    let now = 0;
    let max = 0;
    house.handle = async () => {
      max = Math.max(max, ++now);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now--;
      return reply('');
    };
    const sent = await Promise.all(
      Array.from({ length: 200 }, (_, i) => house.post.send(submission(alice, i % 2 === 0 ? alice : bob))),
    );
    for (const { message } of sent) await settledOf(house, message.id);
    assert.equal(house.handled, 200);
    assert.ok(max === 3 || max === 4, `${max} ran at once`);
  });

  test('500 of every kind: each settles exactly once', async () => {
    await using house = await openHouse({ dispatch: { max: 16 } });
    const [alice, bob] = [await home(house), await home(house, { behavior: 'none' })];
    const settlements = new Map<string, number>();
    const { publishSettled: settled } = house.bus;
    house.bus.publishSettled = function (message) {
      settlements.set(message.id, (settlements.get(message.id) ?? 0) + 1);
      settled.call(this, message);
    };
    const tries = new Map<string, number>();
    house.handle = async ({ id, body }, { signal }) => {
      const kind = Number(body) % 10;
      const attempt = (tries.get(id) ?? 0) + 1;
      tries.set(id, attempt);
      if (kind === 1) throw new Error('always');
      if (kind === 2 && attempt < 3) throw new Error('at first');
      if (kind === 3) return { kind: 'reject', detail: 'No.' };
      if (kind === 4) return { kind: 'input_required', body: 'What?' };
      if (kind === 5) return { kind: 'fail', detail: 'Broken.' };
      if (kind === 6) await new Promise((resolve) => setTimeout(resolve, 110));
      if (kind === 7 && attempt === 1) return { kind: 'retry', after_ms: 10, detail: 'Soon.' };
      if (kind === 8) {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
          setTimeout(resolve, 50);
        });
      }
      return reply(body);
    };
    const sent = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        house.post.send(
          submission(alice, i % 10 === 9 ? bob : alice, { body: String(i) }),
          i % 3 === 0 ? waiting(1) : undefined,
        ),
      ),
    );
    const ids = sent.map(({ message }) => message.id);
    assert.equal(new Set(ids).size, 500);
    const canceled = await Promise.all(
      sent.filter((_, i) => i % 10 === 8 && i % 20 === 8).map(({ message }) => house.post.cancel(message)),
    );
    await later(house, async () => {
      for (const id of ids) if ((await house.store.messages.byId(id))?.settled_at === null) return false;
      return true;
    });
    await until(() => house.dispatch.running === 0);
    const wanted = [
      ['completed'],
      ['failed'],
      ['completed'],
      ['rejected'],
      ['input_required'],
      ['failed'],
      ['completed'],
      ['completed'],
      ['completed', 'canceled'],
      ['rejected'],
    ];
    for (const [i, id] of ids.entries()) {
      const message = await house.store.messages.byId(id);
      assert.ok(wanted[i % 10]?.includes(message?.status ?? ''), `${i} ${message?.status}`);
      assert.equal(message?.reply != null, ['completed', 'input_required'].includes(message?.status ?? ''));
      assert.equal(settlements.get(id), 1, `${i} ${message?.status}`);
    }
    for (const { id, status } of canceled) assert.equal((await house.store.messages.byId(id))?.status, status);
    assert.equal(await house.store.handlings.depth(), 0);
    assert.equal(house.dispatch.running, 0);
    assert.equal(house.bus.size, 0);
  });
});

describe('slots', () => {
  test('while one mailbox has a backlog, the slots that are kept for others are not looked at again and again', async () => {
    let claims = 0;
    await using house = await openHouse({
      dispatch: { max: 8, poll_ms: 10_000 },
      wrap: (store) => {
        const claim: Store['handlings']['claim'] = (...args) => {
          claims++;
          return store.handlings.claim(...args);
        };
        return replaced(store, { handlings: replaced(store.handlings, { claim }) });
      },
    });
    const one = await home(house);
    const slow = held();
    house.handle = slow.handle;
    for (let i = 0; i < 20; i++) await house.post.send(submission(one, one));
    await until(() => house.handled === 7);
    const before = claims;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(claims - before <= 3, `${claims - before} claims in 100 ms`);
    slow.release();
    await until(() => house.handled === 20);
  });

  test('a caller with more waiting than there are slots holds up no other', async () => {
    await using house = await openHouse({ dispatch: { max: 16 } });
    const [hostile, other] = [await home(house), await home(house)];
    const slow = held();
    house.handle = (message, context) => (message.body === 'slow' ? slow.handle(message, context) : reply('At once.'));
    for (let i = 0; i < 30; i++) await house.post.send(submission(hostile, hostile, { body: 'slow' }));
    await until(() => house.handled === 14);
    for (let i = 0; i < 3; i++) {
      const { message } = await house.post.send(submission(other, other, { body: 'quick' }));
      assert.equal((await settledOf(house, message.id)).reply?.body, 'At once.');
    }
    slow.release();
    await until(() => house.handled === 33);
  });

  test('what a behavior answers at once waits for no slot, however many callers hold all of them', async () => {
    await using house = await openHouse({ dispatch: { max: 16 }, behaviors: ['script', 'immediate'] });
    const [other, quick] = [await home(house), await home(house, { behavior: 'immediate' })];
    const slow = held();
    house.handle = (message, context) => (message.body === 'slow' ? slow.handle(message, context) : reply('At once.'));
    for (let caller = 0; caller < 8; caller++) {
      const hostile = await home(house);
      for (let i = 0; i < 8; i++) await house.post.send(submission(hostile, hostile, { body: 'slow' }));
    }
    await until(() => house.handled === 16);
    const { message } = await house.post.send(submission(other, quick, { body: 'quick' }), waiting());
    assert.equal(message.reply?.body, 'At once.');
    const later = await house.post.send(submission(other, quick, { body: 'quick' }));
    assert.equal((await settledOf(house, later.message.id)).reply?.body, 'At once.');
    assert.equal(house.handled, 18);
    slow.release();
    await until(() => house.handled === 66);
  });

  test('sync sends beyond the slots wait their turn, and take no slots from others', async () => {
    await using house = await openHouse({ dispatch: { max: 8 } });
    const [hostile, other] = [await home(house), await home(house)];
    const slow = held();
    let [now, max] = [0, 0];
    house.handle = async (message, context) => {
      if (message.body !== 'slow') return reply('At once.');
      max = Math.max(max, ++now);
      const outcome = await slow.handle(message, context);
      now--;
      return outcome;
    };
    const sent = Array.from({ length: 20 }, () =>
      house.post.send(submission(hostile, hostile, { body: 'slow' }), waiting()),
    );
    await until(() => now === 7);
    const { message } = await house.post.send(submission(other, other, { body: 'quick' }), waiting());
    assert.equal(message.reply?.body, 'At once.');
    slow.release();
    for (const { message } of await Promise.all(sent)) assert.equal(message.reply?.body, 'At last.');
    assert.equal(max, 7);
    await until(() => house.dispatch.running === 0);
    assert.ok(house.dispatch.idle);
  });

  test('sync sends, however many, never run more than there are slots for, and all end', async () => {
    for (const max of [1, 2]) {
      await using house = await openHouse({ dispatch: { max } });
      const alice = await home(house);
      let [now, peak] = [0, 0];
      house.handle = async () => {
        peak = Math.max(peak, ++now);
        // The first ones wait for each other, so that the slots are full once on a busy machine too.
        await until(() => peak >= max);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now--;
        return reply('');
      };
      const sent = Array.from({ length: 20 }, () => house.post.send(submission(alice, alice), waiting()));
      for (const { message } of await Promise.all(sent)) assert.equal(message.status, 'completed');
      assert.equal(peak, max);
    }
  });
});

describe('a run that waits for another message', () => {
  /** Passes the message on to the mailbox in its body, `n/address`, n times in all, and then answers. */
  const passOn: Handle = async (message, { services }) => {
    const [n, to] = message.body.split('/') as [string, string];
    if (n === '0') return reply('The end.');
    const answer = await services.ask('1', { to, body: `${Number(n) - 1}/${to}`, ms: 10_000 });
    return reply(`Passed on: ${answer.reply?.body}`);
  };

  for (const max of [1, 2, 4]) {
    test(`never ends in a deadlock, and no more run than may, with ${max} slots`, async () => {
      await using house = await openHouse({ dispatch: { max } });
      const [alice, bob] = [await home(house), await home(house)];
      let [now, peak] = [0, 0];
      house.handle = async (message, context) => {
        peak = Math.max(peak, ++now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        const { services } = context;
        const ask: typeof services.ask = async (...args) => {
          now--;
          try {
            return await services.ask(...args);
          } finally {
            peak = Math.max(peak, ++now);
          }
        };
        try {
          return await passOn(message, { ...context, services: { ...services, ask } } as typeof context);
        } finally {
          now--;
        }
      };
      const send = (hops: number, wait: ReturnType<typeof waiting> | undefined) =>
        house.post.send(submission(alice, alice, { body: `${hops}/${bob.address}` }), wait);
      const sent = await Promise.all(Array.from({ length: 40 }, (_, i) => send(i % 5, i % 2 ? waiting() : undefined)));
      for (const { message } of sent) {
        const { status, reply: answer } = await settledOf(house, message.id);
        assert.deepEqual([status, answer?.body.endsWith('The end.')], ['completed', true]);
      }
      assert.ok(peak <= max, `${peak} ran at once`);
      await until(() => house.dispatch.running === 0);
      assert.ok(house.dispatch.idle);
    });
  }

  /** As `passOn`, but the first message that is passed on is answered only when it is tried again. */
  const later = (house: House, message: Incoming, context: Parameters<Handle>[1]): ReturnType<Handle> =>
    message.body.startsWith('0/') && house.handled === 2
      ? { kind: 'retry', after_ms: 5000, detail: 'Later.' }
      : passOn(message, context);

  test('gives its slot to others while the answer takes long', async () => {
    await using house = await openHouse({ dispatch: { max: 1 } });
    const alice = await home(house);
    house.handle = (message, context) => later(house, message, context);
    const { message } = await house.post.send(submission(alice, alice, { body: `1/${alice.address}` }));
    await until(() => house.handled === 2);
    const next = await house.post.send(submission(alice, alice, { body: '0/none' }));
    assert.equal((await settledOf(house, next.message.id)).reply?.body, 'The end.');
    assert.equal((await house.store.messages.byId(message.id))?.status, 'working');
    house.clock.pass(10_000);
    house.dispatch.checkDue();
    assert.equal((await settledOf(house, message.id)).reply?.body, 'Passed on: The end.');
  });

  test('that was canceled meanwhile leaves its slot to others', async () => {
    await using house = await openHouse({ dispatch: { max: 1 } });
    const alice = await home(house);
    house.handle = (message, context) => later(house, message, context);
    const { message } = await house.post.send(submission(alice, alice, { body: `1/${alice.address}` }));
    await until(() => house.handled === 2);
    assert.equal((await house.post.cancel(message)).status, 'canceled');
    const next = await house.post.send(submission(alice, alice, { body: '0/none' }), waiting());
    assert.equal(next.message.reply?.body, 'The end.');
    await until(() => house.dispatch.running === 0);
    assert.ok(house.dispatch.idle);
  });
});
