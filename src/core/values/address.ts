import { AppError } from './error.ts';

/** Where a letter goes: `local` within `namespace`; `tag` is what stood behind `+`, kept for the behavior. */
export interface Address {
  readonly local: string;
  readonly namespace: string;
  readonly tag: string | null;
}

/** 1 to 64 of `a-z 0-9 . _ -`, a letter or digit at both ends, no two dots in a row. */
export const LOCAL_PART = '^[a-z0-9](?:[a-z0-9_-]|\\.(?!\\.)){0,62}[a-z0-9]$|^[a-z0-9]$';
/** A DNS label of 2 to 63 characters (RFC 1035, section 2.3.1) that is no A-label (RFC 5890, section 2.3.1). */
export const NAMESPACE_NAME = '^(?!..--)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$';
const TAG = /^[a-z0-9._=-]{1,64}$/;

const localPart = new RegExp(LOCAL_PART);
const namespaceName = new RegExp(NAMESPACE_NAME);

/** RFC 2142 and RFC 5321 give these a meaning of their own. */
export const RESERVED_LOCAL_PARTS: ReadonlySet<string> = new Set(['postmaster', 'abuse', 'mailer-daemon', 'noreply']);

/** Names that would collide with a path, a host or a promise of this service. */
export const RESERVED_NAMESPACES: ReadonlySet<string> = new Set(
  `www api admin mail smtp imap pop mx ns root support security status docs static assets auth oidc oauth mcp a2a new
   console login logout account settings events export problems livez readyz metrics robots sitemap llms well-known
   public try share help about terms privacy report`.split(/\s+/),
);

export const isLocalPart = (text: string): boolean => localPart.test(text);
export const isNamespaceName = (text: string): boolean => namespaceName.test(text);

/** In lower case, as names are kept and compared; the Kelvin sign, whose lower case is a k, is left to be refused. */
export const lowerCase = (text: string): string => (text.includes('\u212a') ? text : text.toLowerCase());

/** `local@namespace`: an address as it is stored, without the mail domain, which may change. */
export const shortAddress = (local: string, namespace: string): string => `${local}@${namespace}`;
/** As `shortAddress`, with the tag it was written with. */
export const taggedAddress = (to: Address): string =>
  to.tag === null ? shortAddress(to.local, to.namespace) : `${to.local}+${to.tag}@${to.namespace}`;
export const fullAddress = (short: string, mailDomain: string): string => `${short}.${mailDomain}`;

/**
 * Reads `local[+tag]@namespace.<mailDomain>`, in any case.
 * Undefined when it is no address at all; AppError `mailbox_not_found` when it is one of another domain.
 */
export function parseAddress(text: string, mailDomain: string): Address | undefined {
  const lower = lowerCase(text);
  const at = lower.indexOf('@');
  if (at < 1 || lower.length > 400) return undefined;
  const domain = lower.slice(at + 1);
  const left = lower.slice(0, at);
  const plus = left.indexOf('+');
  const local = plus < 0 ? left : left.slice(0, plus);
  const tag = plus < 0 ? null : left.slice(plus + 1);
  if (!isLocalPart(local) || (tag !== null && !TAG.test(tag))) return undefined;
  if (!domain.endsWith(`.${mailDomain}`)) {
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
 * Where mail to an address goes: `outside`, or to a mailbox of this service, be there one or not. All that is below the mail
 * domain is here, and so is a domain of one label, which is a namespace. Undefined: here, and nobody can have it.
 */
export function hostedAddress(text: string, mailDomain: string): Address | 'outside' | undefined {
  const lower = lowerCase(text);
  const domain = lower.slice(lower.lastIndexOf('@') + 1);
  if (domain.endsWith(`.${mailDomain}`)) return parseAddress(lower, mailDomain);
  return domain.includes('.') ? 'outside' : parseAddress(fullAddress(lower, mailDomain), mailDomain);
}

/** Reads an address as it is stored: `shortAddress`. */
export function parseShortAddress(short: string): Address {
  const at = short.indexOf('@');
  return { local: short.slice(0, at), namespace: short.slice(at + 1), tag: null };
}
