import { randomBytes } from 'node:crypto';
import { SECOND } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isResourceScope } from '../../core/sign-in/protected-resources.ts';
import { SCOPES } from './claims.ts';
import type { IssuersParts } from './issuers-parts.ts';

/**
 * Registration (RFC 7591): with a token of the owner, or openly by a public client. A client that has a secret or keys
 * could redeem assertions of agents, so it takes the owner's token.
 */
export const registrationOf = ({ clock }: Pick<IssuersParts, 'clock'>) => ({
  enabled: true,
  // The hook below decides about tokens, as the library either takes one of every client or of none.
  initialAccessToken: false,
  idFactory: () => newId('cli', clock()),
  secretFactory: async () => randomBytes(32).toString('base64url'),
  /** Called with each registration before it is validated. Openly registered clients expire, and are not managed. */
  issueRegistrationAccessToken: async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const { oidc } = ctx;
    const body = oidc.body as Record<string, unknown>;
    // Programs send what they have no value for.
    for (const [name, value] of Object.entries(body)) if (value === '' || value === null) delete body[name];
    const open = ctx.get('authorization') === '';
    // What runs on a person's device keeps no secret, whatever the default is (section 3.2.1; RFC 8252, section 8.4).
    if (open && leadsTo(body.redirect_uris, LOCAL)) body.token_endpoint_auth_method ??= 'none';
    if (body.token_endpoint_auth_method === 'none' && leadsTo(body.redirect_uris, OWN_SCHEME))
      body.application_type ??= 'native';
    if (open) {
      if (body.token_endpoint_auth_method === 'none') return false;
      throw new errors.InvalidRequest(
        'send a registration token of the owner as Authorization: Bearer, or register a public client: add "token_endpoint_auth_method": "none"',
        401,
      );
    }
    const token = await oidc.provider.InitialAccessToken.find(oidc.getAccessToken());
    if (token === undefined) throw new errors.InvalidToken('initial access token not found');
    oidc.entity('InitialAccessToken', token);
    return true;
  },
});

/** Whether the registration in progress has no token of the owner. An error of status 429 when it is one too many. */
export async function registersOpenly({ registers }: Pick<IssuersParts, 'registers'>): Promise<boolean> {
  const { ctx } = Provider;
  if (ctx === undefined || ctx.oidc.entities.InitialAccessToken !== undefined) return false;
  const wait = await registers?.(ctx.ip);
  if (wait === undefined) return true;
  ctx.set('retry-after', String(Math.ceil(wait / SECOND)));
  throw Object.assign(
    new errors.CustomOIDCProviderError('temporarily_unavailable', 'too many registrations from this network; wait'),
    { status: 429, statusCode: 429 },
  );
}

/** Clients may register the scopes that protected resources name, beside those of OpenID Connect. */
export function registerScopes(provider: Provider): void {
  const { Schema } = provider.Client as unknown as { readonly Schema: { readonly prototype: ClientSchema } };
  Schema.prototype.scopes = function () {
    if (this.scope === undefined) return;
    const scopes = this.scope.split(' ').filter((scope) => scope !== '');
    if (!scopes.every((scope) => SCOPES.includes(scope) || isResourceScope(scope)))
      this.invalidate('scope must only contain Authorization Server supported scope values');
    // Its tokens are refreshed without this scope, which clients ask for all the same where the metadata names it.
    const all = scopes.some(isResourceScope) ? [...scopes, 'offline_access'] : scopes;
    this.scope = [...new Set(all)].join(' ');
  };
}

interface ClientSchema {
  scope?: string;
  scopes(): void;
  invalidate(message: string): never;
}

/** Schemes that only a program on a person's device has. */
const OWN_SCHEME = /^(?!https?:)/i;
/** Those, and `http`, which is for the machine itself. */
const LOCAL = /^(?!https:)/i;
const leadsTo = (uris: unknown, to: RegExp): boolean =>
  Array.isArray(uris) && uris.length > 0 && uris.every((uri) => typeof uri === 'string' && to.test(uri));
