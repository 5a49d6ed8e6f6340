import { baseOf, gerund, participle } from '../forms.ts';
import { insertBefore, isOne, isWord, type Rule, replace, type Sentence, skipAdverbs, words } from './rule.ts';

const BE = words("am is are was were be been being 'm 're");
/** Verbs that are hardly ever nouns or adjectives. */
const VERBS = words(
  'cancel postpone build situate locate create make take give send write sell publish produce develop choose break steal teach tell throw catch bring buy begin eat forget hide know pay ride speak spend forbid ban describe explain introduce improve reduce remove replace provide protect prepare prevent achieve add allow apply compare consider destroy discover follow include invest join lose manage obtain organize organise perform receive require solve accept agree announce arrange attend attract become carry charge collect complete confirm connect deliver deny depend detect determine discuss divide employ encourage establish examine expect express happen hire identify ignore inform install invite invent learn maintain mention notice offend persuade prefer recommend recognize recover refuse reject remember repair satisfy separate strengthen suffer suggest surround translate understand upload visit wake weaken fill finish fix suspend hack lock block print pick hire cancel approve assign attach publish translate damage',
);
const ALSO_NOUNS = words(
  'build visit charge ban ride throw catch wake separate complete fill finish fix hack lock block print pick hire damage',
);

/** "was build in", "should be ban", "is situate in": after "be" the participle follows. */
export const participleAfterBeing: Rule = {
  id: 'participle-after-being',
  kind: 'verb_form',
  words: 'am is are was were be been being',
  fixes: { 'My bike was steal last night.': 'My bike was stolen last night.' },
  leaves: ['We regret to inform you that the position has already been filled.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, BE)) continue;
      const index = skipAdverbs(sentence, i + 1);
      const verb = sentence[index];
      if (
        !isWord(verb) ||
        !(VERBS.has(verb.lower) || verb.lower === 'hold' || verb.lower === 'freeze') ||
        verb.text !== verb.lower
      )
        continue;
      if (
        /^(?:agree|happen|depend|become|prefer|know|understand|remember|suffer|separate|complete|expect)$/.test(
          verb.lower,
        )
      )
        continue;
      const next = sentence[index + 1];
      if (
        next !== undefined &&
        !/^(?:[.,;!?]|by|in|as|for|with|from|at|on|to|and|or|but|out|that|due|about|until|since|again|two|three|twice|before|after|yesterday|today|last|because|when)$/.test(
          next.lower,
        )
      )
        continue;
      // "All he did was take it", "What we do is build".
      if (sentence.slice(0, i).some((word) => /^(?:all|what|thing|things|do|did|does)$/.test(word.lower))) continue;
      const previous = sentence[i - 1];
      if (
        previous === undefined ||
        !(/^(?:NOUN|PRON|PROPN|AUX|PART)$/.test(previous.pos) || previous.lower === 'please')
      )
        continue;
      // "I am write to ask": `gerundAfterBe` corrects it.
      if (isActive(sentence, i)) continue;
      // "make or break".
      if (verb.lower === 'make' && next?.lower === 'or') continue;
      // "I am write in the evening": no one is written.
      if (isOne(previous, words('i you he she we')) && verb.lower === 'write' && next?.lower !== 'by') continue;
      if (
        ALSO_NOUNS.has(verb.lower) &&
        !isOne(next, words('by in out two')) &&
        !(verb.lower === 'finish' && (next === undefined || next.pos === 'PUNCT')) &&
        !/^(?:be|been|being)$/.test(token.lower)
      )
        continue;
      const right = participle(verb.lower);
      if (right !== verb.lower)
        yield replace(verb, verb, right, `After “${token.text}” the participle “${right}” follows.`);
    }
  },
};

const PERSONS = words('i you he she we they');
const CLAUSE_OPENERS = words('and but because when that if so while since although');
/** What people do, without an object or with one. */
const WITHOUT_OBJECT = words('go wait work sleep live stay look talk sit stand walk travel study play');
const WITH_OBJECT = words(
  'write eat drink do make watch learn buy sell pay send try clean wash cook drive teach build plan',
);

const BEHIND_ACTION = words('to because when');

/** Whether a person is, at the beginning of a clause, what a base form behind `at` says: "I am write to ask". */
function isActive(sentence: Sentence, at: number): boolean {
  const [before, subject, verb, next] = [sentence[at - 2], sentence[at - 1], sentence[at + 1], sentence[at + 2]];
  if (!isOne(sentence[at], words("am is are 'm 're")) || !isOne(subject, PERSONS) || verb?.pos !== 'VERB') return false;
  if (before !== undefined && before.text !== ',' && !isOne(before, CLAUSE_OPENERS)) return false;
  if (isOne(verb, WITHOUT_OBJECT)) return next?.lower !== 'by';
  // "They are sell in shops" may be about things.
  if (!isOne(verb, WITH_OBJECT) || next === undefined) return false;
  return (subject?.lower !== 'they' && isOne(next, BEHIND_ACTION)) || /^(?:DET|NOUN|PRON)$/.test(next.pos);
}

/** "I am go to school" → "I am going", "She is cook dinner" → "She is cooking". */
export const gerundAfterBe: Rule = {
  id: 'gerund-after-be',
  kind: 'verb_form',
  fixes: { 'I am go to school.': 'I am going to school.' },
  leaves: ['The best I am, I think, is average.', 'I am agreed to be the best cook in the family.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const verb = sentence[i + 1];
      if (!isWord(verb) || !isActive(sentence, i)) continue;
      const right = gerund(verb.lower);
      yield replace(verb, verb, right, `After “${token.text}”, what someone does now takes the form “${right}”.`);
    }
  },
};

/** "we have agree on", "has strengthen my wish": the participle after "have". */
export const participleAfterHaving: Rule = {
  id: 'participle-after-having',
  kind: 'verb_form',
  words: "have has had having 've",
  fixes: { 'He had spend all his money.': 'He had spent all his money.' },
  leaves: ['Fish and chips was all they had on the menu.', 'All they had ate into our time.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!(isOne(token, words('have has had having')) || token.lower === "'ve")) continue;
      const index = skipAdverbs(sentence, i + 1);
      const verb = sentence[index];
      // "had forget" may be "had to forget", but "d" for "t" is a slip: "had spend".
      if (token.lower === 'had' && index === i + 1 && verb?.pos === 'VERB') {
        if (!isOne(verb, words('spend send build lend'))) continue;
        // "missed the train and had spend the night": what had to be done.
        if (sentence[i - 1]?.lower === 'and') {
          yield insertBefore(verb, 'to', `“had to ${verb.lower}” is what had to be done.`);
          continue;
        }
      }
      if (!isWord(verb) || !(VERBS.has(verb.lower) || (token.lower === 'having' && i === 0 && verb.pos === 'VERB')))
        continue;
      const built = verb.lower === 'build' && verb.pos === 'VERB' && sentence[index + 1]?.pos === 'DET';
      if (ALSO_NOUNS.has(verb.lower) && token.lower !== 'having' && !built) continue;
      const next = sentence[index + 1];
      // "have write access".
      if (verb.lower === 'write' && next?.pos === 'NOUN') continue;
      if (next !== undefined && !/^(?:DET|PRON|ADP|PUNCT|ADV|NUM|SCONJ|CCONJ|ADJ|NOUN)$/.test(next.pos)) continue;
      // "have them write it", "had to".
      if (/^(?:to|let|n't)$/.test(sentence[i - 1]?.lower ?? '') && token.lower === 'have') continue;
      const right = participle(verb.lower);
      if (baseOf(verb.lower) !== verb.lower || right === verb.lower) continue;
      yield replace(verb, verb, right, `“${token.text}” is followed by the participle “${right}”.`);
    }
  },
};
