import { withoutTrailing } from '../../core/values/trailing.ts';
import { type Clause, explicitReferences, placeholder, type Reading, unquote } from '../clause.ts';
import { TaskError } from '../task.ts';
import { MAX_INSTRUCTION, points } from '../text/reading.ts';
import { conditionsOf } from './conditions.ts';
import { runOn } from './run.ts';
import type { Calculation, Condition, Input, Order } from './schema.ts';
import { isTable, seenIn } from './seen.ts';
import { columnOf, columnsText, isNumber, type Table } from './table.ts';

const WHICH =
  'Which table do you mean? Paste its rows below, the first one with the names of the columns, or attach it.';

const ASKING =
  /^(?:calculate|compute|work out|determine|get|give me|show me|show|tell me|find|find me|return|print|list|select|display|what is|what's|what’s|whats|what was|what are|which are|i need|i want) (?:all |only |just )*/i;

const WORDS: Readonly<Record<string, Calculation>> = {
  sum: 'sum',
  total: 'sum',
  tally: 'sum',
  'sum up': 'sum',
  'add up': 'sum',
  'total up': 'sum',
  'sum total': 'sum',
  average: 'average',
  avg: 'average',
  mean: 'average',
  median: 'median',
  highest: 'highest',
  maximum: 'highest',
  max: 'highest',
  largest: 'highest',
  biggest: 'highest',
  greatest: 'highest',
  lowest: 'lowest',
  minimum: 'lowest',
  min: 'lowest',
  smallest: 'lowest',
};
const CALCULATION =
  /^(?:the )?(sum total|sum up|sum|total up|total|tally|add up|average|avg|mean|median|highest|maximum|max|largest|biggest|greatest|lowest|minimum|min|smallest) (?:of |in |for )?/i;

const ROWS = '(?:rows|records|entries)';
const COUNTED = new RegExp(`^(?:how many|count|(?:the )?(?:number|count) of) (?:all |of )?(?:the )?${ROWS}`, 'i');
/** Words behind "how many rows" that ask no more. */
const COUNT_END = / (?:are|is|there|does|do|have|has|contain|contains|in total)(?= |$)/gi;
const COLUMNS =
  /^(?:what are|which are|list|show|show me|name|get|give me)? ?(?:the |all |all the )?(?:column names|columns|column headers|headers|names of the columns)(?: (?:in|of) |$)/i;
const FILTER = new RegExp(
  `^(?:filter|keep|keep only|select|only|remove|delete|drop|leave out|exclude)(?: (?:for|by|to|all))?(?: (?:the|only|all))*(?: ${ROWS})?$`,
  'i',
);
const DROP = /^(?:remove|delete|drop|leave out|exclude) /i;
const FIRST_ROWS = new RegExp(`^(?:which |what |all |only |just )*(?:of )?(?:the )?${ROWS}$`, 'i');
const SORT = new RegExp(
  `^(?:sort|order|rank|arrange)(?: (?:the|this|these|all|my|it|them|${ROWS}|table|csv|list|data|file))* by `,
  'i',
);
const SORTED = /,? (?:and )?(?:sort(?:ed)?|order(?:ed)?)(?: (?:it|them))? by /i;
const WHERE = / (?:where|whose|for which|in which|having|have|has|with|if) /gi;
const HAS = /^ (?:having|have|has|with) $/i;

const SKIP =
  /,? (?:and )?(?:leaving out|leave out|ignoring|ignore|skipping|skip|without|excluding)(?: (?:the|all|any))* (?:(empty|blank|missing)(?: (?:cells|values|rows|ones))?|(?:cells|values|rows|ones|those|entries) that are (?:(empty|blank|missing)|(?:no|not)(?: plain)? numbers?)|non-?numeric(?: (?:cells|values|rows|ones))?|non-?numbers)$/i;

const DIRECTION =
  /(?:,| in|,? from)? (?:(descending|desc|highest first|largest first|biggest first|newest first|latest first|highest to lowest|largest to smallest|high to low|z-a|z to a|reverse order)|(ascending|asc|lowest first|smallest first|oldest first|earliest first|lowest to highest|smallest to largest|low to high|a-z|a to z))(?: order)?$/i;
const AS = / (?:as (text|numbers?)|(alphabetically)|(numerically))$/i;

/** Words around the name of a column. */
const BEFORE =
  /^(?:of|all|the|every|each|in|from|for|column|field|called|named|(?:values?|numbers?|amounts?|cells?|entries) (?:of|in|from)) /i;
const BEHIND = / (?:column|field|values?|cells?|entries)$/i;
const PLACE = / (?:in|of|from|for|on|over|across) /gi;
const EVERYWHERE = /^(?:all|every|each)(?: of)?(?: the)? (?:rows?|records?|entries|lines?)$/i;
const ANY =
  /sum|total|tally|add up|average|avg|mean|median|est\b|max|min|rows|records|entries|column|header|filter|keep|sort|order|rank|arrange/i;

/** Removes words behind the column that only refer to the table: "in this csv", "for all rows". */
function withoutPlace(text: string): string {
  let plain = text;
  for (const { 0: link, index } of [...text.matchAll(PLACE)].toReversed()) {
    const rest = plain.slice(index + link.length);
    if (points(rest) || EVERYWHERE.test(rest) || /^\{\{[\w.]+\}\}$/.test(explicitReferences(rest)))
      plain = plain.slice(0, index);
    else break;
  }
  return plain;
}

/** What an instruction asks for; a column is as its words name it. */
interface Asked {
  readonly input: Omit<Input, 'table'>;
  /** Whether it can only be about a table. */
  readonly explicit: boolean;
}

/** The names that the words for a column may mean, the whole first. */
function namesIn(said: string): readonly string[] {
  const names = [said];
  for (let text = said; ; ) {
    const less = text.replace(BEFORE, '');
    const next = less === text ? text.replace(BEHIND, '') : less;
    if (next === text || next === '') return names;
    names.push(next);
    text = next;
  }
}

/** The column that the words mean: its name in the table, or their last words. */
function named(said: string, table: Table | undefined): string {
  const whole = withoutPlace(said.trim());
  const names = [...namesIn(said.trim()), ...namesIn(whole)].map(unquote);
  const found = table && names.map((name) => columnOf(table, name)).find((at) => typeof at === 'number');
  return found === undefined ? unquote(namesIn(whole).at(-1) ?? whole) : ((table as Table).names[found] as string);
}

function ordersOf(said: string, table: Table | undefined): Order[] | undefined {
  const as = AS.exec(said);
  const plain = as === null ? said : said.slice(0, as.index);
  const direction = DIRECTION.exec(plain);
  const columns = direction === null ? plain : plain.slice(0, direction.index);
  const whole = named(columns, table);
  const one = table !== undefined && columnOf(table, whole) !== undefined;
  const names = one ? [whole] : columns.split(/, (?:and |then )?(?:by )?| and (?:then )?(?:by )?/i);
  // It cannot be told to which of several columns the rest applies.
  if (names.length > 1 && (as !== null || direction !== null)) return undefined;
  const kind = as === null ? undefined : as[2] !== undefined || as[1] === 'text' ? 'text' : 'number';
  return names.map((name) => ({
    column: named(name, table),
    ...(direction?.[1] !== undefined && { descending: true }),
    ...(kind !== undefined && { as: kind }),
  }));
}

/** A condition without a comparison, such as `city Berlin` after "with"; the column must be there. */
function columnAndValue(text: string, table: Table | undefined): readonly Condition[] | undefined {
  const plain = text.replace(/^(?:the|an?) /i, '');
  const names = (table?.names ?? []).filter((name) => plain.toLowerCase().startsWith(`${name.toLowerCase()} `));
  const column = names.toSorted((a, b) => b.length - a.length)[0];
  if (column === undefined) return undefined;
  return conditionsOf(`"${column}" is ${plain.slice(column.length + 1)}`);
}

/** Cuts the conditions off an instruction. */
function whereIn(text: string, table: Table | undefined): { readonly head: string; readonly where?: Condition[] } {
  for (const { 0: link, index } of text.matchAll(WHERE)) {
    const rest = text.slice(index + link.length);
    const conditions = conditionsOf(rest) ?? (HAS.test(link) ? columnAndValue(rest, table) : undefined);
    if (conditions === undefined) continue;
    const where = conditions.map((one) => ({ ...one, column: named(one.column, table) }));
    return { head: text.slice(0, index), where };
  }
  return { head: text };
}

function askedFor(said: string, table: Table | undefined): Asked | undefined {
  const skipped = SKIP.exec(said);
  const text = skipped === null ? said : said.slice(0, skipped.index);
  const sort = SORT.exec(text);
  if (sort !== null) {
    const order = skipped === null ? ordersOf(text.slice(sort[0].length), table) : undefined;
    return order && { input: { op: 'rows', order }, explicit: /\brows\b|\bcolumn\b/i.test(text) };
  }
  const sorted = SORTED.exec(text);
  const order = sorted === null ? undefined : ordersOf(text.slice(sorted.index + sorted[0].length), table);
  const { head, where } = whereIn(sorted === null ? text : text.slice(0, sorted.index), table);
  const some = where !== undefined && { where };
  const plain = withoutPlace(head.replace(ASKING, ''));
  if (skipped === null && where !== undefined) {
    const drop = DROP.test(head);
    if (FILTER.test(head) || FILTER.test(withoutPlace(head)) || FIRST_ROWS.test(plain))
      return { input: { op: 'rows', where, ...(drop && { drop }), ...(order && { order }) }, explicit: true };
  }
  if (sorted !== null) return undefined;
  const count = COUNTED.exec(head);
  if (count !== null && skipped === null) {
    if (points(head.slice(count[0].length).replace(COUNT_END, '').trim()))
      return { input: { op: 'count', ...some }, explicit: where !== undefined };
  }
  const columns = where === undefined && skipped === null ? COLUMNS.exec(head) : null;
  if (columns !== null && points(head.slice(columns[0].length).trim()))
    return { input: { op: 'columns' }, explicit: false };
  const bare = head.replace(ASKING, '');
  const calculation = CALCULATION.exec(bare);
  const rest = calculation === null ? '' : bare.slice(calculation[0].length);
  if (calculation === null || rest === '') return undefined;
  // Without a table, digits are numbers to calculate with.
  if (table === undefined && /\d/.test(rest)) return undefined;
  const skip = skipped === null ? undefined : (skipped[1] ?? skipped[2]) === undefined ? 'no_numbers' : 'empty';
  return {
    input: {
      op: WORDS[(calculation[1] as string).toLowerCase()] as Calculation,
      column: named(rest, table),
      ...some,
      ...(skip !== undefined && { skip }),
    },
    explicit: /\b(?:column|field)\b/i.test(rest) || where !== undefined || skip !== undefined,
  };
}

const columnsOf = ({ column, where = [], order = [] }: Omit<Input, 'table'>): readonly string[] => [
  ...(column === undefined ? [] : [column]),
  ...where.map((one) => one.column),
  ...order.map((one) => one.column),
];

/** How the task understands an instruction. */
export function readTable(clause: Clause): Reading | undefined {
  if (clause.text.length > MAX_INSTRUCTION || !ANY.test(clause.text)) return undefined;
  const text = withoutTrailing(clause.text, '?!.').trim();
  const { data } = clause;
  if (data === undefined) return withoutData(text, clause);
  const { table, error } = seenIn(data);
  const asked = askedFor(text, table);
  if (asked === undefined) return undefined;
  const { input, explicit } = asked;
  if (table === undefined) return explicit && !/^\s*[[{]/.test(data) ? question(0.9, error ?? WHICH) : undefined;
  const whole: Input = { ...input, table: data };
  const unknown = columnsOf(input).find((name) => typeof columnOf(table, name) !== 'number');
  if (unknown !== undefined) return explicit || isTable(table) ? unknownColumn(unknown, text, table) : undefined;
  if (columnsOf(input).length === 0 && table.delimiter !== undefined && !isTable(table)) return undefined;
  try {
    runOn(table, whole, Number.POSITIVE_INFINITY);
  } catch (failure) {
    if (!(failure instanceof TaskError)) throw failure;
    return question(0.985, failure.message, doubtful(text, input));
  }
  return { sure: 0.985, input: { ...input, table: data }, accounts: input.op === 'rows' ? ['only'] : [] };
}

function withoutData(text: string, clause: Clause): Reading | undefined {
  const asked = askedFor(text, undefined);
  if (asked === undefined) return undefined;
  const { input, explicit } = asked;
  if (clause.it !== undefined) {
    const tabular = /^(?:json|fetch|recall|table)$/.test(clause.after ?? '');
    if (explicit || tabular) return { sure: explicit ? 0.9 : 0.7, input: { ...input, table: placeholder(clause.it) } };
  }
  return explicit ? question(0.9, WHICH, [], text) : undefined;
}

const question = (sure: number, ask: string, suggestions: readonly string[] = [], text?: string): Reading => ({
  sure,
  ask,
  suggestions,
  answered: (answer) => (text !== undefined && answer.includes('\n') ? `${text}: ${answer}` : answer),
});

/** Columns that a question suggests. */
const SUGGESTED = 9;

function unknownColumn(name: string, text: string, table: Table): Reading {
  const several = columnOf(table, name) === 'several';
  const ask = `There ${several ? 'are several columns' : 'is no column'} “${name}”. ${columnsText(table)}`;
  const at = text.toLowerCase().lastIndexOf(name.toLowerCase());
  const put = (column: string): string => `${text.slice(0, at)}"${column}"${text.slice(at + name.length)}`;
  const numeric = table.names.filter((_, column) => table.rows.some((row) => isNumber(row[column])));
  const calculates = CALCULATION.test(text.replace(ASKING, '')) && numeric.length > 0;
  const names = several || at < 0 ? [] : (calculates ? numeric : table.names).filter((one) => one !== '');
  return question(0.9, ask, names.slice(0, SUGGESTED).map(put));
}

/** What can be done about cells that are no numbers. */
function doubtful(text: string, { op, skip, order }: Omit<Input, 'table'>): readonly string[] {
  if (op === 'rows') return order?.length === 1 && order[0]?.as === undefined ? [`${text} as text`] : [];
  if (op === 'count' || op === 'columns' || skip === 'no_numbers') return [];
  return [`${text.replace(SKIP, '')}, leaving out the cells that are no numbers`];
}
