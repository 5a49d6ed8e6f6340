import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { jsonIn } from '../language/json-spans.ts';
import { MAX_CLAUSE } from '../tasks/clause.ts';
import { masked } from './split.ts';

/** A line of a message without its list mark. */
export interface Line {
  readonly text: string;
  readonly mark: string | undefined;
  readonly indent: number;
  /** Whether it is the line above a signature (RFC 3676, section 4.3). */
  readonly signs?: true;
}

/** A pasted block. */
export interface Fence {
  readonly data: string;
  readonly language: string | undefined;
}

/** What a message consists of. */
export type Item = Line | Fence | 'gap';

// "2.5" and "10:30" are not list marks.
const MARK = /^(\s*)(?:([-*•–—])\s+|(\(?(?:step\s+)?\d{1,4}(?:\)|[.:](?!\d)))\s*)(?=\S)/i;
const FENCE = /^\s*(`{3,}|~{3,})/;
const LANGUAGE = /^\s*([A-Za-z0-9_+-]+)/;

/** Whether a text begins like a list item. */
export const isListed = (text: string): boolean => MARK.test(text);

/** A line "1) … 2) …" as a line for each number. */
function numbered(line: string): readonly string[] {
  if (line.length > MAX_CLAUSE || !/^\s*\(?1[.)] /.test(line)) return [line];
  const starts: number[] = [0];
  for (const { index, 1: n } of masked(line).matchAll(/ \(?(\d{1,2})[.)] (?=\p{L})/gu))
    if (Number(n) === starts.length + 1) starts.push(index + 1);
  return starts.map((from, at) => line.slice(from, starts[at + 1]));
}

/** The maximum number of lines at whose end JSON is looked for. */
const MAX_OPENED = 20;

/** The JSON value that begins at the end of the line `index` and covers whole lines from there on, with its last line. */
function openedAt(
  lines: readonly string[],
  index: number,
): { readonly data: string; readonly last: number } | undefined {
  const from = (lines[index] as string).search(/[{[]\s*$/);
  const text = lines.slice(index).join('\n').slice(from);
  const [first] = jsonIn(text);
  if (first === undefined || first[0] > 0) return undefined;
  const data = text.slice(0, first[1]);
  return /^[^\S\n]*(?:\n|$)/.test(text.slice(first[1]))
    ? { data, last: index + data.split('\n').length - 1 }
    : undefined;
}

/** The lines, pasted blocks and gaps of a message. */
export function itemsOf(body: string): Item[] {
  const items: Item[] = [];
  let looks = MAX_OPENED;
  const lines = body.split(/\r\n|[\n\r\u2028\u2029]/).flatMap(numbered);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    const fence = FENCE.exec(line);
    const info = line.slice(fence?.[0].length);
    if (fence !== null && !info.includes('`')) {
      const close = (fence[1] as string).slice(0, 3);
      let last = index + 1;
      while (last < lines.length && !isFenceEnd(lines[last] as string, close)) last++;
      items.push({ data: lines.slice(index + 1, last).join('\n'), language: LANGUAGE.exec(info)?.[1]?.toLowerCase() });
      index = last;
      continue;
    }
    if (line.trim() === '') {
      items.push('gap');
      continue;
    }
    const opened = /\S\s*[{[]\s*$/.test(line) && looks-- > 0 ? openedAt(lines, index) : undefined;
    if (opened !== undefined) {
      const text = withoutTrailing(line.trim().slice(0, -1), ' :').trim();
      items.push({ text, mark: undefined, indent: 0 }, { data: opened.data, language: undefined });
      index = opened.last;
      continue;
    }
    const mark = MARK.exec(line);
    if (mark === null) {
      const signs = line === '-- ' && ({ signs: true } as const);
      items.push({ text: line.trim(), mark: undefined, indent: line.length - line.trimStart().length, ...signs });
    } else {
      const kind = mark[2] ?? '1.';
      items.push({ text: line.slice(mark[0].length).trim(), mark: kind, indent: (mark[1] as string).length });
    }
  }
  return items;
}

const isFenceEnd = (line: string, mark: string): boolean =>
  line.length < 100 && line.trim().startsWith(mark) && /^[`~\s]+$/.test(line);

/** Whether it is a line rather than a block or a gap. */
export const isLine = (item: Item): item is Line => typeof item === 'object' && 'text' in item;

/** Whether a line looks like the name under a letter. */
export const isName = (item: Item): boolean =>
  typeof item === 'object' &&
  'text' in item &&
  /^\p{Lu}[\p{L}.-]{0,20}(?: \p{Lu}[\p{L}.-]{0,20}){0,2}$/u.test(item.text);
