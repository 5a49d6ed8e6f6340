// The Basic OP plan of the OpenID Foundation's conformance suite (`oidcc-basic-certification-test-plan`) by hand: one
// test per module, in the suite's order and named after it. The names say what the suite would skip or warn about.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { sha256 } from '@mailroom/behavior/values/hash';
import { newId } from '@mailroom/behavior/values/ids';
import { calculateJwkThumbprint, createRemoteJWKSet, jwtVerify, UnsecuredJWT } from 'jose';
import * as openid from 'openid-client';
import { formData } from '../../../../tests/harness/form.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { randomBase62 } from '../../core/entities/key.ts';
import { Browser, type Got } from './browser.ts';

const lines: string[] = [];
const { warn } = console;
console.warn = (...line: unknown[]) => void lines.push(line.join(' '));
const threads = await openPeopleService();
const ISSUER = `${threads.url}/oidc/agents`;
const CALLBACK = 'https://suite.example/callback';
const discovered = (await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json()) as Readonly<
  Record<string, string & readonly string[]>
>;
console.warn = warn;
const keys = createRemoteJWKSet(new URL(String(discovered.jwks_uri)));

interface Suite {
  readonly id: string;
  readonly secret: string;
  readonly method: string;
}

async function newSuite(metadata: Readonly<Record<string, unknown>> = {}): Promise<Suite> {
  const mailbox = await threads.store.mailboxes.byAddress('auth', 'agents');
  assert.ok(mailbox !== undefined);
  const [id, secret, now] = [newId('cli', Date.now()), randomBase62(43), Date.now()];
  const method = 'client_secret_basic';
  const all = { redirect_uris: [CALLBACK], response_types: ['code'], token_endpoint_auth_method: method, ...metadata };
  await threads.store.clients.create({
    id,
    namespace_id: mailbox.namespace_id,
    mailbox_id: mailbox.id,
    source: 'owner',
    name: 'The suite',
    metadata: JSON.stringify({ grant_types: ['authorization_code', 'refresh_token'], ...all }),
    secret: sha256(secret),
    created_at: now,
    updated_at: now,
  });
  return { id, secret, method: all.token_endpoint_auth_method };
}

const suite = await newSuite();
let people = 0;
const newPerson = (): string => `suite${++people}@people.example`;

interface Begun {
  readonly params: URLSearchParams;
  readonly url: URL;
  readonly verifier: string;
  readonly nonce: string | undefined;
  readonly by: Suite;
}

/** An authorization request like the suite's, with PKCE; `undefined` leaves a parameter out. */
async function begin(more: Readonly<Record<string, string | undefined>> = {}, by = suite): Promise<Begun> {
  const verifier = openid.randomPKCECodeVerifier();
  const all: Record<string, string | undefined> = {
    client_id: by.id,
    redirect_uri: CALLBACK,
    scope: 'openid',
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    response_type: 'code',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  };
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) params.set(name, value);
  return { params, url: new URL(`${discovered.authorization_endpoint}?${params}`), verifier, nonce: all.nonce, by };
}

/** Fills in and sends the form with this button, and returns where it leads. */
async function send(browser: Browser, page: Got, does: string, fields: Readonly<Record<string, string>>): Promise<Got> {
  const form = [...page.text.matchAll(/<form\b[^>]*>.*?<\/form>/gs)]
    .map(([text]) => text)
    .find((text) => text.includes(`name="do" value="${does}"`));
  assert.ok(form !== undefined, `${page.status} ${page.url} has no ${does}: ${page.text.slice(-1500)}`);
  const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
  const body = formData(form.replace('<form', '<form id="f"'), { id: 'f', button: ['do', does] });
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { origin: new URL(threads.url).origin, 'sec-fetch-site': 'same-origin' };
  const got = await browser.get(new URL(action, page.url), { method: 'POST', headers, body });
  return got.status === 303 ? browser.get(got.location) : got;
}

const isCallback = ({ location }: Got): boolean => location.startsWith(`${CALLBACK}?`);

/** Passes the pages, with a code from a mail, up to the callback. */
async function passPages(browser: Browser, begun: Got, address: string): Promise<URL> {
  assert.ok(
    begun.location.startsWith(`${ISSUER}/sign-in/`),
    `${begun.status} ${begun.location} ${begun.text.slice(0, 500)}`,
  );
  const page = await browser.get(begun.location);
  assert.equal(page.status, 200);
  const asked = await send(browser, page, 'code', { address });
  const { code } = await threads.outbox.code(address);
  const done = await send(browser, asked, 'verify', { code });
  const to = /url=(.*)$/.exec(done.headers.get('refresh') ?? '')?.[1];
  assert.ok(to !== undefined, `${done.status} ${done.url}: ${done.text.slice(-1500)}`);
  const back = await browser.follow(new URL(to, done.url), CALLBACK);
  assert.ok(isCallback(back), `${back.status} ${back.location}`);
  return new URL(back.location);
}

interface Tokens {
  readonly id_token: string;
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly token_type: string;
  readonly expires_in: number;
}

interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T & { readonly error?: string };
}

async function tokenEndpoint<T = Tokens>(by: Suite, fields: Readonly<Record<string, string>>): Promise<Answer<T>> {
  const body = new URLSearchParams(fields);
  const headers: Record<string, string> = {};
  if (by.method === 'client_secret_post') {
    body.set('client_id', by.id);
    body.set('client_secret', by.secret);
  } else headers.authorization = `Basic ${Buffer.from(`${by.id}:${by.secret}`).toString('base64')}`;
  const answer = await fetch(String(discovered.token_endpoint), { method: 'POST', headers, body });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
}

const redeem = ({ by, verifier }: Begun, back: URL): Promise<Answer<Tokens>> =>
  tokenEndpoint(by, {
    grant_type: 'authorization_code',
    code: String(back.searchParams.get('code')),
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });

/** The suite's checks of each callback, token answer and ID token. */
async function checked(begun: Begun, back: URL) {
  assert.equal(back.searchParams.get('state'), begun.params.get('state'));
  assert.equal(back.searchParams.get('iss'), ISSUER);
  assert.equal(back.hash, '');
  assert.ok(String(back.searchParams.get('code')).length >= 22, 'a code has at least 128 bits');
  const { status, headers, body } = await redeem(begun, back);
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.match(headers.get('cache-control') ?? '', /no-store/);
  assert.equal(body.token_type, 'Bearer');
  assert.ok(body.expires_in > 0);
  const { payload, protectedHeader } = await jwtVerify(body.id_token, keys, { issuer: ISSUER, audience: begun.by.id });
  assert.equal(protectedHeader.alg, 'RS256');
  assert.equal(payload.nonce, begun.nonce);
  assert.equal(payload.aud, begun.by.id);
  assert.ok(typeof payload.sub === 'string' && payload.sub.length > 0 && payload.sub.length <= 255);
  assert.ok(Math.abs(Number(payload.iat) - Date.now() / 1000) < 300);
  assert.ok(Number(payload.exp) > Number(payload.iat));
  return { tokens: body, claims: payload as Readonly<Record<string, unknown>>, header: protectedHeader };
}

/** The whole flow in a browser that is not signed in. */
async function flow(
  more: Readonly<Record<string, string | undefined>> = {},
  { by = suite, browser = new Browser(), address = newPerson() } = {},
) {
  const begun = await begin(more, by);
  const back = await passPages(browser, await browser.get(begun.url), address);
  return { begun, back, browser, address, ...(await checked(begun, back)) };
}

/** A request in a signed-in browser that must not show a page. */
async function silently(browser: Browser, more: Readonly<Record<string, string | undefined>>) {
  const begun = await begin(more);
  const got = await browser.get(begun.url);
  assert.ok(isCallback(got), `${got.status} ${got.location}`);
  return checked(begun, new URL(got.location));
}

async function userInfo(init: RequestInit): Promise<Answer<Record<string, unknown>>> {
  const answer = await fetch(String(discovered.userinfo_endpoint), init);
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
}

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

/** The suite's checks of each answer of the UserInfo endpoint. */
async function checkedInfo(init: RequestInit, sub: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { status, headers, body } = await userInfo(init);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(body.sub, sub);
  for (const value of Object.values(body)) assert.ok(value !== null && value !== '');
  return body;
}

/** Runs at a later time of the service and all its parts. */
async function later<T>(ms: number, does: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + ms });
  try {
    return await does();
  } finally {
    mock.timers.reset();
  }
}

/** Asserts that the browser gets an error page that leads nowhere. */
function refusedBy(got: Got, reason: RegExp): void {
  assert.equal(got.location, '');
  assert.equal(got.status, 400);
  assert.match(got.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(got.text, reason);
}

test('oidcc-server (the suite would warn: what a scope tells is in the ID token too, where libraries look for it)', async () => {
  const { claims } = await flow();
  assert.deepEqual(Object.keys(claims).sort(), ['amr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sub']);
  const received = await flow({ scope: 'openid email' });
  assert.equal(received.claims.email, received.address);
});

test('oidcc-response-type-missing', async () => {
  const got = await new Browser().get((await begin({ response_type: undefined })).url);
  assert.ok(isCallback(got), `${got.status} ${got.location}`);
  const received = new URL(got.location).searchParams;
  assert.ok(['invalid_request', 'unsupported_response_type'].includes(String(received.get('error'))));
  assert.equal(received.has('code'), false);
});

test('oidcc-idtoken-signature', async () => {
  const { header } = await flow();
  assert.equal(header.alg, 'RS256');
  const { keys: published } = (await (await fetch(String(discovered.jwks_uri))).json()) as { keys: { kid: string }[] };
  const key = published.find(({ kid }) => kid === header.kid);
  assert.ok(key !== undefined);
  assert.equal(await calculateJwkThumbprint(key as never), header.kid);
});

test('oidcc-idtoken-unsigned (the suite would skip it: an unsigned ID token is not offered)', () => {
  assert.deepEqual(discovered.id_token_signing_alg_values_supported?.includes('none'), false);
});

test('oidcc-userinfo-get', async () => {
  const { tokens, claims } = await flow();
  await checkedInfo(bearer(tokens.access_token), claims.sub);
});

test('oidcc-userinfo-post-header', async () => {
  const { tokens, claims } = await flow();
  await checkedInfo({ method: 'POST', ...bearer(tokens.access_token) }, claims.sub);
});

test('oidcc-userinfo-post-body', async () => {
  const { tokens, claims } = await flow();
  const body = new URLSearchParams({ access_token: tokens.access_token });
  await checkedInfo({ method: 'POST', body }, claims.sub);
});

test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
  const { claims } = await flow({ nonce: undefined });
  assert.equal(claims.nonce, undefined);
});

test('oidcc-scope-profile (the suite would warn: of profile there is the name, and that of hosted addresses alone)', async () => {
  const { tokens, claims } = await flow({ scope: 'openid profile' });
  const info = await checkedInfo(bearer(tokens.access_token), claims.sub);
  assert.deepEqual(Object.keys(info), ['sub']);
  assert.ok(discovered.claims_supported?.includes('name'));
});

test('oidcc-scope-email', async () => {
  const { tokens, claims, address } = await flow({ scope: 'openid email' });
  const info = await checkedInfo(bearer(tokens.access_token), claims.sub);
  assert.deepEqual([info.email, info.email_verified], [address, true]);
});

test('oidcc-scope-address (the suite would skip it: the scope is not offered; asking for it harms nothing)', async () => {
  assert.equal(discovered.scopes_supported?.includes('address'), false);
  const { tokens, claims } = await flow({ scope: 'openid address' });
  assert.equal((await checkedInfo(bearer(tokens.access_token), claims.sub)).address, undefined);
});

test('oidcc-scope-phone (the suite would skip it: the scope is not offered; asking for it harms nothing)', async () => {
  assert.equal(discovered.scopes_supported?.includes('phone'), false);
  const { tokens, claims } = await flow({ scope: 'openid phone' });
  assert.equal((await checkedInfo(bearer(tokens.access_token), claims.sub)).phone_number, undefined);
});

test('oidcc-scope-all (the suite would skip it: address and phone are not offered)', async () => {
  const { tokens, claims, address } = await flow({ scope: 'openid address email phone profile' });
  assert.equal((await checkedInfo(bearer(tokens.access_token), claims.sub)).email, address);
});

test('oidcc-alternate-happy-flow: scopes and parameters in another order', async () => {
  const begun = await begin({ scope: 'email openid' });
  const url = new URL(String(discovered.authorization_endpoint));
  for (const [name, value] of [...begun.params].reverse()) url.searchParams.set(name, value);
  const browser = new Browser();
  const { claims } = await checked(begun, await passPages(browser, await browser.get(url), newPerson()));
  assert.equal(typeof claims.email, 'string');
});

for (const display of ['page', 'popup']) {
  test(`oidcc-display-${display}`, async () => {
    await flow({ display });
  });
}

test('oidcc-prompt-login', async () => {
  const { browser, claims, address } = await flow();
  await later(2_000, async () => {
    const second = await flow({ prompt: 'login' }, { browser, address });
    assert.ok(Number(second.claims.auth_time) > Number(claims.auth_time));
    assert.equal(second.claims.sub, claims.sub);
  });
});

test('oidcc-prompt-none-not-logged-in', async () => {
  const begun = await begin({ prompt: 'none', state: 'x'.repeat(128) });
  const got = await new Browser().get(begun.url);
  assert.ok(isCallback(got), got.location);
  const received = new URL(got.location).searchParams;
  assert.deepEqual(
    [received.get('error'), received.get('state'), received.get('iss')],
    ['login_required', 'x'.repeat(128), ISSUER],
  );
});

test('oidcc-prompt-none-logged-in', async () => {
  const { browser, claims } = await flow();
  const second = await silently(browser, { prompt: 'none' });
  assert.deepEqual([second.claims.sub, second.claims.auth_time], [claims.sub, claims.auth_time]);
});

test('oidcc-max-age-1', async () => {
  const { browser, claims, address } = await flow();
  await later(2_000, async () => {
    const second = await flow({ max_age: '1' }, { browser, address });
    assert.ok(Number(second.claims.auth_time) > Number(claims.auth_time));
    assert.ok(Date.now() / 1000 - Number(second.claims.auth_time) < 60);
  });
});

test('oidcc-max-age-10000', async () => {
  const { browser, claims } = await flow({ max_age: '15000' });
  assert.equal(typeof claims.auth_time, 'number');
  const second = await silently(browser, { max_age: '10000' });
  assert.deepEqual([second.claims.sub, second.claims.auth_time], [claims.sub, claims.auth_time]);
});

test('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
  await flow({ extra: 'foobar' });
});

test('oidcc-id-token-hint', async () => {
  const { browser, claims, tokens } = await flow();
  const second = await silently(browser, { prompt: 'none', id_token_hint: tokens.id_token });
  assert.deepEqual([second.claims.sub, second.claims.auth_time], [claims.sub, claims.auth_time]);
});

test('oidcc-login-hint: it is filled in', async () => {
  const address = newPerson();
  const { url } = await begin({ login_hint: address });
  const browser = new Browser();
  const page = await browser.get((await browser.get(url)).location);
  assert.ok(page.text.includes(address));
  await flow({ login_hint: address }, { address });
});

test('oidcc-ui-locales', async () => {
  await flow({ ui_locales: 'se' });
});

test('oidcc-claims-locales', async () => {
  await flow({ claims_locales: 'se' });
});

test('oidcc-ensure-request-with-acr-values-succeeds (the suite would warn: there is no acr; amr says how they signed in)', async () => {
  const { claims } = await flow({ acr_values: '1 2' });
  assert.equal(claims.acr, undefined);
  assert.deepEqual(claims.amr, ['otp']);
});

test('oidcc-codereuse', async () => {
  const { begun, back } = await flow();
  const { status, body, headers } = await redeem(begun, back);
  assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
});

test('oidcc-codereuse-30seconds: the tokens of the first use are revoked', async () => {
  const { begun, back, tokens } = await flow();
  await later(30_000, async () => {
    assert.equal((await userInfo(bearer(tokens.access_token))).status, 200);
    const { status, body } = await redeem(begun, back);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    assert.equal((await userInfo(bearer(tokens.access_token))).status, 401);
  });
});

test('oidcc-ensure-registered-redirect-uri', async () => {
  const got = await new Browser().get((await begin({ redirect_uri: `${CALLBACK}${randomBase62(10)}` })).url);
  refusedBy(got, /invalid_redirect_uri/);
});

test('oidcc-ensure-post-request-succeeds; by a redirect to GET, as cookies are not sent with posts from other sites', async () => {
  const begun = await begin();
  const browser = new Browser();
  const endpoint = String(discovered.authorization_endpoint);
  const post = (body: URLSearchParams): Promise<Got> => browser.get(endpoint, { method: 'POST', body });
  const sent = await post(begun.params);
  assert.equal(sent.status, 303);
  assert.equal(sent.location, begun.url.href);
  await checked(begun, await passPages(browser, await browser.get(sent.location), newPerson()));
  assert.equal((await post(new URLSearchParams({ state: 'x'.repeat(9_000) }))).status, 413);
});

test('oidcc-server-client-secret-post', async () => {
  await flow({}, { by: await newSuite({ token_endpoint_auth_method: 'client_secret_post' }) });
});

test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: rejected', async () => {
  assert.equal(discovered.request_uri_parameter_supported, false);
  const got = await new Browser().get((await begin({ request_uri: 'https://suite.example/request.jwt' })).url);
  assert.equal(got.location.includes('code='), false);
  const received = isCallback(got) ? String(new URL(got.location).searchParams.get('error')) : got.text;
  assert.match(received, /request_uri_not_supported|invalid_request_uri/);
});

/** A request object without a signature, with these claims instead of the parameters. */
const requestObject = (claims: Readonly<Record<string, string>>): string =>
  new UnsecuredJWT(claims).setIssuer(suite.id).setAudience(ISSUER).encode();

test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: rejected', async () => {
  const { params } = await begin();
  const got = await new Browser().get((await begin({ request: requestObject(Object.fromEntries(params)) })).url);
  assert.ok(isCallback(got), `${got.status} ${got.location}`);
  assert.equal(new URL(got.location).searchParams.get('error'), 'request_not_supported');
});

test('oidcc-claims-essential (the suite would warn: the claims parameter is not offered, a scope asks for each claim)', async () => {
  assert.notEqual(discovered.claims_parameter_supported, true);
  const { tokens, claims } = await flow({ claims: '{"userinfo":{"name":{"essential":true}}}' });
  const info = await checkedInfo(bearer(tokens.access_token), claims.sub);
  assert.equal(info.name, undefined);
});

test('oidcc-ensure-request-object-with-redirect-uri: rejected, on a page', async () => {
  const { params } = await begin();
  const { url } = await begin({
    request: requestObject(Object.fromEntries(params)),
    redirect_uri: `${CALLBACK}${randomBase62(10)}`,
  });
  const got = await new Browser().get(url);
  refusedBy(got, /request_not_supported|invalid_redirect_uri/);
});

test('oidcc-refresh-token: works, for the client it was issued to alone', async () => {
  const scope = 'openid offline_access';
  const { tokens, claims } = await flow({ scope, prompt: 'consent' });
  const refresh = (by: Suite, token = '') => tokenEndpoint(by, { grant_type: 'refresh_token', refresh_token: token });
  assert.match(String(tokens.refresh_token), /^[\x20-\x7e]+$/);
  const { status, body } = await refresh(suite, tokens.refresh_token);
  assert.equal(status, 200);
  assert.notEqual(body.access_token, tokens.access_token);
  const { payload } = await jwtVerify(body.id_token, keys, { issuer: ISSUER, audience: suite.id });
  assert.deepEqual([payload.sub, payload.aud, payload.auth_time], [claims.sub, claims.aud, claims.auth_time]);
  assert.ok(Number(payload.iat) >= Number(claims.iat));
  await checkedInfo(bearer(body.access_token), claims.sub);
  const second = await newSuite();
  const theirs = await flow({ scope, prompt: 'consent' }, { by: second });
  const stolen = await refresh(suite, theirs.tokens.refresh_token);
  assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant']);
});

test('oidcc-ensure-request-with-valid-pkce-succeeds; beyond the suite: PKCE is required for all, so none succeeds without', async () => {
  await flow();
  const got = await new Browser().get(
    (await begin({ code_challenge: undefined, code_challenge_method: undefined })).url,
  );
  assert.ok(isCallback(got), `${got.status} ${got.location}`);
  assert.equal(new URL(got.location).searchParams.get('error'), 'invalid_request');
});

test('the provider’s code says nothing on the terminal of whoever runs this', () => {
  assert.deepEqual(lines, []);
});
