import { errors } from 'oidc-provider';
import type { IssuersParts } from './issuers-parts.ts';

/** What is needed to say which protected resources are an issuer's. */
export interface ResourceServerParts extends Pick<IssuersParts, 'resources'> {
  readonly served: { readonly namespace: { readonly name: string } };
}

/** The resource of a resource indicator (RFC 8707); `invalid_target` for one of another namespace. */
export async function resourceServer(uri: string, { resources, served }: ResourceServerParts) {
  const found = await resources.byUri(uri);
  // The server that names no namespace takes the tokens of every issuer.
  const own = found?.namespace === served.namespace.name || found?.audience === resources.uriOf(undefined);
  if (found === undefined || !own) throw new errors.InvalidTarget('this issuer has no tokens for that resource');
  const { audience, scopes } = found;
  return { audience, scope: scopes.join(' '), accessTokenFormat: 'opaque' as const };
}
