import type { AuthenticateResult } from 'mailauth';
import type { Author } from './addresses.ts';
import { domainOf, usableAddress } from './addresses.ts';
import { withBoundedSignatures, withCrlf } from './header-block.ts';
import type { AuthenticationResult, DomainPolicy, MailAuthentication, MailWarning } from './read-mail.ts';
import type { CachingResolver } from './resolver.ts';
import { sealedPass } from './sealed.ts';
import type { Wait } from './turns.ts';

/** How long all look-ups for one mail may take together, in ms. */
const DNS_MS = 10_000;

export interface AuthenticateOptions {
  readonly resolver: CachingResolver;
  /** Waits for the answers of name servers. */
  readonly wait: Wait;
  /** The name of this server. */
  readonly mta: string;
  /** Domains whose word about what they forwarded is believed. */
  readonly arc_sealers: readonly string[];
}

export interface Transmission {
  readonly raw: Buffer;
  /** Null when unknown; then SPF says nothing. */
  readonly ip: string | null;
  readonly helo: string;
  readonly from: string;
  readonly author: Author;
  /** It is read in part only, because it has too many headers or lines. */
  readonly bounded: boolean;
}

export interface Authenticated {
  readonly authentication: MailAuthentication;
  readonly policy: DomainPolicy | null;
  readonly warnings: readonly MailWarning[];
}

const NONE: MailAuthentication = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none', verified: false };

/** A mail of a network that needs no proof. */
export function ofTrustedNetwork({ from, warning }: Author): Authenticated {
  const verified = from !== null && warning === undefined;
  return {
    authentication: verified ? { ...NONE, verified, verified_by: 'network' } : NONE,
    policy: null,
    warnings: [],
  };
}

/** From the strongest to the weakest. */
const RANKS: readonly string[] = ['pass', 'policy', 'fail', 'temperror', 'permerror', 'neutral', 'none'];

function dkimResult(results: AuthenticateResult['dkim']['results']): AuthenticationResult {
  const ranked = results.toSorted(
    ({ status: a }, { status: b }) =>
      Number(b.aligned !== undefined && b.aligned !== false) - Number(a.aligned !== undefined && a.aligned !== false) ||
      RANKS.indexOf(a.result) - RANKS.indexOf(b.result),
  );
  const passed = results.some(({ status }) => status.result === 'pass');
  const [best] = ranked.filter(({ status }) => !passed || status.result === 'pass');
  return (best?.status.result ?? 'none') as AuthenticationResult;
}

/** What proves the author when its domain publishes no policy: a signature of it, or the host that it names in SPF. */
function provenWithoutPolicy({ dkim, spf }: AuthenticateResult, domain: string): 'dkim' | 'spf' | undefined {
  const signed = dkim.results.some(
    ({ status }) => status.result === 'pass' && typeof status.aligned === 'string' && (status.underSized ?? 0) === 0,
  );
  if (signed) return 'dkim';
  return spf !== false && spf.status.result === 'pass' && spf.domain === domain ? 'spf' : undefined;
}

/** What proves that the domain of the one author sent the mail; undefined when nothing does. */
function proofOf(
  result: AuthenticateResult,
  author: Author,
  sealers: readonly string[],
): MailAuthentication['verified_by'] {
  const { dkim, dmarc } = result;
  if (author.from === null || author.warning !== undefined || dkim.fromFields !== 1) return undefined;
  // Two readers of `From` must agree, so that no author is shown whose domain was not the one that was checked.
  const [checked = '', ...others] = dkim.headerFrom;
  const domain = domainOf(author.from.address);
  if (others.length > 0 || usableAddress(checked) !== author.from.address) return undefined;
  if (dmarc === false) return undefined;
  const { spf, dkim: signature } = dmarc.alignment ?? {};
  if (dmarc.status.result === 'pass') {
    const whole = spf?.result !== undefined || (signature?.underSized ?? 0) === 0;
    return whole && dmarc.status.header?.from === domain ? 'dmarc' : undefined;
  }
  if (dmarc.status.result === 'none') return provenWithoutPolicy(result, domain);
  return sealedPass(result, domain, sealers) ? 'arc' : undefined;
}

function policyOf({ dmarc, dmarcSkipReason }: AuthenticateResult): DomainPolicy | null {
  // Whose policy applies is unclear, and a reader may see either of the authors (RFC 9989, section 11.5).
  if (dmarcSkipReason !== undefined && dmarcSkipReason !== 'no-author-domain') return 'quarantine';
  if (dmarc === false || dmarc.status.result === 'none') return 'none';
  if (dmarc.status.result === 'pass') return null;
  return dmarc.status.result === 'fail' ? (dmarc.policy as DomainPolicy) : 'none';
}

/** Evaluates SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989) and ARC (RFC 8617). Never rejects for what a mail says. */
export async function authenticated(mail: Transmission, options: AuthenticateOptions): Promise<Authenticated> {
  // Checking it would take as long as reading it, and no program that people use sends such a mail.
  if (mail.bounded) return { authentication: NONE, policy: 'quarantine', warnings: [] };
  const { raw, signatures_cut } = withBoundedSignatures(mail.raw);
  const { mta, resolver, wait, arc_sealers } = options;
  // Loaded with the first mail that needs it, since it takes a second of processor time and much memory.
  const { authenticate } = await import('mailauth');
  const ask = resolver.forMail(DNS_MS);
  const result = await authenticate(withCrlf(raw), {
    resolver: (name, type) => wait(ask(name, type)),
    mta,
    disableBimi: true,
    rejectRsaSha1: true,
    helo: mail.helo,
    sender: mail.from,
    ...(mail.ip !== null && { ip: mail.ip }),
  });
  const { spf, dkim, dmarc, arc } = result;
  const verified_by = proofOf(result, mail.author, arc_sealers);
  const partly = dkim.results.some(({ status }) => status.result === 'pass' && (status.underSized ?? 0) > 0);
  return {
    authentication: {
      spf: (spf === false || mail.ip === null ? 'none' : spf.status.result) as AuthenticationResult,
      dkim: dkimResult(dkim.results),
      dmarc: (dmarc === false ? 'none' : dmarc.status.result) as AuthenticationResult,
      arc: (arc === false ? 'none' : arc.status.result) as AuthenticationResult,
      verified: verified_by !== undefined,
      ...(verified_by !== undefined && { verified_by }),
    },
    policy: verified_by === undefined ? policyOf(result) : null,
    warnings: [
      ...(signatures_cut ? (['signatures_cut'] as const) : []),
      ...(partly ? (['partly_signed'] as const) : []),
    ],
  };
}
