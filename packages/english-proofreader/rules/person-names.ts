import type { Token } from '../tokens.ts';
import { isOne, isWord, POSSESSIVES, type Sentence, words } from './rule.ts';

/** Frequent given names of one person, in any of the languages whose speakers write English. */
const GIVEN = words(
  [
    'adam ahmed alan alex alexander alexandra ali alice amanda amelia amir amy ana andrea andrew angela anita ann anna anne antonio',
    'anton arthur aisha barbara ben benjamin bob brian camila carla carlos carmen caroline catherine charlotte chen chris christina',
    'clara claire daniel daniela david deepak diana diego dmitri dorothy edward elena elizabeth emily emma eric erik eva fatima felipe',
    'fernando francesca frank gabriel george giulia hannah harry hassan helen henry ibrahim igor ingrid irina isabel ivan jack jacob',
    'james jan jane jason javier jennifer jessica jim joan joe johan john jonas jorge jose josef joseph juan julia julie kate karen',
    'karim katarina katherine kevin kim kumar kyle lara laura lena leo li linda lisa lucas lucia lucy luis luca luigi marco marcus',
    'margaret maria marie marina mario mark marta martha martin mary matt matteo matthew max mehmet mei mia michael michelle miguel',
    'mike miriam mohamed mohammed monica nadia nancy natalia natasha nick nicolas nicole nina nora olga olivia omar oscar pablo paolo',
    'patricia patrick paul paula pavel pedro peter philip pierre piotr priya rachel raj ravi rebecca ricardo richard robert roberto',
    'rosa ryan sam samuel sandra sara sarah sergei simon sofia sonia sophie stefan stephanie steve steven susan svetlana tanya teresa',
    'thomas tim tom tomas tony valentina vera victor viktor vladimir walter wei william yuki yusuf zoe',
  ].join(' '),
);
/** Names that are verbs, months or first words of other names as well: “Mark the box”, “Will”, “San Jose”. */
const OTHER_WORDS = words('mark frank max jack kim li wei chen kumar');
const TITLES = words('mr mr. mrs mrs. ms ms. dr dr. prof prof. professor uncle aunt aunty grandma grandpa');
/** Persons whose name may follow them. */
const PERSONS = words(
  'friend brother sister cousin uncle aunt boss colleague neighbor neighbour wife husband son daughter roommate flatmate teacher manager boyfriend girlfriend nephew niece',
);

const isName = (token: Token | undefined): token is Token =>
  isWord(token) && token.pos === 'PROPN' && /^\p{Lu}\p{Ll}+$/u.test(token.text);

/** Whether a token is the given name of a person. */
export const isGivenName = (token: Token | undefined): boolean => isName(token) && isGiven(token.lower);

/** Whether a lower-case word is a given name and no other word. */
export const isGiven = (word: string): boolean => GIVEN.has(word) && !OTHER_WORDS.has(word);

/** A name as it stands in a sentence. */
export interface Named {
  /** Its last token. */
  readonly end: number;
  /** Whether it names one person, rather than a place, a company or a team, which may be several. */
  readonly person: boolean;
}

/** The name that begins at `start`: "Maria", "Mrs. Smith", "my cousin Tom", "London". */
export function nameAt(sentence: Sentence, start: number): Named | undefined {
  const lead = isOne(sentence[start], TITLES)
    ? 1
    : isOne(sentence[start], POSSESSIVES) && isOne(sentence[start + 1], PERSONS)
      ? 2
      : 0;
  let end = start + lead;
  if (!isName(sentence[end])) return undefined;
  const first = sentence[end] as Token;
  while (isName(sentence[end + 1]) && sentence[end + 1]?.spaced === true) end += 1;
  const person = lead > 0 || (isGivenName(first) && end - start < 2);
  // "The Simpsons", "United Airlines": names of several.
  if (/[^s]s$/.test((sentence[end] as Token).lower) && !person) return undefined;
  return { end, person };
}
