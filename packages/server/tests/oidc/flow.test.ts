import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as client from 'openid-client';
import { Browser } from './browser.ts';
import { newClient, newHome, signIn, startNode } from './house.ts';

const node = await startNode();
after(() => node[Symbol.asyncDispose]());

/** `openid-client` in a service's usual setup: discovery, PKCE, state and nonce. */
async function discovered(url: string, id: string, secret: string | undefined) {
  return client.discovery(new URL(url), id, secret, undefined, { execute: [client.allowInsecureRequests] });
}

export async function begin(config: client.Configuration, redirect_uri: string, more: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  return { url, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } };
}

test('a service signs a hosted address in with openid-client: discovery, code, PKCE, ID token, userinfo', async () => {
  const home = await newHome(node);
  const { id, secret, redirect_uri } = await newClient(node, home);
  const config = await discovered(home.url, id, secret);
  const { url, checks } = await begin(config, redirect_uri);
  const back = await signIn(new Browser(), url, home.ada.id);
  assert.ok(back.href.startsWith(`${redirect_uri}?`), back.href);
  assert.equal(back.searchParams.get('iss'), home.url);
  const tokens = await client.authorizationCodeGrant(config, back, checks);
  const claims = tokens.claims();
  assert.equal(claims?.iss, home.url);
  assert.equal(claims?.aud, id);
  assert.equal(claims?.email, `ada@${home.namespace.name}.mail.test`);
  assert.equal(claims?.email_verified, true);
  assert.equal(claims?.name, 'Ada Lovelace');
  assert.deepEqual(claims?.amr, ['otp']);
  assert.equal(typeof claims?.auth_time, 'number');
  assert.equal(Number(claims?.exp) - Number(claims?.iat), 300);
  assert.match(String(claims?.sub), /^[\w-]{27}$/);
  assert.equal(tokens.refresh_token, undefined);
  const info = await client.fetchUserInfo(config, tokens.access_token, String(claims?.sub));
  assert.equal(info.email, claims?.email);
  assert.deepEqual(node.errors, []);
});
