import type { IncomingMessage } from 'node:http';
import { AppError } from '../../core/values/error.ts';
import type { Limiter } from '../../core/values/limits.ts';
import type { Mount, RawHandler } from '../../http/mount.ts';
import type { Issuer, Issuers } from './issuers.ts';

/** As it stands in the path: in lower case alone, as an issuer's URL is compared letter by letter. */
export const NAMES = '[a-z0-9-]+';
/**
 * Where services come by themselves. All else is for browsers, which nobody has to be anybody for, and each time leaves a
 * row: limited as pages are. So is every other spelling of these, as the library's router takes any case, a slash behind,
 * and what URLs are cut at.
 */
const OF_SERVICES: ReadonlySet<string> = new Set([
  '/.well-known/openid-configuration',
  '/jwks',
  '/me',
  '/reg',
  '/request',
  '/token',
  '/token/introspection',
  '/token/revocation',
]);
const isOfServices = (below: string): boolean => OF_SERVICES.has(below) || /^\/reg\/[\w-]+$/.test(below);
/** Bytes of a request for a sign-in: it is kept until somebody has signed in. */
const REQUEST_BYTES = 8 * 1024;
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
      limitsOf: (below) => (isOfServices(below) ? [] : pages),
      find: async (name) => {
        const issuer = await find(name);
        const handle: RawHandler = (request, response, of) => {
          checkLength(request, of.below);
          return issuer.handle(request, response, of);
        };
        return handle;
      },
    },
    wellKnown('oauth-authorization-server'),
    wellKnown('openid-configuration'),
  ];
}

/** AppError `body_too_large` for a request for a sign-in that is longer than is kept of one. */
function checkLength({ headers }: IncomingMessage, target: string): void {
  const [below = ''] = target.split('?', 1);
  if (isOfServices(below) && below !== '/request') return;
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  if (target.length <= REQUEST_BYTES && length <= REQUEST_BYTES) return;
  throw new AppError(
    'body_too_large',
    `A request for a sign-in has up to ${REQUEST_BYTES} bytes, and says how long it is (Content-Length).`,
  );
}
