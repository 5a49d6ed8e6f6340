import { type Rule, replace } from './rule.ts';

/** The ending of an ordinal number in figures. */
function endingOf(digits: string): string {
  if (/1[123]$/.test(digits)) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[digits.at(-1) as string] ?? 'th';
}

/** Corrects "the 3th of May" and "22th". "12st" stays, because it may be a weight in stones. */
export const ordinalEnding: Rule = {
  id: 'ordinal-ending',
  kind: 'spelling',
  fixes: { 'It was her 112nd visit, on the 11th floor.': 'It was her 112th visit, on the 11th floor.' },
  leaves: ["Dr. Patel's office is on the 3rd floor, next to the lab."],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const [, last = '', ending] = /^(\d*)(nd|rd|th)$/i.exec(token.text) ?? [];
      if (ending === undefined || token.locked) continue;
      // The tagger may split the figures from their ending, or the last figure with it.
      const previous = sentence[i - 1];
      const split = !token.spaced && previous !== undefined && /^\d+$/.test(previous.text) && !previous.locked;
      const first = split ? previous : token;
      const digits = (split ? previous.text : '') + last;
      if (!/^\d{1,4}$/.test(digits) || !(first.spaced || first.first)) continue;
      if (ending.toLowerCase() === endingOf(digits)) continue;
      const right = digits + endingOf(digits);
      yield replace(first, token, right, `The number is written “${right}”.`);
    }
  },
};
