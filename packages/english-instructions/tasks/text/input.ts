import { fenced, longestBackticks } from '@mailroom/behavior/values/backticks';
import { TaskError } from '../task.ts';

/** Maximum text that a task works on, in bytes of UTF-8. */
const INPUT_BYTES = 262_144;

/**
 * A value as text: a list of strings as lines, other values that are no string as JSON. Throws TaskError when it is too
 * long.
 */
export function asText(value: unknown, what = 'text'): string {
  const text = written(value);
  if (text.length > INPUT_BYTES || Buffer.byteLength(text) > INPUT_BYTES) {
    throw new TaskError(
      `The ${what} is longer than ${INPUT_BYTES / 1024} KB, which is the most that can be worked on.`,
    );
  }
  return text;
}

function written(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? one : json(one))).join('\n');
  return json(value);
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    throw new TaskError('This is nested too deeply to be written out.');
  }
}

/** Throws TaskError for an output above `most` bytes, before it is built. */
export function fits(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new TaskError(
    `The result would have ${Math.ceil(bytes / 1024).toLocaleString('en')} KB; at most ${Math.floor(most / 1024)} KB are possible.`,
  );
}

/** The lines of a text, without an empty one after a final line break; '' has none. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const MARK = /^(?:[-*•–—]|\d{1,4}[.)])\s+(?=\S)/;

/** The lines of a list without their marks, such as `-` or `1.`; other lines as they are. */
export const unmarked = (lines: readonly string[]): readonly string[] =>
  lines.every((line) => MARK.test(line)) ? lines.map((line) => line.replace(MARK, '')) : lines;

/**
 * The items of a text: the elements of a JSON list, else its lines, without the marks of a list, else the parts between
 * semicolons, commas or, without these, spaces. Trimmed, without empty ones.
 */
export function itemsOf(value: unknown): string[] {
  const text = asText(value);
  if (Array.isArray(value)) return value.map((one) => written(one));
  const plain = text.trim();
  const elements = plain.startsWith('[') && plain.endsWith(']') ? parsedList(plain) : undefined;
  if (elements !== undefined) return elements.map((one) => written(one));
  const separator = /[\n\r]/.test(plain) ? /\r\n|\n|\r/ : plain.includes(';') ? ';' : plain.includes(',') ? ',' : /\s/;
  const items = plain.split(separator).map((item) => item.trim());
  if (/[\n\r]/.test(plain)) return [...unmarked(items.filter((item) => item !== ''))];
  if (separator === ';' || separator === ',') endLast(items);
  splitLast(items, plain);
  return items.filter((item) => item !== '');
}

/** What a full stop belongs to. */
const SHORT_FORM = /(?:^|[ .])(?:etc|inc|ltd|co|corp|bros|jr|sr|st|ave|rd|ph\.d|[ap]\.m)\.$/i;
const INITIAL = /[ .]\p{Lu}\.$/u;
const ENDED = /[^.\s]\.$/;
/** Takes the full stop behind a list from its last item: "remove the duplicates: pear, fig, pear." */
function endLast(items: string[]): void {
  const last = items.at(-1) ?? '';
  if (items.length < 2 || !ENDED.test(last) || items.slice(0, -1).some((item) => ENDED.test(item))) return;
  if (!SHORT_FORM.test(last) && !INITIAL.test(last)) items[items.length - 1] = last.slice(0, -1);
}

/** The items of a list on a line each; a text of several lines as it is. */
export const lineByLine = (text: string): string =>
  !text.includes('\n') && /[,;] /.test(text) ? itemsOf(text).join('\n') : text;

function parsedList(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Splits the last item of "a, b and c" and "a, b, and c". */
function splitLast(items: string[], plain: string): void {
  const last = items.at(-1) ?? '';
  if (/^(?:and|or) /i.test(last)) items[items.length - 1] = last.replace(/^(?:and|or) /i, '');
  else if (plain.length <= 2_000) {
    const two = /^(\S{1,60}) (?:and|or) (\S{1,60})$/i.exec(last);
    if (two !== null) items.splice(-1, 1, two[1] as string, two[2] as string);
    else if (items.length > 2 && /^(?:and|or)$/i.test(items.at(-2) ?? '')) items.splice(-2, 1);
  }
}

/** Markdown that shows the text unchanged, with its line breaks. */
export function verbatim(text: string): string {
  if (/[\n\r]/.test(text) || text.trim() === '') return fenced(text);
  const ticks = '`'.repeat(longestBackticks(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') || (text.startsWith(' ') && text.endsWith(' ')) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** A text for a line of Markdown, with special characters escaped. */
export const plainly = (text: string): string =>
  text
    .replace(/[\r\n]+/g, ' ')
    // A number sign makes a heading only before a blank, and a low line within a word nothing.
    .replace(/#(?=#{0,5}(?:\s|$))|(?<![\p{L}\d])_|_(?![\p{L}\d])|[\\`*[\]<>|~&]/gu, String.raw`\$&`);

/** A Markdown list. */
export const listed = (items: readonly string[], none = 'None.'): string =>
  items.length === 0 ? none : items.map((item) => `- ${/^\s*$/.test(item) ? '(empty)' : plainly(item)}`).join('\n');
