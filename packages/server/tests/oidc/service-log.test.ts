import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import * as client from 'openid-client';
import type { AuditEntry } from '../../core/entities/audit.ts';
import { newSecret } from '../../core/entities/key.ts';
import { AgentSignIn } from '../../transports/oidc/agent.ts';
import { UsedServices } from '../../transports/oidc/used-services.ts';
import { assertChain } from '../store/contract-audit.ts';
import { keyOf } from '../store/made.ts';
import { Browser } from './browser.ts';
import { type Home, newClient, newHome, type Registered, signIn, startNode } from './house.ts';

const node = await startNode();
after(() => node[Symbol.asyncDispose]());
const clock = Date.now;
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

async function signInUrl(home: Home, { id, secret, redirect_uri }: Registered, more: Record<string, string> = {}) {
  const config = await client.discovery(new URL(home.url), id, secret, undefined, {
    execute: [client.allowInsecureRequests],
  });
  return client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid email',
    state: 'x',
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
    ...more,
  });
}

async function logOf({ namespace }: Home, action = 'service.signed_in'): Promise<readonly AuditEntry[]> {
  const chain = await node.store.audit.chain(namespace.id, 0, Number.MAX_SAFE_INTEGER, 1_000);
  assertChain(chain);
  return chain.filter((entry) => entry.action === action);
}
const inShort = ({ actor, target, after: fields }: AuditEntry) => [actor.kind, actor.id, target.id, fields?.issuer];

async function ask(home: Home, fields: Record<string, string>, { id, secret }: Partial<Registered> = {}) {
  const answer = await fetch(`${home.url}/token`, {
    method: 'POST',
    headers: id === undefined ? {} : { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams(fields),
  });
  return (await answer.json()) as Readonly<Record<string, string>>;
}

test('each sign-in to a service is in the log of its issuer: who, where, and what the service may do', async () => {
  const home = await newHome(node);
  const service = await newClient(node, home);
  const address = `${newId('acc', clock())}@outside.example`;
  const { id } = await node.store.accounts.getOrPut({ id: newId('acc', clock()), address, created_at: clock() });
  const browser = new Browser();
  const refused = await browser.get(await signInUrl(home, service, { prompt: 'none' }));
  assert.ok(new URL(refused.location).searchParams.has('error'));
  assert.deepEqual(await logOf(home), []);
  await signIn(browser, await signInUrl(home, service), id);
  const [entry, ...more] = await logOf(home);
  assert.ok(entry !== undefined && more.length === 0);
  assert.deepEqual(entry.actor, { kind: 'account', id, name: address });
  assert.deepEqual(entry.target, { kind: 'service', id: service.id, name: 'Example' });
  assert.equal(entry.origin.channel, 'sign_in');
  assert.deepEqual(entry.after, { issuer: home.url, scopes: ['openid', 'email'] });
  await browser.get(await signInUrl(home, service, { prompt: 'none' }));
  assert.equal((await logOf(home)).length, 2, 'the second one, without a page');
});

test('a sign-in of an address stands in the log of its namespace too, with the issuer', async () => {
  const [home, other] = [await newHome(node), await newHome(node)];
  const service = await newClient(node, other);
  await signIn(new Browser(), await signInUrl(other, service), home.ada.id);
  const wanted = [['account', home.ada.id, service.id, other.url]];
  assert.deepEqual((await logOf(home)).map(inShort), wanted);
  assert.deepEqual((await logOf(other)).map(inShort), wanted);
});

test('a consent that is taken back is in the log', async () => {
  const home = await newHome(node);
  const service = await newClient(node, home);
  await signIn(new Browser(), await signInUrl(home, service), home.ada.id);
  const used = new UsedServices({ store: node.store, clock });
  const [consent] = await used.of(home.ada.id);
  assert.equal(await used.revoke(home.ada.id, consent?.id ?? ''), true);
  assert.equal(await used.revoke(home.ada.id, consent?.id ?? ''), false);
  assert.deepEqual((await logOf(home, 'service.consent_ended')).map(inShort), [
    ['account', home.ada.id, service.id, home.namespace.name],
  ]);
  assert.deepEqual(await used.of(home.ada.id), []);
});

test('agents that sign in without a browser are in the log: by a link, by a token, by an assertion', async () => {
  const home = await newHome(node);
  const service = await newClient(node, home);
  const { secret, ...hash } = newSecret();
  await node.store.keys.create(
    keyOf(home.namespace, { ...hash, scopes: ['auth:assert'], mailbox_id: home.ada.id, mailbox: 'ada' }),
  );
  node.directory.changed();
  const agents = new AgentSignIn({ issuers: node.issuers, clock });
  await using begun = await agents.begin((await signInUrl(home, service)).href, home.ada);
  assert.deepEqual(await logOf(home), [], 'not decided yet');
  await begun.finish();
  const request = {
    client_id: 'agent',
    grant_type: EXCHANGE,
    subject_token: secret,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  };
  const token = await ask(home, { ...request, audience: 'https://service.example' });
  assert.ok(token.access_token, JSON.stringify(token));
  const assertion = await ask(home, { ...request, audience: home.url, for_client_id: service.id });
  assert.equal((await logOf(home)).length, 2, 'an assertion is no sign-in before it is redeemed');
  const redeemed = await ask(home, { grant_type: BEARER, assertion: assertion.access_token ?? '' }, service);
  assert.ok(redeemed.access_token, JSON.stringify(redeemed));
  const again = await ask(home, { grant_type: BEARER, assertion: assertion.access_token ?? '' }, service);
  assert.equal(again.error, 'invalid_grant');
  const services = (await logOf(home)).map(({ target }) => target.id);
  assert.deepEqual(services, [service.id, 'https://service.example', service.id]);
  for (const { actor } of await logOf(home)) assert.deepEqual([actor.kind, actor.id], ['account', home.ada.id]);
});
