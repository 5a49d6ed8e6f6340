import { isPlural } from '../forms.ts';
import { headOf } from './head-noun.ts';
import { nounNumber, PEOPLE } from './number.ts';
import { ARTICLES, BE, isOne, POSSESSIVES, type Rule, type Sentence, words } from './rule.ts';

/** Nouns that a clause describes without a word between: “the day it was over”, “the way he is”. */
const DESCRIBED = words(
  'day moment time minute second year week way thing reason place first last instant hour morning night',
);
const PRONOUNS = words('he she it they');
const KIN = words(
  'friend brother sister mother father boss colleague wife husband son daughter dad mom mum uncle aunt cousin teacher neighbor neighbour grandmother grandfather',
);

/** Whether another verb follows in the clause, so that the pronoun begins a clause about the noun: “the hotel it is in is old”. */
const goesOn = (sentence: Sentence, from: number): boolean => {
  const rest = sentence.slice(from);
  const end = rest.findIndex(({ pos, text }) => /^(?:SCONJ|CCONJ)$/.test(pos) || text === ',');
  return (end < 0 ? rest : rest.slice(0, end)).some(
    ({ pos, lower }, at) =>
      pos === 'AUX' ||
      (pos === 'VERB' && !/(?:ing|ed)$/.test(lower)) ||
      (pos === 'NOUN' && /s$/.test(lower) && /^(?:ADP|ADV|NOUN)$/.test(rest[at - 1]?.pos ?? '')),
  );
};

/** "The museum it was closed": the subject is named twice. */
export const subjectTwice: Rule = {
  id: 'subject-twice',
  kind: 'pronoun',
  words: 'he she it they',
  fixes: {
    'The waiter he was very rude.': 'The waiter was very rude.',
    'The old bridge it is dangerous.': 'The old bridge is dangerous.',
  },
  leaves: ['The hotel it is near has a pool.', 'The day it was over, we danced.', 'The man he was then is gone.'],
  *find(sentence) {
    if (!isOne(sentence[0], ARTICLES) && !isOne(sentence[0], POSSESSIVES)) return;
    const { head, index = 0 } = headOf(sentence, 1) ?? {};
    const [pronoun, verb] = [sentence[index + 1], sentence[index + 2]];
    if (head === undefined || pronoun === undefined || !isOne(pronoun, PRONOUNS) || verb?.spaced !== true) return;
    const several = isPlural(head.lower) || PEOPLE.has(head.lower);
    if (DESCRIBED.has(head.lower) || nounNumber(head.lower) === undefined || several !== (pronoun.lower === 'they'))
      return;
    const does = KIN.has(head.lower) && isOne(sentence[0], POSSESSIVES) && verb.pos === 'VERB';
    if (!(does || isOne(verb, BE)) || goesOn(sentence, index + 3)) return;
    yield {
      start: head.end,
      end: pronoun.end,
      replacement: '',
      explanation: `The subject is named already, so “${pronoun.text}” does not belong here.`,
    };
  },
};
