import { isJson, type Json } from '@mailroom/behavior/values/json';
import type { Domain } from '../../language/grammar.ts';
import { placeholder, unquote } from '../clause.ts';
import { isObject, key } from './documents.ts';
import { rulesOf } from './rules.ts';
import { asks, type Free, question, type Request, type Setting } from './setting.ts';
import { GIVING } from './text-words.ts';

const WORD = String.raw`(?:[\w-]+|"[^"\s]+"|\[[^\]]{0,200}\])`;
/** A path of JMESPath with words around it: "the value of a.b", "the name field". */
const PATH = new RegExp(
  String.raw`^(?:(?:the|its|all(?: the)?|me|out|up) )*(?:(?:value|values|field|property|key|path|element|entry)s? )?(?:(?:of|at|for|under) )?(?:the )?([.$@]?${WORD}(?:\.(?:[\w-]+|\*|"[^"\s]+")|\[[^\]]{0,200}\])*)(?: (?:field|property|value))?$`,
  'i',
);
const DOTTED = /^[.$@[]|\w\.\w|\[/;
/** Parts of any text, which are no names in JSON. */
const TEXTUAL =
  /^(?:all|it|this|that|them|these|those|links?|urls?|e?mails?|numbers?|dates?|mentions|hashtags|words?|lines?|text|json|data)$/i;

/** An expression as JMESPath writes it, where jq and JSONPath begin with a sign. */
function expressionOf(said: string): string {
  const plain = /^["“]/.test(said) && /[.[]/.test(said) ? unquote(said) : said.trim();
  if (plain === '.' || plain === '$') return '@';
  // Numbers among the names are places of a list: "users.0.name".
  const placed = plain.replace(/\.(\d+)(?=[.[]|$)/g, '[$1]');
  return placed.replace(/^\$?\.(?=[\w"[*])/, '').replace(/^\$(?=\[)/, '');
}
const BRACKETED = /`[^`]*`|'[^']*'|"[^"]*"|\[[^[\]]*\]|\([^()]*\)|\{[^{}]*\}/g;
/** Whether a text has blanks only within brackets and beside operators. */
function isExpression(text: string): boolean {
  const bare = text
    .trim()
    .replace(BRACKETED, '')
    .replace(BRACKETED, '')
    .replace(/ ?(?:\|\|?|&&|[<>=!]=?) ?/g, '');
  return !/\s|:$/.test(bare) && !TEXTUAL.test(bare);
}
const evaluated = (expression: string, json: string | undefined): Request | undefined =>
  json === undefined || json === ''
    ? undefined
    : asks('json', { op: 'query', expression: expressionOf(expression), json });

const MAX_VALUES = 20_000;
/** The most tokens of a path. */
const MAX_PATH = 24;

/** The distinct paths to a name in JSON, with lists as `[]`. */
function waysTo(name: string, root: Json): readonly string[] {
  const ways = new Set<string>();
  const open: [value: Json, way: string][] = [[root, '']];
  for (let at = 0; at < open.length && at < MAX_VALUES; at++) {
    const [value, way] = open[at] as [Json, string];
    if (Array.isArray(value)) for (const one of value) open.push([one, `${way}[]`]);
    else if (isObject(value))
      for (const [own, item] of Object.entries(value)) {
        const to = way === '' ? key(own) : `${way}.${key(own)}`;
        if (own === name) ways.add(to);
        open.push([item, to]);
      }
  }
  return [...ways];
}

const pathOf = ({ text }: Free): string | undefined => {
  const path = PATH.exec(text.trim())?.[1];
  return path === undefined || /^(?:[\d.]+|as|in|into|to|by|of|for|from|with)$/.test(path) ? undefined : path;
};

/** Whether JSON has such a name, so that "the email" is its value. */
const isNamed = (path: string, json: string): boolean =>
  isJson(json) && waysTo(path, JSON.parse(json) as Json).length > 0;

/** What stands at a path of JSON; of a name alone the only place that has it. */
function gotten(free: Free, json: string, { after }: Setting): Request | undefined {
  // A figure has no names.
  if (OF_FIGURES.has(after) && !isJson(json)) return undefined;
  const path = pathOf(free) ?? '';
  if (path === '' || json === '' || (TEXTUAL.test(path) && !isNamed(path, json))) return undefined;
  if (!isJson(json) || DOTTED.test(path)) return evaluated(path, json);
  const name = unquote(path);
  const [way, ...others] = waysTo(name, JSON.parse(json) as Json);
  if (way !== undefined && (others.length === 0 || way === key(name))) return evaluated(way, json);
  const ask =
    way === undefined
      ? `There is no “${name}” in it. What shall I get?`
      : `“${name}” stands in several places: ${[way, ...others].slice(0, 5).join(', ')}. Which one?`;
  return question('json', ask, `query {}: ${json}`);
}

/** Names in any writing: "e-mail" is "email". */
const sameName = (one: string, other: string): boolean => {
  const bare = (name: string): string =>
    name
      .toLowerCase()
      .replace(/[\s_-]/g, '')
      .replace(/s$/, '');
  return bare(one) === bare(other);
};
/** A value of the object at a place of the list that a noun names, or of the only list: "the e-mail of the second user". */
function ofPlace(said: string, at: number, noun: string, json: string): Request | undefined {
  const root = isJson(json) ? (JSON.parse(json) as Json) : null;
  const lists: [way: string, list: readonly Json[]][] = Array.isArray(root)
    ? [['', root]]
    : isObject(root)
      ? Object.entries(root).flatMap(([name, own]) =>
          Array.isArray(own) ? [[key(name), own] as [string, readonly Json[]]] : [],
        )
      : [];
  const [one, more] = lists.length > 1 ? lists.filter(([name]) => sameName(name, noun)) : lists;
  const item = more === undefined ? one?.[1].at(at > 0 ? at - 1 : at) : undefined;
  const named = isObject(item ?? null) ? Object.keys(item as object).filter((name) => sameName(name, said)) : [];
  return named.length === 1 && one !== undefined && !/\s/.test(noun)
    ? asks('json', { op: 'query', expression: `${one[0]}[${at > 0 ? at - 1 : at}].${key(named[0] as string)}`, json })
    : undefined;
}

const OF_FIGURES: ReadonlySet<string | undefined> = new Set(['calculate', 'convert', 'time']);
const OF_JSON: ReadonlySet<string | undefined> = new Set(['json', 'fetch', 'run']);
/** A path in the earlier result; after JSON also one of its names. */
function ofResult(free: Free, { it, after }: Setting): Request | undefined {
  const path = pathOf(free) ?? '';
  const named = after === 'json' && /^(?:the|its) /i.test(free.text) && !TEXTUAL.test(path);
  const meant = /^[.$@[]|\[/.test(path) || (DOTTED.test(path) && OF_JSON.has(after)) || named;
  return it !== undefined && path !== '' && meant ? evaluated(path, placeholder(it)) : undefined;
}

const rule = rulesOf<{ called: boolean | 'file' }>();
/** What a query works on: JSON that is pasted, or the earlier result. */
const target = (json: string | undefined, { it }: Setting): string | undefined =>
  json ?? (it === undefined ? undefined : placeholder(it));

/** Queries of JSON, by paths and expressions of JMESPath. */
export const JSON_QUERIES: Domain = {
  lexicon: {
    QUERY:
      'query|jmespath|jmespath query|run the jmespath query|run the jmespath expression|run the query|run this query|apply the jmespath query|apply the jmespath expression|evaluate the jmespath expression|jq|run jq|json path|jsonpath|json query|use jmespath|use the jmespath query',
    GETS: GIVING.concat(
      "|get|get me|extract|read|pick|pull|pull out|pick out|select|show|show me|find|give|give me|what is|what's|whats|return|look up|grab|take|print|query",
    ),
    GETFROM: 'from|in|out of|with|on',
  },
  /** A path at the beginning: "order.items[1].sku from …". */
  recognize: (tokens, add) => {
    let path = '';
    for (const [index, { text, spaced }] of tokens.slice(0, MAX_PATH).entries()) {
      if (index > 0 && spaced) break;
      path += text;
      if (
        index > 0 &&
        DOTTED.test(path) &&
        tokens[index + 1]?.spaced !== false &&
        pathOf({ text: path, from: 0, to: 0 })
      )
        add('json-path', 0, index + 1, path);
    }
  },
  tests: {
    expression: ({ text }: Free) => isExpression(text),
    path: (free: Free) => pathOf(free) !== undefined,
  },
  rules: [
    rule('request -0.2 = QUERY …:expression <written>', ([{ text }, json]) => evaluated(text, json)),
    rule('request -0.25 = QUERY …:expression :? <json-text>?', ([{ text }, json], s) =>
      evaluated(text, target(json, s)),
    ),
    rule('request -0.15 = query <called> (for|with|by|using) …:expression :? <json-text>?', ([, { text }, json], s) =>
      evaluated(text, target(json, s)),
    ),
    rule('request -0.1 = <json-path> GETFROM <called>? :? <json-text:pasted>', ([path, , json]) =>
      evaluated(path, json),
    ),
    rule('request -0.3 = GETS …:path <written>', ([free, json], s) => gotten(free, json, s)),
    rule('request -0.3 = GETS …:path :? <json-text:pasted>', ([free, json], s) =>
      isJson(json) ? gotten(free, json, s) : undefined,
    ),
    rule('request -0.3 = GETFROM <called> ,? GETS …:path :? <json-text>?', ([, free, json], s) =>
      json === undefined ? ofResult(free, s) : gotten(free, json, s),
    ),
    rule(
      'request -0.2 = GETS? the? <ordinal> (element|entry|item|value|one) (of|in|from) …:path (in|of|from|:)? <json-text:pasted>',
      ([at, { text }, json]) =>
        isJson(json) && isNamed(text, json) ? evaluated(`${text}[${at > 0 ? at - 1 : at}]`, json) : undefined,
    ),
    rule(
      'request -0.1 = GETS? the? …:path (of|for|from) the? <ordinal> …:path (in|of|from|:)? <json-text:pasted>',
      ([free, at, { text }, json]) => ofPlace(free.text, at, text, json),
    ),
    rule('request -0.4 = GETS …:path', ([free], s) => ofResult(free, s)),
  ],
};
