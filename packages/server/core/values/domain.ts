import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { lowerCase } from '@mailroom/behavior/values/address';

/** A domain of an owner, as `parseDomain` reads it. */
type Parsed = { readonly domain: string } | { readonly error: string };

/** Together with a local part of 64 characters the address fits into a path (RFC 5321, section 4.5.3.1.3). */
const MAX_DOMAIN = 180;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that DNS does not serve to others, or whose names are no hosts (RFC 6761, 6762, 7686, 8375, 9476). */
const SPECIAL = ['localhost', 'localdomain', 'local', 'invalid', 'onion', 'alt', 'arpa'];

const isBelow = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

/** Hyphens in the third and fourth place are for A-labels, which stand for other letters (RFC 5890, section 2.3.1). */
const isLabel = (label: string): boolean =>
  LABEL.test(label) && (!/^..--/.test(label) || !domainToUnicode(label).startsWith(label.slice(0, 4)));

/** A domain in the form in which DNS and mail carry it: A-labels in lower case (RFC 5890); '' when it is none. */
export const asciiDomain = (text: string): string => domainToASCII(lowerCase(text));

/** The domain after the last `@` of an address, in A-labels and lower case; '' when there is none. */
export const domainOfAddress = (address: string): string => asciiDomain(address.slice(address.lastIndexOf('@') + 1));

/**
 * The domain that an owner may add, in A-labels and lower case, or a sentence that says what is wrong. A name in any script
 * is accepted. `mailDomain` is the service's own; `isPublicSuffix` says under which names anyone can register.
 */
export function parseDomain(text: string, mailDomain: string, isPublicSuffix: (domain: string) => boolean): Parsed {
  const typed = text.trim().replace(/\.$/, '');
  if (typed.includes('@')) return { error: 'Give the domain alone, the part after @, such as mail.example.com.' };
  if (/[/:?#\s%\\[\]]/.test(typed) && isIP(typed) === 0)
    return { error: 'Give the domain alone, without https://, a port or a path, such as mail.example.com.' };
  const domain = isIP(typed) > 0 ? '' : asciiDomain(typed);
  // Numbers such as 0x7f.1 are addresses too, as URLs are read.
  if (isIP(typed) > 0 || isIP(domain) > 0 || /(?:^|\.)\d+$/.test(domain))
    return { error: 'This is an IP address. Give the name of a domain, such as mail.example.com.' };
  const labels = domain.split('.');
  if (domain === '' || !labels.every(isLabel))
    return {
      error:
        'This is no domain name. One is labels of letters, digits and hyphens with dots, such as mail.example.com.',
    };
  if (domain.length > MAX_DOMAIN) return { error: `A domain has at most ${MAX_DOMAIN} characters.` };
  if (SPECIAL.some((name) => isBelow(domain, name)))
    return { error: `Names below .${labels.at(-1)} are not in the public DNS, so nothing could be verified.` };
  if (labels.length < 2) return { error: 'This is a single label. Give a domain of yours, such as mail.example.com.' };
  if (isBelow(domain, mailDomain)) return { error: `The domains of ${mailDomain} belong to this service.` };
  if (isBelow(mailDomain, domain)) return { error: `${domain} is above ${mailDomain}, the domain of this service.` };
  if (isPublicSuffix(domain))
    return { error: `Under ${domain} anyone can register names. Give a domain of yours below it.` };
  return { domain };
}
