import { singular, thirdPerson } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { agreed, mayBeLed, reason } from './agreement.ts';
import { afterAdverbs, finite } from './number.ts';
import { isGivenName, nameAt } from './person-names.ts';
import { isOne, POSSESSIVES, type Rule, replace, type Sentence, words } from './rule.ts';

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
        mayBeLed(found, context) ||
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

/** Persons who own things: “my neighbors dog”. */
const OWNERS = words(
  'neighbor neighbour teacher cousin captain farmer aunt uncle dad mom mum mother father brother sister doctor driver boss friend colleague student landlord manager grandmother grandfather grandma grandpa daughter son husband wife girlfriend boyfriend baby child king queen president author owner player dog cat horse bird nurse chef waiter guest client customer postman policeman company',
);

/** "My neighbors dog": whose it is, where the second noun is no verb. */
export const possessiveOfPerson: Rule = {
  id: 'possessive-of-person',
  kind: 'punctuation',
  fixes: { 'The teachers desk is near the window.': "The teacher's desk is near the window." },
  leaves: ['The farmers market is on Friday.', 'My neighbors work at night.', 'The captains cook for the crew.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const owner = singular(token.lower);
      const [thing, after] = [sentence[i + 1], sentence[i + 2]];
      if (owner === undefined || !OWNERS.has(owner) || token.locked || thing?.pos !== 'NOUN' || !thing.spaced) continue;
      if (!isOne(sentence[i - 1], POSSESSIVES) && sentence[i - 1]?.lower !== 'the') continue;
      const verb = pairFrequency('to', thing.lower) * 8 > pairFrequency('the', thing.lower);
      if (
        verb ||
        pairFrequency(token.lower, thing.lower) > 0 ||
        !/^(?:PUNCT|ADP|AUX|VERB|SCONJ|ADV)$/.test(after?.pos ?? 'PUNCT')
      )
        continue;
      yield replace(token, token, `${owner}'s`, `Whose it is, is said with an apostrophe: “${owner}’s”.`);
    }
  },
};

/** "Mr patel": a name behind its title has a capital. */
export const capitalOfName: Rule = {
  id: 'name-after-title',
  kind: 'capitalization',
  words: 'mr mrs ms dr mr. mrs. ms. dr. prof prof. professor',
  fixes: { 'We met Mr patel at the station.': 'We met Mr Patel at the station.' },
  leaves: ['The Dr will see you now.', 'Mr and Mrs Patel are here.'],
  *find(sentence) {
    for (const [i, title] of sentence.entries()) {
      const name = sentence[title.spaced && sentence[i + 1]?.text === '.' ? i + 2 : i + 1];
      if (!isOne(title, words('mr mrs ms dr mr. mrs. ms. dr. prof prof.')) || !/^\p{Lu}/u.test(title.text)) continue;
      if (name === undefined || !/^[a-z]{3,}$/.test(name.text) || name.locked) continue;
      if (frequency(name.lower) > (/^(?:NOUN|PROPN|ADJ)$/.test(name.pos) ? 60_000_000 : 1_000_000)) continue;
      const right = name.text.charAt(0).toUpperCase() + name.text.slice(1);
      yield {
        start: name.start,
        end: name.end,
        replacement: right,
        explanation: `“${right}” is a name, so it has a capital letter.`,
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
