import { baseOf, gerund, participle, thirdPerson } from '../forms.ts';
import type { Token } from '../tokens.ts';
import { MONTHS } from './phrases/words.ts';
import { isOne, isWord, type Rule, replace, type Sentence, skipAdverbs, words } from './rule.ts';

const HAVE_FOR = new Map([
  ...'i you we they'.split(' ').map((word) => [word, 'have'] as const),
  ...'he she it'.split(' ').map((word) => [word, 'has'] as const),
]);
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
    const have = HAVE_FOR.get(subject?.lower ?? '');
    if (since < 2 || have === undefined || !(lasts || isTime(sentence, since))) return;
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

const SEVERAL = words('a an one several many few');
const UNITS = words('minute minutes hour hours day days week weeks month months year years decade decades ages');

/** The last token of how long something lasted, from `start` on: "two weeks", "a long time", "years". */
function durationEnd(sentence: Sentence, start: number): number | undefined {
  const isCount = isOne(sentence[start], SEVERAL) || sentence[start]?.pos === 'NUM';
  if (isCount && sentence[start + 1]?.lower === 'long' && sentence[start + 2]?.lower === 'time') return start + 2;
  const count = sentence[start]?.lower === 'a' && sentence[start + 1]?.lower === 'few' ? start + 1 : start;
  const unit = isCount ? count + 1 : start;
  return isOne(sentence[unit], UNITS) && (isCount || /s$/.test(sentence[unit]?.lower ?? '')) ? unit : undefined;
}

/** "since two weeks": how long it goes on, or, behind a verb in the past, perhaps how long ago it was. */
export const forHowLong: Rule = {
  id: 'for-how-long',
  kind: 'preposition',
  words: 'since',
  fixes: {
    'I have been ill since three weeks.': 'I have been ill for three weeks.',
    'We have been waiting since an hour.': 'We have been waiting for an hour.',
  },
  leaves: ['Since two of us were ill, the game was off.', 'It has been closed since two years before the war.'],
  *find(sentence, context) {
    for (const [i, since] of sentence.entries()) {
      if (since.lower !== 'since' || since.locked) continue;
      const end = durationEnd(sentence, i + 1);
      const last = end === undefined ? undefined : sentence[end];
      if (end === undefined || last === undefined || isOne(sentence[end + 1], words('ago before after of old')))
        continue;
      const goesOn = sentence.slice(0, i).some(({ lower }) => /^(?:been|not|n't|never|.+ing)$/.test(lower));
      if (goesOn || context.tense(since)?.tense !== 'past')
        yield replace(since, since, 'for', `“${last.text}” says how long, so “for” stands before it.`);
      else {
        const time = sentence.slice(i + 1, end + 1).map(({ text }) => text);
        yield {
          ...replace(since, last, `${time.join(' ')} ago`, 'What happened once was some time “ago”.'),
          doubt: true,
        };
      }
    }
  },
};
