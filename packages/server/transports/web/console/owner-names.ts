import type { Key } from '../../../core/entities/key.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { SIGN_IN_OF } from '../../../core/values/sign-in-name.ts';
import { shortOf } from '../pieces.ts';

type Named = Pick<Key, 'id' | 'name' | 'prefix'>;

/** The address of the account that acts with the key; undefined for any other key. */
const accountOf = ({ name }: Pick<Key, 'name'>): string | undefined =>
  name?.startsWith(SIGN_IN_OF) === true ? name.slice(SIGN_IN_OF.length).trim() : undefined;

/** A name such as “Owner key” says nothing about a person. */
const isOfKey = (name: string): boolean => /\bkey$/i.test(name);

/**
 * Who answers, as the sender is told: the name of the key, unless it says nothing about a person, else that of the
 * mailbox; no e-mail address.
 */
export function writerName(key: Pick<Key, 'name'>, mailbox: Mailbox): string {
  const name = accountOf(key)?.split('@')[0] ?? key.name;
  if (name != null && name !== '' && !isOfKey(name) && !name.includes('@')) return name;
  return mailbox.display_name ?? `The owner of ${shortOf(mailbox)}`;
}

/** Who acts with the key, as other owners read it: the address of the account, or the name of the key. */
export function ownerName(key: Named): string {
  const account = accountOf(key);
  if (account !== undefined) return account;
  if (key.name === null || key.name === '') return `The key ${key.prefix}…`;
  return isOfKey(key.name) ? `The key “${key.name}”` : key.name;
}

/** By which key or account something was done, as a sentence. */
export function byKey(key: Named | undefined, sessionKey: Pick<Key, 'id'>): string {
  if (key === undefined) return 'With a key that was deleted.';
  const account = accountOf(key);
  const named = key.name === null || key.name === '' ? `${key.prefix}…` : `“${key.name}”`;
  if (key.id === sessionKey.id)
    return account === undefined
      ? `With your key ${named}, in another window or by another person who has it.`
      : `Signed in as ${account}, in another window.`;
  return account === undefined ? `With the key ${named}.` : `Signed in as ${account}.`;
}
