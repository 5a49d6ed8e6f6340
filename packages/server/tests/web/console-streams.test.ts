import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visitor } from '../../../../tests/harness/console.ts';
import { openStream, type Stream } from '../../../../tests/harness/stream.ts';
import { until } from '../../../../tests/harness/until.ts';
import { MOODY, openVisits } from './console-visits.ts';

const { threads, newNamespace, newMailbox, send, signedIn } = await openVisits();

const live = (who: Visitor, query = '', headers: Record<string, string> = {}): Promise<Stream> =>
  openStream(`${threads.url}/console/live${query}`, { cookie: who.cookie, ...headers });
interface RowEvent {
  readonly id: string;
  readonly fits: boolean;
  readonly html: string;
}
const rowEvents = ({ events }: Stream): RowEvent[] =>
  events.filter(({ event }) => event === 'row').map(({ data }) => JSON.parse(data) as RowEvent);

test('what happens is told as it happens, and who comes back misses nothing', async () => {
  const home = await newNamespace();
  const moody = await newMailbox(home, { behavior: MOODY });
  const who = await signedIn(home);
  const [one, two] = [await live(who), await live(who, `?status=failed`)];
  await until(2_000, async () => one.lastId(), Boolean);
  const sent = async (body: string) => (await send(home.key, { to: moody.address, body, sync: true })).body.id;
  const first = await sent('<b>a');
  const failed = await sent('fail b');
  await until(
    3_000,
    async () => rowEvents(one),
    (rows) => rows.length >= 2,
  );
  assert.deepEqual(
    rowEvents(one).map(({ id }) => id),
    [first, failed],
  );
  assert.ok(rowEvents(one)[0]?.html.includes('&lt;b&gt;a'));
  await until(
    3_000,
    async () => rowEvents(two),
    (rows) => rows.length >= 2,
  );
  assert.deepEqual(
    rowEvents(two).map(({ fits }) => fits),
    [false, true],
  );
  await until(
    3_000,
    async () => one.events.filter(({ event }) => event === 'figures'),
    (all) => all.length > 0,
  );
  const last = one.lastId();
  one.close();
  two.close();
  const missed: string[] = [];
  for (let nth = 0; nth < 40; nth++) missed.push(await sent(`number ${nth}`));
  for (const again of [await live(who, '', { 'last-event-id': last }), await live(who, `?after=${last}`)]) {
    await until(
      3_000,
      async () => rowEvents(again),
      (rows) => rows.length >= missed.length,
    );
    assert.deepEqual(
      rowEvents(again).map(({ id }) => id),
      missed,
    );
    again.close();
  }
  // The page contains the position of its stream, so changes while it loads are not missed.
  const { html } = await who.get('/console');
  const place = /data-place="(evt_[^"]+)"/.exec(html)?.[1];
  const late = await sent('late');
  const stream = await live(who, `?after=${place}`);
  await until(
    3_000,
    async () => rowEvents(stream),
    (rows) => rows.some(({ id }) => id === late),
  );
  stream.close();
});

test('a session has ten streams at most, a name twenty; who closes one makes room', async () => {
  const home = await newNamespace();
  const visitors = [await signedIn(home), await signedIn(home), await signedIn(home)];
  const streams: Stream[] = [];
  for (const who of visitors.slice(0, 2)) {
    for (let nth = 0; nth < 10; nth++) streams.push(await live(who));
    await until(2_000, async () => streams.at(-1)?.lastId(), Boolean);
    assert.equal((await who.get('/console/live')).status, 429);
  }
  const [, , third] = visitors as [Visitor, Visitor, Visitor];
  assert.equal((await third.get('/console/live')).status, 429);
  const hello = await newMailbox(home);
  await send(home.key, { to: hello.address, body: 'to all', sync: true });
  for (const stream of streams) {
    await until(
      5_000,
      async () => stream.events.map(({ event }) => event),
      (all) => all.includes('row') && all.includes('figures'),
    );
  }
  streams.pop()?.close();
  const room = async () => {
    const stream = await live(third);
    await until(300, async () => stream.lastId(), Boolean).catch(() => {});
    stream.close();
    return stream.lastId();
  };
  await until(3_000, room, Boolean);
  for (const stream of streams) stream.close();
});

test('a stream ends with its session, tells nothing of other names, and nothing to strangers', async () => {
  const [home, theirs] = [await newNamespace(), await newNamespace()];
  const [mine, other] = [await newMailbox(home), await newMailbox(theirs)];
  const who = await signedIn(home);
  const stream = await live(who);
  await until(2_000, async () => stream.lastId(), Boolean);
  await send(theirs.key, { to: other.address, body: 'secret of theirs', sync: true });
  await send(home.key, { to: mine.address, body: 'mine', sync: true });
  await until(
    3_000,
    async () => rowEvents(stream),
    (rows) => rows.length > 0,
  );
  assert.ok(!stream.text().includes('secret of theirs'));
  const signedOut = await openStream(`${threads.url}/console/live`, {});
  await signedOut.ended;
  assert.deepEqual(
    signedOut.events.map(({ event }) => event),
    ['out'],
  );
  await who.post('/console/sign-out', { csrf: await who.token(), everywhere: '1' });
  threads.pass(5_000);
  await stream.ended;
  assert.equal(stream.events.at(-1)?.event, 'out');
});
