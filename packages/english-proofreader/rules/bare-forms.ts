import { baseOf } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isOne, isWord, MODALS, type Rule, replace, SUBJECT_PRONOUNS, words } from './rule.ts';

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

/** Whether a word is a verb rather than a noun: books write "to" before it far more often than "a". */
export const isMostlyVerb = (base: string): boolean =>
  frequency(base) > 3_000_000 &&
  pairFrequency('to', base) > 30_000_000 &&
  pairFrequency('to', base) > 20 * (pairFrequency('a', base) + pairFrequency('an', base));
