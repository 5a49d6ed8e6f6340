import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { EventFeed } from '../../core/notify/event-feed.ts';
import { type Home, type House, held, home, openHouse, settledOf, submission, until, waiting } from './house.ts';

/** The events that a subscriber of a namespace received, in words. */
function follower(feed: EventFeed, of: Home, after: string | null = null) {
  const seen: string[] = [];
  const gone = new AbortController();
  let last: string | null = null;
  const read = async (): Promise<void> => {
    for await (const events of feed.subscribe({ namespace_id: of.namespace.id }, after, gone.signal)) {
      for (const event of events) {
        seen.push(`${event.type} ${'message' in event ? event.message.body : ''}`);
        last = event.id;
      }
    }
  };
  return { seen, ended: read(), leave: () => gone.abort(), last: () => last };
}

async function open(): Promise<{ house: House; feed: EventFeed; mine: Home }> {
  const house = await openHouse();
  const feed = new EventFeed(house);
  return { house, feed, mine: await home(house) };
}

test('who follows is woken at once by what arrives and by what is settled', async () => {
  const { house, feed, mine } = await open();
  await using _house = house;
  const follows = follower(feed, mine);
  await until(() => feed.size === 1);
  await until(() => feed.now(mine.namespace.id));
  const work = held();
  house.handle = work.handle;
  const from = performance.now();
  const { message } = await house.post.send(submission(mine, mine, { body: 'slow' }));
  await until(() => follows.seen.length === 1);
  work.release();
  await settledOf(house, message.id);
  await until(() => follows.seen.length === 2);
  house.handle = () => ({ kind: 'reply', body: 'yes' });
  await house.post.send(submission(mine, mine, { body: 'quick' }), waiting());
  await until(() => follows.seen.length === 3);
  await assertSoon(performance.now() - from, 900, 'what is told at once');
  assert.deepEqual(follows.seen, ['message.received slow', 'message.completed slow', 'message.completed quick']);
  follows.leave();
  await follows.ended;
  assert.equal(feed.size, 0);
});

test('whoever goes on after an event is told what came meanwhile, then what comes', async () => {
  const { house, feed, mine } = await open();
  await using _house = house;
  const send = (body: string) => house.post.send(submission(mine, mine, { body }), waiting());
  const first = follower(feed, mine, await feed.now(mine.namespace.id));
  await send('1');
  await until(() => first.seen.length === 1);
  first.leave();
  await first.ended;
  await send('2');
  const second = follower(feed, mine, first.last());
  await until(() => second.seen.length === 1);
  await send('3');
  await until(() => second.seen.length === 2);
  assert.deepEqual(second.seen, ['message.completed 2', 'message.completed 3']);
  second.leave();
  await second.ended;
});

test('what nobody told of is found within a second or so', async () => {
  const { house, feed, mine } = await open();
  await using _house = house;
  const follows = follower(feed, mine, await feed.now(mine.namespace.id));
  house.bus.subscribeEvents(() => {});
  await house.post.send(submission(mine, mine), waiting());
  await until(() => follows.seen.length === 1);
  follows.leave();
  await follows.ended;
});

test('nobody is told of another namespace, and a burst comes in batches, whole', async () => {
  const { house, feed, mine } = await open();
  await using _house = house;
  const other = await home(house);
  const theirs = follower(feed, other, await feed.now(other.namespace.id));
  const ours = follower(feed, mine, await feed.now(mine.namespace.id));
  await Promise.all(Array.from({ length: 200 }, () => house.post.send(submission(mine, mine), waiting())));
  await until(() => ours.seen.length === 200);
  assert.equal(theirs.seen.length, 0);
  for (const one of [theirs, ours]) one.leave();
  await Promise.all([theirs.ended, ours.ended]);
});
