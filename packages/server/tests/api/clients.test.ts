import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { APP, newAuth, newService, type Service, type ServiceWithSecret } from '../../../../tests/harness/auth.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const service = await serveInside();
const client = connect(service.url);
const { api, newNamespace, newMailbox, newKey, all } = client;
const home = await newNamespace();
const auth = await newAuth(client, home);
const PATH = `/mailboxes/${auth.address}/clients`;
const { key } = home;

const SECRET = /^mr_client_[0-9A-Za-z]{43}$/;
const create = (body: object, headers: Record<string, string> = {}) =>
  api<ServiceWithSecret>('POST', PATH, { key, body, headers });
const get = (id: string) => api<Service>('GET', `${PATH}/${id}`, { key });
const patch = (id: string, body: object) => api<Service>('PATCH', `${PATH}/${id}`, { key, body });

test('a service is registered with a name and where people are sent back to; the answer alone holds its secret', async () => {
  const created = await create(APP);
  assert.equal(created.status, 201, created.text);
  const { client_secret, ...shown } = created.body;
  assert.match(client_secret ?? '', SECRET);
  assert.match(shown.id, /^cli_/);
  assert.equal(new URL(shown.issuer).pathname, `/oidc/${home.name}`);
  assert.equal(created.headers.get('location'), `/api/v1/mailboxes/${auth.address}/clients/${shown.id}`);
  assert.deepEqual(shown, {
    ...shown,
    ...APP,
    source: 'owner',
    post_logout_redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic',
    application_type: 'web',
    client_uri: null,
    logo_uri: null,
    jwks: null,
    jwks_uri: null,
  });
  const read = await get(shown.id);
  assert.deepEqual(read.body, shown);
  const listed = (await all<Service>(PATH, key)).find(({ id }) => id === shown.id);
  assert.deepEqual(listed, shown);
  assert.ok(!read.text.includes('mr_client_'));
});

test('a secret is nowhere in the database or the log, and each is another', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, async () => (await create(APP)).body.client_secret));
  assert.equal(new Set(secrets).size, 20);
  const files = [service.database, `${service.database}-wal`].map((file) => readFileSync(file, 'latin1'));
  for (const secret of secrets) {
    assert.match(secret ?? '', SECRET);
    for (const text of [...files, service.logs(), service.stdout()]) assert.ok(!text.includes(secret as string));
  }
});

test('services are listed in the order they were made, page by page', async () => {
  const other = await newNamespace();
  const box = await newAuth(client, other);
  const keys: string[] = [];
  for (let nth = 0; nth < 5; nth++) keys.push((await newService(client, other, box, { name: `App ${nth}` })).id);
  const path = `/mailboxes/${box.address}/clients`;
  assert.deepEqual(
    (await all<Service>(`${path}?limit=2`, other.key)).map(({ id }) => id),
    keys,
  );
  const first = await api<Page<Service>>('GET', `${path}?limit=2`, { key: other.key });
  assert.match(first.headers.get('link') ?? '', /\/clients\?limit=2&cursor=[^>]+>; rel="next"/);
});

test('a service is changed in part, and null takes a field away', async () => {
  const { id } = await newService(client, home, auth, { client_uri: 'https://app.example.com/' });
  const uris = ['https://app.example.com/cb', 'http://localhost:3000/cb'];
  const changed = await patch(id, { redirect_uris: uris, name: 'Another' });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.body.redirect_uris, uris);
  assert.equal(changed.body.name, 'Another');
  assert.equal(changed.body.client_uri, 'https://app.example.com/');
  assert.equal((await patch(id, { client_uri: null })).body.client_uri, null);
  assert.deepEqual((await get(id)).body.redirect_uris, uris);
  isProblem(await patch(id, { redirect_uris: [] }), 'validation_error', '/redirect_uris');
  isProblem(await patch(id, { redirect_uris: ['http://evil.example/'] }), 'validation_error', '/redirect_uris/0');
  isProblem(await patch(id, {}), 'validation_error');
  assert.deepEqual((await get(id)).body.redirect_uris, uris);
});

test('a new secret is shown once; a service without secrets gets none', async () => {
  const registered = await newService(client, home, auth);
  const renewed = await api<ServiceWithSecret>('POST', `${PATH}/${registered.id}/secret`, { key });
  assert.equal(renewed.status, 200, renewed.text);
  assert.match(renewed.body.client_secret ?? '', SECRET);
  assert.notEqual(renewed.body.client_secret, registered.client_secret);
  const open = await newService(client, home, auth, { token_endpoint_auth_method: 'none' });
  assert.equal(open.client_secret, null);
  isProblem(await api('POST', `${PATH}/${open.id}/secret`, { key }), 'validation_error', '/id');
  assert.equal((await patch(open.id, { token_endpoint_auth_method: 'client_secret_post' })).status, 200);
  assert.equal((await api('POST', `${PATH}/${open.id}/secret`, { key })).status, 200);
});

test('a removed service is gone', async () => {
  const { id } = await newService(client, home, auth);
  assert.equal((await api('DELETE', `${PATH}/${id}`, { key })).status, 204);
  for (const method of ['GET', 'DELETE']) isProblem(await api(method, `${PATH}/${id}`, { key }), 'not_found');
  isProblem(await patch(id, { name: 'x' }), 'not_found');
  isProblem(await api('POST', `${PATH}/${id}/secret`, { key }), 'not_found');
});

test('the same request with the same Idempotency-Key makes one service and tells its secret once', async () => {
  const idempotent = { 'idempotency-key': unique() };
  const first = await create(APP, idempotent);
  const again = await create(APP, idempotent);
  assert.equal(again.status, 201, again.text);
  assert.equal(again.body.id, first.body.id);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.match(first.body.client_secret ?? '', SECRET);
  assert.equal(again.body.client_secret, null);
  isProblem(await create({ ...APP, name: 'Other' }, idempotent), 'idempotency_mismatch');
});

test('many at once with one Idempotency-Key make one service', async () => {
  const idempotent = { 'idempotency-key': unique() };
  const name = unique('app');
  const answers = await Promise.all(Array.from({ length: 20 }, () => create({ ...APP, name }, idempotent)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal(answers.filter(({ body }) => body.client_secret !== null).length, 1);
  assert.equal((await all<Service>(PATH, key)).filter((one) => one.name === name).length, 1);
});

const GOOD: [string, string?][] = [
  ['https://app.example.com/callback'],
  ['https://app.example.com'],
  ['https://app.example.com/cb?tenant=1'],
  ['https://app.example.com/cb%2Fone/v1..2/...?back=/..%2f..'],
  ['https://app.example.com:8443/cb'],
  ['http://localhost:3000/cb'],
  ['http://127.0.0.1/cb'],
  ['http://[::1]:8080/cb'],
  ['com.example.app:/callback', 'native'],
  ['com.example.app://callback', 'native'],
  ['http://127.0.0.1/cb', 'native'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'native'],
  ['vscode://vendor.extension/callback', 'native'],
];
const BAD: [string, string?][] = [
  ['app.example.com/cb'],
  ['/cb'],
  [' https://app.example.com/cb'],
  ['http://app.example.com/cb'],
  ['http://localhost.example.com/cb'],
  ['http://127.0.0.2/cb'],
  ['http://0.0.0.0/cb'],
  ['https://app.example.com/cb#top'],
  ['https://app.example.com/cb#'],
  ['https://*.example.com/cb'],
  ['https://app.example.com/*'],
  ['https://ada@app.example.com/cb'],
  ['https://ada:pw@app.example.com/cb'],
  ['https://@app.example.com/cb'],
  ['https://APP.example.com/cb'],
  ['HTTPS://app.example.com/cb'],
  ['https://app.example.com:443/cb'],
  ['https://app.example.com/a/../cb'],
  ['https://app.example.com/..%2f..'],
  ['https://app.example.com/cb/..%2Fadmin'],
  ['https://app.example.com/..%5c..%5cadmin'],
  ['https://app.example.com/%252e%252e%252fadmin'],
  ['https://app.example.com/..;/admin'],
  ['http://localhost:3000/..%2f'],
  ['com.example.app:/..%2fcallback', 'native'],
  ['https://app.example.com\\@evil.example/cb'],
  ['https:\\\\app.example.com/cb'],
  ['https:app.example.com/cb'],
  ['https:///app.example.com/cb'],
  ['https://app.example.com/c b'],
  ['https://app.example.com/\tcb'],
  ['https://bücher.example/cb'],
  ['https://app.example.com\u3002evil.example/cb'],
  ['javascript:alert(1)', 'native'],
  ['data:text/html,x', 'native'],
  ['file:///etc/passwd', 'native'],
  ['javascript://app.example/%0aalert(1)', 'native'],
  ['data://text/html,x', 'native'],
  ['file://host/x', 'native'],
  ['ms-msdt://x/y', 'native'],
  ['mailto://ada/x', 'native'],
  ['ws://app.example/cb', 'native'],
  ['about://blank', 'native'],
  ['chrome-extension://abc/cb', 'native'],
  ['web+app://x/y', 'native'],
  ['cursor:///cb', 'native'],
  ['cursor://ada@host/cb', 'native'],
  ['CURSOR://host/cb', 'native'],
  ['vbscript://x/y', 'native'],
  ['blob:https://app.example/x', 'native'],
  ['intent://x/y', 'native'],
  ['cursor://anysphere.cursor-mcp/oauth/callback'],
  ['myapp:/cb', 'native'],
  ['com.example.app:/callback'],
  ['https://localhost/cb', 'native'],
];

test('people are sent back to https, to this machine, or to an app of its own', async () => {
  for (const [uri, application_type = 'web'] of GOOD) {
    const made = await create({ ...APP, application_type, redirect_uris: [uri], post_logout_redirect_uris: [uri] });
    assert.equal(made.status, 201, `${uri}: ${made.text}`);
    assert.deepEqual(made.body.redirect_uris, [uri]);
  }
});

test('what could send people elsewhere is refused, with its place and what to write instead', async () => {
  for (const [uri, application_type = 'web'] of BAD) {
    const fields = { ...APP, application_type };
    const ok = 'https://app.example.com/ok';
    const problem = isProblem(
      await create({ ...fields, redirect_uris: [ok, uri] }),
      'validation_error',
      '/redirect_uris/1',
    );
    assert.doesNotMatch(problem.detail, /form that is wanted/, uri);
    isProblem(
      await create({ ...fields, redirect_uris: [ok], post_logout_redirect_uris: [uri] }),
      'validation_error',
      '/post_logout_redirect_uris/0',
    );
  }
});

test('lists have their limits', async () => {
  const uris = (count: number) => Array.from({ length: count }, (_, nth) => `https://app.example.com/${nth}`);
  assert.equal((await create({ ...APP, redirect_uris: uris(20) })).status, 201);
  for (const redirect_uris of [[], uris(21), ['https://a.example/', 'https://a.example/']])
    isProblem(await create({ ...APP, redirect_uris }), 'validation_error', '/redirect_uris');
  isProblem(
    await create({ ...APP, redirect_uris: [`https://a.example/${'x'.repeat(1000)}`] }),
    'validation_error',
    '/redirect_uris/0',
  );
  isProblem(await create({ ...APP, name: ' ' }), 'validation_error', '/name');
  isProblem(await create({ ...APP, name: 'a\nb' }), 'validation_error', '/name');
  isProblem(await create({ ...APP, client_secret: 'mine' }), 'validation_error', '/client_secret');
});

test('a service that signs with a key of its own gives the public half, by value or by place', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const method = { token_endpoint_auth_method: 'private_key_jwt' };
  const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
  const made = await create({ ...APP, ...method, jwks });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.client_secret, null);
  assert.deepEqual(made.body.jwks, jwks);
  const jwks_uri = 'https://app.example.com/jwks.json';
  assert.equal((await create({ ...APP, ...method, jwks_uri })).status, 201);
  isProblem(await create({ ...APP, ...method }), 'validation_error', '/jwks');
  isProblem(await create({ ...APP, ...method, jwks, jwks_uri }), 'validation_error', '/jwks');
  isProblem(
    await create({ ...APP, ...method, jwks: { keys: [privateKey.export({ format: 'jwk' })] } }),
    'validation_error',
    '/jwks',
  );
  isProblem(await create({ ...APP, ...method, jwks: { keys: [{ kty: 'EC' }] } }), 'validation_error', '/jwks');
  isProblem(
    await create({ ...APP, ...method, jwks_uri: 'http://app.example.com/jwks.json' }),
    'validation_error',
    '/jwks_uri',
  );
  isProblem(await create({ ...APP, jwks }), 'validation_error', '/token_endpoint_auth_method');
});

test('only keys that run the address of this behavior see and change its services', async () => {
  const { id } = await newService(client, home, auth);
  const other = await newNamespace();
  const weak = (await newKey(home, { scopes: ['mail:send', 'messages:read', 'keys:write', 'auth:assert'] })).secret;
  const plain = await newMailbox(home);
  const bound = (await newKey(home, { scopes: ['mailboxes:write'], mailbox: auth.address })).secret;
  const elsewhere = (await newKey(home, { scopes: ['mailboxes:write'], mailbox: plain.address })).secret;
  const asks: [string, string, object?][] = [
    ['GET', ''],
    ['POST', '', APP],
    ['GET', `/${id}`],
    ['PATCH', `/${id}`, { name: 'x' }],
    ['POST', `/${id}/secret`],
    ['DELETE', `/${id}`],
  ];
  for (const [method, rest, body] of asks) {
    const ask = (who: string | undefined, path = PATH) => api(method, path + rest, { key: who, body });
    isProblem(await ask(undefined), 'missing_key');
    isProblem(await ask(weak), 'insufficient_scope');
    isProblem(await ask(other.key), 'access_denied');
    isProblem(await ask(elsewhere), 'access_denied');
    isProblem(await ask(key, `/mailboxes/${plain.address}/clients`), 'validation_error', '/address');
    isProblem(await ask(key, `/mailboxes/nobody@${home.name}.mailroom.localhost/clients`), 'mailbox_not_found');
  }
  assert.equal((await api('GET', `${PATH}/${id}`, { key: bound })).status, 200);
  const second = await newAuth(client, home, { local_part: 'auth2' });
  isProblem(await api('GET', `/mailboxes/${second.address}/clients/${id}`, { key }), 'not_found');
  isProblem(await api('DELETE', `/mailboxes/${second.address}/clients/${id}`, { key }), 'not_found');
  assert.equal((await get(id)).status, 200);
});

interface Token {
  id: string;
  name: string | null;
  created_at: string;
  expires_at: string;
  token?: string;
  registration_endpoint?: string;
}

test('a registration token is shown once, listed without itself, and removed', async () => {
  const path = `/mailboxes/${auth.address}/registration-tokens`;
  const made = await api<Token>('POST', path, { key, body: { name: 'staging' } });
  assert.equal(made.status, 201, made.text);
  const { token, registration_endpoint, ...publicFields } = made.body;
  assert.match(token ?? '', /^mr_register_[0-9A-Za-z]{43}$/);
  assert.equal(new URL(registration_endpoint ?? '').pathname, `/oidc/${home.name}/reg`);
  assert.equal(Date.parse(publicFields.expires_at) - Date.parse(publicFields.created_at) > 86_000_000, true);
  const plain = await api<Token>('POST', path, { key });
  assert.equal(plain.status, 201, plain.text);
  const listed = await api<Page<Token>>('GET', path, { key });
  assert.deepEqual(listed.body.items.map(({ id }) => id).sort(), [publicFields.id, plain.body.id].sort());
  assert.deepEqual(
    listed.body.items.find(({ id }) => id === publicFields.id),
    publicFields,
  );
  assert.ok(!listed.text.includes('mr_register_'));
  for (const file of [service.database, `${service.database}-wal`])
    assert.ok(!readFileSync(file, 'latin1').includes(token as string));
  assert.equal((await api('DELETE', `${path}/${publicFields.id}`, { key })).status, 204);
  isProblem(await api('DELETE', `${path}/${publicFields.id}`, { key }), 'not_found');
  assert.deepEqual(
    (await api<Page<Token>>('GET', path, { key })).body.items.map(({ id }) => id),
    [plain.body.id],
  );
});

test('a registration token expires within 90 days, and there are 50 at most', async () => {
  const other = await newNamespace();
  const box = await newAuth(client, other);
  const path = `/mailboxes/${box.address}/registration-tokens`;
  const make = (body: object) => api<Token>('POST', path, { key: other.key, body });
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const expires_at of [inDays(-1), inDays(91), 'soon'])
    isProblem(await make({ expires_at }), 'validation_error', '/expires_at');
  const at = inDays(30);
  assert.equal((await make({ expires_at: at })).body.expires_at, at);
  for (let nth = 1; nth < 50; nth++) assert.equal((await make({})).status, 201);
  isProblem(await make({}), 'validation_error');
  const plain = await newMailbox(other);
  isProblem(
    await api('POST', `/mailboxes/${plain.address}/registration-tokens`, { key: other.key, body: {} }),
    'validation_error',
    '/address',
  );
  const deleted = await api('DELETE', `/mailboxes/${box.address}`, { key: other.key });
  assert.equal(deleted.status, 204);
  const again = await newAuth(client, other);
  const left = await api<Page<Token>>('GET', `/mailboxes/${again.address}/registration-tokens`, { key: other.key });
  assert.deepEqual(left.body.items, []);
});

test('with a registration token, and only with one that works, a service registers itself and changes itself', async () => {
  const other = await newNamespace();
  const box = await newAuth(client, other);
  const path = `/mailboxes/${box.address}/registration-tokens`;
  const tokenOfOther = (await api<Token>('POST', path, { key: other.key })).body;
  const registrationPath = `//oidc/${other.name}/reg`;
  interface Registered {
    client_id: string;
    client_secret: string;
    registration_access_token: string;
    error?: string;
    error_description?: string;
  }
  const register = (token: string | undefined, body: object, to = registrationPath) =>
    api<Registered>('POST', to, {
      body,
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
  const wanted = { client_name: 'By itself', redirect_uris: ['https://self.example.com/cb'] };
  const done = await register(tokenOfOther.token, wanted);
  assert.equal(done.status, 201, done.text);
  const shownService = await api<Service>('GET', `/mailboxes/${box.address}/clients/${done.body.client_id}`, {
    key: other.key,
  });
  assert.deepEqual(
    [shownService.body.source, shownService.body.name, shownService.body.redirect_uris],
    ['registration', 'By itself', wanted.redirect_uris],
  );
  // Its owner can change it like any other.
  const renamed = await api<Service>('PATCH', `/mailboxes/${box.address}/clients/${done.body.client_id}`, {
    key: other.key,
    body: { name: 'Renamed' },
  });
  assert.deepEqual([renamed.body.name, renamed.body.source], ['Renamed', 'registration']);
  for (const uri of ['http://self.example.com/cb', 'https://SELF.example.com/cb', 'https://u@self.example.com/cb']) {
    const refused = await register(tokenOfOther.token, { ...wanted, redirect_uris: [uri] });
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_redirect_uri'], refused.text);
    const left = await register(tokenOfOther.token, { ...wanted, post_logout_redirect_uris: [uri] });
    assert.deepEqual([left.status, left.body.error], [400, 'invalid_client_metadata'], left.text);
  }
  const elsewhere = await newNamespace();
  await newAuth(client, elsewhere);
  for (const [token, to] of [
    [undefined, registrationPath],
    ['mr_register_x', registrationPath],
    [tokenOfOther.id, registrationPath],
    [other.key, registrationPath],
    [tokenOfOther.token, `//oidc/${elsewhere.name}/reg`],
  ] as const) {
    const answer = await register(token, wanted, to);
    assert.ok(answer.status === 400 || answer.status === 401, answer.text);
  }
  assert.equal((await api('DELETE', `${path}/${tokenOfOther.id}`, { key: other.key })).status, 204);
  assert.equal((await register(tokenOfOther.token, wanted)).status, 401);
  const all = await api<Page<Service>>('GET', `/mailboxes/${box.address}/clients`, { key: other.key });
  assert.equal(all.body.items.length, 1);
});
