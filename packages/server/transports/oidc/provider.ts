import type { EventEmitter } from 'node:events';
import { DAY, MINUTE, SECOND } from '@mailroom/behavior/values/clock';
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { agentAuth } from '../../core/sign-in/agent-auth.ts';
import type { IssuerKeys } from '../../core/sign-in/issuer-keys.ts';
import { SENDER_SCOPES } from '../../core/sign-in/protected-resources.ts';
import { documentError, loopbackOf } from '../../core/sign-in/uri.ts';
import { adapterOf } from './adapter.ts';
import { answersOf } from './answers.ts';
import { accountOf, CLAIMS, SCOPES } from './claims.ts';
import { isSecretHash, type Served, secretHash } from './clients.ts';
import { declaredError } from './declared-clients.ts';
import { publishedBy } from './fetch.ts';
import { formPostAsGet } from './form-post.ts';
import { AGENT_CLIENT, registerGrants, TOKEN_EXCHANGE } from './grants.ts';
import type { IssuersParts } from './issuers-parts.ts';
import { outsideKeys } from './keys.ts';
import { registerScopes, registersOpenly, registrationOf } from './registration.ts';
import { resourceServer } from './resource-servers.ts';
import { noteSubject } from './sign-in-note.ts';

const seconds = (ms: number): number => ms / SECOND;

/** Lifetimes in seconds. */
const TTL = {
  AuthorizationCode: seconds(MINUTE),
  IdToken: seconds(5 * MINUTE),
  AccessToken: seconds(5 * MINUTE),
  // Each refresh token is used once and replaced.
  RefreshToken: seconds(30 * DAY),
  Interaction: seconds(30 * MINUTE),
  Session: seconds(14 * DAY),
  // A session without an account, which holds a sign-out form while its page is open.
  SessionOfNobody: seconds(10 * MINUTE),
  // Tokens end with it, so that a service must ask for consent again after this time.
  Grant: seconds(90 * DAY),
};
/** Bytes read of a service's own document or keys. */
const PUBLISHED_BYTES = 64 * 1024;

/** Seconds that an access token for a protected resource is valid; each use looks it up, so that its end is exact. */
const RESOURCE_TOKEN_SECONDS = seconds(60 * MINUTE);

/** Seconds after which a service's document is read again. */
const DOCUMENT_SECONDS = seconds(5 * MINUTE);

/** `HS…` would need the client's secret in plain text, and libraries do not need other algorithms. */
const ALGORITHMS = ['RS256', 'ES256'] as const;
const CLIENT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Headers of what the library renders itself; this service's pages set their own. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/** The OpenID Provider of one issuer. */
export function makeProvider(
  parts: Omit<IssuersParts, 'keys'> & {
    readonly served: Served;
    readonly url: string;
    readonly keys: IssuerKeys;
  },
): Provider {
  const provider = new Provider(parts.url, configurationOf(parts));
  // It trusts only the headers that `endpointUrl` writes.
  provider.proxy = true;
  registerGrants(provider, parts);
  compareHashes(provider);
  matchLoopbackPorts(provider);
  registerScopes(provider);
  provider.use(formPostAsGet(parts.url));
  provider.use(async (ctx, next) => {
    ctx.set(HEADERS);
    // By it the library decodes JSON, and passes over a byte order mark (RFC 8259, section 8.1).
    if (ctx.is('application/json')) Object.assign(ctx, { charset: 'utf-8' });
    await next();
    const { oidc } = ctx as { oidc?: KoaContextWithOIDC['oidc'] };
    const code = oidc?.entities.AuthorizationCode;
    if (oidc !== undefined && code !== undefined && SIGNING_IN.has(oidc.route))
      await noteSubject(parts, { subject: code.accountId as string, client: oidc.client, scope: code.scope });
    // A person who signed out must not be signed in again by one click.
    if (oidc?.route === 'end_session_confirm' && oidc.params?.logout === 'yes' && ctx.status < 400) {
      await parts.browser?.end(ctx.get('cookie'));
    }
    if (isSecretHash((ctx.body as { client_secret?: unknown } | undefined)?.client_secret)) {
      const { client_secret: _, ...known } = ctx.body as Record<string, unknown>;
      ctx.body = known;
    }
    if (ctx.status === 404 && (ctx.body === undefined || ctx.body === null)) {
      ctx.status = 404;
      ctx.body = {
        error: 'invalid_request',
        error_description: `${ctx.method} is not available here; see ${parts.url}/.well-known/openid-configuration`,
      };
    }
  });
  const broke = (_ctx: unknown, error: unknown): void => parts.onError(error);
  provider.on('server_error', broke);
  // Koa's own event, which the provider's type does not declare.
  (provider as EventEmitter).on('error', (error: NodeJS.ErrnoException) => {
    // The client disconnected; logging this would let any client fill the log.
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') parts.onError(error);
  });
  return provider;
}

/** Secrets are stored as hashes and compared as such. */
function compareHashes(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function (actual: string): boolean {
    return this.clientSecret !== undefined && secretHash(actual) === this.clientSecret;
  };
}

/** The library matches any port of the machine itself for native clients alone; many programs do not say that they are. */
function matchLoopbackPorts(provider: Provider): void {
  const matches = (uri: string, registered: readonly string[] = []): boolean => {
    const loopback = loopbackOf(uri);
    return registered.some((one) => one === uri || (loopback !== undefined && loopbackOf(one) === loopback));
  };
  const { prototype } = provider.Client;
  prototype.redirectUriAllowed = function (uri) {
    return matches(uri, this.redirectUris);
  };
  prototype.postLogoutRedirectUriAllowed = function (uri) {
    return matches(uri, this.postLogoutRedirectUris);
  };
}

function configurationOf(parts: Parameters<typeof makeProvider>[0]): Configuration {
  const { store, clock, served, url, keys, frame } = parts;
  const { protocol, pathname } = new URL(url);
  const secure = protocol === 'https:';
  const answers = answersOf(frame, url);
  const once = firstTimeOf();
  const prefix = secure ? '__Secure-mr_' : 'mr_';
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true, overwrite: true } as const;
  return {
    adapter: adapterOf(
      { store, clock, served, directory: parts.directory, registersOpenly: () => registersOpenly(parts) },
      errors,
    ),
    jwks: { keys: outsideKeys(keys) },
    findAccount: (_ctx, subject) => accountOf(parts, served.namespace.id, subject),
    claims: CLAIMS,
    scopes: [...SCOPES],
    // Libraries read the address from the ID token, so it is there as soon as its scope is granted.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    subjectTypes: ['public'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    enabledJWA: {
      idTokenSigningAlgValues: [...ALGORITHMS],
      clientAuthSigningAlgValues: [...CLIENT_ALGORITHMS],
    },
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    clients:
      parts.tokens === undefined
        ? []
        : [
            {
              client_id: AGENT_CLIENT,
              client_name: 'An agent',
              token_endpoint_auth_method: 'none',
              grant_types: [TOKEN_EXCHANGE],
              redirect_uris: [],
              response_types: [],
            },
          ],
    cookies: {
      names: { session: `${prefix}session_oidc`, interaction: `${prefix}sign_in`, resume: `${prefix}resume` },
      keys: [parts.cookie_secret],
      long: { ...cookie, path: pathname },
      short: cookie,
    },
    clockTolerance: 5,
    ttl: {
      ...TTL,
      AccessToken: (_ctx, { resourceServer: of }) => of?.accessTokenTTL ?? TTL.AccessToken,
      Session: (_ctx, { accountId }) => (accountId === undefined ? TTL.SessionOfNobody : TTL.Session),
    },
    // A client that acts for an account does so until its consent ends, whatever happens in the browser.
    expiresWithSession: async (_ctx, source) => !isForResource(source) && !source.scopes.has('offline_access'),
    issueRefreshToken: async (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') && (isForResource(source) || source.scopes.has('offline_access')),
    rotateRefreshToken: true,
    clientBasedCORS: (ctx, origin, client) =>
      (ctx.oidc.route === 'userinfo' || client.clientAuthMethod === 'none') &&
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin && origin !== 'null'),
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx) => {
          scopeUnlessAsked(ctx, ['openid']);
          return undefined as never;
        },
        // A client that names the resource only as it begins gets a token for it all the same.
        useGrantedResource: (_ctx, source) =>
          !(source as { readonly scopes: ReadonlySet<string> }).scopes.has('openid'),
        getResourceServerInfo: async (ctx, uri) => {
          scopeUnlessAsked(ctx, SENDER_SCOPES);
          return { ...(await resourceServer(uri, parts)), accessTokenTTL: RESOURCE_TOKEN_SECONDS };
        },
      },
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      pushedAuthorizationRequests: { enabled: true },
      userinfo: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: answers.signOut,
        postLogoutSuccessSource: answers.signedOut,
      },
      registration: registrationOf(parts),
      registrationManagement: { enabled: true, rotateRegistrationAccessToken: true },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: DOCUMENT_SECONDS, max: DOCUMENT_SECONDS },
        allowFetch: async (ctx, id) =>
          documentError(id) === undefined && once(ctx) && (await parts.reads?.(ctx.ip)) !== false,
      },
    },
    // The only hook that every service outside the configuration passes; it is called once for each with this field.
    extraClientMetadata: {
      properties: ['software_id'],
      validator(_ctx, _key, _value, metadata) {
        if (metadata.client_id === AGENT_CLIENT) return;
        const error = declaredError(metadata);
        if (error === undefined) return;
        const description = `${error.pointer.slice(1)}: ${error.message}`;
        if (!error.pointer.startsWith('/redirect_uris')) throw new errors.InvalidClientMetadata(description);
        // Its constructor takes no description.
        throw Object.assign(new errors.InvalidRedirectUri(), { error_description: description });
      },
    },
    fetch: publishedBy(parts.get, async (href) => {
      const { ctx } = Provider;
      const keys = ctx?.oidc.client?.jwksUri;
      // Reading a document was counted before it was allowed.
      if (ctx === undefined || keys === undefined || new URL(keys).href !== href) return true;
      return (await parts.reads?.(ctx.ip)) !== false;
    }) as never,
    fetchResponseBodyLimits: {
      'client_id metadata document': PUBLISHED_BYTES,
      jwks_uri: PUBLISHED_BYTES,
      sector_identifier_uri: PUBLISHED_BYTES,
    },
    interactions: {
      policy: policy(parts),
      url: (_ctx, { uid }) => `${url}/sign-in/${uid}`,
    },
    renderError: answers.error,
    extraTokenClaims: () => undefined,
    discovery: { service_documentation: `${parts.baseUrl()}/docs`, ...agentAuth(parts.baseUrl()) },
  };
}

/** Routes that end with the code by which a service is signed in to; another one takes it. */
const SIGNING_IN: ReadonlySet<string> = new Set(['authorization', 'resume']);

/** Routes at which a sign-in is asked for; at others a scope that is left out means what was granted. */
const ASKING: ReadonlySet<string> = new Set(['authorization', 'pushed_authorization_request']);

/** What a client gets that asks for no scope (RFC 6749, section 3.3). */
function scopeUnlessAsked({ oidc: { params, route } }: KoaContextWithOIDC, scopes: readonly string[]): void {
  if (params !== undefined && ASKING.has(route)) params.scope ??= scopes.join(' ');
}

/** Whether a code or refresh token is for a protected resource. */
const isForResource = (source: object): boolean => (source as { readonly resource?: unknown }).resource !== undefined;

/** False from the second call on, because the library looks up the client again when a request fails. */
function firstTimeOf(): (request: object) => boolean {
  const seen = new WeakSet();
  return (request) => {
    if (seen.has(request)) return false;
    seen.add(request);
    return true;
  };
}

/**
 * The library's policy with these changes. A session ends when its account is gone or the browser is not signed in to
 * it any more. No one is signed in silently when the service requests an account selection (`select_account`) or
 * expects another address (`login_hint`).
 */
function policy({ browser, store, served, clock }: Parameters<typeof makeProvider>[0]) {
  const { Check, Prompt, base } = interactionPolicy;
  const prompts = base();
  const gone = (ctx: KoaContextWithOIDC): boolean =>
    ctx.oidc.session?.accountId !== undefined && ctx.oidc.account === undefined;
  const signedOut = async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const { session, result } = ctx.oidc;
    // Requests from the sign-in pages are bound by those pages, and an agent has no cookie.
    if (browser === undefined || session?.accountId === undefined || result?.login !== undefined) return false;
    const account_id = await browser.account(ctx.get('cookie'));
    if (account_id === undefined) return true;
    return account_id !== (await store.accounts.ofSubject(served.namespace.id, session.accountId));
  };
  const login = prompts.get('login');
  if (login === undefined) throw new Error('oidc-provider has no prompt to log in.');
  login.checks.add(new Check('no_account', 'the account no longer exists', 'login_required', (ctx) => gone(ctx)));
  login.checks.add(new Check('signed_out', 'the browser is signed out', 'login_required', signedOut));
  login.checks.add(new Check('other_address', 'another address is requested', 'login_required', isAnother));
  const { details } = login;
  login.details = async (ctx) => ({ ...(await details(ctx)), began_at: clock() });
  prompts.add(new Prompt({ name: 'select_account', requestable: true }, () => ({ began_at: clock() })), 0);
  return prompts;
}

/** Whether the service expects another address than the one signed in. */
async function isAnother(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { account, params, result, session } = ctx.oidc;
  const hint = params?.login_hint;
  if (session?.accountId === undefined || account === undefined || result?.login !== undefined) return false;
  if (typeof hint !== 'string' || !hint.includes('@')) return false;
  const { email } = await account.claims('id_token', 'email', {}, []);
  return String(email) !== hint.trim().toLowerCase();
}
