import { AppError } from '../../core/error.ts';
import type { Limiter } from '../../core/limits.ts';
import type { Mount, RawHandler } from '../../http/mount.ts';
import type { Issuer, Issuers } from './issuers.ts';

/** As it stands in the path: in lower case alone, as an issuer's URL is compared letter by letter. */
export const NAMES = '[a-z0-9-]+';
/** Where browsers come by, which nobody has to be anybody for, and each time leaves a row: pages, and limited as those. */
const OF_BROWSERS = /^\/(?:auth|session)(?:\/|$)/;
const DISCOVERY = '/.well-known/openid-configuration';

/**
 * Where issuers answer; `pages` are the limits of what browsers come by. Their metadata is also where RFC 8414, section 3.1, puts it: in front of the issuer's path.
 */
export function oidcMounts(
  issuers: Issuers,
  limits: readonly Limiter[],
  pages: readonly Limiter[] = [],
): readonly Mount[] {
  const find = async (name: string): Promise<Issuer> => {
    const issuer = await issuers.of(name);
    if (issuer !== undefined) return issuer;
    throw new AppError('not_found', `${name} signs nobody in: there is no such namespace, or it has no auth address.`);
  };
  const wellKnown = (document: string): Mount => ({
    path: `/.well-known/${document}/oidc/{namespace}`,
    names: NAMES,
    limits,
    find: async (name) => {
      const issuer = await find(name);
      const handle: RawHandler = (request, response, { ip }) =>
        issuer.handle(request, response, { below: DISCOVERY, ip });
      return handle;
    },
  });
  return [
    {
      path: '/oidc/{namespace}/*',
      names: NAMES,
      limits,
      limitsOf: (below) => (OF_BROWSERS.test(below) ? pages : []),
      find: async (name) => (await find(name)).handle,
    },
    wellKnown('oauth-authorization-server'),
    wellKnown('openid-configuration'),
  ];
}
