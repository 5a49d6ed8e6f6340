import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Clause, Planned, Reading } from '../tasks/clause.ts';
import { type Column, columnsOf } from '../tasks/table/columns.ts';
import type { Decimal } from '../tasks/table/decimal.ts';
import {
  cellsIn,
  isMonthFirst,
  itemsOf,
  oddLine,
  type Rows,
  rowsAmong,
  rowsIn,
  withoutTotal,
} from '../tasks/table/rows.ts';
import { type Style, valuesOf } from '../tasks/table/values.ts';
import { unitOf } from '../tasks/words/units.ts';
import { isContext, namesIn, singular } from './context.ts';
import { plain } from './courtesy.ts';
import { holds } from './measure-conditions.ts';
import { HINTED, type Question } from './measure-words.ts';
import { eachOf, limitOf, measuredIn, NO_SUM, type Result } from './measured-figures.ts';
import { questionOf } from './measures.ts';
import { states, wordsOf } from './statements.ts';

const SURE = 0.97;
const MAX_DATA = 40_000;
/** Where one sentence of what is said about rows ends. */
const SENTENCE =
  /(?<=[.?!])\s+|\n|,\s+(?=(?:can|could|would|will) (?:you|u)\b|(?:so |and |now )?(?:what|which|who|how|please)\b)|:\s+(?=\S)|(?:,| and)\s+(?:i\s+)?(?:wonder(?:ed|ing)?|need to know|want to know|would like to know)\s+(?=(?:what|which|who|how)\b)/i;

interface Measured {
  readonly task: string;
  readonly reading: Reading;
  /** Whether the rows have names of columns, so that they are a table too. */
  readonly isTable: boolean;
}

/** An instruction about rows of values, where all of its words are known; undefined for another. */
export function measuredOf(clause: Clause): Measured | undefined {
  const { text, data, now } = clause;
  if (data === undefined || data.length > MAX_DATA || !/\d/.test(data) || /[{}<]|^\s*\[/.test(data)) return undefined;
  const found = measured(text, data, now);
  if (found === undefined) return undefined;
  const { sentence, results, styles, isTable } = found;
  const different = results.filter(
    (one, at) => results.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at,
  );
  const [only, more] = different;
  if (only === undefined) return undefined;
  if (more === undefined && 'steps' in only) {
    const last = only.steps.at(-1) as Planned;
    return { task: last.task, reading: { sure: SURE, input: last.input, steps: only.steps }, isTable };
  }
  const failed = different.find((one) => 'ask' in one);
  const suggestions = styles.length > 1 ? styles.map((style) => `${sentence}, ${HINTED[style]}`) : [];
  const ask = failed !== undefined && 'ask' in failed ? failed.ask : 'These values can be read in two ways. Which one?';
  return {
    task: 'calculate',
    reading: { sure: SURE, ask, answered: (answer) => answer, suggestions, final: true },
    isTable,
  };
}

interface Found {
  readonly sentence: string;
  readonly results: readonly Result[];
  readonly styles: readonly Style[];
  readonly isTable: boolean;
}

/** What is asked of rows, where months are parts of days or, where those have no such figure, names. */
function measured(text: string, data: string, now: number): Found | undefined {
  const found = measuredBy(text, data, now, false);
  const isNone = found === undefined || found.results.some((one) => 'ask' in one && one.ask === NO_SUM);
  const named =
    isNone && data.split('\n').some((line) => isMonthFirst(line.trim()))
      ? measuredBy(text, data, now, true)
      : undefined;
  return named ?? found;
}

function measuredBy(text: string, data: string, now: number, isNamed: boolean): Found | undefined {
  const items = itemsOf(data);
  const rows = isCells(data) ? undefined : rowsIn(items ?? data, now, isNamed);
  // Plain numbers in a line are a list.
  if (
    items !== undefined &&
    typeof rows === 'object' &&
    rows.values.every((one) => PLAIN.test(one)) &&
    rows.names.every((one) => one === '')
  )
    return undefined;
  if (rows === undefined || rows === 'several') {
    const cells = rows === undefined ? ofCells(text, data, now) : undefined;
    if (cells !== undefined) return cells;
    const odd = rows === undefined && !isCells(data) ? oddLine(data, now) : undefined;
    if (rows === undefined && odd === undefined) return undefined;
    const sentence = sentenceIn(
      text,
      data,
      (one) => questionOf(one, { names: [], header: [], data }, { kind: 'number', unit: '' }, now) !== undefined,
    );
    if (sentence === undefined) return undefined;
    const ask =
      odd === undefined
        ? 'These lines can be read in more than one way. Put a colon between each name and its number, and write numbers as 1,204 or 1204.'
        : `“${odd.slice(0, 60)}” is no amount like the other lines. Leave it out, or write its amount.`;
    return { sentence, results: [{ ask }], styles: [], isTable: false };
  }
  const columns = columnsOf(rows.values, now);
  const header =
    rows.header === undefined
      ? []
      : rows.header
          .split(/[\t|:;,=]/)
          .map((one) => one.trim())
          .filter((one) => one !== '');
  if (columns.length === 0) {
    // In a line words may stand between more than names and values.
    if (items !== undefined && rows.values.some((one) => isOfNoun(one, now))) return undefined;
    const sentence = sentenceIn(
      text,
      data,
      (one) => questionOf(one, { names: rows.names, header, data }, { kind: 'number', unit: '' }, now) !== undefined,
    );
    return sentence === undefined
      ? undefined
      : { sentence, results: [{ ask: mixedText(rows.values, now) }], styles: [], isTable: header.length > 1 };
  }
  return resultsOf(text, rows, header, columns, data, now);
}

const isOfNoun = (text: string, now: number): boolean =>
  valuesOf(text, now).every(({ kind, unit }) => kind === 'measure' && unitOf(unit) === undefined);
const PLAIN = /^-?\d+(?:\.\d+)?$/;
/** Whether rows have more cells than a name and a value. */
const isCells = (data: string): boolean => (cellsIn(data)?.header.length ?? 0) > 2;

/** Why values do not go together. */
function mixedText(values: readonly string[], now: number): string {
  const first = values[0] as string;
  const kindOf = (text: string): string =>
    valuesOf(text, now)
      .map(({ kind, unit }) => `${kind} ${unit}`)
      .join('|');
  const other = values.find((one) => kindOf(one) !== kindOf(first)) ?? values.at(-1);
  return `“${first}” and “${other}” are not in the same unit, or are written in different ways, so that I cannot put them together. Write all of them in one.`;
}

function resultsOf(
  text: string,
  rows: Rows,
  header: readonly string[],
  columns: readonly Column[],
  data: string,
  now: number,
): Found | undefined {
  let question: Question | undefined;
  const [first] = columns;
  const sentence = sentenceIn(text, data, (one) => {
    question = questionOf(one, { names: rows.names, header, data }, first as Column, now);
    return question !== undefined;
  });
  if (sentence === undefined || question === undefined) return undefined;
  const asked = question;
  // What is added up is more than one.
  const chosenRows = rows.names.filter((name) => asked.only.includes(name)).length;
  if (
    asked.only.length > 0 &&
    chosenRows < 2 &&
    asked.measures.some(({ does }) => does === 'sum') &&
    /\b(?:add|sum|total|tally|tot)\b/i.test(sentence)
  )
    return undefined;
  const hints = [...asked.styles, ...(/\bhours\b/i.test(text) && first?.kind === 'lap' ? (['hours'] as const) : [])];
  const wanted = columns.filter(({ style }) => style !== undefined && hints.includes(style));
  const chosen = wanted.length > 0 ? wanted : columns;
  // A hint that no reading needs is not passed over.
  if (asked.styles.length > 0 && wanted.length === 0) return undefined;
  const sure = wanted.length > 0;
  return {
    sentence,
    results: chosen.map((column) => resultOf(asked, rows, column, sure, now)),
    styles: chosen.flatMap(({ style }) => style ?? []),
    isTable: header.length > 1,
  };
}

const TAILED = /^([^:\n]{2,120}):\s+([^:?\n]{3,400}?)[.;]\s+([^.\n]{3,120}\?)$/;
/** What is said about rows, in lines or between two sentences. */
export function rowsAsked(body: string, now: number): { readonly said: string; readonly data: string } | undefined {
  const [, lead, items, asked] = TAILED.exec(body) ?? [];
  if (items !== undefined) return { said: `${lead}. ${asked}`, data: itemsOf(items) ?? items };
  return body.includes('\n') ? rowsAmong(body, now) : undefined;
}

/** The sentence that asks, where all others only tell. */
function sentenceIn(text: string, data: string, asks: (sentence: string) => boolean): string | undefined {
  const all = text.split(SENTENCE).filter((one) => one !== undefined && one !== '');
  // Together they are a question where none of them states something or names a row: "My readings. Which is the highest?"
  const names = namesIn(data);
  const isTold = (one: string): boolean =>
    states(wordsOf(one)) || wordsOf(one).some((word) => names.has(singular(word)));
  const isOne = all.length < 2 || !all.some(isTold);
  for (const part of isOne ? [text, ...all] : all) {
    const sentence = withoutTrailing(plain(part), '?.!: ');
    const others = part === text ? [] : all.filter((other) => other !== part);
    if (sentence === '' || !others.every((one) => isContext(one, `${sentence}:\n${data}`))) continue;
    if (asks(sentence)) return sentence;
  }
  return undefined;
}

/** Rows of several columns: those whose cells are named, and the column that is measured. */
function ofCells(text: string, data: string, now: number): Found | undefined {
  const table = cellsIn(data);
  if (table === undefined) return undefined;
  const { header, cells } = table;
  const columnAt = (at: number): readonly Column[] =>
    columnsOf(
      cells.map((row) => row[at] ?? ''),
      now,
    );
  const figures = header.flatMap((_, at) => (columnAt(at).length > 0 ? [at] : []));
  const said = text.toLowerCase();
  const isSaid = (word: string): boolean =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])${word
        .toLowerCase()
        .replace(/[^\p{L}\p{N} ]/gu, '.')
        .replace(/s$/, '')}(?:e?s)?(?![\\p{L}\\p{N}])`,
      'u',
    ).test(said);
  const named = figures.filter((at) => isSaid(header[at] as string));
  const [value, more] = named.length > 0 ? named : figures;
  const labels = header.flatMap((_, at) => (figures.includes(at) ? [] : [at]));
  if (value === undefined || more !== undefined || labels.length === 0) return undefined;
  const by =
    labels.find((at) => cells.some((row) => (row[at] ?? '').length > 1 && isSaid(row[at] as string))) ??
    (labels[0] as number);
  const label = labels[0] as number;
  const rows: Rows = {
    names: cells.map((row) => row[by] ?? ''),
    values: cells.map((row) => row[value] ?? ''),
    lines: cells.map((row) => `${row[label]}: ${row[value]}`),
    header: undefined,
  };
  return resultsOf(text, rows, header, columnAt(value), data, now);
}

/** What a question gives of one reading of the values. */
function resultOf(question: Question, rows: Rows, column: Column, sure: boolean, now: number): Result {
  const { keep: all, wrong } = withoutTotal(rows.names, column);
  const { measures, only, without, conditions } = question;
  if (wrong !== undefined && !only.includes(rows.names[wrong] as string))
    return { ask: `“${rows.lines[wrong]}” is not what the other lines add up to. Leave it out, or correct it.` };
  const limits = conditions.map(({ is, value }) => ({ is, limit: limitOf(value, column, now) }));
  const isShared = measures.some(({ does }) => does === 'share' || does === 'more');
  const passes = (at: number): boolean =>
    (isShared || only.length === 0 || only.includes(rows.names[at] as string)) &&
    !without.includes(rows.names[at] as string) &&
    limits.every(({ is, limit }) => limit !== undefined && holds(column.amounts[at] as Decimal, limit, is));
  if (limits.some(({ limit }) => limit === undefined))
    return { ask: 'The limit is in another unit than the values. In which one is it?' };
  const { slice } = question;
  if (slice !== undefined && Math.abs(slice) > all.length) return { ask: `There are only ${all.length} lines.` };
  const some = slice === undefined ? all : slice < 0 ? all.slice(slice) : all.slice(0, slice);
  const places = some.filter(passes);
  if (question.isEach === true) return eachOf(measures[0]?.does === 'mean', places, rows, column, sure);
  const found = measures.map((measure) => measuredIn(measure, { places, rows, column, only, sure, now }));
  const asks = found.find((one) => 'ask' in one);
  return asks ?? { steps: found.flatMap((one) => ('steps' in one ? one.steps : [])) };
}
