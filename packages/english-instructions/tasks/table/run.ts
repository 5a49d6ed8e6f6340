import type { Json } from '@mailroom/behavior/values/json';
import { csvText } from '../json/csv.ts';
import { TaskError } from '../task.ts';
import { fits } from '../text/input.ts';
import { compareDecimals, type Decimal, decimalOf, decimalText, dividedBy, numberOrText, sumOf } from './decimal.ts';
import type { Condition, Input, Order, Output } from './schema.ts';
import { type Cell, columnOf, columnsText, isNumber, noNumbers, type Table, tableOf, textOf } from './table.ts';

/** Runs an operation on a table. Throws TaskError for a column that is not there, and for cells that are no numbers. */
export function runTable(input: Input, max: number): Output {
  return runOn(tableOf(input.table), input, max);
}

export function runOn(table: Table, input: Input, max: number): Output {
  const total = table.rows.length;
  if (input.op === 'columns') return { result: [...table.names], rows: total, of: total };
  const chosen = rowsOf(table, input);
  if (input.by !== undefined && input.op !== 'rows' && input.op !== 'values')
    return byGroups(table, chosen, input, input.by, max);
  if (input.op === 'count') return { result: chosen.length, rows: chosen.length, of: total };
  if (input.op === 'rows' || input.op === 'values') {
    const all = input.order === undefined ? chosen : ordered(table, chosen, input.order);
    const some = input.limit === undefined ? all : limited(table, all, input.limit, input.order);
    const rows = input.at === undefined ? some : placed(some, input.at);
    const result =
      input.op === 'rows' ? shownRows(withColumns(table, input.columns), rows, max) : cells(table, rows, input, max);
    return { result, rows: rows.length, of: total };
  }
  const column = columnNamed(table, input.column);
  const { skip } = input;
  const used = chosen.filter((row) => {
    const cell = table.rows[row]?.[column];
    return skip === undefined || (skip === 'empty' ? textOf(cell) !== '' : isNumber(cell));
  });
  const wrong = noNumbers(table, column, used);
  if (wrong !== undefined) throw new TaskError(`${wrong} Nothing was calculated.`);
  const numbers = used.map((row) => decimalOf(textOf(table.rows[row]?.[column])) as Decimal);
  const left_out = chosen.length - used.length;
  const counts = { rows: used.length, of: total, ...(left_out > 0 && { left_out }) };
  if (numbers.length === 0 && input.op !== 'sum') {
    throw new TaskError(`There is no number in “${table.names[column]}” in these rows, so there is no ${input.op}.`);
  }
  const { value, rounded } = calculated(input.op, numbers);
  return { result: numberOrText(decimalText(value)), ...counts, ...(rounded && { rounded }) };
}

/** The calculation for the rows of each value of a column, in the order in which the values occur. */
function byGroups(table: Table, rows: readonly number[], input: Input, by: string, max: number): Output {
  const column = columnNamed(table, by);
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const value = textOf(table.rows[row]?.[column]);
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [row]);
    else group.push(row);
  }
  const { by: _by, where: _where, ...each } = input;
  const result = [...groups].map(([value, own]) => {
    const part = { ...table, rows: own.map((row) => table.rows[row] as readonly Cell[]) };
    return { value, result: runOn(part, each, max).result as Json };
  });
  fits(JSON.stringify(result).length, max);
  return { result, rows: rows.length, of: table.rows.length };
}

function limited(table: Table, rows: readonly number[], limit: number, order: Input['order']): readonly number[] {
  const columns = (order ?? []).map(({ column }) => columnNamed(table, column));
  const keyOf = (row: number | undefined): string =>
    row === undefined ? '' : JSON.stringify(columns.map((column) => textOf(table.rows[row]?.[column])));
  const last = keyOf(rows[limit - 1]);
  return rows.filter((row, at) => at < limit || (columns.length > 0 && keyOf(row) === last));
}

/** The row at a place, from 1, or from the end below 0. */
const placed = (rows: readonly number[], at: number): readonly number[] => {
  const row = at === 0 ? undefined : rows.at(at > 0 ? at - 1 : at);
  return row === undefined ? [] : [row];
};

function withColumns(table: Table, names: readonly string[] | undefined): Table {
  if (names === undefined) return table;
  const columns = names.map((name) => columnNamed(table, name));
  const rows = table.rows.map((row) => columns.map((column) => row[column]));
  return { ...table, names: columns.map((column) => table.names[column] as string), rows };
}

function cells(table: Table, rows: readonly number[], { column: name, unique }: Input, max: number): Json {
  const column = columnNamed(table, name);
  const all = rows.map((row) => table.rows[row]?.[column] ?? null);
  const seen = new Set<string>();
  const once = (cell: Json): boolean => !seen.has(textOf(cell)) && seen.add(textOf(cell)) !== undefined;
  const list = unique === true ? all.filter(once) : all;
  fits(JSON.stringify(list).length, max);
  return list;
}

function calculated(
  op: Exclude<Input['op'], 'count' | 'columns' | 'rows' | 'values'>,
  numbers: readonly Decimal[],
): { readonly value: Decimal; readonly rounded: boolean } {
  if (op === 'sum') return { value: sumOf(numbers), rounded: false };
  if (op === 'average') return dividedBy(sumOf(numbers), numbers.length);
  const sorted = numbers.toSorted(compareDecimals);
  const numberAt = (place: number): Decimal => sorted.at(place) as Decimal;
  if (op === 'lowest') return { value: numberAt(0), rounded: false };
  if (op === 'highest') return { value: numberAt(-1), rounded: false };
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return { value: numberAt(middle), rounded: false };
  return dividedBy(sumOf([numberAt(middle - 1), numberAt(middle)]), 2);
}

function columnNamed(table: Table, name: string | undefined): number {
  if (name === undefined) throw new TaskError('This needs the name of a column.');
  const found = columnOf(table, name);
  if (found === undefined) throw new TaskError(`There is no column “${name}”. ${columnsText(table)}`);
  if (found === 'several') throw new TaskError(`There are several columns “${name}”. ${columnsText(table)}`);
  return found;
}

function rowsOf(table: Table, { where = [], drop = false }: Input): readonly number[] {
  const tests = where.map((condition) => testOf(table, condition));
  const all = table.rows.map((_, at) => at);
  if (tests.length === 0) return all;
  return all.filter((at) => tests.every((test) => test(table.rows[at] as readonly Cell[])) !== drop);
}

const same = (text: string): string => text.trim().toLowerCase();

function testOf(table: Table, { column: name, is, values = [] }: Condition): (row: readonly Cell[]) => boolean {
  const column = columnNamed(table, name);
  const [value = ''] = values;
  const cellOf = (row: readonly Cell[]): string => textOf(row[column]);
  if (is === 'empty' || is === 'not_empty') return (row) => (cellOf(row) === '') === (is === 'empty');
  if (values.length === 0) throw new TaskError(`The condition on “${name}” needs a value.`);
  if (is === 'equal' || is === 'not_equal') {
    const wanted = values.map((one) => ({ text: same(one), number: decimalOf(one) }));
    return (row) => {
      const text = cellOf(row);
      const number = decimalOf(text);
      const hit = wanted.some(
        (one) =>
          one.text === same(text) ||
          (one.number !== undefined && number !== undefined && compareDecimals(one.number, number) === 0),
      );
      return hit === (is === 'equal');
    };
  }
  if (is === 'contains') return (row) => same(cellOf(row)).includes(same(value));
  if (is === 'starts_with') return (row) => same(cellOf(row)).startsWith(same(value));
  if (is === 'ends_with') return (row) => same(cellOf(row)).endsWith(same(value));
  const limit = decimalOf(value);
  if (limit === undefined) throw new TaskError(`“${value}” is no plain number to compare “${name}” with.`);
  const wrong = noNumbers(table, column, [...table.rows.keys()]);
  if (wrong !== undefined) throw new TaskError(`${wrong} Nothing was compared.`);
  return (row) => {
    const order = compareDecimals(decimalOf(cellOf(row)) as Decimal, limit);
    if (is === 'more') return order > 0;
    if (is === 'less') return order < 0;
    return is === 'at_least' ? order >= 0 : order <= 0;
  };
}

/** Text that has an order of its own, such as 12/31/2025, 1,234.50 or €12. */
const LIKE_NUMBER = /^[-+]?(?:\p{Sc} ?)?\d[\d.,/:' ]*(?:\p{Sc}|%)?$/u;

/** The rows in order, those with an empty cell last; equal ones keep their places. */
function ordered(table: Table, rows: readonly number[], order: readonly Order[]): readonly number[] {
  const letters = new Intl.Collator('en', { sensitivity: 'base' });
  const keys = order.map(({ column: name, descending = false, as }) => {
    const column = columnNamed(table, name);
    const texts = table.rows.map((row) => textOf(row[column]));
    const filled = rows.filter((row) => texts[row] !== '');
    const numeric = as === 'number' || (as === undefined && filled.every((row) => isNumber(texts[row])));
    if (numeric || as === undefined) {
      const wrong = noNumbers(table, column, filled);
      const mixed = filled.some((row) => LIKE_NUMBER.test(texts[row] as string));
      if (wrong !== undefined && (numeric || mixed))
        throw new TaskError(`${wrong} Nothing was sorted. To sort by letters: sort by ${name} as text.`);
    }
    const numbers = numeric ? texts.map(decimalOf) : [];
    const compare = (a: number, b: number): number =>
      numeric
        ? compareDecimals(numbers[a] as Decimal, numbers[b] as Decimal)
        : letters.compare(texts[a] as string, texts[b] as string);
    return (a: number, b: number): number => {
      const empty = Number(texts[a] === '') - Number(texts[b] === '');
      if (empty !== 0 || texts[a] === '') return empty;
      return descending ? -compare(a, b) : compare(a, b);
    };
  });
  return rows.toSorted((a, b) => {
    for (const compare of keys) {
      const found = compare(a, b);
      if (found !== 0) return found;
    }
    return 0;
  });
}

/** The rows as they were given: CSV with its header and delimiter, or objects. */
function shownRows({ names, rows, delimiter }: Table, at: readonly number[], max: number): Json {
  const chosen = at.map((row) => rows[row] as readonly Cell[]);
  if (delimiter !== undefined) {
    const text = csvText([names, ...(chosen as readonly (readonly string[])[])], delimiter);
    fits(Buffer.byteLength(text), max);
    return text;
  }
  const list = chosen.map((row) =>
    Object.fromEntries(row.flatMap((cell, column) => (cell === undefined ? [] : [[names[column] as string, cell]]))),
  );
  fits(JSON.stringify(list).length, max);
  return list as Json;
}
