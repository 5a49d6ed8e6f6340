import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AllowedService, newAuth, newService } from '../../../../tests/harness/auth.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Mailbox, Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const client = connect(service.url);
const { api, newNamespace, newMailbox, newKey } = client;
const [home, issuer] = [await newNamespace(), await newNamespace()];
const auth = await newAuth(client, issuer);
const app = await newService(client, issuer, auth, { name: 'Example App' });
const pathOf = ({ address }: Mailbox) => `/mailboxes/${address}/services`;
const allow = (box: Mailbox, body: object, key = home.key) => api<AllowedService>('POST', pathOf(box), { key, body });
const list = async (box: Mailbox) =>
  (await api<Page<AllowedService>>('GET', pathOf(box), { key: home.key })).body.items;

test('an owner lets a mailbox sign in to a service of any namespace, by its issuer or the namespace alone', async () => {
  const box = await newMailbox(home);
  const allowance = await allow(box, { issuer: issuer.name, client_id: app.id });
  assert.equal(allowance.status, 201, allowance.text);
  assert.deepEqual(allowance.body, { ...allowance.body, issuer: app.issuer, client_id: app.id, name: 'Example App' });
  const again = await allow(box, { issuer: app.issuer, client_id: app.id, name: 'Other name' });
  assert.deepEqual(again.body, allowance.body, 'once is enough');
  assert.deepEqual(await list(box), [allowance.body]);
  assert.deepEqual(await list(await newMailbox(home)), []);
});

test('a service that names itself by the URL of its metadata is allowed by that URL', async () => {
  const box = await newMailbox(home);
  const client_id = 'https://app.example.com/client.json';
  const made = await allow(box, { issuer: issuer.name, client_id });
  assert.equal(made.body.name, 'app.example.com');
  assert.equal((await allow(box, { issuer: issuer.name, client_id: `${client_id}2`, name: 'Mine' })).body.name, 'Mine');
  for (const wrong of [
    'https://app.example.com',
    'http://app.example.com/client.json',
    'https://ada@app.example.com/client.json',
    'https://app.example.com/a/../client.json',
    'https://app.example.com/client.json#x',
  ]) {
    isProblem(await allow(box, { issuer: issuer.name, client_id: wrong }), 'validation_error', '/client_id');
  }
  assert.deepEqual(
    (await list(box)).map((one) => one.client_id),
    [`${client_id}2`, client_id],
  );
});

test('what nobody signs in by, and what is no service of it, is refused', async () => {
  const box = await newMailbox(home);
  const gone = await newNamespace();
  await newAuth(client, gone);
  await api('DELETE', `/namespaces/${gone.name}`, { key: gone.key });
  for (const wrong of [home.name, 'nobody-here', gone.name, 'https://other.example/oidc/x', `${app.issuer}/x`, '??']) {
    isProblem(await allow(box, { issuer: wrong, client_id: app.id }), 'validation_error', '/issuer');
  }
  const mine = await newService(client, home, await newAuth(client, home));
  for (const wrong of ['cli_00000000000000000000', mine.id, 'nonsense']) {
    isProblem(await allow(box, { issuer: issuer.name, client_id: wrong }), 'validation_error', '/client_id');
  }
  assert.deepEqual(await list(box), []);
});

test('what is removed is asked about again: it, and nothing else', async () => {
  const [box, other] = [await newMailbox(home), await newMailbox(home)];
  const second = await newService(client, issuer, auth, { name: 'Second' });
  const kept = (await allow(box, { issuer: issuer.name, client_id: second.id })).body;
  const { id } = (await allow(box, { issuer: issuer.name, client_id: app.id })).body;
  await allow(other, { issuer: issuer.name, client_id: app.id });
  isProblem(await api('DELETE', `${pathOf(box)}/nonsense`, { key: home.key }), 'not_found');
  assert.equal((await api('DELETE', `${pathOf(box)}/${id}`, { key: home.key })).status, 204);
  isProblem(await api('DELETE', `${pathOf(box)}/${id}`, { key: home.key }), 'not_found');
  assert.deepEqual(await list(box), [kept]);
  assert.equal((await list(other)).length, 1);
});

test('a service that its owner removes is no longer allowed anywhere', async () => {
  const box = await newMailbox(home);
  const doomed = await newService(client, issuer, auth);
  await allow(box, { issuer: issuer.name, client_id: doomed.id });
  await api('DELETE', `/mailboxes/${auth.address}/clients/${doomed.id}`, { key: issuer.key });
  assert.deepEqual(await list(box), []);
});

test('only keys that run the mailbox see and change what it may do', async () => {
  const box = await newMailbox(home);
  const { id } = (await allow(box, { issuer: issuer.name, client_id: app.id })).body;
  const weak = (await newKey(home, { scopes: ['mail:send', 'auth:assert', 'messages:read', 'keys:write'] })).secret;
  const bound = (await newKey(home, { scopes: ['mailboxes:write'], mailbox: box.address })).secret;
  const elsewhere = (await newKey(home, { scopes: ['mailboxes:write'], mailbox: (await newMailbox(home)).address }))
    .secret;
  const asks: [string, string, object?][] = [
    ['GET', ''],
    ['POST', '', { issuer: issuer.name, client_id: app.id }],
    ['DELETE', `/${id}`],
  ];
  for (const [method, rest, body] of asks) {
    const ask = (key: string | undefined) => api(method, pathOf(box) + rest, { key, body });
    isProblem(await ask(undefined), 'missing_key');
    isProblem(await ask(weak), 'insufficient_scope');
    isProblem(await ask(issuer.key), 'access_denied');
    isProblem(await ask(elsewhere), 'access_denied');
    const own = await ask(bound);
    assert.ok(own.status < 300, own.text);
  }
  assert.deepEqual(await list(box), []);
});
