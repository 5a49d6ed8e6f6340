import { baseOf, participle, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isOne, isWord, type Rule, replace, type Sentence, skipAdverbs, words } from './rule.ts';
import { pastTimes } from './times.ts';

/** Deeds of a moment, which are not told as lasting until now. */
const DEEDS = words(
  'go come tell ask call phone stay play eat drink buy sell take give get meet see find make send write leave arrive start stop begin finish open close walk run drive sit visit watch cook pay lose win break fall catch bring decide turn enter talk speak answer invite order choose forget sleep wake swim dance sing laugh cry return pick check receive contact cancel wait',
);
const PRONOUNS = words('i he she we they');

const isPast = ({ lower }: Token): boolean => {
  const base = baseOf(lower);
  return base !== lower && lower === past(base) && frequency(base) > 3_000_000;
};
/** Whether the word is a past that is no participle as well: "drank", "went". */
const isOnlyPast = (token: Token): boolean => isPast(token) && participle(baseOf(token.lower)) !== token.lower;

/** The past of a deed that is told in the present here; undefined for any other word. */
function pastOfDeed(token: Token | undefined): string | undefined {
  if (!isWord(token) || token.text !== token.lower) return undefined;
  const base = baseOf(token.lower);
  if (!DEEDS.has(base) || past(base) === base || isPast(token)) return undefined;
  return token.lower === base || token.lower === thirdPerson(base) ? past(base) : undefined;
}

/** Whether words before `end` tell of the past with a subject of their own: "it was raining", "we missed the bus". */
function tellsPast(sentence: Sentence, end: number): boolean {
  return sentence.slice(0, end).some((token, at) => {
    const before = sentence[at - 1];
    if (before === undefined || !/^(?:PRON|NOUN|PROPN)$/.test(before.pos)) return false;
    return isOne(token, words('was were had')) || (token.pos === 'VERB' && isPast(token));
  });
}

const JOINS = words('so and but because then until');
/** What makes another time possible. */
const OTHER = words(
  'if always usually never often sometimes every now will would can could may might must should today when whenever do does did that who which to',
);

/** Corrects "Last weekend it was raining, so we stay inside", where the sentence names a finished time or its clause tells of one. */
export const pastInNextClause: Rule = {
  id: 'past-in-next-clause',
  kind: 'verb_form',
  fixes: {},
  leaves: [],
  *find(sentence, context) {
    const timed = pastTimes(sentence).length > 0;
    for (const [i, token] of sentence.entries()) {
      const subject = sentence[i + 1];
      if (!isOne(token, JOINS) || !isOne(subject, PRONOUNS) || i < 3) continue;
      const index = skipAdverbs(sentence, i + 2);
      const verb = sentence[index];
      const right = pastOfDeed(verb);
      if (verb === undefined || right === undefined || !tellsPast(sentence, i)) continue;
      // "I was so happy that I call her" names no time, but neither does it name another.
      const inPast =
        timed ||
        (token.lower === 'so' &&
          sentence.slice(0, i).some((word) => isOne(word, words('was were'))) &&
          context.tense(verb)?.tense === 'past');
      if (
        !inPast ||
        sentence.some((word) => isOne(word, words('now today usually every always never often sometimes still'))) ||
        sentence.slice(0, index).some((word) => isOne(word, OTHER))
      )
        continue;
      yield replace(verb, verb, right, inPastBecause(right));
      const and = sentence.findIndex((word, place) => place > index && (word.lower === 'and' || word.pos === 'PUNCT'));
      const joined = sentence[and + 1];
      const also = pastOfDeed(joined);
      if (
        sentence[and]?.lower === 'and' &&
        joined !== undefined &&
        also !== undefined &&
        /^(?:DET|PRON|ADP|NOUN|ADV)$/.test(sentence[and + 2]?.pos ?? '')
      )
        yield replace(joined, joined, also, inPastBecause(also));
    }
  },
};

const inPastBecause = (right: string): string => `The sentence tells what happened, so the past “${right}” fits.`;

/** "We sat down, drank coffee and talk about it": the third of three joined verbs has the form of the others. */
export const lastOfThree: Rule = {
  id: 'last-of-three',
  kind: 'verb_form',
  words: 'and',
  fixes: {},
  leaves: [],
  *find(sentence) {
    const comma = sentence.findIndex((token) => token.text === ',');
    const second = sentence[comma + 1];
    if (comma < 2 || !isWord(second) || !(isOnlyPast(second) || (second.pos === 'VERB' && isPast(second)))) return;
    const start = sentence.findIndex((token) => isOne(token, PRONOUNS));
    const first = sentence[skipAdverbs(sentence, start + 1)];
    if (start < 0 || start > 3 || !isWord(first) || !isPast(first) || first.start > (sentence[comma] as Token).start)
      return;
    const and = sentence.findIndex((token, at) => at > comma + 1 && token.lower === 'and');
    const at = and + 1;
    const verb = sentence[at];
    const next = sentence[at + 1];
    if (and < 0 || !isWord(verb) || next === undefined || !/^(?:ADP|DET|PRON|ADV)$/.test(next.pos)) return;
    if (sentence.slice(0, and).some((word) => isOne(word, OTHER) || word.pos === 'AUX')) return;
    const right = pastOfDeed(verb);
    if (right === undefined) return;
    yield replace(
      verb,
      verb,
      right,
      `“${first.text}” and “${second.text}” tell what happened, and so does “${right}”.`,
    );
  },
};
