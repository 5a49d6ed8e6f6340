import { domainToASCII } from 'node:url';
import { wellFormed } from '@mailroom/behavior/values/well-formed';
import { type Address, addressParser, type Email } from 'postal-mime';
import type { MailAddress } from './read-mail.ts';

/** Characters of a name that are kept. */
const MAX_NAME = 200;
/** Octets of a path (RFC 5321, section 4.5.3.1.3), without its brackets. */
const MAX_ADDRESS = 254;
export const MAX_ADDRESSES = 1_000;

const LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?:${LABEL}\\.){0,40}${LABEL}$`);
/** A dot-atom with UTF-8 (RFC 6531, section 3.3), or a quoted string. */
const LOCAL_PART = /^(?:[^\s"(),:;<>@[\\\]\p{C}]+|"[^"\\\p{C}]*")$/u;
/** Also marks that turn the direction of text. */
const CONTROL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** A text of a header on one line, without control characters. */
export const oneLine = (text: string): string => wellFormed(text).replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();

/** The scheme of a link (RFC 6068) or of Exchange before an address. */
const SCHEME = /^(?:url:)?(?:mailto|smtp):/i;

/** The address without a scheme, with its domain in lower case and ASCII; undefined when it is none that mail can be sent to. */
export function usableAddress(written: string): string | undefined {
  const text = written.replace(SCHEME, '');
  const atSign = text.lastIndexOf('@');
  if (atSign < 1 || text.length > MAX_ADDRESS || !LOCAL_PART.test(text.slice(0, atSign))) return undefined;
  const domain = domainToASCII(text.slice(atSign + 1).replace(/\.$/, '')).toLowerCase();
  const address = `${text.slice(0, atSign)}@${domain}`;
  return DOMAIN.test(domain) && address.length <= MAX_ADDRESS ? address : undefined;
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

function mailAddress({ name, address }: Address): MailAddress | undefined {
  const usable = address === undefined ? undefined : usableAddress(address);
  return usable === undefined
    ? undefined
    : { name: oneLine(name.slice(0, 4 * MAX_NAME)).slice(0, MAX_NAME), address: usable };
}

/** The addresses of a list, those of its groups included; others are left out. */
function mailAddresses(list: readonly Address[] | undefined): MailAddress[] {
  const found: MailAddress[] = [];
  for (const one of list ?? []) {
    for (const member of one.group ?? [one]) {
      if (found.length >= MAX_ADDRESSES) return found;
      const address = mailAddress(member);
      if (address !== undefined) found.push(address);
    }
  }
  return found;
}

/** What `From` says. */
export interface Author {
  readonly from: MailAddress | null;
  /** Why it is not exactly one address. */
  readonly warning: 'several_from' | 'no_from' | 'group_from' | undefined;
}

/** The list with a name that was cut at its commas whole again, which programs should have quoted: `Doe, Jane <a@b>`. */
function withWholeName(listed: readonly Address[]): readonly Address[] {
  const addressed = listed.filter(({ address, group }) => address !== '' || group !== undefined);
  const [author] = addressed;
  if (addressed.length !== 1 || author?.address === undefined) return listed;
  const names = listed.map(({ name }) => name).filter((name) => name !== '');
  return [{ ...author, name: names.join(', ') }];
}

/** A name with a colon, which a group has too, where no semicolon ends one (RFC 5322, section 3.4). */
const NAMED = /^([^"<>;]{1,500}:[^"<>;]{0,500})(<[^<>]{1,500}>)\s*$/;
/** A field that programs wrote without the quotes that it needs, or with one of two. */
const withQuotes = (value: string): string =>
  (value.split('"').length === 2 ? value.replace('"', '') : value).replace(
    NAMED,
    (_, name: string, rest: string) => `"${name.trim()}" ${rest}`,
  );

/** An address as Outlook links it, with the same address before the link. */
const LINKED = /<\s?([^<>\s"]{1,254})\s?<mailto:([^<>\s"]{1,254})>\s?>/gi;
/** A scheme outside of brackets, which begins a group too; square brackets stand around a link in plain texts. */
const OPEN_SCHEME = /(^|[,;\s])(?:url:)?(?:mailto|smtp):(?=[^\s@,;:<>"]{1,64}@)/gi;
const BRACKETED = /\[mailto:([^\s<>"[\]]{1,254})\]/gi;

/**
 * Addresses without the comments, blanks and routes (RFC 5322, sections 3.2.2 and 4.4) that the library keeps, and without
 * the links, quotes and second brackets that programs put around them.
 */
const withPlainAddresses = (value: string): string =>
  value
    .replace(/\\[()]/g, '')
    .replace(LINKED, (all, address: string, link: string) =>
      address.toLowerCase() === link.toLowerCase() ? `<${address}>` : all,
    )
    .replace(BRACKETED, '<$1>')
    .replace(OPEN_SCHEME, '$1')
    .replace(/<<([^<>]{1,1000})>>/g, '<$1>')
    .replace(/<([^<>"]{1,1000})>/g, (_, address: string) => {
      const bare = address.replace(/\([^()]*\)/g, '').replace(/\s/g, '');
      return `<${bare.replace(/^@[^:]*:/, '').replace(/^'(.+)'$/, '$1')}>`;
    });

/** The addresses of the fields of a name in lower case, in their order; those that no mail can be sent to are left out. */
export const addressesIn = ({ headers }: Pick<Email, 'headers'>, field: string): MailAddress[] =>
  mailAddresses(headers.flatMap(({ key, value }) => (key === field ? addressParser(withPlainAddresses(value)) : [])));

/** Reads `From` of a mail as someone does who wants to know whom to answer. */
export function authorOf({ headers }: Pick<Email, 'headers'>): Author {
  const fields = headers.filter(({ key }) => key === 'from');
  const listed = withWholeName(fields.flatMap(({ value }) => addressParser(withPlainAddresses(withQuotes(value)))));
  const [from = null] = mailAddresses(listed.slice(0, 10));
  if (fields.length > 1 || listed.length > 1) return { from, warning: 'several_from' };
  const [only] = listed;
  if (only?.group !== undefined) return { from, warning: only.group.length > 1 ? 'several_from' : 'group_from' };
  return { from, warning: from === null ? 'no_from' : undefined };
}
