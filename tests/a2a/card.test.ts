import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentCard } from '@a2a-js/sdk';
import { AgentCard as AgentCardJson, canonicalizeAgentCard } from '@a2a-js/sdk';
import type { JSONWebKeySet } from 'jose';
import { createLocalJWKSet, flattenedVerify } from 'jose';
import { a2aClient, rpc } from '../harness/a2a.ts';
import { connect } from '../harness/client.ts';
import { sharedService } from '../harness/service.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, change } = connect(service.url);

const cardOf = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/a2a/${address}/.well-known/agent-card.json`, { headers });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Verifies the card as a client does: with the keys at the `jku` of its signature. */
async function verify(card: AgentCard): Promise<void> {
  const [signature] = card.signatures;
  assert.ok(signature);
  const { jku } = JSON.parse(Buffer.from(signature.protected, 'base64url').toString());
  const keys = (await (await fetch(new URL(new URL(jku).pathname, service.url))).json()) as JSONWebKeySet;
  const payload = Buffer.from(canonicalizeAgentCard(card)).toString('base64url');
  await flattenedVerify(
    { payload, protected: signature.protected, signature: signature.signature },
    createLocalJWKSet(keys),
  );
}

test('the card names every binding, and its signature is verified with the keys that it names', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { display_name: 'Ada', description: 'Says who Ada is.' });
  const response = await cardOf(address);
  assert.equal(response.status, 200);
  const card = AgentCardJson.fromJSON(await response.json());
  assert.equal(card.name, 'Ada');
  assert.equal(card.description, 'Says who Ada is.');
  assert.deepEqual(
    card.supportedInterfaces.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`),
    ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3'],
  );
  assert.ok(card.supportedInterfaces.every(({ url }) => new URL(url).pathname.startsWith(`/a2a/${address}`)));
  assert.equal(card.skills.length, 1);
  await verify(card);
  await assert.rejects(verify({ ...card, description: 'Another' }), /signature/);
});

test('a card that did not change is answered 304, and a changed one is new', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const first = await cardOf(address);
  const etag = first.headers.get('etag') ?? '';
  assert.notEqual(etag, '');
  assert.match(first.headers.get('cache-control') ?? '', /max-age=\d+/);
  assert.equal((await cardOf(address, { 'if-none-match': etag })).status, 304);
  await change(home.key, address, { description: 'Another' });
  const second = await cardOf(address, { 'if-none-match': etag });
  assert.equal(second.status, 200);
  assert.notEqual(second.headers.get('etag'), etag);
});

test('there is no card of an unlisted, closed, foreign or deleted address, but for its own keys', async () => {
  const home = await newNamespace();
  const unlisted = await newMailbox(home, { local_part: 'unlisted', visibility: 'unlisted' });
  const closed = await newMailbox(home, { local_part: 'closed', access: 'key' });
  for (const { address } of [unlisted, closed]) {
    assert.equal((await cardOf(address)).status, 404);
    assert.equal((await cardOf(address, bearer((await newNamespace()).key))).status, 404);
    assert.equal((await cardOf(address, bearer(home.key))).status, 200);
  }
  const stranger = await newNamespace();
  const extended = { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' };
  for (const { address } of [unlisted, closed]) {
    assert.equal((await rpc(service, address, extended, { key: stranger.key })).status, 404);
    assert.equal((await rpc(service, address, extended, { key: home.key })).body.error, undefined);
  }
  await api('DELETE', `/mailboxes/${unlisted.address}`, { key: home.key });
  assert.equal((await cardOf(unlisted.address, bearer(home.key))).status, 410);
  for (const address of ['nobody@agents.mailroom.localhost', 'ada@example.org', 'no address'])
    assert.equal((await cardOf(encodeURIComponent(address))).status, 404, address);
});

test('the extended card is for keys, and has the tasks that change something', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'do' } });
  const open = AgentCardJson.fromJSON(await (await cardOf(address)).json());
  const client = await a2aClient(service, address, { key: home.key });
  const whole = await client.getAgentCard();
  await verify(whole);
  assert.ok(whole.skills.length > open.skills.length, JSON.stringify([whole.skills.length, open.skills.length]));
  const refused = await rpc(service, address, { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' });
  assert.equal(refused.status, 401);
  assert.equal(refused.body.error.data[0].reason, 'MISSING_KEY');
});
