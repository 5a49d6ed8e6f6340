import { type Address, parseAddress } from '@mailroom/behavior/values/address';
import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type Provider from 'oidc-provider';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { mayOn } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Store } from '../../core/ports/store.ts';
import { AGENT_TOKEN_TYPE, type AgentTokens } from '../../core/sign-in/agent-token.ts';
import type { IssuerKeys } from '../../core/sign-in/issuer-keys.ts';
import { SENDER_SCOPES } from '../../core/sign-in/protected-resources.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import { accountOf, SCOPES } from './claims.ts';
import { JWT_BEARER, type Served } from './clients.ts';
import { IdJags, isIdJag, isOfIssuer } from './id-jag.ts';
import type { IssuersParts } from './issuers-parts.ts';
import { resourceServer } from './resource-servers.ts';
import { noteSubject } from './sign-in-note.ts';

/** RFC 8693, section 2.1. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** The client id that all agents share; it is registered nowhere and has an API key in place of a secret. */
export const AGENT_CLIENT = 'agent';

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:';
const ASSERTION = 'oidc:Assertion';

interface GrantParts extends Pick<IssuersParts, 'get' | 'reads' | 'resources'> {
  readonly store: Store;
  readonly directory: Directory;
  readonly who: Authenticator;
  readonly clock: Clock;
  readonly keys: IssuerKeys;
  readonly tokens?: Pick<AgentTokens, 'issue'>;
  readonly mailDomain: string;
  readonly served: Served;
  readonly url: string;
}

/** Adds the grants for agents to the token endpoint. */
export function registerGrants(provider: Provider, parts: GrantParts): void {
  const exchanged = [
    'subject_token',
    'subject_token_type',
    'audience',
    'requested_token_type',
    'mailbox',
    'for_client_id',
  ];
  const { tokens } = parts;
  if (tokens !== undefined)
    provider.registerGrantType(TOKEN_EXCHANGE, (ctx) => exchange(ctx, tokens, parts), exchanged);
  const jwks = createLocalJWKSet({ keys: parts.keys.jwks.keys.map((key) => ({ ...key })) });
  const idJags = new IdJags(parts);
  const assertions: Assertions = {
    accept: (assertion, client_id) =>
      isIdJag(assertion) ? idJags.accept(assertion, client_id) : agentAssertion(assertion, client_id, jwks, parts),
  };
  provider.registerGrantType(JWT_BEARER, (ctx) => redeem(ctx, provider, assertions, parts), [
    'assertion',
    'scope',
    'resource',
  ]);
}

type Params = Readonly<Record<string, string | undefined>>;
const paramsOf = (ctx: KoaContextWithOIDC): Params => (ctx.oidc.params ?? {}) as Params;

/** Exchanges an agent's API key for a token that identifies the agent to the named audience (RFC 8693). */
async function exchange(ctx: KoaContextWithOIDC, tokens: Pick<AgentTokens, 'issue'>, parts: GrantParts): Promise<void> {
  const params = paramsOf(ctx);
  const {
    subject_token: key,
    subject_token_type: type,
    audience,
    requested_token_type: wanted,
    for_client_id,
  } = params;
  if (key === undefined || audience === undefined) {
    throw new errors.InvalidRequest(
      'subject_token (an API key) and audience (an https origin, or this issuer) are needed',
    );
  }
  if (type !== `${TOKEN_TYPE}access_token`) {
    throw new errors.InvalidRequest(`subject_token_type must be ${TOKEN_TYPE}access_token`);
  }
  if (wanted !== undefined && wanted !== `${TOKEN_TYPE}jwt`) {
    throw new errors.InvalidRequest(`requested_token_type is ${TOKEN_TYPE}jwt, or left out`);
  }
  const { agent, key_expires_at } = await agentOf(key, params.mailbox, ctx.ip, parts);
  const { token, expires_at } = await issued(tokens, {
    namespace: parts.served.namespace,
    agent,
    audience,
    client_id: for_client_id,
    key_expires_at,
  });
  ctx.body = {
    access_token: token,
    issued_token_type: `${TOKEN_TYPE}jwt`,
    token_type: 'N_A',
    expires_in: Math.max(0, Math.floor((expires_at - parts.clock()) / SECOND)),
  };
}

async function issued(
  tokens: Pick<AgentTokens, 'issue'>,
  request: Parameters<AgentTokens['issue']>[0],
): ReturnType<AgentTokens['issue']> {
  try {
    return await tokens.issue(request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_error') throw new errors.InvalidTarget(error.message);
    throw error;
  }
}

interface Agent {
  readonly agent: Mailbox;
  readonly key_expires_at: Millis | null;
}

/** The hosted address that a key may act as. */
async function agentOf(key: string, named: string | undefined, ip: string, parts: GrantParts): Promise<Agent> {
  const caller = await callerOf(key, ip, parts);
  const { directory, store, served } = parts;
  const bound = caller.key.also.length > 0 ? null : caller.key.mailbox_id;
  const address = named === undefined ? undefined : addressOf(named, parts);
  const isOwn = address?.namespace === caller.key.namespace;
  const agent =
    address !== undefined
      ? isOwn && (await directory.mailbox(address.local, address.namespace))
      : bound !== null && named === undefined && (await directory.mailboxById(bound));
  const another = address !== undefined && !isOwn && (await store.namespaces.byName(address.namespace)) !== undefined;
  if (!another && (!agent || agent.deleted_at !== null)) {
    throw new errors.InvalidRequest(
      named === undefined
        ? 'the key is not bound to a mailbox: name the mailbox in `mailbox` as a full address'
        : 'there is no such mailbox',
    );
  }
  // For another namespace the error does not reveal whether the mailbox exists.
  if (!agent || !mayOn(caller, 'auth:assert', agent)) {
    throw new errors.InvalidGrant('the key may not act as this mailbox: use one of its keys with scope auth:assert');
  }
  const { mailbox } = served;
  if (mailbox.access === 'key' && agent.namespace_id !== mailbox.namespace_id) {
    throw new errors.InvalidGrant('this issuer is for mailboxes of its own namespace');
  }
  return { agent, key_expires_at: caller.key.expires_at };
}

/** The address, or undefined for another domain; its AppError belongs to other transports. */
function addressOf(text: string, { mailDomain }: GrantParts): Address | undefined {
  try {
    return parseAddress(text, mailDomain);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function callerOf(key: string, ip: string, { who }: GrantParts) {
  try {
    const caller = await who.caller(`Bearer ${key}`, ip);
    if (caller.kind === 'key') return caller;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_key') throw error;
  }
  throw new errors.InvalidGrant('subject_token is not a valid API key');
}

/** What an assertion, once verified, lets its client do. */
interface Accepted {
  readonly sub: string;
  /** The scopes it allows; undefined for all. */
  readonly scopes?: readonly string[] | undefined;
  /** The resources it names, empty for none; undefined where it cannot name any. */
  readonly resources?: readonly string[];
  /** Rejects with `invalid_grant` where it was used before. */
  use(): Promise<void>;
}

/** Verifies assertions: agents' own tokens, and those of identity providers outside. */
interface Assertions {
  accept(assertion: string, client_id: string): Promise<Accepted>;
}

/** Redeems an assertion for an access token of the account that it stands for (RFC 7523, section 2.1). */
async function redeem(
  ctx: KoaContextWithOIDC,
  provider: Provider,
  assertions: Assertions,
  parts: GrantParts,
): Promise<void> {
  const { assertion, scope, resource: target } = paramsOf(ctx);
  if (assertion === undefined) throw new errors.InvalidRequest('assertion is needed');
  const { client } = ctx.oidc;
  if (client === undefined) throw new errors.InvalidClient('client not found');
  const accepted = await assertions.accept(assertion, client.clientId);
  const { sub } = accepted;
  const server = await serverOf(target, accepted, parts);
  const scopes = server === undefined ? granted(scope, accepted.scopes) : grantedAt(server, scope, accepted.scopes);
  const account = await accountOf(parts, parts.served.namespace.id, sub);
  if (account === undefined) throw new errors.InvalidGrant('the account of the assertion does not exist (any more)');
  await accepted.use();
  const grant = new provider.Grant({ accountId: sub, clientId: client.clientId });
  if (server === undefined) grant.addOIDCScope(scopes);
  else grant.addResourceScope(server.audience, scopes);
  const grantId = await grant.save();
  const token = new provider.AccessToken({
    accountId: sub,
    client,
    grantId,
    gty: 'jwt_bearer',
    scope: scopes,
    ...(server !== undefined && { resourceServer: new provider.ResourceServer(server.audience, server) }),
  } as never);
  await noteSubject(parts, { subject: sub, client, scope: scopes });
  const access_token = await token.save();
  const own = (accepted.resources ?? []).filter((one) => isOfIssuer(one, parts.url));
  const resource = server?.audience ?? (own.length > 1 ? own : own[0]);
  ctx.body = { access_token, token_type: 'Bearer', expires_in: token.expiration, scope: scopes, resource };
}

type Server = Awaited<ReturnType<typeof resourceServer>>;

/**
 * The protected resource that the token is for; undefined when it is for the issuer itself. A request chooses among those
 * that its assertion names (RFC 8707, section 2.2). Throws `invalid_target`.
 */
async function serverOf(
  resource: string | undefined,
  { resources }: Accepted,
  parts: GrantParts,
): Promise<Server | undefined> {
  const ofIssuer = (uri: string): boolean => isOfIssuer(uri, parts.url);
  if (resource !== undefined) {
    const server = ofIssuer(resource) ? undefined : await resourceServer(resource, parts);
    if (resources === undefined && server !== undefined)
      throw new errors.InvalidTarget('a token of an agent is redeemed at this issuer alone');
    const named = resources ?? [];
    if (named.length > 0 && !named.includes(server?.audience ?? resource))
      throw new errors.InvalidTarget('the assertion is not for that resource');
    return server;
  }
  const [first, ...more] = resources ?? [];
  if (first === undefined || (resources ?? []).some(ofIssuer)) return undefined;
  if (more.length > 0) throw new errors.InvalidTarget('the assertion is for several resources: name one in `resource`');
  return resourceServer(first, parts);
}

/** The scopes of a token for a protected resource: those that it has, the assertion allows and the request asks for. */
function grantedAt({ scope: all }: Server, scope: string | undefined, allowed?: readonly string[]): string {
  const wanted = scope?.split(' ') ?? allowed ?? SENDER_SCOPES;
  const known = all.split(' ').filter((one) => wanted.includes(one) && (allowed?.includes(one) ?? true));
  if (known.length === 0) throw new errors.InvalidScope(`scope must include some of: ${all}`, scope ?? '');
  return known.join(' ');
}

/** An agent's token that a service received for this issuer, to learn the agent's address. */
async function agentAssertion(
  assertion: string,
  client_id: string,
  jwks: ReturnType<typeof createLocalJWKSet>,
  parts: GrantParts,
): Promise<Accepted> {
  const { sub, jti, exp } = await verified(assertion, client_id, jwks, parts);
  const { store, clock, served } = parts;
  return {
    sub,
    async use() {
      const id = sha256(`${served.namespace.id}:Assertion:${jti}`);
      const row = { kind: ASSERTION, id, subject: sub, value: '', expires_at: (exp + 1) * SECOND };
      if (!(await store.states.put(row, clock()))) throw new errors.InvalidGrant('the assertion was used before');
    },
  };
}

interface Assertion {
  readonly sub: string;
  readonly jti: string;
  readonly exp: number;
}

async function verified(
  assertion: string,
  client_id: string,
  jwks: ReturnType<typeof createLocalJWKSet>,
  { url, clock }: GrantParts,
): Promise<Assertion> {
  try {
    const { payload } = await jwtVerify(assertion, jwks, {
      issuer: url,
      audience: url,
      typ: AGENT_TOKEN_TYPE,
      algorithms: ['ES256'],
      currentDate: new Date(clock()),
      requiredClaims: ['sub', 'jti', 'exp'],
    });
    // With several audiences, each could redeem a token meant for another.
    const named = typeof payload.aud === 'string' && payload.client_id === client_id;
    if (named) return payload as unknown as Assertion;
  } catch {
    // Every defect gives the client the same error.
  }
  throw new errors.InvalidGrant('the assertion is not a valid agent token for this issuer and this client');
}

function granted(scope: string | undefined, allowed?: readonly string[]): string {
  const scopes = SCOPES.filter((one) => one !== 'offline_access' && (allowed?.includes(one) ?? true));
  if (!scopes.includes('openid')) throw new errors.InvalidScope('the assertion must allow the scope openid', 'openid');
  if (scope === undefined) return scopes.join(' ');
  const wanted = scope.split(' ').filter((one) => scopes.includes(one));
  if (!wanted.includes('openid')) throw new errors.InvalidScope('scope must include openid', scope);
  return wanted.join(' ');
}
