import { baseOf, isPlural, past, plural, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isAdverb, isOne, isWord, type Sentence, words } from './rule.ts';

/** Grammatical number: singular or plural. */
export type Grammatical = 'one' | 'many';

const FORMS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  is: ['is', 'are'],
  are: ['is', 'are'],
  was: ['was', 'were'],
  were: ['was', 'were'],
  has: ['has', 'have'],
  have: ['has', 'have'],
  does: ['does', 'do'],
  do: ['does', 'do'],
  "isn't": ["isn't", "aren't"],
};

/** Pairs of singular and plural forms such as "is" and "are". */
export const helpingForms = (word: string): readonly [one: string, many: string] | undefined =>
  Object.hasOwn(FORMS, word) ? FORMS[word] : undefined;

/** Plurals without an s. */
export const PEOPLE = words('people children men women');

/** Nouns that take either number, or whose number depends on what follows. */
export const EITHER_NUMBER = words(
  'number majority minority lot lots rest part half percent per group team family staff couple pair variety range kind type sort series species means data media police public government committee percentage none all some any most more plenty bit amount audience crew company class quarter third fifth fraction politics statistics news economics physics mathematics athletics fish sheep deer dice dozen hundred thousand million headquarters youth following above latter former rich poor young old elderly earnest folk pence breed handful host multitude bunch faithful wounded dead clergy bulk',
);

/** Adverbs that stand between a subject and its verb. */
export const ADVERBS = words(
  'also always often never usually sometimes really only just still already even not generally mostly normally probably simply certainly currently',
);

/** A verb whose form shows the number of its subject. */
export interface Finite {
  readonly verb: Token;
  readonly number: Grammatical;
  readonly one: string;
  readonly many: string;
  /** Whether the form is unmistakable, as "is" and "has" are. */
  readonly clear: boolean;
}

/** A token as a finite verb; undefined where its form shows no number, as in “need not” before this `next` word. */
export function finite(token: Token | undefined, next?: Token): Finite | undefined {
  if (!isWord(token)) return undefined;
  if (isOne(token, words('need dare')) && isOne(next, words("not n't only never hardly"))) return undefined;
  // "a tech lead on the team": a person.
  if (token.lower === 'lead' && isOne(next, words('on for at of in and who from'))) return undefined;
  // "he lay there", "she dove in": pasts; "he sort of liked it".
  if (/^(?:lay|dove)$/.test(token.lower) || (isOne(token, words('sort kind')) && next?.lower === 'of'))
    return undefined;
  const pair = helpingForms(token.lower);
  if (pair !== undefined) {
    const [one, many] = pair;
    return { verb: token, number: token.lower === one ? 'one' : 'many', one, many, clear: true };
  }
  if (token.pos !== 'VERB') return undefined;
  const base = baseOf(token.lower);
  // In "he let me" the form is past as well as present.
  if (frequency(base) < 500_000 || (past(base) === base && token.lower === base) || base === 'be') return undefined;
  // "acquainted": a participle whose base is not listed.
  if (base === token.lower && /[^e]ed$|ing$/.test(base) && !/^(?:bring|sing|ring|swing|cling|wed|shed)$/.test(base))
    return undefined;
  const singular = thirdPerson(base);
  // A form that no book has: the word is no verb, or another form of one.
  if (frequency(singular) === 0) return undefined;
  if (token.lower === singular) return { verb: token, number: 'one', one: singular, many: base, clear: false };
  return token.lower === base ? { verb: token, number: 'many', one: singular, many: base, clear: false } : undefined;
}

/** The position of the verb after adverbs: "the cats *also* like". */
export function afterAdverbs(sentence: Sentence, from: number): number {
  let at = from;
  while (isOne(sentence[at], ADVERBS) || (isAdverb(sentence[at]) && sentence[at]?.lower.endsWith('ly'))) at += 1;
  return at;
}

/** The number of a noun; undefined where its form may be either: "crossroads", and Latin plurals that are not listed. */
export function nounNumber(noun: string): Grammatical | undefined {
  // "graphics is" and "graphics are".
  if (noun.endsWith('ics') && !/^(?:basics|clinics|comics|critics|lyrics|topics|characteristics)$/.test(noun))
    return undefined;
  if (PEOPLE.has(noun) || isPlural(noun)) return 'many';
  // "The events today were": when, not what.
  if (/^(?:today|tomorrow|yesterday|tonight)$/.test(noun)) return undefined;
  const several = plural(noun);
  if (several === noun) return undefined;
  return /(?:[^s]s|a|i|ae|x)$/.test(noun) && frequency(several) === 0 ? undefined : 'one';
}

/** The reason for a correction of noun and verb agreement. */
export const becauseOf = (head: Token, number: Grammatical): string =>
  `“${head.text}” is ${number === 'many' ? 'a plural' : 'a singular'}, and the verb agrees with it.`;
