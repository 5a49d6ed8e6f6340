import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { type DomainKey, keyStatus } from './domain-key.ts';

const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** Domains that a namespace may have. */
export const MAX_DOMAINS = 20;

/** A record to publish. */
export interface DomainRecord {
  readonly about: 'verification' | 'mx' | 'spf' | 'dkim' | 'dmarc';
  /** The whole name, without a final dot. */
  readonly name: string;
  readonly type: 'TXT' | 'MX';
  /** Of an MX record `PREFERENCE HOST`; of a TXT record the text without quotes. */
  readonly value: string;
  readonly purpose: string;
}

/** What DNS said of one record when it was asked last. */
export interface RecordState {
  readonly name: string;
  readonly type: DomainRecord['type'];
  readonly status: DomainStatus;
  /** What is missing or wrong; null when nothing is. */
  readonly error: string | null;
  readonly found: readonly string[];
}

/** A domain of a namespace. Its addresses reach the mailboxes of the namespace while it is verified. */
export interface Domain {
  readonly id: string;
  readonly namespace_id: string;
  /** In A-labels and lower case. */
  readonly domain: string;
  readonly status: DomainStatus;
  /** The unguessable part of the TXT record that proves the domain to be the namespace's. */
  readonly token: string;
  readonly keys: readonly DomainKey[];
  /** As of the last check; empty before the first. */
  readonly records: readonly RecordState[];
  /** What the last check says against it. */
  readonly error: string | null;
  readonly checked_at: Millis | null;
  /** When DNS is asked next; null: not until its owner asks. */
  readonly check_at: Millis | null;
  /** Checks in a row that did not find the record of verification. */
  readonly misses: number;
  /** Since when a verified domain does not prove itself. */
  readonly failing_since: Millis | null;
  readonly verified_at: Millis | null;
  readonly created_at: Millis;
}

/** Whether its MX and SPF records are right, so that it can be the domain of return paths. */
export const takesNotices = ({ domain, records }: Pick<Domain, 'domain' | 'records'>): boolean =>
  (['MX', 'TXT'] as const).every((type) =>
    records.some((record) => record.name === domain && record.type === type && record.status === 'verified'),
  );

const timeOf = (at: Millis | null): string | null => (at === null ? null : rfc3339(at));

const Time = Type.String({ format: 'date-time' });
const RecordView = Type.Object({
  about: Type.Enum(['verification', 'mx', 'spf', 'dkim', 'dmarc']),
  name: Type.String({ examples: ['_mailroom.mail.example.com'] }),
  type: Type.Enum(['TXT', 'MX']),
  value: Type.String({
    description: 'Of an MX record its preference and its host; of a TXT record the text without quotes.',
  }),
  purpose: Type.String({ description: 'What it is for.' }),
  status: Type.Enum([...DOMAIN_STATUSES], {
    description:
      'By the last check: `pending` was not found so far, `verified` is right, `failed` is missing or wrong.',
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'What DNS said against it.' }),
  found: Type.Array(Type.String(), { description: 'What DNS had.' }),
});

const KeyView = Type.Object({
  selector: Type.String({ examples: ['mailroom-rsa'] }),
  algorithm: Type.Enum(['rsa-sha256', 'ed25519-sha256']),
  status: Type.Enum(['waiting', 'signing', 'replaced'], {
    description:
      '`waiting`: signs once DNS has the records of all new keys. `signing`: signs mail now. `replaced`: signs no more; its record verifies mail on its way, and may be deleted when the key is no longer listed, a week after the new ones began to sign.',
  }),
});

export const DomainView = Type.Object(
  {
    id: Type.String({ examples: ['dom_0d8m3xk2q5v7w9y1a3c0'] }),
    domain: Type.String({ examples: ['mail.example.com'], description: 'In A-labels (RFC 5890).' }),
    namespace: Type.String(),
    status: Type.Enum([...DOMAIN_STATUSES], {
      description:
        '`pending`: until the TXT record of verification is found. `verified`: addresses of the domain reach the mailboxes of the namespace. `failed`: it was not found for three weeks, or for a week after it had been; another check may verify it.',
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'What the last check says against it.' }),
    records: Type.Array(RecordView, {
      description: 'The records to publish. Only the one of verification is required; without the MX no mail arrives.',
    }),
    keys: Type.Array(KeyView, { description: 'The keys of its mail, the newest first.' }),
    checked_at: Type.Union([Time, Type.Null()]),
    next_check_at: Type.Union([Time, Type.Null()], { description: 'Null when it is checked only by request.' }),
    failing_since: Type.Union([Time, Type.Null()], {
      description:
        'Since when the record of verification of a verified domain is missing; after a week without it the domain fails.',
    }),
    verified_at: Type.Union([Time, Type.Null()]),
    created_at: Time,
  },
  { $id: 'Domain', description: 'A domain of an owner, beside the domain of the service.' },
);
export type DomainView = Type.Static<typeof DomainView>;

/** The domain as events have it, without the records. */
export const DomainEventView = Type.Object(
  {
    id: DomainView.properties.id,
    domain: DomainView.properties.domain,
    status: DomainView.properties.status,
    error: DomainView.properties.error,
    verified_at: DomainView.properties.verified_at,
  },
  { $id: 'DomainState', description: 'A domain of an owner as it stands.' },
);

export const domainEventView = ({ id, domain, status, error, verified_at }: Domain) => ({
  ...{ id, domain, status, error },
  verified_at: timeOf(verified_at),
});

export const NewDomain = Type.Object(
  {
    domain: Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'In any script; a name below one that you own, such as mail.example.com.',
      examples: ['mail.example.com'],
    }),
  },
  { $id: 'NewDomain', additionalProperties: false },
);

/** The domain as its owner sees it. */
export function domainView(domain: Domain, namespace: string, records: readonly DomainRecord[]): DomainView {
  return {
    id: domain.id,
    domain: domain.domain,
    namespace,
    status: domain.status,
    error: domain.error,
    records: records.map((record) => {
      const state = domain.records.find(({ name, type }) => name === record.name && type === record.type);
      const { status = 'pending', error = null, found = [] } = state ?? {};
      return { ...record, status, error, found: [...found] };
    }),
    keys: domain.keys.map((key) => ({
      selector: key.selector,
      algorithm: key.algorithm,
      status: keyStatus(key, domain.keys),
    })),
    checked_at: timeOf(domain.checked_at),
    next_check_at: timeOf(domain.check_at),
    failing_since: timeOf(domain.failing_since),
    verified_at: timeOf(domain.verified_at),
    created_at: rfc3339(domain.created_at),
  };
}
