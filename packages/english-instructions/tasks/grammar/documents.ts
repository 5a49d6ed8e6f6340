import { isJson, type Json } from '@mailroom/behavior/values/json';
import type { Domain, Recognizer } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import { rulesOf } from './rules.ts';
import { answering, asks, type Request } from './setting.ts';

interface Doc {
  readonly text: string;
  readonly value: Json;
}
type Named = { readonly [name: string]: Json };

export const isObject = (value: Json): value is Named =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isRows = (value: Json): value is readonly Named[] => isList(value) && value.length > 0 && value.every(isObject);
/** A list whose items are no plain values, which are read as a text's items. */
const isNested = (value: Json): boolean =>
  isList(value) && value.some((one) => typeof one === 'object' && one !== null);

/** A name as JMESPath writes it. */
export const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
/** A value as JMESPath writes it. */
export const constant = (value: Json): string => `\`${JSON.stringify(value).replaceAll('`', '\\u0060')}\``;

const query = ({ text }: Doc, expression: string): Request => asks('json', { op: 'query', expression, json: text });
/** Some names of an object, or of each of a list, by new names. */
function pick(doc: Doc, names: readonly (readonly [name: string, as: string])[]): Request | undefined {
  const fields = `{${names.map(([name, as]) => `${key(as)}: ${key(name)}`).join(', ')}}`;
  return names.length === 0 ? undefined : isObject(doc.value) ? query(doc, fields) : undefined;
}
const namesOf = ({ value }: Doc): readonly string[] => (isObject(value) ? Object.keys(value) : []);

/** All of several values in one: the names of all objects, of which the last counts, or the items of all lists. */
function merged(docs: readonly Doc[]): Request | undefined {
  const whole = { text: `[${docs.map(({ text }) => text.trim()).join(',')}]`, value: docs.map(({ value }) => value) };
  if (docs.every(({ value }) => isObject(value)))
    return query(whole, `merge(${docs.map((_, at) => `[${at}]`).join(', ')})`);
  return docs.every(({ value }) => isList(value)) ? query(whole, '[]') : undefined;
}

const PLAIN_SCALAR = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[\p{L}_][\p{L}\p{N}_. /-]*(?<! )$/iu;
const scalar = (value: Json): string =>
  typeof value === 'string' && PLAIN_SCALAR.test(value) ? value : JSON.stringify(value);
const isEmpty = (value: Json): boolean => typeof value !== 'object' || Object.keys(value ?? {}).length === 0;
/** The lines of a value in YAML 1.2. */
function yamlOf(value: Json): readonly string[] {
  if (value === null || isEmpty(value)) return [scalar(value)];
  if (isList(value)) return value.flatMap((one) => yamlOf(one).map((line, at) => `${at === 0 ? '- ' : '  '}${line}`));
  return Object.entries(value as Named).flatMap(([name, one]) => {
    const lines = yamlOf(one);
    return isEmpty(one) ? [`${scalar(name)}: ${lines[0]}`] : [`${scalar(name)}:`, ...lines.map((line) => `  ${line}`)];
  });
}

const MAX_JSON = 20_000;

/** JSON values, the names in them, and words that may be values. */
const recognize: Recognizer = (tokens, add) => {
  const names = new Set<string>();
  for (const [index, { kind, text }] of tokens.entries()) {
    if ((kind !== 'json' && kind !== 'data') || text.length > MAX_JSON || !isJson(text)) continue;
    const value = JSON.parse(text) as Json;
    if (typeof value !== 'object' || value === null) continue;
    add('doc', index, index + 1, { text, value } satisfies Doc);
    for (const name of isObject(value) ? Object.keys(value) : isRows(value) ? Object.keys(value[0] as Named) : [])
      names.add(name);
  }
  if (names.size === 0) return;
  for (const [index, token] of tokens.entries()) {
    const { kind } = token;
    const text = kind === 'quoted' ? token.text.slice(1, -1) : token.text;
    if (kind !== 'word' && kind !== 'quoted' && kind !== 'number' && kind !== 'json') continue;
    const found = names.has(text) ? text : names.has(token.lower) ? token.lower : undefined;
    if (found !== undefined && kind !== 'number') add('name', index, index + 1, found);
    if (kind !== 'json') add('new-name', index, index + 1, text, -0.05);
    add('json-value', index, index + 1, spokenValue(token), kind === 'word' ? -0.1 : 0);
  }
};

function spokenValue({ kind, text, lower }: Token): Json {
  if (kind === 'quoted') return text.slice(1, -1);
  if (kind === 'word') return lower === 'true' ? true : lower === 'false' ? false : lower === 'null' ? null : text;
  return isJson(text) ? (JSON.parse(text) as Json) : text;
}

const rule = rulesOf<{ doc: Doc; docs: readonly Doc[]; 'json-value': Json; 'source-doc': Doc }>();

/** JSON documents: names and values, their change, items by place, and several in one. */
export const DOCUMENTS: Domain = {
  lexicon: {
    MERGE: 'merge|combine|join|unite|concatenate|concat|put together',
    JSONS:
      'objects|json|json objects|the objects|these objects|these two objects|the two objects|both objects|these two|these|lists|arrays|these lists|these two lists|the lists|these arrays|the arrays|these two arrays|the json objects|these json objects|two objects|two lists|two arrays',
    TOGETHER:
      'into one|into one object|into a single object|into one list|into one array|together|into a single list|into a single array|in one object|in one list|as one object',
    JSONED:
      'json|object|array|list|the json|the object|the array|the list|this json|this object|this array|this list|json object|following json|the following json',
    FIELD:
      'key|field|property|attribute|keys|fields|properties|attributes|the key|the field|the property|the keys|the fields|a key|a field|the',
    TAKE: 'get|extract|show|show me|give me|what is|what are|list|pick|keep|keep only|select|only|return|find|read',
    DISCARD: 'remove|delete|drop|strip|omit|leave out|without',
    ENTRY: 'item|element|object|entry|one|value|record|member',
  },
  recognize,
  tests: {
    object: ({ value }: Doc) => isObject(value),
    nested: ({ value }: Doc) => isNested(value),
    list: ({ value }: Doc) => isList(value),
  },
  rules: [
    rule('source-doc = (in|of|from|for|to|into|on)? JSONED? :? <doc>', 'PLACE JSONED? :? <doc>'),
    // Several in one.
    rule('docs = <doc> (and|with|into|,|plus|&|, and)? <doc>', ([a, b]) => [a, b]),
    rule('docs = <docs> (and|with|,|plus|&|, and)? <doc>', ([all, one]) => [...all, one]),
    rule('request = MERGE JSONS? :? <docs> TOGETHER?', 'MERGE JSONS? TOGETHER :? <docs>', ([all]) => merged(all)),
    // Names and values of an object.
    rule('names = <name>', ([name]) => [name]),
    rule('names = <names> (,|and|&|, and) the? <name>', ([all, name]) =>
      all.includes(name) ? undefined : [...all, name],
    ),
    rule('request = TAKE? only? FIELD? <names> FIELD? <source-doc>', ([names, doc]) =>
      names.length > 1
        ? pick(
            doc,
            names.map((name) => [name, name]),
          )
        : undefined,
    ),
    rule('request = DISCARD FIELD? <names> FIELD? <source-doc>', ([names, doc]) =>
      pick(
        doc,
        namesOf(doc)
          .filter((name) => !names.includes(name))
          .map((name) => [name, name]),
      ),
    ),
    rule('request = (rename|change) FIELD? <name> (to|as|into) <new-name> <source-doc:object>', ([old, name, doc]) =>
      namesOf(doc).includes(old) && !namesOf(doc).includes(name)
        ? pick(
            doc,
            namesOf(doc).map((one) => [one, one === old ? name : one]),
          )
        : undefined,
    ),
    rule(
      'request = (set|change|update) FIELD? <name> (to|=|:) <json-value> <source-doc:object>',
      ([name, value, doc]) => query(doc, `merge(@, {${key(name)}: ${constant(value)}})`),
    ),
    rule(
      'request -0.05 = (add|set|put|insert) FIELD? <new-name> (with the value|with value|=|:|to|as)? <json-value> <source-doc:object>',
      ([name, value, doc]) =>
        namesOf(doc).includes(name) ? undefined : query(doc, `merge(@, {${key(name)}: ${constant(value)}})`),
    ),
    rule('request = (list|what are|get|show|give me)? the? values <source-doc:object>', ([doc]) =>
      query(doc, 'values(@)'),
    ),
    rule(
      'request = (how many|count the|number of) (keys|fields|properties) (are|are there|does|do|has|have)? <source-doc:object> (have|has|contain)?',
      ([{ text }]) => asks('json', { op: 'length', json: text }),
    ),
    rule(
      'request = (does|do) JSONED? <doc:object> (have|contain|include|has) FIELD? FIELD? <new-name>',
      '-0.1 = #21 (is|is there) FIELD? <new-name> (a key|in|a field|present in|a key in|defined in) JSONED? <doc:object>',
      '#21 (is there|does it have|is there already) (a|an|the)? (key|field|property|attribute) (called|named|with the name)? <new-name> <source-doc:object>',
      ([doc, name]) => query(doc, `contains(keys(@), ${constant(name)})`),
    ),
    rule(
      'request = LEAD? the? <aggregate> (of|up)? (the|all|all the)? (values|numbers|items)? (of|in|for)? (the|its|key|field|the list)? <name> (list|array|values|field)? <source-doc:object>',
      ([name, of, { value }]) => {
        const all = (value as Named)[of] ?? null;
        return isList(all) && all.length > 0 && all.every((one) => typeof one === 'number')
          ? asks('calculate', { expression: `${name}(${all.join(', ')})` })
          : undefined;
      },
    ),
    rule(
      'request 0.1 = LEAD? the? <aggregate> (of|up)? (the|all|all the|all of the)? (values|numbers) <source-doc:object>',
      ([name, { value }]) => {
        const all = Object.values(value as Named);
        return all.length > 0 && all.every((one) => typeof one === 'number')
          ? asks('calculate', { expression: `${name}(${all.join(', ')})` })
          : undefined;
      },
    ),
    rule(
      'request = FORMING? JSONED? (to|into|in|as|from)? yaml (for|of|from)? JSONED? :? <doc>',
      'FORMING? JSONED? :? <doc> (to|into|in|as) yaml',
      ([{ value }]) => answering(yamlOf(value).join('\n')),
    ),
    // Items of a list.
    rule('request = TAKE? the? <ordinal> ENTRY <source-doc:nested>', ([at, doc]) =>
      query(doc, `[${at > 0 ? at - 1 : at}]`),
    ),
    rule('request = (flatten|flat) JSONED? :? <doc:list>', ([doc]) => query(doc, '[]')),
    rule('request = (what type is|what is the type of|type of|what kind of json is) JSONED? :? <doc>', ([doc]) =>
      query(doc, 'type(@)'),
    ),
  ],
};
