import { baseOf, gerund, participle, thirdPerson } from '../forms.ts';
import type { Token } from '../tokens.ts';
import { MONTHS } from './phrases/words.ts';
import { isOne, isWord, type Rule, replace, type Sentence, skipAdverbs, words } from './rule.ts';

const HAVE_FOR: Readonly<Record<string, string>> = {
  i: 'have',
  you: 'have',
  we: 'have',
  they: 'have',
  he: 'has',
  she: 'has',
  it: 'has',
};
/** Verbs of states and habits, which go on since they began. */
const LASTING = words(
  'live work study know be have learn teach play drive use wait want own stay run wear speak sleep belong',
);
const BEGUN = words(
  `${MONTHS.replaceAll('|', ' ')} monday tuesday wednesday thursday friday saturday sunday last yesterday childhood then birth early late`,
);

/** Whether a time, or how long it has lasted, stands behind “since”: what is a reason has a verb. */
function isTime(sentence: Sentence, since: number): boolean {
  const next = sentence[since + 1];
  // “Since Monday to Friday” is meant as “from”.
  if (
    sentence.slice(since + 1).some(({ pos, lower }) => /^(?:VERB|AUX)$/.test(pos) || /^(?:to|until|till)$/.test(lower))
  )
    return false;
  return (
    isOne(next, BEGUN) ||
    next?.pos === 'NUM' ||
    /^(?:19|20)\d\d$/.test(next?.text ?? '') ||
    isOne(next, words('a an many several'))
  );
}

const LONG = words(
  'live lives living work works working study studies studying learn learns learning know knows teach teaches',
);

/** "for ten years", at the end of a clause. */
const lastsYears = (sentence: Sentence, at: number): boolean =>
  sentence[at]?.lower === 'for' &&
  (sentence[at + 1]?.pos === 'NUM' || isOne(sentence[at + 1], words('many several'))) &&
  isOne(sentence[at + 2], words('years')) &&
  /^(?:[.!]|and|but|now)$/.test(sentence[at + 3]?.lower ?? '.');

/** "I live here since 2015": what began then and goes on takes the perfect. */
export const perfectSince: Rule = {
  id: 'perfect-since',
  kind: 'verb_form',
  words: 'since for',
  fixes: {
    'I live here since 2015.': 'I have lived here since 2015.',
    'She is ill since Monday.': 'She has been ill since Monday.',
  },
  leaves: [
    'I live here since it is cheap.',
    'I am staying here for two years, then I move.',
    'It is ten years since May.',
    'I have known him since school.',
    'She is the first woman in this office since 1990.',
    'I am happier since then.',
  ],
  *find(sentence) {
    const since = sentence.findIndex((token, n) => isOne(token, words('since')) || lastsYears(sentence, n));
    const lasts = sentence[since]?.lower === 'for';
    const [subject] = sentence;
    const have = HAVE_FOR[subject?.lower ?? ''];
    if (
      since < 2 ||
      have === undefined ||
      !Object.hasOwn(HAVE_FOR, subject?.lower ?? '') ||
      !(lasts || isTime(sentence, since))
    )
      return;
    const verbPlace = skipAdverbs(sentence, 1);
    const verb = sentence[verbPlace];
    const between = sentence.slice(verbPlace + 1, since);
    // "It is ten years since", "better since then": what changed.
    if (
      !isWord(verb) ||
      between.some(
        ({ pos, lower }) =>
          pos === 'SCONJ' ||
          /^(?:and|but|,|years?|weeks?|days?|months?|long|who|which|that|first|last|only|best|worst|most|least)$|er$/.test(
            lower,
          ),
      )
    )
      return;
    const base = baseOf(verb.lower);
    if (
      !LASTING.has(base) ||
      !(verb.lower === base || verb.lower === thirdPerson(base) || isOne(verb, words('am is are')))
    )
      return;
    const doing = sentence[verbPlace + 1];
    const goesOn = base === 'be' && isWord(doing) && doing.pos === 'VERB';
    if (goesOn && !(doing.lower.endsWith('ing') && doing.lower === gerund(baseOf(doing.lower)))) return;
    if (base === 'be' && (subject?.lower === 'it' || lasts) && !goesOn) return;
    if (lasts && !isOne(goesOn ? doing : verb, LONG)) return;
    if (base !== 'be' && between.some(({ pos }) => /^(?:VERB|AUX)$/.test(pos))) return;
    const adverbs = sentence
      .slice(1, verbPlace)
      .map((token: Token) => `${token.text} `)
      .join('');
    yield replace(
      sentence[1] as Token,
      verb,
      `${have} ${adverbs}${participle(base)}`,
      `What began in the past and goes on takes the perfect: “${have} ${participle(base)}”.`,
    );
  },
};
