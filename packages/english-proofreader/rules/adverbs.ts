import { baseOf } from '../forms.ts';
import { frequency } from '../frequency.ts';
import { isAdjective, isOne, isWord, type Rule, replace, words } from './rule.ts';

/** Verbs of action, which an adverb describes and which no predicate adjective follows. */
const OF_DOING = words('work drive speak sing behave dance cook write perform play talk act explain learn');
/** Adjectives that are adverbs as well, or stand in set phrases. */
const ALSO_ADVERBS = words(
  'fast hard late early high low long right wrong straight deep near close free alone together likely daily weekly first last next second only better best worse slow loud quick safe fair dirty dead dry clean clear flat tight short wide full big small native own same different live black white solo great fine well nice',
);
const DEGREES = words('very so really too quite extremely pretty');

const adverbOf = (adjective: string): string => {
  if (adjective === 'good') return 'well';
  if (/[^aeiou]le$/.test(adjective)) return `${adjective.slice(0, -1)}y`;
  if (/[^aeiou]y$/.test(adjective)) return `${adjective.slice(0, -1)}ily`;
  return /ic$/.test(adjective) ? `${adjective}ally` : `${adjective}ly`;
};

/** Corrects "She drives very careful" and "He speaks English very good", where an adverb is needed. */
export const adverbAfterVerb: Rule = {
  id: 'adverb-after-verb',
  kind: 'word_choice',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isWord(token) || token.pos !== 'VERB' || !OF_DOING.has(baseOf(token.lower))) continue;
      const object = sentence[i + 1];
      const hasObject = isWord(object) && /^(?:NOUN|PROPN)$/.test(object.pos);
      let index = hasObject ? i + 2 : i + 1;
      const degree = isOne(sentence[index], DEGREES);
      if (degree) index += 1;
      const adjective = sentence[index];
      const next = sentence[index + 1];
      if (
        !isAdjective(adjective) ||
        ALSO_ADVERBS.has(adjective.lower) ||
        (hasObject && !degree && !(baseOf(token.lower) === 'speak' && object.pos === 'PROPN'))
      )
        continue;
      if (next !== undefined && !/^(?:[.,;!?]|and|but|because|when|if)$/.test(next.lower)) continue;
      // In "work and good food" it is unclear what "and" joins without a degree.
      if (/^(?:and|but)$/.test(next?.lower ?? '') && !degree) continue;
      const right = adverbOf(adjective.lower);
      if (frequency(right) < 1_000_000) continue;
      yield replace(adjective, adjective, right, `How someone does something is told by an adverb: “${right}”.`);
    }
  },
};

const LIKING = words('like likes liked love loves loved enjoy enjoys enjoyed appreciate appreciates appreciated');
const SPEAKING = words('speak speaks spoke write writes understand understands play plays');
const OBJECT_END = /^(?:[.,;!?]|and|but|because|so)$/;

/** "I like very much the music", "He speaks very well English": the object stands next to its verb. */
export const objectBeforeAdverb: Rule = {
  id: 'object-before-adverb',
  kind: 'grammar',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const liking = isOne(token, LIKING);
      if (!(liking || isOne(token, SPEAKING)) || token.pos !== 'VERB') continue;
      const [first, second] = sentence.slice(i + 1, i + 3);
      const single = !liking && isOne(first, words('fluently perfectly'));
      const double = isOne(first, words('very')) && isOne(second, liking ? words('much') : words('well'));
      if (!(single || double)) continue;
      const from = single ? i + 2 : i + 3;
      const end = sentence.findIndex((word, at) => at >= from && OBJECT_END.test(word.lower));
      const object = sentence.slice(from, end < 0 ? undefined : end);
      const adverb = single ? first?.text : `${first?.text} ${second?.text}`;
      const [head, last] = [object[0], object.at(-1)];
      if (first === undefined || head === undefined || last === undefined || object.length > 4) continue;
      if (!object.every((word) => isWord(word) && word.spaced && /^(?:DET|PRON|ADJ|NOUN|PROPN)$/.test(word.pos)))
        continue;
      if (!/^(?:NOUN|PROPN)$/.test(last.pos) || isOne(head, words('i you he she it we they'))) continue;
      const thing = object.map(({ text }) => text).join(' ');
      yield {
        start: first.start,
        end: last.end,
        replacement: `${thing} ${adverb}`,
        explanation: `What is meant stands next to “${token.text}”, before “${adverb}”.`,
      };
    }
  },
};
