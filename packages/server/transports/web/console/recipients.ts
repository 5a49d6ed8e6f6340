import { fullAddress, hostedAddress, isLocalPart, lowerCase, shortAddress } from '@mailroom/behavior/values/address';
import type { FieldError } from '@mailroom/behavior/values/error';
import { type Html, html } from '../../../http/html.ts';
import { type FormErrors, line, textsOf } from './fields.ts';

/** The fields of a composer that take addresses. */
export const LISTS = ['to', 'cc', 'bcc'] as const;
type ListName = (typeof LISTS)[number];

/** Each list as it was typed: addresses with commas between them. */
export type TypedLists = Readonly<Record<ListName, string>>;
/** Each list as addresses with their domains. */
export type AddressLists = Readonly<Record<ListName, string[]>>;

export const typedLists = (form: URLSearchParams): TypedLists => textsOf(form, LISTS);

/** Where addresses without a domain, or with the name of a namespace alone, are. */
export interface AddressPlace {
  readonly namespace: string;
  readonly mailDomain: string;
}

/** Characters of an address that an error names. */
const MAX_NAMED = 80;

/** Each address of a text, of which some may have a name before them: `Jonas Berg <jonas@northwind.example>`. */
export function splitAddresses(text: string): readonly string[] {
  const parts = text.match(/(?:"[^"\n]{0,200}"[^<,;\n"]{0,20})?[^,;\n"]+/g) ?? [];
  return parts.flatMap((part) => {
    const [, named] = /<([^<>]*)>\s*$/.exec(part) ?? [];
    const words = (named ?? part).trim().split(/\s+/).filter(Boolean);
    // Addresses are also pasted with blanks between them; anything else is one mistake.
    return named === undefined && words.every((word) => word.includes('@')) ? words : [words.join(' ')].filter(Boolean);
  });
}

/** The addresses that were typed; an error names those that are none. */
export function readLists(typed: TypedLists, place: AddressPlace, errors: FieldError[]): AddressLists {
  const read = (name: ListName): string[] => {
    const addresses = splitAddresses(typed[name]).map((one) => wholeAddress(one, place));
    const wrong = addresses.filter((one) => !isAddress(one, place));
    if (wrong.length > 0) errors.push({ pointer: `/${name}`, message: wrongText(wrong, addresses.length, place) });
    return addresses;
  };
  return { to: read('to'), cc: read('cc'), bcc: read('bcc') };
}

const wrongText = (wrong: readonly string[], all: number, { mailDomain }: AddressPlace): string => {
  const like = `One looks like hello@agents.${mailDomain}.`;
  if (all === 1) return `This is not a mailbox address. ${like}`;
  const named = wrong.map((one) => `“${one.length <= MAX_NAMED ? one : `${one.slice(0, MAX_NAMED).toWellFormed()}…`}”`);
  return `${named.join(', ')} ${wrong.length === 1 ? 'is not an address' : 'are not addresses'}. ${like}`;
};

export const isAddress = (text: string, { mailDomain }: AddressPlace): boolean =>
  hostedAddress(text, mailDomain) !== undefined && /^[^@\s]+@[^@\s]+$/.test(text);

/** An address of the own namespace may be typed by its local part alone, one of this service without the mail domain. */
export function wholeAddress(text: string, { namespace, mailDomain }: AddressPlace): string {
  const named = isLocalPart(lowerCase(text)) ? shortAddress(text, namespace) : text;
  return /^[^@\s]+@[^@.\s]+$/.test(named) ? fullAddress(named, mailDomain) : named;
}

/** The lists as a send or a draft takes them; `null` empties a field of a draft. */
export const wantedLists = ({ to, cc, bcc }: AddressLists) => ({
  to: to.length > 1 ? to : (to[0] ?? null),
  cc: cc.length === 0 ? null : cc,
  bcc: bcc.length === 0 ? null : bcc,
});

/** Errors of single addresses, at the field of their list and with the address that each is about. */
export function listErrors(errors: readonly FieldError[], lists: AddressLists | undefined): readonly FieldError[] {
  const byField = new Map<string, string>();
  for (const { pointer, message } of errors) {
    const [, name, index] = /^\/(to|cc|bcc)\/(\d+)$/.exec(pointer) ?? [];
    const address = lists?.[name as ListName]?.[Number(index)];
    const field = name === undefined ? pointer : `/${name}`;
    const text = address === undefined || message.includes(address) ? message : `${address}: ${message}`;
    const earlier = byField.get(field);
    byField.set(field, earlier === undefined ? text : `${earlier} ${text}`);
  }
  return [...byField].map(([pointer, message]) => ({ pointer, message }));
}

const LABELS: Readonly<Record<ListName, string>> = { to: 'To', cc: 'Cc', bcc: 'Bcc' };

/** The field of a list: a line of text, of which scripts make chips. */
export const listField = (
  name: ListName,
  typed: TypedLists,
  errors: FormErrors,
  { hint, id = name }: { readonly hint?: Html; readonly id?: string } = {},
): Html =>
  line(
    { id, name, label: LABELS[name], error: errors.at(`/${name}`, id), ...(hint !== undefined && { hint }) },
    (attributes) =>
      html`<input class="input" ${attributes} value="${typed[name]}" dir="auto" maxlength="20000" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="email" data-chips>`,
  );
