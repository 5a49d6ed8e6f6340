import type { Clock } from '@mailroom/behavior/values/clock';
import type { MTASTSPolicy } from 'mailauth';
import type { States } from '../../core/ports/states.ts';
import { isPublicAddress } from '../../net/public-address.ts';
import type { DnsResolver } from './dns.ts';

/** What a domain demands of those who send to it (RFC 8461). */
export type StsPolicy = MTASTSPolicy;

/** Keeps policies until they expire, so that none can be hidden by blocking its record (RFC 8461, section 10.2). */
export interface StsCache {
  get(domain: string): StsPolicy | undefined | Promise<StsPolicy | undefined>;
  set(domain: string, policy: StsPolicy): void | Promise<void>;
}

/** Time limit for fetching a policy; the mail waits for it. */
const FETCH_MS = 15_000;
/** Bytes of a policy: reading one takes time by the square of its servers, and it is kept for up to a year. */
const MAX_POLICY = 8_192;
const MAX_POLICIES = 10_000;
const STATE = 'mta_sts';

/** The policies of the domains that were sent to last, until the process ends. */
export function stsMemory(): StsCache {
  const kept = new Map<string, StsPolicy>();
  return {
    get: (domain) => kept.get(domain),
    set(domain, policy) {
      kept.delete(domain);
      kept.set(domain, policy);
      if (kept.size > MAX_POLICIES) kept.delete(kept.keys().next().value as string);
    },
  };
}

/** The policies that were fetched, for all nodes and after a restart, until each expires (RFC 8461, section 5.1). */
export const stsStored = (states: Pick<States, 'get' | 'set'>, clock: Clock): StsCache => ({
  async get(domain) {
    const kept = await states.get(STATE, domain, clock());
    return kept && (JSON.parse(kept.value) as StsPolicy);
  },
  async set(domain, policy) {
    const expires_at = Date.parse(String(policy.expires));
    if (Number.isNaN(expires_at)) return;
    await states.set({ kind: STATE, id: domain, subject: null, value: JSON.stringify(policy), expires_at });
  },
});

/**
 * The policy of a domain, which is fetched when its id in DNS is another than the known one's, from a public address only
 * unless `trusts` says otherwise. A domain without one, or whose policy cannot be had, has the mode `none`.
 */
export async function stsPolicy(
  domain: string,
  resolve: DnsResolver,
  trusts: (address: string) => boolean,
  cache: StsCache,
): Promise<StsPolicy> {
  const { getPolicy } = await import('mailauth/lib/mta-sts.js');
  const resolver = async (name: string, type: string): Promise<string[]> => {
    const answer = (await resolve(name, type)) as string[];
    if (type === 'TXT' || !Array.isArray(answer)) return answer;
    return answer.filter((address) => trusts(address) || isPublicAddress(address));
  };
  const known = await cache.get(domain);
  const { policy, status } = await getPolicy(domain, known ?? null, {
    resolver,
    strict: true,
    timeout: FETCH_MS,
    maxPolicySize: MAX_POLICY,
  });
  if (typeof policy.id === 'string' && status !== 'renewed' && policy.error === undefined) {
    await cache.set(domain, policy);
  }
  return policy;
}
