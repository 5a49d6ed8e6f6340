import { baseOf } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isOne, isWord, MODALS, type Rule, replace, SUBJECT_PRONOUNS, words } from './rule.ts';

const isGerund = (token: Token | undefined): token is Token =>
  isWord(token) && token.lower.endsWith('ing') && token.pos === 'VERB' && baseOf(token.lower) !== token.lower;
const known = (base: string): boolean => base !== 'be' && frequency(base) > 3_000_000;

/** Words before a subject after which "I can" is a clause of its own: "as much as I can using …". */
const COMPLETE = words('as if than when what all whatever whenever wherever whoever best where how until before after');
const AFTER_OBJECT = /^(?:DET|PRON|ADP|ADV|PART|NOUN|PROPN|ADJ|NUM|PUNCT)$/;

/** "we can going", "you can communicating with people": the base form follows a modal. */
export const baseAfterModalNotGerund: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isOne(token, MODALS) || token.pos === 'NOUN' || !isOne(sentence[i - 1], SUBJECT_PRONOUNS)) continue;
    if (isOne(sentence[i - 2], COMPLETE)) continue;
    const at = isOne(sentence[i + 1], words("not n't also always never")) ? i + 2 : i + 1;
    const verb = sentence[at];
    if (!isGerund(verb)) continue;
    const base = baseOf(verb.lower);
    if (!known(base) || !AFTER_OBJECT.test(sentence[at + 1]?.pos ?? 'PUNCT')) continue;
    yield replace(verb, verb, base, 'verb_form', `“${token.text}” is followed by the base form “${base}”.`);
  }
};

/** Adjectives, verbs and nouns with an infinitive, after which "to" is no preposition. */
const WITH_INFINITIVE = words(
  'happy glad easy difficult hard possible impossible able unable ready important necessary pleased sad sorry free willing eager likely unlikely afraid want wants wanted need needs needed try tries tried decide decides decided hope hopes hoped like love plan plans planned manage managed learn learned learnt refuse refused offer offered promise promised agree agreed fail failed afford tend tends',
);

/** "happy to helping", "easy to cleaning": the base form follows "to" where that is no preposition. */
export const baseAfterToNotGerund: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (token.lower !== 'to' || token.locked || !isOne(sentence[i - 1], WITH_INFINITIVE)) continue;
    const verb = sentence[i + 1];
    if (!isGerund(verb)) continue;
    const base = baseOf(verb.lower);
    if (!known(base)) continue;
    yield replace(verb, verb, base, 'verb_form', `“to” is followed by the base form “${base}”.`);
  }
};

/** Verbs that name events and states and have no passive. */
const NO_PASSIVE = words('arrive happen occur begin depend exist become remain belong');

/** "will be take place", "it will be arrive": no "be" before a verb that has no passive. */
export const noBeAfterModal: Rule = function* (sentence) {
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
      kind: 'verb_form',
      explanation: `“${verb.lower}” is a verb of its own and takes no “be”.`,
    };
  }
};

/** Verbs of states, which have no continuous form. */
const STATES = words('consist belong contain');

/** "it was consisting of", "this is belonging to me": a state has no continuous form. */
export const noContinuousState: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isOne(token, words('am is are was were'))) continue;
    const verb = sentence[i + 1];
    const next = sentence[i + 2];
    if (!isWord(verb) || !verb.lower.endsWith('ing')) continue;
    const base = baseOf(verb.lower);
    const subject = sentence[i - 1];
    const knows = /^(?:know|understand)$/.test(base) && isOne(subject, words('i we they you'));
    if (!knows && !(STATES.has(base) && isOne(next, words('of to from a an the')))) continue;
    if (knows && token.lower !== 'am' && token.lower !== 'are') continue;
    const one = token.lower === 'is';
    const past = token.lower === 'was' || token.lower === 'were';
    const right = past ? `${base}ed` : one ? `${base}s` : base;
    yield replace(token, verb, right, 'verb_form', `A state is told without “${token.text}”: “${right}”.`);
  }
};
