import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cuss } from 'cuss';
import type { Proposal } from './edits.ts';

/** The rating of words that are most likely meant as profanity in the list of `cuss`. */
const PROFANE = 2;
/** Words and phrases that are never offered: the lists of cuss and of naughty-words, which names no entry for Node. */
const OFFENSIVE: ReadonlySet<string> = new Set([
  ...Object.keys(cuss).filter((word) => cuss[word] === PROFANE),
  ...(JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('naughty-words/en.json')), 'utf8')) as string[]),
]);
const ENDINGS = /(?:s|es|ed|d|ing|er|ers)$/;

/** Whether a text has an offensive word or a form of one. */
export const isOffensive = (text: string): boolean =>
  OFFENSIVE.has(text.toLowerCase()) ||
  (text.toLowerCase().match(/[a-z]+/g) ?? []).some(
    (word) => OFFENSIVE.has(word) || OFFENSIVE.has(word.replace(ENDINGS, '')),
  );

/**
 * The proposals without offensive words: one that would write such a word is left out, and a suggestion is. Words of that
 * kind that the writer wrote are corrected as all others: “he suck” → “he sucks”.
 */
export function inoffensive(text: string, proposals: readonly Proposal[]): Proposal[] {
  return proposals.flatMap((proposal) => {
    const { start, end, replacement, suggestions } = proposal;
    if (![replacement, ...(suggestions ?? [])].some(isOffensive) || isOffensive(text.slice(start, end)))
      return [proposal];
    if (isOffensive(replacement)) return [];
    return [{ ...proposal, suggestions: (suggestions as string[]).filter((word) => !isOffensive(word)) }];
  });
}
