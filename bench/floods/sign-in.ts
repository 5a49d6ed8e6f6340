import { createHash, randomBytes } from 'node:crypto';
import { type Attacker, type Flood, HELLO as HELLO_BEHAVIOR } from '../harness/flood-client.ts';

const ISSUER = '/oidc/agents';
const FORM = 'application/x-www-form-urlencoded';
const JWT = `${Buffer.from('{"alg":"RS256","kid":"x"}').toString('base64url')}.${'e'.repeat(4_000)}.${'s'.repeat(342)}`;

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': FORM, ...headers },
});

/** A service of a namespace with an issuer, for which sign-ins begin. */
async function client(attacker: Attacker): Promise<string> {
  const path = '/mailboxes/auth@agents.mailroom.localhost/clients';
  const { text, status, json } = await attacker.api(attacker.networks[0] as string, path, {
    key: attacker.target.owner_key,
    body: { name: 'x', redirect_uris: ['https://service.example/callback'], token_endpoint_auth_method: 'none' },
  });
  if (status !== 201) throw new Error(`no client: ${status} ${text}`);
  return json().id;
}

const authorize = (id: string): string => {
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  return `${ISSUER}/auth?${new URLSearchParams({
    client_id: id,
    redirect_uri: 'https://service.example/callback',
    response_type: 'code',
    scope: 'openid email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`;
};

const oidc: Flood = {
  name: 'OpenID Connect: authorize, tokens, keys, garbage',
  async begin(attacker) {
    const id = await client(attacker);
    const [network = ''] = attacker.networks;
    const discovered = (await attacker.call(network, `${ISSUER}/.well-known/openid-configuration`)).json();
    const below = Object.entries(discovered)
      .filter(([name, value]) => /_endpoint$|^jwks_uri$/.test(name) && typeof value === 'string')
      .map(([, url]) => new URL(url as string).pathname);
    const garbage: Record<string, string> = {
      client_id: id,
      token: JWT,
      code: 'x'.repeat(43),
      code_verifier: 'v'.repeat(43),
      redirect_uri: 'https://service.example/callback',
      client_assertion: JWT,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    const grants = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'];
    return () =>
      attacker.loop(16, (from, at) => {
        if (at % 4 === 0) return attacker.call(from, authorize(id));
        if (at % 4 === 1) return attacker.call(from, `${ISSUER}/auth?client_id=https://${attacker.unique()}.example/`);
        const path = below[at % below.length] as string;
        const grant = { grant_type: grants[at % grants.length] as string, assertion: JWT, refresh_token: JWT };
        return attacker.call(from, path, at % 8 === 2 ? {} : form({ ...garbage, ...grant }));
      });
  },
};

const registration: Flood = {
  name: 'dynamic client registration',
  async begin(attacker) {
    const uris = Array.from({ length: 20 }, (_, at) => `https://x.example/${at}/${'p'.repeat(900)}`);
    return () =>
      attacker.loop(16, (network, at) =>
        attacker.call(network, `${ISSUER}/reg`, {
          body: {
            client_name: 'x'.repeat(100),
            redirect_uris: at % 2 === 0 ? uris : ['https://x.example/cb'],
            ...(at % 3 === 0 && {
              jwks: { keys: Array.from({ length: 50 }, () => ({ kty: 'RSA', n: 'A'.repeat(342), e: 'AQAB' })) },
            }),
            ...(at % 5 === 0 && { jwks_uri: `https://${attacker.unique()}.example/jwks` }),
          },
        }),
      );
  },
};

/** What a browser that was never here gets: cookies, and the token of the form. */
async function visit(attacker: Attacker, network: string, path: string) {
  const { headers, text } = await attacker.call(network, path, { headers: { accept: 'text/html' } });
  const cookie = (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return { cookie, csrf };
}

const passkeys: Flood = {
  name: 'sign-in: passkeys, codes, guesses',
  async begin(attacker) {
    const origin = `http://localhost:${attacker.target.port}`;
    const response = JSON.stringify({
      id: 'x'.repeat(43),
      rawId: 'x'.repeat(43),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge: 'x', origin })).toString(
          'base64url',
        ),
        authenticatorData: randomBytes(2_000).toString('base64url'),
        signature: randomBytes(500).toString('base64url'),
        userHandle: 'u',
      },
    });
    const path = '/account/sign-in';
    return () =>
      attacker.loop(16, async (network, at) => {
        const { cookie, csrf } = await visit(attacker, network, path);
        const headers = { cookie, origin, host: `localhost:${attacker.target.port}`, accept: 'text/html' };
        if (at % 4 === 0)
          return attacker.call(
            network,
            path,
            form({ csrf, do: 'code', address: `${attacker.unique()}@x.example` }, headers),
          );
        if (at % 4 === 1)
          return attacker.call(
            network,
            `${path}/code`,
            form({ csrf, attempt: 'x', code: 'ABCD-EFGH', do: 'verify' }, headers),
          );
        if (at % 4 === 2)
          return attacker.call(network, '/console', form({ key: `mr_live_${'x'.repeat(46)}` }, headers));
        return attacker.call(network, path, form({ csrf, do: 'passkey', response }, headers));
      });
  },
};

const agents: Flood = {
  name: 'sign-in of agents, keys of signatures',
  async begin(attacker) {
    const home = await attacker.homes(HELLO_BEHAVIOR);
    const now = Math.floor(Date.now() / 1000);
    return () =>
      attacker.loop(16, (network, at) => {
        const { key } = home(network);
        const sent = {
          to: 'auth@agents.mailroom.localhost',
          body: `sign in to https://${attacker.unique()}.example/`,
          sync: true,
        };
        if (at % 2 === 0) return attacker.api(network, '/mail/send', { key, body: sent });
        return attacker.api(network, '/mail/send', {
          key,
          body: sent,
          headers: {
            'signature-agent': `"https://${attacker.unique()}.example"`,
            'signature-input': `sig1=("@authority" "signature-agent");created=${now};expires=${now + 60};keyid="x";tag="web-bot-auth"`,
            signature: `sig1=:${randomBytes(64).toString('base64')}:`,
          },
        });
      });
  },
};

export const SIGN_IN: readonly Flood[] = [oidc, registration, passkeys, agents];
