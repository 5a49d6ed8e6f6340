import type { Sender } from '@mailroom/behavior/message';
import {
  fullAddress,
  hostedAddress,
  isNamespaceName,
  isOutside,
  lowerCase,
  shortAddress,
} from '@mailroom/behavior/values/address';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { emailAddress } from './email-address.ts';

/**
 * Who may write to a mailbox. An entry is stored without the mail domain: `local@namespace` or an outside address, `*@`
 * before a domain outside, or a namespace.
 */
export interface SenderLists {
  /** When it is not empty, only these may write. */
  readonly allow: readonly string[];
  /** These may not write, even when `allow` has them. */
  readonly block: readonly string[];
}

export const ANY_SENDER: SenderLists = { allow: [], block: [] };

/** Maximum entries of one list. */
const MAX_SENDERS = 200;
/** Maximum characters of an entry. */
export const MAX_ENTRY = 320;

const list = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: MAX_ENTRY }), { maxItems: MAX_SENDERS, description });

export const ENTRY = 'Each entry is an address, `*@` and a domain, or a namespace.';

export const SenderListsView = Type.Object(
  {
    allow: list('Only these may write, by e-mail with proof that they did; when it is empty, everyone may.'),
    block: list('These may not write, even when `allow` has them.'),
  },
  { $id: 'Senders', description: `Who may write to a mailbox. ${ENTRY}` },
);

/** A list that is left out stays as it is. */
export const SenderListsChange = Type.Object(
  { allow: Type.Optional(SenderListsView.properties.allow), block: Type.Optional(SenderListsView.properties.block) },
  {
    additionalProperties: false,
    minProperties: 1,
    description: `Who may write to it: each list is replaced as a whole, and one that is left out stays as it is. ${ENTRY}`,
  },
);

/** The entries as they are stored, each once. AppError `validation_error` that names each wrong one below `pointer`. */
export function parseSenderLists(
  given: { readonly allow?: readonly string[]; readonly block?: readonly string[] },
  mailDomain: string,
  pointer = '/senders',
): Partial<SenderLists> {
  const errors: FieldError[] = [];
  const parse = (name: 'allow' | 'block'): Partial<SenderLists> => {
    const entries = given[name]?.map((text, index) => {
      const entry = parseEntry(text, mailDomain);
      if (typeof entry === 'string') return entry;
      errors.push({ pointer: `${pointer}/${name}/${index}`, message: entry.message });
      return '';
    });
    return entries === undefined ? {} : { [name]: [...new Set(entries)] };
  };
  const lists = { ...parse('allow'), ...parse('block') };
  const [first] = errors;
  if (first === undefined) return lists;
  throw new AppError('validation_error', `${first.pointer}: ${first.message}`, { errors });
}

/** A stored entry as it is shown. */
export function showEntry(entry: string, mailDomain: string): string {
  const at = entry.indexOf('@');
  return at < 0 || entry.includes('.', at) ? entry : fullAddress(entry, mailDomain);
}

export const showSenderLists = ({ allow, block }: SenderLists, mailDomain: string): SenderLists => ({
  allow: allow.map((entry) => showEntry(entry, mailDomain)),
  block: block.map((entry) => showEntry(entry, mailDomain)),
});

/** Whether an entry names an address outside, or one at a domain of an owner here. */
export const namesOutside = (entries: readonly string[]): boolean => entries.some((entry) => isOutside(entry));

/** The names of the sender's namespace: its own, and its verified domains; none of a sender without one. */
export interface NamespaceNames {
  readonly name: string | null;
  readonly domains: readonly string[];
}

/** Whether the lists let this sender write. */
export function maySend({ allow, block }: SenderLists, sender: Sender, namespace?: NamespaceNames): boolean {
  if (allow.length === 0 && block.length === 0) return true;
  const names = namesOf(sender, namespace);
  const named = (entries: readonly string[]): boolean => entries.some((entry) => names.has(entry));
  return !named(block) && (allow.length === 0 || named(allow));
}

/** The entries that stand for a sender. */
export function namesOf(
  sender: Sender,
  { name, domains }: NamespaceNames = { name: null, domains: [] },
): ReadonlySet<string> {
  const names = new Set<string>();
  const address = sender.kind === 'email' ? sender.id : sender.from;
  if (address !== null) {
    names.add(address);
    names.add(`*${address.slice(address.lastIndexOf('@'))}`);
  }
  // A key without a mailbox counts as every address of its namespace does.
  if (name !== null) names.add(name).add(`*@${name}`);
  for (const domain of domains) {
    names.add(`*@${domain}`);
    if (sender.from !== null) names.add(`${sender.from.slice(0, sender.from.lastIndexOf('@'))}@${domain}`);
  }
  return names;
}

const wrong = (message: string): { readonly message: string } => ({ message });
const HOW = (mailDomain: string): string =>
  `Write an address (ada@acme.${mailDomain}, ada@example.com), a domain (*@acme.${mailDomain}, *@example.com) or a namespace (acme).`;

/** An entry as it is stored, or what is wrong with it. */
export function parseEntry(text: string, mailDomain: string): string | { readonly message: string } {
  const lower = lowerCase(text.trim());
  const atSign = lower.lastIndexOf('@');
  if (atSign < 0)
    return isNamespaceName(lower) ? lower : wrong(`This is not a namespace or an address. ${HOW(mailDomain)}`);
  const any = lower.startsWith('*@');
  if (lower.includes('*', any ? 1 : 0) || !lower.includes('.', atSign))
    return wrong(`This is not an address with its whole domain. ${HOW(mailDomain)}`);
  try {
    // A domain is checked as part of an address.
    const address = emailAddress(any ? `x${lower.slice(1)}` : lower, mailDomain);
    const domain = address.slice(address.lastIndexOf('@') + 1);
    if (domain === mailDomain)
      return wrong(`No address here ends in @${mailDomain}: a namespace stands before it. ${HOW(mailDomain)}`);
    const hosted = hostedAddress(address, mailDomain);
    if (hosted === undefined) return wrong(`There can be no such address here. ${HOW(mailDomain)}`);
    if (hosted === 'outside') return any ? `*@${domain}` : address;
    if (!any && lower.includes('+'))
      return wrong('A sender has no tag: leave out the + and what follows it before the @.');
    return any ? `*@${hosted.namespace}` : shortAddress(hosted.local, hosted.namespace);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return wrong(error.message);
  }
}
