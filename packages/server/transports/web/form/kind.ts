import { escapeName } from '../../../http/json.ts';

/** A JSON Schema, or a part of one. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** How a value is shown in a form. */
export type Kind =
  | { readonly kind: 'text'; readonly long: boolean; readonly as: 'text' | 'url' | 'email' | 'secret' }
  | { readonly kind: 'choice'; readonly options: readonly (string | number)[] }
  | { readonly kind: 'number'; readonly whole: boolean }
  | { readonly kind: 'flag' }
  | { readonly kind: 'fixed'; readonly value: unknown }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'rows'; readonly item: Schema; readonly max: number }
  | { readonly kind: 'choices'; readonly options: readonly (string | number)[] }
  | { readonly kind: 'entries'; readonly item: Schema; readonly key: RegExp | undefined; readonly max: number }
  /** Anything else is edited as JSON. */
  | { readonly kind: 'json' };

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** A text whose maximum length exceeds this gets a text area. */
const MAX_LINE = 300;
/** Deeper levels are edited as JSON. */
const MAX_LEVELS = 4;
/** The limit for lists that set none. */
const MAX_ROWS = 100;
/** So many rows above the limit are still shown, so that the owner can see what is too many. */
export const ROWS_MORE = 100;
const URL_PATTERN = /^\^https\?:\/\//;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** How a part of a schema is shown; `level` is its depth. */
export function kindOf(schema: Schema, level = 0): Kind {
  const { type } = schema;
  if ('const' in schema) return { kind: 'fixed', value: schema.const };
  if (COMBINING.some((keyword) => keyword in schema)) return { kind: 'json' };
  if (Array.isArray(schema.enum)) return choiceOf(schema.enum);
  if (type === 'string') return textOf(schema);
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'integer' || type === 'number') return { kind: 'number', whole: type === 'integer' };
  if (level >= MAX_LEVELS) return { kind: 'json' };
  if (type === 'array') return listOf(schema);
  return type === 'object' ? objectOf(schema) : { kind: 'json' };
}

const COMBINING = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$dynamicRef', '$recursiveRef'];

function choiceOf(options: readonly unknown[]): Kind {
  const texts = new Set(options.map(String));
  return options.length > 0 && options.every(isPlain) && texts.size === options.length
    ? { kind: 'choice', options }
    : { kind: 'json' };
}

function textOf({ format, pattern, maxLength, writeOnly }: Schema): Kind {
  const url = format === 'uri' || format === 'url' || (typeof pattern === 'string' && URL_PATTERN.test(pattern));
  const as = writeOnly === true ? 'secret' : url ? 'url' : format === 'email' ? 'email' : 'text';
  const long = as === 'text' && format === undefined && typeof maxLength === 'number' && maxLength > MAX_LINE;
  return { kind: 'text', long, as };
}

function listOf({ items, maxItems, uniqueItems, prefixItems }: Schema): Kind {
  if (!isSchema(items) || prefixItems !== undefined) return { kind: 'json' };
  const item = kindOf(items);
  if (item.kind === 'choice' && uniqueItems === true) return { kind: 'choices', options: item.options };
  const max = typeof maxItems === 'number' ? maxItems : MAX_ROWS;
  // A row of lists or checkboxes cannot be recognized as empty.
  const rows = item.kind === 'text' || item.kind === 'number' || item.kind === 'choice' || isFlat(item);
  return rows ? { kind: 'rows', item: items, max } : { kind: 'json' };
}

/** An object whose fields each take one line. */
const isFlat = (kind: Kind): boolean =>
  kind.kind === 'object' &&
  kind.fields.length > 0 &&
  kind.fields.every(({ schema }) => ['text', 'number', 'choice'].includes(kindOf(schema).kind));

function objectOf(schema: Schema): Kind {
  const { properties, patternProperties, additionalProperties, required, maxProperties } = schema;
  const patterns = isSchema(patternProperties) ? Object.entries(patternProperties) : [];
  if (isSchema(properties) && Object.keys(properties).length > 0) {
    if (patterns.length > 0 || isSchema(additionalProperties)) return { kind: 'json' };
    const needed = Array.isArray(required) ? required : [];
    const fields = Object.entries(properties).map(([name, part]) => ({
      name,
      schema: isSchema(part) ? part : {},
      required: needed.includes(name),
    }));
    return { kind: 'object', fields };
  }
  const item = patterns.length === 1 ? patterns[0]?.[1] : patterns.length === 0 ? additionalProperties : undefined;
  if (!isSchema(item)) {
    // An object without fields has nothing to fill in.
    return additionalProperties === false && patterns.length === 0 ? { kind: 'object', fields: [] } : { kind: 'json' };
  }
  if (!['text', 'number', 'choice'].includes(kindOf(item).kind)) return { kind: 'json' };
  const max = typeof maxProperties === 'number' ? maxProperties : MAX_ROWS;
  return { kind: 'entries', item, key: patterns[0] && patternOf(patterns[0][0]), max };
}

function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}

/**
 * Whether `value` can be shown as `kind`; otherwise it is shown as JSON so that nothing is lost. An optional empty text
 * does not fit, since it would be left out.
 */
export function fits(kind: Kind, value: unknown, required = false): boolean {
  if (value === undefined) return true;
  switch (kind.kind) {
    case 'text':
      return typeof value === 'string' && (value !== '' || required);
    case 'choice':
      return isPlain(value);
    case 'number':
      return typeof value === 'number' || (typeof value === 'string' && !Number.isFinite(Number(value)));
    case 'flag':
      return typeof value === 'boolean';
    case 'choices':
      return Array.isArray(value) && inOrder(value, kind.options);
    case 'fixed':
      return JSON.stringify(value) === JSON.stringify(kind.value);
    case 'rows':
      return (
        Array.isArray(value) && value.length <= kind.max + ROWS_MORE && value.every((row) => fitsRow(kind.item, row))
      );
    case 'entries':
      return (
        isSchema(value) &&
        Object.keys(value).length <= kind.max + ROWS_MORE &&
        Object.values(value).every((entry) => fitsRow(kind.item, entry))
      );
    case 'object':
      return isSchema(value) && Object.keys(value).every((name) => kind.fields.some((field) => field.name === name));
    case 'json':
      return false;
  }
}

/** Whether the row differs from an empty one and can be shown completely. */
function fitsRow(schema: Schema, row: unknown): boolean {
  const kind = kindOf(schema);
  if (row === undefined || row === null) return false;
  if (kind.kind !== 'object') return row === '' || fits(kind, row);
  return (
    fits(kind, row) &&
    kind.fields.every(({ name, schema: part, required }) => fits(kindOf(part), (row as Schema)[name], required)) &&
    Object.keys(row).length > 0
  );
}

const inOrder = (values: readonly unknown[], options: readonly unknown[]): boolean => {
  const places = values.map((value) => options.indexOf(value));
  return places.every((place, at) => place >= 0 && (at === 0 || place > (places[at - 1] as number)));
};

/** The name of a nested field; separators are escaped, so that names are unique. */
export const nameOf = (parent: string, name: string | number): string =>
  `${parent}.${encodeURIComponent(String(name)).replace(/[.~!'()*]/g, hex)}`;
const hex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/** Extends a JSON pointer by one level. */
export const pointerOf = (parent: string, name: string | number): string => `${parent}/${escapeName(String(name))}`;

/** The name of the field that holds a value as JSON. */
export const jsonName = (name: string): string => `${name}~json`;
/** The name of the field that holds the key of an entry. */
export const keyName = (name: string): string => `${name}~key`;
/** The name of the hidden field that says that a list or object is present even if it is empty. */
export const hereName = (name: string): string => `${name}~here`;
