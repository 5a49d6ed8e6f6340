import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import * as client from 'openid-client';
import { until } from '../../../../tests/harness/until.ts';
import { AgentSignIn } from '../../transports/oidc/agent.ts';
import type { Issuer } from '../../transports/oidc/issuers.ts';
import { newFile } from '../core/house.ts';
import { Browser } from './browser.ts';
import { type Home, type Node, newClient, newHome, type Registered, signIn, startNode } from './house.ts';

const node = await startNode();
after(() => node[Symbol.asyncDispose]());
const shared = await newHome(node);

async function newService(home: Home = shared) {
  const registered = await newClient(node, home);
  const config = await client.discovery(new URL(home.url), registered.id, registered.secret, undefined, {
    execute: [client.allowInsecureRequests],
  });
  return { home, registered, config };
}

async function begin(
  { config, registered }: { config: client.Configuration; registered: Registered },
  more: Readonly<Record<string, string>> = {},
) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: registered.redirect_uri,
    scope: 'openid email',
    state: 'the-state',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
  return { url, checks: { pkceCodeVerifier, expectedState: 'the-state' } };
}

const outside = async (on: Node, address = `${newId('acc', Date.now())}@outside.example`): Promise<string> =>
  (await on.store.accounts.getOrPut({ id: newId('acc', Date.now()), address, created_at: Date.now() })).id;

const subOf = async (home: Home, on: Node, account: string): Promise<string> =>
  on.store.accounts.subject(home.namespace.id, account, 'unused');

test('a page is told what a sign-in asks for, in the browser that began it alone', async () => {
  const service = await newService();
  const browser = new Browser();
  const { url } = await begin(service, { login_hint: 'ada@example.com' });
  const { location } = await browser.get(url);
  const interaction = JSON.parse((await browser.get(location)).text) as Record<string, unknown>;
  assert.deepEqual(interaction.client, {
    id: service.registered.id,
    name: 'Example',
    origin: 'https://service.example',
  });
  assert.deepEqual(interaction.scopes, ['openid', 'email']);
  assert.equal(interaction.login_hint, 'ada@example.com');
  assert.equal(interaction.prompt, 'login');
  assert.equal((await new Browser().get(location)).status, 404);
  const other = new Browser();
  const { location: theirs } = await other.get((await begin(service)).url);
  assert.equal((await other.get(location)).status, 404);
  assert.equal((await other.get(theirs)).status, 200);
});

test('who signed in is not asked again by the same service, is by another, and prompt=none asks nobody', async () => {
  const service = await newService();
  const browser = new Browser();
  const none = await begin(service, { prompt: 'none' });
  const asked = await browser.get(none.url);
  assert.equal(new URL(asked.location).searchParams.get('error'), 'login_required');
  await signIn(browser, (await begin(service)).url, service.home.ada.id);
  const silent = await browser.get((await begin(service, { prompt: 'none' })).url);
  assert.ok(new URL(silent.location).searchParams.has('code'), silent.location);
  const second = { ...service, registered: await newClient(node, service.home) };
  second.config = await client.discovery(
    new URL(service.home.url),
    second.registered.id,
    second.registered.secret,
    undefined,
    {
      execute: [client.allowInsecureRequests],
    },
  );
  const refused = await browser.get((await begin(second, { prompt: 'none' })).url);
  assert.equal(new URL(refused.location).searchParams.get('error'), 'consent_required');
  const { location } = await browser.get((await begin(second)).url);
  const interaction = JSON.parse((await browser.get(location)).text) as Record<string, unknown>;
  assert.equal(interaction.prompt, 'consent');
  assert.equal(interaction.session_subject, await subOf(service.home, node, service.home.ada.id));
  const done = await browser.get(location, { headers: { 'x-test-does': 'consent' } });
  const back = await browser.get(done.location);
  assert.ok(new URL(back.location).searchParams.has('code'), back.location);
});

test('nobody is signed in silently where the service asks which account, or thinks of another address', async () => {
  const service = await newService();
  const browser = new Browser();
  const ada = service.home.ada.id;
  await signIn(browser, (await begin(service)).url, ada);
  const email = `ada@${service.home.namespace.name}.mail.test`;
  for (const [more, error] of [
    [{ prompt: 'select_account' }, undefined],
    [{ login_hint: 'grace@outside.example' }, undefined],
    [{ login_hint: 'grace@outside.example', prompt: 'none' }, 'login_required'],
  ] as const) {
    const { url, checks } = await begin(service, more);
    const page = await browser.get(url);
    if (error !== undefined) {
      assert.equal(new URL(page.location).searchParams.get('error'), error);
      continue;
    }
    assert.ok(page.location.includes('/sign-in/'), page.location);
    const done = await browser.get(page.location, { headers: { 'x-test-account': ada } });
    const back = new URL((await browser.get(done.location)).location);
    const tokens = await client.authorizationCodeGrant(service.config, back, checks);
    assert.equal(tokens.claims()?.email, email);
  }
  const same = await browser.get((await begin(service, { login_hint: email.toUpperCase() })).url);
  assert.ok(new URL(same.location).searchParams.has('code'), same.location);
});

test('who refuses is sent back with access_denied', async () => {
  const service = await newService();
  const browser = new Browser();
  const { location } = await browser.get((await begin(service)).url);
  const done = await browser.get(location, { headers: { 'x-test-does': 'deny' } });
  const back = new URL((await browser.get(done.location)).location);
  assert.equal(back.searchParams.get('error'), 'access_denied');
  assert.equal(back.searchParams.get('state'), 'the-state');
});

test('somebody else who signs in at the same browser takes the place of who was there', async () => {
  const service = await newService();
  const browser = new Browser();
  await signIn(browser, (await begin(service)).url, service.home.ada.id);
  const { url, checks } = await begin(service, { prompt: 'login' });
  const account = await outside(node, 'grace@outside.example');
  const back = await signIn(browser, url, account);
  const tokens = await client.authorizationCodeGrant(service.config, back, checks);
  assert.equal(tokens.claims()?.email, 'grace@outside.example');
  assert.equal(tokens.claims()?.name, undefined);
});

test('a session whose account is no more is nobody, and its tokens are of nobody', async () => {
  const service = await newService();
  const account = await outside(node);
  const browser = new Browser();
  const { url, checks } = await begin(service);
  const tokens = await client.authorizationCodeGrant(service.config, await signIn(browser, url, account), checks);
  await node.store.accounts.remove(account);
  const again = await browser.get((await begin(service)).url);
  assert.ok(again.location.includes('/sign-in/'), again.location);
  const info = await fetch(`${service.home.url}/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  assert.equal(info.status, 401);
  assert.deepEqual(node.errors, []);
});

test('forgetting an account ends its sessions, its consents and its tokens', async () => {
  const service = await newService();
  const account = await outside(node);
  const browser = new Browser();
  const { url, checks } = await begin(service, { scope: 'openid offline_access', prompt: 'consent' });
  const tokens = await client.authorizationCodeGrant(service.config, await signIn(browser, url, account), checks);
  await node.issuers.forget(account);
  const again = await browser.get((await begin(service)).url);
  assert.ok(again.location.includes('/sign-in/'), again.location);
  await assert.rejects(
    client.refreshTokenGrant(service.config, tokens.refresh_token as string),
    /invalid_grant|error/i,
  );
  await assert.rejects(client.fetchUserInfo(service.config, tokens.access_token, tokens.claims()?.sub as string));
});

test('signing out by the service asks, ends the session, and leads back where it is registered', async () => {
  const service = await newService();
  const browser = new Browser();
  const { url, checks } = await begin(service);
  const back = await signIn(browser, url, service.home.ada.id);
  const tokens = await client.authorizationCodeGrant(service.config, back, checks);
  const out = client.buildEndSessionUrl(service.config, {
    id_token_hint: tokens.id_token as string,
    post_logout_redirect_uri: 'https://service.example/bye',
    state: 'out',
  });
  const page = await browser.get(out);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/service\.example/);
  const [, xsrf] = /name="xsrf" value="(\w+)"/.exec(page.text) ?? [];
  const [, action] = /action="([^"]+)"/.exec(page.text) ?? [];
  const sent = (fields: Record<string, string>) =>
    browser.get(action as string, { method: 'POST', body: new URLSearchParams(fields) });
  assert.equal((await sent({ xsrf: 'wrong', logout: 'yes' })).status, 400);
  const done = await sent({ xsrf: xsrf as string, logout: 'yes' });
  assert.equal(done.location, 'https://service.example/bye?state=out');
  const again = await browser.get((await begin(service)).url);
  assert.ok(again.location.includes('/sign-in/'), again.location);
  const wrong = new URL(out);
  wrong.searchParams.set('post_logout_redirect_uri', 'https://evil.example/');
  assert.equal((await browser.get(wrong)).status, 400);
});

test('an agent signs in without a browser, to what the provider itself finds right', async (t) => {
  const service = await newService();
  const agents = new AgentSignIn({ issuers: node.issuers, clock: Date.now });
  const { url, checks } = await begin(service);
  const { mock } = t.mock.method(node.store.states, 'remove');
  const removed = (): number => mock.calls.filter(({ arguments: [kind] }) => kind === 'oidc:Interaction').length;
  {
    await using dropped = await agents.begin(url.href, service.home.ada);
    assert.equal(dropped.requested.client_id, service.registered.id);
    assert.equal(removed(), 0);
  }
  assert.equal(removed(), 1, 'one that is not finished leaves nothing');
  await using begun = await agents.begin(url.href, service.home.ada);
  const found = begun.requested;
  assert.equal(found.client_id, service.registered.id);
  assert.equal(found.origin, 'https://service.example');
  assert.deepEqual(found.scopes, ['openid', 'email']);
  const back = await begun.finish();
  assert.equal(removed(), 2);
  const tokens = await client.authorizationCodeGrant(service.config, new URL(back), checks);
  assert.equal(tokens.claims()?.email, `ada@${service.home.namespace.name}.mail.test`);
  assert.deepEqual(tokens.claims()?.amr, ['api_key']);
  for (const [name, value] of [
    ['redirect_uri', 'https://evil.example/'],
    ['code_challenge_method', 'plain'],
    ['client_id', 'cli_nobody'],
    ['response_type', 'token'],
    ['prompt', 'none'],
  ] as const) {
    const wrong = new URL(url);
    wrong.searchParams.set(name, value);
    await assert.rejects(agents.begin(wrong.href, service.home.ada), { code: 'validation_error' }, name);
  }
  for (const elsewhere of ['https://evil.example/oidc/x/auth?y', `${service.home.url}/token?x`, 'nonsense', '']) {
    await assert.rejects(agents.begin(elsewhere, service.home.ada), { code: 'validation_error' }, elsewhere);
  }
});

test('nobody is signed in by a namespace that is not there, has no auth address, or whose address is paused', async () => {
  const home = await newHome(node);
  const discovery = async (name: string): Promise<number> =>
    (await fetch(`${node.at}/oidc/${name}/.well-known/openid-configuration`)).status;
  assert.equal(await discovery(home.namespace.name), 200);
  assert.equal(await discovery('nobody-here'), 404);
  assert.equal(await discovery((await newHome(node, { behavior: 'hello' })).namespace.name), 404);
  assert.equal(await discovery((await newHome(node, { status: 'paused' })).namespace.name), 503);
  assert.ok(
    !node.lines.some((line) => line.includes('Nobody is signed in')),
    'what an owner paused is no error of ours',
  );
  assert.equal(await discovery('Nobody'), 404);
  await node.store.mailboxes.delete(home.auth.id, Date.now());
  node.directory.changed();
  assert.equal(await discovery(home.namespace.name), 404);
});

test('the first page of an issuer waits for no RSA key; the first JWKS shows the one that signs from then on', async () => {
  const service = await newService(await newHome(node));
  const { id } = service.home.namespace;
  const published = async (): Promise<string[]> =>
    (await node.store.signingKeys.published(id, Date.now())).map((text) => (JSON.parse(text) as { alg: string }).alg);
  const browser = new Browser();
  const { location } = await browser.get((await begin(service)).url);
  assert.equal((await browser.get(location)).status, 200);
  assert.deepEqual(await published(), ['ES256']);
  const { id_token_signing_alg_values_supported: offered } = service.config.serverMetadata();
  assert.deepEqual(new Set(offered), new Set(['RS256', 'ES256']));
  const { keys } = (await (await fetch(`${service.home.url}/jwks`)).json()) as { keys: { alg: string; n?: string }[] };
  assert.deepEqual(keys.map(({ alg }) => alg).sort(), ['ES256', 'RS256']);
  assert.deepEqual((await published()).sort(), ['ES256', 'RS256']);
});

test('of 80 issuers 64 are in memory, and each goes on answering', async () => {
  const few = await startNode();
  await using _ = few;
  const homes = await Promise.all(Array.from({ length: 80 }, () => newHome(few)));
  for (const { namespace, url } of [...homes, homes[0] as Home]) {
    const issuer = (await few.issuers.of(namespace.name)) as Issuer;
    assert.equal(issuer.url, url);
  }
  assert.equal(few.issuers.loaded, 64);
});

test('the log names the whole path of what the provider answers, and no query', async () => {
  const { home } = await newService();
  const { name } = home.namespace;
  const paths = [
    `/oidc/${name}/auth`,
    `/oidc/${name}/.well-known/openid-configuration`,
    `/.well-known/openid-configuration/oidc/${name}`,
    `/.well-known/oauth-authorization-server/oidc/${name}`,
    `/oidc/${name}/nothing/here`,
  ];
  for (const [at, path] of paths.entries()) {
    const id = `whole-${name}-${at}`;
    await fetch(`${node.at}${path}?state=secret-${name}`, { headers: { 'x-request-id': id }, redirect: 'manual' });
    const lineOf = async () => node.lines.find((one) => one.startsWith(`${id} `));
    const { seen } = await until(5_000, lineOf, (line) => line !== undefined);
    assert.match(seen as string, new RegExp(`^${id} GET ${path.replaceAll('.', '\\.')} \\d{3} `));
  }
  assert.ok(!node.lines.join('\n').includes(`secret-${name}`));
});

test('a request id, nosniff and a line of the log without the query come with what the provider answers', async () => {
  const { home } = await newService();
  const answer = await fetch(`${home.url}/jwks?token=mr_live_secret`, { headers: { 'x-request-id': 'mine-1' } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('x-request-id'), 'mine-1');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  const { keys } = (await answer.json()) as { keys: Record<string, unknown>[] };
  assert.deepEqual(new Set(keys.map(({ alg }) => alg)), new Set(['ES256', 'RS256']));
  assert.ok(keys.every((key) => !('d' in key)));
  const line = node.lines.find((one) => one.includes('mine-1')) ?? '';
  assert.match(line, new RegExp(`/oidc/${home.namespace.name}/jwks 200`));
  assert.ok(!node.lines.join('\n').includes('mr_live_secret'));
  const lost = await fetch(`${home.url}/nothing`);
  assert.equal(lost.status, 404);
});

test('after a restart a sign-in that was begun before goes on', async () => {
  const database = `sqlite:${newFile()}`;
  const base = 'http://mail.example';
  const browser = new Browser();
  let first: Node | undefined = await startNode({ database, base });
  const origin = { node: first.at };
  browser.to = (url) => url.href.replace(base, origin.node);
  const home = await newHome(first);
  const registered = await newClient(first, home);
  const url = new URL(`${home.url}/auth`);
  const verifier = client.randomPKCECodeVerifier();
  for (const [name, value] of Object.entries({
    client_id: registered.id,
    response_type: 'code',
    redirect_uri: registered.redirect_uri,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })) {
    url.searchParams.set(name, value);
  }
  const { location } = await browser.get(url);
  await first[Symbol.asyncDispose]();
  first = undefined;
  await using second = await startNode({ database, base });
  origin.node = second.at;
  const done = await browser.get(location, { headers: { 'x-test-account': home.ada.id } });
  const back = new URL((await browser.get(done.location)).location);
  const answer = await fetch(`${second.at}/oidc/${home.namespace.name}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${registered.id}:${registered.secret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') as string,
      redirect_uri: registered.redirect_uri,
      code_verifier: verifier,
    }),
  });
  assert.equal(answer.status, 200);
});
