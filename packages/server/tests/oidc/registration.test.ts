import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HOUR } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import * as client from 'openid-client';
import { randomBase62 } from '../../core/entities/key.ts';
import { Browser } from './browser.ts';
import { type Home, newHome, signIn, startNode } from './house.ts';

const node = await startNode();
after(() => node[Symbol.asyncDispose]());
const home = await newHome(node);

const CALLBACK = 'https://self.example/callback';
const METADATA = { client_name: 'By itself', redirect_uris: [CALLBACK] };

/** A registration token, as it is stored for its owner. */
async function newToken(of: Home = home, lives = HOUR): Promise<string> {
  const secret = `mr_register_${randomBase62(43)}`;
  const now = Date.now();
  const [iat, exp] = [Math.floor(now / 1000), Math.floor((now + lives) / 1000)];
  await node.store.states.put(
    {
      kind: 'oidc:InitialAccessToken',
      id: sha256(`${of.namespace.id}:InitialAccessToken:${secret}`),
      subject: of.auth.id,
      value: JSON.stringify({ iat, exp, kind: 'InitialAccessToken', mailbox_id: of.auth.id, name: null }),
      expires_at: now + lives,
    },
    now,
  );
  return secret;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, string>>;
}

async function ask(method: string, url: string, token?: string, body?: object): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? {} : JSON.parse(text) };
}

const register = (token: string | undefined, body: object = METADATA, of = home): Promise<Answer> =>
  ask('POST', `${of.url}/reg`, token, body);

/** Whether the token endpoint accepts this secret. */
async function knows(id: string, secret: string): Promise<boolean> {
  const answer = await fetch(`${home.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK }),
  });
  return ((await answer.json()) as { error: string }).error !== 'invalid_client';
}

test('a service registers itself with a token of the owner (RFC 7591), and signs people in', async () => {
  const made = await register(await newToken());
  assert.equal(made.status, 201, made.text);
  const { client_id = '', client_secret = '' } = made.body;
  assert.match(client_id, /^cli_/);
  const stored = await node.store.clients.byId(client_id);
  assert.equal(stored?.source, 'registration');
  assert.equal(stored?.mailbox_id, home.auth.id);
  assert.equal(stored?.secret, sha256(client_secret));
  assert.ok(!JSON.stringify(stored).includes(client_secret));
  const config = await client.discovery(new URL(home.url), client_id, client_secret, undefined, {
    execute: [client.allowInsecureRequests],
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const back = await signIn(new Browser(), url, home.ada.id);
  const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier });
  assert.equal(tokens.claims()?.aud, client_id);
});

test('without a token, or with one that is expired, another issuer’s, removed or made up, nothing is registered', async () => {
  const other = await newHome(node);
  const [expired, theirs, removed] = [await newToken(home, -1), await newToken(other), await newToken()];
  await node.store.states.remove(
    'oidc:InitialAccessToken',
    sha256(`${home.namespace.id}:InitialAccessToken:${removed}`),
  );
  for (const token of [expired, theirs, removed, `mr_register_${randomBase62(43)}`, home.key]) {
    const { status, headers, body } = await register(token);
    assert.equal(status, 401);
    assert.equal(body.error, 'invalid_token');
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
  }
  const none = await register(undefined);
  assert.ok(none.status === 400 || none.status === 401, String(none.status));
  assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer/);
  const { items } = await node.store.clients.page({ mailbox_id: other.auth.id }, null, 10);
  assert.equal(items.length, 0);
});

test('a service that registers itself is held to the rules of those that are registered', async () => {
  const token = await newToken();
  for (const [fields, error] of [
    [{ redirect_uris: ['http://self.example/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://*.self.example/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`${CALLBACK}#x`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://ada@self.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://SELF.example/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://self.example/..%2f..'] }, 'invalid_redirect_uri'],
    [{ post_logout_redirect_uris: ['https://self.example/..%2f..'] }, 'invalid_client_metadata'],
    [{ redirect_uris: ['com.self.app:/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, at) => `${CALLBACK}${at}`) }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
    [{ post_logout_redirect_uris: ['http://self.example/'] }, 'invalid_client_metadata'],
    [{ client_name: 'x'.repeat(101) }, 'invalid_client_metadata'],
    [{ client_name: 'a\u0007b' }, 'invalid_client_metadata'],
    [{ response_types: ['token'] }, 'invalid_client_metadata'],
    [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'] }, 'invalid_client_metadata'],
    [{ id_token_signed_response_alg: 'none' }, 'invalid_client_metadata'],
    [{ id_token_signed_response_alg: 'HS256' }, 'invalid_client_metadata'],
    [{ token_endpoint_auth_method: 'client_secret_jwt' }, 'invalid_client_metadata'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ jwks_uri: 'https://self.example/jwks' }, 'invalid_client_metadata'],
  ] as const) {
    const { status, body, text } = await register(token, { ...METADATA, ...fields });
    assert.equal(status, 400, JSON.stringify(fields));
    assert.equal(body.error, error, `${JSON.stringify(fields)}: ${text}`);
    assert.ok((body.error_description ?? '').length > 10);
  }
  assert.equal(
    (await register(token, { ...METADATA, redirect_uris: ['http://127.0.0.1/cb'], application_type: 'native' })).status,
    201,
  );
});

test('it reads, changes and removes its registration by the token that it got (RFC 7592), and by no other', async () => {
  const token = await newToken();
  const registration = await register(token);
  const {
    client_id = '',
    client_secret = '',
    registration_client_uri: at = '',
    registration_access_token: own,
  } = registration.body;
  assert.equal(at, `${home.url}/reg/${client_id}`);
  const shown = await ask('GET', at, own);
  assert.equal(shown.status, 200, shown.text);
  assert.equal(shown.body.client_name, 'By itself');
  assert.equal(shown.body.client_secret, undefined, 'what is kept of the secret is no secret, and is not shown');
  for (const wrong of [token, home.key, randomBase62(43)]) {
    for (const method of ['GET', 'DELETE']) assert.equal((await ask(method, at, wrong)).status, 401, method);
  }
  const change = { client_id, ...METADATA, client_name: 'Renamed' };
  const bad = await ask('PUT', at, own, { ...change, redirect_uris: ['http://self.example/'] });
  assert.equal(bad.body.error, 'invalid_redirect_uri');
  const changed = await ask('PUT', at, own, change);
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.client_name, 'Renamed');
  assert.equal(changed.body.client_secret, undefined);
  const next = changed.body.registration_access_token;
  assert.notEqual(next, own);
  assert.equal((await ask('GET', at, own)).status, 401, 'the token before is spent');
  assert.equal(await knows(client_id, client_secret), true, 'the secret is as before');
  const other = await register(token);
  assert.equal((await ask('GET', at, other.body.registration_access_token)).status, 401);
  assert.equal((await ask('DELETE', at, next)).status, 204);
  assert.equal(await node.store.clients.byId(client_id), undefined);
  assert.equal(await knows(client_id, client_secret), false);
  assert.equal((await ask('GET', at, next)).status, 401);
  assert.deepEqual(node.errors, []);
});

test('any port of a loopback redirect is accepted, whatever the client says that it is, and of no other host', async () => {
  const redirect_uris = [
    'http://localhost/callback',
    'http://127.0.0.1:1/callback',
    'https://self.example:8443/callback',
  ];
  const { body } = await register(await newToken(), {
    ...METADATA,
    redirect_uris,
    post_logout_redirect_uris: ['http://localhost/out'],
    token_endpoint_auth_method: 'none',
  });
  const sentBack = async (redirect_uri: string): Promise<number> => {
    const query = new URLSearchParams({
      client_id: body.client_id ?? '',
      redirect_uri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    return (await fetch(`${home.url}/auth?${query}`, { redirect: 'manual' })).status;
  };
  const signedOut = async (uri: string): Promise<number> => {
    const query = new URLSearchParams({ client_id: body.client_id ?? '', post_logout_redirect_uri: uri });
    return (await fetch(`${home.url}/session/end?${query}`, { redirect: 'manual' })).status;
  };
  assert.deepEqual(
    [await signedOut('http://localhost:49567/out'), await signedOut('http://localhost:49567/other')],
    [200, 400],
  );
  for (const uri of ['http://localhost:49567/callback', 'http://127.0.0.1:3118/callback', 'http://localhost/callback'])
    assert.equal(await sentBack(uri), 303, uri);
  for (const uri of [
    'http://localhost:49567/other',
    'http://[::1]:1/callback',
    'http://localhost:1/callback?x=1',
    'http://ada@localhost:1/callback',
    'https://self.example:9443/callback',
    'https://localhost/callback',
  ])
    assert.equal(await sentBack(uri), 400, uri);
});
