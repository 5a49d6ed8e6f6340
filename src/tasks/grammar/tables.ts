import type { Json } from '../../core/values/json.ts';
import type { Domain, Recognizer } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import type { Calculation, Comparison, Condition } from '../table/schema.ts';
import { columnOf, type Table, tableOf } from '../table/table.ts';
import { TaskError } from '../task.ts';
import type { Num } from './number.ts';
import { asks, type Request, type Setting } from './setting.ts';

/** The table of a text; undefined when it is none of two columns or more. */
export function tableIn(text: string): Table | undefined {
  if (!/[,;\t|{]/.test(text)) return undefined;
  try {
    const table = tableOf(text);
    return table.names.length > 1 && table.rows.length > 0 ? table : undefined;
  } catch (error) {
    if (error instanceof TaskError) return undefined;
    throw error;
  }
}

const MAX_NAME = 4;
/** Words that are no value of a cell unless they are quoted. */
const FUNCTION_WORDS = new Set(
  'a an the of in on at to from for by with and or not is are as than then this that these those it them'.split(' '),
);
/** The columns of the table, by their names in any number, and its text. */
const recognize: Recognizer = (tokens, add, { table }: Setting) => {
  if (table === undefined) return;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'data') add('table', at, at + 1, token.text);
    let name = '';
    for (let to = at; to < Math.min(at + MAX_NAME, tokens.length); to++) {
      const { kind, text } = tokens[to] as Token;
      if (kind !== 'word' && kind !== 'quoted') break;
      name += `${to > at ? ' ' : ''}${kind === 'quoted' ? text.slice(1, -1) : text}`;
      const found = columnOf(table, name);
      if (typeof found === 'number') add('column', at, to + 1, table.names[found]);
    }
    if ((token.kind === 'word' && !FUNCTION_WORDS.has(token.lower)) || token.kind === 'number')
      add('cell', at, at + 1, token.text, -0.1);
    if (token.kind === 'quoted') add('cell', at, at + 1, token.text.slice(1, -1));
  }
};

/** What an adjective is said of: the first of these columns that the table has. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  age: ['age', 'years'],
  price: ['price', 'cost', 'amount'],
  height: ['height', 'size', 'length'],
  weight: ['weight'],
  size: ['size', 'amount', 'count', 'quantity', 'population', 'total'],
};
const meant = (what: string, { table }: Setting): string | undefined => {
  const found = (MEANT[what] ?? []).map((name) => (table === undefined ? undefined : columnOf(table, name)));
  const at = found.find((one) => typeof one === 'number');
  return at === undefined ? undefined : table?.names[at as number];
};

type Adjective = readonly [what: string, sign: 1 | -1];
const where = (column: string, is: Comparison, value: string): Condition => ({ column, is, values: [value] });
const numbered = (column: string, is: Comparison, { plain }: Num): Condition => where(column, is, String(plain));

const rows = (table: string, more: Readonly<Record<string, Json>>): Request =>
  asks('table', { op: 'rows', table, ...more });
const first = (table: string, column: string, sign: number, limit = 1): Request =>
  rows(table, { order: [{ column, ...(sign < 0 && { descending: true }) }], limit });
const chosen = (conditions: readonly Condition[]): { readonly where: Json } => ({
  where: conditions as unknown as Json,
});

/** Tables, as CSV or a JSON list of objects: rows by conditions and order, calculations with a column and by groups. */
export const TABLES: Domain = {
  lexicon: {
    adjective: {
      oldest: ['age', -1],
      youngest: ['age', 1],
      'most expensive|priciest|dearest|costliest': ['price', -1],
      'cheapest|least expensive': ['price', 1],
      tallest: ['height', -1],
      heaviest: ['weight', -1],
      lightest: ['weight', 1],
      'largest|biggest': ['size', -1],
      smallest: ['size', 1],
    },
    comparative: {
      'older than': ['age', 1],
      'younger than': ['age', -1],
      'more expensive than': ['price', 1],
      'cheaper than': ['price', -1],
      'taller than': ['height', 1],
      'heavier than': ['weight', 1],
      'lighter than': ['weight', -1],
    },
    HIGHEST: 'highest|largest|biggest|greatest|most|maximum|max|top|best|latest|longest',
    LOWEST: 'lowest|smallest|least|minimum|min|fewest|worst|earliest|shortest',
    THING:
      'row|rows|item|items|entry|entries|one|record|records|person|people|product|products|line|lines|object|objects|element|elements|customer|customers|student|students|employee|employees|user|users',
    SHOW: "show|show me|list|get|give me|find|which|what|who|which is|what is|what's|who is|who's|print|return|tell me|keep only|keep|filter|select|filter for|which are|who are|pick|all",
    calculation: {
      'sum|total|sum up|add up|the sum|the total|what is the total|what is the sum': 'sum',
      'average|mean|the average|the mean|what is the average|avg': 'average',
      'median|the median|what is the median': 'median',
      'highest|maximum|max|the highest|the maximum|what is the highest': 'highest',
      'lowest|minimum|min|the lowest|the minimum|what is the lowest': 'lowest',
    },
    MANY: 'how many|count|count the|number of|the number of|count how many|what is the number of',
    ABOVE:
      'more than|over|above|greater than|higher than|larger than|bigger than|>|exceeding|is more than|is over|is above|is greater than|are over|are above',
    BELOW:
      'less than|under|below|fewer than|lower than|smaller than|<|is less than|is under|is below|are under|are below',
    FLOOR: 'at least|>=|≥|is at least|no less than',
    CEILING: 'at most|<=|≤|is at most|no more than|up to',
    EACH: 'by|per|for each|for every|grouped by|by each|group by|in each|of each|broken down by',
    WITH: 'with|where|whose|having|that have|who have|which have|that has|who has|if the|where the|whose the|in which|with a|with an|that are|who are|which are|are',
    ASKED: '?',
    SORTED: 'sorted by|ordered by|sort by|order by|and sort by|and sort them by|in order of',
    DOWN: 'descending|desc|from high to low|highest first|in descending order|largest first|high to low|decreasing',
  },
  recognize,
  tests: {},
  rules: [
    rule(
      'from',
      'ASKED? (in|of|from|for|:|in this|of this|from this)? (the table|this table|table|csv|this csv|json|this json|list|this list|these|data|this data|the data|the following)? :? <table>',
      ([table]: [string]) => table,
    ),
    // Conditions.
    rule(
      'condition',
      'WITH? (a|an|the)? <column> (of|is|=|equals|being|equal to|==|:|are) <cell>',
      ([column, value]: [string, string]) => where(column, 'equal', value),
      -0.3,
    ),
    rule(
      'condition',
      'WITH (a|an|the)? <column> <cell>',
      ([column, value]: [string, string]) => where(column, 'equal', value),
      -0.3,
    ),
    rule(
      'condition',
      "WITH? (a|an|the)? <column> (is not|isn't|not|other than|!=|different from) <cell>",
      ([column, value]: [string, string]) => where(column, 'not_equal', value),
      -0.1,
    ),
    rule('condition', 'WITH? (a|an|the)? <column> ABOVE <number:plain>', ([column, n]: [string, Num]) =>
      numbered(column, 'more', n),
    ),
    rule('condition', 'WITH? (a|an|the)? <column> BELOW <number:plain>', ([column, n]: [string, Num]) =>
      numbered(column, 'less', n),
    ),
    rule('condition', 'WITH? (a|an|the)? <column> (of|is)? FLOOR <number:plain>', ([column, n]: [string, Num]) =>
      numbered(column, 'at_least', n),
    ),
    rule('condition', 'WITH? (a|an|the)? <column> (of|is)? CEILING <number:plain>', ([column, n]: [string, Num]) =>
      numbered(column, 'at_most', n),
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
      ([[what, sign], n]: [Adjective, Num], setting: Setting) => {
        const column = meant(what, setting);
        return column === undefined ? undefined : numbered(column, sign > 0 ? 'more' : 'less', n);
      },
    ),
    rule('conditions', '<condition>', ([one]: [Condition]) => [one]),
    rule(
      'conditions',
      '<conditions> and <column> <cell>',
      ([all, column, value]: [readonly Condition[], string, string]) => [...all, where(column, 'equal', value)],
      -0.3,
    ),
    rule('conditions', '<conditions> (and|,) <condition>', ([all, one]: [readonly Condition[], Condition]) => [
      ...all,
      one,
    ]),
    // Rows.
    rule(
      'request',
      'SHOW? (the|only the|only)? THING? <conditions> <from>',
      ([all, table]: [readonly Condition[], string]) => rows(table, chosen(all)),
    ),
    rule(
      'request',
      'MANY THING? (are|is|do|have|has|there are|are there)? <conditions> <from>',
      ([all, table]: [readonly Condition[], string]) => asks('table', { op: 'count', table, ...chosen(all) }),
    ),
    rule(
      'request',
      'SHOW? the? THING (with|that has|which has|who has|has|having)? (the|a)? HIGHEST <column> <from>',
      ([column, table]: [string, string]) => first(table, column, -1),
      -0.1,
    ),
    rule('request', '(which|who|what) (has|have) the? HIGHEST <column> <from>', ([column, table]: [string, string]) =>
      first(table, column, -1),
    ),
    rule(
      'request',
      'SHOW? the? THING (with|that has|which has|who has|has|having)? (the|a)? LOWEST <column> <from>',
      ([column, table]: [string, string]) => first(table, column, 1),
      -0.1,
    ),
    rule('request', '(which|who|what) (has|have) the? LOWEST <column> <from>', ([column, table]: [string, string]) =>
      first(table, column, 1),
    ),
    rule(
      'request',
      'SHOW? the? <adjective> THING? <from>',
      ([[what, sign], table]: [Adjective, string], setting: Setting) => {
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
    // Calculations.
    rule(
      'request',
      '<calculation> (of|of the|the)? <column> EACH <column> <from>',
      ([op, column, by, table]: [Calculation, string, string, string]) =>
        column === by ? undefined : asks('table', { op, table, column, by }),
    ),
    rule(
      'request',
      '<calculation> (of|of the|the)? <column> <conditions> <from>',
      ([op, column, all, table]: [Calculation, string, readonly Condition[], string]) =>
        asks('table', { op, table, column, ...chosen(all) }),
    ),
    rule('request', 'MANY THING? EACH <column> <from>', ([by, table]: [string, string]) =>
      asks('table', { op: 'count', table, by }),
    ),
    rule('request', '(group|count) (the|them)? THING? by <column> <from>', ([by, table]: [string, string]) =>
      asks('table', { op: 'count', table, by }),
    ),
  ],
};
