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

/** "Where does your parents live?", "Was you there?": the verb of a question agrees with the subject behind it. */
export const questionAgreement: Rule = {
  id: 'question-agreement',
  kind: 'agreement',
  words: '?',
  fixes: {},
  leaves: [],
  *find(sentence) {
    const question = readQuestion(sentence);
    if (question === undefined) return;
    const { help, subject, several } = question;
    const forms = helpingForms(help.lower);
    const first = subject.lower === 'i';
    if (forms === undefined || !(several || first) || help.lower !== forms[0] || (first && help.lower === 'was'))
      return;
    const right = first && help.lower === 'is' ? 'am' : forms[1];
    yield replace(help, help, right, `“${subject.text}” takes “${right}”.`);
  },
};

/** Corrects "Who want to come?", because "who" takes a singular verb. */
export const whoInQuestion: Rule = {
  id: 'who-in-question',
  kind: 'agreement',
  words: 'who',
  fixes: {},
  leaves: [],
  *find(sentence) {
    const [who, verb, next] = sentence;
    const found = finite(verb);
    if (who?.lower !== 'who' || verb === undefined || found === undefined || sentence.at(-1)?.text !== '?') return;
    if (found.clear && !(verb.lower === 'have' && next?.lower === 'to')) return;
    if (found.number === 'one' || !/^(?:PART|DET|PRON|ADP)$/.test(next?.pos ?? '')) return;
    yield replace(verb, verb, found.one, `“who” takes “${found.one}”.`);
  },
};

/** "Does she likes it?", "Could you told me?": the base form after the subject of a question. */
export const baseInQuestion: Rule = {
  id: 'base-in-question',
  kind: 'verb_form',
  words: '?',
  fixes: {},
  leaves: [],
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
  fixes: {},
  leaves: [],
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

/** Whether these words have a verb of their own, so that what stands before them is no question. */
const hasOtherVerb = (rest: readonly Token[]): boolean =>
  rest.some(
    (token, at) =>
      token.pos === 'AUX' ||
      (token.pos === 'VERB' && rest[at - 1]?.lower !== 'to' && !/ing$/.test(token.lower)) ||
      isOne(token, words('that which who if because when while until before after and or but')),
  );

/** "Where you live?" → "Where do you live?", "Why the train is late?" → "Why is the train late?" */
export const statementInQuestion: Rule = {
  id: 'statement-in-question',
  kind: 'verb_form',
  words: '?',
  fixes: {},
  leaves: [],
  *find(sentence) {
    const index = afterAsking(sentence);
    if (index === undefined) return;
    const pronoun = isOne(sentence[index], NOMINATIVES) ? (sentence[index] as Token) : undefined;
    // "Why the price increases?" may ask about the increases.
    const phrase = pronoun === undefined ? phraseAt(sentence, index, sentence[0]?.lower !== 'why') : undefined;
    // "What the owner wants?" may be the beginning of "what the owner wants is".
    if (sentence[0]?.lower === 'what' && index === 1 && (pronoun === undefined || pronoun.lower === 'i')) return;
    const end = pronoun === undefined ? phrase?.end : index;
    if (end === undefined) return;
    const verb = sentence[end + 1];
    const rest = sentence.slice(end + 2, -1);
    const subject = sentence.slice(index, end + 1);
    if (!isWord(verb) || !isPlainText([...subject, verb])) return;
    const helps = MODALS.has(verb.lower) || isOne(verb, words('have has had'));
    if (hasOtherVerb(helps && rest[0]?.pos === 'VERB' ? rest.slice(1) : rest)) return;
    const several = pronoun === undefined ? phrase?.several === true : /^(?:i|you|we|they)$/.test(pronoun.lower);
    const edit = (replacement: string, help: string) => ({
      start: (subject[0] as Token).start,
      end: verb.end,
      replacement,
      kind: 'grammar' as const,
      explanation: `In a question “${help}” stands before the subject.`,
    });
    if (isOne(verb, words('is are was were')) || (helps && rest[0]?.pos === 'VERB')) {
      if (pronoun === undefined) yield edit(`${verb.text} ${joined(subject)}`, verb.text);
      return;
    }
    if (helps || verb.lower === 'am') return;
    const base = baseOf(verb.lower);
    const inPast = pronoun !== undefined && past(base) === verb.lower && base !== verb.lower;
    if (!inPast && finite(verb, rest[0]) === undefined && (pronoun !== undefined || verb.lower !== thirdPerson(base)))
      return;
    const help = inPast ? 'did' : several ? 'do' : 'does';
    yield edit(`${help} ${joined(subject)} ${base}`, help);
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
  fixes: {},
  leaves: [],
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

const POSITIVE = words('am is are was were have has had can could will would should must do does did');

/** The words of a tag that ask about a statement, as "don't you" about "You like coffee". */
function tagOf(subject: Token, verb: Token, negative: boolean): string | undefined {
  const { lower, pos } = verb;
  const base = baseOf(lower);
  const single = isOne(subject, words('he she it'));
  let help = POSITIVE.has(lower) && !/^(?:have|has|had|do|does|did)$/.test(lower) ? lower : undefined;
  if (help === undefined && pos === 'VERB')
    help = lower === base ? 'do' : lower === past(base) ? 'did' : single ? 'does' : undefined;
  if (help === undefined || (help === 'do' && single)) return undefined;
  const who = subject.lower === 'i' ? 'I' : subject.lower;
  if (negative) return `${help} ${who}`;
  if (help === 'am') return "aren't I";
  return `${help === 'will' ? 'wo' : help === 'can' ? 'ca' : help}n't ${who}`;
}

/** "You like coffee, isn't it?": the question at the end is about the subject and verb of its statement. */
export const tagQuestion: Rule = {
  id: 'tag-question',
  kind: 'grammar',
  words: '?',
  fixes: {},
  leaves: [],
  *find(sentence) {
    const end = sentence.length - 1;
    const [comma, is, not, it] = sentence.slice(end - 4, end);
    const [subject, verb] = sentence;
    if (comma?.text !== ',' || is?.lower !== 'is' || not?.lower !== "n't" || it?.lower !== 'it') return;
    if (!isOne(subject, words('i you he she we they')) || !isWord(verb) || sentence[end]?.text !== '?') return;
    // "I hear that your book is out, isn't it?"
    const between = sentence.slice(2, end - 4);
    if (between.some((token) => token.pos === 'AUX' || isOne(token, words('and but that because if when , & what'))))
      return;
    const negative = isOne(sentence[2], words("n't not never"));
    const right = subject === undefined ? undefined : tagOf(subject, verb, negative);
    if (right === undefined) return;
    const explanation = `The question at the end asks about “${subject?.text} ${verb.text}”: “${right}”.`;
    yield { start: is.start, end: it.end, replacement: right, explanation };
  },
};
