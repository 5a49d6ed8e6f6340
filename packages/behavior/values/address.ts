import { domainToASCII } from 'node:url';
import { AppError } from './error.ts';

/**
 * A parsed address: `local` within `namespace`; `tag` is the part after `+`, kept for the behavior. An address outside
 * has its whole local part as `local` and its domain, which has a dot, as `namespace`.
 */
export interface Address {
  readonly local: string;
  readonly namespace: string;
  readonly tag: string | null;
}

/** 1 to 64 of `a-z 0-9 . _ -`, a letter or digit at both ends, no two dots in a row. */
export const LOCAL_PART = '^[a-z0-9](?:[a-z0-9_-]|\\.(?!\\.)){0,62}[a-z0-9]$|^[a-z0-9]$';
/** A DNS label of 2 to 63 characters (RFC 1035, section 2.3.1) that is no A-label (RFC 5890, section 2.3.1). */
export const NAMESPACE_NAME = '^(?!..--)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$';
const TAG = /^[a-z0-9._=+-]{1,64}$/;

const localPart = new RegExp(LOCAL_PART);
const namespaceName = new RegExp(NAMESPACE_NAME);

/** RFC 2142 and RFC 5321 define these. */
export const RESERVED_LOCAL_PARTS: ReadonlySet<string> = new Set(['postmaster', 'abuse', 'mailer-daemon', 'noreply']);

/** Reserved since namespaces could have them; who has one keeps it. */
export const LATER_RESERVED: readonly string[] = ['ard', 'search', 'python', 'skills'];

/** Names that could be confused with a path, a host or a role of this service. */
export const RESERVED_NAMESPACES: ReadonlySet<string> = new Set(
  `www api admin mail smtp imap pop mx ns root support security status docs static assets auth oidc oauth mcp a2a new
   console login logout account settings events export problems livez readyz metrics robots sitemap llms well-known
   public try share help about terms privacy report`
    .split(/\s+/)
    .concat(LATER_RESERVED),
);

export const isLocalPart = (text: string): boolean => localPart.test(text);
export const isNamespaceName = (text: string): boolean => namespaceName.test(text);

/**
 * The text in lower case, as names are stored and compared; text with the Kelvin sign, whose lower case is a k, is left
 * to be refused.
 */
export const lowerCase = (text: string): string => (text.includes('\u212a') ? text : text.toLowerCase());

/** Whether a text in lower case ends below this domain; the two are not joined, as most of the time would go into that. */
export const endsBelow = (lower: string, domain: string): boolean =>
  lower.endsWith(domain) && lower.charCodeAt(lower.length - domain.length - 1) === DOT;
const DOT = 0x2e;

/** `local@namespace`: an address as it is stored, without the mail domain, which may change. */
export const shortAddress = (local: string, namespace: string): string => `${local}@${namespace}`;
/** As `shortAddress`, with the tag of the original address. */
export const taggedAddress = (to: Address): string =>
  to.tag === null ? shortAddress(to.local, to.namespace) : `${to.local}+${to.tag}@${to.namespace}`;
export const fullAddress = (short: string, mailDomain: string): string =>
  isOutside(short) ? short : `${short}.${mailDomain}`;

/** Whether a stored address (`local@…`) is one outside: namespaces have no dot. */
export const isOutside = (short: string): boolean =>
  short.includes('.', short.lastIndexOf('@') + 1) && short.includes('@');

/** The words of a text, each without the mail domain where that ends an address; undefined where none is changed. */
export function withoutMailDomain(text: string, mailDomain: string): string | undefined {
  const end = `.${mailDomain}`;
  const words = text.split(/\s+/);
  const short = words.map((word) =>
    lowerCase(word).endsWith(end) && word.length > end.length ? word.slice(0, -end.length) : word,
  );
  return short.some((word, at) => word !== words[at]) ? short.join(' ') : undefined;
}

/** The parts of `local[+tag]@rest`: the address without its tag, and the tag, or null when there is none. */
export function splitTag(address: string): { readonly address: string; readonly tag: string | null } {
  const plus = address.indexOf('+');
  if (plus < 0) return { address, tag: null };
  const at = address.indexOf('@');
  return { address: address.slice(0, plus) + address.slice(at), tag: address.slice(plus + 1, at) };
}

/**
 * Parses `local[+tag]@namespace.<mailDomain>`, ignoring case. Undefined when it is not an address; AppError
 * `mailbox_not_found` when its domain is another one.
 */
export function parseAddress(text: string, mailDomain: string): Address | undefined {
  const lower = lowerCase(text);
  const atSign = lower.indexOf('@');
  if (atSign < 1 || lower.length > 400) return undefined;
  const domain = lower.slice(atSign + 1);
  const { address, tag } = splitTag(lower.slice(0, atSign + 1));
  const local = address.slice(0, -1);
  if (!isLocalPart(local) || (tag !== null && !TAG.test(tag))) return undefined;
  if (!endsBelow(domain, mailDomain)) {
    if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(domain)) return undefined;
    throw new AppError(
      'mailbox_not_found',
      `This service hosts addresses that end in .${mailDomain}; ${text} does not.`,
    );
  }
  const namespace = domain.slice(0, -mailDomain.length - 1);
  return isNamespaceName(namespace) ? { local, namespace, tag } : undefined;
}

/**
 * Where mail to an address is delivered: `outside`, or to a mailbox here, whether or not it exists. Every domain below
 * the mail domain is hosted here, and so is a single label, which is a namespace. Undefined: hosted here but not a
 * possible mailbox.
 */
export function hostedAddress(text: string, mailDomain: string): Address | 'outside' | undefined {
  const lower = lowerCase(text);
  const domain = lower.slice(lower.lastIndexOf('@') + 1);
  if (endsBelow(domain, mailDomain)) return parseAddress(lower, mailDomain);
  return domain.includes('.') ? 'outside' : parseAddress(fullAddress(lower, mailDomain), mailDomain);
}

/** RFC 5321, section 4.1.2, and RFC 6531, section 3.3, without quoted local parts and address literals. */
const OUTSIDE =
  /^([\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*)@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9])$/u;
/** In octets. */
const MAX_LOCAL = 64;
const MAX_OUTSIDE = 254;

/** An address outside that mail can be sent to, in lower case and its domain in ASCII; undefined for any other text. */
export function outsideAddress(text: string): Address | undefined {
  if (text.length > 2 * MAX_OUTSIDE) return undefined;
  const lower = lowerCase(text).normalize('NFC');
  const at = lower.lastIndexOf('@');
  if (at < 1 || lower !== lower.toLowerCase()) return undefined;
  const [, local, namespace] = OUTSIDE.exec(`${lower.slice(0, at)}@${domainToASCII(lower.slice(at + 1))}`) ?? [];
  if (local === undefined || namespace === undefined) return undefined;
  const octets = Buffer.byteLength(local);
  return octets <= MAX_LOCAL && octets + namespace.length < MAX_OUTSIDE ? { local, namespace, tag: null } : undefined;
}

/** Parses a stored address (`shortAddress`). */
export function parseShortAddress(short: string): Address {
  const at = short.indexOf('@');
  return { local: short.slice(0, at), namespace: short.slice(at + 1), tag: null };
}
