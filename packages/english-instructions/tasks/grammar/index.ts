import type { Json } from '@mailroom/behavior/values/json';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Chart, Item } from '../../language/chart.ts';
import { Grammar } from '../../language/grammar.ts';
import { jsonIn } from '../../language/json-spans.ts';
import { type Token, tokensOf } from '../../language/lexer.ts';
import { type Clause, explicitReferences, type Planned, placeholder, type Reading } from '../clause.ts';
import { runOn } from '../table/run.ts';
import type { Input as TableInput } from '../table/schema.ts';
import { isTable, seenIn } from '../table/seen.ts';
import { columnOf, columnsText, isNumber, type Table } from '../table/table.ts';
import { TaskError } from '../task.ts';
import { DOMAINS } from './domains.ts';
import { earlierTable } from './follow-ups.ts';
import { type Num, productOf } from './number.ts';
import { itemized } from './records.ts';
import type { Free, Setting, Request as Steps } from './setting.ts';
import { OPEN, tableIn } from './tables.ts';

let built: Grammar | undefined;
let words: ReadonlySet<string> | undefined;
/** Built when it is first used, because that takes time and memory that a start has no need of. */
const grammar = (): Grammar => {
  built ??= new Grammar(DOMAINS, ['request', 'number']);
  return built;
};
/** The words that instructions are made of, in lower case, without those of units. */
export const vocabulary = (): ReadonlySet<string> => {
  words ??= grammar().vocabulary();
  return words;
};

const TIE = 0.02;
const COVERED = 0.97;

interface Understood {
  readonly task: string;
  readonly reading: Reading;
}
/** The readings so far, because several tasks ask for that of the same clause. */
const readings = new WeakMap<Clause, Understood | 'nothing'>();

/** The reading of an instruction that the grammar covers completely, or the question which of two is meant. */
export function understand(clause: Clause): Understood | undefined {
  const found = readings.get(clause) ?? understood(clause) ?? 'nothing';
  readings.set(clause, found);
  return found === 'nothing' ? undefined : found;
}

function understood(clause: Clause): Understood | undefined {
  const [best, rival] = requestsIn(clause);
  if (best === undefined) return undefined;
  const last = best.steps.at(-1) as Planned;
  const { ask: missing, again = '{}', suggestions: choices } = best;
  if (missing !== undefined && rival === undefined)
    return {
      task: last.task,
      reading: {
        sure: COVERED,
        ask: missing,
        answered: (answer) => again.replace('{}', () => answer),
        ...(choices !== undefined && { suggestions: choices }),
      },
    };
  if (rival === undefined) return { task: last.task, reading: { sure: COVERED, input: last.input, steps: best.steps } };
  const suggestions = [best, rival].map(sayOf);
  const ask = `“${clause.text.slice(0, 120)}” can mean two things. Which one?`;
  return { task: last.task, reading: { sure: COVERED, ask, answered: (answer) => answer, suggestions } };
}

/** How a task whose English is only in the grammar reads an instruction. */
export const readBy =
  (task: string) =>
  (clause: Clause): Reading | undefined => {
    const covered = understand(clause);
    return covered?.task === task ? covered.reading : undefined;
  };

/** Data that is no plain text has readers of its own. */
const STRUCTURED = /^\s*(?:\{|\[\s*\{|<)/;

/**
 * The best request that the whole instruction makes, and one that is as good. Short data is read as part of the sentence;
 * else it is what the instruction is about.
 */
function requestsIn(clause: Clause): readonly Steps[] {
  const found = plainRequests(clause).filter((one) => !isOfColumn(clause, one));
  if (found.length > 0 && found[0]?.ask === undefined) return found;
  const { table, written = '', about = '' } = itemized(clause.text, clause.data) ?? {};
  const inTable = table === undefined ? [] : requestsOf(about, { ...clause, table, fromItems: true }, written);
  return inTable.length > 0 ? inTable : found;
}

function plainRequests(clause: Clause): readonly Steps[] {
  const { data, language, it } = clause;
  const text = withSteps(clause);
  if (text.length > 1_000 || ELSEWHERE.test(text)) return [];
  const pasted = tableFrom(clause);
  const inTable =
    pasted &&
    requestsOf(pasted.about, { ...clause, table: pasted.table }, pasted.written).map((one) =>
      possibleIn(pasted.table, one, text),
    );
  if (inTable !== undefined && inTable.length > 0) return inTable;
  if (data === undefined) {
    const earlier = earlierTable(clause);
    const found = earlier && requestsOf(earlier.about, { ...clause, table: earlier.table }, earlier.written);
    if (found !== undefined && found.length > 0) return found;
    const setting = earlier === undefined ? clause : { ...clause, table: earlier.table };
    if (!ABOUT_TEXT.test(text)) return requestsOf(text, setting);
    // What is done with a text that is not named is done with the earlier result.
    const chart = chartOf(text, setting, it === undefined ? UNKNOWN : placeholder(it));
    const whole = requestsAt(chart, chart?.written);
    if (whole.length > 0 || it !== undefined) return whole.length > 0 ? whole : requestsAt(chart);
    return requestsAt(chart)
      .filter(({ steps }) => steps[0]?.input.op !== 'say')
      .map(asking(text));
  }
  const about = requestsOf(text, clause, data);
  const [step] = about[0]?.steps ?? [];
  if (
    about.length === 1 &&
    (step?.task === 'encode' ||
      step?.task === 'run' ||
      step?.task === 'table' ||
      (step?.task === 'text' && !UNCHANGED.includes(step.input.does)))
  )
    return about;
  const inline = pasted === undefined && language === undefined && data.length <= 500 && !/\n\s*\n/.test(data);
  const lined = inline && data.includes('\n');
  // Lines are lines before they are the items of a list.
  const asLines = lined ? about : [];
  if (asLines.length > 0) return asLines;
  const found = inline
    ? requestsOf(`${text}: ${data.trim().replace(/\n/g, /^\s*[[{]/.test(data) ? ' ' : ', ')}`, clause, undefined, lined)
    : [];
  return found.length > 0 || (lined && !STRUCTURED.test(data)) ? found : about;
}

/** The first words of instructions of tasks whose English is not in the grammar. */
const ELSEWHERE = /^(?:remind (?!me (?:again )?w)|schedule |remember |e-?mail )/i;
/** What is done with parts without changing the text; they may be the items of a list in the sentence. */
const UNCHANGED: readonly unknown[] = ['list', 'count', 'any', 'sum', 'average'];
/** Stands for a text that is not there. */
const UNKNOWN = '{{?}}';
/** Words without which nothing is done with a text that is not named. */
const ABOUT_TEXT =
  /case|caps|capital|words?\b|letters?\b|lines?\b|char|sentence|paragraph|count|how many|sort|order|alphabet|dup|uniq|distinct|revers|flip|backward|links?\b|url|mail|numbers|dates|hash|mentions|replace|substitute|swap|remove|delete|strip|split|join|glue|first|last|top\b|truncate|shorten|trim|cut|compare|diff|slug|clean|fill|complete|template|number|pad|wrap|say|echo|encode|decode|escape|64|32|hex|binary|rot-?13|morse|md-?5|sha-?\d|crc|hash|digest|jwt|token/i;
const asking =
  (text: string) =>
  (plan: Steps): Steps =>
    plan.ask !== undefined || !JSON.stringify(plan.steps).includes(UNKNOWN)
      ? plan
      : {
          ...plan,
          ask: plan.steps[0]?.input.op === 'sort' ? 'What should be sorted?' : 'Which text do you mean?',
          again: `${text}: {}`,
        };

/** Whether it takes rows as a text, though the instruction names a column of them: "the first two names". */
function isOfColumn(clause: Clause, { steps }: Steps): boolean {
  if (steps[0]?.task !== 'text' || !STRUCTURED.test(clause.data ?? clause.text.replace(/^[^[{]*/, ''))) return false;
  const { table, about = '' } = tableFrom(clause) ?? {};
  const words = about.toLowerCase().match(/\p{L}+/gu) ?? [];
  const singular = (word: string): string => word.toLowerCase().replace(/s$/, '');
  return table?.names.some((name) => words.some((word) => singular(word) === singular(name))) ?? false;
}

/** The request, or why the cells of the table do not allow it. */
function possibleIn(table: Table, request: Steps, text: string): Steps {
  const { task = '', input = {} } = request.steps.length === 1 ? (request.steps[0] ?? {}) : {};
  if (task !== 'table') return request;
  try {
    runOn(table, input as unknown as TableInput, Number.POSITIVE_INFINITY);
    return request;
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    const more = input.op === 'rows' ? `${text} as text` : `${text}, leaving out the cells that are no numbers`;
    return { ...request, ask: error.message, again: '{}', suggestions: 'skip' in input ? [] : [more] };
  }
}

const SUGGESTED = 9;
const TABULAR = /\b(?:columns?|fields?|rows?|records?)\b/i;
const WHICH =
  'Which table do you mean? Paste its rows below, the first one with the names of the columns, or attach it.';

/** What is asked of a table that is not here, of one that is no table, or of a column that it does not have. */
export function askedOfTable(clause: Clause): Reading | undefined {
  const { text, data, it } = clause;
  const { table, error } = data === undefined ? {} : seenIn(data);
  const explicit = TABULAR.test(text);
  if (text.length > 1_000 || !(explicit || (table !== undefined && isTable(table)))) return undefined;
  const written = data ?? placeholder(it ?? 0);
  const [step] = requestsOf(text, { ...clause, table: OPEN }, written)[0]?.steps ?? [];
  const { op, where: some } = (step?.input ?? {}) as Partial<TableInput>;
  if (step?.task !== 'table' || op === 'values' || op === 'columns' || (op === 'count' && some === undefined))
    return undefined;
  const question = (ask: string, suggestions: readonly string[] = []): Reading => ({
    sure: 0.9,
    ask,
    suggestions,
    answered: (answer) => (data === undefined && answer.includes('\n') ? `${text}: ${answer}` : answer),
  });
  if (data === undefined) return it === undefined ? question(WHICH) : { sure: 0.9, input: step.input };
  if (table === undefined) return question(error ?? WHICH);
  const { column, where = [], order = [] } = step.input as unknown as TableInput;
  const names = [column, ...[...where, ...order].map((one) => one.column)].filter((one) => one !== undefined);
  const name = names.find((one) => typeof columnOf(table, one) !== 'number');
  if (name === undefined) return undefined;
  const several = columnOf(table, name) === 'several';
  const index = text.lastIndexOf(name);
  const others = table.names.filter(
    (one, nth) => one !== '' && (column === undefined || table.rows.some((row) => isNumber(row[nth]))),
  );
  return question(
    `There ${several ? 'are several columns' : 'is no column'} “${name}”. ${columnsText(table)}`,
    several || index < 0
      ? []
      : others.slice(0, SUGGESTED).map((one) => `${text.slice(0, index)}"${one}"${text.slice(index + name.length)}`),
  );
}

/** Figures with the signs around them. */
const FIGURES = /^\(?[-+−]?\p{Sc}? ?\d[\d.,' ]*(?:\p{Sc}|%|[a-z]{1,3})?\)?$/iu;
/** The table that is pasted, or written as JSON at the end of the instruction, and what is said about it. */
function tableFrom({ text, data }: Clause): { table: Table; written: string; about: string } | undefined {
  const [start, end] = (data === undefined && /[[{]/.test(text) ? jsonIn(text)[0] : undefined) ?? [
    text.length,
    text.length,
  ];
  const written = data ?? text.slice(start, end);
  const table = written.includes('\n') || STRUCTURED.test(written) ? tableIn(written) : undefined;
  if (table === undefined) return undefined;
  const about = `${text.slice(0, start)} ${text.slice(end)}`.trim();
  // A first line of figures that are no years has no names, so that its columns are named by their places.
  const named = !table.names.some((name) => FIGURES.test(name) && !/^(?:19|20)\d\d$/.test(name));
  if (named || table.delimiter === undefined) return { table, written, about };
  if (!/\b(?:columns?|rows?|csv|table)\b/i.test(text)) return undefined;
  const placed = `${table.names.map((_, n) => `column ${n + 1}`).join(table.delimiter)}\n${written}`;
  return { table: tableIn(placed) ?? table, written: placed, about };
}

const requestsOf = (...parts: Parameters<typeof chartOf>): readonly Steps[] => requestsAt(chartOf(...parts));

/** What is found in an instruction and the data behind it. `written`: the number of its own tokens. */
function chartOf(
  whole: string,
  setting: Setting,
  data?: string,
  lined = false,
): { readonly chart: Chart; readonly written: number } | undefined {
  // The dots at the end of Morse code are letters.
  const textTokens = tokensOf(/ [./-]+$/.test(whole) ? whole : withoutTrailing(whole, '?. '));
  if (textTokens === undefined || textTokens.length === 0) return undefined;
  const end = whole.length;
  const tokens: readonly Token[] =
    data === undefined
      ? textTokens
      : [...textTokens, { kind: 'data', text: data, lower: '', from: end, to: end, spaced: true }];
  const slice = (from: number, to: number): Free => ({
    text: whole.slice(tokens[from]?.from, tokens[to - 1]?.to),
    from,
    to,
    ...(lined && { lined }),
  });
  return {
    chart: grammar().parse(tokens, lined ? { ...setting, lined } : setting, slice, textTokens.length),
    written: textTokens.length,
  };
}

function requestsAt(found: ReturnType<typeof chartOf>, to?: number): readonly Steps[] {
  if (found === undefined || found.chart.isFull) return [];
  const all = found.chart.spanning('request', 0, to) as readonly (Item & { readonly value: Steps })[];
  const [best] = all;
  if (best === undefined) return [];
  const steps = JSON.stringify(best.value.steps);
  const amount = productOf(best.value.steps);
  const rival = all.find(
    ({ value, score }) =>
      best.score - score < TIE &&
      JSON.stringify(value.steps) !== steps &&
      (amount === undefined || productOf(value.steps) !== amount),
  );
  return rival === undefined ? [best.value] : [best.value, rival.value];
}

/** The text with placeholders for the steps that it names; "the result of 9 cubed" names none when there is no ninth. */
function withSteps({ text, tasks = [], it = 0 }: Clause): string {
  const referring = explicitReferences(text);
  return [...referring.matchAll(/\{\{(\d{1,4})/g)].every(([, n]) => Number(n) <= Math.max(tasks.length, it))
    ? referring
    : text;
}

/**
 * The longest beginning of an instruction that is a request by itself, and what stands behind it, which the grammar cannot
 * place; undefined when no beginning is one.
 */
export function beginningOf(clause: Clause): { readonly understood: string; readonly rest: string } | undefined {
  const { text } = clause;
  const tokens = text.length > 1_000 ? undefined : tokensOf(text);
  if (tokens === undefined || clause.data !== undefined) return undefined;
  const slice = (from: number, to: number): Free => ({
    text: text.slice(tokens[from]?.from, tokens[to - 1]?.to),
    from,
    to,
  });
  const { to = 0 } =
    grammar()
      .parse(tokens, clause, slice)
      .longest('request', ({ ask }: Steps) => ask === undefined) ?? {};
  if (to < 2 || to >= tokens.length) return undefined;
  return { understood: slice(0, to).text, rest: slice(to, tokens.length).text };
}

let builtOfThings: Grammar | undefined;
/** The grammar without requests, which reads only what they are about. */
const grammarOfThings = (): Grammar => {
  builtOfThings ??= new Grammar(
    DOMAINS.map((one) => ({ ...one, rules: one.rules.filter(({ makes }) => makes !== 'request') })),
    ['date', 'zone', 'length', 'number', 'unit'],
  );
  return builtOfThings;
};

/** A day, a time, a length, an amount, a unit, a place or a number in a text, with the value that the grammar gives it. */
export interface Thing {
  readonly type: string;
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
}

/** What stands in a text, the longest of it at each place, and of two of one length the one of the earlier type. */
export function thingsIn(text: string, setting: Setting, types: readonly string[]): readonly Thing[] {
  const tokens = text.length > 1_000 ? undefined : tokensOf(text);
  if (tokens === undefined) return [];
  const chart = grammarOfThings().parse(tokens, setting, () => ({ text: '' }));
  const found: Thing[] = [];
  for (let place = 0; place < tokens.length; ) {
    const here = types.map((type) => [type, chart.longest(type, undefined, place)] as const);
    const to = Math.max(place, ...here.map(([, item]) => item?.to ?? 0));
    const [type, item] = here.find(([, one]) => one?.to === to) ?? [];
    const [first, last] = [tokens[place], tokens[to - 1]];
    if (type !== undefined && item !== undefined && first !== undefined && last !== undefined)
      found.push({ type, from: first.from, to: last.to, value: item.value });
    place = Math.max(place + 1, to);
  }
  return found;
}

/** The calculation in a text that contains nothing else, as `calculate` runs it. */
export function calculationOf(text: string): string | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const chart = grammar().parse(tokens, { it: undefined, now: 0, time_zone: 'UTC' } satisfies Setting, () => ({
    text: '',
  }));
  const [number] = chart.spanning('number');
  if (number !== undefined) return (number.value as Num).expr;
  const [request] = chart.spanning('request') as readonly { readonly value: Steps }[];
  const [step, more] = request?.value.steps ?? [];
  const expression = step?.task === 'calculate' && more === undefined ? step.input.expression : undefined;
  return typeof expression === 'string' ? expression : undefined;
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
const sayOf = ({ says, steps }: Steps): string =>
  says ?? steps.map(({ task, input }) => `${task} ${Object.values(input).map(shown).join(' ')}`).join(', ');

/** The steps with numbers for their places in a plan that has `stepCount` steps already. */
export const placed = (steps: readonly Planned[], stepCount: number): readonly Planned[] =>
  steps.length === 1
    ? steps
    : (JSON.parse(
        JSON.stringify(steps).replace(/\{\{\+(\d{1,4})/g, (_, n: string) => `{{${stepCount + Number(n)}`),
      ) as readonly Planned[]);
