const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
/** "thousand" to "trillion". */
const WRITTEN_SCALES = [
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
] as const;
/** The scales that are read, with those of India. */
export const SCALES: ReadonlyMap<string, number> = new Map<string, number>([
  ...WRITTEN_SCALES,
  ['lakh', 1e5],
  ['lac', 1e5],
  ['crore', 1e7],
]);
/** "zero" to "nineteen", and the tens. */
export const VALUES: ReadonlyMap<string, number> = new Map([
  ...SMALL.split(' ').map((word, at) => [word, at] as const),
  ...TENS.split(' ').map((word, at) => [word, 20 + 10 * at] as const),
]);

/** A whole number in words: "forty-two", "minus one thousand and five". From 10^15 on undefined. */
export function spelled(value: bigint): string | undefined {
  if (value < 0n) {
    const rest = spelled(-value);
    return rest && `minus ${rest}`;
  }
  const n = Number(value);
  const scale = WRITTEN_SCALES.findLast(([, factor]) => n >= factor);
  if (n >= 1e15) return undefined;
  if (scale !== undefined) {
    const [name, factor] = scale;
    const rest = n % factor;
    const link = rest === 0 ? '' : rest < 100 ? ` and ${spelled(BigInt(rest))}` : ` ${spelled(BigInt(rest))}`;
    return `${spelled(BigInt(Math.floor(n / factor)))} ${name}${link}`;
  }
  if (n >= 100) {
    const rest = n % 100;
    return `${wordOf(Math.floor(n / 100))} hundred${rest === 0 ? '' : ` and ${spelled(BigInt(rest))}`}`;
  }
  return n <= 20 || n % 10 === 0 ? wordOf(n) : `${wordOf(n - (n % 10))}-${wordOf(n % 10)}`;
}
const WORDS: ReadonlyMap<number, string> = new Map([...VALUES].map(([word, value]) => [value, word]));
const wordOf = (value: number): string => WORDS.get(value) as string;

/** The factor of a word such as "million" or "dozen"; undefined for other words. */
export const scaleOf = (word: string): number | undefined =>
  word === 'hundred' ? 100 : word === 'dozen' || word === 'dozens' ? 12 : SCALES.get(word.replace(/s$/, ''));

/**
 * The number in words that begins at `from`, and the place after it: "twenty-five", "three hundred and forty two", "a
 * dozen". Undefined when none begins there.
 */
export function spelledAt(words: readonly string[], from: number): { value: number; to: number } | undefined {
  let index = from;
  let total = 0;
  let group = 0;
  let last: 'nothing' | 'ten' | 'unit' | 'scale' = 'nothing';
  let lastScale = Number.POSITIVE_INFINITY;
  if (words[index] === 'a' && scaleOf(words[index + 1] ?? '') !== undefined) {
    group = 1;
    last = 'unit';
    index++;
  }
  for (; index < words.length; index++) {
    const word = words[index] as string;
    const joined = word === 'and' && last === 'scale' && VALUES.has((words[index + 1] ?? '').split('-')[0] as string);
    if (joined) continue;
    const value = VALUES.get(word) ?? (word.includes('-') ? compound(word.split('-')) : undefined);
    const scale = word === 'dozen' && total === 0 ? 12 : SCALES.get(word);
    if (value !== undefined) {
      const units = value > 0 && value < 10;
      if (last === 'unit' || (last === 'ten' && !units)) break;
      group += value;
      last = value >= 20 && value % 10 === 0 ? 'ten' : 'unit';
    } else if (word === 'hundred' && last !== 'nothing' && group > 0 && group < 100) {
      group *= 100;
      last = 'scale';
    } else if (scale !== undefined && last !== 'nothing' && scale < lastScale) {
      lastScale = scale;
      total += Math.max(group, 1) * scale;
      group = 0;
      last = 'scale';
    } else break;
  }
  return last === 'nothing' ? undefined : { value: total + group, to: index };
}

function compound(parts: readonly string[]): number | undefined {
  if (parts.length !== 2) return undefined;
  const [ten, unit] = [VALUES.get(parts[0] as string), VALUES.get(parts[1] as string)];
  return ten !== undefined && unit !== undefined && ten >= 20 && unit > 0 && unit < 10 ? ten + unit : undefined;
}

/** How a number in figures can be read. */
export interface Figure {
  /** In decimal notation with a point. */
  readonly text: string;
  /** Whether another reading of its commas or points is as good, as in "1,5". */
  readonly unsure: boolean;
}

/**
 * A number in figures: "1,250.5" and "1.250,5" have separators of thousands, "1,5" probably a decimal comma. Undefined for
 * "1.2.3" and "1,2,3".
 */
export function figureOf(text: string): Figure | undefined {
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return { text, unsure: false };
  if (/^\d+(?:\.\d+)?e[+-]?\d{1,3}$/i.test(text)) return { text, unsure: false };
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return { text: text.replaceAll(',', ''), unsure: false };
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(text))
    return { text: text.replaceAll('.', '').replace(',', '.'), unsure: false };
  if (/^\d+,\d+$/.test(text)) return { text: text.replace(',', '.'), unsure: true };
  return undefined;
}
