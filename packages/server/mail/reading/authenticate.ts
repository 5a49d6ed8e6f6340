import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { AuthenticateResult, DKIMResult } from 'mailauth';
import { type Author, domainOf, usableAddress } from './addresses.ts';
import { type HeaderField, headerFields, withBoundedSignatures, withCrlf } from './header-block.ts';
import type { AuthenticationResult, DomainPolicy, MailAuthentication, MailWarning } from './read-mail.ts';
import type { CachingResolver } from './resolver.ts';
import { sealedPass } from './sealed.ts';
import { boundFields, isAmbiguous } from './signed-fields.ts';
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
  /** Whether it reads as it was signed, by a signature that binds these fields. */
  readonly readsAsSigned: (bound: ReadonlySet<string>) => Promise<boolean>;
}

export interface Authenticated {
  readonly authentication: MailAuthentication;
  /** The fields that the signature which alone proves the author binds, by name in lower case; undefined where the host that sent it does. */
  readonly bound?: ReadonlySet<string>;
  /** The latest time of the signatures of the author's domain that passed; undefined where none says one. */
  readonly signed_at?: Millis | undefined;
  readonly policy: DomainPolicy | null;
  readonly warnings: readonly MailWarning[];
}

const NONE: MailAuthentication = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none', verified: false };

/** A mail of a network, or of a client that logged in, that needs no proof. */
export function ofTrustedNetwork({ from, warning }: Author, ambiguous: boolean): Authenticated {
  const verified = from !== null && warning === undefined && !ambiguous;
  return {
    authentication: verified ? { ...NONE, verified, verified_by: 'network' } : NONE,
    policy: null,
    warnings: ambiguous && warning === undefined ? ['repeated_field'] : [],
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

/** What proves an author. */
interface Proof {
  readonly verified_by: NonNullable<MailAuthentication['verified_by']>;
  readonly bound?: ReadonlySet<string>;
}

const isAligned = ({ status }: DKIMResult): boolean => typeof status.aligned === 'string';
const hasPassed = ({ status }: DKIMResult): boolean => status.result === 'pass';

/** The latest time that a signature of the author's domain says which passed. */
function signedAt(results: readonly DKIMResult[], fields: readonly HeaderField[]): Millis | undefined {
  const passed = new Set(results.filter((one) => isAligned(one) && hasPassed(one)).map(({ signature }) => signature));
  const times = fields
    .filter(({ name }) => name === 'dkim-signature')
    .map(({ bytes }) => bytes.toString('latin1').replace(/\s+/g, ''))
    .filter((text) => passed.has(/(?:;|:)b=([^;]*)/.exec(text)?.[1]))
    .map((text) => Number(/(?:;|:)t=(\d{1,12})(?:;|$)/.exec(text)?.[1]) * SECOND)
    .filter((at) => at > 0);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Whether the host that sent it is one of the domain of the author. */
function isOfHost({ dmarc, spf }: AuthenticateResult, domain: string): boolean {
  if (dmarc === false) return false;
  if (dmarc.status.result === 'pass') return dmarc.alignment?.spf?.result !== undefined;
  return dmarc.status.result === 'none' && spf !== false && spf.status.result === 'pass' && spf.domain === domain;
}

/** The fields that a whole signature binds; undefined when it proves no author. */
function boundBy(signature: DKIMResult, fields: readonly HeaderField[]): ReadonlySet<string> | undefined {
  const { signingHeaders, canonBodyLengthLimited, status } = signature;
  // RFC 6376, section 6.1.1: the signer names another domain than its own.
  if (signingHeaders === undefined || status.warnings?.includes('identity-domain') === true) return undefined;
  return canonBodyLengthLimited === true ? undefined : boundFields(signingHeaders, fields);
}

/** What proves that the domain of the one author sent the mail; undefined when nothing does. */
async function proofOf(
  result: AuthenticateResult,
  { author, readsAsSigned }: Pick<Transmission, 'author' | 'readsAsSigned'>,
  fields: readonly HeaderField[],
  sealers: readonly string[],
): Promise<Proof | undefined> {
  const { dkim, dmarc } = result;
  if (author.from === null || author.warning !== undefined || dkim.fromFields !== 1) return undefined;
  // Two readers of `From` must agree, so that no author is shown whose domain was not the one that was checked.
  const [checked = '', ...others] = dkim.headerFrom;
  const domain = domainOf(author.from.address);
  if (others.length > 0 || usableAddress(checked) !== author.from.address) return undefined;
  if (dmarc === false || dmarc.status.header?.from !== domain) return undefined;
  const policy = dmarc.status.result !== 'none';
  if (isOfHost(result, domain)) return { verified_by: policy ? 'dmarc' : 'spf' };
  const bounds = (signatures: readonly DKIMResult[]): ReadonlySet<string>[] =>
    signatures.map((one) => boundBy(one, fields)).filter((bound) => bound !== undefined);
  const aligned = dkim.results.filter(isAligned);
  const first = async (all: readonly ReadonlySet<string>[]): Promise<ReadonlySet<string> | undefined> => {
    for (const bound of all) if (await readsAsSigned(bound)) return bound;
    return undefined;
  };
  if (!policy || dmarc.status.result === 'pass') {
    const bound = await first(bounds(aligned.filter(hasPassed)));
    return bound && { verified_by: policy ? 'dmarc' : 'dkim', bound };
  }
  const seal = sealedPass(result, domain, sealers, aligned);
  const [sealed] = seal === undefined ? [] : bounds([seal.signature]);
  if (seal === undefined || sealed === undefined) return undefined;
  // What was added before it was forwarded is sealed too: the author bound what their signature names, broken as it is.
  const authors = aligned.filter(({ signature = '' }) => seal.passed.has(signature));
  const bound = await first(seal.of_host ? [sealed] : bounds(authors).map((one) => one.intersection(sealed)));
  return bound && { verified_by: 'arc', bound };
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
  const whole = withCrlf(raw);
  const result = await authenticate(whole, {
    resolver: (name, type) => wait(ask(name, type)),
    mta,
    disableBimi: true,
    rejectRsaSha1: true,
    helo: mail.helo,
    sender: mail.from,
    ...(mail.ip !== null && { ip: mail.ip }),
  });
  const { spf, dkim, dmarc, arc } = result;
  const fields = headerFields(whole);
  const ambiguous = isAmbiguous(fields);
  const proof = ambiguous ? undefined : await proofOf(result, mail, fields, arc_sealers);
  const { verified_by } = proof ?? {};
  const partly =
    dkim.results.some(({ status }) => status.result === 'pass' && (status.underSized ?? 0) > 0) ||
    (proof === undefined && !ambiguous && dkim.results.some((one) => isAligned(one) && hasPassed(one)));
  return {
    authentication: {
      spf: (spf === false || mail.ip === null ? 'none' : spf.status.result) as AuthenticationResult,
      dkim: dkimResult(dkim.results),
      dmarc: (dmarc === false ? 'none' : dmarc.status.result) as AuthenticationResult,
      arc: (arc === false ? 'none' : arc.status.result) as AuthenticationResult,
      verified: verified_by !== undefined,
      ...(verified_by !== undefined && { verified_by }),
    },
    ...(proof?.bound && { bound: proof.bound, signed_at: signedAt(dkim.results, fields) }),
    policy: verified_by === undefined ? policyOf(result) : null,
    warnings: [
      ...(signatures_cut ? (['signatures_cut'] as const) : []),
      // Of a mail without one author no signature proves any.
      ...(partly && mail.author.warning === undefined ? (['partly_signed'] as const) : []),
      ...(ambiguous && mail.author.warning === undefined ? (['repeated_field'] as const) : []),
    ],
  };
}
