import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { inboxListener, mcpClient, type Told } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';

const service = await sharedService();
const { api, newNamespace, newKey, newMailbox, send } = connect(service.url);

const soon = (isSo: () => boolean): Promise<unknown> => until(5_000, async () => isSo(), Boolean);

const listener = (key: string, uris: readonly string[], path = '') => inboxListener(service.url, uris, { key, path });

test('a client is told of each message that arrives or changes in its inbox, and reads what is new', async () => {
  const home = await newNamespace();
  const [{ address }, other] = [await newMailbox(home), await newMailbox(home)];
  const uri = `mailroom://inbox/${address}`;
  await using mine = await listener(home.key, [uri]);
  assert.deepEqual(mine.subscription.honoredFilter?.resourceSubscriptions, [uri]);
  const { cursor } = await mine.read(uri);
  await send(home.key, { to: other.address, body: 'Not for this one.' });
  const { id } = (await send(home.key, { to: address, body: 'Hello?' })).body;
  await soon(() => mine.told.some(({ message }) => message === id));
  assert.deepEqual(new Set(mine.told.map(({ message }) => message)), new Set([id]));
  const { messages, more } = await mine.read(`${uri}?after=${cursor}`);
  assert.deepEqual([messages.map((one) => one.id), more], [[id], false]);
  assert.equal(messages[0]?.status, 'completed');
});

test('the inbox of a key has all of its namespace, and a bound key that of its address', async () => {
  const home = await newNamespace();
  const [one, two] = [await newMailbox(home), await newMailbox(home)];
  const bound = await newKey(home, { scopes: ['messages:read'], mailbox: one.address });
  await using all = await listener(home.key, ['mailroom://inbox']);
  await using its = await listener(bound.secret, ['mailroom://inbox']);
  const ids: string[] = [];
  for (const { address } of [two, one]) ids.push((await send(home.key, { to: address, body: 'Hi' })).body.id);
  await soon(() => ids.every((id) => all.told.some(({ message }) => message === id)));
  await soon(() => its.told.some(({ message }) => message === ids[1]));
  assert.ok(!its.told.some(({ message }) => message === ids[0]));
});

test('what was missed is told after the cursor, in order, without a gap or a double', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const uri = 'mailroom://inbox';
  const first = await listener(home.key, [uri]);
  const sent: string[] = [(await send(home.key, { to: address, body: '0' })).body.id];
  await soon(() => first.told.some(({ event }) => event === 'message.completed'));
  const { cursor } = first.told.at(-1) as Told;
  await first.client.close();
  for (let at = 1; at <= 150; at += 1) sent.push((await send(home.key, { to: address, body: String(at) })).body.id);
  await using second = await listener(home.key, [`${uri}?after=${cursor}`]);
  sent.push((await send(home.key, { to: address, body: 'now' })).body.id);
  await soon(() => second.told.some(({ message, event }) => message === sent.at(-1) && event === 'message.completed'));
  const ends = second.told.filter(({ event }) => event === 'message.completed').map(({ message }) => message);
  assert.deepEqual(ends, sent.slice(1));
  const cursors = second.told.map((one) => one.cursor);
  assert.deepEqual(cursors, [...new Set(cursors)].sort());
});

test('an inbox of others, or without messages:read, is not subscribed to', async () => {
  const [home, stranger] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home);
  const uri = `mailroom://inbox/${address}`;
  await using theirs = await listener(stranger.key, [uri, 'mailroom://inbox', 'file:///etc/passwd']);
  assert.deepEqual(theirs.subscription.honoredFilter?.resourceSubscriptions, ['mailroom://inbox']);
  await send(stranger.key, { to: address, body: 'Hi' });
  await assert.rejects(theirs.read(uri), /not found/i);
  const writing = await newKey(home, { scopes: ['mail:send'] });
  const client = await mcpClient(service.url, { key: writing.secret });
  assert.equal(client.getServerCapabilities()?.resources?.subscribe, undefined);
  await client.close();
  await using guest = await listener(stranger.key, [uri], `/${address}`);
  assert.deepEqual(guest.subscription.honoredFilter?.resourceSubscriptions ?? [], []);
});

test('a cursor that is none is refused with what to send instead', async () => {
  const home = await newNamespace();
  await assert.rejects(listener(home.key, ['mailroom://inbox?after=yesterday']), /evt_/);
});

test('a revoked key is told nothing more, and its stream ends', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const reading = await newKey(home, { scopes: ['messages:read'] });
  await using mine = await listener(reading.secret, ['mailroom://inbox']);
  await send(home.key, { to: address, body: 'Before' });
  await soon(() => mine.told.length > 0);
  await api('DELETE', `/keys/${reading.id}`, { key: home.key });
  const before = mine.told.length;
  await send(home.key, { to: address, body: 'After' });
  await mine.subscription.closed;
  assert.equal(mine.told.length, before);
});
