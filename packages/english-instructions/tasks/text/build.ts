import { TaskError } from '../task.ts';
import { graphemes, occurrences, sentencesOf } from './count.ts';
import { fits, linesOf, unmarked } from './input.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

/** Replaces a literal text by another. Throws TaskError above `most` bytes. */
export function replaced(
  text: string,
  find: string,
  by: string,
  first: boolean,
  most: number,
): { result: string; count: number } {
  if (find === '') throw new TaskError('What should be replaced is empty.');
  const all = occurrences(text, find);
  const count = first ? Math.min(1, all) : all;
  if (by.length > find.length) fits(bytes(text) + count * (bytes(by) - bytes(find)), most);
  if (!first) return { result: text.split(find).join(by), count };
  const at = text.indexOf(find);
  return { result: at < 0 ? text : text.slice(0, at) + by + text.slice(at + find.length), count };
}

/** The marks around a part of a text; without one of them the part begins or ends with the text. */
export interface Marks {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** Takes the last places of the marks rather than the first. */
  readonly last?: boolean;
}

/** What stands between two marks; undefined where one of them is missing. */
function betweenOf(
  text: string,
  { after: opening = '', before: closing = '', last = false }: Marks,
): string | undefined {
  const [find, range] = last ? (['lastIndexOf', Number.POSITIVE_INFINITY] as const) : (['indexOf', 0] as const);
  const end = closing !== '' && last ? text.lastIndexOf(closing) : -1;
  const from = opening === '' ? 0 : text[find](opening, end < 0 ? range : end - 1);
  const begin = from + opening.length;
  const to = closing === '' ? text.length : last ? end : text.indexOf(closing, begin);
  return from < 0 || to < begin ? undefined : text.slice(begin, to).trim();
}

/** A part of a text with its place. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What stands from each mark up to the one that closes it, with both; a mark that is not closed begins nothing. */
export function enclosedIn(text: string, open: string, close: string): Span[] {
  const found: Span[] = [];
  for (let from = text.indexOf(open); from >= 0; from = text.indexOf(open, found.at(-1)?.to)) {
    const end = text.indexOf(close, from + open.length);
    if (end < 0) break;
    const to = end + close.length;
    found.push({ from, to, text: text.slice(from, to) });
  }
  return found;
}

/**
 * What stands between two marks in a text, each time where it has both several times, or in each of its lines where each
 * has them; `each`: only so. Throws TaskError where a mark is missing.
 */
export function between(text: string, marks: Marks, each = false): string {
  const { after: opening, before: closing, last } = marks;
  const lines = linesOf(text).map((line) => betweenOf(line, marks));
  const lacks = lines.indexOf(undefined);
  if (each && lacks >= 0) throw new TaskError(`Line ${lacks + 1} has no “${opening ?? closing}”.`);
  if (lines.length > 1 && lacks < 0) return lines.join('\n');
  const all = opening && closing && last !== true ? enclosedIn(text, opening, closing) : [];
  if (all.length > 1)
    return all.map((one) => one.text.slice(opening?.length, -(closing?.length ?? 0)).trim()).join('\n');
  const whole = betweenOf(text, marks);
  if (whole !== undefined) return whole;
  const missing = [opening, closing].find((mark) => mark !== undefined && !text.includes(mark));
  throw new TaskError(
    missing === undefined ? `No “${closing}” stands behind “${opening}”.` : `The text has no “${missing}”.`,
  );
}

/** The items with a separator between them. Throws TaskError above `most` bytes. */
export function joined(items: readonly string[], separator: string, most: number): string {
  fits(items.reduce((sum, item) => sum + item.length, 0) + bytes(separator) * Math.max(0, items.length - 1), most);
  return items.join(separator);
}

/** Fills `{name}`, `{{name}}` and `<name>`; names without a value stay and are listed. Throws TaskError as `joined` does. */
export function filledIn(
  template: string,
  values: { readonly [name: string]: unknown },
  most: number,
): { result: string; missing: string[] } {
  const valueByName = new Map(
    Object.entries(values).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const missing = new Set<string>();
  let size = bytes(template);
  const result = template.replace(
    /\{\{([\p{L}\p{N}_ -]{1,60})\}\}|\{([\p{L}\p{N}_ -]{1,60})\}|<([\p{L}\p{N}_ -]{1,60})>/gu,
    (all, twice?: string, once?: string, angled?: string) => {
      const braced = twice ?? once;
      const name = (braced ?? angled ?? '').trim().toLowerCase();
      const value = valueByName.get(name);
      if (value === undefined) {
        if (braced !== undefined) missing.add(braced.trim());
        return all;
      }
      size += bytes(value) - all.length;
      fits(size, most);
      return value;
    },
  );
  return { result, missing: [...missing] };
}

/** A text of at least `length` characters. Throws TaskError as `joined` does. */
export function padded(text: string, length: number, side: 'left' | 'right', fill: string, most: number): string {
  if (fill === '') throw new TaskError('There is nothing to pad with.');
  const lacks = length - graphemes(text).length;
  if (lacks <= 0) return text;
  const signs = graphemes(fill);
  fits(bytes(text) + Math.ceil(lacks / signs.length) * bytes(fill), most);
  const padding = fill.repeat(Math.floor(lacks / signs.length)) + signs.slice(0, lacks % signs.length).join('');
  return side === 'left' ? padding + text : text + padding;
}

/** Numbers every line, in place of the marks of a list. Throws TaskError as `joined` does. */
export function numbered(text: string, most: number, from = 1): string {
  const lines = unmarked(linesOf(text));
  fits(bytes(text) + lines.length * (String(lines.length + from).length + 2), most);
  return lines.map((line, index) => `${index + from}. ${line}`).join('\n');
}

/** Lines of at most `width` characters, broken at spaces; longer words stay whole, and existing line breaks stay. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const lines: string[] = [];
      let now = '';
      for (const word of line.match(/\S+/g) ?? []) {
        if (now === '') now = word;
        else if (now.length + 1 + word.length <= width) now += ` ${word}`;
        else {
          lines.push(now);
          now = word;
        }
      }
      return [...lines, now].join('\n');
    })
    .join('\n');
}

/** The units that a text can be cut into. */
export const UNITS = ['characters', 'words', 'lines', 'sentences', 'items'] as const;
export type Unit = (typeof UNITS)[number];

/** The first or last `count` units of a text, unchanged. */
export function part(text: string, count: number, unit: Unit, end: 'first' | 'last'): string {
  const take = <T>(all: readonly T[]): readonly T[] =>
    end === 'first' ? all.slice(0, count) : count === 0 ? [] : all.slice(-count);
  if (unit === 'lines') return take(linesOf(text)).join('\n');
  if (unit === 'sentences') return take(sentencesOf(text)).join(' ');
  if (unit === 'characters') return take(graphemes(text)).join('');
  const kept = take([...text.matchAll(/\S+/g)]);
  const [from] = kept;
  const to = kept.at(-1);
  return from === undefined || to === undefined ? '' : text.slice(from.index, to.index + to[0].length);
}

/** The number or bullet at the beginning of a line. */
const LIST_MARK = /^[ \t]*(?:\d{1,6}[.):]|[-*•–])(?:[ \t]+|$)/;
/** Removes white space at the ends of lines and repeated spaces; with `lines` also empty lines. */
export const cleaned = (text: string, what: 'spaces' | 'lines' | 'marks'): string =>
  what === 'marks'
    ? linesOf(text)
        .map((line) => line.replace(LIST_MARK, ''))
        .join('\n')
    : what === 'lines'
      ? linesOf(text)
          .filter((line) => line.trim() !== '')
          .join('\n')
      : text
          .split('\n')
          .map((line) => (line.match(/\S+/g) ?? []).join(' '))
          .join('\n')
          .replace(/\n{3,}/g, '\n\n')
          .trim();
