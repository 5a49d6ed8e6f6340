import type { Json } from '@mailroom/behavior/values/json';
import type { Domain } from '../../language/grammar.ts';
import type { Calculation, Comparison, Condition, Order } from '../table/schema.ts';
import { isTable } from '../table/seen.ts';
import { type Table, textOf } from '../table/table.ts';
import type { Num } from './number.ts';
import { markdown } from './records.ts';
import { rulesOf } from './rules.ts';
import { asks, type Request, type Setting } from './setting.ts';
import { between, renamed, separated } from './table-texts.ts';
import { columnAt, isCount, isNumeric, meant, OPEN, onlyNumbers, recognize, WORDS } from './table-words.ts';

export { OPEN, tableIn } from './table-words.ts';

type Adjective = readonly [what: string, sign: 1 | -1];
type Conditions = readonly Condition[];
interface Computed {
  readonly op: Calculation;
  readonly column: string;
}
/** Rows of a table: which, in which order, and how many of them. */
interface Rows {
  readonly where?: Conditions;
  readonly order?: readonly Order[];
  readonly limit?: number;
  readonly at?: number;
}

const where = (column: string, is: Comparison, ...values: readonly string[]): Condition => ({
  column,
  is,
  values: [...values],
});
const numbered = (column: string | undefined, is: Comparison, { plain }: Num): Condition | undefined =>
  column === undefined ? undefined : where(column, is, String(plain));
/** A comparison of a column that has numbers; the name of another one, or of one that numbers the rows, may be a common noun. */
const compared = (column: string, is: Comparison, n: Num, setting: Setting): Condition | undefined =>
  isNumeric(column, setting) && !isCount(column, setting) ? numbered(column, is, n) : undefined;
/** Whether values stand in other columns, and none of them in this one: "tasks are done" says nothing of the column "task". */
function isElsewhere(table: Table | undefined, column: string, values: readonly string[]): boolean {
  const position = table?.names.indexOf(column) ?? -1;
  const places = values.flatMap((value) =>
    (table?.rows ?? []).map((row) => row.findIndex((cell) => textOf(cell).toLowerCase() === value.toLowerCase())),
  );
  return places.some((one) => one >= 0) && !places.includes(position);
}
const ordered = (column: string, sign: number): Order => ({ column, ...(sign < 0 && { descending: true }) });

const ask = (op: string, table: string, more: object): Request =>
  asks('table', { op, table, ...(more as { readonly [name: string]: Json }) });
const rows = (table: string, more: object): Request => ask('rows', table, more);
const first = (table: string, column: string, sign: number, limit = 1): Request =>
  rows(table, { order: [ordered(column, sign)], limit });
/** The columns of some rows; of a single column its values, which of all objects in JSON is a query. */
function picked(table: string, columns: readonly string[], chosen: Rows): Request {
  const [column = ''] = columns;
  if (columns.length > 1) return rows(table, { columns, ...chosen });
  const [json, list = ''] = /^\s*(?:\{\s*"([A-Za-z_]\w*)"\s*:\s*)?\[/.exec(table) ?? [];
  if (json === undefined || Object.keys(chosen).length > 0) return ask('values', table, { column, ...chosen });
  const name = /^[A-Za-z_]\w*$/.test(column) ? column : JSON.stringify(column);
  return asks('json', { op: 'query', expression: `${list}[].${name}`, json: table });
}

const rule = rulesOf<
  Record<'condition' | 'flag' | 'no-flag' | 'owner' | 'value', Condition> &
    Record<'cells' | 'columns', readonly string[]> &
    Record<'direction' | 'extreme' | 'some-end', number> & {
      adjective: Adjective;
      'does-most': Adjective;
      calculation: Calculation;
      certain: string;
      comparative: readonly [string, Comparison];
      compared: Comparison;
      filling: Comparison;
      matching: Comparison;
      computed: Computed;
      conditions: Conditions;
      kind: 'text' | 'number';
      literal: string;
      order: Order;
      orders: readonly Order[];
      rows: Rows;
    }
>();

/** Tables, as CSV or a JSON list of objects: rows by conditions and order, columns, calculations and groups. */
export const TABLES: Domain = {
  lexicon: WORDS,
  recognize,
  tests: {},
  rules: [
    rule(
      'from = ASKED? (in|of|from|for|:|in this|of this|from this|in the)? (the table|this table|the attached file|the attached table|the attached csv|attached file|this file|the file|the attachment|this spreadsheet|the spreadsheet|table|csv|this csv|the csv|json|this json|the json|list|this list|these|data|this data|the data|the following|it|them|this)? :? <table>',
    ),
    // Conditions.
    rule(
      'condition -0.3 = WITH (a|an|the)? <column> (is|=|equals|being|equal to|==|:|are) <cells>',
      '-0.4 = (a|an|the)? <column> (=|equals|being|equal to|==|:) <cells>',
      'WITH (a|an|the)? <column> of? <cells>',
      ([column, values], { table }) =>
        isElsewhere(table, column, values) ? undefined : where(column, 'equal', ...values),
    ),
    // In "which shop is cheapest" the last word is no value where no cell has it.
    rule('condition -0.4 = (a|an|the)? <column> (is|are) <cells>', ([column, values], { table }) => {
      const position = table?.names.indexOf(column) ?? -1;
      const cells = new Set(table?.rows.map((row) => textOf(row[position]).toLowerCase()));
      return table === OPEN || values.some((value) => cells.has(value.toLowerCase()))
        ? where(column, 'equal', ...values)
        : undefined;
    }),
    rule('cells = either? <cell>', ([one]) => [one]),
    rule('cells 0.1 = <cells> (or|,|, or) <cell>', ([all, one]) => [...all, one]),
    rule('condition = WITH? (a|an|the)? <column> <filling>', ([column, is]): Condition => ({ column, is })),
    rule('condition -0.1 = LACKING <column>', ([column]): Condition => ({ column, is: 'empty' })),
    rule(
      "condition -0.1 = WITH? (a|an|the)? <column> (is not|isn't|not|other than|!=|different from) <cell>",
      ([column, value]) => where(column, 'not_equal', value),
    ),
    rule('condition = WITH? (a|an|the)? <column> (of|is)? <compared> <number:plain>', ([column, is, n], setting) =>
      compared(column, is, n, setting),
    ),
    rule(
      'condition -0.05 = (where|whose|in which) (a|an|the)? <column> (of|is)? <compared> <number:plain>',
      ([column, is, n]) => numbered(column, is, n),
    ),
    rule('condition = (that are|who are|which are|are|is)? <comparative> <number:plain>', ([[what, is], n], setting) =>
      numbered(meant(what, setting), is, n),
    ),
    rule('condition = <verb> <compared> <number:plain>', ([what, is, n], setting) =>
      numbered(meant(what, setting), is, n),
    ),
    rule('condition -0.2 = (that are|who are|which are|are|is)? <compared> <number:plain>', ([is, n], setting) =>
      numbered(onlyNumbers(setting), is, n),
    ),
    // A value of one column says which column that is.
    rule('condition -0.1 = LIVING the? <value>'),
    rule(
      'condition -0.1 = (that are|which are|who are|that is|marked|marked as|that were|which were|are|is|are still|is still|were) the? <value>',
    ),
    rule(
      'condition -0.1 = BENOT (yet|marked)? the? <value> yet?',
      ([value]): Condition => ({ ...value, is: 'not_equal' }),
    ),
    rule('condition 0.1 = (that|who|which)? BE? <flag>'),
    rule('condition = (that|who|which)? BENOT yet? <no-flag> yet?'),
    rule('conditions = <condition>', ([one]) => [one]),
    rule('conditions -0.3 = <conditions> and <column> <cell>', ([all, column, value]) => [
      ...all,
      where(column, 'equal', value),
    ]),
    rule('conditions = <conditions> (and|,)? <condition>', ([all, one]) => [...all, one]),
    // Orders and columns.
    rule('order = the? <column>', 'the? <column> ,? <direction>', ([column, sign = 1]) => ordered(column, sign)),
    rule('order = the? <column> as <kind>', ([column, as]): Order => ({ column, as })),
    rule('orders = <order>', ([one]) => [one]),
    rule(
      'orders = <orders> (,|, then|, then by|and|then|then by|and then by|and then|and by) <order>',
      ([all, one]) => [...all, one],
    ),
    rule('column = the? <ordinal> (column|field)', ([at], setting) => columnAt(at, setting)),
    rule('column = (column|field) (number|no)? <number:whole>', ([n], setting) => columnAt(n.plain as number, setting)),
    rule('column -0.01 = COLUMN <column>'),
    rule('columns = (the|all|all the|only the|just the|only)? <column>', ([column]) => [column]),
    rule('columns = (the|only the|just the)? <some-end> <number:whole> (columns|fields)', ([end, n], { table }) => {
      const names = table?.names ?? [];
      const [count, all] = [n.plain as number, names.length];
      return count < 1 || count > all || columnAt(1, { table } as Setting) === undefined
        ? undefined
        : names.slice(...(end > 0 ? [0, count] : [all - count]));
    }),
    rule('columns = <columns> (,|and|&|, and) the? <column>', ([all, column]) =>
      all.includes(column) ? undefined : [...all, column],
    ),
    // Rows.
    // "Items" are rows before they are a column.
    rule(
      'rows 0.05 = (the|all|all the|only the|just the|only|those)? THING <conditions>',
      '0 = <conditions>',
      ([all]) => ({ where: all }),
    ),
    rule('rows -0.1 = <value> THING?', ([value]) => ({ where: [value] })),
    rule('rows -0.1 = OMITTING the? <value> THING?', ([value]) => ({ where: [{ ...value, is: 'not_equal' }] })),
    rule(
      'rows 0.05 = the? <ordinal> (row|record|entry|item|object|one|person|product|user|customer|student|employee|element)',
      ([at]) => ({ at }),
    ),
    rule('request = (which|what) <column> (has|have|had) the? <extreme> <column> <from>', ([, sign, column, table]) =>
      first(table, column, sign),
    ),
    rule('request = SHOW? <rows> <from>', ([chosen, table]) => rows(table, chosen)),
    rule(
      'request = SHOW? (all|the|all the|these)? THING? SORTED <orders> <from>',
      'SORT (the|these|this|it|them|those)? THING? (by|on) <orders> <from>',
      ([order, table]) => rows(table, { order }),
    ),
    rule('request = SHOW? <columns> SORTED <orders> <from>', ([columns, order, table]) =>
      rows(table, { columns, order }),
    ),
    rule(
      'request 0.1 = SHOW? (the|all the)? <column> (in alphabetical order|alphabetically|sorted alphabetically|from a to z|in order) <from>',
      ([column, table]) => rows(table, { columns: [column], order: [ordered(column, 1)] }),
    ),
    rule(
      'request = SHOW? the? (difference|gap|range) (between|of|in) the? <extreme> and the? <extreme> <column> <from>',
      ([one, other, column, table]) =>
        one === other
          ? undefined
          : {
              steps: [
                ...ask('highest', table, { column }).steps,
                ...ask('lowest', table, { column }).steps,
                { task: 'calculate', input: { expression: '{{+1}} - {{+2}}' } },
              ],
            },
    ),
    rule(
      'request = rename (the|my)? (column|field)? <column> (to|as|into) <literal> <from>',
      ([column, name, table], setting) => renamed(table, setting.table, column, name),
    ),
    rule('request = SHOW? <rows> SORTED <orders> <from>', ([chosen, order, table]) =>
      rows(table, { ...chosen, order }),
    ),
    rule(
      'request = (and|show it|give it|give me that|convert it|turn it)? (as|in|to|into) <form> <from>',
      ([form, table], setting) => {
        const other = setting.table?.delimiter === undefined ? 'csv' : 'json';
        return form === other ? asks('json', { op: form === 'csv' ? 'to_csv' : 'from_csv', json: table }) : undefined;
      },
    ),
    rule(
      'request = (make|show|turn|format|write|put|render|convert|change)? (this|it|these|them|json|csv|the json|the csv|this table|the table|this csv|this json|the following csv|the csv file|this tsv|the tsv|the rows|these rows)? (as|in|to|into)? (a table|a nice table|nice table|table|markdown|a markdown table|markdown table) <from>',
      (_, setting) => (setting.table === undefined || setting.table === OPEN ? undefined : markdown(setting.table)),
    ),
    rule(
      'request = (change|set|switch|make|turn) the? (separator|separators|delimiter|delimiters) (to|into) <certain> (sign|signs|character)? <from>',
      'use <certain> (sign|signs)? as (the|a)? (separator|separators|delimiter|delimiters) <from>',
      ([sign, table], setting) => separated(table, setting.table?.delimiter, sign),
    ),
    rule('request -0.2 = <form> <from>', ([form, table], setting) =>
      form === 'csv' && setting.table?.delimiter === undefined
        ? asks('json', { op: 'to_csv', json: table })
        : undefined,
    ),
    rule('request = DROP <rows> <from>', ([chosen, table]) =>
      chosen.where === undefined ? undefined : rows(table, { ...chosen, drop: true }),
    ),
    rule('request = MANY THING? (are|is|do|have|has|there are|are there)? <conditions> <from>', ([all, table]) =>
      ask('count', table, { where: all }),
    ),
    rule(
      'request -0.1 = SHOW? the? THING (with|that has|which has|who has|has|having)? (the|a)? <extreme> <column> <from>',
      '0 = (which|who|what) (has|have|had) the? <extreme> <column> <from>',
      ([sign, column, table]) => first(table, column, sign),
    ),
    rule('request -0.05 = SHOW? the? <adjective> …:thing by <column> <from>', ([most, , column, table]) =>
      first(table, column, typeof most === 'number' ? most : most[1]),
    ),
    rule('request = (which|who|what) THING? <column> the? <extreme> <from>', ([column, sign, table]) =>
      first(table, column, sign),
    ),
    rule('request = SHOW? the? <ordinal> <extreme> <column> <from>', ([at, sign, column, table]) =>
      at > 0 ? rows(table, { order: [ordered(column, sign)], at }) : undefined,
    ),
    rule(
      'request 0.1 = SHOW? the? <some-end> <number:whole> (rows|records|entries) <from>',
      ([end, n, table], setting) =>
        between(setting.table, table, end > 0 ? 0 : -(n.plain as number), end > 0 ? (n.plain as number) : undefined),
    ),
    rule(
      'request 0.1 = SHOW? (the|only)? (rows|records|entries) <number:whole> (to|-|through|until|and) <number:whole> <from>',
      ([one, other, table], setting) => between(setting.table, table, (one.plain as number) - 1, other.plain as number),
    ),
    rule(
      'request 0.1 = MANY (blanks|empty cells|blank cells|missing values|missing cells|gaps|empties) (are|are there|there are)? (in|for) the? <column> COLUMN? <from>',
      ([column, table]) => ask('count', table, { where: [{ column, is: 'empty' }] }),
    ),
    rule(
      'request = SHOW? (the|what)? PERCENTAGE of? (the|all|these|my|our)? THING? <conditions> <from>',
      ([some, table]) => ({
        steps: [
          ...ask('count', table, { where: some }).steps,
          ...ask('count', table, {}).steps,
          { task: 'calculate', input: { expression: '{{+1}} / {{+2}} * 100', percent: true } },
        ],
      }),
    ),
    rule('does-most = <verb> the? <extreme>', ([what, sign]) => [what, sign]),
    rule(
      'request = SHOW? the? <adjective> THING? <from>',
      '(which|what|who|whose) THING? <does-most> <from>',
      '(which|what) (of|of these|of those|of the|of them)? THING? (is|are|was|were) the? <adjective> THING? <from>',
      ([[what, sign], table], setting) => {
        const column = meant(what, setting);
        return column === undefined ? undefined : first(table, column, sign);
      },
    ),
    rule(
      'request = SHOW? the? <extreme> <number:whole> THING? by? <column> <from>',
      '#2134 SHOW? the? (top|bottom|best|worst)? <number:whole> THING? (with|by) the? <extreme> <column> <from>',
      '#2134 SHOW? the? <number:whole> <extreme> <column> <from>',
      ([sign, n, column, table]) => first(table, column, sign, n.plain as number),
    ),
    // Columns.
    rule(
      'request = SHOW <columns> (column|columns|field|fields)? (only)? <from>',
      'SHOW? (the|only the|just the)? (columns|fields) <columns> <from>',
      'FROMTHIS? ,? SHOW? <columns> (of|for|from|in) (each|every|all|all the|each of the) THING <from>',
      '-0.1 = the <columns> (column|columns|field|fields)? <from>',
      '-0.2 = <columns> <from>',
      ([columns, table]) => picked(table, columns, {}),
    ),
    rule('request = SHOW? <columns> (of|for|from|in)? <rows> <from>', ([columns, chosen, table]) =>
      picked(table, columns, chosen),
    ),
    rule('request 0.05 = SHOW? the? <ordinal> <column> <from>', ([at, column, table]) =>
      picked(table, [column], { at }),
    ),
    rule('request = SHOW? <owner> <column> <from>', ([value, column, table]) =>
      picked(table, [column], { where: [value] }),
    ),
    rule('request = how <degree> (is|are|does|do) the? <value> cost? <from>', ([what, value, table], setting) => {
      const column = meant(what, setting);
      return column === undefined ? undefined : picked(table, [column], { where: [value] });
    }),
    rule('request = DROP <columns> (column|columns|field|fields)? <from>', ([columns, table], setting) => {
      const left = (setting.table?.names ?? []).filter((name) => !columns.includes(name));
      return left.length === 0 ? undefined : rows(table, { columns: left });
    }),
    rule('request = SHOW? UNIQUE <column> values? <from>', ([column, table]) =>
      ask('values', table, { column, unique: true }),
    ),
    // Calculations.
    rule(
      'amounts = (of|of the|the|of all|of all the|in|in the)? COLUMN? <column> COLUMN?',
      'the? (numbers|values|amounts|cells) (in|of|from) <amounts>',
    ),
    rule(
      'computed -0.05 = <calculation> of? (it|them|these|this|all|everything|those|the following)?',
      ([op], setting) => {
        const column = onlyNumbers(setting);
        return column === undefined ? undefined : { op, column };
      },
    ),
    rule('computed -0.05 = SPENT (in total|altogether|all in all|in all|overall)?', (_, setting) => {
      const column = onlyNumbers(setting);
      return column === undefined ? undefined : { op: 'sum', column };
    }),
    rule('computed = <calculation> <amounts>', ([op, column]) => ({ op, column })),
    rule('computed -0.02 = LEAD the? <computed>'),
    rule('request = <computed> <from>', ([all, table]) => ask(all.op, table, all)),
    rule('request = <computed> ,? <skipped> <from>', ([all, skip, table]) => ask(all.op, table, { ...all, skip })),
    rule('request = <computed> PERGROUP the? <column> <from>', ([all, by, table]) =>
      all.column === by ? undefined : ask(all.op, table, { ...all, by }),
    ),
    // Who or what a row is of stands first in it.
    rule(
      'request -0.05 = <computed> PERGROUP (person|name|item|head|player|category|customer|friend|kid|thing|one|each) <from>',
      ([all, table], setting) => {
        const [by] = setting.table?.names ?? [];
        return by === undefined || isNumeric(by, setting) || setting.table === OPEN
          ? undefined
          : ask(all.op, table, { ...all, by });
      },
    ),
    rule(
      'request = <computed> ,? but? (of|for|on|only|only for|only of|just|only counting|counting only)? <rows> (in total|altogether|in all)? <from>',
      ([all, { where: some }, table]) => (some === undefined ? undefined : ask(all.op, table, { ...all, where: some })),
    ),
    rule(
      'request 0.05 = MANY ROWS THEREARE? (this|the|my|it)? (table|csv|file|list|spreadsheet|data)? (have|has|contain|hold)? <from>',
      ([written], { table }) =>
        table !== undefined && (table === OPEN || isTable(table)) ? ask('count', written, {}) : undefined,
    ),
    rule(
      'request = SHOW? (the|all|all the|the names of the|names of the)? HEADERS (does this have|does it have|are there|are in it)? <from>',
      ([table]) => ask('columns', table, {}),
    ),
    rule(
      'request = (group|group them|group it|group these|grouped) by the? <column> (and|,|, and|then|and then) <calculation> (of|of the|the|up|up the)? <column> <from>',
      ([by, op, column, table]) => (column === by ? undefined : ask(op, table, { column, by })),
    ),
    rule(
      'request = MANY THING? PERGROUP <column> <from>',
      '(group|count) (the|them)? THING? by <column> <from>',
      ([by, table]) => ask('count', table, { by }),
    ),
  ],
};
