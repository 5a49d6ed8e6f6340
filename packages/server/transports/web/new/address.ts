import {
  isLocalPart,
  isNamespaceName,
  lowerCase,
  RESERVED_LOCAL_PARTS,
  RESERVED_NAMESPACES,
} from '@mailroom/behavior/values/address';
import type { Store } from '../../../core/ports/store.ts';
import { pathOf, shortOf } from '../pieces.ts';

/** What is wrong with a requested address; each sentence says how to fix it. */
export interface AddressErrors {
  readonly local?: string;
  readonly name?: string;
  /** Free names similar to the one that is taken. */
  readonly suggestions: readonly string[];
  /** The path and name of what exists already, for a visitor who made it. */
  readonly theirs?: { readonly path: string; readonly called: string };
}

export const isFine = (errors: AddressErrors): boolean => errors.local === undefined && errors.name === undefined;

/** What checking an address needs. */
export interface AddressParts {
  readonly store: Pick<Store, 'namespaces' | 'mailboxes'>;
  readonly mailDomain: string;
}

/** Checks whether an address can be made. */
export async function checkAddress(
  { name, local }: { readonly name: string; readonly local: string },
  { store, mailDomain }: AddressParts,
): Promise<AddressErrors> {
  const wrong = { local: localError(local), name: nameError(name) };
  const errors = {
    ...(wrong.local === undefined ? {} : { local: wrong.local }),
    ...(wrong.name === undefined ? {} : { name: wrong.name }),
  };
  const wanted = lowerCase(name);
  if (RESERVED_NAMESPACES.has(wanted)) {
    const suggestions = await freeLike(wanted, store);
    return { ...errors, name: `“${wanted}” is reserved for the service. ${choose(suggestions)}`, suggestions };
  }
  if (wrong.name !== undefined) {
    const like = nameLike(name);
    const suggestions = like === undefined || like === wanted ? [] : await freeLike(like, store, [like]);
    return { ...errors, ...(suggestions.length > 0 && { name: `${wrong.name} For example:` }), suggestions };
  }
  if ((await store.namespaces.byName(wanted)) === undefined) return { ...errors, suggestions: [] };
  const suggestions = await freeLike(wanted, store);
  const theirs = await whatIsThere(wanted, lowerCase(local), { store, mailDomain });
  return { ...errors, name: `“${wanted}” is taken. ${choose(suggestions)}`, suggestions, theirs };
}

const choose = (suggestions: readonly string[]): string =>
  suggestions.length > 0 ? 'Choose another, or one of these:' : 'Choose another.';

/** The page of the address if it exists, else that of its namespace: after a step back the visitor may be its owner. */
async function whatIsThere(
  namespace: string,
  local_part: string,
  { store, mailDomain }: AddressParts,
): Promise<{ path: string; called: string }> {
  const mailbox = isLocalPart(local_part) ? await store.mailboxes.byAddress(local_part, namespace) : undefined;
  if (mailbox === undefined || mailbox.deleted_at !== null) return { path: namespace, called: namespace };
  return { path: pathOf(mailbox, mailDomain), called: shortOf(mailbox) };
}

/** Why a name is invalid, in words for people; undefined for a valid one. */
function nameError(text: string): string | undefined {
  const name = lowerCase(text);
  if (name === '') return 'Choose a name for the part after the @.';
  if (RESERVED_NAMESPACES.has(name)) return `“${name}” is reserved for the service. Choose another.`;
  if (isNamespaceName(name)) return undefined;
  if (name.length < 2) return 'A name needs at least 2 characters.';
  if (name.length > 63) return 'A name can have at most 63 characters.';
  if (/[^a-z0-9-]/.test(name)) return 'A name can contain the letters a to z, digits and hyphens only.';
  return /^-|-$/.test(name)
    ? 'A name must start and end with a letter or digit.'
    : 'A name cannot have hyphens as both its third and fourth character.';
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

/** What was typed in the letters, digits and hyphens of an address: “My Näme” as “my-name”; undefined where none are left. */
function hyphenated(text: string): string | undefined {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđı]/g, (one) => LETTERS[one] ?? '');
  return letters
    .replace(/['’]/g, '')
    .match(/[a-z0-9]+/g)
    ?.join('-');
}

function nameLike(text: string): string | undefined {
  const name = hyphenated(text);
  return name !== undefined && isNamespaceName(name) && !RESERVED_NAMESPACES.has(name) ? name : undefined;
}

function localError(text: string): string | undefined {
  const local = lowerCase(text);
  if (local === '') return 'Enter the part before the @, such as hello.';
  if (RESERVED_LOCAL_PARTS.has(local)) return `“${local}” is reserved for the postmaster. Choose another.`;
  if (isLocalPart(local)) return undefined;
  if (local.length > 64) return 'The part before the @ can have at most 64 characters.';
  if (/[^a-z0-9._-]/.test(local)) {
    const like = hyphenated(text);
    const such = like !== undefined && isLocalPart(like) ? ` For example: ${like}` : '';
    return `The part before the @ can contain the letters a to z, digits, dots, hyphens and underscores only.${such}`;
  }
  return local.includes('..')
    ? 'The part before the @ cannot have two dots in a row.'
    : 'The part before the @ must start and end with a letter or digit.';
}

const SUGGESTED = 3;

async function freeLike(name: string, store: AddressParts['store'], first: readonly string[] = []): Promise<string[]> {
  const stem = name.replace(/-?\d+$/, '') || name;
  const wanted = [
    ...first,
    `${stem}-mail`,
    `hey-${stem}`,
    `${stem}2`,
    `${stem}-desk`,
    `its-${stem}`,
    `${stem}${stem.length}7`,
  ];
  const free: string[] = [];
  for (const one of wanted) {
    if ((one === name && first.length === 0) || !isNamespaceName(one) || RESERVED_NAMESPACES.has(one)) continue;
    if ((await store.namespaces.byName(one)) === undefined) free.push(one);
    if (free.length === SUGGESTED) break;
  }
  return free;
}
