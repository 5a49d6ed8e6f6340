import type { Kind } from './edits.ts';
import type { Finding } from './harper.ts';

const kindsOf = (pairs: string): ReadonlyMap<string, Kind> =>
  new Map(pairs.split(' ').map((pair) => pair.split('>') as [string, Kind]));

const KIND_OF = kindsOf(
  'Agreement>agreement BoundaryError>spacing Formatting>spacing Capitalization>capitalization Eggcorn>confused_word Malapropism>confused_word WordChoice>confused_word Grammar>grammar Nonstandard>word_choice Redundancy>word_choice Usage>word_choice Punctuation>punctuation Repetition>repetition Spelling>spelling Typo>spelling',
);

/** Rules whose kind in this service is more precise than Harper's. */
const KIND_OF_RULE = kindsOf(
  'AnA>article OneOfTheSingular>plural MassNouns>plural MissingTo>verb_form InflectedVerbAfterTo>verb_form WillNonLemma>verb_form DidPast>verb_form RegularIrregulars>verb_form SimplePastToPastParticiple>verb_form ModalOf>verb_form ThenThan>confused_word DoubleNegative>negation HaveNegNoAny>negation CommaFixes>punctuation',
);

export const kindOf = (finding: Finding): Kind =>
  KIND_OF_RULE.get(finding.rule) ?? KIND_OF.get(finding.kind) ?? 'grammar';

const quote = (text: string): string => `“${text.replace(/\s+/g, ' ').trim()}”`;

/**
 * Harper's reason as a plain statement. Messages that ask or suggest ("Did you mean…?", "Consider…") are written from the
 * replacement.
 */
export function explain(finding: Finding, original: string, replacement: string): string {
  const special = SAID_BY_US[finding.rule];
  if (special !== undefined)
    return typeof special === 'string' ? special : special(quote(replacement), quote(original));
  const message = finding.message
    .replace(/`([^`]*)`/g, '“$1”')
    .replace(/(?<![\p{L}\p{N}])(['"])([^'"]{1,60})\1(?![\p{L}\p{N}])/gu, '“$2”')
    .replace(/\s+/g, ' ')
    .trim();
  const vague =
    /\?|^(?:Consider|Try|Perhaps|Maybe|Did|Do|Could|Should|It seems|You may|It looks|Possible|Insert|Drop|Use\b.*instead)|might|looks like|probably|may be|did you/i;
  if (message !== '' && !vague.test(message)) return /[.!]$/.test(message) ? message : `${message}.`;
  const from = quote(original);
  const to = quote(replacement);
  if (replacement === '') return `${from} does not belong here.`;
  if (
    original.replace(/[\s-]/g, '').toLowerCase() === replacement.replace(/[\s-]/g, '').toLowerCase() &&
    original !== replacement
  ) {
    if (original.toLowerCase() === replacement.toLowerCase()) return `${to} is written with these capitals.`;
    if (/\s/.test(replacement) && !/\s/.test(original)) return `${to} is written as separate words.`;
    return replacement.includes('-') ? `${to} is written with a hyphen.` : `${to} is written as one word.`;
  }
  return `${from} is not right here; ${to} is what fits.`;
}

const THEIR = '“their” says whose, “there” names a place or that something exists, “they’re” is “they are”.';

const SAID_BY_US: Readonly<Record<string, string | ((right: string, wrong: string) => string)>> = {
  PronounInflectionBe: (right, wrong) => `The subject takes ${right}, not ${wrong}.`,
  RegularIrregulars: (right, wrong) => `The form of the word is ${right}, not ${wrong}.`,
  IsBeenAuxSequence: '“been” follows “has”, not “is”.',
  AskNoPreposition: 'Who is told or asked something follows the verb without “to”.',
  ThisTypeOfThing: (right) => `“this” goes with one kind and “these” with several: ${right}.`,
  MoreBetter: (right) => `${right} is a comparative already, so no “more” stands before it.`,
  InflectedVerbAfterTo: (right) => `After “to” stands the base form: ${right}.`,
  DidPast: (right) => `After “did” the base form ${right} follows.`,
  SimplePastToPastParticiple: (right) => `After “have” the participle ${right} follows.`,
  LookingForwardTo: (right) => `After “looking forward to” the form with -ing follows: ${right}.`,
  SupposedTo: 'It is “supposed to”, with -d.',
  Discuss: '“discuss” takes no “about”.',
  DespiteOf: '“despite” takes no “of”; “in spite of” does.',
  ThereToTheir: THEIR,
  TheirToThere: THEIR,
  TheirToTheyre: THEIR,
  TheyreToTheir: THEIR,
  ThenThan: 'A comparison takes “than”; “then” means at that time.',
  ItsContraction: '“it’s” is “it is” or “it has”; “its” says whose.',
  ItsPossessive: '“its” says whose; “it’s” is “it is” or “it has”.',
  ModalOf: 'After “could”, “would” and the like the verb is “have”.',
  Cant: '“can’t” is “cannot”; “cant” is another word.',
  SentenceCapitalization: 'A sentence begins with a capital letter.',
  AnA: 'The article is “an” before a vowel sound and “a” before a consonant sound.',
  RepeatedWords: 'The word is there twice.',
  CapitalizePersonalPronouns: 'The pronoun “I” is always a capital letter.',
  The: 'The article is spelled “the”.',
  Spaces: 'There is a space too many.',
  CommaFixes: 'A comma follows the word at once and has a space after it.',
};
