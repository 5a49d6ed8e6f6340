import { literal } from '../tasks/clause.ts';
import type { Words } from '../tasks/task.ts';
import { COURTESY } from '../tasks/words/courtesies.ts';
import { spelled } from '../tasks/words/day-typos.ts';

/** What an instruction keeps or hands on, as it was written; or the words of which nothing says what they are. */
export type Wording = { readonly text: string } | { readonly doubt: string };

/** Marks of lists and quotations at the beginning of a line, which are left out of what a task reads. */
const MARKS = /^[^\S\n]*(?:>[^\S\n]?)*[^\S\n]*(?:(?:[-*•–—]|\(?(?:step[^\S\n]+)?\d{1,4}(?:\)|[.:](?!\d)))[^\S\n]*)?/iu;
const FENCE = /(?:^|\n)[ \t]{0,20}(?:`{3}|~{3})/;
/** Signs that may be added or left out where lines are joined. */
const LOOSE = /[\s:*•–—>-]/u;
const MAX_PLACES = 20;
/** The maximum number of blanks between a text and its signs. */
const MAX_BLANKS = 20;
/** The maximum number of characters that are looked at behind the words. */
const MAX_REST = 400;

/** A text without blanks and marks, and the place of each of its characters. */
interface Bare {
  readonly text: string;
  readonly places: readonly number[];
}

function bareOf(text: string, marked: (at: number) => boolean): Bare {
  const places: number[] = [];
  let bare = '';
  let from = 0;
  for (const line of text.split('\n')) {
    const start = marked(from) ? (MARKS.exec(line)?.[0].length ?? 0) : 0;
    for (let index = FENCE.test(line) ? line.length : start; index < line.length; index++) {
      const sign = line[index] as string;
      if (LOOSE.test(sign)) continue;
      bare += sign;
      places.push(from + index);
    }
    from += line.length + 1;
  }
  return { text: bare, places };
}

const cache: { source: string; bare: Bare } = { source: '', bare: { text: '', places: [] } };

function bareSource(source: string): Bare {
  if (cache.source !== source) {
    cache.source = source;
    cache.bare = bareOf(source, () => true);
  }
  return cache.bare;
}

type Place = readonly [from: number, to: number];
const LETTER = /[\p{L}\p{N}]/u;

/** Whether a place begins and ends with whole words: "now" is no part of "know". */
const isWhole = (source: string, [from, to]: Place): boolean =>
  !(LETTER.test(source[from - 1] ?? '') && LETTER.test(source[from] ?? '')) &&
  !(LETTER.test(source[to - 1] ?? '') && LETTER.test(source[to] ?? ''));

/** Where a text stands in the instruction that it was taken from, where that stands in the source as it was read. */
function placeIn(instruction: string, text: string, source: string): Place | undefined {
  const { text: bare, places } = bareSource(source);
  const read = bareOf(instruction, () => false).text;
  const from = bare.indexOf(read);
  if (read === '' || from < 0 || bare.indexOf(read, from + 1) >= 0) return undefined;
  let attempts = MAX_PLACES;
  for (let within = read.lastIndexOf(text); within >= 0 && attempts-- > 0; ) {
    const first = from + within;
    const place = [places[first] as number, (places[first + text.length - 1] as number) + 1] as const;
    if (isWhole(source, place)) return place;
    within = within === 0 ? -1 : read.lastIndexOf(text, within - 1);
  }
  return undefined;
}

/** The place with the signs that begin or end the text and are left out of a search: those of "-5" and ":)". */
function withSigns(text: string, source: string, [from, to]: Place): Place {
  const signs = text.replace(/\s+/g, '');
  let [begin, end] = [from, to];
  const isSign = (at: number): boolean => LOOSE.test(signs[at] ?? '');
  let first = 0;
  while (isSign(first)) first++;
  while (first > 0) {
    const preceding = source.slice(Math.max(0, begin - MAX_BLANKS), begin).trimEnd();
    if (preceding.at(-1) !== signs[--first]) break;
    begin -= source.slice(Math.max(0, begin - MAX_BLANKS), begin).length - preceding.length + 1;
  }
  let last = signs.length;
  while (isSign(last - 1)) last--;
  for (; last < signs.length; last++) {
    const [blanks = ''] = /^\s*/.exec(source.slice(end, end + MAX_BLANKS)) ?? [];
    if (source[end + blanks.length] !== signs[last]) break;
    end += blanks.length + 1;
  }
  return [begin, end];
}

/** `sure`: it stands in the instruction, and not in what is pasted to it. */
function* placesOf(
  text: string,
  source: string,
  instruction: string,
): Generator<{ readonly place: Place; readonly sure: boolean }> {
  let attempts = MAX_PLACES;
  const bareText = bareOf(text, (at) => at > 0).text;
  if (bareText === '') return;
  const place = placeIn(instruction, bareText, source);
  if (place !== undefined) {
    yield { place: withSigns(text, source, place), sure: true };
    return;
  }
  for (
    let index = source.lastIndexOf(text);
    index >= 0 && attempts-- > 0;
    index = index === 0 ? -1 : source.lastIndexOf(text, index - 1)
  )
    if (isWhole(source, [index, index + text.length])) yield { place: [index, index + text.length], sure: false };
  if (attempts < MAX_PLACES) return;
  const { text: bare, places } = bareSource(source);
  for (
    let index = bare.lastIndexOf(bareText);
    index >= 0 && attempts-- > 0;
    index = index === 0 ? -1 : bare.lastIndexOf(bareText, index - 1)
  ) {
    const place = [places[index] as number, (places[index + bareText.length - 1] as number) + 1] as const;
    if (isWhole(source, place)) yield { place: withSigns(text, source, place), sure: false };
  }
}

const CLOSES: Readonly<Record<string, string>> = { '"': '"', '“': '”', "'": "'", '‘': '’', '«': '»', '`': '`' };
/** Words that are left out of an instruction when it is read, and the signs around them. */
const LEFT_OUT = new RegExp(
  `^(?:${COURTESY}(?![\\p{L}\\p{N}])|and (?=${COURTESY}(?![\\p{L}\\p{N}]))|[\\s.,!?;:…"”»)*_-]|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]|\\u{FE0F}|\\u{200D})*$`,
  'iu',
);
/** A courtesy behind a full stop, with or without a name. */
const CLOSING =
  /(?<=[.!?]["”»]?)\s+(?:(?:[Mm]any|[Bb]est|[Kk]ind|[Ww]arm) )?(?:[Tt]hanks|[Tt]hank you|[Tt]hx|[Cc]heers|[Rr]egards|[Ww]ishes|[Pp]lease|[Pp]ls|[Nn]ow)(?: (?:a (?:lot|million|ton|bunch)|so much|very much|in advance|again))?[,.!]*(?:\s+\p{Lu}[\p{L}.-]{0,20}){0,3}[.!\s]*(?:\p{Extended_Pictographic}|\u{FE0F})*$/u;
const TIME_LINK = /^[\s,;:–-]*(?:(?:please|pls|and)\s+)*(?:(?:at|by|on|for|in)\s+)?/i;

/** Words that begin the next instruction of a list, whatever stood before them. */
const NEXT = /^[*_~]{0,3}\s*[,;.]\s*(?:and\s+)?then\s/i;
/** Signs that may end an emphasis of Markdown. */
const EMPHASIS = /^(?:\*{1,3}|_{1,3}|~~|`{1,3})/;

/** Whether the rest of a line is the time of the instruction, and perhaps a courtesy. */
function isTime(rest: string, accounts: readonly string[]): boolean {
  const plain = spelled(rest).replace(/\s+/g, ' ').replace(TIME_LINK, '');
  return accounts.some((words) => {
    const account = words.replace(/\s+/g, ' ').replace(TIME_LINK, '');
    return (
      account !== '' &&
      plain.toLowerCase().startsWith(account.toLowerCase()) &&
      LEFT_OUT.test(plain.slice(account.length))
    );
  });
}

/**
 * `accounts`: what the task read beside the text; `instruction`: what it read; `next`: the instruction behind it; `goesOn`:
 * whether any other one is read behind it.
 */
interface Around {
  readonly accounts?: readonly string[];
  readonly instruction?: string;
  readonly next?: string;
  readonly goesOn?: boolean;
}

/** Where the words end of which `[from, to)` was read; undefined when what follows them may be something else. */
function endOf(
  source: string,
  [from, to]: Place,
  { behind }: Words,
  accounts: readonly string[],
  sure: boolean,
  { next = '', goesOn = true }: Around,
): number | undefined {
  const line = source.indexOf('\n', to);
  const all = source.slice(to, line < 0 ? source.length : line);
  const other = next === '' ? -1 : all.indexOf(next);
  const rest = other > 0 && /[.!?;]\s+$/.test(all.slice(0, other)) ? all.slice(0, other) : all;
  const closes = CLOSES[source[from - 1] ?? ''];
  if (closes !== undefined && closes === source[to]) return to;
  if (rest.length > MAX_REST) return undefined;
  if ((goesOn && NEXT.test(rest)) || isTime(rest, accounts) || behind?.test(rest.trimEnd()) === true) return to;
  if (rest !== all && LEFT_OUT.test(rest)) return to;
  const whole = source.slice(from, to + rest.length).trimEnd();
  // In "remind me tomorrow to call Ann at 9" the clock says when, and is a part of the text too.
  if (rest.trim() !== '' && accounts.some((words) => words.trim().endsWith(rest.trim()))) return from + whole.length;
  const first = source.lastIndexOf('\n', to - 1) + 1;
  if (/^\s*\(?\d{1,2}[.)] /.test(rest) && /^\s*\(?1[.)] /.test(source.slice(first, to))) return to;
  const cut = whole.length - (CLOSING.exec(whole.slice(-200))?.[0].length ?? 0);
  const end = sure ? cut : Math.max(to - from, cut);
  return LEFT_OUT.test(whole.slice(to - from, end)) ? from + end : undefined;
}

/** The place with the signs of emphasis that begin or end it, so that they arrive as they were written. */
function withEmphasis(source: string, [from, to]: Place): Place {
  const [, opening = ''] = /(?:^|\s)(\*{1,3}|_{1,3}|~~)$/.exec(source.slice(Math.max(0, from - 4), from)) ?? [];
  const [closing = ''] = EMPHASIS.exec(source.slice(to, to + 3)) ?? [];
  const begin = from - opening.length;
  return [begin, closing !== '' && source.slice(begin, to).includes(closing) ? to + closing.length : to];
}

/** Where the words begin, with the mark of their first line where they are lines of their own. */
function startOf(source: string, [from, to]: Place): number {
  const line = source.lastIndexOf('\n', from - 1) + 1;
  if (line === 0 || MARKS.exec(source.slice(line, from))?.[0].length !== from - line) return from;
  if (source.slice(from, to).includes('\n')) return line;
  // A single item below a colon is the whole text, and one of several an instruction.
  const alone = source.slice(0, line).trimEnd().endsWith(':') && source.slice(to).trim() === '';
  return alone ? line : from;
}

/** Whether a quotation that begins a text ends in another line, or nowhere. */
function isHalfQuoted(text: string): boolean {
  const closes = text[0] === '"' ? '"' : text[0] === '“' ? '”' : undefined;
  if (closes === undefined || (text.length > 1 && text.endsWith(closes))) return false;
  return text.indexOf(closes, 1) < 0 || text.includes('\n');
}

/**
 * A text that a task took from an instruction, with the bytes that it has in `source`, from where it begins to its end. A
 * courtesy at its end is part of it, unless it stands behind a full stop or a closing quotation mark.
 */
export function wordingOf(text: string, source: string, words: Words, around: Around = {}): Wording {
  const { accounts = [], instruction = '' } = around;
  const trimmed = text.trim();
  let doubt: string | undefined;
  if (isHalfQuoted(trimmed)) return { doubt: trimmed };
  for (const { place: read, sure } of placesOf(trimmed, source, instruction)) {
    const place = withEmphasis(source, read);
    const end = endOf(source, place, words, accounts, sure, around);
    if (end === undefined) {
      doubt ??= source.slice(place[1]).split('\n')[0]?.trim();
      continue;
    }
    const found = source.slice(startOf(source, place), end);
    return { text: FENCE.test(found) && !FENCE.test(trimmed) ? text : found };
  }
  return { doubt: doubt ?? trimmed };
}

const REFERENCE = /(?<!\\)\{\{\s*(\d{1,4}|input)((?:\.[A-Za-z0-9_]+)*)\s*\}\}/g;

/** A text in which only references to earlier steps are references. `last`: the number of earlier steps. */
export const withReferences = (text: string, last: number, before: boolean): string =>
  text.replace(REFERENCE, (whole, n: string, path: string) =>
    n === 'input' || Number(n) > last || (n === '0' && !before) ? literal(whole) : `{{${n}${path}}}`,
  );
