import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { amount } from '../../../../tests/soak/length.ts';
import { Browser } from './browser.ts';
import { type Home, newClient, newHome, type Registered, signIn, startNode } from './house.ts';

const node = await startNode();
after(() => node[Symbol.asyncDispose]());
const shared = await newHome(node);

const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

interface Service {
  readonly home: Home;
  readonly as: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
  readonly registered: Registered;
}

/** A service set up with `oauth4webapi`, by the discovery of RFC 8414. */
async function newService(home: Home = shared): Promise<Service> {
  const registered = await newClient(node, home);
  const issuer = new URL(home.url);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
  const as = await oauth.processDiscoveryResponse(issuer, answer);
  return {
    home,
    as,
    client: { client_id: registered.id },
    auth: oauth.ClientSecretBasic(registered.secret),
    registered,
  };
}

interface Begun {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

async function begin({ as, registered }: Service, more: Readonly<Record<string, string>> = {}): Promise<Begun> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(as.authorization_endpoint as string);
  for (const [name, value] of Object.entries({
    client_id: registered.id,
    response_type: 'code',
    redirect_uri: registered.redirect_uri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  })) {
    url.searchParams.set(name, value);
  }
  return { url, verifier, state, nonce };
}

/** Redeems the code of a callback. */
async function redeem(service: Service, back: URL, { verifier, state }: Begun): Promise<Response> {
  const { as, client, auth, registered } = service;
  const params = oauth.validateAuthResponse(as, client, back, state);
  return oauth.authorizationCodeGrantRequest(as, client, auth, params, registered.redirect_uri, verifier, INSECURE);
}

async function signedIn(service: Service, more: Readonly<Record<string, string>> = {}) {
  const begun = await begin(service, more);
  const browser = new Browser();
  const back = await signIn(browser, begun.url, service.home.ada.id);
  const answer = await redeem(service, back, begun);
  const tokens = await oauth.processAuthorizationCodeResponse(service.as, service.client, answer, {
    expectedNonce: begun.nonce,
    requireIdToken: true,
  });
  return { begun, browser, back, tokens };
}

const userInfo = async ({ as, client }: Service, token: string): Promise<number> =>
  (await oauth.userInfoRequest(as, client, token, INSECURE)).status;

test('a second client library, oauth4webapi, signs in by the discovery of RFC 8414', async () => {
  const service = await newService();
  assert.deepEqual(service.as.code_challenge_methods_supported, ['S256']);
  assert.equal(service.as.authorization_response_iss_parameter_supported, true);
  const { tokens } = await signedIn(service);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  assert.equal(claims?.email, `ada@${service.home.namespace.name}.mail.test`);
  assert.equal(await userInfo(service, tokens.access_token), 200);
});

test('both well-known paths tell the same, in front of the path and behind it', async () => {
  const { url, namespace } = await newHome(node);
  const paths = [
    `/oidc/${namespace.name}/.well-known/openid-configuration`,
    `/oidc/${namespace.name}/.well-known/oauth-authorization-server`,
    `/.well-known/oauth-authorization-server/oidc/${namespace.name}`,
    `/.well-known/openid-configuration/oidc/${namespace.name}`,
  ];
  const secrets = await Promise.all(paths.map(async (path) => (await fetch(node.at + path)).text()));
  assert.equal(new Set(secrets).size, 1);
  assert.equal((JSON.parse(secrets[0] as string) as { issuer: string }).issuer, url);
});

const REDEEMERS = amount(40, 1_000);
test(`of ${REDEEMERS} who redeem one code at the same time exactly one gets tokens`, async () => {
  const service = await newService();
  const begun = await begin(service);
  const back = await signIn(new Browser(), begun.url, service.home.ada.id);
  const answers = await Promise.all(Array.from({ length: REDEEMERS }, () => redeem(service, back, begun)));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 400).length, REDEEMERS - 1);
});

test('a code that is used again revokes the tokens it was used for', async () => {
  const service = await newService();
  const { begun, back, tokens } = await signedIn(service, { scope: 'openid offline_access', prompt: 'consent' });
  assert.equal(await userInfo(service, tokens.access_token), 200);
  assert.equal((await redeem(service, back, begun)).status, 400);
  assert.equal(await userInfo(service, tokens.access_token), 401);
  const { as, client, auth } = service;
  const again = await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token as string, INSECURE);
  assert.equal(again.status, 400);
});

test('a refresh token comes with offline_access alone, is good once, and one that is used again ends them all', async () => {
  const service = await newService();
  assert.equal((await signedIn(service)).tokens.refresh_token, undefined);
  const { tokens } = await signedIn(service, { scope: 'openid email offline_access', prompt: 'consent' });
  const { as, client, auth } = service;
  const refresh = (token: string) => oauth.refreshTokenGrantRequest(as, client, auth, token, INSECURE);
  const first = tokens.refresh_token as string;
  const second = await oauth.processRefreshTokenResponse(as, client, await refresh(first));
  assert.notEqual(second.refresh_token, first);
  assert.equal(await userInfo(service, second.access_token), 200);
  assert.equal((await refresh(first)).status, 400);
  assert.equal((await refresh(second.refresh_token as string)).status, 400);
  assert.equal(await userInfo(service, second.access_token), 401);
});

test('a token is told about and revoked for the service it is of, and for no other', async () => {
  const service = await newService();
  const other = await newClient(node, service.home);
  const { tokens } = await signedIn(service);
  const { as, client, auth } = service;
  const stranger = oauth.ClientSecretBasic(other.secret);
  const ask = async (who: oauth.Client, by: oauth.ClientAuth) =>
    oauth.processIntrospectionResponse(
      as,
      who,
      await oauth.introspectionRequest(as, who, by, tokens.access_token, INSECURE),
    );
  assert.equal((await ask(client, auth)).active, true);
  assert.equal((await ask({ client_id: other.id }, stranger)).active, false);
  await oauth.revocationRequest(as, { client_id: other.id }, stranger, tokens.access_token, INSECURE);
  assert.equal(await userInfo(service, tokens.access_token), 200);
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, tokens.access_token, INSECURE));
  assert.equal((await ask(client, auth)).active, false);
  assert.equal(await userInfo(service, tokens.access_token), 401);
});

test('a pushed request (RFC 9126) signs in, once', async () => {
  const service = await newService();
  const { as, client, auth, home, registered } = service;
  const begun = await begin(service);
  const pushed = await oauth.processPushedAuthorizationResponse(
    as,
    client,
    await oauth.pushedAuthorizationRequest(as, client, auth, begun.url.searchParams, INSECURE),
  );
  const url = new URL(as.authorization_endpoint as string);
  url.searchParams.set('client_id', registered.id);
  url.searchParams.set('request_uri', pushed.request_uri);
  const back = await signIn(new Browser(), url, home.ada.id);
  assert.equal((await redeem(service, back, begun)).status, 200);
  const twice = await signIn(new Browser(), url, home.ada.id);
  assert.ok(!twice.searchParams.has('code'), twice.href);
});

test('a wrong secret, verifier, redirect URI or issuer gets no tokens, nor does another service', async () => {
  const service = await newService();
  const { as, client, auth, home, registered } = service;
  const other = await newClient(node, home);
  const elsewhere = await newService(await newHome(node));
  const attempts: [string, (params: URLSearchParams, begun: Begun) => Promise<Response>][] = [
    [
      'secret',
      (p, b) => code(as, client, oauth.ClientSecretBasic('x'.repeat(43)), p, registered.redirect_uri, b.verifier),
    ],
    [
      'secret’s hash',
      (p, b) =>
        code(as, client, oauth.ClientSecretBasic(`sha256:${'0'.repeat(64)}`), p, registered.redirect_uri, b.verifier),
    ],
    ['verifier', (p) => code(as, client, auth, p, registered.redirect_uri, oauth.generateRandomCodeVerifier())],
    ['redirect URI', (p, b) => code(as, client, auth, p, `${registered.redirect_uri}/`, b.verifier)],
    [
      'service',
      (p, b) =>
        code(
          as,
          { client_id: other.id },
          oauth.ClientSecretBasic(other.secret),
          p,
          registered.redirect_uri,
          b.verifier,
        ),
    ],
    ['issuer', (p, b) => code(elsewhere.as, elsewhere.client, elsewhere.auth, p, registered.redirect_uri, b.verifier)],
  ];
  for (const [wrong, attempt] of attempts) {
    const begun = await begin(service);
    const back = await signIn(new Browser(), begun.url, home.ada.id);
    const params = oauth.validateAuthResponse(as, client, back, begun.state);
    const answer = await attempt(params, begun);
    const text = await answer.text();
    assert.ok(answer.status === 400 || answer.status === 401, `${wrong}: ${answer.status}`);
    assert.ok(!text.includes('access_token'), wrong);
  }
});

const code = (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  auth: oauth.ClientAuth,
  params: URLSearchParams,
  redirect_uri: string,
  verifier: string,
) => oauth.authorizationCodeGrantRequest(as, client, auth, params, redirect_uri, verifier, INSECURE);

test('of 200 mutations of a redirect URI none is redirected to', async () => {
  const service = await newService();
  const right = service.registered.redirect_uri;
  const { url } = await begin(service);
  const mutations = new Set<string>();
  for (let at = 0; at <= right.length; at++) {
    for (const put of ['/', '.', '@evil.example/', '%2e', '?', '#', '\\'])
      mutations.add(right.slice(0, at) + put + right.slice(at));
    mutations.add(right.slice(0, at) + right.slice(at + 1));
  }
  mutations.delete(right);
  const tried = [...mutations, right.toUpperCase(), right.replace('https', 'http'), ` ${right}`].slice(-220);
  assert.ok(tried.length >= 200);
  for (const redirect_uri of tried) {
    url.searchParams.set('redirect_uri', redirect_uri);
    const got = await new Browser().get(url);
    assert.equal(got.location, '', redirect_uri);
    assert.equal(got.status, 400, redirect_uri);
  }
});

test('a request without PKCE, or with plain, is refused', async () => {
  const service = await newService();
  for (const change of [{ code_challenge: '' }, { code_challenge_method: 'plain' }]) {
    const { url } = await begin(service);
    for (const [name, value] of Object.entries(change)) {
      if (value === '') url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    const got = await new Browser().get(url);
    assert.ok(got.location.startsWith(service.registered.redirect_uri), got.text);
    assert.equal(new URL(got.location).searchParams.get('error'), 'invalid_request');
  }
});

test('what is stored holds no code, token or cookie that could be used', async () => {
  const service = await newService();
  const { tokens, back, browser } = await signedIn(service, { scope: 'openid offline_access', prompt: 'consent' });
  const secrets = [tokens.access_token, tokens.refresh_token, back.searchParams.get('code')] as string[];
  const session = /mr_session_oidc=([^;]+)/.exec(browser.cookiesFor(service.home.url))?.[1] as string;
  const { states } = node.store;
  const seen: string[] = [];
  for (const kind of ['Session', 'SessionUid', 'Grant', 'AccessToken', 'RefreshToken', 'AuthorizationCode']) {
    const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub as string;
    for (const { id, value } of await states.of(`oidc:${kind}`, sub, Date.now())) {
      seen.push(id, value);
      const grant = (JSON.parse(kind === 'SessionUid' ? '{}' : value) as { jti?: string }).jti;
      if (kind !== 'Grant' || grant === undefined) continue;
      for (const model of ['AccessToken', 'RefreshToken', 'AuthorizationCode'])
        for (const one of await states.of(`oidc:${model}`, grant, Date.now())) seen.push(one.id, one.value);
    }
  }
  assert.ok(seen.length >= 10, String(seen.length));
  for (const secret of [...secrets, session]) assert.ok(!seen.join('\n').includes(secret));
  for (const secret of [...secrets, session]) assert.ok(!node.lines.join('\n').includes(secret));
});
