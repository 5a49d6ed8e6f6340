import { isJson, type Json } from '@mailroom/behavior/values/json';
import type { Domain } from '../../language/grammar.ts';
import { placeholder } from '../clause.ts';
import { csvText } from '../json/csv.ts';
import { textOf } from '../table/table.ts';
import { constant, isList, isObject, key } from './documents.ts';
import { rulesOf } from './rules.ts';
import type { Source } from './selecting.ts';
import { asks, question, type Request, type Setting } from './setting.ts';
import { DETERMINED, each } from './text-words.ts';

/** Whether words say that something is JSON or CSV; `file` where they name one that is not there. */
type Called = boolean | 'file';
type Input = { readonly op: string; readonly [name: string]: Json };
/** A step on JSON as written, which may be no valid one; '' where it is missing. */
const worked = (json: string, input: Input, again = `${input.op} json: {}`): Request =>
  json === '' ? question('json', 'Which JSON do you mean?', again) : asks('json', { ...input, json });

const looksJson = (text: string, { language = '' }: Setting): boolean =>
  /^\s*[[{]/.test(text) || language.startsWith('json');
const looksCsv = (text: string, { language = '' }: Setting): boolean =>
  /^[ct]sv$/.test(language) || /^\s*(?![\s[{])[^,;\t|\n]{0,4000}[,;\t|][^\n]{0,4000}\n/.test(text);

/** CSV that is pasted or the result before, as JSON. `named`: whether it is called CSV. */
function fromCsv(named: Called | undefined, text: string | undefined, setting: Setting): Request | undefined {
  const { it, after = '' } = setting;
  const json = text ?? (it === undefined || named === 'file' ? undefined : placeholder(it));
  if (json === undefined) return named ? question('json', 'Which CSV do you mean?', 'csv to json: {}') : undefined;
  const sure =
    (named ?? false) !== false ||
    (text === undefined ? /^(?:fetch|recall|send)$/.test(after) : looksCsv(text, setting));
  return sure ? asks('json', { op: 'from_csv', json }) : undefined;
}

/** JSON that is pasted or the result before, as CSV. */
const toCsv = (named: Called | undefined, text: string | undefined, setting: Setting): Request | undefined =>
  text !== undefined && !named && !looksJson(text, setting)
    ? undefined
    : worked(
        text ?? (setting.it === undefined || named === 'file' ? '' : placeholder(setting.it)),
        { op: 'to_csv' },
        'json to csv: {}',
      );

/** The list in an object that a noun names, as JMESPath writes it; null when one of several is meant. */
function listIn(noun: string, text: string): string | null | undefined {
  const value = isJson(text) ? (JSON.parse(text) as Json) : null;
  const lists = isObject(value) ? Object.keys(value).filter((name) => isList(value[name] as Json)) : [];
  const one = (name: string): string => name.toLowerCase().replace(/s$/, '');
  const named =
    lists.length === 1 && /^(?:array|list)$/i.test(noun) ? lists[0] : lists.find((name) => one(name) === one(noun));
  return named !== undefined ? key(named) : lists.length === 0 || /^(?:keys?|objects?)$/i.test(noun) ? undefined : null;
}

/** How many of a noun there are in JSON. */
function counted(noun: string, json: string): Request | undefined {
  if (NO_ITEM.test(noun)) return undefined;
  const values = isJson(json) ? (JSON.parse(json) as Json) : null;
  const value = isList(values) ? values.find((one) => typeof one !== 'object' && String(one) === noun) : undefined;
  if (value !== undefined)
    return worked(json, { op: 'query', expression: `length([?@ == \`${JSON.stringify(value)}\`])` });
  const list = listIn(noun, json);
  if (list === null)
    return question(
      'json',
      `There are lists in it. Of which shall I count the ${noun.toLowerCase()}, or are its keys meant?`,
      `length of {}: ${json}`,
    );
  return worked(json, list === undefined ? { op: 'length' } : { op: 'query', expression: `length(${list})` });
}
/** The names of an object without one of them. */
const keysBut = (name: string, json: string): Request =>
  worked(json, { op: 'query', expression: `keys(@)[?@ != ${constant(name)}]` });
const NO_ITEM = /^(?:words?|char(?:acter)?s?|letters?|lines?|sentences?|bytes?|occurrences?|paragraphs?|times|it)$/i;

const LIKE_JSON = /^[{[]/;
const FORMING = each('to|into|in to|as|in|2|->|→|=>', '|a|an|a list of');
const FIGURE = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;
/** The items of a list as an array of JSON; of figures alone as numbers. */
function arrayOf(own: string, kind: string): Request | undefined {
  const all = own
    .trim()
    .split(own.includes('\n') ? /\n/ : /[,;] ?(?:and )?/)
    .map((one) => one.trim());
  const items = all.filter((one) => one !== '');
  const figures = items.every((one) => FIGURE.test(one));
  if (/^[[{]|\{\{/.test(own.trim()) || items.length < 2) return undefined;
  if (kind === 'number' && !figures)
    return question(
      'json',
      'Not all of them are numbers. Shall I write them as texts?',
      `to a json array of strings: ${own}`,
    );
  return asks('json', { op: 'format', json: JSON.stringify(figures ? items.map(Number) : items) });
}

const rule = rulesOf<Record<'called' | 'sheet', Called> & { listing: Source }>();

/** What is done with JSON as a text: its form, whether it is valid, its names and their number, and CSV of it. */
export const JSON_TEXTS: Domain = {
  lexicon: {
    /** What JSON is called: whether that says that it is JSON. */
    called: {
      [each(DETERMINED, 'json|json object|json array|json document|json data|json file|json string|json text')]: true,
      [each(DETERMINED, 'object|array|list|data|document|file|string|result|response|output')]: false,
      'it|this|that|them|these|here|below': false,
    },
    /** What a table is called: whether that says that it is CSV. */
    sheet: {
      [each(DETERMINED, 'csv|tsv|csv file|csv data|csv table|csv text|tsv file|spreadsheet|csv export')]: true,
      'it|this|that|table|this table|the table': false,
    },
    FORMED:
      'convert|turn|change|make|transform|parse|read|translate|write|put|give me|get|show|export|format|save|render|i need|i want|create|generate|build',
    INJSON: each(FORMING, 'json|json array|json object|json objects|json list'),
    /** With a list of texts or numbers. */
    array: {
      [each(FORMING, each('json array|json list|array|javascript array', '|of strings|of texts|of words'))]: 'text',
      [each(FORMING, each('json array|json list|array|javascript array', 'of numbers|of integers|of figures'))]:
        'number',
    },
    SHEETNAME: `it|this|that|them|these|${each(DETERMINED, 'table|markdown table|tsv|tsv file|markdown|rows|data')}`,
    INCSV: each(FORMING, 'csv|csv file|csv table|csv format|csv text'),
    PRETTIFY:
      'pretty print|pretty-print|prettyprint|prettify|pretty|beautify|format|reformat|re-format|indent|json format|lay out|lay it out|lay this out',
    NICELY: 'nicely|properly|neatly|pretty|prettier|readable|nice|nicer|look nice|more readable',
    MINIFY: `minify|minimise|minimize|compress|compact|squash|condense|shrink|uglify|${each('remove|strip|remove the|strip the|remove all|strip all', 'whitespace|white space|spaces')}`,
    KEYNAMES: each('|top level|top-level', 'keys|field names|property names|properties|fields|attributes'),
    VALID: 'valid|well formed|well-formed|valid json|correct json|proper json|well formed json|parseable',
    FINE: 'ok|okay|correct|right|fine|good|proper|broken|legal',
    WHYNOT: ', and if not , why|and if not , why|if not , why|and if not why|and why not|and if not, why not',
    CHECKS: 'is|are|does|check if|check whether|check that|tell me if|tell me whether|see if',
    FAULTS:
      "what's wrong with|whats wrong with|what is wrong with|find the error in|find the errors in|find errors in|where is the error in|what is the error in|show the error in|find the mistake in|what's the error in|what is broken in",
  },
  /** JSON as written, which may be no valid one. */
  recognize: (tokens, add) => {
    for (const [at, { kind, text }] of tokens.entries())
      if (kind === 'json' || kind === 'data' || kind === 'reference') add('json-text', at, at + 1, text);
  },
  tests: {
    json: (named: Called) => named !== false,
    pasted: (text: string) => text !== '' && !text.startsWith('{{'),
    'json-file': (name: string) => /\.json$/i.test(name),
    'csv-file': (name: string) => /\.[ct]sv$/i.test(name),
  },
  rules: [
    rule('called = <literal:json-file>', () => 'file'),
    rule('sheet = <literal:csv-file>', () => 'file'),
    rule(
      'written = (of|in|from|for|on|with)? <called>? NICELY? (has|have|contain|contains|as json|into json|in|of)? :? <json-text>',
      ([called, json], setting) => (called || looksJson(json, setting) ? json : undefined),
    ),
    rule('written -0.1 = (of|in|from|for|on|with)? <called>', ([called], { it }) =>
      it !== undefined && called !== 'file' ? placeholder(it) : called ? '' : undefined,
    ),
    rule('request -0.1 = PRETTIFY <written> NICELY?', '(tidy up|tidy|clean up) <written>', ([json]) =>
      worked(json, { op: 'format' }),
    ),
    rule(
      'request = PRETTIFY <called>? (with|using|by) <number:whole> (space|spaces) :? <json-text>',
      ([called, n, json], setting) =>
        called || looksJson(json, setting) ? worked(json, { op: 'format', indent: n.plain as number }) : undefined,
    ),
    rule('request -0.1 = MINIFY <written>', ([json]) => worked(json, { op: 'minify' })),
    rule('request -0.1 = (parse|load|deserialize|deserialise) <written>', ([json]) => worked(json, { op: 'parse' })),
    rule(
      'request -0.1 = (list|show|show me|get|give me|what are|what|which|extract|find|print|return|name)? (all|all of)? the? KEYNAMES (are|are there|does|do)? <written> (has|have|contain)?',
      ([json]) => worked(json, { op: 'keys' }),
    ),
    rule(
      'request = (list|show|show me|get|give me|what are|print|return|name)? (all|all of)? the? KEYNAMES EXCEPT (the|for|for the)? (key|field|property)? <literal> <written:pasted>',
      ([name, json]) => (json.includes(JSON.stringify(name)) ? keysBut(name, json) : undefined),
    ),
    rule("request -0.1 = (what is|what's|whats|get)? the? (length|size) <written:pasted>", ([json]) =>
      counted('elements', json),
    ),
    rule(
      "request = (what is|what's|whats|get)? the? (length|size) of the? (array|list) in? <json-text:pasted>",
      ([json]) => counted('array', json),
    ),
    rule('request -0.1 = (count|count the|how many) (records|elements|objects|keys|entries)', (_, { it, after }) =>
      it !== undefined && after === 'json' ? worked(placeholder(it), { op: 'length' }) : undefined,
    ),
    rule('request -0.1 = (parse|load) <called> (as|to|into) json', (_, { it }) =>
      worked(it === undefined ? '' : placeholder(it), { op: 'parse' }),
    ),
    rule(
      'request -0.1 = (count|count the|count all the|how many|number of|the number of|total number of) <literal> (are|are there|is|there are|do|does)? <written:pasted>',
      ([noun, json]) => counted(noun, json),
    ),
    rule(
      'request -0.05 = CHECKS <called>? VALID WHYNOT? ENDSIGN? :? <json-text>',
      'CHECKS <called:json> FINE WHYNOT? ENDSIGN? :? <json-text>',
      'FAULTS <called:json> ENDSIGN? :? <json-text>',
      '(validate|verify|check|lint|test) <called:json> (for errors)? WHYNOT? :? <json-text>',
      ([, json]) => worked(json, { op: 'validate' }),
    ),
    rule('request -0.05 = validate <written>', 'CHECKS <written> VALID', ([json]) => worked(json, { op: 'validate' })),
    rule('request = FORMED? WHAT? <array> (from|of|with|out of|for)? WHAT? :? <listing>', ([kind, { text }]) =>
      kind === 'number' ? undefined : arrayOf(text, kind),
    ),
    rule('request 0.1 = FORMED? WHAT? <array> (from|of|with|out of|for)? WHAT? :? <listing>', ([kind, { text }]) =>
      kind === 'number' ? arrayOf(text, kind) : undefined,
    ),
    rule('request -0.2 = FORMED? WHAT? INJSON (from|of|with|out of|for)? WHAT? :? <listing>', ([{ text }]) =>
      /[\n:=]/.test(text) ? undefined : arrayOf(text, 'text'),
    ),
    // From CSV and to CSV.
    rule(
      'request -0.1 = FORMED? <sheet>? INJSON :? <json-text>?',
      'parse <sheet:json> :? <json-text>?',
      ([named, text], setting) => fromCsv(named, text, setting),
    ),
    rule(
      "request -0.1 = (i|we|i've|we've) (have|got|have got)? <sheet:json> (here|below)? ,? (and|which|that|but)? (i|we|i'd|we'd)? (would)? (need|want|like|must have|should be) (it|this|that|to have it|to get it|to turn it|to convert it|it turned|it converted)? INJSON :? <json-text>?",
      ([named, text], setting) => fromCsv(named, text, { ...setting, it: undefined }),
    ),
    rule(
      'request -0.1 = FORMED? <called>? INCSV :? <json-text>?',
      'FORMED (me)? (a|an|the)? csv (file|table)? (out of|from|of|for|with)? <called>? :? <json-text>?',
      'make <called> (a|an)? csv :? <json-text>?',
      'csv (from|of|for) <called> :? <json-text>?',
      ([named, text], setting) => toCsv(named, text, setting),
    ),
    rule(
      'request = FORMED? SHEETNAME INCSV :? <json-text>',
      'FORMED (me)? (a|an|the)? csv (file|table)? (out of|from|of|for|with) SHEETNAME :? <json-text>',
      ([text], { table }) =>
        table?.delimiter === undefined || table.delimiter === ',' || text === undefined
          ? undefined
          : asks('text', { op: 'say', text: csvText([table.names, ...table.rows.map((row) => row.map(textOf))], ',') }),
    ),
    // What is no valid JSON has tokens of other kinds.
    rule(
      'request = (is|check if|check whether) … (valid json|well formed json|correct json|proper json)',
      '(validate|verify|lint) (this|the|following|json|this json|the json)? :? …',
      ([{ text }]) => (LIKE_JSON.test(text) ? asks('json', { op: 'validate', json: text }) : undefined),
    ),
  ],
};
