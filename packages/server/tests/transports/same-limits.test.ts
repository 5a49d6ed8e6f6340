import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { allSame, keyDoors, mail, page, type Shown } from '../../../../tests/harness/doors.ts';
import { startInside } from '../../../../tests/harness/inside.ts';

const inside = await startInside({
  env: {
    RATE_LIMITS: 'on',
    SMTP_LISTEN: '127.0.0.1:0',
    LIMIT_SENDS_PER_MINUTE: '6',
    LIMIT_SENDS_BURST: '6',
    LIMIT_TRIES_PER_MINUTE: '1',
    LIMIT_WAITING: '2',
    LIMIT_NAMESPACES_PER_HOUR: '100',
  },
});
const { url, newNamespace, newMailbox, newPaused, newKey, read } = connect(inside.client.url);
const DOORS = keyDoors(url);
const PAGE = page(url);

const SENDS = 6;
/** A send becomes free each ten seconds. */
const FREE_MS = 60_000 / SENDS;

test('every transport takes from one count of sends of a key, and says the same when it is used up', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const from = inside.now();
  const views = new Map<string, Shown>();
  let sent = 0;
  for (let n = 0; views.size < DOORS.length; n++) {
    const door = DOORS[n % DOORS.length] as (typeof DOORS)[number];
    const one = await door.send(address, 'Hello', { key: home.key });
    if (one.status === null) views.set(door.name, one);
    else sent++;
  }
  assert.ok(sent >= SENDS && sent <= SENDS + (inside.now() - from) / FREE_MS, `${sent}`);
  assert.equal(
    allSame([...views], ({ code }) => code),
    'rate_limited',
  );
  for (const [name, { retry_after }] of views) assert.match(retry_after ?? '', /^\d+$/, name);
  const { secret } = await newKey(home, { scopes: ['mail:send'] });
  for (const door of DOORS) assert.equal((await door.send(address, 'Hello', { key: secret })).status, 'completed');
});

test('every transport takes from one count of messages of guests', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  // The burst of one is used up by any of them; the clock gives it back.
  for (const first of [...DOORS, PAGE]) {
    inside.pass(61_000);
    assert.equal((await first.send(address, 'Hello', {})).status, 'completed', first.name);
    for (const next of [...DOORS, PAGE]) {
      const { code, status } = await next.send(address, 'Hello', {});
      assert.equal(status, null, `${first.name}, then ${next.name}`);
      assert.equal(code, next === PAGE ? 'limit' : 'rate_limited', `${first.name}, then ${next.name}`);
    }
  }
});

test('a full address is full for every transport', async () => {
  const home = await newNamespace();
  const { address } = await newPaused(home);
  const first = await DOORS[1]?.send(address, 'One', { key: home.key });
  assert.equal(first?.status, 'submitted');
  assert.equal((await read(home.key, first.id)).body.channel, 'a2a');
  assert.equal((await DOORS[3]?.send(address, 'Two', { key: home.key }))?.status, 'submitted');
  const views: [string, Shown][] = [];
  for (const door of DOORS) {
    const { secret } = await newKey(home, { scopes: ['mail:send'] });
    views.push([door.name, await door.send(address, 'Three', { key: secret })]);
  }
  assert.equal(
    allSame(views, ({ code }) => code),
    'mailbox_full',
  );
  for (const [name, { retry_after }] of views) assert.match(retry_after ?? '', /^\d+$/, name);
  assert.match((await mail(inside.smtp?.port ?? 0, address, 'Three')).said, /^452 4\.2\.2 /);
});
