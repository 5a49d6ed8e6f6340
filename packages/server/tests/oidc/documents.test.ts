import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import * as client from 'openid-client';
import { startHttps } from '../../../../tests/harness/https.ts';
import type { Resolver } from '../../net/guarded-connect.ts';
import { Browser, type Got } from './browser.ts';
import { newHome, signIn, startNode } from './house.ts';

/** The content at each path of the service; a function writes the answer itself. */
const documents = new Map<string, object | string | ((write: (status: number, headers: object) => void) => void)>();
const web = await startHttps(['app.test', 'localhost'], ({ url = '' }, response) => {
  const found = documents.get(url);
  if (typeof found === 'function') {
    found((status, headers) => response.writeHead(status, headers as never).end());
    return;
  }
  response.writeHead(found === undefined ? 404 : 200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
  response.end(typeof found === 'string' ? found : JSON.stringify(found ?? {}));
});
/** Public names that resolve to private addresses, as anyone can enter them in the DNS. */
const PRIVATE: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  'loop.test': '127.0.0.1',
  'loop6.test': '::1',
  'mapped.test': '::ffff:127.0.0.1',
  'ten.test': '10.0.0.1',
  'home.test': '192.168.1.1',
  'metadata.test': '169.254.169.254',
  'unique.test': 'fd00::1',
};
const resolve: Resolver = async (name) => {
  if (name === 'app.test') return [{ address: '127.0.0.1', family: 4, trusted: true }];
  const address = PRIVATE[name];
  return address === undefined ? [] : [{ address, family: address.includes(':') ? 6 : 4 }];
};
const node = await startNode({ resolve });
after(async () => {
  await node[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});
const home = await newHome(node);

const CALLBACK = 'https://app.test/callback';
let paths = 0;

/** Publishes a document of a service at a new URL and returns it. */
function published(fields: object = {}, path = `/client${++paths}.json`): string {
  const url = `https://app.test:${web.port}${path}`;
  documents.set(path, {
    client_id: url,
    client_name: 'App',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    ...fields,
  });
  return url;
}

async function begin(id: string, more: Readonly<Record<string, string>> = {}) {
  const config = await client.discovery(new URL(home.url), id, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
  return { config, url, checks: { pkceCodeVerifier } };
}

/** Requests a sign-in for a service with this id; returns the error page. */
async function refusal(id: string, more: Readonly<Record<string, string>> = {}): Promise<Got> {
  const got = await new Browser().get((await begin(id, more)).url);
  assert.equal(got.location, '', id);
  assert.ok(got.status >= 400 && got.status < 500, `${id}: ${got.status}`);
  assert.match(got.headers.get('content-type') ?? '', /^text\/html/, id);
  assert.match(got.text, /This sign-in cannot continue/, id);
  return got;
}

test('a service that is registered nowhere signs people in by the document its client_id leads to', async () => {
  const id = published();
  const { config, url, checks } = await begin(id);
  const browser = new Browser();
  const { location } = await browser.get(url);
  const interaction = JSON.parse((await browser.get(location)).text) as { client: object };
  assert.deepEqual(interaction.client, { id, name: 'App', origin: 'https://app.test', metadata_url: id });
  const back = await signIn(new Browser(), url, home.ada.id);
  const tokens = await client.authorizationCodeGrant(config, back, checks);
  assert.equal(tokens.claims()?.aud, id);
  assert.equal(tokens.claims()?.email, `ada@${home.namespace.name}.mail.test`);
  assert.deepEqual(node.errors, []);
});

test('a document is read once in five minutes, whatever it says of caching', async () => {
  const id = published();
  const reads = (): number => web.asked.filter((path) => id.endsWith(path)).length;
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  try {
    for (const passes of [0, 1_000, 298_000]) {
      mock.timers.setTime(Date.now() + passes);
      const { location } = await new Browser().get((await begin(id)).url);
      assert.ok(location.includes('/sign-in/'), location);
    }
    assert.equal(reads(), 1);
    mock.timers.setTime(Date.now() + 2_000);
    await new Browser().get((await begin(id)).url);
    assert.equal(reads(), 2);
  } finally {
    mock.timers.reset();
  }
});

test('a document of somebody else, with a secret, or with places that are not allowed is refused with a page', async () => {
  for (const [why, fields] of [
    ['another client_id', { client_id: 'https://app.test/other.json' }],
    ['no client_id', { client_id: undefined }],
    ['a secret', { client_secret: 'x'.repeat(43) }],
    ['a secret’s end', { client_secret_expires_at: 0 }],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }],
    ['no method, which is client_secret_basic', { token_endpoint_auth_method: undefined }],
    ['http', { redirect_uris: [CALLBACK, 'http://app.test/callback'] }],
    ['a scheme of its own', { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
    ['a fragment', { redirect_uris: [CALLBACK, `${CALLBACK}#x`] }],
    ['a user', { redirect_uris: [CALLBACK, 'https://app.test@evil.test/'] }],
    ['no redirect URI', { redirect_uris: [] }],
    ['a name of several lines', { client_name: 'App\nMailroom' }],
    ['a name that reads backward', { client_name: 'App \u202emoorliaM' }],
    ['a long name', { client_name: 'x'.repeat(101) }],
    ['assertions without keys', { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] }],
    ['a logo by http', { logo_uri: 'http://app.test/logo.png' }],
    [
      'keys that are private',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'x' }] } },
    ],
  ] as const) {
    const { text } = await refusal(published(fields));
    assert.match(text, /invalid_(?:client|redirect_uri)/, why);
  }
  const other = await refusal(published(), { redirect_uri: 'https://app.test/other' });
  assert.match(other.text, /invalid_redirect_uri/);
});

test('what is no document, is too large, redirects, or is not there is refused with a page', async () => {
  const urlOf = (path: string): string => `https://app.test:${web.port}${path}`;
  const good = published();
  documents.set('/text', 'nonsense');
  documents.set('/list', []);
  documents.set('/large', JSON.stringify({ client_id: urlOf('/large'), filler: 'x'.repeat(70_000) }));
  documents.set('/moved', (write) => write(302, { location: good }));
  documents.set('/inward', (write) => write(307, { location: 'http://127.0.0.1/' }));
  documents.set('/broken', (write) => write(500, {}));
  const countBefore = web.asked.length;
  for (const path of ['/text', '/list', '/large', '/moved', '/inward', '/broken', '/missing']) {
    await refusal(urlOf(path));
  }
  assert.deepEqual(web.asked.slice(countBefore), [
    '/text',
    '/list',
    '/large',
    '/moved',
    '/inward',
    '/broken',
    '/missing',
  ]);
});

test('nothing is asked at an address that is not public, however it is written', async () => {
  const { port } = web;
  const path = new URL(published()).pathname;
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '①②⑦.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[::]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '[fd00::1]',
    '[fe80::1]',
    ...Object.keys(PRIVATE),
    'localhost.',
    'LOCALHOST',
  ];
  const connectionsBefore = web.connections;
  for (const host of hosts) await refusal(`https://${host}:${port}${path}`);
  assert.equal(web.connections, connectionsBefore);
  // Proves that the check can fail: the same server is asked by its trusted name.
  await new Browser().get((await begin(published())).url);
  assert.ok(web.connections > connectionsBefore);
});

test('a client_id that is a URL and no place for a document leads nowhere, and nothing is asked', async () => {
  const { port } = web;
  const connectionsBefore = web.connections;
  for (const id of [
    `http://app.test:${port}/client.json`,
    `https://app.test:${port}/`,
    `https://app.test:${port}`,
    `https://app.test:${port}/client.json#x`,
    `https://ada@app.test:${port}/client.json`,
    `https://ada:pw@app.test:${port}/client.json`,
    `https://app.test:${port}/a/../client.json`,
    `https://app.test:${port}/%2e%2e/client.json`,
    `https://app.test:${port}/..%2fclient.json`,
    `https://app.test:${port}\\client.json`,
    `HTTPS://app.test:${port}/client.json`,
    'https://app.test:22/client.json',
    'file:///etc/passwd',
    'ftp://app.test/client.json',
    'https://',
  ]) {
    await refusal(id);
  }
  assert.equal(web.connections, connectionsBefore);
});

test('the keys that a service says it has are read no more often than documents are', async () => {
  let left = 4;
  await using limited = await startNode({ resolve, reads: () => left-- > 0 });
  const { url } = await newHome(limited);
  const jwks_uri = `https://app.test:${web.port}/no-keys.json`;
  const id = published({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri });
  const coded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (let at = 0; at < 10; at++) {
    const exp = Math.floor(Date.now() / 1000) + 60;
    const claims = coded({ iss: id, sub: id, aud: url, jti: String(at), exp });
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'none',
      redirect_uri: CALLBACK,
      client_id: id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${coded({ alg: 'ES256', kid: 'none' })}.${claims}.${'A'.repeat(86)}`,
    });
    assert.equal((await fetch(`${url}/token`, { method: 'POST', body })).status, 401);
  }
  // One of the requests was for the document.
  assert.equal(web.asked.filter((path) => path === '/no-keys.json').length, 3);
});
