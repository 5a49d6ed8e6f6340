import type { Clock } from '@mailroom/behavior/values/clock';
import { signingKeys as ownerKeys } from '../../core/entities/domain-key.ts';
import type { OutgoingEmail } from '../../core/ports/email-transport.ts';
import type { Store } from '../../core/ports/store.ts';
import { domainOfAddress } from '../../core/values/domain.ts';
import type { SignOptions } from './dkim.ts';
import { signingKeys } from './dkim-keys.ts';
import type { DnsResolver } from './dns.ts';
import type { MailWriter } from './writer.ts';

interface SigningParts {
  readonly store: Pick<Store, 'domains' | 'secrets'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly resolve: DnsResolver;
  /** Called when other keys of the mail domain sign from now on. */
  readonly onChanged: (selectors: readonly string[]) => void;
}

/** With what mail is signed (RFC 6376): that of the service, and an answer by its From. */
export interface Signing {
  sign(message: Buffer, writer: Pick<MailWriter, 'sign'>): Promise<Buffer>;
  readonly answer: (email: Pick<OutgoingEmail, 'from' | 'namespace_id'>) => Promise<SignOptions | undefined>;
}

/** Mail in an outbox is not signed. */
export const UNSIGNED: Signing = { sign: async (message) => message, answer: async () => undefined };

/**
 * Signs with the keys of the mail domain, which are made with the first mail, and an answer with those of the domain in
 * its From (RFC 9989 asks for that one), which is the mail domain unless it is an owner's.
 */
export function mailSigning({ store, clock, mailDomain, resolve, onChanged }: SigningParts): Signing {
  const keys = signingKeys(mailDomain, { secrets: store.secrets, resolve, clock, onChanged });
  const service = async (): Promise<SignOptions> => ({ domain: mailDomain, keys: await keys() });
  return {
    sign: async (message, writer) => writer.sign(message, await service()),
    async answer({ from, namespace_id }) {
      const domain = domainOfAddress(from.address);
      const found = domain.endsWith(`.${mailDomain}`) ? undefined : await store.domains.find(namespace_id, domain);
      return found === undefined ? service() : { domain, keys: ownerKeys(found.keys) };
    },
  };
}
