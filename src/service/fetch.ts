import type { Config } from '../config.ts';
import type { GuardedFetch, GuardedFetchOptions, Resolver } from '../net/guarded-fetch.ts';
import { makeGuardedFetch } from '../net/guarded-fetch.ts';
import { VERSION } from '../version.ts';

/** GET of public URLs, with this service's `User-Agent`. */
export const makeFetch = (
  config: Config,
  resolve: Resolver,
  limits: Pick<GuardedFetchOptions, 'ms' | 'bytes' | 'redirects'>,
): GuardedFetch =>
  makeGuardedFetch({
    resolve,
    ...limits,
    user_agent: `Mailroom/${VERSION} (+${config.BASE_URL ?? 'http://localhost'})`,
  });
