/**
 * A service where people sign in through Mailroom, with the library it would use for any OpenID Connect provider.
 *
 *     OWNER_KEY=mr_… npm run example:sign-in
 *
 * registers it with `auth@agents.mailroom.localhost` on http://localhost:8080 while it runs. `MAILROOM_URL`,
 * `AUTH_ADDRESS` and `PORT` change these.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import { button, escaped, page, redirect } from './page.ts';

const { OWNER_KEY, MAILROOM_URL = 'http://localhost:8080', PORT = '0' } = process.env;
const AUTH_ADDRESS = process.env.AUTH_ADDRESS ?? 'auth@agents.mailroom.localhost';
if (OWNER_KEY === undefined) {
  console.error('Set OWNER_KEY to the owner key that Mailroom showed on its first start.');
  process.exit(1);
}

/** A sign-in in progress; a browser may have one per tab, so each is found by its `state`. */
interface Begun {
  readonly verifier: string;
  readonly nonce: string;
}
interface Session {
  readonly begun: Map<string, Begun>;
  signedIn?: { readonly claims: client.IDToken; readonly id_token: string };
}
const sessions = new Map<string, Session>();

const cookieOf = (id: string): string => `session=${id}; HttpOnly; SameSite=Lax; Path=/`;

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    page(response, 400, `<p>That did not work: ${escaped(String(error))}</p><p><a href="/">Again</a></p>`);
  });
});
await new Promise<void>((resolve) => void server.listen(Number(PORT), '127.0.0.1', resolve));
const home = `http://localhost:${(server.address() as AddressInfo).port}/`;

// 1. Register. A real service is registered once, in the console, and keeps its secret.
const clients = `${MAILROOM_URL}/api/v1/mailboxes/${encodeURIComponent(AUTH_ADDRESS)}/clients`;
const headers = { authorization: `Bearer ${OWNER_KEY}`, 'content-type': 'application/json' };
const service = { name: 'Example', redirect_uris: [`${home}callback`], post_logout_redirect_uris: [home] };
const registration = await fetch(clients, { method: 'POST', headers, body: JSON.stringify(service) }).catch(() => {
  console.error(
    `No Mailroom answers at ${MAILROOM_URL}. Start one with npm start, or set MAILROOM_URL to where one runs.`,
  );
  process.exit(1);
});
if (!registration.ok) {
  console.error(`${MAILROOM_URL} does not register it: ${await registration.text()}`);
  process.exit(1);
}
const { id, client_secret, issuer } = (await registration.json()) as Record<'id' | 'client_secret' | 'issuer', string>;

// 2. Discover. Plain HTTP is only for a Mailroom on this machine.
const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
const config = await client.discovery(new URL(issuer), id, client_secret, undefined, { execute });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', home);
  const cookie = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const session = sessions.get(cookie);
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /': {
      if (session?.signedIn === undefined) return page(response, 200, button('sign-in', 'Sign in'));
      const claims = escaped(JSON.stringify(session.signedIn.claims, undefined, 2));
      return page(response, 200, `<p>You are signed in.</p><pre>${claims}</pre>${button('sign-out', 'Sign out')}`);
    }
    // 3. Send the browser to Mailroom, and remember the values that its answer is checked against.
    case 'POST /sign-in': {
      const begun = { verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() };
      const state = client.randomState();
      const id = session === undefined ? randomUUID() : cookie;
      sessions.set(id, { begun: new Map(session?.begun).set(state, begun) });
      const to = client.buildAuthorizationUrl(config, {
        redirect_uri: `${home}callback`,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
        state,
        nonce: begun.nonce,
      });
      return redirect(response, to.href, cookieOf(id));
    }
    // 4. The browser returns with a code; the library checks everything and fetches the claims.
    case 'GET /callback': {
      const state = url.searchParams.get('state') ?? '';
      const begun = session?.begun.get(state);
      if (session === undefined || begun === undefined) return redirect(response, home);
      session.begun.delete(state);
      const tokens = await client.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: begun.verifier,
        expectedState: state,
        expectedNonce: begun.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as client.IDToken;
      // `sub` identifies the account for ever; its address may change owners.
      const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      // Each sign-in gets its own session id.
      const fresh = randomUUID();
      sessions.delete(cookie);
      const signedIn = { claims: { ...claims, ...more }, id_token: tokens.id_token as string };
      sessions.set(fresh, { begun: session.begun, signedIn });
      return redirect(response, home, cookieOf(fresh));
    }
    // 5. Sign out here, then at Mailroom.
    case 'POST /sign-out': {
      sessions.delete(cookie);
      if (session?.signedIn === undefined) return redirect(response, home);
      const hint = { id_token_hint: session.signedIn.id_token, post_logout_redirect_uri: home };
      return redirect(response, client.buildEndSessionUrl(config, hint).href);
    }
    default:
      return page(response, 404, '<p>Nothing here.</p>');
  }
}

console.log(`\n  The example service is on ${home}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    void fetch(`${clients}/${id}`, { method: 'DELETE', headers });
  });
}
