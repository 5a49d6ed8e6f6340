import type { Json } from '@mailroom/behavior/values/json';
import { csvRows } from '../json/csv.ts';
import { parse } from '../json/parse.ts';
import { TaskError } from '../task.ts';
import { decimalOf } from './decimal.ts';

/** A cell: text of CSV, or a value of JSON; undefined where an object has no such name. */
export type Cell = Json | undefined;

/** Rows with named columns, read from CSV or from a list of objects. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Of CSV; undefined for JSON. */
  readonly delimiter: string | undefined;
}

type Row = { readonly [name: string]: Json };
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list of objects in a value: itself, or the only property of an object. */
function listIn(value: Json): readonly Row[] | undefined {
  const held = isRow(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value;
  if (!Array.isArray(held) || held.length === 0) return undefined;
  return (held as readonly Json[]).every(isRow) ? (held as readonly Row[]) : undefined;
}

/** The table in a text or value. Throws TaskError when it is none, or a row does not fit its header. */
export function tableOf(given: unknown): Table {
  if (typeof given !== 'string' || /^\s*[[{]/.test(given)) return ofList(parse(given).value);
  const { rows, delimiter } = csvRows(given, true);
  const [names = [], ...data] = rows;
  if (names.length === 0 || (names.length === 1 && names[0] === ''))
    throw new TaskError('There is no table: its first row should name the columns.');
  const header = names.map((name) => name.trim());
  const wrong = data.findIndex((row) => row.length !== header.length);
  if (wrong >= 0) {
    const cells = (data[wrong] as readonly string[]).length;
    throw new TaskError(
      `Row ${wrong + 1} has ${cells} ${cells === 1 ? 'cell' : 'cells'}, and the header names ${header.length} ${header.length === 1 ? 'column' : 'columns'}. A cell with a separator in it needs quotation marks: "1,234.50".`,
    );
  }
  return { names: header, rows: data, delimiter };
}

function ofList(value: Json): Table {
  const list = listIn(value);
  if (list === undefined) throw new TaskError('This JSON is no list of objects, so it has no columns.');
  const names = [...new Set(list.flatMap((row) => Object.keys(row)))];
  if (names.length * list.length > MAX_CELLS) throw new TaskError('The objects have too many different names.');
  const cellOf = (row: Row, name: string): Cell => (Object.hasOwn(row, name) ? row[name] : undefined);
  return { names, rows: list.map((row) => names.map((name) => cellOf(row, name))), delimiter: undefined };
}

/** Objects with few names in common make far more cells than values. */
const MAX_CELLS = 1_000_000;

/** The text of a cell; '' for one that is empty, missing or null. */
export const textOf = (cell: Cell): string =>
  cell === undefined || cell === null ? '' : typeof cell === 'string' ? cell.trim() : JSON.stringify(cell);

const plural = (word: string): readonly string[] => [word, `${word}s`, `${word}es`, word.replace(/y$/, 'ies')];
/** Names of columns that are shortened. */
const SHORT = new Map([
  ['pop', 'population'],
  ['temp', 'temperature'],
  ['qty', 'quantity'],
  ['dept', 'department'],
]);
const folded = (name: string): string => {
  const plain = name
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
  return SHORT.get(plain) ?? plain;
};

const formsByNames = new WeakMap<readonly string[], ReadonlySet<string>>();
/** All ways in which names of columns may be written, because an instruction is looked up word for word. */
function formsOf(names: readonly string[]): ReadonlySet<string> {
  const forms = formsByNames.get(names) ?? new Set(names.flatMap((one) => plural(folded(one))));
  formsByNames.set(names, forms);
  return forms;
}

/**
 * The column that a name means: as it is written, in another case, with other spaces, or in the plural. Undefined when
 * there is none; `several` when it may be more than one.
 */
export function columnOf({ names }: Pick<Table, 'names'>, heading: string): number | 'several' | undefined {
  const name = folded(heading);
  const forms = formsOf(names);
  if (!plural(name).some((one) => forms.has(one))) return undefined;
  for (const is of [
    (one: string) => one === heading.trim(),
    (one: string) => folded(one) === name,
    (one: string) => one !== '' && plural(folded(one)).includes(name),
    (one: string) => one !== '' && plural(name).includes(folded(one)),
  ]) {
    const found = names.flatMap((one, at) => (is(one) ? [at] : []));
    if (found.length > 1) return 'several';
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

const SHOWN = 5;

/** Whether a cell holds a plain number. */
export const isNumber = (cell: Cell): boolean => decimalOf(textOf(cell)) !== undefined;

/** The cells that are no plain numbers, for people; undefined when all are. `rows`: their numbers, from 0. */
export function noNumbers({ names, rows }: Table, column: number, at: readonly number[]): string | undefined {
  const wrong = at.filter((row) => !isNumber(rows[row]?.[column]));
  if (wrong.length === 0) return undefined;
  const examples = wrong.slice(0, SHOWN).map((row) => {
    const text = textOf(rows[row]?.[column]);
    return `${text === '' ? 'empty' : `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`} (row ${row + 1})`;
  });
  const more = wrong.length > SHOWN ? ` and ${wrong.length - SHOWN} more` : '';
  const cells =
    wrong.length === 1 ? 'a cell that is no plain number' : `${wrong.length} cells that are no plain numbers`;
  return `The column “${names[column]}” has ${cells}: ${examples.join(', ')}${more}. A plain number looks like 1234.50.`;
}

/** The names of the columns, for people. */
export const columnsText = ({ names }: Pick<Table, 'names'>): string =>
  `The columns are: ${names
    .slice(0, 30)
    .map((name) => `“${name}”`)
    .join(', ')}${names.length > 30 ? ` and ${names.length - 30} more` : ''}.`;
