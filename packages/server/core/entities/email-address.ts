import { domainToASCII } from 'node:url';
import { fullAddress, hostedAddress, shortAddress } from '@mailroom/behavior/values/address';
import { invalid } from '@mailroom/behavior/values/error';

/** Maximum characters of an address (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** A dot-string (RFC 5321, section 4.1.2): no quotes, no comments. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const POINTER = '/address';

/**
 * An e-mail address in the form in which it is compared and stored: in lower case, its domain as in DNS (RFC 5890), up to
 * 254 characters. A hosted address (`…@name.<mailDomain>`) loses its tag, because all tags share one inbox. AppError
 * `validation_error` at `/address` that says what is wrong.
 */
export function emailAddress(text: string, mailDomain: string): string {
  const given = text.trim();
  const atSign = given.lastIndexOf('@');
  if (atSign < 1 || atSign === given.length - 1)
    throw invalid(POINTER, 'An address has a name, an @ and a domain: ada@example.com.');
  const local = given.slice(0, atSign);
  const behind = given.slice(atSign + 1);
  // A domain of one label is a namespace, as addresses are shown here: `ada@home`.
  const domain = asciiDomain(behind.includes('.') ? behind : `${behind}.${mailDomain}`);
  if (!/^[\x21-\x7e]+$/.test(local) || !LOCAL.test(local.toLowerCase()) || local.length > MAX_LOCAL) {
    throw invalid(
      POINTER,
      `Before the @ there may be letters from a to z, digits and signs, up to ${MAX_LOCAL}, without spaces.`,
    );
  }
  if (domain === undefined) {
    throw invalid(POINTER, 'After the @ there must be a complete domain, such as example.com.');
  }
  const address = `${local.toLowerCase()}@${domain}`;
  if (address.length > MAX_EMAIL)
    throw invalid(POINTER, `An address has up to ${MAX_EMAIL} characters; this one has ${address.length}.`);
  const hosted = hostedAddress(address, mailDomain);
  if (hosted === 'outside' || hosted === undefined) return address;
  return fullAddress(shortAddress(hosted.local, hosted.namespace), mailDomain);
}

/** The domain as in DNS; undefined unless it is a domain of two labels or more. */
function asciiDomain(text: string): string | undefined {
  // Text that `domainToASCII` would decode, or read as a number or an IPv6 address, is not a domain.
  if (!/^(?:[a-z0-9.-]|\P{ASCII})+$/iu.test(text)) return undefined;
  const ascii = domainToASCII(text);
  const labels = ascii.split('.');
  const fits = labels.length > 1 && labels.every((label) => LABEL.test(label)) && ascii.length <= 253;
  return fits && !/^\d+$/.test(labels.at(-1) as string) ? ascii : undefined;
}
