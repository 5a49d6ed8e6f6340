import type { Config } from '../config.ts';
import type { Directory } from '../core/access/directory.ts';
import { DomainRegistry } from '../core/access/domain-registry.ts';
import type { Registry } from '../core/access/registry.ts';
import type { MailTarget } from '../core/delivery/service-mail.ts';
import { signingKeys } from '../core/entities/domain-key.ts';
import type { OutgoingEmail } from '../core/ports/email-transport.ts';
import type { Store } from '../core/ports/store.ts';
import type { Clock } from '../core/values/clock.ts';
import { domainOfAddress } from '../core/values/domain.ts';
import type { SignOptions } from '../mail/writing/dkim.ts';
import { ownerDomainDns } from '../mail/writing/owner-domain.ts';
import { mailHost, mailResolver } from './mail.ts';

interface Parts {
  readonly store: Store;
  readonly registry: Registry;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly publishEvents: (namespaceId: string) => void;
}

/** The domains of owners, verified by the name servers of the settings. */
export function makeOwnerDomains(config: Config, parts: Parts): DomainRegistry {
  const { MAIL_DOMAIN: mailDomain } = config;
  const dns = ownerDomainDns({ mailDomain, host: mailHost(config), resolve: mailResolver(config) });
  return new DomainRegistry({ ...parts, dns }, { mailDomain });
}

/**
 * How an answer is signed: with the keys of the domain in its From (RFC 9989 asks for that one), which is the mail domain unless it
 * is an owner's.
 */
export function signingByDomain(
  { MAIL_DOMAIN: mailDomain }: Config,
  { domains }: Pick<Store, 'domains'>,
  { kind }: MailTarget,
  signing: () => Promise<SignOptions | undefined>,
): (of: Pick<OutgoingEmail, 'from' | 'namespace_id'>) => Promise<SignOptions | undefined> {
  return async ({ from, namespace_id }) => {
    const domain = domainOfAddress(from.address);
    const own = kind === 'outbox' || domain.endsWith(`.${mailDomain}`);
    const found = own ? undefined : await domains.find(namespace_id, domain);
    return found === undefined ? signing() : { domain, keys: signingKeys(found.keys) };
  };
}

/** Whether mail from a domain is from an address here. */
export const isOurs =
  ({ MAIL_DOMAIN: mailDomain }: Config, directory: Pick<Directory, 'domain'>) =>
  async (domain: string): Promise<boolean> =>
    domain === mailDomain || domain.endsWith(`.${mailDomain}`) || (await directory.domain(domain)) !== undefined;
