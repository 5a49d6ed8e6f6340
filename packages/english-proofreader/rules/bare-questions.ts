import { baseOf, isPlural, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { isGivenName } from './person-names.ts';
import { type Found, isOne, isWord, type Rule, type Sentence, SUBJECT_PRONOUNS, words } from './rule.ts';

const ASKING = words('where why how what when');
/** Words that a question of how much or when begins with beside the asking word. */
const AMOUNTS = words('much many long often far old time kind sort color colour');

/** Where the subject of a question ends, and whether it is several. */
function subjectEnd(sentence: Sentence, from: number): { readonly end: number; readonly several: boolean } | undefined {
  const token = sentence[from];
  if (isOne(token, SUBJECT_PRONOUNS)) return { end: from, several: /^(?:i|you|we|they)$/.test(token?.lower ?? '') };
  if (isGivenName(token)) return { end: from, several: false };
  const start = skipDeterminer(sentence, from);
  let end = start === from ? undefined : nounPhraseEnd(sentence, start);
  if (end === undefined) return undefined;
  // "the train leaves": the tagger takes the verb for a noun.
  if (end > start && isVerb(sentence[end]) && /^[?]$|^(?:to|at|in|on)$/.test(sentence[end + 1]?.text ?? '?')) end -= 1;
  return { end, several: isPlural(sentence[end]?.lower ?? '') };
}

const isVerb = (token: Token | undefined): boolean => {
  const base = baseOf(token?.lower ?? '');
  return isWord(token) && frequency(base) > 5_000_000 && token.lower === thirdPerson(base);
};

/** "Where you live?", "How much it costs?", "What means this word?": a question takes “do”. */
export const questionWithDo: Rule = {
  id: 'question-with-do',
  kind: 'grammar',
  words: '?',
  fixes: {
    'Where you live?': 'Where do you live?',
    'How much it costs?': 'How much does it cost?',
    'What means this word?': 'What does this word mean?',
  },
  leaves: [
    'How come you know him?',
    'What a nice day it was?',
    'What you see is what you get?',
    'Why wait?',
    'Why the price increases?',
  ],
  *find(sentence) {
    const [first] = sentence;
    const open = sentence.findIndex(({ text }) => text === '?');
    if (
      open !== sentence.length - 1 ||
      !isOne(first, ASKING) ||
      sentence.some(({ pos, text }) => pos === 'AUX' || text === ',')
    )
      return;
    if (isOne(sentence[1], words('means mean')) && first?.lower === 'what') yield* meaning(sentence, 1, open);
    if (isOne(sentence[2], words('costs cost')) && isOne(sentence[1], words('much'))) yield* meaning(sentence, 2, open);
    let from = 1;
    while (from < 3 && isOne(sentence[from], AMOUNTS)) from += 1;
    // "How many chairs we need?"
    if (from > 1 && isPlural(sentence[from]?.lower ?? '') && isOne(sentence[from + 1], SUBJECT_PRONOUNS)) from += 1;
    // "How many people live here?": the subject itself.
    if (
      from > 1 &&
      sentence[from - 1]?.lower !== 'time' &&
      !isOne(sentence[from], SUBJECT_PRONOUNS) &&
      sentence[from]?.pos !== 'DET'
    )
      return;
    // “Why the price increases?” may be the title of a text.
    if (from === 1 && isOne(first, words('why how')) && !isOne(sentence[from], SUBJECT_PRONOUNS)) return;
    const subject = subjectEnd(sentence, from);
    const verb = sentence[(subject?.end ?? 0) + 1];
    if (subject === undefined || !isWord(verb) || !(verb.pos === 'VERB' || isVerb(verb))) return;
    const base = baseOf(verb.lower);
    const isPast = verb.lower === past(base) && base !== verb.lower;
    if (frequency(base) < 3_000_000 || base === 'be' || /^(?:come|about|dare)$/.test(base + sentence[1]?.lower)) return;
    if (!isPast && verb.lower !== base && verb.lower !== thirdPerson(base)) return;
    if (
      sentence
        .slice(subject.end + 2)
        .some(
          ({ pos, lower }, n) =>
            pos === 'VERB' &&
            !/^(?:to|and)$/.test(sentence[subject.end + 1 + n]?.lower ?? '') &&
            !lower.endsWith('ing'),
        )
    )
      return;
    const help = isPast ? 'did' : subject.several ? 'do' : 'does';
    const said = sentence
      .slice(from, subject.end + 1)
      .map(({ text }) => text)
      .join(' ');
    yield {
      start: (sentence[from] as Token).start,
      end: verb.end,
      replacement: `${help} ${said} ${base}`,
      explanation: `A question takes “${help}” before “${said}”.`,
    };
  },
};

/** "What means this word?", "How much costs a ticket?" */
function* meaning(sentence: Sentence, at: number, end: number): Generator<Found> {
  const verb = sentence[at] as Token;
  const thing = sentence.slice(at + 1, end);
  const last = thing.at(-1);
  if (last === undefined || !thing.every((token) => isWord(token) && /^(?:DET|PRON|ADJ|NOUN)$/.test(token.pos))) return;
  const help = isPlural(last.lower) || /^(?:these|those)$/.test(last.lower) ? 'do' : 'does';
  const said = thing.map(({ text }) => text).join(' ');
  yield {
    start: verb.start,
    end: last.end,
    replacement: `${help} ${said} ${baseOf(verb.lower)}`,
    explanation: `A question takes “${help}” before “${said}”.`,
  };
}
