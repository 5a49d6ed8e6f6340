import { baseOf, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { type Found, isOne, isWord, MODALS, type Rule, type Sentence, words } from './rule.ts';

const SUBJECTS = words('i you we they he she');
const CLAUSE = words('if because when while before after although');
const HELP = words('am is are was were can could will would should must have do does did');

/** "Where I can buy a ticket?", "Why you didn't call?": in a question the helping verb stands before the subject. */
export const wordOrder: Rule = {
  id: 'word-order',
  kind: 'grammar',
  words: '?',
  fixes: { "Why you didn't call me?": "Why didn't you call me?" },
  leaves: ['When will they tell us where we are going?', 'Why they have left, who can say?'],
  *find(sentence) {
    const [first] = sentence;
    if (sentence.at(-1)?.text !== '?' || !isOne(first, words('where when why how what which'))) return;
    const isHow = first?.lower === 'how' && isOne(sentence[1], words('long often much many far old'));
    const named = first?.lower === 'which' && sentence[1]?.pos === 'NOUN';
    const index = isHow || named || (first?.lower === 'what' && sentence[1]?.lower === 'time') ? 2 : 1;
    const subject = sentence[index];
    const help = sentence[index + 1];
    if (!isOne(subject, SUBJECTS) || !isOne(help, HELP) || subject === undefined || help === undefined || !help.spaced)
      return;
    const not = sentence[index + 2]?.lower === "n't" ? sentence[index + 2] : undefined;
    // In "Why you did it?" without "not" the word is the main verb.
    if (/^(?:do|does|did)$/.test(help.lower) && not === undefined) return;
    const after = sentence.slice(not === undefined ? index + 2 : index + 3);
    const clause = after.findIndex(
      (word, at) =>
        at > 0 && (CLAUSE.has(word.lower) || (word.text === ',' && isOne(after[at + 1], words('and or but')))),
    );
    const rest = clause < 0 ? after : after.slice(0, clause);
    // "What you are is clear?"
    const [verb, ...others] = rest;
    const asks = verb?.pos === 'VERB' && !others.some(({ pos }, at) => pos === 'VERB' && rest[at]?.lower !== 'to');
    if (first?.lower === 'what' && index === 1 && !asks) return;
    if (rest.some((word) => (word.pos === 'AUX' && word.lower !== 'been') || word.text === ',')) return;
    yield {
      start: subject.start,
      end: (not ?? help).end,
      replacement: `${help.lower}${not?.text ?? ''} ${subject.text}`,
      explanation: `In a question “${help.text}${not?.text ?? ''}” stands before “${subject.text}”.`,
    };
  },
};

/** Words of denial that a sentence begins with; after them the helping verb stands before the subject. */
const DENIALS: readonly string[] =
  'never|never before|never again|never in my life|never in her life|never in his life|rarely|seldom|hardly|scarcely|no sooner|under no circumstances|in no way|at no time|not until midnight|not once'.split(
    '|',
  );
const HELPING = words('have has had will would can could should must am is are was were do does did');

/** "Never I have seen": after a denial at the beginning a sentence has the order of a question. */
export const orderAfterDenial: Rule = {
  id: 'order-after-denial',
  kind: 'grammar',
  words: 'never rarely seldom hardly scarcely no not',
  fixes: { 'Never I have seen so many stars.': 'Never have I seen so many stars.' },
  leaves: ['Never mind what I have said.', 'Hardly anyone I have met knew it.'],
  *find(sentence) {
    const length = [5, 4, 3, 2, 1].find((count) => DENIALS.includes(textOf(sentence.slice(0, count)).toLowerCase()));
    const [subject, help] = length === undefined ? [] : sentence.slice(length, length + 2);
    if (
      !isOne(subject, PRONOUNS) ||
      !isOne(help, HELPING) ||
      subject === undefined ||
      help === undefined ||
      !help.spaced
    )
      return;
    yield {
      start: subject.start,
      end: help.end,
      replacement: `${help.lower} ${subject.text}`,
      explanation: `After “${textOf(sentence.slice(0, length))}” at the beginning “${help.text}” stands before “${subject.text}”.`,
    };
  },
};

const ASKING = words(
  'ask asked asks asking know knows wonder wondered wondering tell told explain explained show showed understand see remember sure idea decide',
);
const PRONOUNS = words('i you he she it we they');
const PERSONS = words('me us him her them you');

/** The last token of the subject that begins at `index`: a pronoun, or a noun with its determiner. */
function subjectEnd(sentence: Sentence, index: number, asksVerb: boolean): number | undefined {
  if (isOne(sentence[index], PRONOUNS)) return index;
  if (isOne(sentence[index], words('this that')) && /^[.,;?!]$/.test(sentence[index + 1]?.text ?? '.')) return index;
  const start = skipDeterminer(sentence, index);
  // "the other one".
  if (start > index && isOne(sentence[start], words('other second first next')) && sentence[start + 1]?.lower === 'one')
    return start + 1;
  const end = start === index ? undefined : nounPhraseEnd(sentence, start);
  if (end === undefined) return undefined;
  // In "does the printer work?" the tagger takes the verb for a noun.
  const isVerb = asksVerb && end > start && /^[.,;?!]$/.test(sentence[end + 1]?.text ?? '.');
  const last = isVerb ? end - 1 : end;
  return last > start + 1 || sentence[last]?.pos !== 'NOUN' ? undefined : last;
}

const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');

/** Corrects "She asked me where was the station" and "tell me how does it work" to the order of a statement. */
export const reportedQuestion: Rule = {
  id: 'reported-question',
  kind: 'grammar',
  words: 'where what when how why who if whether which',
  fixes: { 'I wonder what is this.': 'I wonder what this is.' },
  leaves: ['"Where is the bank?" she asked.', 'Nor do I know how old he is.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, words('where what when how why who if whether which')) || token.locked) continue;
      const to = sentence[i - 2]?.lower === 'to' && isOne(sentence[i - 1], PERSONS);
      const asking = to ? sentence[i - 3] : isOne(sentence[i - 1], PERSONS) ? sentence[i - 2] : sentence[i - 1];
      if (!isOne(asking, ASKING)) continue;
      const more =
        (token.lower === 'what' && sentence[i + 1]?.lower === 'time') ||
        (token.lower === 'how' && isOne(sentence[i + 1], words('much many long often far old')));
      const index = more && !/^(?:NOUN|ADJ)$/.test(sentence[i + 2]?.pos ?? '') ? i + 2 : thingEnd(sentence, i);
      const help = sentence[index];
      const asksVerb = isOne(help, words('do does did'));
      const end = subjectEnd(sentence, index + 1, asksVerb);
      if (!isWord(help) || end === undefined || sentence.slice(index, end + 1).some(({ locked }) => locked)) continue;
      if (index > i + 1 && !more && !asksVerb) continue;
      const works =
        isOne(token, words('how where')) &&
        help.pos === 'VERB' &&
        help.lower === thirdPerson(baseOf(help.lower)) &&
        /^[.?!]$/.test(sentence[end + 1]?.text ?? '.');
      const found = works
        ? behindSubject(sentence, index, end)
        : /^(?:is|are|was|were)$/.test(help.lower)
          ? withBe(sentence, index, end)
          : asksVerb
            ? withoutDo(sentence, index, end)
            : isOne(help, MODALS) && isBase(sentence[end + 1])
              ? behindSubject(sentence, index, end)
              : undefined;
      if (found !== undefined) yield found;
    }
  },
};

/** Where what is asked about ends: “which bus”, “how many people”, “what kind of bread”. */
function thingEnd(sentence: Sentence, at: number): number {
  const many = sentence[at]?.lower === 'how' && isOne(sentence[at + 1], words('many much'));
  if (!many && !isOne(sentence[at], words('what which'))) return at + 1;
  const first = nounPhraseEnd(sentence, many ? at + 2 : at + 1);
  const end = first !== undefined && sentence[first + 1]?.lower === 'of' ? nounPhraseEnd(sentence, first + 2) : first;
  return (end ?? at) + 1;
}

function withBe(sentence: Sentence, index: number, end: number): Found | undefined {
  const next = sentence[end + 1];
  const goesOn = next?.pos === 'VERB' && next.lower.endsWith('ing');
  if (
    sentence[end]?.lower === 'matter' ||
    (next !== undefined && !goesOn && !/^(?:[.,;?!]|and|but|because|so|now|from|about|like|for)$/.test(next.lower))
  )
    return undefined;
  return behindSubject(sentence, index, end);
}

const isBase = (token: Token | undefined): boolean =>
  isWord(token) && /^(?:VERB|AUX)$/.test(token.pos) && baseOf(token.lower) === token.lower;

/** "when will my order" → "when my order will". */
function behindSubject(sentence: Sentence, index: number, end: number): Found {
  const help = sentence[index] as Token;
  const last = sentence[end] as Token;
  const phrase = textOf(sentence.slice(index + 1, end + 1));
  const replacement = `${phrase} ${help.lower}`;
  return { start: help.start, end: last.end, replacement, explanation: orderOf(replacement) };
}

function withoutDo(sentence: Sentence, index: number, end: number): Found | undefined {
  const help = sentence[index] as Token;
  const verb = sentence[end + 1];
  const last = sentence[end] as Token;
  if (!isWord(verb) || !/^(?:VERB|NOUN)$/.test(verb.pos) || baseOf(verb.lower) !== verb.lower) return undefined;
  if (frequency(verb.lower) < 200_000 || (verb.pos === 'NOUN' && !/^[.,;?!]$/.test(sentence[end + 2]?.text ?? '.')))
    return undefined;
  const form = help.lower === 'did' ? past(verb.lower) : help.lower === 'does' ? thirdPerson(verb.lower) : verb.lower;
  const replacement = `${textOf(sentence.slice(index + 1, end + 1))} ${form}`;
  if (last.locked) return undefined;
  return { start: help.start, end: verb.end, replacement, explanation: orderOf(replacement) };
}

const orderOf = (phrase: string): string => `What someone asks or knows has the order of a statement: “${phrase}”.`;
