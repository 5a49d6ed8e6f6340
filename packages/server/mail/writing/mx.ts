import type { ConnectionOptions } from 'node:tls';
import type { DeliveryResult, Failure } from '../../core/ports/delivery.ts';
import { type Address, checkedAddresses, NotPublic } from '../../net/guarded-connect.ts';
import { type DnsResolver, isAbsent, mxRecords, texts } from './dns.ts';
import { failure, failureOf, NO_ADDRESS } from './failure.ts';
import { domainOf, wireAddress } from './headers.ts';
import { type StsCache, type StsPolicy, stsMemory, stsPolicy } from './mta-sts.ts';
import { type OutgoingMail, type Patience, type Server, sendTo, TlsFailed } from './session.ts';

export interface MxOptions {
  readonly resolve: DnsResolver;
  /** Our own host name, for EHLO; mail whose best server it is has nowhere to go. */
  readonly name: string;
  /** 25 by default. */
  readonly port?: number;
  /** Addresses that may be connected to although they are not public; none by default. */
  readonly trusts?: (address: string) => boolean;
  readonly patience?: Patience;
  /** Policies of MTA-STS; in memory by default. */
  readonly policies?: StsCache;
  /** Certificates that are trusted instead of the public ones. */
  readonly ca?: ConnectionOptions['ca'];
}

type Failed = { readonly kind: 'failed' } & Failure;

const PORT = 25;
/** Shorter than the limits of RFC 5321, section 4.5.3.2, because a delivery that waits holds a slot. */
const PATIENCE: Patience = { connect: 15_000, silence: 120_000, mail: 300_000 };
/** Maximum number of servers and of connections that are tried for one mail. */
const MAX_HOSTS = 5;
const MAX_CONNECTIONS = 8;

/**
 * The servers for a domain, those to try first in front (RFC 5321, section 5.1): by preference, in a random order where
 * that is the same, and without those that are not better than `name`. A domain without MX records is its own server. A
 * failure when there is none: permanent for a domain that does not exist or takes no mail (RFC 7505).
 */
export async function mxHosts(domain: string, name: string, resolve: DnsResolver): Promise<readonly string[] | Failed> {
  try {
    const records = await mxRecords(resolve, domain);
    if (records.length === 0) return await ownHost(domain, resolve);
    if (records.every(({ exchange }) => exchange === '' || exchange === '.')) return failure(true, 'null MX 5.1.10');
    const own = Math.min(...records.filter(({ exchange }) => exchange === name).map(({ priority }) => priority));
    const better = records.filter(({ exchange, priority }) => exchange !== '' && priority < own);
    if (better.length === 0) return failure(true, 'MX leads back here 5.4.6');
    return better
      .map((record) => ({ ...record, order: Math.random() }))
      .sort((a, b) => a.priority - b.priority || a.order - b.order)
      .slice(0, MAX_HOSTS)
      .map(({ exchange }) => exchange);
  } catch (error) {
    const { code = 'unknown' } = error as { readonly code?: string };
    if (code === 'ENODATA') return ownHost(domain, resolve);
    return isAbsent(error) ? failure(true, 'ENOTFOUND MX 5.1.2') : failure(false, `${code} MX`);
  }
}

/** The implicit MX (RFC 5321, section 5.1). */
async function ownHost(domain: string, resolve: DnsResolver): Promise<readonly string[] | Failed> {
  try {
    const found = await Promise.all([texts(resolve, domain, 'A'), texts(resolve, domain, 'AAAA')]);
    return found.flat().length > 0 ? [domain] : failure(true, 'no MX and no address 5.1.2');
  } catch (error) {
    return failure(false, `${(error as { readonly code?: string }).code ?? 'unknown'} A`);
  }
}

/** IPv4 first, because more servers of the world take mail from it; then both families alternate. */
const addressesOf =
  (resolve: DnsResolver) =>
  async (host: string): Promise<readonly Address[]> => {
    const [v4, v6] = await Promise.all([
      texts(resolve, host, 'A').catch(() => []),
      texts(resolve, host, 'AAAA').catch(() => []),
    ]);
    return Array.from({ length: Math.max(v4.length, v6.length) }, (_, at) => [
      ...v4.slice(at, at + 1).map((address) => ({ address, family: 4 as const })),
      ...v6.slice(at, at + 1).map((address) => ({ address, family: 6 as const })),
    ]).flat();
  };

/**
 * Hands a mail to a server of the recipient's domain: to one after the other until one takes it or refuses it for good.
 * TLS is used where a server offers it; where the domain's MTA-STS policy says `enforce`, only servers that it names are
 * used, with a verified certificate. Connects to no address that is not public. Never rejects.
 */
export function mxDelivery(options: MxOptions): (mail: OutgoingMail, signal: AbortSignal) => Promise<DeliveryResult> {
  const { resolve, patience = PATIENCE, policies = stsMemory(), trusts = () => false } = options;
  const name = options.name.toLowerCase();
  const guard = { resolve: addressesOf(resolve), trusts };
  return async (mail, signal) => {
    const to = wireAddress(mail.to);
    if (to === undefined) return NO_ADDRESS;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience.mail)]);
    try {
      const domain = domainOf(to);
      const hosts = await mxHosts(domain, name, resolve);
      if ('kind' in hosts) return hosts;
      const policy = await stsPolicy(domain, resolve, trusts, policies);
      return await tryHosts(hosts, policy, { ...mail, to }, { ...options, name, patience, guard }, limit);
    } catch (error) {
      return failureOf(limit.aborted ? { code: 'EABORT' } : error);
    }
  };
}

interface Trying extends MxOptions {
  readonly patience: Patience;
  readonly guard: Parameters<typeof checkedAddresses>[1];
}

async function tryHosts(
  hosts: readonly string[],
  policy: StsPolicy,
  mail: OutgoingMail,
  options: Trying,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const { validateMx } = await import('mailauth/lib/mta-sts.js');
  const enforced = policy.mode === 'enforce';
  let last: Failed | undefined;
  let connections = 0;
  for (const host of hosts) {
    if (enforced && !validateMx(host, policy).valid) {
      last ??= failure(false, 'EMTASTS 5.7.10');
      continue;
    }
    const addresses = await checkedAddresses(host, options.guard, signal).catch((error: unknown) =>
      error instanceof NotPublic ? NOT_PUBLIC : NOT_FOUND,
    );
    if ('kind' in addresses) {
      signal.throwIfAborted();
      // A server that may be reached later outweighs one that never can.
      last = last === undefined || last.permanent ? addresses : last;
      continue;
    }
    for (const { address } of addresses) {
      if (++connections > MAX_CONNECTIONS) break;
      const server = {
        host,
        address,
        port: options.port ?? PORT,
        name: options.name,
        ...(options.ca && { ca: options.ca }),
      };
      const result = await tryServer(
        { ...server, tls: enforced ? 'verified' : 'opportunistic' },
        mail,
        options,
        signal,
      );
      if (result.kind !== 'failed' || result.permanent) return result;
      last = result;
    }
  }
  return last ?? failure(false, 'no server');
}

const NOT_PUBLIC: Failed = failure(true, 'ENOTPUBLIC MX 5.4.4');
const NOT_FOUND: Failed = failure(false, 'ENOTFOUND A');

async function tryServer(
  server: Server,
  mail: OutgoingMail,
  { patience }: Trying,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  try {
    await sendTo(server, mail, patience, signal);
    return { kind: 'sent' };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TlsFailed)) return failureOf(error);
    // A server with broken TLS gets the mail as before there was any (RFC 7435, section 3).
    if (server.tls === 'opportunistic')
      return tryServer({ ...server, tls: 'none' }, mail, { patience } as Trying, signal);
    const { code, originalCode = code } = error.cause as { readonly code?: string; readonly originalCode?: string };
    return failure(false, `${originalCode ?? 'ETLS'} STARTTLS 5.7.10`);
  }
}
