import type { Kind } from '../edits.ts';
import type { Token } from '../tokens.ts';

/** The tokens of one sentence, in order. */
export type Sentence = readonly Token[];

/** The tense shown by verbs and time words; `mixed` where they disagree. */
export type Tense = 'past' | 'present' | 'mixed';

/** What a rule may know beside its sentence. */
export interface Context {
  /** The tense of the sentence without one verb, or else of its neighbors; undefined where nothing shows it. */
  tense(except: Token): { readonly tense: Tense; readonly own: boolean } | undefined;
}

/** What a rule finds: replace `[start, end)`. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** One plain statement that names the word which decides. */
  readonly explanation: string;
  /** Where it is not the kind of the rule. */
  readonly kind?: Kind;
  readonly suggestions?: readonly string[];
  /** It is shown to the writer rather than corrected. */
  readonly doubt?: boolean;
}

/** What makes a rule, beside how it looks: its name, its tests and its entry on the page of rules. */
export interface RuleFacts {
  /** Words joined by hyphens. Stable: settings name rules by it. */
  readonly id: string;
  /** The kind of mistake. */
  readonly kind: Kind;
  /** What it finds is shown to the writer rather than corrected. */
  readonly doubt?: boolean;
  /** Wrong sentences that this rule alone corrects, and what they become. */
  readonly fixes: Readonly<Record<string, string>>;
  /** Right sentences that look alike. */
  readonly leaves: readonly string[];
}

/** Finds one kind of mistake in a sentence. */
export interface Rule extends RuleFacts {
  /** Words of which a sentence has at least one where the rule finds something; undefined where there are none. */
  readonly words?: string;
  find(sentence: Sentence, context: Context): Iterable<Found>;
}

/** Replaces the text from the first to the last of these tokens, and keeps an initial capital. */
export function replace(first: Token, last: Token, replacement: string, explanation: string, kind?: Kind): Found {
  const capital = /^\p{Lu}/u.test(first.text) && first.text !== 'I' && !/^\p{Lu}\p{Lu}/u.test(first.text);
  const text = capital ? replacement.charAt(0).toUpperCase() + replacement.slice(1) : replacement;
  return { start: first.start, end: last.end, replacement: text, explanation, ...(kind !== undefined && { kind }) };
}

/** Inserts a word before a token and moves the capital to it. */
export function insertBefore(token: Token, word: string, explanation: string, kind?: Kind): Found {
  const lowered =
    token.first && token.text !== 'I' ? token.text.charAt(0).toLowerCase() + token.text.slice(1) : token.text;
  return replace(token, token, `${word} ${lowered}`, explanation, kind);
}

/** Deletes a word with the space after it. */
export function remove(token: Token, next: Token, explanation: string): Found {
  const capital = token.first && /^\p{Lu}/u.test(token.text);
  const text = capital ? next.text.charAt(0).toUpperCase() + next.text.slice(1) : next.text;
  return { start: token.start, end: next.end, replacement: text, explanation };
}

const sets = new Map<string, ReadonlySet<string>>();

/** A set of words from one line; the same line returns the same cached set. */
export function words(line: string): ReadonlySet<string> {
  let set = sets.get(line);
  if (set === undefined) {
    set = new Set(line.split(' '));
    sets.set(line, set);
  }
  return set;
}

export const isWord = (token: Token | undefined): token is Token & { readonly locked: false } =>
  token?.word === true && !token.locked;

/** An unlocked token that is one of the words. */
export const isOne = (token: Token | undefined, of: ReadonlySet<string>): boolean =>
  token !== undefined && !token.locked && of.has(token.lower);

export const SUBJECT_PRONOUNS = words('i you he she it we they');
export const OBJECT_PRONOUNS = words('me you him her it us them');
export const POSSESSIVES = words('my your his her its our their');
export const ARTICLES = words('a an the');
export const MODALS = words('can could will would shall should may might must');
export const BE = words('am is are was were be been being');
export const HAVE = words('have has had having');
export const DO = words('do does did');
export const NEGATIONS = words("not n't never");

/** Whether the tagger sees a lower-case noun; names have rules of their own. */
export const isNoun = (token: Token | undefined): token is Token & { readonly pos: 'NOUN' } =>
  isWord(token) && token.pos === 'NOUN';
export const isAdjective = (token: Token | undefined): token is Token & { readonly pos: 'ADJ' } =>
  isWord(token) && token.pos === 'ADJ';
export const isAdverb = (token: Token | undefined): token is Token & { readonly pos: 'ADV' } =>
  isWord(token) && token.pos === 'ADV';

const BETWEEN = words("not n't never always already also just often recently finally still ever");

/** The position after negations and adverbs between a helping verb and its verb. */
export function skipAdverbs(sentence: Sentence, from: number): number {
  let at = from;
  while (isOne(sentence[at], BETWEEN) || (isAdverb(sentence[at]) && /ly$/.test(sentence[at]?.lower ?? ''))) at += 1;
  return at;
}

/** The position before negations and adverbs, searched to the left from `from`. */
export function skipBackAdverbs(sentence: Sentence, from: number): number {
  let at = from;
  while (at > 0 && (isOne(sentence[at], BETWEEN) || isAdverb(sentence[at]))) at -= 1;
  return at;
}
