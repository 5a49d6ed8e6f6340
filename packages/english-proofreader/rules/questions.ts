import { baseOf, gerund, isPlural, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { EITHER_NUMBER, helpingForms, PEOPLE } from './number.ts';
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
  let index = isOne(sentence[0], ASKING) ? 1 : 0;
  // "Which one do you", "How often does she": up to two words more.
  while (
    index > 0 &&
    index < 3 &&
    helpingForms(sentence[index]?.lower ?? '') === undefined &&
    MORE_ASKED.test(sentence[index]?.pos ?? '')
  )
    index += 1;
  const help = sentence[index];
  // "Who has the most apples?": no subject behind it.
  if (index === 1 && isOne(sentence[0], words('who what which')) && isOne(help, words('has have'))) return undefined;
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
  words: '?',
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

/** The position after the words that ask: "where", "what time", "how often"; undefined where another kind of sentence begins. */
function afterAsking(sentence: Sentence): number | undefined {
  const [first, second] = sentence;
  if (sentence.at(-1)?.text !== '?' || sentence.some((token) => /^[,;:"“”()–—]$/.test(token.text))) return undefined;
  if (isOne(first, words('where when why'))) return 1;
  if (first?.lower === 'how') return isOne(second, words('often long far much')) ? 2 : 1;
  if (first?.lower === 'what') return second?.lower === 'time' ? 2 : 1;
  return undefined;
}

const joined = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');
const isPlainText = (tokens: readonly Token[]): boolean =>
  tokens.every((token, at) => isWord(token) && (at === 0 || token.spaced));

/**
 * The phrase with a determiner that begins at `from`; with `beforeVerb` it ends before a verb that the tagger takes for a
 * noun.
 */
function phraseAt(
  sentence: Sentence,
  from: number,
  beforeVerb = false,
): { readonly end: number; readonly several: boolean } | undefined {
  if (!isOne(sentence[from], words('the this that these those my your his her its our their'))) return undefined;
  let end = nounPhraseEnd(sentence, from + 1);
  if (end === undefined) return undefined;
  const last = sentence[end] as Token;
  const noVerb = !sentence.slice(end + 1).some(({ pos }) => pos === 'VERB' || pos === 'AUX' || pos === 'NOUN');
  const isOther =
    end > from + 1 && last.lower === thirdPerson(baseOf(last.lower)) && !isPlural((sentence[end - 1] as Token).lower);
  if (beforeVerb && isOther && noVerb) end -= 1;
  const head = sentence[end] as Token;
  // "Where the hell is it?"
  return EITHER_NUMBER.has(head.lower) || isOne(head, words('hell heck fuck devil'))
    ? undefined
    : { end, several: isPlural(head.lower) || PEOPLE.has(head.lower) };
}

const VERBS_FIRST = words(
  'cost costs mean means start starts begin begins open opens close closes live lives work works',
);

/** "How much cost this ticket?" → "How much does this ticket cost?", "What means this word?" → "What does this word mean?" */
export const helpInQuestion: Rule = {
  id: 'help-in-question',
  kind: 'grammar',
  words: '?',
  fixes: { 'What means this word?': 'What does this word mean?' },
  leaves: ['We had many fun days. So, what means the most to you?', 'What time does it start?'],
  *find(sentence) {
    const index = afterAsking(sentence);
    const verb = sentence[index ?? 0];
    if (index === undefined || verb === undefined || !isOne(verb, VERBS_FIRST)) return;
    if (sentence[0]?.lower === 'what' && index === 1 && baseOf(verb.lower) !== 'mean') return;
    const phrase = phraseAt(sentence, index + 1);
    if (phrase === undefined || phrase.end !== sentence.length - 2) return;
    const thing = sentence.slice(index + 1, phrase.end + 1);
    if (!isPlainText(thing)) return;
    const help = phrase.several ? 'do' : 'does';
    yield {
      start: verb.start,
      end: (thing.at(-1) as Token).end,
      replacement: `${help} ${joined(thing)} ${baseOf(verb.lower)}`,
      explanation: `A question takes “${help}” before its subject, and the verb behind it.`,
    };
  },
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
export const wantSomeoneTo: Rule = {
  id: 'want-someone-to',
  kind: 'verb_form',
  words: 'want wants wanted',
  fixes: { 'I want that you help me.': 'I want you to help me.' },
  leaves: ['They want to introduce me to the team.', "I don't want to bore you."],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const [that, person, verb] = sentence.slice(i + 1, i + 4);
      if (
        !isOne(token, WANTING) ||
        that?.lower !== 'that' ||
        that.locked ||
        !isOne(person, NOMINATIVES) ||
        !isWord(verb)
      )
        continue;
      if (!/^(?:VERB|AUX)$/.test(verb.pos)) continue;
      const base = /^(?:am|is|are|was|were)$/.test(verb.lower) ? 'be' : baseOf(verb.lower);
      if (MODALS.has(verb.lower) || gerund(base) === verb.lower || sentence[i + 4]?.lower === "n't") continue;
      const replacement = `${OBJECT_OF[person?.lower ?? ''] ?? ''} to ${base}`;
      yield {
        start: that.start,
        end: verb.end,
        replacement,
        explanation: `“${token.text}” is followed by the person, “to” and the verb.`,
      };
    }
  },
};
