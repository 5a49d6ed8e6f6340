import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import * as openid from 'openid-client';

/** A small service, on its own port, whose users sign in by an issuer of the tested Mailroom. */
export interface Relying {
  readonly origin: string;
  readonly redirect_uri: string;
  /** The issuer's configuration, for custom requests. */
  readonly config: openid.Configuration;
  /** The URL to send a browser to, with the values to check the answer against. */
  begin(more?: Record<string, string>): Promise<{
    readonly url: URL;
    readonly finish: (callback: URL) => Promise<openid.IDToken>;
    /** Exchanges the callback's code for tokens, with all checks. */
    readonly exchange: (callback: URL) => ReturnType<typeof openid.authorizationCodeGrant>;
  }>;
}

/** Registers with `issuer` by the owner's key, and serves its callback URL. */
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
    config,
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
      const exchange = (callback: URL) =>
        openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState, expectedNonce });
      const finish = async (callback: URL): Promise<openid.IDToken> => {
        const claims = (await exchange(callback)).claims();
        assert.ok(claims !== undefined);
        return claims;
      };
      return { url, finish, exchange };
    },
  };
}
