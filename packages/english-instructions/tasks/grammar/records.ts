import type { Json } from '@mailroom/behavior/values/json';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Domain, Recognizer } from '../../language/grammar.ts';
import { cellValue } from '../json/csv.ts';
import { type Table, tableOf, textOf } from '../table/table.ts';
import { rulesOf } from './rules.ts';
import { asks, type Request } from './setting.ts';
import { pairs } from './text-asks.ts';

type Record = { readonly [name: string]: Json };
type Form = 'json' | 'csv' | 'table';

/** A name does not begin with the words before the names. */
const LINKED = /^(?:from|of|with|for|to|as|in|this|these|make|json|csv|table|object)\b/i;
/** Whether it says how the lines are written, as "key: value" and "the part before the colon: a: 3" do. */
const isForm = (name: string, value: string): boolean =>
  LINKED.test(name) ||
  (/^(?:key|name|label)$/i.test(name) && /^values?\b/i.test(value)) ||
  /^[\p{L} ]{1,40}[:=] /u.test(value);
/** "name=Ann, age=30" as an object, or one for each line or semicolon where the same names come again. */
function recordsIn(text: string): readonly Record[] | undefined {
  const read = (said: string): Record | undefined => {
    const found = pairs(said);
    if (found === undefined || Object.entries(found).some(([name, own]) => isForm(name, own as string)))
      return undefined;
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, cellValue(value as string)]));
  };
  const lines = text.trim().split(/\n|;\s/);
  const each = lines.length > 1 && lines.every((line) => /[=:].*[=:]/.test(line)) ? lines : [text];
  const all = each.map(read);
  return all.every((one) => one !== undefined) ? all : undefined;
}

const MAX_SHOWN = 200;
/** A table in Markdown (GitHub Flavored Markdown, section 4.10). */
export function markdown({ names, rows }: Table): Request | undefined {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((one) => one.replaceAll('|', '\\|')).join(' | ')} |`;
  const all = [names, names.map(() => '---'), ...rows.map((row) => row.map(textOf))].map(line);
  return rows.length > MAX_SHOWN ? undefined : asks('text', { op: 'say', text: all.join('\n') });
}

/** Values as data of a form. */
function written(records: readonly Record[], form: Form): Request | undefined {
  const [only, more] = records;
  const json = JSON.stringify(more === undefined && form === 'json' ? only : records);
  return form === 'table' ? markdown(tableOf(json)) : asks('json', { op: form === 'csv' ? 'to_csv' : 'format', json });
}

/** Items below or behind a colon as records with these names: "Byrne 4 Dec, Walsh 11 Dec" with client and date. */
function recordsOf(names: readonly string[], text: string): readonly Record[] | undefined {
  const items = text
    .trim()
    .split(/[,;\n]/)
    .map((one) => one.trim());
  const ways = [
    (item: string): readonly string[] => item.split(/\s+/),
    (item: string): readonly string[] => {
      const start = item.search(/\d/);
      const name = withoutTrailing(item.slice(0, Math.max(0, start)), ': ');
      return name === '' ? [] : [name, item.slice(start)];
    },
  ];
  const found = ways
    .map((cells) => items.map(cells))
    .find((rows) => rows.every(({ length }) => length === names.length));
  return names.length < 2 || names.some((one) => !/^[\p{L}_ ]{1,30}$/u.test(one))
    ? undefined
    : found?.map((row) => Object.fromEntries(names.map((name, at) => [name, cellValue(row[at] as string)])));
}

const MAX_LEAD = 12;
const INTO = /^(?:to|into|as|in)$/;

/** Names with their values, up to a form behind them. */
const recognize: Recognizer = (tokens, add) => {
  const sign = tokens.findIndex(({ lower, kind }) => lower === '=' || lower === ':' || kind === 'data');
  if (sign < 0) return;
  const into = tokens.findLastIndex(({ lower, kind }) => kind === 'word' && INTO.test(lower));
  for (let from = Math.max(0, sign - MAX_LEAD); from <= sign; from++) {
    for (const to of [tokens.length, into]) {
      if (to <= sign) continue;
      const own = tokens.slice(from, to);
      const text = own.map(({ text, spaced }, at) => (spaced && at > 0 ? ` ${text}` : text)).join('');
      const records = own.length > 1 === own.some(({ kind }) => kind === 'data') ? undefined : recordsIn(text);
      if (records !== undefined) add('records', from, to, records, (from - sign) / 100);
    }
  }
};

const rule = rulesOf<{ data: string; form: Form; records: readonly Record[] }>();

/** Names with values, as "name=Ann, age=30", which are written as JSON, CSV or a table. */
export const RECORDS: Domain = {
  lexicon: {
    form: {
      'json|json object|a json object|an object|object|json format|a json': 'json',
      'csv|a csv|csv format|csv file|a csv file': 'csv',
      'table|a table|markdown table|a markdown table': 'table',
    },
    HEADINGS: 'columns|headers|headings|column names|fields|keys|columns called|columns named',
    FORMING: 'make|turn|convert|change|put|write|transform|create|build|generate|give me|format|show|show me',
  },
  recognize,
  rules: [
    rule(
      'request = FORMING? WHAT? (to|into|in|as|be)? <form> (from|of|with|out of|for|object)? WHAT? :? <records>',
      ([form, all]) => written(all, form),
    ),
    rule(
      'request = FORMING? WHAT? (to|into|in|as)? <form> please? ,? (with|from|using)? the? HEADINGS ,? :? … <data>',
      ([form, { text }, own]) => {
        const records = recordsOf(text.replace(/:$/, '').split(/,? and |, /), own);
        return records && written(records, form);
      },
    ),
    rule('request = FORMING? WHAT? :? <records> (to|into|in|as) <form>', ([all, form]) => written(all, form)),
  ],
};

/** What an amount behind a name is called, by words about it. */
const CALLED: readonly (readonly [RegExp, name: string, of: string])[] = [
  [/\bage|\bold|\byoung/i, 'age', 'name'],
  [/\bpoints?\b/i, 'points', 'name'],
  [/\bscores?\b|\bmarks?\b|\bgrades?\b/i, 'score', 'name'],
  [/\bweigh|heav|light/i, 'weight', 'item'],
  [/\bheight|tall|short/i, 'height', 'name'],
  [/pric|cheap|expensive|cost/i, 'price', 'item'],
  [/quantit/i, 'quantity', 'item'],
];
/** By what amounts are sorted is what they are called. */
const SORTED_BY =
  /^(?:sort|order|rank|arrange)\b.* by (?:the |their )?(?!(?:names?|items?|length|letters?|alphabet|dates?|days?|times?|words?|lines?|surnames?|last|first|columns?|number)\b)(\p{L}{3,15}),? (?:the )?(?:big|larg|high|great|small|low|most|least|few|heav|light|desc|asc)/iu;
const NAME = String.raw`\p{L}[\p{L}'’-]{0,30}(?: \p{L}[\p{L}'’-]{0,30}){0,2}`;
/** A dash with a blank on one side only belongs to the amount. */
const APART = '(?: ?: ?| [–-] |(?<! )[–-] ?| )';
const AMOUNT = String.raw`[-−]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,4})?(?: ?[€$£])?`;
const ITEM = new RegExp(`^(${NAME})${APART}(${AMOUNT})$`, 'u');
const BEHIND_ITEM = new RegExp(`^(.*${AMOUNT}) ((?:sorted|ordered|in order|by|which|what|from)\\b.*)$`, 'u');
const DATED = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i;
const BEFORE_NAMES =
  /^.*\b(?:of|for|in|from|by|among|these|this|are|is|items?|sum|total|add|up|average|sort) |^[^:]*: /i;
const MAX_ITEMS = 2_000;

interface Itemized {
  readonly table: Table;
  readonly written: string;
  readonly about: string;
}

const ANSWER = new RegExp(`^(${NAME})(?: ?: ?| [–-] | )(\\p{Ll}{2,12})$`, 'u');
/** "Ann yes, Bob no, Cleo yes" as a table of names and answers, of which some are the same. */
function answered(said: string, about: string): Itemized | undefined {
  const items = said
    .trim()
    .split(/[,;\n]\s*/)
    .map((part) => ANSWER.exec(part.trim()));
  const answers = new Set(items.map((one) => one?.[2]));
  if (items.includes(null) || answers.size < 2 || answers.size > items.length / 2 + 1) return undefined;
  const rows = items.map((one) => [one?.[1] ?? '', one?.[2] ?? '']);
  const names = ['name', 'answer'];
  return { table: { names, rows, delimiter: ',' }, written: [names, ...rows].join('\n'), about };
}

/** "Coffee 3.20, tea 2.10 and cake 4" with what is said about it, or names with answers, as a table. */
export function itemized(text: string, data?: string): Itemized | undefined {
  if (data !== undefined) return data.length > MAX_ITEMS || /\d/.test(data) ? undefined : answered(data, text);
  if (text.length > MAX_ITEMS || !/\d/.test(text)) return undefined;
  const parts = text.trim().split(/, and |[,;] |\n| (?:and|or) (?=\p{L}[\p{L} ]{0,60}[ :-]\D?\d)/u);
  const lead = BEFORE_NAMES.exec(parts[0] ?? '')?.[0] ?? '';
  const last = parts.at(-1) ?? '';
  const [, item = last, behind = ''] = BEHIND_ITEM.exec(last) ?? [];
  parts.splice(-1, 1, ...(ITEM.test(item) ? [item] : []));
  const tail = ITEM.test(item) ? behind : last;
  if (lead === '' && tail === '') return undefined;
  const items = parts.map((part, at) => ITEM.exec((at === 0 ? part.slice(lead.length) : part).trim()));
  if (items.length < 2 || items.includes(null)) return undefined;
  if (items.every((one) => DATED.test(one?.[1] ?? '') && Number(one?.[2]) < 32)) return undefined;
  const about = `${lead.replace(/: $/, '').trim()} ${tail}`.trim();
  const [, own = 'amount'] = SORTED_BY.exec(about) ?? [];
  const [, called = own, of = 'item'] = CALLED.find(([words]) => words.test(about)) ?? [];
  const names = [of, called];
  const rows = items.map((one) => [one?.[1] ?? '', (one?.[2] ?? '').replace('−', '-').replace(/[^\d.-]/g, '')]);
  return { table: { names, rows, delimiter: ',' }, written: [names, ...rows].join('\n'), about };
}
