import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, tryOut, change, all } = connect(service.url);

const make = (home: { name: string; key: string }, body: unknown) =>
  api<Mailbox>('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body });

test('settings are shown to keys that may change mailboxes of the namespace, to no other, and in no list', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home);
  const writer = await newKey(home, { scopes: ['mailboxes:write'] });
  const reader = await newKey(home, { scopes: ['messages:read', 'mail:send', 'keys:write', 'auth:assert'] });
  const readBy = async (key?: string) =>
    (await api<Mailbox>('GET', `/mailboxes/${mailbox.address}`, { key })).body.behavior;
  const listed = async (key?: string) => (await all<Mailbox>(`/namespaces/${home.name}/mailboxes`, key))[0]?.behavior;
  const inDirectory = async (key?: string) =>
    (await all<Mailbox>(`/mailboxes?namespace=${home.name}`, key))[0]?.behavior;
  for (const key of [home.key, writer.secret]) {
    assert.deepEqual(await readBy(key), HELLO);
    assert.deepEqual(await listed(key), { name: 'hello' });
    assert.deepEqual(await inDirectory(key), { name: 'hello' });
  }
  for (const key of [reader.secret, stranger.key, undefined]) {
    assert.deepEqual(await readBy(key), { name: 'hello' });
    assert.deepEqual(await listed(key), { name: 'hello' });
  }
  assert.deepEqual(await inDirectory(stranger.key), { name: 'hello' });
  assert.deepEqual(await inDirectory(), { name: 'hello' });
});

test('an unlisted mailbox is for whoever has its address', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home, { visibility: 'unlisted' });
  assert.equal((await api('GET', `/mailboxes/${mailbox.address}`)).status, 200);
  assert.equal((await api('GET', `/mailboxes/${mailbox.address}`, { key: stranger.key })).status, 200);
  assert.deepEqual(await all(`/mailboxes?namespace=${home.name}`), []);
  assert.equal((await send(stranger.key, { to: mailbox.address, body: 'Hi', sync: true })).body.status, 'completed');
  assert.equal((await tryOut({ to: mailbox.address, body: 'Hi' })).status, 200);
});

test('a mailbox with access "key" exists for the keys of its namespace only', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home, { access: 'key', visibility: 'unlisted' });
  assert.equal(mailbox.try_out, false);
  const path = `/mailboxes/${mailbox.address}`;
  const sender = await newKey(home, { scopes: ['mail:send'] });
  assert.equal((await api('GET', path, { key: home.key })).status, 200);
  assert.equal((await api('GET', path, { key: sender.secret })).status, 200);
  assert.equal((await send(sender.secret, { to: mailbox.address, body: 'Hi', sync: true })).status, 200);
  isProblem(await api('GET', path), 'mailbox_not_found');
  isProblem(await api('GET', path, { key: stranger.key }), 'mailbox_not_found');
  isProblem(await send(stranger.key, { to: mailbox.address, body: 'Hi' }), 'mailbox_not_found');
  isProblem(await tryOut({ to: mailbox.address, body: 'Hi' }), 'mailbox_not_found');
  isProblem(await api('GET', `${path}/messages`, { key: stranger.key }), 'mailbox_not_found');
  isProblem(await api('PATCH', path, { key: stranger.key, body: { description: 'x' } }), 'mailbox_not_found');
  isProblem(await api('DELETE', path, { key: stranger.key }), 'mailbox_not_found');
});

test('whatever a list shows to someone, that someone can open', async () => {
  const home = await newNamespace();
  await newMailbox(home, { local_part: 'keyed', access: 'key', visibility: 'listed' });
  await newMailbox(home, { local_part: 'open' });
  for (const list of [`/mailboxes?namespace=${home.name}`, `/namespaces/${home.name}/mailboxes`]) {
    for (const mailbox of await all<Mailbox>(list)) {
      assert.equal((await api('GET', `/mailboxes/${mailbox.address}`)).status, 200, `${list}: ${mailbox.address}`);
    }
  }
});

test('access "key" leaves no try-out', async () => {
  const home = await newNamespace();
  isProblem(
    await make(home, { local_part: 'ada', behavior: HELLO, access: 'key', try_out: true }),
    'validation_error',
    '/try_out',
  );
  const mailbox = await newMailbox(home);
  assert.equal(mailbox.try_out, true);
  const keyed = await change(home.key, mailbox.address, { access: 'key' });
  assert.equal(keyed.access, 'key');
  assert.equal(keyed.try_out, false);
  isProblem(
    await api('PATCH', `/mailboxes/${mailbox.address}`, { key: home.key, body: { try_out: true } }),
    'validation_error',
    '/try_out',
  );
});
