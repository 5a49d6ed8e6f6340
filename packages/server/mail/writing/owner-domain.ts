import type { Domain, DomainRecord, RecordState } from '../../core/entities/domain.ts';
import { type DomainKey, type DomainKeyStatus, keyStatus } from '../../core/entities/domain-key.ts';
import type { DomainAnswer, DomainDns } from '../../core/ports/domain-dns.ts';
import { organizationalDomain } from '../organizational-domain.ts';
import { newDkimKey } from './dkim.ts';
import { type DnsResolver, txtRecords } from './dns.ts';
import { type MailDomain, mailRecords } from './records.ts';
import { checkPublished, type RecordCheck } from './records-check.ts';

export interface OwnerDomainOptions {
  /** The service's own domain, whose SPF record names what may send. */
  readonly mailDomain: string;
  /** The machine that takes the mail. */
  readonly host: string;
  readonly resolve: DnsResolver;
}

/** A label that no host has, so that the proof is no record of the mail itself. */
const PROOF_LABEL = '_mailroom';
const PROOF = 'mailroom-verification=';
const ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const;
/** Characters of a record that are kept of what DNS has. */
const MAX_FOUND = 300;
const MAX_RECORDS = 5;

/** The records of domains of owners, and what DNS says about them. */
export function ownerDomainDns({ mailDomain, host, resolve }: OwnerDomainOptions): DomainDns {
  const mailOf = ({ domain, keys }: Pick<Domain, 'domain' | 'keys'>): MailDomain => ({
    domain,
    namespaces: false,
    host,
    keys,
    // Whatever sends the mail of the service is named by its own record.
    relay: { includes: [mailDomain] },
    sts: 'off',
  });
  const proofOf = ({ token }: Pick<Domain, 'token'>): string => `${PROOF}${token}`;
  const proofName = ({ domain }: Pick<Domain, 'domain'>): string => `${PROOF_LABEL}.${domain}`;
  const keyName = ({ domain }: Pick<Domain, 'domain'>, { selector }: DomainKey): string =>
    `${selector}._domainkey.${domain}`;
  const purposeOfKey = (of: Domain, name: string): string | undefined => {
    const key = of.keys.find((one) => keyName(of, one) === name);
    return key && KEY_PURPOSES[keyStatus(key, of.keys)];
  };
  const records = (domain: Domain): readonly DomainRecord[] => [
    {
      about: 'verification',
      name: proofName(domain),
      type: 'TXT',
      value: proofOf(domain),
      purpose: 'It proves that the domain is yours. Leave it: it is looked up each day.',
    },
    ...mailRecords(mailOf(domain)).map(({ about, name, type, value, purpose }) => ({
      ...{ about: about as DomainRecord['about'], name, type: type as DomainRecord['type'], value },
      purpose: purposeOfKey(domain, name) ?? PURPOSES[about] ?? purpose,
    })),
  ];
  return {
    isPublicSuffix: (domain) => organizationalDomain(domain) === null,
    newKeys: (generation) => Promise.all(ALGORITHMS.map((algorithm) => newKey(algorithm, generation))),
    proofOf,
    keyName,
    records,
    async check(domain) {
      const [proof, checks] = await Promise.all([
        proofAnswer(proofName(domain), proofOf(domain), resolve),
        checkPublished(mailOf(domain), resolve),
      ]);
      return { ...proof, records: [proof.record, ...checks.map((check) => stateOf(check, domain))] };
    },
  };
}

const PURPOSES: Partial<Record<string, string>> = {
  spf: 'This service may send mail of the domain (SPF). If the domain has such a record, add the include to it.',
  dmarc:
    'Suggested: mail that claims to be of the domain and is not signed by it is refused (DMARC). Leave it out if other servers send mail of the domain unsigned.',
};

const KEY_PURPOSES: Partial<Record<DomainKeyStatus, string>> = {
  waiting: 'A new key (DKIM): it signs once DNS has the records of all new keys.',
  replaced: 'A former key (DKIM): it verifies mail on its way. Delete the record when it is no longer shown here.',
};

async function newKey(algorithm: DomainKey['algorithm'], generation: number): Promise<DomainKey> {
  const selector = `mailroom-${algorithm.slice(0, algorithm.indexOf('-'))}`;
  if (generation === 1) return newDkimKey(algorithm, selector);
  return { ...(await newDkimKey(algorithm, `${selector}-${generation}`)), generation };
}

type Proof = Pick<DomainAnswer, 'proofs' | 'said'> & { readonly record: RecordState };

async function proofAnswer(name: string, proof: string, resolve: DnsResolver): Promise<Proof> {
  const about = { name, type: 'TXT' } as const;
  try {
    const proofs = (await txtRecords(resolve, name)).map((text) => text.trim());
    const found = clip(proofs);
    if (proofs.includes(proof))
      return { proofs, said: '', record: { ...about, status: 'verified', error: null, found } };
    const explanation =
      proofs.length === 0
        ? `DNS has no TXT record ${name}. After a change it may take as long as the record before was valid.`
        : `The TXT record ${name} has another value.`;
    const status = proofs.length === 0 ? 'pending' : 'failed';
    return { proofs, said: explanation, record: { ...about, status, error: explanation, found } };
  } catch (error) {
    const { code = 'no answer' } = error as { readonly code?: string };
    const said = `DNS did not answer for ${name} (${code}); it is asked again.`;
    return { proofs: undefined, said, record: { ...about, status: 'pending', error: said, found: [] } };
  }
}

const clip = (found: readonly string[]): readonly string[] =>
  found.slice(0, MAX_RECORDS).map((text) => text.slice(0, MAX_FOUND));

function stateOf(
  { name, type, status, explanation, found }: RecordCheck,
  { status: domainStatus }: Domain,
): RecordState {
  const states = {
    ok: 'verified',
    wrong: 'failed',
    missing: domainStatus === 'pending' ? 'pending' : 'failed',
    unknown: 'pending',
  };
  return {
    name,
    type: type as RecordState['type'],
    status: states[status] as RecordState['status'],
    error: explanation === '' ? null : explanation,
    found: clip(found),
  };
}
