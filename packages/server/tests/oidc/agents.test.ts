import assert from 'node:assert/strict';
import { createPublicKey, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { createRemoteJWKSet, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { type Key, newSecret, type Scope } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { keyOf, mailboxOf } from '../store/made.ts';
import { type Home, newClient, newHome, type Registered, startNode } from './house.ts';

const node = await startNode();
after(() => node[Symbol.asyncDispose]());
const home = await newHome(node);
const client = await newClient(node, home);

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TYPE = 'urn:ietf:params:oauth:token-type:';
const ORIGIN = 'https://service.example';

interface Agent {
  readonly mailbox: Mailbox;
  readonly key: string;
  readonly row: Key;
}

async function newAgent(scopes: readonly Scope[] = ['auth:assert'], of: Home = home, bound = true): Promise<Agent> {
  const mailbox = mailboxOf(of.namespace, `bot${randomBytes(4).toString('hex')}`, { display_name: 'Bot' });
  await node.store.mailboxes.create(mailbox);
  const { secret, ...hash } = newSecret();
  const row = keyOf(of.namespace, { ...hash, scopes, mailbox_id: bound ? mailbox.id : null });
  await node.store.keys.create(row);
  node.directory.changed();
  return { mailbox, key: secret, row };
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(fields: Readonly<Record<string, string>>, as?: Registered, at: Home = home): Promise<Answer> {
  const answer = await fetch(`${at.url}/token`, {
    method: 'POST',
    headers:
      as === undefined ? {} : { authorization: `Basic ${Buffer.from(`${as.id}:${as.secret}`).toString('base64')}` },
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

const exchange = (key: string, fields: Readonly<Record<string, string>> = {}, at: Home = home): Promise<Answer> =>
  ask(
    {
      client_id: 'agent',
      grant_type: EXCHANGE,
      subject_token: key,
      subject_token_type: `${TYPE}access_token`,
      audience: ORIGIN,
      ...fields,
    },
    undefined,
    at,
  );

/** A token of the agent for the issuer, which `for_client_id` may redeem. */
async function assertionOf({ key }: Agent, for_client_id = client.id): Promise<string> {
  const { status, body } = await exchange(key, { audience: home.url, for_client_id });
  assert.equal(status, 200, JSON.stringify(body));
  return String(body.access_token);
}

const redeem = (assertion: string, as: Registered | undefined = client, more = {}, at: Home = home): Promise<Answer> =>
  ask({ grant_type: BEARER, assertion, ...more }, as, at);

const userInfo = async (token: unknown) => {
  const answer = await fetch(`${home.url}/me`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('an agent exchanges its key for a token that a service checks against the JWKS (RFC 8693)', async () => {
  const { key, mailbox } = await newAgent();
  const { status, body } = await exchange(key, { requested_token_type: `${TYPE}jwt` });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.issued_token_type, `${TYPE}jwt`);
  assert.equal(body.token_type, 'N_A');
  assert.ok(Number(body.expires_in) > 290 && Number(body.expires_in) <= 300);
  const { payload } = await jwtVerify(String(body.access_token), createRemoteJWKSet(new URL(`${home.url}/jwks`)), {
    issuer: home.url,
    audience: ORIGIN,
    typ: 'agent-token+jwt',
    algorithms: ['ES256'],
  });
  assert.equal(payload.email, `${mailbox.local_part}@${home.namespace.name}.mail.test`);
  assert.equal(payload.client_id, undefined);
  const unbound = await newAgent(['auth:assert'], home, false);
  const named = `${unbound.mailbox.local_part}@${home.namespace.name}.mail.test`;
  assert.equal((await exchange(unbound.key, { mailbox: named })).status, 200);
  assert.equal((await exchange(unbound.key)).body.error, 'invalid_request');
});

test('a key without scope auth:assert, of another namespace, revoked, a guest’s token or none at all gets no token', async () => {
  const other = await newHome(node);
  const [plain, stranger, revoked] = [
    await newAgent(['mail:send']),
    await newAgent(undefined, other),
    await newAgent(),
  ];
  await node.store.keys.revoke(revoked.row.id, home.namespace.id, Date.now());
  node.directory.changed();
  const ada = `ada@${home.namespace.name}.mail.test`;
  for (const [why, key, fields] of [
    ['no scope', plain.key, {}],
    ['another’s mailbox', stranger.key, { mailbox: ada }],
    ['another’s that is not there', stranger.key, { mailbox: ada.replace('ada', 'nobody') }],
    ['another mailbox than it is bound to', (await newAgent()).key, { mailbox: ada }],
    ['revoked', revoked.key, {}],
    ['a thread’s token', node.who.threadToken(newId('thr', Date.now())), {}],
    ['no key', 'nonsense', {}],
    ['a key that never was', newSecret().secret, {}],
  ] as const) {
    const { status, body } = await exchange(key, fields);
    assert.equal(status, 400, why);
    assert.equal(body.error, 'invalid_grant', why);
    assert.equal(body.access_token, undefined, why);
  }
  assert.equal((await exchange('')).body.error, 'invalid_request');
});

test('a token is for an origin or this issuer, of the type that was asked for, by the grant that is for agents', async () => {
  const { key } = await newAgent();
  for (const [fields, error] of [
    [{ audience: client.id }, 'invalid_target'],
    [{ audience: 'http://service.example' }, 'invalid_target'],
    [{ audience: `${ORIGIN}/path` }, 'invalid_target'],
    [{ audience: (await newHome(node)).url }, 'invalid_target'],
    [{ audience: home.url }, 'invalid_target'],
    [{ audience: home.url, for_client_id: 'agent' }, 'invalid_target'],
    [{ for_client_id: client.id }, 'invalid_target'],
    [{ subject_token_type: `${TYPE}jwt` }, 'invalid_request'],
    [{ requested_token_type: `${TYPE}saml2` }, 'invalid_request'],
    [{ mailbox: 'nobody@nowhere.mail.test' }, 'invalid_request'],
    [{ mailbox: 'ada@example.com' }, 'invalid_request'],
    [{ grant_type: BEARER, assertion: 'x' }, 'invalid_request'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ] as const) {
    const { status, body } = await exchange(key, fields);
    assert.equal(status, 400, JSON.stringify(fields));
    assert.equal(body.error, error, JSON.stringify(fields));
  }
  const paused = await newHome(node, { access: 'key' });
  assert.equal((await exchange(key, {}, paused)).body.error, 'invalid_grant');
});

test('a service redeems an agent’s assertion that names it, once (RFC 7523), and reads who it is', async () => {
  const agent = await newAgent();
  const assertion = await assertionOf(agent);
  assert.equal(decodeJwt(assertion).client_id, client.id);
  const { status, body } = await redeem(assertion, client, { scope: 'openid email' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.token_type, 'Bearer');
  assert.equal(body.scope, 'openid email');
  assert.equal(body.refresh_token, undefined);
  const info = await userInfo(body.access_token);
  assert.equal(info.status, 200);
  assert.deepEqual(info.body, {
    sub: decodeJwt(assertion).sub,
    email: `${agent.mailbox.local_part}@${home.namespace.name}.mail.test`,
    email_verified: true,
  });
  const again = await redeem(assertion);
  assert.equal(again.status, 400);
  assert.equal(again.body.error, 'invalid_grant');
});

test('of 50 who redeem one assertion at the same time one gets a token', async () => {
  const assertion = await assertionOf(await newAgent());
  const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(assertion)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ body }) => body.error === 'invalid_grant').length, 49);
});

test('a service that an assertion does not name gets nothing for it, and spends nothing', async () => {
  const other = await newClient(node, home);
  const assertion = await assertionOf(await newAgent());
  assert.equal((await redeem(assertion, other)).body.error, 'invalid_grant');
  assert.equal((await redeem(assertion, { ...client, secret: 'x'.repeat(43) })).body.error, 'invalid_client');
  assert.equal((await ask({ grant_type: BEARER, assertion, client_id: client.id })).body.error, 'invalid_client');
  const open = await newClient(node, home, { token_endpoint_auth_method: 'none' });
  const theirs = await assertionOf(await newAgent(), open.id);
  const asked = await ask({ grant_type: BEARER, assertion: theirs, client_id: open.id });
  assert.equal(asked.body.error, 'invalid_request', 'who can show no secret redeems nothing');
  assert.equal((await redeem(assertion)).status, 200);
});

test('an assertion with wrong issuer, audience, type, algorithm, key, times or account is refused', async () => {
  const agent = await newAgent();
  const good = decodeJwt(await assertionOf(agent));
  const keys = await node.keyring.issuer(home.namespace.id, 'RS256');
  const now = Math.floor(Date.now() / 1000);
  const fresh = (claims: JWTPayload): JWTPayload => ({
    ...good,
    jti: randomBytes(16).toString('base64url'),
    ...claims,
  });
  const sign = (claims: Readonly<Record<string, unknown>>, typ = 'agent-token+jwt'): Promise<string> =>
    keys.sign(typ, fresh(claims));
  const other = await newHome(node);
  const elsewhere = await node.keyring.issuer(other.namespace.id);
  const kid = keys.signing[0].jwk.kid;
  const header = { kid, typ: 'agent-token+jwt' };
  const [es256, rs256] = keys.signing;
  const pem = createPublicKey({ key: { ...es256.jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const stranger = await generateKeyPair('ES256');
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const byRsa = `${part({ alg: 'RS256', kid: rs256?.jwk.kid, typ: 'agent-token+jwt' })}.${part(fresh({}))}`;
  const intact = await sign({});
  const [head = '', , signature = ''] = intact.split('.');
  const wrong: Readonly<Record<string, string>> = {
    'aud of a service': await sign({ aud: ORIGIN }),
    'aud of another issuer': await sign({ aud: other.url }),
    'several aud': await sign({ aud: [home.url, ORIGIN] }),
    'no aud': await sign({ aud: undefined }),
    'no client_id': await sign({ client_id: undefined }),
    'client_id of another': await sign({ client_id: newId('cli', Date.now()) }),
    'client_id as a list': await sign({ client_id: [client.id] }),
    'iss of another': await sign({ iss: other.url }),
    'no jti': await sign({ jti: undefined }),
    'no exp': await sign({ exp: undefined }),
    'no sub': await sign({ sub: undefined }),
    expired: await sign({ iat: now - 400, exp: now - 100 }),
    'of nobody': await sign({ sub: randomBytes(20).toString('base64url') }),
    'typ JWT': await sign({}, 'JWT'),
    'typ at+jwt': await sign({}, 'at+jwt'),
    'alg none': `${part({ ...header, alg: 'none' })}.${part(fresh({}))}.`,
    'HS256 with the public key': await new SignJWT(fresh({}))
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(Buffer.from(pem)),
    'RS256 by the issuer’s own key': `${byRsa}.${(await rs256?.sign(Buffer.from(byRsa)))?.toString('base64url')}`,
    'a stranger’s key': await new SignJWT(fresh({}))
      .setProtectedHeader({ ...header, alg: 'ES256' })
      .sign(stranger.privateKey),
    'a stranger’s key in the header': await new SignJWT(fresh({}))
      .setProtectedHeader({
        ...header,
        alg: 'ES256',
        jwk: await exportJWK(stranger.publicKey),
      })
      .sign(stranger.privateKey),
    'another issuer’s key': await elsewhere.sign('agent-token+jwt', fresh({})),
    'other claims under its signature': `${head}.${part(fresh({ email: 'eve@evil.example' }))}.${signature}`,
    'an access token': 'x'.repeat(43),
    nothing: '..',
  };
  for (const [why, assertion] of Object.entries(wrong)) {
    const { status, body } = await redeem(assertion);
    assert.equal(status, 400, why);
    assert.equal(body.error, 'invalid_grant', why);
    assert.equal(body.access_token, undefined, why);
  }
  assert.equal((await redeem(intact, client, { scope: 'email' })).body.error, 'invalid_scope');
  assert.equal((await redeem(intact)).status, 200, 'what is right with it is enough');
});

test('an assertion of one issuer is worth nothing at another', async () => {
  const other = await newHome(node);
  const theirs = await newClient(node, other);
  const assertion = await assertionOf(await newAgent(), theirs.id);
  assert.equal((await redeem(assertion, theirs, {}, other)).body.error, 'invalid_grant');
});

test('no key and no token stands in the log, in an error or in the store', async () => {
  const agent = await newAgent();
  const assertion = await assertionOf(agent);
  const { body } = await redeem(assertion);
  const { jti } = decodeJwt(assertion);
  const secrets = [agent.key, assertion, assertion.split('.')[2] as string, String(body.access_token)];
  const kept = await node.store.states.of('oidc:Assertion', String(decodeJwt(assertion).sub), Date.now());
  assert.equal(kept.length, 1);
  const all = [...node.lines, ...node.errors.map(String), JSON.stringify(kept)].join('\n');
  for (const secret of [...secrets, String(jti)]) assert.ok(!all.includes(secret));
  assert.deepEqual(node.errors, []);
});
