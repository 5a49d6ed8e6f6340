import { parseJson } from '@mailroom/behavior/values/json';
import type { Message } from '../entities/message.ts';
import { CODE, ENTER, OTHER } from './extraction-words.ts';

/** Characters of a text that are read. */
const MAX_TEXT = 30_000;

/** What is read of a message for a code or a link. */
export interface MailTexts {
  readonly subject: string;
  /** The whole text, what it quotes or forwards included, of HTML as the reader of mail writes it. */
  readonly text: string;
}

/** The texts of a message; undefined for one whose code is sealed. */
export function mailTexts({ subject, body, data }: Message): MailTexts | undefined {
  const fields = (data === null ? null : parseJson(data)) as {
    readonly sealed?: boolean;
    readonly email?: { readonly text?: string | null };
  } | null;
  if (fields?.sealed === true) return undefined;
  return { subject: subject ?? '', text: fields?.email?.text ?? body };
}

/** Characters around a candidate that are looked at. */
const BEFORE = 140;
const AFTER = 60;
/** The least score of a code. */
const ENOUGH = 6;

/** Stands for each character of what is no code: one for private use, which no mail has. */
const BLANK = '\ue000';

/** What is no code whatever stands near it: links, addresses, dates, times, prices, numbers with signs, long numbers. */
const NOT_CODES: readonly RegExp[] = [
  /https?:\/\/[^\s<>"]{1,2000}/gi,
  /[\w.+-]{1,64}@[\w.-]{1,255}/g,
  /(?<!\d)\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)/g,
  /\d{1,4}\s?[年月日時时]/g,
  /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?/g,
  /[€$£¥₺₽￥]\s?\d[\d.,\u00a0]{0,15}/g,
  /(?<![\d.,])\d[\d.,]{0,15}\s?(?:[€$£¥₺₽%円元]|(?:eur|usd|gbp|chf|pln|zł|tl|try|rub|руб|jpy|cny|brl|euros?|dollars?)(?!\p{L}))/giu,
  /(?:R\$|zł|TL|CHF|EUR|USD|GBP)\s?\d[\d.,]{0,15}/g,
  /\+\d[\d ()./-]{5,24}\d/g,
  /\(\d{2,5}\)[ -]?\d[\d -]{3,14}/g,
  /(?<!\d)0\d{1,4}[ /-]\d[\d -]{4,14}\d/g,
  /(?<!\d)\d{3}-\d{3}-\d{4}(?!\d)/g,
  /(?<![\d\p{L}])\d{2}-\d{3}(?!\d)/gu,
  /(?<!\d)\d{3}-\d{4}(?!\d)/g,
  /(?:#|№|n[º°]\s?|nr\.?\s|no\.\s)[A-Z]{0,4}-?\d{2,12}/gi,
  /(?:©|\(c\)|copyright)\s?\d{4}/gi,
  /\d[.,]\d{1,12}/g,
  /\d{11,40}/g,
  /(?<![A-Z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}/g,
  /(?<![A-Za-z\d])[A-Z\d]{11,40}(?![A-Za-z\d])/g,
];

/** Shapes of codes, the more telling first; each match is one candidate. */
const SHAPES: readonly {
  readonly shape: RegExp;
  readonly score: number;
  readonly near?: true;
  readonly paragraph?: true;
}[] = [
  { shape: /(?<![\w-])[A-Z]{1,3}-\d{4,8}(?![\w-])/g, score: 2 },
  { shape: /(?<![\w-])(?=[A-Z-]{0,20}\d)[A-Z\d]{3,5}(?:-[A-Z\d]{3,5}){1,3}(?![\w-])/g, score: 1 },
  { shape: /(?<![\w-])\d{3}[ \u00a0-]\d{3}(?![\w-]|[ \u00a0]\d)/g, score: 1 },
  { shape: /(?<![\w-])\d{4}[ \u00a0-]\d{4}(?![\w-]|[ \u00a0]\d)/g, score: 0 },
  { shape: /(?<![\w-])\d{2}[ \u00a0-]\d{2}[ \u00a0-]\d{2}(?![\w-]|[ \u00a0]\d)/g, score: 0 },
  { shape: /(?<![\w-])\d(?:[ \u00a0]\d){3,7}(?![\w-]|[ \u00a0]\d)/g, score: 1 },
  { shape: /(?<![\w-])\d{4,10}(?![\w-])/g, score: 0 },
  { shape: /(?<![\w-])(?=[A-Z]{0,9}\d)(?=\d{0,9}[A-Z])[A-Z\d]{4,10}(?![\w-])/g, score: 0 },
  { shape: /(?<![\w-])(?=[a-zA-Z]{0,9}\d)(?=\d{0,9}[a-zA-Z])[a-zA-Z\d]{5,10}(?![\w-])/g, score: -1, near: true },
  { shape: /(?<![\p{Script=Latin}\w-])[A-Z]{5,8}(?![\p{Script=Latin}\w-])/gu, score: -1, near: true },
  {
    shape: /(?<![\p{Script=Latin}\w-])[A-Z]{3,5}(?:-[A-Z]{3,5}){1,2}(?![\p{Script=Latin}\w-])/gu,
    score: -1,
    near: true,
  },
  {
    shape: /(?<![\p{Script=Latin}\w-])[a-z]{4,8}(?:-[a-z]{4,8}){1,3}(?![\p{Script=Latin}\w-])/gu,
    score: -1,
    near: true,
  },
  // A code of words with blanks is a paragraph of its own.
  {
    shape: /(?<![\p{L}\w-])[a-z]{4,10}(?: [a-z]{4,10}){2,3}(?![\p{L}\w-])/gu,
    score: -1,
    near: true,
    paragraph: true,
  },
];

/** What joins a code to the word before it. */
const JOINED =
  /(?:[:：=→>"“«「『【[*]|(?<!\p{L})(?:is|ist|lautet|est|est le|es|es el|è|é|é o|jest|to|är|هو|هي)|は|是|为|為|－|—|–|-)[\s*"“«„「『【[_`]{0,12}$/iu;
/** What joins a code to the word behind it. */
const JOINED_AFTER =
  /^[\s*"”»」』】\]_`]{0,6}(?:(?:is|ist|est|es|è|é|jest|to|är|olan|that's|هو)(?!\p{L})|が|は|是|为|為|—|–|-|:)/iu;

/** All places of an expression in a text. */
const placesOf = (expression: RegExp, text: string): { readonly at: number; readonly end: number }[] =>
  Array.from(text.matchAll(expression), (match) => ({ at: match.index, end: match.index + match[0].length }));

/** Text in one form: full-width digits and letters plain, nothing invisible, a dotted capital I plain. */
const plain = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .replaceAll('，', ', ')
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replaceAll('İ', 'I')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/\r\n?/g, '\n');

/** The text with what is no code blanked out, at the same length. */
function blanked(text: string): string {
  let left = text;
  for (const expression of NOT_CODES) left = left.replace(expression, (part) => BLANK.repeat(part.length));
  return left;
}

interface Candidate {
  readonly code: string;
  readonly score: number;
  readonly at: number;
}

/** A year as people write it. */
const isYear = (code: string): boolean => /^(?:19|20)\d\d$/.test(code);

function scoreOf(text: string, at: number, end: number, near: boolean, mentions: boolean): number | undefined {
  const context = text.slice(Math.max(0, at - BEFORE), at);
  const lineStart = context.lastIndexOf('\n') + 1;
  const lineEnd = text.indexOf('\n', end);
  const rest = text.slice(end, Math.min(lineEnd < 0 ? text.length : lineEnd, end + AFTER));
  const alone =
    /^[\s>*"“«「『【[_`|│┃║]{0,20}$/.test(context.slice(lineStart)) && /^[\s*"”»」』】\]_`|│┃║.]{0,20}$/.test(rest);
  const others = placesOf(OTHER, context);
  const codes = placesOf(CODE, context);
  const endOf = (places: typeof codes): number => places.at(-1)?.end ?? Number.NEGATIVE_INFINITY;
  const word = endOf(codes);
  // A number that stands between is the one that was named.
  const other = /\d{2}|\p{Co}/u.test(context.slice(Math.max(0, endOf(others))))
    ? Number.NEGATIVE_INFINITY
    : endOf(others);
  // A word of another code, such as "postal code", ends before the word "code" of its own.
  const isOther = other > word || others.some((one) => one.end <= word && word - one.end <= 12 && one.end > word - 24);
  const distance = context.length - word;
  const joined = distance <= 3 || JOINED.test(context);
  const sentence = rest.split(/[.。!！?？]\s|[。！？]/)[0] ?? '';
  const [after] = placesOf(CODE, sentence);
  const namedAfter = after !== undefined && after.at <= 45 && placesOf(OTHER, sentence).length === 0;
  const isNamedAfter = namedAfter && (after.at <= 3 || JOINED_AFTER.test(sentence));
  // "The code that you enter where you sign in: 482913".
  const ends =
    /[:：][\s*"“«]{0,4}$/.test(context.slice(lineStart)) && /^[\s*"”».]{0,4}$/.test(rest) && word >= lineStart;
  if (isOther && !namedAfter && context.length - other < 60) return undefined;
  let score = 0;
  if (distance <= 25) score += 6;
  else if (distance <= 60) score += 4;
  else if (distance <= BEFORE) score += alone ? 3 : 2;
  if (namedAfter) score += isNamedAfter ? 7 : 5;
  const isEntered = mentions && placesOf(ENTER, context.slice(lineStart).slice(-24)).length > 0;
  if (isEntered) score += 6;
  if (score === 0 && !(alone && mentions)) return undefined;
  if (alone) score += 4;
  if (joined && distance <= BEFORE) score += ends && distance > 40 ? 4 : 2;
  if (isYear(text.slice(at, end))) score -= joined && distance <= 40 ? 2 : 5;
  const direct = alone || namedAfter || isEntered || ends || (joined && distance <= 40);
  if (near && !direct) return undefined;
  return direct ? score : score - 1;
}

/** Characters around a paragraph that are looked at. */
const NEAR = 200;

/** A line without quotation marks of mail and emphasis. */
const bare = (line: string): string => line.replace(/[>*\u00a0]/g, ' ').trim();

/** Whether it is all of a line, below a line with a colon or between empty ones, that the next one does not go on with. */
function isParagraph(text: string, at: number, end: number): boolean {
  // Only so far, as a text may be one long line.
  const [before, behind] = [text.slice(Math.max(0, at - NEAR), at), text.slice(end, end + NEAR)].map((part) =>
    part.split('\n').map(bare),
  ) as [string[], string[]];
  const [own = '', below = ''] = behind;
  const above = before.at(-2) ?? '';
  const lead = before.slice(0, -1).findLast((line) => line !== '') ?? '';
  if (before.at(-1) !== '' || own !== '') return false;
  const announced = /[:：]$/.test(lead);
  return announced ? !/^\p{Ll}/u.test(below) : above === '' && below === '';
}

/** All candidates of a text with their scores, in the order of the text. */
function candidatesIn(given: string, mentions: boolean): Candidate[] {
  let text = blanked(plain(given));
  const found: Candidate[] = [];
  for (const { shape, score: own, near = false, paragraph = false } of SHAPES) {
    for (const match of text.matchAll(shape)) {
      const [written] = match;
      const [at, end] = [match.index, match.index + written.length];
      if (paragraph && !isParagraph(text, at, end)) continue;
      const score = scoreOf(text, at, end, near, mentions);
      if (score === undefined) continue;
      const code = /^[\d\s-]+$/.test(written) ? written.replace(/[\s-]/g, '') : written;
      const digits = /^\d{6}$/.test(code) ? 1 : 0;
      if (/^\D+$/.test(code) && placesOf(CODE, code).length > 0) continue;
      found.push({ code, score: score + own + digits, at });
    }
    // What a more telling shape matched is no candidate of another.
    text = text.replace(shape, (part) => BLANK.repeat(part.length));
  }
  return found.toSorted((one, other) => one.at - other.at);
}

/**
 * The one-time code of a mail, as it is typed: digits without blanks, letters with their hyphens, words with single blanks. Undefined where
 * nothing is one beyond doubt, such as in a mail with an order number alone.
 */
export function codeIn({ subject, text }: MailTexts): string | undefined {
  const mentions = placesOf(CODE, `${plain(subject)}\n${plain(text)}`).length > 0;
  const all = [...candidatesIn(subject, mentions), ...candidatesIn(text, mentions)];
  const scores = new Map<string, number>();
  for (const { code, score } of all) {
    const before = scores.get(code);
    // A code that stands in both is the one.
    scores.set(code, before === undefined ? score : Math.max(before, score) + 1);
  }
  let best: string | undefined;
  for (const [code, score] of scores)
    if (score >= ENOUGH && (best === undefined || score > (scores.get(best) as number))) best = code;
  return best;
}
