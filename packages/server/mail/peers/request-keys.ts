import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import type { SignOptions } from '../writing/dkim.ts';
import type { DnsResolver } from '../writing/dns.ts';
import { isPublished } from '../writing/records-check.ts';
import type { RequestKey } from './request-signature.ts';

/** For how long a domain's records are taken to be as they were. */
const KEPT_MS: Millis = 10 * MINUTE;
const MAX_KEPT = 1_000;

/**
 * The key of a domain that signs a request: Ed25519, which is fast, where DNS has its record, else RSA. Undefined where
 * the domain has no key.
 */
export function requestKeys(
  resolve: DnsResolver,
  clock: Clock,
): (options: SignOptions) => Promise<RequestKey | undefined> {
  const kept = new Map<string, { readonly key: Promise<RequestKey | undefined>; readonly until: Millis }>();
  async function choose({ domain, keys }: SignOptions): Promise<RequestKey | undefined> {
    const fast = keys.find(({ algorithm }) => algorithm === 'ed25519-sha256');
    const isFast = fast !== undefined && (await isPublished(fast, domain, resolve).catch(() => false));
    const key = isFast ? fast : keys.find(({ algorithm }) => algorithm === 'rsa-sha256');
    return key && { domain, key };
  }
  return ({ domain, keys }) => {
    const name = `${domain} ${keys.map(({ selector }) => selector).join(' ')}`;
    const found = kept.get(name);
    if (found !== undefined && found.until > clock() && found.until <= clock() + KEPT_MS) return found.key;
    const key = choose({ domain, keys });
    kept.delete(name);
    kept.set(name, { key, until: clock() + KEPT_MS });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return key;
  };
}
