import type { ARCChainEntry, AuthenticateResult, DKIMResult } from 'mailauth';
import { domainOf } from './addresses.ts';

/** What a forwarder saw. `mailauth` moves the results of the last one, and renames their `value`. */
interface Seen {
  readonly value?: unknown;
  readonly result?: unknown;
  readonly header?: { readonly from?: unknown };
  readonly smtp?: { readonly mailfrom?: unknown };
}

const hasPassed = (seen: Seen | undefined): boolean => (seen?.result ?? seen?.value) === 'pass';

const sealerOf = (entry: ARCChainEntry): string => String(entry['arc-seal']?.parsed?.d?.value ?? '').toLowerCase();

/** What forwarders say of a mail. */
export interface Seal {
  /** Of the last one, which proves what it forwarded. */
  readonly signature: DKIMResult;
  /** The first one got it from a host of the author's domain. */
  readonly of_host: boolean;
}

/**
 * What forwarders, all of whom are trusted, sealed of a mail that passed DMARC for this domain when the first of them
 * got it (RFC 8617, section 7.2). Anyone may seal anything, so a chain with one that is not trusted proves nothing.
 */
export function sealedPass(
  { arc, dkim }: AuthenticateResult,
  domain: string,
  trusted: readonly string[],
): Seal | undefined {
  const chain = dkim.arc?.chain;
  if (arc === false || arc.status.result !== 'pass' || !Array.isArray(chain) || chain.length === 0) return undefined;
  if (!chain.every((entry) => trusted.includes(sealerOf(entry)))) return undefined;
  const { signature } = arc;
  if (!signature) return undefined;
  const [first] = chain;
  const results = chain.length === 1 ? arc.authenticationResults : first?.['arc-authentication-results']?.parsed;
  const { dmarc, spf } = (results ?? {}) as { readonly dmarc?: Seen; readonly spf?: Seen };
  if (!hasPassed(dmarc) || dmarc?.header?.from !== domain) return undefined;
  const sender = spf?.smtp?.mailfrom;
  const of_host = hasPassed(spf) && typeof sender === 'string' && domainOf(sender).toLowerCase() === domain;
  return { signature, of_host };
}
