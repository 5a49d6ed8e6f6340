import { type Address, endsBelow, lowerCase, parseAddress } from '@mailroom/behavior/values/address';
import { asciiDomain } from '../values/domain.ts';
import type { Directory } from './directory.ts';

/** What finding an address needs. */
export interface AddressParts {
  readonly directory: Pick<Directory, 'domain'>;
  readonly mailDomain: string;
}

/**
 * As `parseAddress`, where the verified domains of owners count too: `hello@mail.example.com` is `hello` in the namespace
 * that has `mail.example.com`. A promise only for an address that is not below the mail domain.
 */
export function findAddress(text: string, parts: AddressParts): Address | undefined | Promise<Address | undefined> {
  const at = text.lastIndexOf('@');
  const own = endsBelow(lowerCase(text), parts.mailDomain);
  return own || at < 1 || at !== text.indexOf('@') ? parseAddress(text, parts.mailDomain) : atDomain(text, at, parts);
}

async function atDomain(text: string, atSign: number, { directory, mailDomain }: AddressParts) {
  const domain = text.length > 500 ? '' : asciiDomain(text.slice(atSign + 1));
  const holder = domain.includes('.') ? await directory.domain(domain) : undefined;
  const known = holder === undefined ? text : `${text.slice(0, atSign)}@${holder.namespace}.${mailDomain}`;
  return parseAddress(known, mailDomain);
}
