import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as client from 'openid-client';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { Browser } from './browser.ts';
import { type Home, type Node, newClient, newHome, type Registered, startNode } from './house.ts';

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());

const BASE = 'http://mail.example';

interface Nodes extends AsyncDisposable {
  readonly one: Node;
  readonly other: Node;
}

async function twoNodes(): Promise<Nodes> {
  const database = await postgres.newDatabase();
  const node = await startNode({ database, base: BASE });
  const other = await startNode({ database, base: BASE });
  return {
    one: node,
    other,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

interface Begun {
  readonly code: string;
  readonly verifier: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A sign-in with each step at another node than the one before. */
async function signIn({ one, other }: Nodes, home: Home, registered: Registered, more: object = {}): Promise<Begun> {
  const browser = new Browser();
  const turns = [one, other];
  let turn = 0;
  browser.to = (url) => url.href.replace(BASE, (turns[turn++ % 2] as Node).at);
  const verifier = client.randomPKCECodeVerifier();
  const url = new URL(`${home.url}/auth`);
  url.search = new URLSearchParams({
    client_id: registered.id,
    response_type: 'code',
    redirect_uri: registered.redirect_uri,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  }).toString();
  const { location } = await browser.get(url);
  const done = await browser.get(location, { headers: { 'x-test-account': home.ada.id } });
  const back = new URL((await browser.get(done.location)).location);
  return { code: back.searchParams.get('code') as string, verifier };
}

const redeem = (node: Node, home: Home, registered: Registered, { code, verifier }: Begun): Promise<Response> =>
  fetch(`${node.at}/oidc/${home.namespace.name}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${registered.id}:${registered.secret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: registered.redirect_uri,
      code_verifier: verifier,
    }),
  });

test('a sign-in that is begun on one node goes on and ends on another, both with the same keys', async () => {
  await using nodes = await twoNodes();
  const { one, other } = nodes;
  const home = await newHome(one);
  const registered = await newClient(one, home);
  const answer = await redeem(other, home, registered, await signIn(nodes, home, registered));
  assert.equal(answer.status, 200, await answer.clone().text());
  const { id_token } = (await answer.json()) as { readonly id_token: string };
  const { kid } = JSON.parse(Buffer.from(id_token.split('.')[0] as string, 'base64url').toString()) as { kid: string };
  for (const node of [one, other]) {
    const jwks = await fetch(`${node.at}/oidc/${home.namespace.name}/jwks`);
    const { keys } = (await jwks.json()) as { readonly keys: readonly { readonly kid: string }[] };
    assert.ok(
      keys.some((key) => key.kid === kid),
      'a node does not know the key that the other signed with',
    );
  }
});

const REDEMPTIONS = amount(40, 200);

test(`of ${REDEMPTIONS} redemptions of one code on two nodes at once exactly one gets tokens`, async () => {
  await using nodes = await twoNodes();
  const { one, other } = nodes;
  const home = await newHome(one);
  const registered = await newClient(one, home);
  const begun = await signIn(nodes, home, registered);
  const answers = await Promise.all(
    Array.from({ length: REDEMPTIONS }, (_, n) => redeem(n % 2 === 0 ? one : other, home, registered, begun)),
  );
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  assert.deepEqual(Object.fromEntries(counts), { 200: 1, 400: REDEMPTIONS - 1 });
});

/** Redeems a refresh token. */
const refresh = (node: Node, home: Home, { id, secret }: Registered, refresh_token: string): Promise<Response> =>
  fetch(`${node.at}/oidc/${home.namespace.name}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
  });
const knows = async (node: Node, home: Home, token: string): Promise<number> =>
  (
    await fetch(`${node.at}/oidc/${home.namespace.name}/me`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

test('of many who use one refresh token on two nodes at once at most one gets tokens, which end with it', async () => {
  await using nodes = await twoNodes();
  const { one, other } = nodes;
  const home = await newHome(one);
  const registered = await newClient(one, home);
  const begun = await signIn(nodes, home, registered, { scope: 'openid offline_access', prompt: 'consent' });
  const first = (await (await redeem(one, home, registered, begun)).json()) as Tokens;
  assert.equal(await knows(other, home, first.access_token), 200);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => refresh(n % 2 === 0 ? one : other, home, registered, first.refresh_token)),
  );
  const fresh = answers.filter(({ status }) => status === 200);
  assert.ok(fresh.length <= 1, `${fresh.length} of them`);
  const tokens = [first, ...(await Promise.all(fresh.map(async (answer) => (await answer.json()) as Tokens)))];
  for (const { access_token, refresh_token } of tokens)
    for (const node of [one, other]) {
      assert.equal(await knows(node, home, access_token), 401);
      assert.equal((await refresh(node, home, registered, refresh_token)).status, 400);
    }
});

test('a code that is used again on another node revokes the tokens it was used for on both', async () => {
  await using nodes = await twoNodes();
  const { one, other } = nodes;
  const home = await newHome(one);
  const registered = await newClient(one, home);
  const begun = await signIn(nodes, home, registered);
  const { access_token } = (await (await redeem(one, home, registered, begun)).json()) as Tokens;
  for (const node of [one, other]) assert.equal(await knows(node, home, access_token), 200);
  assert.equal((await redeem(other, home, registered, begun)).status, 400);
  for (const node of [one, other]) assert.equal(await knows(node, home, access_token), 401);
});
