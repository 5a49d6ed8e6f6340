import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { Hub } from '../../src/core/hub.ts';
import { newId } from '../../src/core/ids.ts';
import type { Message } from '../../src/core/message.ts';
import { T } from '../store/made.ts';

const message = (id = newId('msg', T)) => ({ id }) as Message;
const LONG = 60_000;

test('a settlement wakes everyone who waits for that message, and nobody else', async () => {
  const hub = new Hub();
  const { signal } = new AbortController();
  const [mine, other] = [message(), message()];
  const gone = new AbortController();
  const woken = [hub.wait(mine.id, LONG, signal), hub.wait(mine.id, LONG, signal)];
  const asleep = hub.wait(other.id, LONG, gone.signal);
  hub.settled(mine);
  assert.deepEqual(await Promise.all(woken), [mine, mine]);
  gone.abort();
  assert.equal(await asleep, undefined);
});

test('a wait ends with its time, or when its caller is gone, even if it was before', async () => {
  const hub = new Hub();
  const gone = new AbortController();
  assert.equal(await hub.wait('msg_a', 1, new AbortController().signal), undefined);
  const wait = hub.wait('msg_a', LONG, gone.signal);
  gone.abort();
  assert.equal(await wait, undefined);
  assert.equal(await hub.wait('msg_a', LONG, gone.signal), undefined);
});

test('it tells how many callers wait', async () => {
  const hub = new Hub();
  const gone = new AbortController();
  const waits = [
    hub.wait('msg_a', LONG, gone.signal),
    hub.wait('msg_a', LONG, gone.signal),
    hub.wait('msg_b', LONG, gone.signal),
  ];
  assert.equal(hub.size, 3);
  hub.settled(message('msg_a'));
  assert.equal(hub.size, 1);
  gone.abort();
  await Promise.all(waits);
  assert.equal(hub.size, 0);
});

test('a wait leaves no listener on a signal that outlives it', async () => {
  const hub = new Hub();
  const { signal } = new AbortController();
  const waits = Array.from({ length: 100 }, () => hub.wait('msg_a', LONG, signal));
  assert.equal(getEventListeners(signal, 'abort').length, 100);
  hub.settled(message('msg_a'));
  await Promise.all(waits);
  await hub.wait('msg_a', 1, signal);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  assert.equal(hub.size, 0);
});

test('who waits anew from within a wake-up waits for the next one', async () => {
  const hub = new Hub();
  const { signal } = new AbortController();
  const again = hub.wait('msg_a', LONG, signal).then(() => hub.wait('msg_a', LONG, signal));
  hub.settled(message('msg_a'));
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(hub.size, 1);
  hub.settled(message('msg_a'));
  await again;
  assert.equal(hub.size, 0);
});
