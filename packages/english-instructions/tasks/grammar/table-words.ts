import type { Lexicon, Recognizer } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import type { Condition } from '../table/schema.ts';
import { seenIn } from '../table/seen.ts';
import { columnOf, isNumber, type Table, textOf } from '../table/table.ts';
import { LIMITS } from '../words/limits.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';
import { unitOf } from '../words/units.ts';
import type { Setting } from './setting.ts';
import { each, GIVING } from './text-words.ts';

/** The table of a text; undefined when it is none, or CSV of a single column. */
export function tableIn(text: string): Table | undefined {
  if (!/[,;\t|{]/.test(text)) return undefined;
  const { table } = seenIn(text);
  const columns = table !== undefined && (table.names.length > 1 || table.delimiter === undefined);
  return columns && table.rows.length > 0 ? table : undefined;
}

/** Stands for a table that is not known yet, in which any word may be a column or a value. */
export const OPEN: Table = { names: [], rows: [], delimiter: undefined };

const MAX_NAME = 4;
const MAX_ROWS = 2_000;
/** Words that are no value of a cell unless they are quoted. */
const FUNCTION_WORDS = new Set(
  'a an the of in on at to from for by with and or not is are as than then this that these those it them'.split(' '),
);

/** The columns in which cells have these values, by the value in lower case; undefined for a value of several columns. */
const valuesOf = (table: Table): ReadonlyMap<string, Condition | undefined> => {
  const found = new Map<string, Condition | undefined>();
  for (const row of table.rows.slice(0, MAX_ROWS))
    for (const [index, cell] of row.entries()) {
      const text = textOf(cell);
      if (text === '' || text.length > 80 || isNumber(cell)) continue;
      const column = table.names[index] as string;
      const known = found.get(text.toLowerCase());
      const same = known === undefined ? !found.has(text.toLowerCase()) : known.column === column;
      found.set(text.toLowerCase(), same ? { column, is: 'equal', values: [text] } : undefined);
    }
  return found;
};

/** Words that make another figure of what they stand before: the "net price" is none of the prices. */
const MAKES_ANOTHER =
  /^(?:net|gross|old|new|former|previous|current|next|average|mean|median|total|max|maximum|min|minimum|highest|lowest|best|worst|top|unit|half|double|different|distinct|unique|same|own|more|most|much|many|no|any|which|what|whose|who|daily|weekly|monthly|yearly|annual|hourly)$/;
/** The column at the end of a name of which the words before say only whose or of what it is: "pain score". */
function named(table: Table, before: string, head: string): string | undefined {
  const position = columnOf(table, head);
  const plain = before.toLowerCase();
  const others = table.names.filter((one) => one.toLowerCase().includes(head.toLowerCase().replace(/s$/, '')));
  if (typeof position !== 'number' || others.length > 1 || WORDED.has(plain) || MAKES_ANOTHER.test(plain))
    return undefined;
  if (LIMITS.has(plain) || FUNCTION_WORDS.has(plain) || unitOf(plain) !== undefined || spelledToDigits(plain) !== plain)
    return undefined;
  return isSaid(table, plain) ? undefined : table.names[position];
}

/** All words of tables, because an instruction is read many times. */
const wordsOfTables = new WeakMap<Table, string>();
/** Whether a word, in any number, is in the names or the first cells of a table. */
function isSaid(table: Table, word: string): boolean {
  const cells = (): string =>
    [table.names, ...table.rows.slice(0, MAX_ROWS)].flat().map(textOf).join('\n').toLowerCase();
  const words = wordsOfTables.get(table) ?? cells();
  wordsOfTables.set(table, words);
  return words.includes(word.replace(/(?:ie|e)?s$/, ''));
}
/** Persons of a kind, which are some of the rows, what is measured, and parts of a table or a text. */
const NO_ROWS =
  /^(?:women|men|girls|boys|adults|kids|males|females|minors|seniors|cells|headers|headings|titles|duplicates|repeats|differences|letters|characters|chars|digits|vowels|signs|spaces|commas|times|ages|amounts|balances|costs|counts|debts|dates|distances|fares|fees|figures|grades|heights|incomes|lengths|levels|marks|numbers|points|prices|profits|quantities|rates|ratings|revenues|salaries|sales|scores|sizes|speeds|stocks|sums|taxes|temperatures|totals|values|volumes|wages|weights|widths|others?|yours|ours|theirs|\p{L}*ss|\p{L}*us|\p{L}*is)$/u;
/** Whether a word is what the rows are called, as "tickets" and "these prints" are. */
const namesRows = (table: Table, word: string): boolean =>
  /^\p{L}+s$/u.test(word) &&
  !WORDED.has(word) &&
  !NO_ROWS.test(word) &&
  !LIMITS.has(word) &&
  !FUNCTION_WORDS.has(word) &&
  unitOf(word) === undefined &&
  !/\d/.test(spelledToDigits(word.replace(/s$/, ''))) &&
  !isSaid(table, word);

const YES = /^(?:yes|y|true|x|✓|✔|1)$/i;
const NO = /^(?:no|n|false|-|0|✗|)$/i;
/** What the cells of a column say where its name holds, and where it does not; undefined when they say something else. */
function answersOf({ rows }: Table, at: number): readonly [yes: string, no: readonly string[]] | undefined {
  const cells = [...new Set(rows.slice(0, MAX_ROWS).map((row) => textOf(row[at])))];
  const yes = cells.filter((one) => YES.test(one));
  const no = cells.filter((one) => NO.test(one));
  return yes.length === 1 && no.length > 0 && yes.length + no.length === cells.length
    ? [yes[0] as string, no]
    : undefined;
}

/** The columns of the table by their names in any number, the values of its cells, and its text. */
export const recognize: Recognizer = (tokens, add, { table }: Setting) => {
  if (table === undefined) return;
  const values = valuesOf(table);
  for (const [start, token] of tokens.entries()) {
    if (token.kind === 'data') add('table', start, start + 1, token.text);
    let name = '';
    for (let to = start; to < Math.min(start + MAX_NAME, tokens.length); to++) {
      const { kind, text, spaced } = tokens[to] as Token;
      const inName = /^[_-]$/.test(text) && to > start && !spaced;
      if (kind !== 'word' && kind !== 'quoted' && kind !== 'number' && !inName) break;
      name += `${to > start && spaced ? ' ' : ''}${kind === 'quoted' ? text.slice(1, -1) : text}`;
      if (inName) continue;
      const found = kind === 'number' ? undefined : columnOf(table, name);
      if (typeof found === 'number') {
        add('column', start, to + 1, table.names[found]);
        // The "order value" of orders is their value, and so is that of amounts, where the word is no name of another.
        const behind = tokens[to + 1]?.text ?? '';
        const next = columnOf(table, behind);
        const counts =
          isCount(name, { table }) ||
          (!isNumeric(table.names[found] as string, { table }) && answersOf(table, found) === undefined);
        if (typeof next === 'number' && next !== found && (counts || /^(?:value|number|field|cell)s?$/i.test(behind)))
          add('column', start, to + 2, table.names[next], counts ? 0.05 : 0);
      }
      // "Orders" are the rows of a table whose first column is "order".
      const isAsked = /^(?:which|what)$/.test(tokens[start - 1]?.lower ?? '');
      if (found === 0 && table !== OPEN)
        add('THING', start, to + 1, true, isAsked || name.length > (table.names[0] as string).length ? -0.08 : -0.15);
      if (table !== OPEN && kind === 'word' && to === start + 1) {
        const column = token.kind === 'word' && found === undefined ? named(table, token.text, text) : undefined;
        if (column !== undefined) add('column', start, to + 1, column, -0.08);
      }
      if (table !== OPEN && found === undefined && to === start && namesRows(table, name.toLowerCase()))
        add('THING', start, to + 1, true, -0.08);
      const answers = typeof found === 'number' && table !== OPEN ? answersOf(table, found) : undefined;
      if (answers !== undefined) {
        const column = table.names[found as number] as string;
        add('flag', start, to + 1, { column, is: 'equal', values: [answers[0]] });
        add('no-flag', start, to + 1, { column, is: 'not_equal', values: [answers[0]] });
      }
      if (
        table === OPEN &&
        !FUNCTION_WORDS.has(token.lower) &&
        !FUNCTION_WORDS.has((tokens[to] as Token).lower) &&
        !/\b(?:columns?|fields?)\b/i.test(name)
      )
        add('column', start, to + 1, name, -0.1);
      const plain = name.toLowerCase();
      const value = values.get(plain);
      if (value !== undefined) add('value', start, to + 1, value);
      if (value?.values !== undefined && to > start) add('cell', start, to + 1, value.values[0]);
      const owner = /['’]s?$/.test(plain) ? values.get(plain.replace(/['’]s?$/, '')) : undefined;
      if (owner !== undefined) add('owner', start, to + 1, owner);
    }
    if ((token.kind === 'word' && !FUNCTION_WORDS.has(token.lower)) || token.kind === 'number')
      add('cell', start, start + 1, token.text, -0.1);
    if (token.kind === 'quoted') add('cell', start, start + 1, token.text.slice(1, -1));
  }
};

/** What an adjective is said of: the first of these columns that the table has. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  age: ['age', 'years'],
  price: ['price', 'cost', 'rate', 'amount', 'quote', 'bid', 'offer', 'estimate', 'fee', 'fare', 'rent'],
  height: ['height', 'size', 'length'],
  weight: ['weight'],
  pay: ['salary', 'wage', 'income', 'pay', 'earnings', 'amount'],
  score: ['score', 'points', 'marks', 'grade', 'amount'],
  size: ['size', 'amount', 'count', 'quantity', 'population', 'total'],
};
export const meant = (what: string, { table }: Setting): string | undefined => {
  const found = (MEANT[what] ?? []).map((name) => (table === undefined ? undefined : columnOf(table, name)));
  const at = found.find((one) => typeof one === 'number');
  return at === undefined ? undefined : table?.names[at as number];
};

/** Whether all cells of a column are numbers. */
export const isNumeric = (column: string, { table }: Pick<Setting, 'table'>): boolean => {
  const at = table?.names.indexOf(column) ?? -1;
  return table === OPEN || (at >= 0 && (table?.rows.slice(0, MAX_ROWS) ?? []).every((row) => isNumber(row[at])));
};

/** Whether the first column counts the rows beside other numbers, as an id does. */
export function isCount(column: string, { table }: Pick<Setting, 'table'>): boolean {
  if (table === undefined || table.names[0] !== column) return false;
  const numbers = table.rows.slice(0, MAX_ROWS).map(([first]) => Number(textOf(first)));
  const counts = numbers.length > 1 && numbers.every((n, row) => n === (numbers[0] as number) + row);
  return counts && table.names.some((name) => name !== column && isNumeric(name, { table }));
}

/** The column at a place, from 1 or from the end, unless the first line may have no names. */
export const columnAt = (at: number, { table }: Setting): string | undefined =>
  at === 0 || table?.names.some((name) => isNumber(name)) ? undefined : table?.names.at(at > 0 ? at - 1 : at);

/** The only column of numbers beside one that counts the rows, which a comparison without a column is about. */
export function onlyNumbers({ table }: Pick<Setting, 'table'>): string | undefined {
  const rows = table?.rows.slice(0, MAX_ROWS) ?? [];
  const numeric = (table?.names ?? []).filter(
    (name, at) => rows.every((row) => isNumber(row[at])) && !isCount(name, { table }),
  );
  return numeric.length === 1 ? numeric[0] : undefined;
}

/** The words about tables. */
export const WORDS: Lexicon = {
  adjective: {
    'oldest|older': ['age', -1],
    'youngest|younger': ['age', 1],
    'most expensive|priciest|dearest|costliest|more expensive': ['price', -1],
    'cheapest|least expensive|cheaper|less expensive': ['price', 1],
    tallest: ['height', -1],
    heaviest: ['weight', -1],
    lightest: ['weight', 1],
    'largest|biggest': ['size', -1],
    smallest: ['size', 1],
  },
  comparative: {
    'older than': ['age', 'more'],
    'younger than': ['age', 'less'],
    'more expensive than|costlier than': ['price', 'more'],
    'cheaper than|less expensive than': ['price', 'less'],
    'taller than': ['height', 'more'],
    'shorter than': ['height', 'less'],
    'heavier than': ['weight', 'more'],
    'lighter than': ['weight', 'less'],
  },
  /** Verbs whose object is compared: "items that cost at least 5". */
  verb: {
    'cost|costs|costing|that cost|that costs|which cost': 'price',
    'weigh|weighs|weighing|that weigh|that weighs': 'weight',
    'earn|earns|earned|earning|who earn|who earns|make|makes|get paid|gets paid|is paid': 'pay',
    'score|scores|scored|who scored|got': 'score',
    'owe|owes|owed|have|has|had|pay|pays|paid|sold|sells|spent|spends|saved|saves|won|wins|ate|eats|drank|ran|runs|collected|gave|donated|raised|used|uses|walked|read|reads|did':
      'size',
  },
  degree: { old: 'age', tall: 'height', 'expensive|much': 'price', heavy: 'weight' },
  compared: {
    'more than|over|above|greater than|higher than|larger than|bigger than|>|exceeding|is more than|is over|is above|is greater than|are over|are above|are greater than':
      'more',
    'less than|under|below|fewer than|lower than|smaller than|<|is less than|is under|is below|are under|are below|are less than':
      'less',
    'at least|>=|≥|is at least|are at least|no less than|not less than': 'at_least',
    'at most|<=|≤|is at most|are at most|no more than|not more than|up to': 'at_most',
  },
  extreme: {
    'more|highest|largest|biggest|greatest|most|maximum|max|top|best|latest|longest': -1,
    'lowest|smallest|least|minimum|min|fewest|worst|earliest|shortest|less': 1,
  },
  'some-end': { first: 1, last: -1 },
  THING:
    'row|rows|json|table|csv|list|data|array|spreadsheet|item|items|entry|entries|one|ones|record|records|person|people|product|products|line|lines|object|objects|element|elements|customer|customers|student|students|employee|employees|user|users|all|everyone|everybody|anyone|those',
  BE: 'is|are|was|were|has|have|had|does|did|do|has been|have been|will be|is being',
  BENOT:
    "is not|isn't|are not|aren't|was not|wasn't|were not|weren't|has not|hasn't|have not|haven't|had not|hadn't|does not|doesn't|did not|didn't|do not|don't|is not yet|are not yet|has not yet|have not yet|hasn't yet|haven't yet|has not been|have not been|hasn't been|haven't been|have yet to|has yet to|is still not|are still not|still has not|still have not|still hasn't|still haven't|has still not|have still not",
  FROMTHIS:
    'from this json|from the json|from the following json|from this data|from the data|from the following data|from this list|from this table|from this csv|from this',
  SHOW: GIVING.concat(
    "|show|show me|show only|show me only|list|get|give me|find|which|what|who|which is|what is|what are|what's|who is|who's|whats|what was|which was|who was|print|return|tell me|keep only|keep|filter|select|filter for|which are|who are|pick|all|extract|display|only|just|i want|i need",
  ),
  calculation: {
    'sum|total|tally|sum up|add up|total up|sum total|the sum|the total': 'sum',
    'average|avg|mean|the average|the mean': 'average',
    'median|the median': 'median',
    'highest|maximum|max|largest|biggest|greatest|the highest|the maximum|the max|the largest|the biggest': 'highest',
    'lowest|minimum|min|smallest|the lowest|the minimum|the min|the smallest': 'lowest',
  },
  SPENT: each(
    'how much did|how much money did|how much have|what did|how much has',
    'i spend|we spend|i spent|we spent|it cost|they cost|i pay|we pay|i earn|we earn|i paid|i eat|i drink|i run|i sell|we sell',
  ).concat(
    '|how much|how much was spent|how much is spent|how much is it|what is the total|what do i owe|how much do i owe|how much was|how much went|how much goes',
  ),
  COLUMN: 'column|field|values|value|fields|numbers|cells|the column|the field|column named|column called',
  filling: {
    'is empty|is blank|is missing|is not set|are empty|are blank': 'empty',
    "is not empty|is not blank|isn't empty|is filled in|is set": 'not_empty',
  },
  LACKING:
    "without|without a|without an|missing|with missing|with no|with an empty|with empty|missing a|missing an|lacking|have a missing|has a missing|have missing|has missing|have no|has no|have an empty|has an empty|have a blank|has a blank|with a missing|with a blank|do not have a|does not have a|do not have an|don't have an|don't have a",
  ROWS: 'rows|records|entries|the rows|the records|the entries|all rows|all the rows',
  THEREARE: 'are there|there are|are|is|does|are in|has|have|does it have|there',
  HEADERS: 'column names|columns|column headers|headers|names of the columns|header',
  skipped: {
    'ignoring empty cells|skipping empty cells|leaving out empty cells|without empty cells|ignoring the empty cells|skipping the empty cells|ignoring blanks|skipping blanks|ignoring empty values|skipping empty values|leaving out the cells that are empty':
      'empty',
    'leaving out the cells that are no numbers|ignoring the cells that are no numbers|ignoring the cells that are not numbers|skipping the cells that are not numbers|leaving out the cells that are not numbers|ignoring cells that are not numbers|skipping cells that are not numbers|ignoring non-numeric cells|skipping non-numeric cells|ignoring non-numbers|ignoring what is no number':
      'no_numbers',
  },
  MANY: 'how many|count|count the|number of|the number of|count how many|what is the number of',
  PERGROUP: 'by|per|for each|for every|grouped by|by each|group by|in each|of each|broken down by',
  WITH: 'with|where|whose|having|have|has|that have|who have|which have|that has|who has|if the|where the|whose the|in which|with a|with an|that are|who are|which are|are|and',
  LIVING:
    'come from|comes from|coming from|who come from|said|say|says|who said|that said|answered|replied|responded|voted|voted for|chose|picked|in|from|at|who live in|that live in|live in|lives in|living in|who are from|who are in|are in|are from|based in|that are in|work in|who work in|of',
  ASKED: '?',
  SORTED: 'sorted by|ordered by|in order of',
  SORT: 'sort|order|arrange|now sort|reorder',
  direction: {
    'descending|desc|from high to low|highest first|in descending order|largest first|high to low|decreasing|biggest first|most first|z to a|from z to a|newest first|oldest first|most expensive first':
      -1,
    'ascending|asc|from low to high|lowest first|in ascending order|smallest first|low to high|increasing|a to z|from a to z|cheapest first|youngest first|alphabetically': 1,
  },
  kind: { 'text|words': 'text', numbers: 'number' },
  DROP: 'filter out|remove|delete|drop|without|omit|leave out|hide|strip',
  UNIQUE: 'unique|distinct|different|the unique|the distinct|the different|all the different|all the unique',
};
/** All words about tables. */
const WORDED: ReadonlySet<string> = new Set(
  Object.values(WORDS)
    .flatMap((words) => (typeof words === 'string' ? [words] : Object.keys(words)))
    .flatMap((words) => words.split(/[| ]/)),
);
