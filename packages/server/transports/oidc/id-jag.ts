import { type Clock, HOUR, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { errors, Provider } from 'oidc-provider';
import type { Directory } from '../../core/access/directory.ts';
import type { Store } from '../../core/ports/store.ts';
import { ID_JAG_TYPE } from '../../core/sign-in/agent-auth.ts';
import {
  subjectMailbox,
  type TrustedIssuer,
  type TrustSettings,
  trustedIssuer,
} from '../../core/sign-in/trusted-issuers.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import { subjectOf } from './claims.ts';
import type { Served } from './clients.ts';
import { publishedBy } from './fetch.ts';
import { type ResourceServerParts, resourceServer } from './resource-servers.ts';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const USED = 'oidc:IdJag';
const SKEW_S = 5;
/** The longest time from issue to expiry, since each assertion used is stored until it expires. */
const MAX_LIFE_S = HOUR / SECOND;
const MAX_JTI = 500;
/** Resources that an assertion may name, since each is looked up. */
const MAX_RESOURCES = 20;
/** How long the place of an issuer's keys is cached; the keys themselves for ten minutes. */
const METADATA_MS: Millis = HOUR;
const FETCH_MS = 5_000;

interface IdJagParts extends ResourceServerParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly served: Served;
  readonly url: string;
  readonly get: GuardedFetch;
  readonly reads?: (ip: string) => boolean | Promise<boolean>;
}

/** Whom an accepted assertion stands for here. */
interface Accepted {
  /** The subject by which this issuer's services know the mailbox. */
  readonly sub: string;
  /** The scopes that the identity provider allows; undefined for no limit. */
  readonly scopes: readonly string[] | undefined;
  /** The resources of this issuer that it names; empty for none. */
  readonly resources: readonly string[];
  /** Records that it was used. Rejects with `invalid_grant` where it was used before. */
  use(): Promise<void>;
}

/** Whether a JWT says that it is an ID-JAG; any other is left to others. */
export function isIdJag(assertion: string): boolean {
  try {
    return (
      decodeProtectedHeader(assertion)
        .typ?.toLowerCase()
        .replace(/^application\//, '') === ID_JAG_TYPE
    );
  } catch {
    return false;
  }
}

/**
 * Accepts assertions of identity providers that the owner of the namespace trusts
 * (draft-ietf-oauth-identity-assertion-authz-grant-04, section 4.4; RFC 7523, section 3). Every refusal is `invalid_grant`,
 * with its reason for the authenticated client.
 */
export class IdJags {
  readonly #parts: IdJagParts;
  readonly #keys = new Map<string, { readonly keys: JWTVerifyGetKey; readonly at: Millis }>();
  readonly #fetch: ReturnType<typeof publishedBy>;

  constructor(parts: IdJagParts) {
    this.#parts = parts;
    this.#fetch = publishedBy(parts.get, async () => (await parts.reads?.(Provider.ctx?.ip ?? '')) !== false);
  }

  async accept(assertion: string, client_id: string): Promise<Accepted> {
    const { store, url, clock, served, mailDomain, directory } = this.#parts;
    const { iss, tenant } = claimsOf(assertion);
    if (iss === url) throw refused('an issuer takes no assertion of its own');
    const settings = await this.#settings();
    const trusted = trustedIssuer(settings, { issuer: iss, client_id, tenant });
    if (trusted === undefined) throw refused('its issuer is not trusted here for this client (and tenant, if any)');
    const claims = await this.#verified(assertion, trusted);
    const { sub, jti, exp } = check(claims, { client_id, namespace: served.namespace.name });
    const resources = await this.#resources(claims.resource);
    const mailbox = await subjectMailbox({ ...claims, iss: trusted.issuer, sub }, trusted, settings, {
      namespace: served.namespace.name,
      mailDomain,
      directory,
      find: (local, namespace) => directory.mailbox(local, namespace),
    });
    if (mailbox === undefined) throw refused('no rule of the owner says which address its subject is');
    const id = sha256(`${served.namespace.id}:${trusted.issuer}:${jti}`);
    return {
      sub: await subjectOf(store, served.namespace.id, mailbox.id),
      scopes: typeof claims.scope === 'string' ? claims.scope.split(' ') : undefined,
      resources,
      async use() {
        const row = { kind: USED, id, subject: null, value: '', expires_at: (exp + SKEW_S + 1) * SECOND };
        if (!(await store.states.put(row, clock()))) throw refused('it was used before');
      },
    };
  }

  /** As the owner set them; read for each assertion, so that a change holds at once. */
  async #settings(): Promise<TrustSettings> {
    const { store, served } = this.#parts;
    const mailbox = await store.mailboxes.byId(served.mailbox.id);
    return (mailbox?.settings ?? {}) as TrustSettings;
  }

  async #verified(assertion: string, trusted: TrustedIssuer): Promise<JWTPayload> {
    const { url, clock } = this.#parts;
    try {
      const { payload } = await jwtVerify(assertion, await this.#keysOf(trusted), {
        issuer: trusted.issuer,
        audience: url,
        typ: ID_JAG_TYPE,
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_S,
        maxTokenAge: MAX_LIFE_S,
        currentDate: new Date(clock()),
        requiredClaims: ['sub', 'jti', 'exp', 'iat', 'client_id'],
      });
      return payload;
    } catch (error) {
      throw refused(error instanceof Error ? error.message : 'it could not be verified');
    }
  }

  async #keysOf(trusted: TrustedIssuer): Promise<JWTVerifyGetKey> {
    const { clock } = this.#parts;
    const name = `${trusted.issuer} ${trusted.jwks_uri ?? ''}`;
    const known = this.#keys.get(name);
    if (known !== undefined && Math.abs(clock() - known.at) < METADATA_MS) return known.keys;
    const uri = trusted.jwks_uri ?? (await this.#jwksUri(trusted.issuer));
    const keys = createRemoteJWKSet(new URL(uri), {
      timeoutDuration: FETCH_MS,
      cacheMaxAge: 10 * MINUTE,
      [customFetch]: (href, { signal }) => this.#fetch(href, { signal: signal ?? null }),
    });
    // Only settings name issuers, so there are few; earlier ones may remain.
    if (this.#keys.size >= 64) this.#keys.clear();
    this.#keys.set(name, { keys, at: clock() });
    return keys;
  }

  /** From the metadata of OpenID Connect Discovery 1.0, section 4, or of RFC 8414, section 3. */
  async #jwksUri(issuer: string): Promise<string> {
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/$/, '');
    const places = [
      `${origin}${path}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
    ];
    for (const place of places) {
      const found = await this.#fetch(place).then(
        (response) => response.json() as Promise<{ issuer?: unknown; jwks_uri?: unknown } | null>,
        () => undefined,
      );
      if (found === undefined) continue;
      const { issuer: named, jwks_uri } = found ?? {};
      if (named === issuer && typeof jwks_uri === 'string' && URL.parse(jwks_uri)?.protocol === 'https:')
        return jwks_uri;
      throw new Error('the metadata of its issuer names another issuer, or no keys at an https URL');
    }
    throw new Error('the metadata of its issuer cannot be read');
  }

  /**
   * Those of a `resource` claim (RFC 8707, section 2) that have tokens of this issuer: itself, and protected resources by
   * their audience. Throws `invalid_target` if none has.
   */
  async #resources(claim: unknown): Promise<readonly string[]> {
    if (claim === undefined) return [];
    const named: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
    if (named.length > MAX_RESOURCES) throw new errors.InvalidTarget('the assertion names too many resources');
    const targets = new Set<string>();
    for (const uri of named) {
      if (typeof uri !== 'string') continue;
      if (isOfIssuer(uri, this.#parts.url)) targets.add(uri);
      else {
        const found = await resourceServer(uri, this.#parts).catch(ignoreTarget);
        if (found !== undefined) targets.add(found.audience);
      }
    }
    if (targets.size === 0) throw new errors.InvalidTarget('the assertion is for resources that are not here');
    return [...targets];
  }
}

/** Whether a resource indicator names the issuer itself, whose tokens say who signed in. */
export const isOfIssuer = (uri: string, url: string): boolean => uri === url || uri === `${url}/me`;

function ignoreTarget(error: unknown): undefined {
  if (error instanceof errors.InvalidTarget) return undefined;
  throw error;
}

/** The library shows no reason with its own `InvalidGrant`. */
const refused = (why: string): Error =>
  new errors.CustomOIDCProviderError('invalid_grant', `the assertion is refused: ${why}`);

function claimsOf(assertion: string): JWTPayload {
  try {
    return decodeJwt(assertion);
  } catch {
    throw refused('it is no JWT');
  }
}

/** The checks that a signature does not make. */
function check(
  claims: JWTPayload,
  client: { readonly client_id: string; readonly namespace: string },
): { readonly sub: string; readonly jti: string; readonly exp: number } {
  const { aud, sub, jti, exp = 0, iat = 0, client_id, cnf, aud_tenant, scope } = claims;
  if (Array.isArray(aud) && aud.length !== 1) throw refused('it has several audiences');
  if (client_id !== client.client_id) throw refused('it was issued for another client');
  if (exp - iat > MAX_LIFE_S) throw refused('it is valid for longer than an hour');
  if (typeof sub !== 'string' || sub === '') throw refused('"sub" must be a text');
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI)
    throw refused(`"jti" must be a text of at most ${MAX_JTI} characters`);
  // Such an assertion may be used with a proof of its key only, which is not taken here.
  if (cnf !== undefined) throw refused('it is bound to a key ("cnf"), which is not supported');
  if (aud_tenant !== undefined && aud_tenant !== client.namespace) throw refused('it is for another tenant');
  if (scope !== undefined && typeof scope !== 'string') throw refused('"scope" must be a text');
  return { sub, jti, exp };
}
