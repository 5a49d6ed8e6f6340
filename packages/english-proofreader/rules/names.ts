import { thirdPerson } from '../forms.ts';
import type { Token } from '../tokens.ts';
import { agreed, reason } from './agreement.ts';
import { afterAdverbs, finite } from './number.ts';
import { isGivenName, nameAt } from './person-names.ts';
import { isOne, type Rule, replace, type Sentence, words } from './rule.ts';

/** Words before the name that a clause begins with. */
const OPENERS = words('because but so when while although where today now sometimes usually');
/** Base forms that the tagger takes for other words behind a name: "Tom study hard", "Ana like tea". */
const TAKEN_FOR_NOUNS = words('work study like love need want help travel plan cook dance visit');
/** What a person whose name stands before it may be called to do: "Maria take a seat". */
const CALLS = words(
  'take give grab get sit stand come go listen look stop wait keep turn open close bring hold stay check please',
);
/** Words that tell a habit or a past, so that no one is called. */
const TOLD = words('every usually always often never sometimes yesterday last ago by daily weekly');

const asVerb = (token: Token | undefined, next: Token | undefined): Token | undefined =>
  isOne(token, TAKEN_FOR_NOUNS) &&
  token !== undefined &&
  next?.pos !== 'AUX' &&
  !/^(?:is|was|has)$/.test(next?.lower ?? '')
    ? { ...token, pos: 'VERB' }
    : token;

const begins = (sentence: Sentence, start: number): boolean =>
  start === 0 ||
  isOne(sentence[start - 1], OPENERS) ||
  (start === 1 && /^(?:yesterday|unfortunately)$/.test(sentence[0]?.lower ?? '')) ||
  (sentence[start - 1]?.text === ',' &&
    /^(?:when|because|although|yesterday|today|last|if)$/.test(sentence[0]?.lower ?? ''));

/** "Maria have two sons": one person takes the verb of one. */
export const nameAndVerb: Rule = {
  id: 'name-and-verb',
  kind: 'agreement',
  fixes: { 'Maria have two sons.': 'Maria has two sons.', "Peter don't like it.": "Peter doesn't like it." },
  leaves: [
    'Maria, have a look at this.',
    'Let Maria have the last piece.',
    'We suggest that Maria have a look.',
    'Tom and Maria have two sons.',
    'England have won the match.',
    'Help Maria find her keys.',
  ],
  *find(sentence, context) {
    if (/^[!?]$/.test(sentence.at(-1)?.text ?? '')) return;
    for (let start = 0; start < sentence.length - 1; start += 1) {
      if (!begins(sentence, start)) continue;
      const named = nameAt(sentence, start);
      if (named === undefined) continue;
      const verbPlace = afterAdverbs(sentence, named.end + 1);
      const token = asVerb(sentence[verbPlace], sentence[verbPlace + 1]);
      const found = finite(token, sentence[verbPlace + 1]);
      if (found === undefined || found.number === 'one') continue;
      const rest = sentence.slice(verbPlace + 1);
      const called = isOne(token, CALLS) || (token?.lower === 'have' && rest[0]?.lower === 'a');
      if (!found.clear && sentence[verbPlace]?.pos !== 'VERB' && rest.some(({ pos }) => pos === 'AUX')) continue;
      // "Tom please sit down", "if Tom were here", "Maria work permits".
      if (found.verb.lower === 'were' && /^(?:if|though)$/.test(sentence[0]?.lower ?? '')) continue;
      if (!found.clear && /^(?:NOUN|PROPN|PUNCT)$/.test(rest[0]?.pos ?? 'PUNCT') && !isOne(token, TAKEN_FOR_NOUNS))
        continue;
      const right = agreed(sentence, found, 'one', context);
      if (right === undefined) continue;
      const name = (sentence[named.end] as Token).text;
      const doubt =
        !named.person ||
        (called &&
          !sentence.some((word) => isOne(word, TOLD)) &&
          !/(?:sons?|brothers?|sisters?|car|house|dog|cat)$/.test(rest[1]?.lower ?? ''));
      yield {
        ...replace(
          found.verb,
          found.verb,
          right,
          ...reason(found, right, `“${name}” is one, and the verb agrees with it.`),
        ),
        ...(doubt && { doubt }),
      };
    }
  },
};

/** "Sarahs office": whose it is. */
export const possessiveOfName: Rule = {
  id: 'possessive-of-name',
  kind: 'punctuation',
  fixes: { 'The keys are in Sarahs office.': "The keys are in Sarah's office." },
  leaves: ['James bought a car.', 'The Johns of this world are many.', 'Two Marias work here.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const name = token.text.slice(0, -1);
      const next = sentence[i + 1];
      if (token.locked || !/^\p{Lu}\p{Ll}+s$/u.test(token.text) || next === undefined) continue;
      if (isGivenName(token) || !isGivenName({ ...token, text: name, lower: name.toLowerCase(), pos: 'PROPN' }))
        continue;
      const thing = next.pos === 'ADJ' ? sentence[i + 2] : next;
      if (thing?.pos !== 'NOUN' || thing.lower === 'and') continue;
      // "Maria's work"; "Toms works": no verb of several.
      if (/^(?:the|two|three|many|all|these)$/.test(sentence[i - 1]?.lower ?? '') || thing.lower === thirdPerson(name))
        continue;
      yield replace(token, token, `${name}'s`, `Whose it is, is said with an apostrophe: “${name}’s”.`);
    }
  },
};
