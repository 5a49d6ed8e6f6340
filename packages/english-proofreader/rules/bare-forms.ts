import { baseOf, thirdPerson } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isOne, isWord, MODALS, OBJECT_PRONOUNS, type Rule, replace, SUBJECT_PRONOUNS, words } from './rule.ts';

const isGerund = (token: Token | undefined): token is Token =>
  isWord(token) && token.lower.endsWith('ing') && token.pos === 'VERB' && baseOf(token.lower) !== token.lower;
const isCommon = (base: string): boolean => base !== 'be' && frequency(base) > 3_000_000;

/** Words before a subject after which "I can" is a clause of its own: "as much as I can using …". */
const COMPLETE = words('as if than when what all whatever whenever wherever whoever best where how until before after');
const AFTER_OBJECT = /^(?:DET|PRON|ADP|ADV|PART|NOUN|PROPN|ADJ|NUM|PUNCT)$/;

/** "we can going", "you can communicating with people": the base form follows a modal. */
export const baseAfterModalNotGerund: Rule = {
  id: 'base-after-modal-not-gerund',
  kind: 'verb_form',
  words: 'can could will would shall should may might must',
  fixes: { 'Maybe we can going next week.': 'Maybe we can go next week.' },
  leaves: ['You should be talking to the nurse, not to me.', 'He may have gone home already.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const refused = isOne(sentence[i + 1], words("not n't"));
      if (!isOne(token, MODALS) || token.pos === 'NOUN' || !(refused || isOne(sentence[i - 1], SUBJECT_PRONOUNS)))
        continue;
      if (isOne(sentence[i - 2], COMPLETE)) continue;
      const index = isOne(sentence[i + 1], words("not n't also always never")) ? i + 2 : i + 1;
      const verb = sentence[index];
      if (!isGerund(verb)) continue;
      const base = baseOf(verb.lower);
      if (!isCommon(base) || !AFTER_OBJECT.test(sentence[index + 1]?.pos ?? 'PUNCT')) continue;
      yield replace(verb, verb, base, `“${token.text}” is followed by the base form “${base}”.`);
    }
  },
};

/** Verbs that name events and states and have no passive. */
const NO_PASSIVE = words('arrive happen occur begin depend exist become remain belong');

/** "will be take place", "it will be arrive": no "be" before a verb that has no passive. */
export const noBeAfterModal: Rule = {
  id: 'no-be-after-modal',
  kind: 'verb_form',
  words: 'be',
  fixes: { 'The meeting will be take place on Monday.': 'The meeting will take place on Monday.' },
  leaves: ["In two days' time we will be in Rome.", 'She will be tired and will want a bath.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const be = sentence[i + 1];
      const verb = sentence[i + 2];
      if (!isOne(token, MODALS) || be?.lower !== 'be' || be.locked || !isWord(verb)) continue;
      const place = verb.lower === 'take' && sentence[i + 3]?.lower === 'place';
      if (!place && !(NO_PASSIVE.has(verb.lower) && verb.pos === 'VERB')) continue;
      yield {
        start: token.end,
        end: be.end,
        replacement: '',
        explanation: `“${verb.lower}” is a verb of its own and takes no “be”.`,
      };
    }
  },
};

/** Whether a word is a verb rather than a noun: books write "to" before it far more often than "a". */
export const isMostlyVerb = (base: string): boolean =>
  frequency(base) > 3_000_000 &&
  pairFrequency('to', base) > 30_000_000 &&
  pairFrequency('to', base) > 20 * (pairFrequency('a', base) + pairFrequency('an', base));

/** "Both of them likes to read": several. */
export const ofThemMany: Rule = {
  id: 'of-them-many',
  kind: 'agreement',
  words: 'of',
  fixes: { 'Both of them likes to read.': 'Both of them like to read.' },
  leaves: ['A lot of people want a garden.', 'A lot of the snow has melted.'],
  *find(sentence) {
    const [first, preposition, them, verb, next] = sentence;
    if (
      !isOne(first, words('both many most some all few several')) ||
      preposition?.lower !== 'of' ||
      !isOne(them, words('them us you'))
    )
      return;
    if (!isWord(verb)) return;
    const help: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have', does: 'do' };
    const right = Object.hasOwn(help, verb.lower) ? help[verb.lower] : baseOf(verb.lower);
    if (right === undefined) return;
    // "Some of it", "all of us": of several people in any case.
    const plain = verb.pos === 'VERB' && verb.lower === thirdPerson(right) && isCommon(right);
    if (!(Object.hasOwn(help, verb.lower) || plain) || next === undefined) return;
    yield replace(verb, verb, right, `“${first?.text} of ${them?.text}” are several, and the verb agrees with them.`);
  },
};

/** "Let me knows": the base form follows "let" and whom it lets. */
export const baseAfterLet: Rule = {
  id: 'base-after-let',
  kind: 'verb_form',
  words: 'let',
  fixes: { 'Please let me knows if it is fine.': 'Please let me know if it is fine.' },
  leaves: ['Let me know whether Thursday works for you.', 'She made me laugh and let me win.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const verb = sentence[i + 2];
      if (token.lower !== 'let' || token.locked || !isOne(sentence[i + 1], OBJECT_PRONOUNS)) continue;
      const base = baseOf(verb?.lower ?? '');
      if (!isWord(verb) || verb.pos !== 'VERB' || verb.lower !== thirdPerson(base) || !isCommon(base)) continue;
      yield replace(verb, verb, base, `After “let” the base form “${base}” follows.`);
    }
  },
};
