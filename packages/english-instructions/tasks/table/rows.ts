import { type Column, columnsOf } from './columns.ts';
import { compareDecimals, type Decimal, sumOf } from './decimal.ts';
import { seenIn } from './seen.ts';
import { textOf } from './table.ts';
import { valuesOf } from './values.ts';

/** Lines as names with the text of a value each. */
export interface Rows {
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** The lines as they were written. */
  readonly lines: readonly string[];
  /** What stands above the values. */
  readonly header: string | undefined;
}
/** Rows of several columns below their names. */
export interface Cells {
  readonly header: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

const MAX_LINES = 1_000;
const MAX_LINE = 160;
const MARK = /^(?:[-*•–+] |\(?\d{1,3}[.)] )\s*(?=\S)/;
const COMMENT = /^(?:#(?!\d)|\/\/|;;)/;
/** A row of a table between bars. */
const BARRED = /^\|.*\|$/;
const RULE = /^[-=_*|+: ]{3,}$/;

/** The lines that may be rows, without marks of a list, comments and rules. */
function linesOf(text: string): readonly string[] {
  const all = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !COMMENT.test(line) && !RULE.test(line));
  const lines = all.every((line) => BARRED.test(line)) ? all.map((line) => line.slice(1, -1).trim()) : all;
  // Numbers before the items of a list count them.
  const counted = lines.map((line) => /^\(?(\d{1,3})[.)] /.exec(line)?.[1]);
  const marked =
    lines.every((line) => MARK.test(line)) &&
    (counted.every((one) => one === undefined) || counted.every((one, at) => Number(one) === at + 1));
  return marked ? lines.map((line) => line.replace(MARK, '')) : lines;
}

/** A sign between a name and its value. `cell`: it stands between several cells too. */
interface Sign {
  readonly form: RegExp;
  readonly cell?: string;
}
/** The plainest first. */
const SIGNS: readonly Sign[] = [
  { form: /\s*\t\s*/g, cell: '\t' },
  { form: /\s*\|\s*/g, cell: '|' },
  { form: /\s*:\s+|(?<!\d):(?=\S)|:(?!\d)/g },
  { form: /\s*=\s*/g },
  { form: /\s*(?:->|=>|→|⇒)\s*/g },
  { form: /\s*\.{3,}\s*|\s*…\s*/g },
  { form: / +[–—-]+ +/g },
  { form: /\s*;\s*/g, cell: ';' },
  { form: /,(?!\d{3}(?:\D|$))|(?<!\d),/g, cell: ',' },
  { form: / {2,}/g },
  { form: / /g, cell: ' ' },
];

interface Row {
  readonly name: string;
  readonly value: string;
}
const NAMED = /\p{L}|#\d|^(?:19|20)\d\d$/u;
/** What stands before the figures of an instruction, and not before those of a thing. */
const TELLS =
  /^(?:list|show|give|find|count|sort|rank|put|tell|can|could|do|does|did|then|also|and|but|or|please|remind|send|e-?mail|tell|ask|save|note|remember|schedule|forward|convert|calculate|multiply|divide|subtract|add|sum|what|which|how|who|when|is|are|if|round|every|each|i|we)\b|[?!"“]|(?<=\s)(?:at|of|by|to|in|on|for|the|is|are|was|were|with|from|and|or|under|over|than|as|until|before|after|per|every)$|[@×*/]$| x$/iu;
const names = (text: string): boolean => NAMED.test(text) && !TELLS.test(text) && !/(?<=\s)an?$/.test(text);

/** The ways to read a line by a sign: a value behind its name, or before it. */
function rowsBy(line: string, sign: Sign, now: number): readonly (Row & { readonly leads: boolean })[] {
  const found: (Row & { readonly leads: boolean })[] = [];
  for (const { index, 0: between } of line.matchAll(sign.form)) {
    const [before, behind] = [line.slice(0, index).trim(), line.slice(index + between.length).trim()];
    if (before === '' || behind === '') continue;
    if (names(before) && valuesOf(behind, now).length > 0) found.push({ name: before, value: behind, leads: false });
    else if (names(behind) && valuesOf(before, now).length > 0)
      found.push({ name: behind, value: before, leads: true });
  }
  return found;
}

/** Figures in groups between blanks, which may be two numbers. */
const IN_BLANKS = /(?:^|\D )\d{1,3}(?: \d{3})+(?!\d)/;
/** A name with its amount by one sign; `several` where a line may be read in more ways. */
function rowBy(line: string, sign: Sign, now: number): Row | 'several' | undefined {
  const found = rowsBy(line, sign, now);
  const behind = found.find(({ leads }) => !leads);
  const ahead = found.findLast(({ leads }) => leads);
  const row = behind ?? ahead;
  if (row === undefined) return undefined;
  // In "3 May 2026 concert" the year is a part of the day.
  const isOf = (one: Row | undefined, kind: string): boolean =>
    one !== undefined && valuesOf(one.value, now).some((value) => value.kind === kind);
  if (sign.cell === ' ' && isOf(ahead, 'date') && (behind === undefined || isOf(behind, 'measure'))) return ahead;
  if (sign.cell === ' ')
    return (behind !== undefined && ahead !== undefined) || (IN_BLANKS.test(row.value) && !/\d$/.test(row.name))
      ? 'several'
      : row;
  if (sign.cell === undefined) return row;
  // A name with the sign of cells in it is several cells.
  if (row.name.includes(sign.cell)) return undefined;
  if (sign.cell === ',' && row.value.includes(',') && !row.value.startsWith('"')) return 'several';
  return row;
}

const NUMBERED = / [\d.']+$/;
const SPACED = /^\d{1,3}(?: \d{3})+$/;
/** "March 4" is a day, or a month and its value. */
export const isMonthFirst = (line: string): boolean =>
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}$/i.test(line);
/** Text as names with values: by one sign in all lines, or values alone. Undefined where some lines are none. `isNamed`: months are names. */
export function rowsIn(text: string, now: number, isNamed = false): Rows | 'several' | undefined {
  const lines = linesOf(text);
  if (lines.length < 2 || lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE)) return undefined;
  const isValue = (line: string): boolean => valuesOf(line, now).length > 0 && !(isNamed && isMonthFirst(line));
  // Values alone, perhaps below what they are.
  for (const from of [0, 1]) {
    const below = lines.slice(from);
    if (below.length < 2 || !below.every(isValue) || (from === 1 && isValue(lines[0] as string))) continue;
    if (below.some((line) => SPACED.test(line))) return 'several';
    if (below.every((line) => /^\d{1,12} \p{L}/u.test(line)) && columnsOf(below, now).length === 0) continue;
    if (from === 1 && /[\d?!]/.test(lines[0] as string)) continue;
    return { names: below.map(() => ''), values: below, lines: below, header: from === 1 ? lines[0] : undefined };
  }
  let doubt = false;
  for (const sign of SIGNS)
    for (const from of [0, 1]) {
      const below = lines.slice(from);
      if (
        below.length < 2 ||
        (from === 1 && (/\d/.test(lines[0] as string) || rowBy(lines[0] as string, sign, now) !== undefined))
      )
        continue;
      const rows = below.map((line) => rowBy(line, sign, now));
      if (rows.includes(undefined)) continue;
      if (rows.includes('several')) {
        doubt = true;
        continue;
      }
      const all = rows as readonly Row[];
      if (sign.cell === ',' && all.some(({ name }) => NUMBERED.test(name))) {
        // In "lap 1,62" the comma stands between a name and its value, in "Oslo 1,62" before decimals.
        if (new Set(all.map(({ name }) => name.replace(NUMBERED, ''))).size > 1) continue;
        return 'several';
      }
      return {
        names: all.map(({ name }) => name),
        values: all.map(({ value }) => value),
        lines: below,
        header: from === 1 ? lines[0] : undefined,
      };
    }
  return doubt ? 'several' : undefined;
}

/** Whether a line may be one of several rows. */
const isRow = (line: string, now: number): boolean =>
  /\d/.test(line) &&
  line.length <= MAX_LINE &&
  (COMMENT.test(line) ||
    [line, line.replace(MARK, '')].some(
      (one) => valuesOf(one, now).length > 0 || SIGNS.some((sign) => rowsBy(one, sign, now).length > 0),
    ));

/** Names of columns. */
const HEADER = /^[^?!.:]*\S[,;\t|]\S?[^?!.:]*$/;
/** Where rows stand in a message, and what is said around them; undefined where there are fewer than two. */
export function rowsAmong(body: string, now: number): { readonly said: string; readonly data: string } | undefined {
  const lines = body.split('\n').map((line) => line.trim());
  const isOne = (line: string): boolean => !/[?:]$/.test(line) && isRow(line, now);
  const last = lines.findLastIndex(isOne);
  let first = lines.findIndex(isOne);
  if (first < 0 || last <= first) return undefined;
  // Names of columns and comments stand above.
  const isAbove = (line: string): boolean =>
    COMMENT.test(line) || RULE.test(line) || (line.length <= MAX_LINE && HEADER.test(line));
  while (first > 0 && isAbove(lines[first - 1] as string)) first--;
  // They may stand behind the request: "sort by price: item,price".
  const [above, request = '', columns = ''] = /^([^:]*\S): *(\S[^:]*)$/.exec(lines[first - 1] ?? '') ?? [];
  const isHeaded = above !== undefined && columns.length <= MAX_LINE && HEADER.test(columns);
  const before = isHeaded ? [...lines.slice(0, first - 1), request] : lines.slice(0, first);
  const rows = [...(isHeaded ? [columns] : []), ...lines.slice(first, last + 1)];
  const said = [...before, ...lines.slice(last + 1)].filter((line) => line !== '');
  return said.length === 0 || said.length > 6 ? undefined : { said: said.join('\n'), data: rows.join('\n') };
}

/** Items of one line, between semicolons or commas with a blank behind them, as lines. */
export function itemsOf(text: string): string | undefined {
  if (text.includes('\n') || text.length > 2_000) return undefined;
  const parts = text.trim().replace(/[.;]$/, '').split(/;\s*/);
  const items =
    parts.length > 1
      ? parts
      : text
          .trim()
          .replace(/\.$/, '')
          .split(/,? (?:and|or) (?=\S)|, +/);
  return items.length > 1 && items.every((one) => /\d/.test(one)) ? items.join('\n') : undefined;
}

const MAX_ODD = 60;
/** A line that does not name a value, where most others do. */
export function oddLine(text: string, now: number): string | undefined {
  const lines = linesOf(text);
  if (lines.some((line) => line.length > MAX_ODD)) return undefined;
  const odd = lines.filter((line) => !isRow(line, now));
  return odd.length > 0 && lines.length - odd.length >= 2 && odd.length * 2 <= lines.length ? odd[0] : undefined;
}

/** Rows of several columns below their names; undefined for other text. */
export function cellsIn(text: string): Cells | undefined {
  const { table } = seenIn(text);
  if (table?.delimiter === undefined || table.names.length < 2 || table.rows.length === 0) return undefined;
  if (table.names.some((name) => name === '' || /^[-+$€£]?\d/.test(name))) return undefined;
  return { header: table.names, cells: table.rows.map((row) => row.map(textOf)) };
}

const TOTAL = /^(?:the )?(?:grand |sub-?|over-?all )?(?:total|sum|totals)(?: amount| cost| price| due)?$/i;
/** The rows without one that says what they add up to; `wrong` where it says something else. */
export function withoutTotal(
  names: readonly string[],
  column: Column,
): { readonly keep: readonly number[]; readonly wrong?: number } {
  const all = names.map((_, at) => at);
  const at = names.findLastIndex((name) => TOTAL.test(name.trim()));
  if (at < 0) return { keep: all };
  const others = all.filter((one) => one !== at);
  const total = sumOf(others.map((one) => column.amounts[one] as Decimal));
  return at === all.length - 1 && others.length > 1 && compareDecimals(total, column.amounts[at] as Decimal) === 0
    ? { keep: others }
    : { keep: others, wrong: at };
}
