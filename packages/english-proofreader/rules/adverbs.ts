import { isOne, isWord, type Rule, words } from './rule.ts';

const LIKING = words('like likes liked love loves loved enjoy enjoys enjoyed appreciate appreciates appreciated');
const SPEAKING = words('speak speaks spoke write writes understand understands play plays know knows');
const MANNER = words('quickly slowly carefully fluently perfectly badly beautifully carelessly');
const TIMES = words('time times day days week weeks month year night morning evening');
const OBJECT_END = /^(?:[.,;!?]|and|but|because|so)$/;

/** "I like very much the music", "He speaks very well English": the object stands next to its verb. */
export const objectBeforeAdverb: Rule = {
  id: 'object-before-adverb',
  kind: 'grammar',
  fixes: { 'I like very much the music.': 'I like the music very much.' },
  leaves: ['What matters is not how much you know but how well you use it.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const liking = isOne(token, LIKING);
      if (token.pos !== 'VERB') continue;
      const [first, second] = sentence.slice(i + 1, i + 3);
      const single = isOne(first, MANNER) || (isOne(token, SPEAKING) && isOne(first, words('well')));
      const double = isOne(first, words('very')) && isOne(second, liking ? words('much') : words('well'));
      if (!(single || (double && (liking || isOne(token, SPEAKING))))) continue;
      const from = single ? i + 2 : i + 3;
      const end = sentence.findIndex((word, at) => at >= from && OBJECT_END.test(word.lower));
      const object = sentence.slice(from, end < 0 ? undefined : end);
      const adverb = single ? first?.text : `${first?.text} ${second?.text}`;
      const [head, last] = [object[0], object.at(-1)];
      if (first === undefined || head === undefined || last === undefined || object.length > 4) continue;
      if (!object.every((word) => isWord(word) && word.spaced && /^(?:DET|PRON|ADJ|NOUN|PROPN)$/.test(word.pos)))
        continue;
      if (single && !liking && !isOne(token, SPEAKING) && head.pos !== 'DET') continue;
      if (
        !/^(?:NOUN|PROPN)$/.test(last.pos) ||
        isOne(last, TIMES) ||
        isOne(head, words('every each this last next')) ||
        isOne(head, words('i you he she it we they'))
      )
        continue;
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
