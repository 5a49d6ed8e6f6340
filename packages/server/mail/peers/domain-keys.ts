import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { organizationalDomain } from '../organizational-domain.ts';
import { type DnsResolver, txtRecords } from '../writing/dns.ts';
import { tagsOf } from '../writing/records-check.ts';

/** How long the records of a domain are kept, and how many. */
const KEPT_MS: Millis = 5 * MINUTE;
const MAX_KEPT = 2_000;
const ED25519_BYTES = 32;
/** The head of an Ed25519 key as SubjectPublicKeyInfo (RFC 8410, section 4); its record has the 32 octets alone. */
const ED25519_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const MIN_RSA_BITS = 1_024;

/** The keys that domains publish to sign their mail (RFC 6376, section 3.6), and how closely (RFC 9989). */
export class DomainKeys {
  readonly #resolve: DnsResolver;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly value: Promise<unknown>; readonly until: Millis }>();

  constructor(resolve: DnsResolver, clock: Clock) {
    this.#resolve = resolve;
    this.#clock = clock;
  }

  /** A key of a domain; undefined where its record has none that signs mail. AppError `unavailable`. */
  key(selector: string, domain: string): Promise<KeyObject | undefined> {
    return this.#keep(`${selector}._domainkey.${domain}`, async (name) => {
      const records = await this.#texts(name);
      return records.length === 1 ? keyIn(records[0] as string) : undefined;
    });
  }

  /** Whether a key of `domain` speaks for addresses at `author`, and whether that has a policy. AppError `unavailable`. */
  alignment(author: string, domain: string): Promise<{ readonly aligned: boolean; readonly policy: boolean }> {
    return this.#keep(`${domain} for ${author}`, () => this.#alignment(author, domain));
  }

  async #alignment(author: string, domain: string) {
    const organization = organizationalDomain(author);
    const policy =
      (await this.#policy(author)) ?? (organization === null ? undefined : await this.#policy(organization));
    const related = organization !== null && organization === organizationalDomain(domain);
    const aligned = author === domain || (related && policy?.get('adkim') !== 's');
    return { aligned, policy: policy !== undefined };
  }

  #policy(domain: string): Promise<ReadonlyMap<string, string> | undefined> {
    return this.#keep(`_dmarc.${domain}`, async (name) => {
      const found = (await this.#texts(name)).filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text));
      return found.length === 1 ? tagsOf(found[0] as string) : undefined;
    });
  }

  async #texts(name: string): Promise<readonly string[]> {
    try {
      return await txtRecords(this.#resolve, name);
    } catch {
      throw new AppError('unavailable', `The name server of ${name} does not answer. Send it again later.`);
    }
  }

  #keep<T>(name: string, look: (name: string) => Promise<T>): Promise<T> {
    const found = this.#kept.get(name);
    if (found !== undefined && Math.abs(found.until - this.#clock()) <= KEPT_MS && found.until > this.#clock())
      return found.value as Promise<T>;
    const value = look(name);
    this.#kept.delete(name);
    this.#kept.set(name, { value, until: this.#clock() + KEPT_MS });
    value.catch(() => this.#kept.delete(name));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return value;
  }
}

/** The key in a record; undefined where it is revoked, or for something else than mail. */
function keyIn(record: string): KeyObject | undefined {
  const tags = tagsOf(record);
  const has = (tag: string, value: string): boolean => {
    const values = tags
      .get(tag)
      ?.split(':')
      .map((one) => one.trim());
    return values === undefined || values.includes(value) || (tag === 's' && values.includes('*'));
  };
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1' || !has('s', 'email') || !has('h', 'sha256')) return undefined;
  const bytes = Buffer.from((tags.get('p') ?? '').replace(/\s+/g, ''), 'base64');
  const type = tags.get('k') ?? 'rsa';
  const der = type === 'ed25519' && bytes.length === ED25519_BYTES ? Buffer.concat([ED25519_HEAD, bytes]) : bytes;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== type) return undefined;
    return type === 'ed25519' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}
