import type { Json } from '../../core/values/json.ts';
import type { Domain } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import type { Calculation, Comparison, Condition, Order } from '../table/schema.ts';
import { isTable } from '../table/seen.ts';
import type { Num } from './number.ts';
import { asks, type Request, type Setting } from './setting.ts';
import { isNumeric, meant, OPEN, onlyNumbers, recognize, WORDS } from './table-words.ts';

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

/** A row of a table is meant rather than a line of the text, which may be the header. */
const ROW = 0.05;

const where = (column: string, is: Comparison, ...values: readonly string[]): Condition => ({
  column,
  is,
  values: [...values],
});
const numbered = (column: string | undefined, is: Comparison, { plain }: Num): Condition | undefined =>
  column === undefined ? undefined : where(column, is, String(plain));
/** A comparison of a column that has numbers; the name of another one may be a common noun, as in "the items over 5". */
const compared = (column: string, is: Comparison, n: Num, setting: Setting): Condition | undefined =>
  isNumeric(column, setting) ? numbered(column, is, n) : undefined;
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
  const all = Object.keys(chosen).length === 0 && /^\s*\[/.test(table);
  if (!all) return ask('values', table, { column, ...chosen });
  const name = /^[A-Za-z_]\w*$/.test(column) ? column : JSON.stringify(column);
  return asks('json', { op: 'query', expression: `[].${name}`, json: table });
}

const joined = (table: string, column: string, separator: string): Request => ({
  steps: [
    ...ask('values', table, { column }).steps,
    { task: 'text', input: { op: 'join', text: '{{+1}}', separator: separator === ',' ? ', ' : separator } },
  ],
});

/** Tables, as CSV or a JSON list of objects: rows by conditions and order, columns, calculations and groups. */
export const TABLES: Domain = {
  lexicon: WORDS,
  recognize,
  tests: {},
  rules: [
    rule(
      'from',
      'ASKED? (in|of|from|for|:|in this|of this|from this|in the)? (the table|this table|the attached file|the attached table|the attached csv|attached file|this file|the file|the attachment|this spreadsheet|the spreadsheet|table|csv|this csv|the csv|json|this json|the json|list|this list|these|data|this data|the data|the following|it|them|this)? :? <table>',
      ([table]: [string]) => table,
    ),
    // Conditions.
    rule(
      'condition',
      [
        'WITH? (a|an|the)? <column> (of|is|=|equals|being|equal to|==|:|are) <cells>',
        'WITH (a|an|the)? <column> <cells>',
      ],
      ([column, values]: [string, readonly string[]]) => where(column, 'equal', ...values),
      -0.3,
    ),
    rule('cells', 'either? <cell>', ([one]: [string]) => [one]),
    rule('cells', '<cells> (or|,|, or) <cell>', ([all, one]: [readonly string[], string]) => [...all, one], 0.1),
    rule('condition', 'WITH? (a|an|the)? <column> EMPTY', ([column]: [string]): Condition => ({ column, is: 'empty' })),
    rule('condition', 'LACKING <column>', ([column]: [string]): Condition => ({ column, is: 'empty' }), -0.1),
    rule(
      'condition',
      'WITH? (a|an|the)? <column> FILLED',
      ([column]: [string]): Condition => ({ column, is: 'not_empty' }),
    ),
    rule(
      'condition',
      'WITH? (a|an|the)? <column> (ends with|ending with|ends in) <cell>',
      ([column, value]: [string, string]) => where(column, 'ends_with', value),
    ),
    rule(
      'condition',
      "WITH? (a|an|the)? <column> (is not|isn't|not|other than|!=|different from) <cell>",
      ([column, value]: [string, string]) => where(column, 'not_equal', value),
      -0.1,
    ),
    rule(
      'condition',
      'WITH? (a|an|the)? <column> (of|is)? <compared> <number:plain>',
      ([column, is, n]: [string, Comparison, Num], setting: Setting) => compared(column, is, n, setting),
    ),
    rule(
      'condition',
      '(where|whose|in which) (a|an|the)? <column> (of|is)? <compared> <number:plain>',
      ([column, is, n]: [string, Comparison, Num]) => numbered(column, is, n),
      -0.05,
    ),
    rule(
      'condition',
      'WITH? (a|an|the)? <column> (contains|containing|includes) <cell>',
      ([column, value]: [string, string]) => where(column, 'contains', value),
    ),
    rule(
      'condition',
      'WITH? (a|an|the)? <column> (starts with|starting with|begins with) <cell>',
      ([column, value]: [string, string]) => where(column, 'starts_with', value),
    ),
    rule(
      'condition',
      '(that are|who are|which are|are|is)? <comparative> <number:plain>',
      ([[what, is], n]: [readonly [string, Comparison], Num], setting: Setting) =>
        numbered(meant(what, setting), is, n),
    ),
    rule(
      'condition',
      '<verb> <compared> <number:plain>',
      ([what, is, n]: [string, Comparison, Num], setting: Setting) => numbered(meant(what, setting), is, n),
    ),
    rule(
      'condition',
      '(that are|who are|which are|are|is)? <compared> <number:plain>',
      ([is, n]: [Comparison, Num], setting: Setting) => numbered(onlyNumbers(setting), is, n),
      -0.2,
    ),
    // A value of one column says which column that is.
    rule('condition', 'LIVING the? <value>', ([value]: [Condition]) => value, -0.1),
    rule('conditions', '<condition>', ([one]: [Condition]) => [one]),
    rule(
      'conditions',
      '<conditions> and <column> <cell>',
      ([all, column, value]: [Conditions, string, string]) => [...all, where(column, 'equal', value)],
      -0.3,
    ),
    rule('conditions', '<conditions> (and|,)? <condition>', ([all, one]: [Conditions, Condition]) => [...all, one]),
    // Orders and columns.
    rule('order', ['the? <column>', 'the? <column> ,? <direction>'], ([column, sign = 1]: [string, number?]) =>
      ordered(column, sign),
    ),
    rule('order', 'the? <column> as <kind>', ([column, as]: [string, 'text' | 'number']): Order => ({ column, as })),
    rule('orders', '<order>', ([one]: [Order]) => [one]),
    rule(
      'orders',
      '<orders> (,|, then|, then by|and|then|then by|and then by|and then|and by) <order>',
      ([all, one]: [readonly Order[], Order]) => [...all, one],
    ),
    rule('columns', '(the|all|all the|only the|just the|only)? <column>', ([column]: [string]) => [column]),
    rule('columns', '<columns> (,|and|&|, and) the? <column>', ([all, column]: [readonly string[], string]) =>
      all.includes(column) ? undefined : [...all, column],
    ),
    // Rows.
    // "Items" are rows before they are a column.
    rule(
      'rows',
      '(the|all|all the|only the|just the|only|those)? THING <conditions>',
      ([all]: [Conditions]) => ({ where: all }),
      ROW,
    ),
    rule('rows', '<conditions>', ([all]: [Conditions]) => ({ where: all })),
    rule('rows', '<value> THING?', ([value]: [Condition]) => ({ where: [value] }), -0.1),
    rule(
      'rows',
      'the? <ordinal> (row|record|entry|item|object|one|person|product|user|customer|student|employee|element)',
      ([at]: [number]) => ({ at }),
      ROW,
    ),
    rule(
      'rows',
      'the? first <number:whole> (rows|records|entries|items|objects|ones|people|products)',
      ([n]: [Num]) => ({ limit: n.plain as number }),
      ROW,
    ),
    rule('request', 'SHOW? <rows> <from>', ([chosen, table]: [Rows, string]) => rows(table, chosen)),
    rule(
      'request',
      [
        'SHOW? (all|the|all the|these)? THING SORTED <orders> <from>',
        'SORT (the|these|this|it|them|those)? THING? (by|on) <orders> <from>',
      ],
      ([order, table]: [readonly Order[], string]) => rows(table, { order }),
    ),
    rule(
      'request',
      'SHOW? <columns> SORTED <orders> <from>',
      ([columns, order, table]: [readonly string[], readonly Order[], string]) => rows(table, { columns, order }),
    ),
    rule(
      'request',
      ['SHOW? <rows> SORTED <orders> <from>', 'SHOW? <rows> ,? and? (sort|order) (them|it)? by <orders> <from>'],
      ([chosen, order, table]: [Rows, readonly Order[], string]) => rows(table, { ...chosen, order }),
    ),
    rule(
      'request',
      '(and|show it|give it|give me that|convert it|turn it)? (as|in|to|into) json <from>',
      ([table]: [string], setting: Setting) =>
        setting.table?.delimiter === undefined ? undefined : asks('json', { op: 'from_csv', json: table }),
    ),
    rule(
      'request',
      '(and|show it|give it|give me that|convert it|turn it)? (as|in|to|into) csv <from>',
      ([table]: [string], setting: Setting) =>
        setting.table?.delimiter === undefined ? asks('json', { op: 'to_csv', json: table }) : undefined,
    ),
    rule(
      'request',
      '(filter|filter it|filter by|filter for|filter on|keep only|keep|select|find|get|only|just) (those|the ones|ones)? <conditions> <from>',
      ([all, table]: [Conditions, string]) => rows(table, { where: all }),
      -0.05,
    ),
    rule('request', 'DROP <rows> <from>', ([chosen, table]: [Rows, string]) =>
      chosen.where === undefined ? undefined : rows(table, { ...chosen, drop: true }),
    ),
    rule(
      'request',
      'MANY THING? (are|is|do|have|has|there are|are there)? <conditions> <from>',
      ([all, table]: [Conditions, string]) => ask('count', table, { where: all }),
    ),
    rule(
      'request',
      'SHOW? the? THING (with|that has|which has|who has|has|having)? (the|a)? <extreme> <column> <from>',
      ([sign, column, table]: [number, string, string]) => first(table, column, sign),
      -0.1,
    ),
    rule(
      'request',
      '(which|who|what) (has|have) the? <extreme> <column> <from>',
      ([sign, column, table]: [number, string, string]) => first(table, column, sign),
    ),
    rule(
      'request',
      ['SHOW? the? <adjective> THING? <from>', '(which|what) THING (is|are|was|were) the? <adjective> <from>'],
      ([[what, sign], table]: [Adjective, string], setting: Setting) => {
        const column = meant(what, setting);
        return column === undefined ? undefined : first(table, column, sign);
      },
    ),
    rule(
      'request',
      '(which|what) <column> (is|are) the? <adjective> THING? <from>',
      ([, [what, sign], table]: [string, Adjective, string], setting: Setting) => {
        const column = meant(what, setting);
        return column === undefined ? undefined : first(table, column, sign);
      },
    ),
    rule(
      'request',
      'SHOW? the? (top|first|best) <number:whole> THING? (by|with the highest|by highest) <column> <from>',
      ([n, column, table]: [Num, string, string]) => first(table, column, -1, n.plain as number),
    ),
    rule(
      'request',
      'SHOW? the? (bottom|worst) <number:whole> THING? (by|with the lowest|by lowest) <column> <from>',
      ([n, column, table]: [Num, string, string]) => first(table, column, 1, n.plain as number),
    ),
    // Columns.
    rule(
      'request',
      [
        'SHOW <columns> (column|columns|field|fields)? (only)? <from>',
        '<columns> (column|columns|field|fields)? only <from>',
      ],
      ([columns, table]: [readonly string[], string]) => picked(table, columns, {}),
    ),
    rule(
      'request',
      'the <columns> <from>',
      ([columns, table]: [readonly string[], string]) => picked(table, columns, {}),
      -0.1,
    ),
    rule(
      'request',
      'SHOW? <columns> (of|for|from|in)? <rows> <from>',
      ([columns, chosen, table]: [readonly string[], Rows, string]) => picked(table, columns, chosen),
    ),
    rule(
      'request',
      'SHOW? the? <ordinal> <column> <from>',
      ([at, column, table]: [number, string, string]) => picked(table, [column], { at }),
      ROW,
    ),
    rule('request', 'SHOW? <owner> <column> <from>', ([value, column, table]: [Condition, string, string]) =>
      picked(table, [column], { where: [value] }),
    ),
    rule(
      'request',
      'SHOW? the? <column> (of|for) <value> <from>',
      ([column, value, table]: [string, Condition, string]) => picked(table, [column], { where: [value] }),
    ),
    rule(
      'request',
      'how <degree> (is|are|does|do) the? <value> cost? <from>',
      ([what, value, table]: [string, Condition, string], setting: Setting) => {
        const column = meant(what, setting);
        return column === undefined ? undefined : picked(table, [column], { where: [value] });
      },
    ),
    rule(
      'request',
      'DROP <columns> (column|columns|field|fields)? <from>',
      ([columns, table]: [readonly string[], string], setting: Setting) => {
        const left = (setting.table?.names ?? []).filter((name) => !columns.includes(name));
        return left.length === 0 ? undefined : rows(table, { columns: left });
      },
    ),
    rule('request', 'SHOW? UNIQUE <column> values? <from>', ([column, table]: [string, string]) =>
      ask('values', table, { column, unique: true }),
    ),
    rule(
      'request',
      [
        'join (all|all the)? the? <column> (with|by|using) <signName> <from>',
        'join (all|all the)? the? <column> (with|by|using) <exact> <from>',
      ],
      ([column, separator, table]: [string, string, string]): Request => joined(table, column, separator),
    ),
    // Calculations.
    rule(
      'amounts',
      [
        '(of|of the|the|of all|of all the|in|in the)? COLUMN? <column> COLUMN?',
        'the? (numbers|values|amounts|cells) (in|of|from) <amounts>',
      ],
      ([column]: [string]) => column,
    ),
    rule('computed', '<calculation> <amounts>', ([op, column]: [Calculation, string]) => ({ op, column })),
    rule('computed', 'LEAD the? <computed>', ([all]: [Computed]) => all, -0.02),
    rule('request', '<computed> <from>', ([all, table]: [Computed, string]) => ask(all.op, table, all)),
    rule('request', '<computed> ,? <skipped> <from>', ([all, skip, table]: [Computed, string, string]) =>
      ask(all.op, table, { ...all, skip }),
    ),
    rule('request', '<computed> PERGROUP the? <column> <from>', ([all, by, table]: [Computed, string, string]) =>
      all.column === by ? undefined : ask(all.op, table, { ...all, by }),
    ),
    rule('request', '<computed> (of|for)? <rows> <from>', ([all, { where: some }, table]: [Computed, Rows, string]) =>
      some === undefined ? undefined : ask(all.op, table, { ...all, where: some }),
    ),
    rule(
      'request',
      'MANY ROWS THEREARE? <from>',
      ([written]: [string], { table }: Setting) =>
        table !== undefined && (table === OPEN || isTable(table)) ? ask('count', written, {}) : undefined,
      ROW,
    ),
    rule(
      'request',
      'SHOW? (the|all|all the|the names of the|names of the)? HEADERS (does this have|does it have|are there|are in it)? <from>',
      ([table]: [string]) => ask('columns', table, {}),
    ),
    rule(
      'request',
      '(group|group them|group it|group these|grouped) by the? <column> (and|,|, and|then|and then) <calculation> (of|of the|the|up|up the)? <column> <from>',
      ([by, op, column, table]: [string, Calculation, string, string]) =>
        column === by ? undefined : ask(op, table, { column, by }),
    ),
    rule(
      'request',
      ['MANY THING? PERGROUP <column> <from>', '(group|count) (the|them)? THING? by <column> <from>'],
      ([by, table]: [string, string]) => ask('count', table, { by }),
    ),
  ],
};
