import type { Config } from '../config.ts';
import type { Clock } from '../core/values/clock.ts';
import { VERSION } from '../core/values/version.ts';
import { addressesIn } from '../http/authenticate.ts';
import type { Resolver } from '../net/guarded-connect.ts';
import type { GuardedFetch, GuardedFetchOptions } from '../net/guarded-fetch.ts';
import { makeGuardedFetch } from '../net/guarded-fetch.ts';
import { OutsideHttp } from '../net/outside/index.ts';
import { HttpWebhookClient } from '../net/webhook.ts';

/** The `User-Agent` of all that this service requests of others. */
const agentOf = (config: Config): string => `Mailroom/${VERSION} (+${config.BASE_URL ?? 'http://localhost'})`;

/** GET of public URLs, with this service's `User-Agent`. */
export const makeFetch = (
  config: Config,
  resolve: Resolver,
  limits: Pick<GuardedFetchOptions, 'ms' | 'bytes' | 'redirects'>,
): GuardedFetch => makeGuardedFetch({ resolve, ...limits, user_agent: agentOf(config) });

/** Calls MCP servers and A2A agents at public addresses, and at those that the operator trusts. */
export const makeOutsideHttp = (config: Config, resolve: Resolver): OutsideHttp =>
  new OutsideHttp({ resolve, trusts: addressesIn(config.OUTSIDE_NETWORKS), user_agent: agentOf(config) });

/** Sends webhooks to public addresses, and to those that the operator trusts. */
export const makeWebhookClient = (config: Config, resolve: Resolver, clock: Clock): HttpWebhookClient =>
  new HttpWebhookClient({ resolve, trusts: addressesIn(config.WEBHOOK_NETWORKS), clock, user_agent: agentOf(config) });
