import { pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { isAdjective, isNoun, isOne, POSSESSIVES, type Rule, replace, type Sentence, words } from './rule.ts';

/** Adjectives and adverbs of one or two syllables that are compared with an ending. */
const SHORT = words(
  'tall short big small old young fast slow cheap rich poor strong weak high low long hard soft easy happy busy heavy light early late nice safe hot cold warm cool clean dirty large wide deep dark bright quiet loud thin thick sweet smart funny lazy noisy pretty ugly near close new good bad great healthy lucky friendly',
);
const IRREGULAR: Readonly<Record<string, readonly [string, string]>> = {
  good: ['better', 'best'],
  bad: ['worse', 'worst'],
};

function compared(word: string, ending: 'er' | 'est'): string {
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (irregular !== undefined) return irregular[ending === 'er' ? 0 : 1];
  if (word.endsWith('y')) return `${word.slice(0, -1)}i${ending}`;
  if (word.endsWith('e')) return `${word}${ending.slice(1)}`;
  return /^(?:big|hot|thin|wet|sad|fat)$/.test(word) ? `${word}${word.at(-1)}${ending}` : `${word}${ending}`;
}
const COMPARATIVES = new Set([...SHORT].map((word) => compared(word, 'er')));
const SUPERLATIVES = new Set([...SHORT].map((word) => compared(word, 'est')));

const BE = words("is are was were 's 're 'm am be been looks seems feels");

/** What is more than something else: “heavier”, or “more important”; undefined where “than” may follow the word itself. */
function withThan(sentence: Sentence, at: number): string | undefined {
  const word = (sentence[at] as Token).lower;
  const lead = sentence.slice(0, at);
  if (lead.some((token) => isOne(token, words('more less rather as so other fewer better worse not'))))
    return undefined;
  if (SHORT.has(word)) return compared(word, 'er');
  const known = COMPARATIVES.has(word) || /(?:er|ior|less|more|worse|else|other)$/.test(word);
  const used = word !== 'different' && pairFrequency('more', word) > 1_000_000;
  return isAdjective(sentence[at]) && !known && used ? `more ${word}` : undefined;
}

/** Whether what “that” begins is a thing that is compared: “taller that my brother.” */
function isThing(sentence: Sentence, at: number): boolean {
  if (isOne(sentence[at], words('mine yours hers ours theirs me him us them'))) return true;
  const end = isOne(sentence[at], POSSESSIVES) ? nounPhraseEnd(sentence, skipDeterminer(sentence, at)) : undefined;
  return end !== undefined && /^(?:[.,;!?]|and|but|because)$/.test(sentence[end + 1]?.lower ?? '.');
}

/** "more cheap", "is heavy than", "taller that mine": how two things are compared. */
export const comparison: Rule = {
  id: 'comparison',
  kind: 'word_choice',
  words: 'more most than that then',
  fixes: {
    'This road is more short.': 'This road is shorter.',
    'Gold is heavy than silver.': 'Gold is heavier than silver.',
    'She is the most pretty girl in the class.': 'She is the prettiest girl in the class.',
    'Her coffee is stronger that mine.': 'Her coffee is stronger than mine.',
  },
  leaves: [
    'She is more kind than clever.',
    'We have more old books than new ones.',
    'It is clear that he is older than that.',
    'The more cheap flights there are, the better.',
  ],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const [next, second] = [sentence[i + 1], sentence[i + 2]];
      if (token.locked || next?.locked !== false) continue;
      const lead = sentence[i - 1];
      const isMore = token.lower === 'more';
      if ((isMore || token.lower === 'most') && SHORT.has(next.lower) && next.spaced) {
        // "more old books", "more kind than clever", "the more cheap it is".
        const article = isOne(lead, words('a an'));
        if (second?.text === '-' || (isMore && isNoun(second) && !article)) continue;
        if (
          isMore &&
          (isOne(lead, words('the no any once some')) || (second?.lower === 'than' && isAdjective(sentence[i + 3])))
        )
          continue;
        if (!isMore && !(isOne(lead, words("the 's")) || isOne(lead, POSSESSIVES))) continue;
        const right = compared(next.lower, isMore ? 'er' : 'est');
        yield replace(token, next, right, `One says “${right}”, not “${token.lower} ${next.lower}”.`);
      } else if (isMore && (COMPARATIVES.has(next.lower) || next.lower === 'gooder') && second?.lower === 'than') {
        yield replace(token, next, next.lower, `“${next.lower}” compares already, so “more” is not needed.`);
      } else if (token.lower === 'most' && SUPERLATIVES.has(next.lower) && lead?.lower === 'the') {
        yield replace(token, next, next.lower, `“${next.lower}” compares already, so “most” is not needed.`);
      } else if (next.lower === 'than' && (isOne(lead, BE) || isOne(lead, words('very much')))) {
        const right = withThan(sentence, i);
        if (right !== undefined) yield replace(token, token, right, `Before “than” one says “${right}”.`);
      } else if (isOne(token, words('that then')) && COMPARATIVES.has(lead?.lower ?? '') && isThing(sentence, i + 1))
        yield replace(token, token, 'than', `After “${lead?.text}” what it is compared with follows “than”.`);
    }
  },
};
