import type { ARCChainEntry, AuthenticateResult } from 'mailauth';

/** What a forwarder saw. `mailauth` moves the results of the last one, and renames their `value`. */
interface SeenDmarc {
  readonly value?: unknown;
  readonly result?: unknown;
  readonly header?: { readonly from?: unknown };
}

const sealerOf = (entry: ARCChainEntry): string => String(entry['arc-seal']?.parsed?.d?.value ?? '').toLowerCase();

/**
 * Whether forwarders, all of whom are trusted, sealed that the mail of this domain passed DMARC when the first of them
 * got it (RFC 8617, section 7.2). Anyone may seal anything, so a chain with one that is not trusted proves nothing.
 */
export function sealedPass({ arc, dkim }: AuthenticateResult, domain: string, trusted: readonly string[]): boolean {
  const chain = dkim.arc?.chain;
  if (arc === false || arc.status.result !== 'pass' || !Array.isArray(chain) || chain.length === 0) return false;
  if (!chain.every((entry) => trusted.includes(sealerOf(entry)))) return false;
  const { signature } = arc;
  if (!signature || (signature.status.underSized ?? 0) > 0) return false;
  if (!/(?:^|:)\s*from\s*(?::|$)/i.test(signature.signingHeaders?.keys ?? '')) return false;
  const [first] = chain;
  const results = chain.length === 1 ? arc.authenticationResults : first?.['arc-authentication-results']?.parsed;
  const seen = (results as { readonly dmarc?: SeenDmarc } | undefined)?.dmarc;
  return (seen?.result ?? seen?.value) === 'pass' && seen?.header?.from === domain;
}
