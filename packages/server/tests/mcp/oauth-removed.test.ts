import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { CALLBACK, connectSignedIn, SignedInClient, signInAt } from '../../../../tests/harness/mcp-oauth.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import { Person } from '../../../../tests/harness/person.ts';

// What a member let a client do ends with their membership, and stays ended when they are invited again.

const inside = await startInside();
const { url, store, client } = inside;
const { newNamespace, newMailbox } = client;
const outbox = new Outbox(inside.outbox);
const home = await newNamespace();
await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } });
await joinAs(store, home, { address: `${unique('stays')}@example.com`, role: 'owner' });

/** A client of the issuer of a namespace. */
async function clientOf(namespace: string): Promise<string> {
  const mailbox = (await store.mailboxes.byAddress('auth', namespace)) ?? assert.fail(namespace);
  const now = inside.now();
  const id = newId('cli', now);
  const clientRow = await store.clients.create({
    ...{ id, namespace_id: mailbox.namespace_id, mailbox_id: mailbox.id, source: 'owner', name: 'Assistant' },
    metadata: JSON.stringify({
      client_name: 'Assistant',
      redirect_uris: [CALLBACK],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
    ...{ secret: null, created_at: now, updated_at: now },
  });
  assert.equal(clientRow, 'created');
  return id;
}

/** Removes the member as an owner does in the console. */
async function remove(id: string, then: string): Promise<void> {
  const owner = new Person(url);
  assert.equal((await owner.post('/console', { key: home.key })).at, '/console');
  const page = await owner.get(`/console/members?change=${id}`);
  assert.match((await owner.send(page, ['do', 'remove'], { then })).at, /\?done=/);
}

for (const [server, issuer, then] of [
  [`/mcp/${home.name}`, home.name, 'stop'],
  ['/mcp', 'agents', 'pass'],
] as const)
  test(`what a member let a client do at ${issuer === home.name ? 'the server of a namespace' : server} ends for good with their removal (${then})`, async () => {
    const address = `${unique('m')}@example.com`;
    const member = await joinAs(store, home, { address, role: 'editor' });
    const client_id = await clientOf(issuer);
    const signIn = async (): Promise<SignedInClient> => {
      const provider = new SignedInClient({ client_id });
      await using _ = await connectSignedIn(url + server, provider, (at) => signInAt(at, address, outbox));
      return provider;
    };
    const list = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
      return (await fetch(url + server, init)).status;
    };
    const provider = await signIn();
    assert.equal(await list(provider.accessToken), 200);
    await remove(member.id, then);
    const again = await joinAs(store, home, { address, role: 'editor' });
    assert.equal(again.id, member.id);
    assert.equal(await list(provider.accessToken), 401, 'its token is over');
    const { refresh_token = '' } = provider.tokens() ?? {};
    assert.notEqual(refresh_token, '');
    const refreshed = await fetch(`${url}/oidc/${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token, resource: url + server }),
    });
    assert.match(await refreshed.text(), /invalid_grant/);
    assert.equal((await client.api('GET', '/me', { key: member.secret })).status, 401, 'and so is their key');
    assert.equal(await list((await signIn()).accessToken), 200, 'another consent counts');
  });
