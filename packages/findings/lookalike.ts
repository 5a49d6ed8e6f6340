import { createRequire } from 'node:module';
import type * as Suffixes from 'tldts';
import { isMixedScript, shownDomain, skeleton } from './confusables.ts';

/** An address of a mail with the name before it; '' where there is none. */
export interface NamedAddress {
  readonly name: string;
  readonly address: string;
}

let suffixes: typeof Suffixes | undefined;

interface Registered {
  /** The domain that an organization registered (RFC 7489, section 3.2). */
  readonly domain: string;
  /** Its first label, as people see it, and what that looks like. */
  readonly label: string;
  readonly look: string;
  /** The public suffix. */
  readonly suffix: string;
}

/** Domains that were read; a mailbox has the same known ones with each mail. */
const cache = new Map<string, Registered | undefined>();
const MAX_CACHED = 20_000;

/** By the list of public suffixes, which is loaded on first use; undefined for a public suffix or no domain. */
function registered(domain: string): Registered | undefined {
  if (cache.has(domain)) return cache.get(domain);
  suffixes ??= createRequire(import.meta.url)('tldts') as typeof Suffixes;
  const { domain: organization, publicSuffix: suffix } = suffixes.parse(domain, { allowPrivateDomains: true });
  const label = organization === null ? '' : (shownDomain(organization).split('.')[0] ?? '');
  const found =
    organization === null || suffix === null
      ? undefined
      : { domain: organization, label, look: skeleton(label), suffix };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(domain, found);
  return found;
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
export const organizationOf = (domain: string): string => registered(domain)?.domain ?? domain;

/** Providers of mailboxes whose names are near to each other. */
const PROVIDERS = new Set(
  (
    'gmail.com ymail.com rmail.com email.com mail.com gmx.com gmx.net gmx.de gmx.at gmx.ch hotmail.com hotmail.fr hotmail.de ' +
    'outlook.com live.com msn.com yahoo.com yahoo.co.jp icloud.com me.com mac.com aol.com proton.me protonmail.com pm.me ' +
    'fastmail.com fastmail.fm zoho.com web.de mail.ru email.de hey.com tutanota.com mailbox.org posteo.de qq.com 163.com 126.com'
  ).split(' '),
);

/** Whether one edit makes a text of the other: a character more, fewer, other, or two exchanged. Of texts that differ. */
function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)];
  if (a.length > b.length) return restOfA.slice(1) === restOfB;
  if (a.length < b.length) return restOfA === restOfB.slice(1);
  const exchanged = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0] && restOfA.slice(2) === restOfB.slice(2);
  return exchanged || restOfA.slice(1) === restOfB.slice(1);
}

/** Labels from this length on have others near to them by chance only seldom. */
const LONG_LABEL = 5;
/** Words that are put before or after a known name to make a new one. */
const ADDED =
  /^(?:secure|security|login|signin|account|accounts|billing|payment|payments|pay|invoice|invoices|support|service|services|help|helpdesk|verify|verification|update|updates|mail|email|online|web|portal|team|hr|it|admin|auth|sso|my|the|official|info|alert|alerts|notice|notifications?|docs|document|documents|share|files|group|corp|inc|llc|ltd|gmbh|global|intl|international|bank|card|wallet)$/;
/** Endings that people type, or read, for `com`. */
const NEAR_COM = new Set(['co', 'cm', 'om', 'con', 'cam', 'comm', 'corn', 'com.co']);

/** Whether one label is the other with such a word beside it. */
function isExtended(label: string, known: string): boolean {
  if (known.length < 4 || !label.includes(known)) return false;
  const place = label.indexOf(known);
  const sides = [label.slice(0, place), label.slice(place + known.length)];
  const words = sides.map((side) => side.replace(/^-|-$/g, '')).filter((word) => word !== '');
  return words.length > 0 && words.every((word) => ADDED.test(word)) && sides.some((side) => side.includes('-'));
}

/** Labels from this length on have others near to them by chance only under their own suffix. */
const RARE_LABEL = 8;
const isRare = ({ domain, label }: Registered): boolean => label.length >= RARE_LABEL && !PROVIDERS.has(domain);

/** Why a domain may be taken for a known one of another organization; undefined where nothing says so. */
function nearness(domain: string, at: Registered, known: Registered): string | undefined {
  const shownName = shownDomain(known.domain);
  if (at.look === known.look) {
    if (at.label !== known.label) return `Its domain looks like ${shownName}, but has other characters.`;
    if (known.suffix === 'com' && NEAR_COM.has(at.suffix)) return `Its domain ends otherwise than ${shownName}.`;
    return undefined;
  }
  if (PROVIDERS.has(at.domain)) return undefined;
  const [label, name] = [at.look, known.look];
  const isLikely = name.length >= LONG_LABEL && (at.suffix === known.suffix || isRare(known));
  if (isLikely && isOneEdit(label, name)) return `Its domain is one character away from ${shownName}.`;
  if (isExtended(at.label, known.label)) return `Its domain is ${shownName} with a word added.`;
  const within = domain.slice(0, -at.domain.length);
  if (`.${within}`.includes(`.${known.domain}.`)) return `Its domain begins with ${shownName}, but is of ${at.domain}.`;
  return undefined;
}

/** Why a domain may be taken for one of those that its reader knows, as they are shown; undefined where nothing says so. */
export function lookalikeDomain(domain: string, knownDomains: readonly string[]): string | undefined {
  const registrable = registered(domain);
  if (registrable === undefined) return undefined;
  const known = knownDomains.flatMap((one) => registered(one.toLowerCase()) ?? []);
  if (known.some((one) => one.domain === registrable.domain)) return undefined;
  if (shownDomain(domain).split('.').some(isMixedScript)) return 'Its domain mixes letters of scripts that look alike.';
  for (const one of known) {
    const why = nearness(domain, registrable, one);
    if (why !== undefined) return why;
  }
  return undefined;
}

const ADDRESS = /[\w.+-]{1,64}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/i;
const DOMAIN = /(?<![@\w.-])[a-z0-9-]{2,63}(?:\.[a-z0-9-]{2,63}){1,4}(?![\w@-])/gi;
/** Names that a list or a service gives to what it sends for another. */
const ON_BEHALF = /(?:^|\s)(?:via|through|on behalf of|über|par|por|tramite|via:)\s|\((?:via|by) |^['"].*['"] via/i;

/** Characters of a name that are read. */
const MAX_NAME = 500;

/** Why the name before an address speaks of another address or domain than that; undefined where it does not. */
export function misleadingName({ name, address }: NamedAddress, knownDomains: readonly string[]): string | undefined {
  const shortName = name.slice(0, MAX_NAME).normalize('NFKC');
  const organization = organizationOf(domainOf(address));
  const other = ADDRESS.exec(shortName)?.[1]?.toLowerCase();
  if (other !== undefined && organizationOf(other) !== organization && !ON_BEHALF.test(shortName))
    return 'Its name shows an address of another domain than the one that it is from.';
  if (
    name
      .slice(0, MAX_NAME)
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .some(isMixedScript)
  )
    return 'Its name mixes letters of scripts that look alike.';
  if (/[\u202a-\u202e\u2066-\u2069]/.test(name)) return 'Its name has characters that turn the direction of writing.';
  const known = new Set(knownDomains.map((domain) => organizationOf(domain.toLowerCase())));
  const named = [...shortName.toLowerCase().matchAll(DOMAIN)].map(([domain]) => organizationOf(domain));
  if (!ON_BEHALF.test(shortName) && named.some((domain) => known.has(domain) && domain !== organization))
    return 'Its name is a domain that you know, which is not the one that it is from.';
  return undefined;
}
