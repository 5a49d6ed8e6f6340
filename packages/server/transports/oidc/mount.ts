import type { IncomingMessage } from 'node:http';
import { AppError } from '@mailroom/behavior/values/error';
import type { Limiter } from '../../core/values/limits.ts';
import type { Mount, RawHandler } from '../../http/mount.ts';
import type { Issuer, Issuers } from './issuers.ts';

/** The name in the path, in lower case only, because issuer URLs are compared exactly. */
export const NAMES = '[a-z0-9-]+';
/**
 * Endpoints that services call themselves. All others are for browsers, need no authentication and store a row, so they
 * are limited like pages; so is every other spelling, because the library's router ignores case and a trailing slash.
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
/** Bytes of an authorization request, which is stored until the person has signed in. */
const REQUEST_BYTES = 8 * 1024;
const DISCOVERY = '/.well-known/openid-configuration';

/**
 * The paths of issuers; `pages` limits the endpoints for browsers. The metadata is also at the place of RFC 8414,
 * section 3.1, before the issuer's path.
 */
export function oidcMounts(
  issuers: Issuers,
  limits: readonly Limiter[],
  pages: readonly Limiter[] = [],
): readonly Mount[] {
  const find = async (name: string): Promise<Issuer> => {
    const issuer = await issuers.of(name);
    if (issuer !== undefined) return issuer;
    throw new AppError(
      'not_found',
      `There is no sign-in by ${name}: the namespace does not exist or has no auth address.`,
    );
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

/** AppError `body_too_large` for an authorization request that is too long to store. */
function checkLength({ headers }: IncomingMessage, target: string): void {
  const [below = ''] = target.split('?', 1);
  if (isOfServices(below) && below !== '/request') return;
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  if (target.length <= REQUEST_BYTES && length <= REQUEST_BYTES) return;
  throw new AppError(
    'body_too_large',
    `A sign-in request may have up to ${REQUEST_BYTES} bytes and must state its length (Content-Length).`,
  );
}
