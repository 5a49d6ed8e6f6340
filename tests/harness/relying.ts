import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import * as openid from 'openid-client';

/** A small service that signs people in by an issuer here, on a port of its own. */
export interface Relying {
  readonly origin: string;
  readonly redirect_uri: string;
  /** The URL to send a browser to, with what the answer is checked against. */
  begin(
    more?: Record<string, string>,
  ): Promise<{ readonly url: URL; readonly finish: (callback: URL) => Promise<openid.IDToken> }>;
}

/** Registers itself with `issuer` by the owner's key, and answers its callback with a page. */
export async function openRelying(
  issuer: URL,
  register: (redirect_uri: string) => Promise<{ readonly client_id: string; readonly client_secret?: string }>,
): Promise<Relying> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>Back</title><h1>Back at the service</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirect_uri = `${origin}/callback`;
  const { client_id, client_secret } = await register(redirect_uri);
  const config = await openid.discovery(issuer, client_id, client_secret, undefined, {
    execute: [openid.allowInsecureRequests],
  });
  return {
    origin,
    redirect_uri,
    async begin(more = {}) {
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri,
        scope: 'openid email profile',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
        ...more,
      });
      const finish = async (callback: URL): Promise<openid.IDToken> => {
        const tokens = await openid.authorizationCodeGrant(config, callback, {
          pkceCodeVerifier,
          expectedState,
          expectedNonce,
        });
        const claims = tokens.claims();
        assert.ok(claims !== undefined);
        return claims;
      };
      return { url, finish };
    },
  };
}
