import { SCALES, scaleOf, spelledAt, VALUES } from '../../language/numerals.ts';

// Longer words come first, because "eight" begins "eighteen".
const WORD = [...VALUES.keys()].sort((a, b) => b.length - a.length).join('|');
const SCALE = [...SCALES.keys()].join('|');
const RUN = new RegExp(
  `\\b(?:a (?=hundred|${SCALE}))?(?:${WORD}|hundred|${SCALE})\\b(?:(?:[ -]| and )(?:${WORD}|hundred|${SCALE})\\b)*`,
  'gi',
);
const MONEY = 'euros?|dollars?|pounds?|rupees|francs?|yen|usd|eur|gbp|inr|chf';
const SCALED = new RegExp(
  `(?<!\\d)(\\d(?:[\\d.]{0,40}\\d)?) ?(hundred|(?:${SCALE})s?|dozen|k(?= (?:${MONEY})\\b))\\b`,
  'gi',
);

/** The value of "two hundred and fifty-six" or "hundred"; undefined for words that form no number. */
function numberOf(words: readonly string[]): number | undefined {
  const counted = scaleOf(words[0] ?? '') === undefined ? words : ['one', ...words];
  const found = spelledAt(counted, 0);
  return found?.to === counted.length ? found.value : undefined;
}

/** `text` with its spelled-out numbers in digits: "twelve" → "12", "two hundred and five" → "205", "2.5 million" → "2500000". */
export function spelledToDigits(text: string): string {
  return text
    .replace(SCALED, (_, number: string, word: string) => {
      const by = scaleOf(word.toLowerCase().replace(/^k$/, 'thousand')) as number;
      return String(Number((Number(number) * by).toPrecision(15)));
    })
    .replace(RUN, (run) => {
      const words = run
        .toLowerCase()
        .split(/[ -]/)
        .filter((word) => word !== 'and' && word !== 'a');
      const value = numberOf(words);
      if (value !== undefined) return String(value);
      // "Two and three" is a list.
      return run.replace(new RegExp(`\\b(?:${WORD})\\b`, 'gi'), (word) =>
        String(VALUES.get(word.toLowerCase()) ?? word),
      );
    })
    .replace(/\ba dozen\b/gi, '12');
}
