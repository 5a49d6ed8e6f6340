import type { Rule } from './rule.ts';

/** Corrects "John , who" and "word,next": no space before a sign and one after it. */
export const spacing: Rule = {
  id: 'spacing',
  kind: 'spacing',
  fixes: { 'We went home .': 'We went home.' },
  leaves: ['We went for lunch, and then home.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const previous = sentence[i - 1];
      const next = sentence[i + 1];
      if (token.locked || previous === undefined || previous.locked) continue;
      if (/^[,;:]$/.test(token.text) || (/^[.?!]$/.test(token.text) && token.closed)) {
        if (
          token.spaced &&
          token.start - previous.end <= 2 &&
          /[\p{L}\p{N}"”’)]$/u.test(previous.text) &&
          !(token.text === ':' && next !== undefined && !next.spaced) &&
          // “Beast . . .”
          next?.text !== '.'
        ) {
          yield {
            start: previous.start,
            end: token.end,
            replacement: previous.text + token.text,
            explanation: `No space stands before “${token.text}”.`,
          };
        }
      }
      if (
        /^[,;]$/.test(token.text) &&
        next !== undefined &&
        !next.spaced &&
        /^\p{L}{2,}/u.test(next.text) &&
        /\p{L}$/u.test(previous.text) &&
        !next.locked
      ) {
        yield {
          start: token.start,
          end: next.end,
          replacement: `${token.text} ${next.text}`,
          explanation: `A space stands after “${token.text}”.`,
        };
      }
    }
  },
};
