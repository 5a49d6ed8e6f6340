import { baseOf, gerund, isPlural, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { EITHER_NUMBER, finite, helpingForms, PEOPLE } from './number.ts';
import { isOne, isWord, MODALS, type Rule, replace, type Sentence, words } from './rule.ts';

const ASKING = words('where when why how what who which whose');
const NOMINATIVES = words('i you he she it we they');

const MORE_ASKED = /^(?:NOUN|NUM|ADJ|ADV)$/;

interface Question {
  readonly help: Token;
  /** The last token of the subject. */
  readonly end: number;
  readonly subject: Token;
  readonly several: boolean;
}

/** A question's helping verb and the subject behind it; undefined where the sentence is no plain question. */
function readQuestion(sentence: Sentence): Question | undefined {
  if (sentence.at(-1)?.text !== '?') return undefined;
  let at = isOne(sentence[0], ASKING) ? 1 : 0;
  // "Which one do you", "How often does she": up to two words more.
  while (
    at > 0 &&
    at < 3 &&
    helpingForms(sentence[at]?.lower ?? '') === undefined &&
    MORE_ASKED.test(sentence[at]?.pos ?? '')
  )
    at += 1;
  const help = sentence[at];
  if (!isWord(help) || !(helpingForms(help.lower) !== undefined || help.lower === 'did' || MODALS.has(help.lower)))
    return undefined;
  let from = at + 1;
  if (sentence[from]?.lower === "n't") from += 1;
  const pronoun = sentence[from];
  if (isOne(pronoun, NOMINATIVES) && pronoun !== undefined)
    return { help, end: from, subject: pronoun, several: /^(?:you|we|they)$/.test(pronoun.lower) };
  const start = skipDeterminer(sentence, from);
  let end = nounPhraseEnd(sentence, start);
  if (start === from || end === undefined) return undefined;
  // In "your parents lives" the tagger takes the verb for a noun.
  if (end > start && isPlural((sentence[end - 1] as Token).lower) && isPlural((sentence[end] as Token).lower)) end -= 1;
  const subject = sentence[end] as Token;
  if (EITHER_NUMBER.has(subject.lower)) return undefined;
  return { help, end, subject, several: isPlural(subject.lower) || PEOPLE.has(subject.lower) };
}

/** "Where does your parents live?", "Was you there?": the verb of a question agrees with the subject behind it. */
export const questionAgreement: Rule = function* (sentence) {
  const question = readQuestion(sentence);
  if (question === undefined) return;
  const { help, subject, several } = question;
  const forms = helpingForms(help.lower);
  const first = subject.lower === 'i';
  if (forms === undefined || !(several || first) || help.lower !== forms[0] || (first && help.lower === 'was')) return;
  const right = first && help.lower === 'is' ? 'am' : forms[1];
  yield replace(help, help, right, 'agreement', `“${subject.text}” takes “${right}”.`);
};

/** Corrects "Who want to come?", because "who" takes a singular verb. */
export const whoInQuestion: Rule = function* (sentence) {
  const [who, verb, next] = sentence;
  const found = finite(verb);
  if (who?.lower !== 'who' || verb === undefined || found === undefined || found.clear || sentence.at(-1)?.text !== '?')
    return;
  if (found.number === 'one' || !/^(?:PART|DET|PRON|ADP)$/.test(next?.pos ?? '')) return;
  yield replace(verb, verb, found.one, 'agreement', `“who” takes “${found.one}”.`);
};

/** "Does she likes it?", "Could you told me?": the base form after the subject of a question. */
export const baseInQuestion: Rule = function* (sentence) {
  const question = readQuestion(sentence);
  if (
    question === undefined ||
    !/^(?:do|does|did)$|^(?:can|could|will|would|should|may|must|shall)$/.test(question.help.lower)
  )
    return;
  const verb = sentence[question.end + 1];
  if (!isWord(verb) || !/^(?:VERB|NOUN|AUX)$/.test(verb.pos) || /^(?:left|like|need|better)$/.test(verb.lower)) return;
  // "Do you guys sell it?"
  if (/^(?:guys|folks|boys|girls|kids|ladies|gentlemen|fellows|lads)$/.test(verb.lower)) return;
  const base = baseOf(verb.lower);
  if (base === verb.lower || base === 'be' || frequency(base) < 3_000_000 || /ing$/.test(verb.lower)) return;
  if (verb.pos === 'NOUN' && verb.lower !== thirdPerson(base)) return;
  if (verb.lower !== thirdPerson(base) && verb.lower !== past(base)) return;
  yield replace(verb, verb, base, 'verb_form', `“${question.help.text}” is followed by the base form “${base}”.`);
};

/** "How much cost this ticket?" → "How much does this ticket cost?" */
export const helpInQuestion: Rule = function* (sentence) {
  const [how, much, verb] = sentence;
  if (how?.lower !== 'how' || much?.lower !== 'much' || !isOne(verb, words('cost costs')) || verb === undefined) return;
  const start = skipDeterminer(sentence, 3);
  const end = nounPhraseEnd(sentence, start);
  const mark = sentence.at(-1);
  if (start === 3 || end === undefined || mark?.text !== '?' || end !== sentence.length - 2) return;
  const phrase = sentence.slice(3, end + 1);
  if (phrase.some((token) => token.locked)) return;
  const several = isPlural((sentence[end] as Token).lower);
  const help = several ? 'do' : 'does';
  const thing = phrase.map(({ text }) => text).join(' ');
  yield {
    start: verb.start,
    end: (sentence[end] as Token).end,
    replacement: `${help} ${thing} cost`,
    kind: 'grammar',
    explanation: `A question takes “${help}” before its subject, and the verb behind it.`,
  };
};

const WANTING = words('want wants wanted');
const OBJECT_OF: Readonly<Record<string, string>> = {
  i: 'me',
  you: 'you',
  he: 'him',
  she: 'her',
  it: 'it',
  we: 'us',
  they: 'them',
};

/** "I want that you help me" → "I want you to help me". */
export const wantSomeoneTo: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const [that, person, verb] = sentence.slice(i + 1, i + 4);
    if (!isOne(token, WANTING) || that?.lower !== 'that' || that.locked || !isOne(person, NOMINATIVES) || !isWord(verb))
      continue;
    if (!/^(?:VERB|AUX)$/.test(verb.pos)) continue;
    const base = /^(?:am|is|are|was|were)$/.test(verb.lower) ? 'be' : baseOf(verb.lower);
    if (MODALS.has(verb.lower) || gerund(base) === verb.lower || sentence[i + 4]?.lower === "n't") continue;
    const replacement = `${OBJECT_OF[person?.lower ?? ''] ?? ''} to ${base}`;
    yield {
      start: that.start,
      end: verb.end,
      replacement,
      kind: 'verb_form',
      explanation: `“${token.text}” is followed by the person, “to” and the verb.`,
    };
  }
};
