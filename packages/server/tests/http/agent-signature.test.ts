import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { after, test } from 'node:test';
import { calculateJwkThumbprint } from 'jose';
import { generateNonce, signatureHeaders } from 'web-bot-auth';
import { signerFromJWK } from 'web-bot-auth/crypto';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { startHttps } from '../../../../tests/harness/https.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import type { Resolver } from '../../net/guarded-connect.ts';

const TYPE = 'application/http-message-signatures-directory+json';
const PATH = '/.well-known/http-message-signatures-directory';
/** What the agent's origin publishes; undefined for a directory that is not there. */
let published: { readonly keys: readonly object[] } | undefined;
let media = TYPE;
const agent = await startHttps(['agent.test', 'other.test'], (_request, response) => {
  response.writeHead(published === undefined ? 503 : 200, { 'content-type': media });
  response.end(JSON.stringify(published ?? {}));
});
const AGENT = `https://agent.test:${agent.port}`;
const OTHER = `https://other.test:${agent.port}`;
const resolve: Resolver = async (name) =>
  name.endsWith('.test') && name !== 'inside.test'
    ? [{ address: '127.0.0.1', family: 4, trusted: true }]
    : [{ address: '10.0.0.1', family: 4 }];
const inside = await startInside({ resolve });
after(() => agent[Symbol.asyncDispose]());
const { client } = inside;
const home = await client.newNamespace();
const { address } = await client.newMailbox(home, { local_part: 'hello' });
const url = new URL(inside.url);

interface Pair {
  readonly privateKey: KeyObject;
  readonly jwk: { readonly kty: string; readonly crv: string; readonly x: string };
  readonly id: string;
}
async function newPair(): Promise<Pair> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' }) as Pair['jwk'];
  return { privateKey, jwk, id: await calculateJwkThumbprint(jwk) };
}
const pair = await newPair();
const stranger = await newPair();
const publish = (of: typeof published, type = TYPE): void => {
  published = of;
  media = type;
};
const directory = (...keys: readonly object[]): void => {
  published = { keys };
};
directory(pair.jwk);

const seconds = (): number => Math.floor(inside.now() / 1000);
interface How {
  readonly authority?: string;
  readonly agent?: string;
  readonly key?: Pair;
  readonly keyid?: string;
  /** Covered components as they are written, with their values. */
  readonly covered?: readonly (readonly [string, string])[];
  readonly params?: Readonly<Record<string, string | number | undefined>>;
  readonly label?: string;
}

/** Signs a request by hand, as in RFC 9421, section 2.5. */
function signed(how: How = {}): Record<string, string> {
  const { authority = url.host, agent: origin = AGENT, key = pair, label = 'sig1' } = how;
  const covered = how.covered ?? [
    ['"@authority"', authority],
    [`"signature-agent";key="${label}"`, `"${origin}"`],
  ];
  const params = {
    created: seconds(),
    expires: seconds() + 60,
    nonce: randomUUID(),
    keyid: how.keyid ?? key.id,
    alg: 'ed25519',
    tag: 'web-bot-auth',
    ...how.params,
  };
  const list = `(${covered.map(([name]) => name).join(' ')})${Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `;${name}=${typeof value === 'number' ? value : `"${value}"`}`)
    .join('')}`;
  const base = [...covered.map(([name, value]) => `${name}: ${value}`), `"@signature-params": ${list}`].join('\n');
  return {
    'signature-agent': `${label}="${origin}"`,
    'signature-input': `${label}=${list}`,
    signature: `${label}=:${sign(null, Buffer.from(base), key.privateKey).toString('base64')}:`,
  };
}

interface Tried {
  readonly id: string;
  readonly status: string;
  readonly sender: { readonly kind: string; readonly agent?: string };
  readonly code?: string;
  readonly detail?: string;
}
const TRY = '/api/v1/mail/try';
async function tryOut(headers: Record<string, string>, body: object = { to: address, body: 'Hello' }) {
  const response = await fetch(inside.url + TRY, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Tried };
}
async function refused(headers: Record<string, string>, status: 400 | 401, why: RegExp, body?: object): Promise<void> {
  const count = async () => (await client.all<unknown>(`/mailboxes/${address}/messages`, home.key)).length;
  const countBefore = await count();
  const answer = await tryOut(headers, body);
  const code = status === 401 ? 'invalid_signature' : 'malformed_request';
  assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body));
  assert.match(answer.body.detail ?? '', why);
  assert.equal(await count(), countBefore, 'nothing was stored');
}

test('a signed message of a guest names the agent whose published key verified it, to sender and recipient', async () => {
  const { status, body } = await tryOut(signed());
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.sender, { kind: 'guest', id: (body.sender as { id?: string }).id, agent: AGENT });
  const read = await client.read(home.key, body.id);
  assert.equal((read.body as unknown as Tried).sender.agent, AGENT);
  const exported = await client.api('GET', `/mailboxes/${address}/messages`, { key: home.key });
  assert.ok(exported.text.includes(AGENT));
});

test('an unsigned request, and one that other software signed, is taken as before', async () => {
  const plain = await tryOut({});
  assert.deepEqual([plain.status, 'agent' in plain.body.sender], [200, false]);
  const { signature = '', 'signature-input': input = '' } = signed({ params: { tag: 'some-proxy' } });
  const other = await tryOut({ signature, 'signature-input': input });
  assert.deepEqual([other.status, 'agent' in other.body.sender], [200, false]);
});

test('a client of the package web-bot-auth is verified unchanged', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  directory(publicKey.export({ format: 'jwk' }), pair.jwk);
  inside.pass(60_000);
  const signer = await signerFromJWK(privateKey.export({ format: 'jwk' }) as never);
  const request = new Request(`http://${url.host}${TRY}`, {
    method: 'POST',
    headers: { 'Signature-Agent': `"${AGENT}"` },
  });
  // The package compares with the real clock, the service with its own.
  const [created, expires] = [new Date(inside.now() - 1000), new Date(inside.now() + 120_000)];
  const signature = await signatureHeaders(request, signer, { created, expires, nonce: generateNonce() });
  const { status, body } = await tryOut({
    'signature-agent': `"${AGENT}"`,
    'signature-input': signature['Signature-Input'],
    signature: signature.Signature,
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.sender.agent, AGENT);
  directory(pair.jwk);
});

test('a key, A2A and MCP are signed alike, and the agent is named beside the sender', async () => {
  const sent = await client.send(
    home.key,
    { to: address, body: 'Hello', sync: true },
    signed({ authority: new URL(client.url).host }),
  );
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.deepEqual([sent.body.sender.kind, (sent.body as unknown as Tried).sender.agent], ['key', AGENT]);
  const rpc = (url: string, body: object) =>
    fetch(inside.url + url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'a2a-version': '1.0',
        ...signed(),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Hello' }] };
  const a2a = await rpc(`/a2a/${address}`, { method: 'SendMessage', params: { message } });
  assert.equal(a2a.status, 200, await a2a.clone().text());
  const call = { method: 'tools/call', params: { name: 'ask', arguments: { message: 'Hello' } } };
  const mcp = await rpc(`/mcp/${address}`, call);
  assert.equal(mcp.status, 200, await mcp.clone().text());
  await mcp.text();
  const items = await client.all<{ channel: string; sender: { agent?: string } }>(
    `/mailboxes/${address}/messages`,
    home.key,
  );
  for (const channel of ['a2a', 'mcp'])
    assert.equal(items.find((one) => one.channel === channel)?.sender.agent, AGENT, channel);
  const bad = await fetch(`${inside.url}/a2a/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed({ key: stranger }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
  });
  assert.match(await bad.text(), /"error"/);
});

test('a signature is used once, with a nonce or without', async () => {
  const headers = signed();
  assert.equal((await tryOut(headers)).status, 200);
  await refused(headers, 401, /used before/);
  const bare = signed({ params: { nonce: undefined } });
  assert.equal((await tryOut(bare)).status, 200);
  await refused(bare, 401, /used before/);
  const nonce = randomUUID();
  assert.equal((await tryOut(signed({ params: { nonce } }))).status, 200);
  await refused(signed({ params: { nonce, expires: seconds() + 61 } }), 401, /used before/);
});

test('a signature that does not hold is refused: another key, host, time, agent, method or path', async () => {
  await refused(signed({ key: stranger }), 401, /publishes no valid Ed25519 key/);
  await refused(signed({ key: stranger, keyid: pair.id }), 401, /does not match/);
  await refused(signed({ authority: 'mail.example' }), 401, /does not match/);
  await refused(signed({ params: { created: seconds() - 120, expires: seconds() - 1 } }), 401, /expired/);
  await refused(signed({ params: { created: seconds() + 120, expires: seconds() + 180 } }), 401, /future/);
  await refused(signed({ params: { expires: seconds() + 90_000 } }), 401, /24 hours/);
  await refused(signed({ params: { created: seconds() + 20, expires: seconds() + 10 } }), 401, /24 hours/);
  await refused({ ...signed(), 'signature-agent': `sig1="${OTHER}"` }, 401, /does not match/);
  const covers = (name: string, value: string): How => ({
    covered: [
      ['"@authority"', url.host],
      [name, value],
      ['"signature-agent";key="sig1"', `"${AGENT}"`],
    ],
  });
  await refused(signed(covers('"@method"', 'GET')), 401, /does not match/);
  await refused(signed(covers('"@path"', '/api/v1/mail/send')), 401, /does not match/);
  await refused(signed(covers('"@target-uri"', `${url.origin}/other`)), 401, /does not match/);
  await refused({ ...signed(), signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` }, 401, /does not match/);
  await refused({ ...signed(), signature: 'sig1=:AAAA:' }, 401, /does not match/);
  for (const good of [covers('"@method"', 'POST'), covers('"@path"', TRY), covers('"@target-uri"', url.origin + TRY)])
    assert.equal((await tryOut(signed(good))).status, 200, JSON.stringify(good));
});

test('what cannot be read or covers too little is refused as malformed', async () => {
  const only = (...covered: (readonly [string, string])[]): How => ({ covered });
  const authority = ['"@authority"', url.host] as const;
  const named = ['"signature-agent";key="sig1"', `"${AGENT}"`] as const;
  await refused(signed(only(named)), 400, /@authority/);
  await refused(signed(only(authority)), 400, /cover signature-agent/);
  await refused(signed(only(authority, ['"signature-agent"', `sig1="${AGENT}"`])), 400, /name of its member/);
  await refused(signed(only(authority, ['"signature-agent";key="b"', `"${AGENT}"`])), 400, /name of its member/);
  await refused(signed(only(authority, named, ['"x-missing"', ''])), 400, /x-missing/);
  await refused(signed(only(authority, named, ['"@query"', '?'])), 400, /@query/);
  await refused(signed(only(authority, named, ['"@status"', '200'])), 400, /@status/);
  await refused(signed(only(authority, named, ['"content-type";bs', ':AA==:'])), 400, /content-type/);
  await refused(signed(only(authority, authority, named)), 400, /once/);
  const { signature = '', 'signature-input': input = '', 'signature-agent': name = '' } = signed();
  await refused({ 'signature-agent': name }, 400, /proves nothing/);
  await refused({ 'signature-agent': name, 'signature-input': input }, 400, /header signature/);
  await refused({ signature, 'signature-input': input }, 400, /signature-agent/);
  await refused({ 'signature-agent': name, signature, 'signature-input': 'x=(' }, 400, /dictionary/);
  await refused({ 'signature-agent': name, signature, 'signature-input': '' }, 400, /tag web-bot-auth/);
  await refused({ 'signature-agent': name, signature: 'sig1="text"', 'signature-input': input }, 400, /bytes/);
  await refused({ 'signature-agent': name, signature: 'sig2=:AAAA:', 'signature-input': input }, 400, /label sig1/);
  await refused(
    { 'signature-agent': name, signature, 'signature-input': `${input}, ${input.replace('sig1', 'sig2')}` },
    400,
    /one signature/,
  );
  for (const params of [
    { created: undefined },
    { expires: undefined },
    { created: 'now' },
    { keyid: 'k1' },
    { keyid: undefined },
    { alg: 'hmac-sha256' },
    { nonce: 'x'.repeat(257) },
  ])
    await refused(signed({ params }), 400, /created|keyid|alg|nonce/);
  for (const origin of [
    'http://agent.test',
    `${AGENT}/path`,
    `${AGENT}?x`,
    'https://ada@agent.test',
    'agent.test',
    'data:text/plain,x',
    '',
  ])
    await refused(signed({ agent: origin }), 400, /https origin/);
  await refused({ ...signed(), 'signature-agent': 'sig1=token' }, 400, /https origin/);
  await refused({ ...signed(), 'signature-agent': `sig1="${AGENT}";type=cimd` }, 400, /directory/);
  await refused({ ...signed(), 'signature-agent': `sig1="${AGENT}";type="directory"` }, 400, /directory/);
});

test('a covered Content-Digest must be that of the body', async () => {
  const body = { to: address, body: 'Exactly this' };
  const digest = `sha-256=:${createHash('sha256').update(JSON.stringify(body)).digest('base64')}:`;
  const headers = () => ({
    ...signed({
      covered: [
        ['"@authority"', url.host],
        ['"content-digest"', digest],
        ['"signature-agent";key="sig1"', `"${AGENT}"`],
      ],
    }),
    'content-digest': digest,
  });
  assert.equal((await tryOut(headers(), body)).body.sender.agent, AGENT);
  await refused(headers(), 401, /Content-Digest/, { to: address, body: 'Another text' });
});

test('keys come from the origin that is named, over https at a public address, in the right form, with sane bounds', async () => {
  await refused(signed({ agent: 'https://inside.test' }), 401, /cannot be read/);
  await refused(signed({ agent: 'https://127.0.0.1' }), 401, /cannot be read/);
  const cases: readonly [() => void, RegExp][] = [
    [() => publish(undefined), /503/],
    [() => publish({ keys: [] }, 'application/json'), /media type/],
    [() => directory(...Array.from({ length: 51 }, () => pair.jwk)), /at most 50/],
    [() => publish({ keys: 'x' as never }), /keys/],
    [() => directory({ ...pair.jwk, exp: seconds() - 1 }), /no valid/],
    [() => directory({ ...pair.jwk, nbf: seconds() + 200_000 }), /no valid/],
    [() => directory({ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(50_000) }), /no valid/],
    [() => directory({ kty: 'OKP', crv: 'Ed25519', x: 7 }, { kty: 'EC' }), /no valid/],
  ];
  for (const [change, why] of cases) {
    change();
    // Another origin each time, whose directory is not known.
    await refused(
      signed({ agent: `https://a${Math.random().toString(36).slice(2, 8)}.agent.test:${agent.port}` }),
      401,
      /cannot be read/,
    );
    inside.pass(86_400_000 + 1);
    await refused(signed(), 401, why);
    publish({ keys: [pair.jwk] });
  }
});

test('a directory is kept for minutes, read again for a new key, and outlives an outage', async () => {
  inside.pass(86_400_000);
  directory(pair.jwk);
  assert.equal((await tryOut(signed())).status, 200);
  const reads = agent.asked.length;
  assert.equal((await tryOut(signed())).status, 200);
  assert.equal(agent.asked.length, reads);
  assert.equal(agent.asked.at(-1), PATH);
  directory(pair.jwk, stranger.jwk);
  await refused(signed({ key: stranger }), 401, /no valid/);
  inside.pass(31_000);
  assert.equal((await tryOut(signed({ key: stranger }))).status, 200);
  published = undefined;
  inside.pass(3_600_000);
  assert.equal((await tryOut(signed())).status, 200, 'the keys of before count while the directory cannot be read');
  directory(stranger.jwk);
  inside.pass(3_600_000);
  await refused(signed(), 401, /no valid/);
  assert.equal((await tryOut(signed({ key: stranger }))).status, 200);
});

test('the console names the agent as the sender and says how that is known; the API describes the headers and the field', async () => {
  directory(pair.jwk);
  inside.pass(3_600_000);
  const { body } = await tryOut(signed());
  const owner = visitorOf(client.url);
  await owner.signIn(home.key);
  const { html } = await owner.get(`/console/messages/${body.id}`);
  assert.ok(html.includes(`signed by the agent ${AGENT}`), html.slice(0, 2000));
  assert.ok(html.includes(`>${new URL(AGENT).host}<`));
  const text = (await client.api('GET', '/openapi.json')).text;
  for (const part of ['Signature-Agent', 'Signature-Input', 'invalid_signature', 'https://agent.example'])
    assert.ok(text.includes(part), part);
});
