import { jsonIn } from '../language/json-spans.ts';
import { quotationsIn } from '../language/quotations.ts';

/** Replaces each masked character. */
export const MASK = '\u0001';

/**
 * The text with quotations, JSON and placeholders masked at the same length, so that nothing in them separates
 * instructions.
 */
export function masked(text: string): string {
  let plain = text;
  for (const [from, to] of /[[{]/.test(text) ? jsonIn(text) : [])
    plain = plain.slice(0, from) + MASK.repeat(to - from) + plain.slice(to);
  return quotedMasked(plain);
}

function quotedMasked(text: string): string {
  let plain = '';
  let done = 0;
  for (const [from, to] of quotationsIn(text)) {
    plain += text.slice(done, from) + MASK.repeat(to - from);
    done = to;
  }
  return plain + text.slice(done);
}

/** Abbreviations before names, whose full stop ends no sentence. */
export const BEFORE_NAMES = 'Dr|Mr|Mrs|Ms|St|Prof|Rev|Hon|Fr|Capt|Lt|Sgt|Col|Gen|Gov|Sen|Mt|No|vs';
const SEPARATORS = [
  String.raw` ?(?:[,;.?]|(?<!\d)!)? (?:and )?(?:then|after that|afterwards|finally|lastly)\b[,:]? `,
  ' ?; | (?:→|->|=>) ',
  String.raw`(?:(?<! [.-]{0,5})(?<!\b(?:${BEFORE_NAMES}))[.?]|(?<!\d)!) (?=\p{Lu})`,
  String.raw`(?<=\d!) (?=\p{Lu})`,
  String.raw`, (?:and )?(?:second|secondly|third|thirdly|fourth|fourthly|fifth|next)\b[,:]? `,
];
/** An exclamation mark after a digit is a factorial and does not separate. */
const THEN = new RegExp(`${SEPARATORS.join('|')}`, 'giu');
const JOINTS = [
  ' ?,? (?:and(?: also)?|plus also|also|&|n) ',
  String.raw`, (?=(?:add|subtract|deduct|knock|remove|delete|drop|dedupe|uppercase|lowercase|capitalize|number|join|split|trim|list|keep|pad|wrap|sum|multiply|divide|double|triple|halve|square|cube|round|take|increase|decrease|reduce|convert|turn|change|express|write|encode|decode|escape|hash|reverse|sort|shuffle|count|pick|choose|roll|(?:make|put|turn) (?:it|them)|flip|toss|generate|calculate|compute|what|how)\b)`,
];
const AND = new RegExp(`${JOINTS.join('|')}`, 'gi');

/** The parts between separators: "then", a semicolon, an arrow, the end of a sentence. */
export function atThen(text: string): string[] {
  return cutAt(text, masked(text).matchAll(THEN));
}

/** The maximum number of places at which a sentence is split in two; one that has more is a text, or made to be slow. */
const MAX_AND = 6;

/** Each way to split in two at "and", or at a comma before a verb. */
export function* atAnd(text: string): Generator<readonly [string, string]> {
  let left = MAX_AND;
  for (const { index, 0: sign } of masked(text).matchAll(AND)) {
    if (left-- === 0) return;
    yield [text.slice(0, index).trim(), text.slice(index + sign.length).trim()];
  }
}

/** The parts between all those separators. */
export const atEachAnd = (text: string): string[] => cutAt(text, masked(text).matchAll(AND));

const BACK = /\b(?:it|its|them|that|this|those|these|the (?:result|output|answer|list|text|total|sum))\b/i;
const MAX_COMMAS = 6;

/**
 * The ways to split off, at a comma or "and", an instruction that uses the result of the first, the last split first.
 * `any`: also those without such a reference.
 */
export function atBack(text: string, any = false): readonly (readonly [string, string])[] {
  if (text.length > 2_000 || !(any || BACK.test(text))) return [];
  const found = [...masked(text).matchAll(/ ?,? (?:and(?: also)?|&|n) |, /gi)].slice(-MAX_COMMAS).reverse();
  return found.flatMap(({ index, 0: sign }) => {
    const second = text.slice(index + sign.length).trim();
    return any || BACK.test(second) ? [[text.slice(0, index).trim(), second] as const] : [];
  });
}

function cutAt(text: string, separators: Iterable<RegExpMatchArray>): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index = 0, 0: sign } of separators) {
    parts.push(text.slice(from, index).trim());
    from = index + sign.length;
  }
  parts.push(text.slice(from).trim());
  // "And then …" may also begin a line.
  return parts.filter((part) => !/^(?:and|so|ok|okay|now)?$/i.test(part));
}

/** The instruction before the JSON that it begins with. */
export function dataLast(text: string): string {
  const [from, end = 0] = /^[[{]/.test(text) ? (jsonIn(text)[0] ?? []) : [];
  const about = text.slice(end).replace(/^[\s,:;-]+/, '');
  return from === 0 && /^\p{L}/u.test(about) ? `${about} ${text.slice(0, end)}` : text;
}
