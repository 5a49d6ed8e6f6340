import { headOf } from './quantity.ts';
import { isOne, type Rule, words } from './rule.ts';

const ASKING = words(
  'ask asked asks asking know knows wonder wondered wondering tell told explain explained show showed understand see remember',
);

/** "She asked me where was the station", "What time we are leaving?": the order of questions, and of questions in sentences. */
export const wordOrder: Rule = function* (sentence) {
  const question = sentence.at(-1)?.text === '?';
  if (question) {
    const [first] = sentence;
    const at = first?.lower === 'what' && sentence[1]?.lower === 'time' ? 2 : 1;
    const subject = sentence[at];
    const help = sentence[at + 1];
    if (!isOne(first, words('where when why how what')) || (first?.lower === 'what' && at === 1)) return;
    if (
      !isOne(subject, words('i you we they he she')) ||
      !isOne(help, words('am is are was were can could will would should must have'))
    )
      return;
    if (subject === undefined || help === undefined || !help.spaced) return;
    if (sentence.slice(at + 2).some((word) => word.pos === 'AUX' || word.text === ',')) return;
    yield {
      start: subject.start,
      end: help.end,
      replacement: `${help.lower} ${subject.text}`,
      kind: 'grammar',
      explanation: `In a question “${help.text}” stands before “${subject.text}”.`,
    };
    return;
  }
  for (const [i, token] of sentence.entries()) {
    if (!isOne(token, words('where what when how why')) || token.locked) continue;
    const asking = isOne(sentence[i - 1], words('me us him her them you')) ? sentence[i - 2] : sentence[i - 1];
    const be = sentence[i + 1];
    if (!isOne(asking, ASKING) || be === undefined || !isOne(be, words('is are was were'))) continue;
    const from = sentence[i + 2];
    if (!isOne(from, words('the my your his her our their this that'))) continue;
    const found = headOf(sentence, i + 3);
    if (found === undefined || found.index > i + 4 || found.head.lower === 'matter') continue;
    const next = sentence[found.index + 1];
    if (next !== undefined && !/^(?:[.,;]|and|but|because|so)$/.test(next.lower)) continue;
    const phrase = sentence
      .slice(i + 2, found.index + 1)
      .map((word) => word.text)
      .join(' ');
    yield {
      start: be.start,
      end: found.head.end,
      replacement: `${phrase} ${be.lower}`,
      kind: 'grammar',
      explanation: `What someone asks or knows has the order of a statement: “${phrase} ${be.lower}”.`,
    };
  }
};
