import { baseOf } from '../forms.ts';
import type { Token } from '../tokens.ts';
import { type Found, isOne, isWord, OBJECT_PRONOUNS, type Rule, replace, type Sentence, words } from './rule.ts';

/** Word, the preposition learners put after it, and the one it takes; empty when it takes none. */
const AFTER: readonly (readonly [of: string, wrong: string, right: string])[] = [
  ['depend depends depended depending dependent', 'of in to from', 'on'],
  ['discuss discusses discussed discussing', 'about', ''],
  ['emphasize emphasizes emphasized emphasise emphasises emphasised', 'about on', ''],
  ['mention mentions mentioned', 'about', ''],
  ['contact contacted contacting', 'with', ''],
  ['approach approaches approached', 'to', ''],
  ['lack lacks lacked', 'of', ''],
  ['marry marries', 'with', ''],
  ['concentrate concentrates concentrating', 'in at', 'on'],
  ['focus focuses focused focusing', 'in at', 'on'],
  ['insist insists insisted', 'in to', 'on'],
  ['rely relies relied relying', 'in of to', 'on'],
  ['participate participates participated participating', 'to', 'in'],
  ['interested', 'on about to at for', 'in'],
  ['responsible', 'of', 'for'],
  ['afraid scared', 'from', 'of'],
  ['proud tired', 'from', 'of'],
  ['satisfied', 'of', 'with'],
  ['married', 'with', 'to'],
  ['similar', 'with as than like', 'to'],
  ['superior inferior', 'than', 'to'],
  ['capable', 'to for in', 'of'],
  ['consist consists consisted consisting', 'on from', 'of'],
  ['according', 'with', 'to'],
  ['accustomed', 'with', 'to'],
  ['belong belongs belonged', 'at', 'to'],
  ['suffer suffers suffered', 'of', 'from'],
  ['succeed succeeds succeeded', 'at', 'in'],
  ['aware', 'about', 'of'],
  ['full', 'with', 'of'],
];
/** Words for times and places that stand behind any verb. */
const TIMES_AND_PLACES = words(
  'night day week month year moment minute hour while time times last first least most once present home work school noon midnight morning evening afternoon start beginning outset end distance part parts thirds halves two three four five children kids sons daughters days weeks months years hours minutes ages decades now good',
);
/** Whether what follows a preposition says when, where or with how many rather than what is meant. */
function isApart(sentence: Sentence, from: number): boolean {
  let at = from;
  if (/^(?:ADP|PUNCT)$/.test(sentence[at]?.pos ?? '')) return true;
  while (/^(?:DET|ADJ|NUM)$/.test(sentence[at]?.pos ?? '') && !isOne(sentence[at], TIMES_AND_PLACES)) at += 1;
  return isOne(sentence[at], TIMES_AND_PLACES);
}
const byWord = new Map<string, (readonly [ReadonlySet<string>, string])[]>();
for (const [of, wrong, right] of AFTER) {
  for (const word of of.split(' ')) byWord.set(word, [...(byWord.get(word) ?? []), [words(wrong), right]]);
}
/** Nouns as well as verbs: "a lack of", "the focus in", "his approach to". */
const ALSO_NOUN = words('lack lacks contact approach approaches focus discuss mention full prefer belong');

/** "depends of", "discuss about", "interested on". */
export const wrongPreposition: Rule = {
  id: 'wrong-preposition',
  kind: 'preposition',
  fixes: { 'We approached to the castle from the south.': 'We approached the castle from the south.' },
  leaves: ['He died of a fever in 1911, and from then on she lived alone.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isWord(token)) continue;
      const next = sentence[i + 1];
      const after = sentence[i + 2];
      if (next === undefined || next.locked || after === undefined) continue;
      for (const [wrong, right] of byWord.get(token.lower) ?? []) {
        if (!wrong.has(next.lower)) continue;
        // "The comma belongs at the end": a place.
        if (next.lower === 'at' && isOne(sentence[i + 3], words('end beginning start top bottom back front'))) continue;
        if (
          ALSO_NOUN.has(token.lower) &&
          !(
            token.pos === 'VERB' &&
            (/^lack/.test(token.lower) ? /^(?:PRON|NOUN)$/ : /^(?:PRON|PART|AUX|NOUN|ADV)$/).test(
              sentence[i - 1]?.pos ?? '',
            )
          ) &&
          token.lower !== 'full'
        )
          continue;
        // "interested at first", "focused in on it", "married with two children": no object of it.
        if (isApart(sentence, i + 2)) continue;
        // What a thing depends "in" or "to" may be a place or a verb: "depended to some extent", "interested to hear".
        if (next.lower === 'to' && (after.pos === 'VERB' || after.pos === 'AUX') && token.lower !== 'capable') continue;
        if (
          next.lower === 'in' &&
          /^(?:the|a|this|that|some|many|part|turn|no|19|20)/.test(after.lower) &&
          /^(?:depend|belong|focus|consist|concentrate|rely)/.test(token.lower) &&
          !/^(?:the|a|this)$/.test(after.lower)
        )
          continue;
        if (
          next.lower === 'to' &&
          /^(?:some|a|the)$/.test(after.lower) &&
          /^(?:depend|rely)/.test(token.lower) &&
          /^(?:extent|degree|large|great|certain|considerable|limited|lesser|greater|high)$/.test(
            sentence[i + 3]?.lower ?? '',
          )
        )
          continue;
        if (token.lower === 'capable' && next.lower === 'to') continue;
        if (token.lower === 'full' && !/^(?:people|water|cars|\w+s)$/.test(after.lower)) continue;
        // "something similar with a switch".
        if (token.lower === 'similar' && next.lower === 'with' && /thing$/.test(sentence[i - 1]?.lower ?? '')) continue;
        if (token.lower === 'similar' && next.lower === 'as' && sentence[i - 1]?.lower === 'as') continue;
        if (token.lower === 'aware' && next.lower !== 'about') continue;
        const explanation =
          right === '' ? `“${token.text}” takes no preposition.` : `“${token.text}” is followed by “${right}”.`;
        if (right === '')
          yield {
            start: next.start,
            end: after.end,
            replacement: after.text,
            explanation,
          };
        else yield replace(next, next, right, explanation);
      }
    }
  },
};

const LISTEN = words('listen listens listened listening');
const EXPLAIN = words('explain explains explained describe describes described suggest suggests suggested');

const SUGGEST = words('suggest suggests suggested');
/** Objects and the subjects that mean the same. */
const SUBJECT_OF: ReadonlyMap<string, string> = new Map([
  ['me', 'I'],
  ['us', 'we'],
  ['him', 'he'],
  ['them', 'they'],
]);

const WHAT = words(
  'a an the this that these those my your his its our their how what why where when which who if whether',
);

/** Whether a thing is named after the person: "describe me the house", not "describe him" and "suggest them to the board". */
const takesTo = (verb: Token, person: Token, next: Token | undefined): boolean =>
  isOne(next, WHAT) ||
  (/^explain/.test(verb.lower) && isOne(person, words('me us')) && next?.lower !== 'away') ||
  (/^suggest/.test(verb.lower) && next?.pos === 'NUM');

/** Whether "to" and a base form stand here. */
const isInfinitive = (sentence: Sentence, index: number): boolean => {
  const verb = sentence[index + 1];
  const isBase = (verb?.pos === 'VERB' && baseOf(verb.lower) === verb.lower) || isOne(verb, words('be have do'));
  return isOne(sentence[index], words('to')) && isBase && isWord(verb);
};

/** "listen music" → "listen to music", "explain me" → "explain to me", "wait me" → "wait for me". */
export const missingPreposition: Rule = {
  id: 'missing-preposition',
  kind: 'preposition',
  fixes: { 'I listen music every day.': 'I listen to music every day.' },
  leaves: ['She explained the matter to me again.', 'The teacher explained the class rules to us.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const next = sentence[i + 1];
      if (next === undefined || !isWord(next) || token.locked) continue;
      if (
        isOne(token, LISTEN) &&
        sentence[i - 1]?.pos !== 'ADP' &&
        (next.pos === 'NOUN' || next.pos === 'DET' || isOne(next, OBJECT_PRONOUNS)) &&
        !/^(?:all|both|more|here|there|that|every|each)$/.test(next.lower)
      ) {
        yield replace(token, token, `${token.lower} to`, `“${token.text}” is followed by “to”.`);
      } else if (isOne(token, SUGGEST) && SUBJECT_OF.has(next.lower) && isInfinitive(sentence, i + 2)) {
        const who = SUBJECT_OF.get(next.lower);
        yield {
          start: next.start,
          end: (sentence[i + 2] as Token).end,
          replacement: `that ${who}`,
          kind: 'grammar',
          explanation: `“${token.text}” takes a clause: “that ${who} …”.`,
        };
      } else if (
        isOne(token, EXPLAIN) &&
        isOne(next, words('me us him them')) &&
        takesTo(token, next, sentence[i + 2])
      ) {
        yield* explainedTo(sentence, i);
      } else if (/^wait(?:s|ed|ing)?$/.test(token.lower) && isOne(next, words('me us him them'))) {
        yield replace(token, token, `${token.lower} for`, `“${token.text}” takes “for”.`);
      }
    }
  },
};

/** "explain me the rules" → "explain the rules to me"; where more follows, "explain to me how it works". */
function* explainedTo(sentence: Sentence, at: number): Generator<Found> {
  const [verb, person, ...rest] = sentence.slice(at) as [Token, Token, ...Token[]];
  const end = rest.findIndex((token) => /^[.,;!?]$/.test(token.text));
  const object = end < 0 ? rest : rest.slice(0, end);
  const last = object.at(-1);
  const why = `“${verb.text}” takes “to” before the person.`;
  const simple =
    object.length <= 4 &&
    object.every((token) => /^(?:DET|ADJ|NOUN|PRON)$/.test(token.pos) && !token.locked) &&
    last?.pos === 'NOUN';
  if (simple) {
    const thing = object.map((token) => token.text).join(' ');
    yield {
      start: person.start,
      end: last.end,
      replacement: `${thing} to ${person.text}`,
      explanation: why,
    };
  } else yield replace(verb, verb, `${verb.lower} to`, why);
}

const WITH_DEADLINE = words(
  'send submit return reply finish complete deliver pay confirm respond answer register sign',
);
const ASKED = words('please can could will would must should need needs have has');
const DEADLINE = words(
  'monday tuesday wednesday thursday friday saturday sunday tomorrow tonight next noon midnight january february march april may june july august september october november december the end this',
);

/** "Please send it until Friday" → "by Friday": what is done at once has a deadline. */
export const byDeadline: Rule = {
  id: 'by-deadline',
  kind: 'preposition',
  words: 'until till',
  fixes: { 'Please send me the file until tonight.': 'Please send me the file by tonight.' },
  leaves: ['You can return it until the end comes.', 'Tired after the walk, we slept until ten.'],
  *find(sentence) {
    const until = sentence.findIndex((token) => isOne(token, words('until till')));
    const next = sentence[until + 1];
    if (until < 2 || !(isOne(next, DEADLINE) || next?.pos === 'NUM')) return;
    const lead = sentence.slice(0, until);
    const verb = lead.findLastIndex(
      (token, at) =>
        (isOne(token, WITH_DEADLINE) || (token.lower === 'do' && lead[at + 1]?.lower === 'it')) && token.pos === 'VERB',
    );
    if (verb < 1 || !lead.slice(0, verb).some((token) => isOne(token, ASKED))) return;
    if (lead.some((token) => isOne(token, words("not n't never no only wait keep cannot open valid daily every"))))
      return;
    if (lead.slice(verb + 1).some((token) => /^(?:VERB|AUX|PUNCT|SCONJ)$/.test(token.pos))) return;
    const clause = sentence.slice(until + 1).findIndex((token) => /^(?:VERB|AUX)$/.test(token.pos));
    // "until the end comes", "until this is done".
    if (
      clause >= 0 &&
      !sentence.slice(until + 1, until + 1 + clause).some(({ pos }) => pos === 'PUNCT' || pos === 'CCONJ')
    )
      return;
    yield replace(
      sentence[until] as Token,
      sentence[until] as Token,
      'by',
      'A deadline is named with “by”; “until” says how long something goes on.',
    );
  },
};
