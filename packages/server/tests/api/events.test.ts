import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FIRST_EVENT } from '@mailroom/behavior/values/ids';
import { connect, HELLO, type Home } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { startNodes } from '../../../../tests/harness/nodes.ts';
import { startPostgres } from '../../../../tests/harness/postgres.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { openStream, type Stream } from '../../../../tests/harness/stream.ts';
import { until as lookUntil } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly mailbox: string;
  readonly data: Omit<Envelope, 'status'> & Omit<Mailbox, 'status'> & { readonly status: string };
}
interface Page {
  readonly items: readonly Event[];
  readonly next_cursor: string;
}

const service = await serveInside();
const { url } = service;
const { api, newNamespace, newMailbox, newPaused, newKey, send, change } = connect(url);

/** Checks every few milliseconds, for at most 10 s. */
const until = (holds: () => unknown): Promise<unknown> => lookUntil(10_000, async () => holds(), Boolean);

const page = async (key: string, query = ''): Promise<Page> => {
  const answer = await api<Page>('GET', `/events${query}`, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const follow = (key: string, headers: Record<string, string> = {}, base = url): Promise<Stream> =>
  openStream(`${base}/api/v1/events`, { authorization: `Bearer ${key}`, ...headers });
const eventsOf = (stream: Stream): Event[] => stream.events.map(({ data }) => JSON.parse(data) as Event);

test('a page tells what happened, oldest first, with what it happened to as it stands now', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const paused = await newPaused(home);
  const answered = (await send(home.key, { to: mailbox.address, body: 'Hi', sync: true })).body;
  const held = (await send(home.key, { to: paused.address, body: 'Hi' })).body;
  await api('POST', `/mail/messages/${held.id}/cancel`, { key: home.key });
  const { items } = await page(home.key);
  assert.deepEqual(
    items.map((event) => [event.type, event.mailbox, event.data.id]),
    [
      ['mailbox.created', mailbox.address, mailbox.id],
      ['mailbox.created', paused.address, paused.id],
      ['mailbox.updated', paused.address, paused.id],
      ['message.completed', mailbox.address, answered.id],
      ['message.received', paused.address, held.id],
      ['message.canceled', paused.address, held.id],
    ],
  );
  assert.deepEqual(items[3]?.data, answered);
  assert.equal(items[4]?.data.status, 'canceled');
  assert.deepEqual(items[0]?.data.behavior, { name: HELLO.name });
});

test('cursors go on page by page, the last one later, and an id does as well', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  for (let i = 0; i < 5; i++) await send(home.key, { to: address, body: `${i}`, sync: true });
  const first = await api<Page>('GET', '/events?limit=4', { key: home.key });
  assert.match(first.headers.get('link') ?? '', /rel="next"/);
  const second = await api<Page>('GET', `/events?limit=4&cursor=${first.body.next_cursor}`, { key: home.key });
  assert.equal(second.headers.get('link'), null);
  const all = [...first.body.items, ...second.body.items];
  assert.deepEqual(all, (await page(home.key)).items);
  assert.deepEqual((await page(home.key, `?after=${all[2]?.id}`)).items, all.slice(3));
  const empty = await page(home.key, `?cursor=${second.body.next_cursor}`);
  assert.deepEqual(empty, { items: [], next_cursor: second.body.next_cursor });
  const more = (await send(home.key, { to: address, body: 'more', sync: true })).body;
  assert.deepEqual(
    (await page(home.key, `?cursor=${empty.next_cursor}`)).items.map(({ data }) => data.id),
    [more.id],
  );
});

test('what is no place is refused, in the query, as a cursor and as Last-Event-ID', async () => {
  const { key } = await newNamespace();
  const { next_cursor } = await page(key);
  const cursor = Buffer.from(`1msg_${'0'.repeat(20)}`).toString('base64url');
  for (const query of [
    '?after=msg_1',
    '?after=',
    '?cursor=x',
    `?cursor=${cursor}`,
    `?after=${FIRST_EVENT}&cursor=${next_cursor}`,
  ]) {
    isProblem(await api('GET', `/events${query}`, { key }), 'validation_error');
  }
  const headers = { accept: 'text/event-stream', 'last-event-id': 'x' };
  isProblem(await api('GET', '/events', { key, headers }), 'validation_error');
  isProblem(await api('GET', '/events', { key, headers: { accept: 'text/html' } }), 'not_acceptable');
});

test('a stream tells what happens from now on, at once, never compressed', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const stream = await follow(home.key, { 'accept-encoding': 'gzip' });
  assert.equal(stream.status, 200);
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(stream.headers.get('cache-control'), 'no-store');
  assert.equal(stream.headers.get('x-accel-buffering'), 'no');
  assert.equal(stream.headers.get('content-encoding'), null);
  await until(() => stream.text().startsWith('retry: 2000\n'));
  const from = performance.now();
  const message = (await send(home.key, { to: address, body: 'two\nlines', sync: true })).body;
  await until(() => stream.events.length === 1);
  await assertSoon(performance.now() - from, 900, 'an event that is told at once');
  const [event] = eventsOf(stream);
  assert.deepEqual(event?.data, message);
  assert.deepEqual([stream.events[0]?.id, stream.events[0]?.event], [event?.id, 'message.completed']);
  assert.deepEqual((await page(home.key)).items.at(-1), event);
  await change(home.key, address, { status: 'paused' });
  await until(() => stream.events.length === 2);
  assert.equal(eventsOf(stream)[1]?.type, 'mailbox.updated');
  stream.close();
});

test('a client that loses the connection again and again under load misses nothing and is told nothing twice', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const sent: string[] = [];
  const received: Event[] = [];
  let over = false;
  let lastId: string | undefined;
  const listen = async (): Promise<void> => {
    while (!over) {
      const stream = await follow(home.key, lastId === undefined ? {} : { 'last-event-id': lastId });
      assert.equal(stream.status, 200);
      if (lastId === undefined) await until(() => stream.lastId() !== '').then(() => begun.resolve());
      const many = stream.events.length + 30;
      await until(() => over || stream.events.length >= many);
      if (over) await until(() => received.length + stream.events.length >= sent.length);
      stream.close();
      await stream.ended;
      received.push(...eventsOf(stream));
      lastId = stream.lastId();
    }
  };
  const begun = Promise.withResolvers<void>();
  const listening = listen();
  await begun.promise;
  const senders = Array.from({ length: 6 }, async () => {
    for (let i = 0; i < 50; i++) sent.push((await send(home.key, { to: address, body: 'x', sync: true })).body.id);
  });
  await Promise.all(senders);
  over = true;
  await listening;
  const ids = received.map(({ data }) => data.id);
  assert.equal(new Set(ids).size, ids.length, 'told twice');
  assert.deepEqual([...ids].sort(), [...sent].sort());
});

test('a key needs the scope, sees its namespace only, and bound to a mailbox that one only', async () => {
  const home = await newNamespace();
  const other = await newNamespace();
  const mine = await newMailbox(home);
  const second = await newMailbox(home);
  const { secret } = await newKey(home, { scopes: ['messages:read'], mailbox: mine.address });
  const { secret: weak } = await newKey(home, { scopes: ['mail:send'] });
  isProblem(await api('GET', '/events', { key: weak }), 'insufficient_scope');
  isProblem(await api('GET', '/events'), 'missing_key');
  const bound = await follow(secret);
  const whole = await follow(home.key);
  const theirs = await follow(other.key);
  await until(() => [bound, whole, theirs].every((stream) => stream.lastId() !== ''));
  const ids: string[] = [];
  for (const { address } of [second, mine]) {
    ids.push((await send(other.key, { to: address, body: 'Hi', sync: true })).body.id);
  }
  await until(() => whole.events.length === 2 && bound.events.length === 1);
  assert.deepEqual(
    eventsOf(whole).map(({ data }) => data.id),
    ids,
  );
  assert.deepEqual(
    eventsOf(bound).map(({ data }) => data.id),
    ids.slice(1),
  );
  assert.equal(theirs.events.length, 0);
  const { items } = await page(secret);
  assert.deepEqual(
    items.map(({ mailbox }) => mailbox),
    [mine.address, mine.address],
  );
  // Only callers that may change the mailbox see its settings.
  assert.deepEqual(items[0]?.data.behavior, { name: 'hello' });
  for (const stream of [bound, whole, theirs]) stream.close();
});

test('the stream of a revoked key ends within seconds, and asking again is refused', async () => {
  const home = await newNamespace();
  const key = await newKey(home, { scopes: ['messages:read'] });
  const stream = await follow(key.secret);
  const from = performance.now();
  await api('DELETE', `/keys/${key.id}`, { key: home.key });
  await stream.ended;
  await assertSoon(performance.now() - from, 6_000, 'the end');
  isProblem(await api('GET', '/events', { key: key.secret }), 'invalid_key');
});

test('a key has so many streams open and no more, and a closed one makes room', async () => {
  const { key } = await newNamespace();
  const streams = await Promise.all(Array.from({ length: 50 }, () => follow(key)));
  assert.ok(streams.every(({ status }) => status === 200));
  const refused = await api('GET', '/events', { key, headers: { accept: 'text/event-stream' } });
  isProblem(refused, 'rate_limited');
  assert.ok(refused.headers.get('retry-after'));
  for (const stream of streams) stream.close();
  await until(async () => {
    const again = await follow(key);
    again.close();
    return again.status === 200;
  });
});

test('a silent stream is kept alive, and ends when the service stops', async () => {
  const short = await serveInside({ env: { REQUEST_SECONDS: '3' } });
  const stream = await follow(short.ownerKey, {}, short.url);
  // One comes every 1.5 s, and a machine that stalls does not make up for missed ones.
  await lookUntil(
    20_000,
    async () => stream.text().split(':\n\n').length - 1,
    (beats) => beats >= 3,
  );
  const stopping = short[Symbol.asyncDispose]();
  await stream.ended;
  await stopping;
});

// That nodes tell each other at once is shown by process/nodes.test.ts.
test('on two nodes a stream on one tells at once what happens on the other, each once', LONG_ONLY, async () => {
  const postgres = await startPostgres();
  after(() => postgres[Symbol.asyncDispose]());
  await using nodes = await startNodes({ postgres, count: 2 });
  const [a, b] = [nodes.named('a').client, nodes.named('b').client];
  const home: Home = await a.newNamespace();
  const { address } = await a.newMailbox(home);
  const stream = await follow(home.key, {}, a.url);
  await until(() => stream.lastId() !== '');
  const sent: string[] = [];
  await Promise.all(
    [a, b].map(async (node) => {
      for (let i = 0; i < 40; i++) {
        sent.push((await node.send(home.key, { to: address, body: 'x', sync: i % 4 > 0 })).body.id);
      }
    }),
  );
  await until(() => eventsOf(stream).filter(({ type }) => type === 'message.completed').length >= sent.length);
  const ends = eventsOf(stream).filter(({ type }) => type === 'message.completed');
  assert.deepEqual(ends.map(({ data }) => data.id).sort(), [...sent].sort());
  // Events come at once, not with the check each second, which some could meet by chance.
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const before = stream.events.length;
    const from = performance.now();
    await b.send(home.key, { to: address, body: 'x', sync: true });
    await until(() => stream.events.length > before);
    times.push(performance.now() - from);
  }
  times.sort((x, y) => x - y);
  await assertSoon(times[2] as number, 400, 'half of them');
  stream.close();
});
