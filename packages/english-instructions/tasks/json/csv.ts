import type { Json } from '@mailroom/behavior/values/json';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type * as Papaparse from 'papaparse';
import { lazyPackage } from '../lazy-package.ts';
import { TaskError } from '../task.ts';
import { asText, fits } from '../text/input.ts';

const papa = lazyPackage<typeof Papaparse>('papaparse');

type Row = { readonly [name: string]: Json };

const isRow = (value: Json): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const cell = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function rowsOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  if (!isRow(value)) return [value];
  const held = Object.values(value);
  const [only] = held;
  return held.length === 1 && Array.isArray(only) && only.every(isRow) ? (only as readonly Json[]) : [value];
}

/**
 * A list as CSV (RFC 4180, with \n): objects with a header of all their names, lists row by row, other values in a column
 * `value`. Nested values are written as JSON. Throws TaskError above `max` bytes.
 */
export function toCsv(value: Json, max: number): { readonly result: string; readonly rows: number } {
  const rows = rowsOf(value);
  if (rows.length === 0) return { result: '', rows: 0 };
  if (rows.every((row) => Array.isArray(row))) {
    const data = (rows as readonly (readonly Json[])[]).map((row) => row.map(cell));
    return { result: papa().unparse(data, { newline: '\n' }), rows: rows.length };
  }
  const objects: readonly Row[] = rows.map((row) => (isRow(row) ? row : { value: row }));
  const names = new Set<string>();
  for (const row of objects) for (const name of Object.keys(row)) names.add(name);
  const fields = [...names];
  // Objects with few names in common make far more commas than values.
  fits(objects.length * fields.length, max);
  const data = objects.map((row) => fields.map((name) => cell(Object.hasOwn(row, name) ? row[name] : undefined)));
  return { result: papa().unparse({ fields, data }, { newline: '\n' }), rows: rows.length };
}

/** A cell's value: numbers in JSON notation become numbers, true and false booleans; "007" stays text. */
export function cellValue(text: string): Json {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}

/**
 * CSV as a list of objects with the names of the first row; the delimiter is guessed. Missing and repeated names get a
 * number. Throws TaskError for an open quotation or above `max` bytes of JSON.
 */
export function fromCsv(given: unknown, max: number): { readonly [name: string]: Json }[] {
  const { rows: data } = csvRows(given, 'greedy');
  const [header, ...rows] = data;
  if (header === undefined) throw new TaskError('There is no CSV: its first row should name the columns.');
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), header.length);
  const names = columnNames(header, width);
  const sizes = names.map((name) => Buffer.byteLength(JSON.stringify(name)) + 4);
  let size = 0;
  for (const row of rows) {
    // Each row repeats every name, so the list may be far longer than the CSV.
    for (let at = 0; at < row.length; at += 1) size += (sizes[at] ?? 0) + (row[at] ?? '').length;
    fits(size, max);
  }
  return rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at] ?? '', cellValue(value.trim())])));
}

/** The rows of CSV, whose delimiter is guessed. Throws TaskError for an open quotation. */
export function csvRows(
  given: unknown,
  skipEmptyLines: boolean | 'greedy',
): { readonly rows: readonly string[][]; readonly delimiter: string } {
  // A tab at the end of the last row belongs to it.
  const text = withoutTrailing(asText(given, 'CSV').replace(/^\ufeff/, ''), '\r\n').replace(/^[\r\n]+/, '');
  const delimiter = delimiterOf(text);
  const { data, errors } = papa().parse<string[]>(text, { skipEmptyLines, delimiter });
  const wrong = errors.find(({ type }) => type === 'Quotes');
  if (wrong !== undefined) {
    throw new TaskError(
      `A quotation in row ${(wrong.row ?? 0) + 1} is not closed, or has more behind it than a separator.`,
    );
  }
  return { rows: delimiter === '|' ? withoutMarkdown(data) : data, delimiter };
}

/** The rows of a Markdown table (GitHub Flavored Markdown, section 4.10) without its second line, its outer bars and the spaces around cells. */
function withoutMarkdown(rows: string[][]): string[][] {
  const [header = [], rule = [], ...data] = rows;
  const outer = header.length > 2 && header[0]?.trim() === '' && header.at(-1)?.trim() === '';
  const inner = (row: string[]): string[] => (outer ? row.slice(1, -1) : row);
  const isRule = rule.length > 0 && inner(rule).every((one) => /^:?-+:?$/.test(one.trim()));
  return isRule ? [header, ...data].map((row) => inner(row).map((one) => one.trim())) : rows;
}

/** Rows as CSV (RFC 4180, with \n). */
export const csvText = (rows: readonly (readonly string[])[], delimiter: string): string =>
  papa().unparse(rows as string[][], { newline: '\n', delimiter });

/** Guesses by the first rows only, because guessing reads the text once per delimiter. */
function delimiterOf(text: string): string {
  const start = text.slice(0, 8_192);
  const end = start.length < text.length ? start.lastIndexOf('\n') : -1;
  const first = end > 0 ? start.slice(0, end) : start;
  // A comma in figures between semicolons is one of decimals.
  if (
    !/(?:^|[^\d]),|,(?!\d)/.test(first) &&
    first.split('\n').every((line) => line.trim() === '' || line.includes(';'))
  )
    return ';';
  return papa().parse(first, { preview: 20 }).meta.delimiter;
}

function columnNames(header: readonly string[], width: number): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return Array.from({ length: width }, (_, at) => {
    const plain = (header[at] ?? '').trim();
    const name = plain === '' ? `column_${at + 1}` : plain;
    let unique = name;
    // Counters are kept by name, because a header of one repeated name would otherwise take quadratic time.
    for (let count = next.get(name) ?? 2; taken.has(unique); count += 1) {
      unique = `${name}_${count}`;
      next.set(name, count + 1);
    }
    taken.add(unique);
    return unique;
  });
}
