import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentCard, AgentCard as AgentCardJson, canonicalizeAgentCard } from '@a2a-js/sdk';
import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { a2aClient, rpc } from '../../../../tests/harness/a2a.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, change } = connect(service.url);

const cardOf = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/a2a/${address}/.well-known/agent-card.json`, { headers });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The keys that a signature names; those of a closed address are for its own keys. */
async function keysAt(protectedHeader: string, headers = {}): Promise<ReturnType<typeof createLocalJWKSet>> {
  const { jku } = JSON.parse(Buffer.from(protectedHeader, 'base64url').toString());
  const response = await fetch(new URL(new URL(jku).pathname, service.url), { headers });
  return createLocalJWKSet((await response.json()) as JSONWebKeySet);
}

interface Signed {
  readonly signatures?: readonly { readonly protected: string; readonly signature: string }[];
}

/** Which signatures are of this text. */
async function signing({ signatures = [] }: Signed, text: string, headers = {}): Promise<readonly number[]> {
  const payload = Buffer.from(text).toString('base64url');
  const verified = await Promise.all(
    signatures.map(async ({ protected: header, signature }, at) => {
      const keys = await keysAt(header, headers);
      return flattenedVerify({ payload, protected: header, signature }, keys).then(
        () => at,
        () => -1,
      );
    }),
  );
  return verified.filter((at) => at >= 0);
}

/** RFC 8785 of a document without numbers. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical((value as never)[name])}`).join(',')}}`;
};

/** How many signatures are of a card in the form in which the SDK compares it. */
const signingForm = async (card: AgentCard, headers = {}): Promise<number> =>
  (await signing(card, canonicalizeAgentCard(card), headers)).length;

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
  assert.equal(await signingForm(card), 1);
  assert.equal(await signingForm({ ...card, description: 'Another' }), 0);
});

test('a client of A2A 0.3 finds the card where its version has it', async () => {
  const { address } = await newMailbox(await newNamespace());
  for (const path of ['agent.json', 'agent.json/']) {
    const response = await fetch(`${service.url}/a2a/${address}/.well-known/${path}`);
    assert.equal(response.status, 200, path);
    const card = (await response.json()) as { readonly url: string; readonly protocolVersion: string };
    assert.deepEqual([new URL(card.url).pathname, card.protocolVersion], [`/a2a/${address}`, '0.3.0']);
  }
});

const EXTENDED = {
  '1.0': { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' },
  '0.3': { jsonrpc: '2.0', id: 1, method: 'agent/getAuthenticatedExtendedCard' },
};

test('a card as it is served is signed, word for word, and in the forms in which the SDK compares cards', async () => {
  const home = await newNamespace();
  for (const more of [
    { try_out: true, description: 'Says “é”, \u2028 and 🙂.' },
    { try_out: false, behavior: { name: 'do' } },
    { try_out: false, access: 'key', display_name: 'Ada "A" \\ Lovelace' },
  ]) {
    const { address } = await newMailbox(home, more);
    const served: string[] = [await (await cardOf(address, bearer(home.key))).text()];
    for (const version of ['1.0', '0.3'] as const) {
      const { body } = await rpc(service, address, EXTENDED[version], { key: home.key, version });
      served.push(JSON.stringify(body.result));
    }
    const http = await fetch(`${service.url}/a2a/${address}/v1/extendedAgentCard`, {
      headers: { ...bearer(home.key), 'a2a-version': '1.0' },
    });
    served.push(await http.text());
    for (const [at, text] of served.entries()) {
      const card = JSON.parse(text) as Signed & Record<string, unknown>;
      const { signatures: _, ...document } = card;
      assert.deepEqual(await signing(card, canonical(document), bearer(home.key)), [0], `${at}: ${text}`);
      // What a client must do to call it is signed too.
      for (const change of [{ securitySchemes: undefined }, { securityRequirements: [] }, { name: 'Another' }])
        assert.deepEqual(await signing(card, canonical({ ...document, ...change }), bearer(home.key)), []);
      // A card of 0.3 is in the words of 0.3, which the SDK does not sign.
      if ('protocolVersion' in card) continue;
      for (const form of [card as never, AgentCardJson.fromJSON(card)])
        assert.equal(await signingForm(form, bearer(home.key)), 1, `${at}: ${text}`);
    }
  }
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
  assert.equal(await signingForm(whole), 1);
  assert.ok(whole.skills.length > open.skills.length, JSON.stringify([whole.skills.length, open.skills.length]));
  const refused = await rpc(service, address, { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' });
  assert.equal(refused.status, 401);
  assert.equal(refused.body.error.data[0].reason, 'MISSING_KEY');
});

test('who is given the URL of the interface alone finds the card there', async () => {
  const { address } = await newMailbox(await newNamespace(), { behavior: { name: 'hello' } });
  const card = await fetch(`${service.url}/a2a/${address}`, { headers: { accept: 'application/json' } });
  assert.equal(card.status, 200);
  assert.deepEqual(await card.json(), await (await cardOf(address)).json());
});

test('a client of A2A 0.3 finds its interface and how it authenticates in the same card', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { try_out: false, visibility: 'listed' });
  const { signatures, ...card } = JSON.parse(await (await cardOf(address)).text());
  const { url, preferredTransport, protocolVersion, supportsAuthenticatedExtendedCard, security } = card;
  assert.deepEqual(
    { url, preferredTransport, protocolVersion, supportsAuthenticatedExtendedCard, security },
    {
      url: `${new URL(card.supportedInterfaces[2].url).origin}/a2a/${address}`,
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3.0',
      supportsAuthenticatedExtendedCard: true,
      security: [{ key: [] }],
    },
  );
  const { type, scheme } = card.securitySchemes.key;
  assert.deepEqual([type, scheme], ['http', 'Bearer']);
  assert.equal((await signing({ signatures }, canonical(card))).length, 1);
});

test('what a card says by itself is ASCII, of every behavior', async () => {
  const home = await newNamespace();
  const { items } = (await api<Page<{ readonly name: string }>>('GET', '/behaviors')).body;
  for (const { name } of items) {
    const { address } = await newMailbox(home, { behavior: { name } });
    const texts = [await (await cardOf(address)).text()];
    for (const version of ['1.0', '0.3'] as const)
      texts.push(JSON.stringify((await rpc(service, address, EXTENDED[version], { key: home.key, version })).body));
    for (const text of texts) assert.match(text, /^[ -~]+$/, name);
  }
});
