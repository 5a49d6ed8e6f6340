const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);
const VALUES: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, at) => [word, at] as const),
  ...TENS.map((word, at) => [word, 20 + 10 * at] as const),
]);

// Longer words come first, because "eight" begins "eighteen".
const WORD = [...VALUES.keys()].sort((a, b) => b.length - a.length).join('|');
const SCALE = [...SCALES.keys()].join('|');
const RUN = new RegExp(
  `\\b(?:a (?=hundred|${SCALE}))?(?:${WORD}|hundred|${SCALE})\\b(?:(?:[ -]| and )(?:${WORD}|hundred|${SCALE})\\b)*`,
  'gi',
);
const SCALED = new RegExp(`(?<!\\d)(\\d(?:[\\d.]{0,40}\\d)?) ?(hundred|${SCALE}|dozen)\\b`, 'gi');

/** The value of "two hundred and fifty-six"; undefined for words that form no number. */
function numberOf(words: readonly string[]): number | undefined {
  let total = 0;
  let group = 0;
  let last: 'nothing' | 'ten' | 'other' = 'nothing';
  let before = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const value = VALUES.get(word);
    const scale = SCALES.get(word);
    if (value !== undefined) {
      // "Five six" is two numbers, "twenty six" is one.
      if (last === 'other' || (last === 'ten' && (value < 1 || value > 9))) return undefined;
      group += value;
      last = value < 20 ? 'other' : 'ten';
    } else if (word === 'hundred') {
      if (group >= 100) return undefined;
      group = Math.max(group, 1) * 100;
      last = 'nothing';
    } else if (scale !== undefined) {
      if (scale >= before) return undefined;
      before = scale;
      total += Math.max(group, 1) * scale;
      group = 0;
      last = 'nothing';
    }
  }
  return total + group;
}

/** `text` with its spelled-out numbers in digits: "twelve" → "12", "two hundred and five" → "205", "2.5 million" → "2500000". */
export function spelledToDigits(text: string): string {
  return text
    .replace(SCALED, (_, number: string, word: string) => {
      const by = SCALES.get(word.toLowerCase()) ?? (word.toLowerCase() === 'dozen' ? 12 : 100);
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
