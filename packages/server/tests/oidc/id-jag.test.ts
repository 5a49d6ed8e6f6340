import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { startHttps } from '../../../../tests/harness/https.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import type { Resolver } from '../../net/guarded-connect.ts';
import { newClient, newHome, startNode } from './house.ts';

/** A real identity provider: metadata, keys, and assertions signed with them. */
const documents = new Map<string, unknown>();
const idp = await startHttps(['idp.test'], ({ url = '' }, response) => {
  const found = documents.get(url);
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found === undefined ? {} : found));
});
const ISS = `https://idp.test:${idp.port}`;
const resolve: Resolver = async (name) =>
  name === 'idp.test' ? [{ address: '127.0.0.1', family: 4, trusted: true }] : [{ address: '10.0.0.1', family: 4 }];
const node = await startNode({ resolve });
after(async () => {
  await node[Symbol.asyncDispose]();
  await idp[Symbol.asyncDispose]();
});

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const other = await generateKeyPair('ES256');
documents.set('/.well-known/openid-configuration', { issuer: ISS, jwks_uri: `${ISS}/jwks` });
documents.set('/jwks', { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] });

const trust = {
  trusted_issuers: [{ issuer: ISS }],
  subjects: [{ issuer: ISS, subject: 'U1', mailbox: '' }],
};
/** A namespace whose owner trusts the provider; `mailbox` of the rule is its `ada`. */
const trusting = async (
  settings: (address: string) => object = (mailbox) => ({
    ...trust,
    subjects: [{ issuer: ISS, subject: 'U1', mailbox }],
  }),
) => {
  const home = await newHome(node);
  const address = `ada@${home.namespace.name}.mail.test`;
  await node.store.mailboxes.change(home.auth.id, { settings: settings(address) } as never, Date.now());
  const client = await newClient(node, home);
  return { ...home, address, client };
};
type Trusting = Awaited<ReturnType<typeof trusting>>;
const shared = await trusting();

let ids = 0;
const now = (): number => Math.floor(Date.now() / 1000);
interface How {
  readonly key?: CryptoKey;
  readonly header?: Readonly<Record<string, unknown>>;
}
/** An assertion of the provider for a client of `at`; undefined removes a claim. */
async function assertion(
  at: Trusting,
  claims: Readonly<Record<string, unknown>> = {},
  { key = privateKey, header = {} }: How = {},
) {
  const whole: JWTPayload = {
    iss: ISS,
    sub: 'U1',
    aud: at.url,
    client_id: at.client.id,
    jti: `j${++ids}`,
    iat: now(),
    exp: now() + 300,
    ...claims,
  };
  return new SignJWT(JSON.parse(JSON.stringify(whole)))
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'oauth-id-jag+jwt', ...header } as never)
    .sign(key);
}

interface TokenAnswer {
  readonly status: number;
  readonly body: {
    readonly access_token?: string;
    readonly refresh_token?: string;
    readonly scope?: string;
    readonly expires_in?: number;
    readonly resource?: string;
    readonly error?: string;
    readonly error_description?: string;
  };
}
async function redeem(
  at: Trusting,
  jwt: string | undefined,
  more: Readonly<Record<string, string>> = {},
  client = at.client,
): Promise<TokenAnswer> {
  const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', ...more });
  if (jwt !== undefined) form.set('assertion', jwt);
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const response = await fetch(`${at.url}/token`, { method: 'POST', headers: { authorization }, body: form });
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return { status: response.status, body: (await response.json()) as TokenAnswer['body'] };
}
const userinfo = async (at: Trusting, token = ''): Promise<{ sub: string; email: string; name?: string }> =>
  (await (await fetch(`${at.url}/me`, { headers: { authorization: `Bearer ${token}` } })).json()) as never;

async function refuse(at: Trusting, jwt: string, why: RegExp, error = 'invalid_grant', more = {}, client = at.client) {
  const { status, body } = await redeem(at, jwt, more, client);
  assert.deepEqual([status, body.error], [400, error], JSON.stringify(body));
  assert.match(body.error_description ?? '', why);
  assert.equal(body.access_token, undefined);
}

test('an assertion of a provider that the owner trusts is an access token of the address that the owner named', async () => {
  const { status, body } = await redeem(shared, await assertion(shared));
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.scope, 'openid email profile');
  assert.equal(body.expires_in, 300);
  assert.equal(body.refresh_token, undefined);
  const person = await userinfo(shared, body.access_token);
  assert.equal(person.email, shared.address);
  assert.equal(person.name, 'Ada Lovelace');
  assert.notEqual(person.sub, 'U1');
  const again = await redeem(shared, await assertion(shared));
  assert.equal((await userinfo(shared, again.body.access_token)).sub, person.sub);
});

test('the metadata says so, to agents too, and names no provider that is trusted', async () => {
  for (const path of ['/.well-known/openid-configuration']) {
    const text = await (await fetch(shared.url + path)).text();
    const metadata = JSON.parse(text);
    assert.ok(metadata.grant_types_supported.includes('urn:ietf:params:oauth:grant-type:jwt-bearer'));
    assert.deepEqual(metadata.authorization_grant_profiles_supported, ['urn:ietf:params:oauth:grant-profile:id-jag']);
    assert.equal(metadata.agent_auth.skill, `${node.at}/auth.md`);
    assert.deepEqual(metadata.agent_auth.identity_assertion.assertion_types_supported, [
      'urn:ietf:params:oauth:token-type:id-jag',
    ]);
    assert.ok(!text.includes('idp.test'));
  }
});

test('an assertion is used once, even by two requests at a time', async () => {
  const jwt = await assertion(shared);
  const both = await Promise.all([redeem(shared, jwt), redeem(shared, jwt)]);
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
  );
  await refuse(shared, jwt, /used before/);
  const refusedFirst = await assertion(shared, { jti: 'kept' });
  await refuse(shared, refusedFirst, /scope/, 'invalid_scope', { scope: 'profile' });
  assert.equal((await redeem(shared, refusedFirst)).status, 200, 'what was refused was not used');
});

test('the scopes are those that the assertion, the request and the issuer allow', async () => {
  const narrowed = await redeem(shared, await assertion(shared, { scope: 'openid email chat.read' }));
  assert.equal(narrowed.body.scope, 'openid email');
  const asked = await redeem(shared, await assertion(shared, { scope: 'openid email' }), { scope: 'openid profile' });
  assert.equal(asked.body.scope, 'openid');
  await refuse(shared, await assertion(shared, { scope: 'chat.read' }), /openid/, 'invalid_scope');
  const named = await redeem(shared, await assertion(shared, { resource: [shared.url, 'https://other.test/'] }));
  assert.equal(named.body.resource, shared.url);
  await refuse(shared, await assertion(shared, { resource: 'https://other.test/' }), /resources/, 'invalid_target');
});

const WRONG: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp, How?])[] = [
  ['of a provider that is not trusted', { iss: 'https://evil.test' }, /not trusted/],
  ['whose issuer differs by a slash', { iss: `${ISS}/` }, /not trusted/],
  ['without an issuer', { iss: undefined }, /not trusted/],
  ['of a tenant that is not named', { tenant: 'acme' }, /not trusted/],
  ['for another audience', { aud: 'https://elsewhere.test' }, /aud/],
  ['for this issuer and another', { aud: 'both' }, /audiences/],
  ['without an audience', { aud: undefined }, /aud/],
  ['for another client', { client_id: 'cli_00000000000000000000' }, /another client/],
  ['without a client', { client_id: undefined }, /client_id/],
  ['that has expired', { iat: now() - 600, exp: now() - 10 }, /exp/],
  ['without an expiry', { exp: undefined }, /exp/],
  ['that is not valid yet', { nbf: now() + 600 }, /nbf/],
  ['issued in the future', { iat: now() + 600, exp: now() + 900 }, /iat/],
  ['without the time of issue', { iat: undefined }, /iat/],
  ['issued long ago', { iat: now() - 7200, exp: now() + 60 }, /iat/],
  ['that lives too long', { exp: now() + 86_400 }, /longer than an hour/],
  ['without an id', { jti: undefined }, /jti/],
  ['with an id that is no text', { jti: 7 }, /jti/],
  ['with an id of 501 characters', { jti: 'x'.repeat(501) }, /jti/],
  ['without a subject', { sub: undefined }, /sub/],
  ['of a subject that no rule names', { sub: 'U2' }, /no rule/],
  ['of a subject in another spelling', { sub: 'u1' }, /no rule/],
  ['bound to a key', { cnf: { jkt: 'x' } }, /cnf/],
  ['for another tenant here', { aud_tenant: 'another' }, /tenant/],
  ['with a scope that is no text', { scope: ['openid'] }, /scope/],
  ['signed with another key', {}, /signature/, { key: other.privateKey }],
  ['with a key id that is not published', {}, /no applicable key/, { header: { kid: 'k2' } }],
];
for (const [what, claims, why, how] of WRONG)
  test(`an assertion ${what} is refused`, async () => {
    const wrong = claims.aud === 'both' ? { ...claims, aud: [shared.url, 'https://elsewhere.test'] } : claims;
    await refuse(shared, await assertion(shared, wrong, how), why);
  });

test('what is no signed ID-JAG is refused: another type, no signature, a symmetric one, no JWT, too much', async () => {
  const claims = {
    iss: ISS,
    sub: 'U1',
    aud: shared.url,
    client_id: shared.client.id,
    jti: 'n',
    iat: now(),
    exp: now() + 60,
  };
  for (const typ of ['JWT', 'at+jwt', 'oauth-id-jag', undefined])
    await refuse(shared, await assertion(shared, {}, { header: { typ } }), /grant request is invalid/);
  const none = new UnsecuredJWT(claims).encode().split('.')[1];
  const head = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');
  await refuse(shared, `${head({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${none}.`, /refused/);
  const symmetric = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'oauth-id-jag+jwt', kid: 'k1' })
    .sign(Buffer.from(JSON.stringify(await exportJWK(publicKey))));
  await refuse(shared, symmetric, /refused/);
  for (const junk of [
    'x',
    'a.b.c',
    `${head({ alg: 'ES256', typ: 'oauth-id-jag+jwt' })}.e30`,
    `${head({ typ: 'oauth-id-jag+jwt' })}.e30.`,
    '.'.repeat(5000),
  ])
    await refuse(shared, junk, /./);
  const missing = await redeem(shared, undefined);
  assert.equal(missing.body.error, 'invalid_request');
});

test('an assertion counts for the issuer and the client it names, however else its bearer authenticates', async () => {
  const elsewhere = await trusting();
  await refuse(elsewhere, await assertion(shared), /another client|aud/);
  const second = await newClient(node, shared);
  await refuse(shared, await assertion(shared), /another client/, 'invalid_grant', {}, second);
  const wrong = await redeem(shared, await assertion(shared), {}, { ...shared.client, secret: 'x'.repeat(43) });
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client']);
  const open = await newClient(node, shared, { token_endpoint_auth_method: 'none' });
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', client_id: open.id };
  const body = new URLSearchParams({ ...form, assertion: await assertion({ ...shared, client: open }) });
  const response = await fetch(`${shared.url}/token`, { method: 'POST', body });
  assert.equal(response.status, 400, 'a public client has no secret to prove that it is the one named');
});

test('without rules of its owner an issuer accepts nothing, and a rule holds for its client and its tenant alone', async () => {
  const closed = await trusting(() => ({}));
  await refuse(closed, await assertion(closed), /not trusted/);
  const bound = await trusting((mailbox) => ({
    trusted_issuers: [
      { issuer: ISS, client_id: 'cli_00000000000000000000' },
      { issuer: ISS, tenant: 'acme' },
    ],
    subjects: [{ issuer: ISS, subject: 'U1', mailbox }],
  }));
  await refuse(bound, await assertion(bound), /not trusted/);
  assert.equal((await redeem(bound, await assertion(bound, { tenant: 'acme' }))).status, 200);
});

test('a subject is never an address of another namespace, outside, or deleted, whatever a rule says', async () => {
  const others = [shared.address, 'ada@example.com', 'nobody', 'ada', `ada+tag@x.mail.test`, '"a"@b'];
  for (const mailbox of everyNth(others, 3)) {
    const at = await trusting(() => ({ ...trust, subjects: [{ issuer: ISS, subject: 'U1', mailbox }] }));
    await refuse(at, await assertion(at), /no rule/);
  }
  const gone = await trusting();
  assert.equal((await redeem(gone, await assertion(gone))).status, 200);
  await node.store.mailboxes.delete(gone.ada.id, Date.now());
  node.directory.changed();
  const { status } = await redeem(gone, await assertion(gone));
  assert.equal(status, 400);
});

test('an e-mail address names a subject only where the owner says so, only if it is verified, and only within the namespace', async () => {
  const email = (at: Trusting, fields: object = {}) =>
    assertion(at, { sub: 'U9', email: at.address, email_verified: true, ...fields });
  await refuse(shared, await email(shared), /no rule/);
  const trusted = await trusting(() => ({ trusted_issuers: [{ issuer: ISS, match: 'email' }] }));
  const { body } = await redeem(trusted, await email(trusted));
  assert.equal((await userinfo(trusted, body.access_token)).email, trusted.address);
  await refuse(trusted, await email(trusted, { email_verified: false }), /no rule/);
  await refuse(trusted, await email(trusted, { email_verified: 'true' }), /no rule/);
  await refuse(trusted, await email(trusted, { email_verified: undefined }), /no rule/);
  await refuse(trusted, await email(trusted, { email: shared.address }), /no rule/);
  await refuse(trusted, await email(trusted, { email: 'ada@example.com' }), /no rule/);
  await refuse(trusted, await email(trusted, { email: ['x'] }), /no rule/);
});

test('keys are read from public https addresses alone, from metadata of that very issuer, and again when they change', async () => {
  const other_iss = `${ISS}/tenant`;
  const with_issuer = (issuer: string, more = {}) =>
    trusting((mailbox) => ({ trusted_issuers: [{ issuer, ...more }], subjects: [{ issuer, subject: 'U1', mailbox }] }));
  const inside = await with_issuer('https://inside.test');
  await refuse(inside, await assertion(inside, { iss: 'https://inside.test' }), /cannot be read/);
  const keyed = await with_issuer('https://inside.test', { jwks_uri: 'https://inside.test/jwks' });
  await refuse(keyed, await assertion(keyed, { iss: 'https://inside.test' }), /./);
  documents.set('/tenant/.well-known/openid-configuration', { issuer: ISS, jwks_uri: `${ISS}/jwks` });
  const trusted = await with_issuer(other_iss);
  await refuse(trusted, await assertion(trusted, { iss: other_iss }), /another issuer/);
  documents.delete('/tenant/.well-known/openid-configuration');
  documents.set('/.well-known/oauth-authorization-server/tenant', { issuer: other_iss, jwks_uri: `${ISS}/jwks` });
  assert.equal((await redeem(trusted, await assertion(trusted, { iss: other_iss }))).status, 200);
  const direct = await with_issuer(ISS, { jwks_uri: `${ISS}/jwks` });
  const requestCount = idp.asked.length;
  assert.equal((await redeem(direct, await assertion(direct))).status, 200);
  assert.deepEqual(idp.asked.slice(requestCount), ['/jwks']);
  assert.equal((await redeem(direct, await assertion(direct))).status, 200);
  assert.equal(idp.asked.length, requestCount + 1, 'its keys are kept');
  assert.deepEqual(node.errors, []);
});

const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
const METADATA: readonly unknown[] = [
  null,
  7,
  'text',
  [],
  { issuer: null },
  { issuer: [ISS], jwks_uri: `${ISS}/jwks` },
];
const PLACES = [
  'http://idp.test/jwks',
  'https://10.0.0.1/jwks',
  'https://user:pass@idp.test/jwks',
  'file:///etc/passwd',
];
const KEY_SETS: readonly unknown[] = [
  null,
  [],
  { keys: null },
  { keys: 'all' },
  { keys: [null, 1, 'x', []] },
  { keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'k1', alg: 'HS256' }] },
  { keys: [{ kty: 'EC', crv: 'P-256', x: 'A', y: 'A', kid: 'k1', alg: 'ES256' }] },
  { keys: [{ kty: 'RSA', n: 'A'.repeat(40_000), e: 'A'.repeat(10_000), kid: 'k1', alg: 'ES256' }] },
  { keys: Array.from({ length: 3_000 }, () => ({ kty: 'EC', kid: 'k1' })) },
];
test('a provider whose metadata or keys are none has its assertion refused in words, and nothing else happens', async () => {
  const trusted: { issuer: string; jwks_uri?: string }[] = [];
  const publish = (path: string, content: unknown, jwks_uri?: string): void => {
    documents.set(path, content);
    const [issuer = ''] = `${ISS}${path}`.split('/.well-known');
    trusted.push({ issuer, ...(jwks_uri === undefined ? {} : { jwks_uri }) });
  };
  for (const [n, one] of everyNth([...METADATA.entries()], 2)) publish(`/m${n}/.well-known/openid-configuration`, one);
  for (const [n, jwks_uri] of everyNth([...PLACES.entries()], 2))
    publish(`/p${n}/.well-known/openid-configuration`, { issuer: `${ISS}/p${n}`, jwks_uri });
  for (const [n, keys] of everyNth([...[...KEY_SETS, JSON.parse(deep)].entries()], 2))
    publish(`/k${n}`, keys, `${ISS}/k${n}`);
  const trustedAt = await trusting((mailbox) => ({
    trusted_issuers: trusted,
    subjects: trusted.map(({ issuer }) => ({ issuer, subject: 'U1', mailbox })),
  }));
  for (const { issuer } of trusted) {
    const { status, body } = await redeem(trustedAt, await assertion(trustedAt, { iss: issuer }));
    assert.deepEqual([status, body.error, body.access_token], [400, 'invalid_grant', undefined], issuer);
    assert.doesNotMatch(body.error_description ?? '', /undefined|destructure|TypeError|pass@/, issuer);
  }
  assert.deepEqual(node.errors, []);
});
