import type { ARCChainEntry, AuthenticateResult, DKIMResult } from 'mailauth';
import { domainOf } from './addresses.ts';

/** What a forwarder saw. `mailauth` moves the results of the last one, and renames their `value`. */
interface Seen {
  readonly value?: unknown;
  readonly result?: unknown;
  readonly header?: { readonly from?: unknown; readonly b?: unknown };
  readonly smtp?: { readonly mailfrom?: unknown };
}

interface AuthenticationResults {
  readonly dmarc?: Seen;
  readonly spf?: Seen;
  readonly dkim?: readonly Seen[];
}

const hasPassed = (seen: Seen | undefined): boolean => (seen?.result ?? seen?.value) === 'pass';

const sealerOf = (entry: ARCChainEntry): string => String(entry['arc-seal']?.parsed?.d?.value ?? '').toLowerCase();

/** What forwarders say of a mail. */
export interface Seal {
  /** Of the last one, which proves what it forwarded. */
  readonly signature: DKIMResult;
  /** The first one got it from a host of the author's domain. */
  readonly of_host: boolean;
  /** The signatures that passed when the first one got it, and that the last one sealed; each as in `b=`. */
  readonly passed: ReadonlySet<string>;
}

/** Characters of `b=` by which a result names its signature (RFC 6008, section 4). */
const MIN_NAMED = 8;

/**
 * The signatures of the author that the first forwarder saw pass. One that was added to the mail names what it likes in
 * its `h=`, so each has to stand in a field that is sealed, and to be named by a result beside which no other names it;
 * results that name none say nothing of which of several passed.
 */
function passedBy(seen: readonly Seen[], aligned: readonly DKIMResult[], sealed: DKIMResult): ReadonlySet<string> {
  const fields = sealed.signingHeaders?.headers.filter((field) => /^dkim-signature[ \t]*:/i.test(field)) ?? [];
  const signatureIn = (field: string): string => /;b=([^;]*)/.exec(field.replace(/\s+/g, ''))?.[1] ?? '';
  const covered = fields.map(signatureIn);
  const all = aligned.map(({ signature = '' }) => signature);
  const named = seen.flatMap((one) =>
    typeof one.header?.b === 'string' ? [{ b: one.header.b, passed: hasPassed(one) }] : [],
  );
  const passed = all.filter((signature) => {
    const isUnique = (list: readonly string[]): boolean => list.filter((one) => one === signature).length === 1;
    if (!isUnique(covered) || !isUnique(all)) return false;
    if (named.length === 0) return all.length === 1;
    const [result, ...others] = named.filter(({ b }) => signature.startsWith(b));
    return result?.passed === true && result.b.length >= MIN_NAMED && others.length === 0;
  });
  return new Set(passed);
}

/**
 * What forwarders, all of whom are trusted, sealed of a mail that passed DMARC for this domain when the first of them
 * got it (RFC 8617, section 7.2). Anyone may seal anything, so a chain with one that is not trusted proves nothing.
 */
export function sealedPass(
  { arc, dkim }: AuthenticateResult,
  domain: string,
  trusted: readonly string[],
  aligned: readonly DKIMResult[],
): Seal | undefined {
  const chain = dkim.arc?.chain;
  if (arc === false || arc.status.result !== 'pass' || !Array.isArray(chain) || chain.length === 0) return undefined;
  if (!chain.every((entry) => trusted.includes(sealerOf(entry)))) return undefined;
  const { signature } = arc;
  if (!signature) return undefined;
  const [first] = chain;
  const results = chain.length === 1 ? arc.authenticationResults : first?.['arc-authentication-results']?.parsed;
  const { dmarc, spf, dkim: seen = [] } = (results ?? {}) as AuthenticationResults;
  if (!hasPassed(dmarc) || dmarc?.header?.from !== domain) return undefined;
  const sender = spf?.smtp?.mailfrom;
  const of_host = hasPassed(spf) && typeof sender === 'string' && domainOf(sender).toLowerCase() === domain;
  return { signature, of_host, passed: passedBy(seen, aligned, signature) };
}
