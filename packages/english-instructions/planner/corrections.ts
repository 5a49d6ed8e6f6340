import { quotationsIn } from '../language/quotations.ts';

const MAX_BODY = 500;
/** With which people take back what they just wrote. */
const MARKS = [
  '(?:(?:oh|no|nope|oops|ugh|hmm?|uh|ah|er|erm|ehm|um),? )*(?:(?:wait|hang on|hold on)(?:,? (?:no|wait|sorry|make (?:it|that)))*|sorry(?:,? (?:i meant?|make (?:it|that)|no|wrong))?|i mean(?:t)?|scratch that|strike that|correction|or rather|actually,? (?:make (?:it|that)|no)|make (?:it|that)|no,? (?:wait|sorry|actually|make (?:it|that)|i mean(?:t)?|scratch that))(?:,? (?:make (?:it|that)|i meant?))*',
  '(?:(?:oh|oops|ugh|hmm?),? )*(?:no|nope|er|erm|ehm|uh)(?:,? (?:no|actually))*',
];
const MARK = new RegExp(
  `(?:[,;.!?…]{1,3}|[ ]?[-–—])\\s{1,3}(?:${MARKS.join('|')})\\b[,:;.–—-]{0,3}\\s{1,3}| (?:ugh )?(?:i mean(?:t)?|er no|no wait|sorry no|oops)\\b[,:]? `,
  'giu',
);
/** "Divide 144 by 8 (not 8, 9)". */
const NOT = /^(.{3,300}?) \(not (\S{1,40}), (?:but )?(\S{1,40})\)(.*)$/is;
/** What ends a repair. */
const ENDS = /(?: [-–—]|[,;]) |(?<=[.!?])\s/;
const SAME_DAY =
  /^(?:today|tomorrow|tonight|on [a-z]+day|in the (?:morning|afternoon|evening)|(?:every|each) (?:day|week|[a-z]+day))$/i;
const CLOSED = /(?:,? (?:actually|please|pls|thanks|sorry|instead|of course)){0,3}[.!?]{0,3}$/i;

const WORDS = /"[^"]{0,200}"|“[^“”]{0,200}”|'[^']{0,200}'|[\p{L}\p{N}$€£%°@#'’]+(?:[.:,/-][\p{L}\p{N}%]+)*|\S/gu;
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['quoted', /^["“']./],
  ['percent', /^\d[\d.,]*%$/],
  ['number', /^(?:[$€£]?\d[\d.,]*|\d{1,2}(?::\d\d)?(?:[ap]m)?)$/i],
  ['ordinal', /^\d+(?:st|nd|rd|th)$/i],
  ['weekday', /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight)s?$/i],
  ['month', /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i],
  ['letter', /^[a-z]$/i],
  ['case', /^(?:upper|lower|title|camel|snake|kebab|sentence)(?:case)?$/i],
  ['order', /^(?:ascending|descending|forwards?|backwards?)$/i],
  [
    'unit',
    /^(?:miles?|km|kilomet(?:er|re)s?|met(?:er|re)s?|m|cm|feet|foot|inch(?:es)?|yards?|pounds?|lbs?|kg|kilos?|grams?|g|stone|ounces?|oz|lit(?:er|re)s?|pints?|gallons?|cups?|hours?|minutes?|seconds?|days?|weeks?|months?|years?|celsius|fahrenheit)$/i,
  ],
];
interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}
const wordsOf = (text: string): readonly Word[] =>
  [...text.matchAll(WORDS)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    from: index,
    to: index + word.length,
    kind: KINDS.find(([, is]) => is.test(word))?.[0] ?? '',
  }));
const matches = (one: Word | undefined, other: Word | undefined): boolean =>
  one !== undefined && other !== undefined && (one.text === other.text || (one.kind !== '' && one.kind === other.kind));

/** How many words from `at` on the repair replaces: each is the same word or of the same kind. */
function replacedAt(words: readonly Word[], at: number, repair: readonly Word[]): number {
  let count = 0;
  while (matches(words[at + count], repair[count])) count++;
  return count;
}

/**
 * The text with what a repair stands for in its place: "12 miles" by "12 kilometres", "to title case" by "lower case".
 * `end`: whether nothing follows the repair. Undefined where nothing before it, or more than one thing, is like it.
 */
function repaired(before: string, repair: string, behind: string): string | undefined {
  const words = wordsOf(before);
  const others = wordsOf(repair);
  const found = words
    .map((_, at) => ({ at, count: replacedAt(words, at, others) }))
    .filter(({ at, count }) => count > 0 && !words.slice(at + count, at + count + 1).some((one) => one.text === '.'));
  const most = Math.max(0, ...found.map(({ count }) => count));
  const best = found.filter(({ count }) => count === most);
  const last = best.at(-1);
  if (last === undefined) return undefined;
  const isLast = (({ at, count }) => at + count === words.length)(last);
  // A number in the middle is the one that is meant where it is the only one.
  if (!isLast && best.length > 1) return undefined;
  const start = (words[last.at] as Word).from;
  const end = (words[last.at + last.count - 1] as Word).to;
  const rest = before.slice(end).trim();
  // "At 3 pm today, I mean 4 pm, to call" goes on with what is to be done.
  if (SAME_DAY.test(rest) && /^,? (?:to|that|about) /.test(behind) && last.count === others.length)
    return `${before.slice(0, start)}${repair.trim()} ${rest}${behind.replace(/^,/, '')}`;
  // Of two ways to go on only one can be meant.
  if (rest !== '' && behind.trim() !== '') return undefined;
  if (rest !== '' && last.count < others.length) return undefined;
  return `${before.slice(0, start)}${repair.trim()}${rest === '' ? behind : ` ${rest}`}`;
}

/** A message in which its sender corrects a word or a figure, with that in its place; undefined for other messages. */
export function correctedIn(body: string): string | undefined {
  if (body.length > MAX_BODY) return undefined;
  const [not, lead = '', wrong = '', right = '', end = ''] = NOT.exec(body) ?? [];
  if (not !== undefined) {
    const at = lead.lastIndexOf(wrong);
    return at < 0 ? undefined : lead.slice(0, at) + right + lead.slice(at + wrong.length) + end;
  }
  const quotations = quotationsIn(body);
  const marks = [...body.matchAll(MARK)].filter(
    ({ index }) => !quotations.some(([from, to]) => index > from && index < to),
  );
  const [mark, more] = marks;
  if (mark === undefined || more !== undefined) return undefined;
  const before = body.slice(0, mark.index);
  const after = body.slice(mark.index + mark[0].length);
  const whole = after.replace(CLOSED, '');
  // A dash that closes what a dash opened.
  const goneOn = (behind: string): string => (/[-–—]/.test(mark[0]) ? behind.replace(/^ [-–—] /, ' ') : behind);
  const cut = ENDS.exec(whole)?.index ?? whole.length;
  for (const length of [cut, whole.length]) {
    const found = repaired(before, whole.slice(0, length), goneOn(whole.slice(length)));
    if (found !== undefined) return found;
  }
  const words = wordsOf(whole);
  // What follows the repair goes on with what preceded it: "Convert 12 miles, sorry, 12 kilometres into metres".
  for (let count = Math.min(words.length, 4); count > 0; count--) {
    const end = (words[count - 1] as Word).to;
    const found = repaired(before, whole.slice(0, end), goneOn(whole.slice(end)));
    if (found !== undefined) return found;
  }
  return undefined;
}
