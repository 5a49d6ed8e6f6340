import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import { EventBus } from '../../core/notify/event-bus.ts';
import { watch } from '../../core/notify/watch.ts';
import type { Store } from '../../core/ports/store.ts';
import { T } from '../store/made.ts';

const message = (id = newId('msg', T)) => ({ id }) as Message;
const LONG = 60_000;

test('a settlement wakes everyone who waits for that message, and nobody else', async () => {
  const bus = new EventBus();
  const { signal } = new AbortController();
  const [mine, other] = [message(), message()];
  const gone = new AbortController();
  const woken = [bus.wait(mine.id, LONG, signal), bus.wait(mine.id, LONG, signal)];
  const asleep = bus.wait(other.id, LONG, gone.signal);
  bus.publishSettled(mine);
  assert.deepEqual(await Promise.all(woken), [mine, mine]);
  gone.abort();
  assert.equal(await asleep, undefined);
});

test('a wait ends with its time, or when its caller is gone, even if it was before', async () => {
  const bus = new EventBus();
  const gone = new AbortController();
  assert.equal(await bus.wait('msg_a', 1, new AbortController().signal), undefined);
  const wait = bus.wait('msg_a', LONG, gone.signal);
  gone.abort();
  assert.equal(await wait, undefined);
  assert.equal(await bus.wait('msg_a', LONG, gone.signal), undefined);
});

test('it tells how many callers wait', async () => {
  const bus = new EventBus();
  const gone = new AbortController();
  const waits = [
    bus.wait('msg_a', LONG, gone.signal),
    bus.wait('msg_a', LONG, gone.signal),
    bus.wait('msg_b', LONG, gone.signal),
  ];
  assert.equal(bus.size, 3);
  bus.publishSettled(message('msg_a'));
  assert.equal(bus.size, 1);
  gone.abort();
  await Promise.all(waits);
  assert.equal(bus.size, 0);
});

test('a wait leaves no listener on a signal that outlives it', async () => {
  const bus = new EventBus();
  const { signal } = new AbortController();
  const waits = Array.from({ length: 100 }, () => bus.wait('msg_a', LONG, signal));
  assert.equal(getEventListeners(signal, 'abort').length, 100);
  bus.publishSettled(message('msg_a'));
  await Promise.all(waits);
  await bus.wait('msg_a', 1, signal);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  assert.equal(bus.size, 0);
});

test('who waits anew from within a wake-up waits for the next one', async () => {
  const bus = new EventBus();
  const { signal } = new AbortController();
  const again = bus.wait('msg_a', LONG, signal).then(() => bus.wait('msg_a', LONG, signal));
  bus.publishSettled(message('msg_a'));
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(bus.size, 1);
  bus.publishSettled(message('msg_a'));
  await again;
  assert.equal(bus.size, 0);
});

test('who follows a message is not kept until the next beat when its mailbox is deleted', {
  timeout: 20_000,
}, async () => {
  const bus = new EventBus();
  const followed = { ...message(), mailbox_id: 'mbx_a', status: 'submitted' } as Message;
  let stored: Message | undefined = followed;
  const store = { messages: { byId: async () => stored } } as unknown as Store;
  const over = new AbortController();
  const stream = watch(followed, { store, bus }, over.signal, LONG);
  assert.equal((await stream.next()).value, followed);
  const next = stream.next();
  stored = undefined;
  bus.publishDeleted('mbx_b');
  bus.publishDeleted('mbx_a');
  assert.equal((await next).done, true);
  over.abort();
});
