import { isJson } from '../../../core/values/json.ts';

/** Replaces each masked character. */
export const MASK = '\u0001';

/** The maximum number of JSON values found in a text; an instruction never has more. */
const MAX_JSON = 20;

/** The start and end of JSON values in a text, in which nothing separates instructions. */
export function jsonIn(text: string): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let left = MAX_JSON;
  for (let at = 0; at < text.length && left > 0; at++) {
    const sign = text[at];
    if ((sign !== '{' && sign !== '[') || text[at + 1] === '{' || /[\w.)\]}]/.test(text[at - 1] ?? '')) continue;
    left--;
    const end = closeOf(text, at);
    if (end === undefined || !isJson(text.slice(at, end))) continue;
    found.push([at, end]);
    at = end - 1;
  }
  return found;
}

/** The position after the bracket that closes the one at `from`. */
function closeOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      do at = text.indexOf('"', at + 1);
      while (at > 0 && text[at - 1] === '\\');
      if (at < 0) return undefined;
    } else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

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

const OPENS = /["“`']|\{\{/g;
const LETTER_BEFORE = /[\p{L}\p{N}]$/u;
const LETTER_BEHIND = /^[\p{L}\p{N}]/u;

/** Searches each closing sign once, however many open before it. */
function quotedMasked(text: string): string {
  const closes = new Map<string, number>();
  const closeFrom = (sign: string, from: number): number => {
    const known = closes.get(sign);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const at = text.indexOf(sign, from);
    closes.set(sign, at);
    return at;
  };
  let plain = '';
  let done = 0;
  for (const { 0: opens, index } of text.matchAll(OPENS)) {
    if (index < done) continue;
    const end = closeFrom(opens === '“' ? '”' : opens === '{{' ? '}' : opens, index + opens.length);
    if (end < 0 || !isQuoted(text, opens, index, end)) continue;
    const behind = opens === '{{' ? end + 2 : end + 1;
    plain += text.slice(done, index) + MASK.repeat(behind - index);
    done = behind;
  }
  return plain + text.slice(done);
}

/** An apostrophe between letters is no quotation mark. */
function isQuoted(text: string, opens: string, from: number, end: number): boolean {
  if (opens === '{{') return text[end + 1] === '}';
  if (opens !== "'") return true;
  return (
    !LETTER_BEFORE.test(text.slice(Math.max(0, from - 2), from)) && !LETTER_BEHIND.test(text.slice(end + 1, end + 3))
  );
}

/** An exclamation mark after a digit is a factorial and does not separate. */
const THEN =
  / ?(?:[,;.?]|(?<!\d)!)? (?:and )?(?:then|after that|afterwards|finally|lastly)\b[,:]? | ?; | (?:→|->|=>) |(?:(?<! [.-]{0,5})[.?]|(?<!\d)!) (?=\p{Lu})|(?<=\d!) (?=\p{Lu})|, (?:and )?(?:second|secondly|third|thirdly|fourth|fourthly|fifth|next)\b[,:]? /giu;
const AND =
  / ?,? (?:and(?: also)?|plus also|also|&) |, (?=(?:add|subtract|deduct|knock|multiply|divide|double|triple|halve|square|cube|round|take|increase|decrease|reduce|convert|turn|change|express|write|encode|decode|escape|hash|reverse|sort|shuffle|count|pick|choose|roll|flip|toss|generate|calculate|compute|what|how)\b)/gi;

const ARROW = / (?:→|->|=>) /g;

/** "5 km -> miles" as "5 km to miles"; undefined unless there is exactly one arrow. */
export function atArrow(text: string): string | undefined {
  const [arrow, more] = masked(text).matchAll(ARROW);
  if (arrow === undefined || more !== undefined) return undefined;
  return `${text.slice(0, arrow.index)} to ${text.slice(arrow.index + arrow[0].length)}`;
}

/** The parts between separators: "then", a semicolon, an arrow, the end of a sentence. */
export function atThen(text: string): string[] {
  return cutAt(text, masked(text).matchAll(THEN));
}

/** The maximum number of splits at "and"; each is read, and an instruction never has more. */
const MAX_AND = 200;

/** Each way to split in two at "and", or at a comma before a verb. */
export function* atAnd(text: string): Generator<readonly [string, string]> {
  let left = MAX_AND;
  for (const { index, 0: sign } of masked(text).matchAll(AND)) {
    if (left-- === 0) return;
    yield [text.slice(0, index).trim(), text.slice(index + sign.length).trim()];
  }
}

/** A reference to an earlier result, as in "write it in capitals". */
const BACK = /\b(?:it|its|them|that|this|those|these|the (?:result|output|answer|list|text|total|sum))\b/i;
const MAX_COMMAS = 12;

/**
 * The ways to split off, at a comma or "and", an instruction that uses the result of the first, the last split first.
 * `any`: also those without such a reference.
 */
export function atBack(text: string, any = false): readonly (readonly [string, string])[] {
  if (text.length > 2_000 || !(any || BACK.test(text))) return [];
  const found = [...masked(text).matchAll(/ ?,? (?:and(?: also)?|&) |, /gi)].slice(-MAX_COMMAS).reverse();
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
