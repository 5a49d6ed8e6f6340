import {
  isLocalPart,
  isNamespaceName,
  lowerCase,
  RESERVED_LOCAL_PARTS,
  RESERVED_NAMESPACES,
} from '../../../core/values/address.ts';
import type { Parts } from '../../../http/parts.ts';
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

/** Checks whether an address can be made. */
export async function checkAddress(
  { name, local }: { readonly name: string; readonly local: string },
  { store, mailDomain }: Pick<Parts, 'store' | 'mailDomain'>,
): Promise<AddressErrors> {
  const wrong = { local: localError(local), name: nameError(name) };
  const errors = {
    ...(wrong.local === undefined ? {} : { local: wrong.local }),
    ...(wrong.name === undefined ? {} : { name: wrong.name }),
  };
  const wanted = lowerCase(name);
  if (RESERVED_NAMESPACES.has(wanted)) {
    const suggestions = await freeLike(wanted, store);
    return { ...errors, name: `“${wanted}” is kept for the service itself. ${choose(suggestions)}`, suggestions };
  }
  if (wrong.name !== undefined) return { ...errors, suggestions: [] };
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
  { store, mailDomain }: Pick<Parts, 'store' | 'mailDomain'>,
): Promise<{ path: string; called: string }> {
  const mailbox = isLocalPart(local_part) ? await store.mailboxes.byAddress(local_part, namespace) : undefined;
  if (mailbox === undefined || mailbox.deleted_at !== null) return { path: namespace, called: namespace };
  return { path: pathOf(mailbox, mailDomain), called: shortOf(mailbox) };
}

/** Why a name is invalid, in words for people; undefined for a valid one. */
export function nameError(text: string): string | undefined {
  const name = lowerCase(text);
  if (name === '') return 'Choose a name. It is what stands after the @.';
  if (RESERVED_NAMESPACES.has(name)) return `“${name}” is kept for the service itself. Choose another.`;
  if (isNamespaceName(name)) return undefined;
  if (name.length < 2) return 'A name has at least 2 characters.';
  if (name.length > 63) return 'A name has at most 63 characters.';
  if (/[^a-z0-9-]/.test(name)) return 'A name is made of the letters a to z, digits and hyphens.';
  return /^-|-$/.test(name)
    ? 'A name starts and ends with a letter or a digit.'
    : 'A name has no two hyphens in places three and four.';
}

export function localError(text: string): string | undefined {
  const local = lowerCase(text);
  if (local === '') return 'Write what stands before the @, such as hello.';
  if (RESERVED_LOCAL_PARTS.has(local)) return `“${local}” is kept for the postmaster. Choose another.`;
  if (isLocalPart(local)) return undefined;
  if (local.length > 64) return 'What stands before the @ has at most 64 characters.';
  if (/[^a-z0-9._-]/.test(local))
    return 'What stands before the @ is made of the letters a to z, digits, dots, hyphens and underscores.';
  return local.includes('..')
    ? 'What stands before the @ has no two dots in a row.'
    : 'What stands before the @ starts and ends with a letter or a digit.';
}

const SUGGESTED = 3;

async function freeLike(name: string, store: Parts['store']): Promise<string[]> {
  const stem = name.replace(/-?\d+$/, '') || name;
  const wanted = [`${stem}-mail`, `hey-${stem}`, `${stem}2`, `${stem}-desk`, `its-${stem}`, `${stem}${stem.length}7`];
  const free: string[] = [];
  for (const one of wanted) {
    if (one === name || !isNamespaceName(one) || RESERVED_NAMESPACES.has(one)) continue;
    if ((await store.namespaces.byName(one)) === undefined) free.push(one);
    if (free.length === SUGGESTED) break;
  }
  return free;
}
