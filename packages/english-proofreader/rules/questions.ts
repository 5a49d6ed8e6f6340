import { baseOf, gerund, isPlural, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { EITHER_NUMBER, helpingForms, nounNumber, PEOPLE } from './number.ts';
import { isNoun, isOne, isWord, MODALS, type Rule, replace, type Sentence, SUBJECT_PRONOUNS, words } from './rule.ts';

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
  // "Can you checks it.": a request.
  const asks = isOne(sentence[0], MODALS) && isOne(sentence[1], NOMINATIVES);
  if (sentence.at(-1)?.text !== '?' && !asks) return undefined;
  // "Good morning, could you", "One more question: does it"
  const opening =
    sentence.findIndex(
      ({ text }, at) =>
        text === ':' || (text === ',' && at < 4 && !/^(?:VERB|AUX|SCONJ)$/.test(sentence[0]?.pos ?? 'VERB')),
    ) + 1;
  let index = isOne(sentence[opening], ASKING) ? opening + 1 : opening;
  // "Which one do you", "How often does she": up to two words more.
  while (
    index > opening &&
    index < opening + 3 &&
    helpingForms(sentence[index]?.lower ?? '') === undefined &&
    MORE_ASKED.test(sentence[index]?.pos ?? '')
  )
    index += 1;
  const help = sentence[index];
  // "Who has the most apples?": no subject behind it.
  if (index === opening + 1 && isOne(sentence[opening], words('who what which')) && isOne(help, words('has have')))
    return undefined;
  if (!isWord(help) || !(helpingForms(help.lower) !== undefined || help.lower === 'did' || MODALS.has(help.lower)))
    return undefined;
  let from = index + 1;
  if (sentence[from]?.lower === "n't") from += 1;
  const pronoun = sentence[from];
  if (isOne(pronoun, NOMINATIVES) && pronoun !== undefined)
    return { help, end: from, subject: pronoun, several: /^(?:you|we|they)$/.test(pronoun.lower) };
  // "Could someone from the office takes a look?"
  if (isOne(pronoun, words('someone somebody anyone anybody')) && pronoun !== undefined) {
    const inside = isOne(sentence[from + 1], words('from in of at')) ? skipDeterminer(sentence, from + 2) : undefined;
    const last =
      inside === undefined
        ? from
        : /^(?:NOUN|PROPN)$/.test(sentence[inside]?.pos ?? '') || isOne(sentence[inside], words('it you us'))
          ? inside
          : from;
    return { help, end: last, subject: pronoun, several: false };
  }
  const start = skipDeterminer(sentence, from);
  let end = nounPhraseEnd(sentence, start);
  if (start === from || end === undefined) return undefined;
  // In "your parents lives" the tagger takes the verb for a noun.
  if (end > start && isPlural((sentence[end - 1] as Token).lower) && isPlural((sentence[end] as Token).lower)) end -= 1;
  const subject = sentence[end] as Token;
  if (EITHER_NUMBER.has(subject.lower)) return undefined;
  return { help, end, subject, several: isPlural(subject.lower) || PEOPLE.has(subject.lower) };
}

/** "Does she likes it?", "Could you told me?": the base form after the subject of a question. */
export const baseInQuestion: Rule = {
  id: 'base-in-question',
  kind: 'verb_form',
  words: '? can could will would',
  fixes: { 'Which one do you prefers?': 'Which one do you prefer?' },
  leaves: ['Could you please provide me with the information regarding the visa?'],
  *find(sentence) {
    const question = readQuestion(sentence);
    if (
      question === undefined ||
      !/^(?:do|does|did)$|^(?:can|could|will|would|should|may|must|shall)$/.test(question.help.lower)
    )
      return;
    const polite = sentence[question.end + 1]?.lower === 'please' ? 2 : 1;
    const verb = sentence[question.end + polite];
    if (!isWord(verb) || !/^(?:VERB|NOUN|AUX)$/.test(verb.pos) || /^(?:left|like|need|better)$/.test(verb.lower))
      return;
    // "Do you guys sell it?"
    if (/^(?:guys|folks|boys|girls|kids|ladies|gentlemen|fellows|lads)$/.test(verb.lower)) return;
    const base = baseOf(verb.lower);
    if (base === verb.lower || base === 'be' || frequency(base) < 3_000_000) return;
    // "Can you helping me?", but "Could you swimming?" may lack another verb.
    if (/ing$/.test(verb.lower)) {
      const asks =
        MODALS.has(question.help.lower) &&
        isOne(question.subject, NOMINATIVES) &&
        isOne(sentence[question.end + polite + 1], words('me us him them it the my our this that'));
      if (!asks || verb.lower !== gerund(base)) return;
      yield replace(verb, verb, base, `“${question.help.text}” is followed by the base form “${base}”.`);
      return;
    }
    if (verb.pos === 'NOUN' && verb.lower !== thirdPerson(base)) return;
    if (verb.lower !== thirdPerson(base) && verb.lower !== past(base)) return;
    yield replace(verb, verb, base, `“${question.help.text}” is followed by the base form “${base}”.`);
  },
};

/** "Where is my shoes?", "What is the results?": the verb of a question agrees with the subject behind it. */
export const questionAndSubject: Rule = {
  id: 'question-and-subject',
  kind: 'agreement',
  words: '?',
  fixes: { 'Where is my shoes?': 'Where are my shoes?', 'Do your mother work here?': 'Does your mother work here?' },
  leaves: ['What is the news?', 'Where is the shoes department?', 'Were your team there?', "What is my friends' plan?"],
  *find(sentence) {
    const question = readQuestion(sentence);
    if (question === undefined || SUBJECT_PRONOUNS.has(question.subject.lower)) return;
    const { help, end, subject, several } = question;
    const forms = helpingForms(help.lower);
    const next = sentence[end + 1];
    if (
      forms === undefined ||
      sentence[end]?.pos !== 'NOUN' ||
      /^['’]|^(?:and|or|of|number|-)$/.test(next?.lower ?? '')
    )
      return;
    if (nounNumber(subject.lower) === undefined || EITHER_NUMBER.has(subject.lower) || help.lower === 'were') return;
    const right = several ? forms[1] : forms[0];
    if (right === help.lower || (isOne(help, words('is are')) && isNoun(next))) return;
    yield replace(
      help,
      help,
      right,
      `“${subject.text}” ${several ? 'are several' : 'is one'}, and the verb agrees with it.`,
    );
  },
};
