import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Member } from './member.ts';

/** A word behind an @ that stands at the beginning or behind a blank or a bracket, so that an address is none. */
const MENTION = /(?<=^|[\s([{"'„“,;:])@([\p{L}\p{N}][\p{L}\p{N}._-]*)/gu;

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The names by which a member is called: its whole name without blanks, the first word of it, and the local part of its address. */
const namesOf = ({ name }: Pick<Member, 'name'>): readonly string[] => {
  const [local = ''] = name.split('@');
  const words = plain(local).split(/\s+/u);
  return [words[0] ?? '', words.join(''), words.join('.'), words.join('-')].filter((one) => one !== '');
};

/** The accounts of the members whom a text names by `@name`, each once. */
export function mentionedIn(text: string, members: readonly Pick<Member, 'account_id' | 'name'>[]): readonly string[] {
  const named = new Set([...plain(text).matchAll(MENTION)].map(([, name = '']) => withoutTrailing(name, '._-')));
  return members.filter((one) => namesOf(one).some((name) => named.has(name))).map(({ account_id }) => account_id);
}
