import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@mailroom/behavior';
import type { Message } from '../../core/entities/message.ts';
import { type Envelope, envelopeText } from '../../core/entities/message-view.ts';
import { EventBus } from '../../core/notify/event-bus.ts';
import { Progress } from '../../core/notify/progress.ts';
import { messageOf, waitingOf, world } from '../store/made.ts';
import {
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

const envelope = (message: Message): Envelope => JSON.parse(envelopeText(message, 'mailroom.test').text);

const progressOf = (message: Message | undefined): string[] =>
  message === undefined ? [] : envelope(message).progress.map(({ text }) => text);

test('what a behavior reports is seen at once by who watches, soon by who asks, and by nobody once it is settled', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const work = held();
  let context: Context<unknown> | undefined;
  house.handle = (message, given) => {
    context = given;
    return work.handle(message, given);
  };
  const { message } = await house.post.send(submission(alice, alice));
  await work.begun;
  const seen: string[] = [];
  const leave = house.bus.watch(message.id, (now) => seen.push(`${now.status} ${progressOf(now).at(-1) ?? '-'}`));
  context?.report('Half of it');
  house.clock.pass(1_000);
  context?.report('Nearly all');
  assert.deepEqual(seen, ['working Half of it', 'working Nearly all']);
  await until(async () => progressOf(await house.store.messages.byId(message.id)).length === 2);
  const now = await house.store.messages.byId(message.id);
  assert.equal(now?.status, 'working');
  assert.deepEqual(envelope(now as Message).progress, [
    { text: 'Half of it', at: '2026-11-20T08:00:00.000Z' },
    { text: 'Nearly all', at: '2026-11-20T08:00:01.000Z' },
  ]);
  work.release();
  assert.deepEqual(progressOf(await settledOf(house, message.id)), []);
  assert.equal(seen.at(-1), 'completed -');
  leave();
  assert.equal(house.bus.watched(message.id), false);
});

test('a message that is answered at once costs no write for what was reported of it', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  let writes = 0;
  const { report } = house.store.handlings;
  house.store.handlings.report = (...args) => {
    writes++;
    return report(...args);
  };
  house.handle = (_message, context) => {
    context.report('On it');
    return reply('Done.');
  };
  const { message } = await house.post.send(submission(alice, alice), waiting());
  assert.deepEqual(progressOf(message), []);
  await sleep(300);
  assert.equal(writes, 0);
});

test('reports are cut to one line of 200 characters, the latest twenty are kept, and writes come one a second', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const one = await world(store);
  const message = waitingOf(one, one);
  await store.messages.accept({ message, max_waiting: 9, from_mailbox_id: null, leased_until: T + 1e9 });
  const claim = { id: message.id, kind: 'handle', fence: 1, attempt: 1, subject: '' } as const;
  const progress = new Progress({ store, bus: new EventBus(), clock: clock.read }).of(message, () => claim);
  let writes = 0;
  const { report } = store.handlings;
  store.handlings.report = (...args) => {
    writes++;
    return report(...args);
  };
  for (let i = 0; i < 50; i++) {
    progress.add(`${i}\n\u0000${'x'.repeat(300)}\ud83d`, false);
    clock.pass(100);
  }
  progress.add('👩‍🚀'.repeat(100), false);
  progress.add('  ', false);
  await until(async () => progressOf(await store.messages.byId(message.id)).length > 0);
  const texts = progressOf(await store.messages.byId(message.id));
  assert.equal(texts.length, 20);
  assert.ok(texts.every((text) => text.length <= 200 && !text.includes('\n') && text.isWellFormed()));
  assert.match(texts[0] ?? '', /^31 x+$/);
  progress.add('more', false);
  await sleep(200);
  assert.equal(writes, 1);
  progress.end();
});

test('a watcher is told of a settlement elsewhere as who waits is, and watches of a message of its own only', () => {
  const bus = new EventBus();
  const [mine, other] = [{ id: 'msg_a' } as Message, { id: 'msg_b' } as Message];
  const seen: Message[] = [];
  const leave = bus.watch(mine.id, (message) => seen.push(message));
  assert.deepEqual(bus.waitedFor(), [mine.id]);
  bus.publishSettled(other);
  bus.publishSettled(mine);
  assert.deepEqual(seen, [mine]);
  leave();
  leave();
  assert.deepEqual(bus.waitedFor(), []);
});

test('what was reported before a pause shows no more when it is tried again', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const one = await world(store);
  const message = waitingOf(one, one);
  await store.messages.accept({ message, max_waiting: 9, from_mailbox_id: null, leased_until: T + 1000 });
  await store.messages.accept({ message: messageOf(one, one), max_waiting: 9, from_mailbox_id: null });
  const claim = { id: message.id, kind: 'handle', fence: 1, attempt: 1, subject: '' } as const;
  assert.equal(await store.handlings.report(claim, '[{"text":"Half","at":"2026-11-20T08:00:00.000Z"}]'), true);
  assert.equal(await store.handlings.later(claim, T), true);
  await store.handlings.claim(5, T, 1000);
  assert.deepEqual(progressOf(await store.messages.byId(message.id)), []);
});
