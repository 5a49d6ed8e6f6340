import type { Cell, Row } from '../db.ts';

/** `integer` has 32 bits; `bigint` is an integer up to 2^53; `blob` is bytes; `serial` is numbered by the database. */
type ColumnType = 'text' | 'integer' | 'bigint' | 'blob' | 'serial';

/** A column whose cells have the type `T`. */
export interface Column<T extends Cell = Cell> {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** An SQL literal for rows that do not set it. */
  readonly otherwise?: string | undefined;
  /** Exists for the compiler only. */
  readonly cell?: T;
}

export const text = <T extends string = string>(): Column<T> => ({ type: 'text', nullable: false });
export const integer = (otherwise?: number): Column<number> => ({
  type: 'integer',
  nullable: false,
  ...(otherwise !== undefined && { otherwise: String(otherwise) }),
});
export const bigint = (otherwise?: number): Column<number> => ({
  type: 'bigint',
  nullable: false,
  ...(otherwise !== undefined && { otherwise: String(otherwise) }),
});
export const blob = (): Column<Uint8Array> => ({ type: 'blob', nullable: false });
export const serial = (): Column<number> => ({ type: 'serial', nullable: false });
export const nullable = <T extends Cell>(column: Column<T>): Column<T | null> => ({
  type: column.type,
  nullable: true,
});

type Columns = { readonly [name: string]: Column };

/** A row of a table as it is stored. */
export type RowOf<T extends Table> = {
  readonly [name in keyof T['columns']]: T['columns'][name] extends Column<infer C> ? C : never;
};

/**
 * A table of the schema. This list of columns is the only one: row types, parameters, SQL of both databases and the copy
 * between them follow from it.
 */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  readonly names: readonly string[];
  readonly key: readonly string[];
  /** Whether SQLite keeps the rows in the order of the key (`without rowid`). */
  readonly clustered: boolean;
  /** SQL that creates its indexes. */
  readonly indexes: readonly string[];
}

/** `indexes` are written as `[unique] name (columns) [where …]`. */
export function table<const C extends Columns>(
  name: string,
  columns: C,
  layout: {
    readonly key: readonly (keyof C & string)[];
    readonly clustered?: boolean;
    readonly indexes?: readonly string[];
  },
): Table<C> {
  const indexes = (layout.indexes ?? []).map((index) => {
    const [, unique = '', named = '', rest = ''] = /^(unique )?(\w+) (.*)$/su.exec(index) ?? [];
    return `create ${unique}index ${named} on ${name} ${rest};`;
  });
  return { name, columns, names: Object.keys(columns), key: layout.key, clustered: layout.clustered ?? false, indexes };
}

/** Words that SQL reserves, which therefore appear in quotes. */
const RESERVED = new Set(['to', 'from', 'key']);
export const quotedColumn = (name: string): string => (RESERVED.has(name) ? `"${name}"` : name);

/** The columns in their order, with the alias of the table if one is given. */
export const columnsOf = ({ names }: Table, alias?: string): string =>
  names.map((name) => (alias === undefined ? quotedColumn(name) : `${alias}.${quotedColumn(name)}`)).join(', ');

/** Appends a row's cells in the order of the columns. */
export function pushCells<T extends Table>({ names }: T, cells: Cell[], row: RowOf<T>): void {
  for (const name of names) cells.push(row[name as keyof RowOf<T>] as Cell);
}

export function cellsOf<T extends Table>(of: T, row: RowOf<T>): Cell[] {
  const cells: Cell[] = [];
  pushCells(of, cells, row);
  return cells;
}

/** The columns but these, in their order. */
export const columnsBut = <T extends Table>({ names }: T, ...but: readonly (keyof T['columns'])[]): string =>
  names
    .filter((name) => !but.includes(name))
    .map((name) => quotedColumn(name))
    .join(', ');

/** A row that was read with all columns of its table, or with all but those that are left out of the type. */
export const rowOf = <T extends Table>(_of: T, row: Row): RowOf<T> => ({ ...row }) as RowOf<T>;

/** The parameter of each column in `cellsOf`: `$1` and so on. */
export const parametersOf = <T extends Table>({ names }: T): { readonly [name in keyof T['columns']]: string } =>
  Object.fromEntries(names.map((name, at) => [name, `$${at + 1}`])) as { [name in keyof T['columns']]: string };
/** The parameter that follows those of `cellsOf`, from 1. */
export const parameterAfter = ({ names }: Table, nth: number): string => `$${names.length + nth}`;

const parameters = (of: Table): string => Object.values(parametersOf(of)).join(', ');
/** `insert into …` with one parameter for each column, in the order of `cellsOf`. */
export const insertSql = (of: Table): string => `insert into ${of.name} (${columnsOf(of)}) values (${parameters(of)})`;
/**
 * As `insertSql` for rows that differ in these columns of text alone: first their cells, then those that all share. `rest`
 * is the condition and what follows it, by the parameters from that number on.
 */
export function insertSharedSql<T extends Table>(
  table: T,
  different: readonly (keyof T['columns'])[],
  count: number,
  rest: (from: number) => string,
): string {
  const { names } = table;
  const shared = names.filter((name) => !different.includes(name));
  const rows = Array.from(
    { length: count },
    (_, row) => `(${different.map((_, at) => `$${row * different.length + at + 1}`).join(', ')})`,
  );
  const cells = names.map((name) =>
    different.includes(name)
      ? `column${different.indexOf(name) + 1}`
      : `$${count * different.length + shared.indexOf(name) + 1}`,
  );
  return `insert into ${table.name} (${columnsOf(table)}) select ${cells.join(', ')}
    from (values ${rows.join(', ')}) each_row where ${rest(count * different.length + shared.length + 1)}`;
}
/** As `insertSql`, if the condition holds. */
export const insertIfSql = (of: Table, condition: string): string =>
  `insert into ${of.name} (${columnsOf(of)}) select ${parameters(of)} where ${condition}`;

/** `insert into … select …`: SQL for each column, then the rest of the statement. */
export const insertFromSql = <T extends Table>(
  table: T,
  cells: { readonly [name in keyof T['columns']]: string },
  rest: string,
): string =>
  `insert into ${table.name} (${columnsOf(table)}) select ${table.names.map((name) => cells[name as keyof typeof cells]).join(', ')} ${rest}`;
/** Each column as SQL for itself. */
export const ownCells = <T extends Table>({ names }: T): { readonly [name in keyof T['columns']]: string } =>
  Object.fromEntries(names.map((name) => [name, quotedColumn(name)])) as { [name in keyof T['columns']]: string };

/** The position of each column in `cellsOf`. */
export const positionsOf = <T extends Table>({ names }: T): { readonly [name in keyof T['columns']]: number } =>
  Object.fromEntries(names.map((name, at) => [name, at])) as { [name in keyof T['columns']]: number };

export type Dialect = 'sqlite' | 'postgres';

const TYPES: Readonly<Record<Dialect, Readonly<Record<ColumnType, string>>>> = {
  sqlite: { text: 'text', integer: 'integer', bigint: 'bigint', blob: 'blob', serial: 'integer' },
  // Text is compared by bytes, as SQLite does, whatever the database's locale.
  postgres: { text: 'text collate "C"', integer: 'integer', bigint: 'bigint', blob: 'bytea', serial: 'bigint' },
};

/** The SQL that creates a table with its indexes. */
export function createSql(table: Table, dialect: Dialect): string {
  const types = TYPES[dialect];
  const columns = Object.entries(table.columns).map(([name, { type, nullable: may, otherwise }]) => {
    const column = `${quotedColumn(name)} ${types[type]}`;
    if (type === 'serial') {
      const numbered =
        dialect === 'sqlite' ? 'primary key autoincrement' : 'generated by default as identity primary key';
      return `${column} ${numbered}`;
    }
    return `${column}${may ? '' : ' not null'}${otherwise === undefined ? '' : ` default ${otherwise}`}`;
  });
  const serials = Object.values(table.columns).some(({ type }) => type === 'serial');
  const key = serials ? [] : [`primary key (${table.key.map(quotedColumn).join(', ')})`];
  const end = table.clustered && dialect === 'sqlite' ? ' without rowid' : '';
  return [`create table ${table.name} (${[...columns, ...key].join(', ')})${end};`, ...table.indexes].join('\n');
}
