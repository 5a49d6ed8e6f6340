import { indentedJson } from '@mailroom/behavior/values/indented-json';
import { isObject, type Json, type JsonObject } from '@mailroom/behavior/values/json';
import type { TSchema } from 'typebox';
import { fits } from './validate.ts';

/** A backslash before the braces, as in `\{{1}}`, makes them literal text. */
const PLACEHOLDER = /(?<!\\)\{\{(\d{1,4}|input)((?:\.[A-Za-z0-9_]+)*)\}\}/g;
const IN_TEXT = /\\(\{\{)|\{\{(\d{1,4}|input)((?:\.[A-Za-z0-9_]+)*)\}\}/g;
const ONLY = /^\{\{(\d{1,4}|input)((?:\.[A-Za-z0-9_]+)*)\}\}$/;

/** The outputs for `{{n}}` and, in a procedure, its arguments for `{{input}}`. */
export interface Results {
  readonly outputs: ReadonlyMap<number, JsonObject>;
  readonly input?: JsonObject | undefined;
}

/** A reference without a target; the message is for people. */
export class UnresolvedError extends Error {
  override readonly name = 'UnresolvedError';
}

/** The numbers of the steps that a value refers to. */
export function references(value: Json): number[] {
  const found: number[] = [];
  everyString(value, (text) => {
    for (const [, n] of text.matchAll(PLACEHOLDER)) if (n !== 'input') found.push(Number(n));
  });
  return found;
}

function everyString(value: Json, look: (text: string) => void): void {
  if (typeof value === 'string') {
    if (value.includes('{{')) look(value);
  } else if (Array.isArray(value)) for (const one of value) everyString(one, look);
  else if (isObject(value)) for (const one of Object.values(value)) everyString(one, look);
}

/** The value, or undefined when it contains a reference, because the result is not known yet. */
export const withoutReferences = (value: Json): Json | undefined => {
  let any = false;
  everyString(value, (text) => {
    any ||= text.search(PLACEHOLDER) >= 0;
  });
  return any ? undefined : value;
};

/** A value as text: a list as lines, an object as JSON. */
export function asText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)) {
    return value.map((one) => asText(one)).join('\n');
  }
  return indentedJson(value);
}

/** The value of `{{n.path}}`. Throws UnresolvedError. */
function look(source: string, path: string, { outputs, input }: Results): Json {
  const whole = source === 'input' ? input : outputs.get(Number(source));
  if (whole === undefined && source === 'input')
    throw new UnresolvedError('{{input}} is the input of a procedure; this is not a procedure.');
  if (whole === undefined) {
    throw new UnresolvedError(
      source === '0' ? 'There is no earlier answer to use.' : `There is no result of step ${source}.`,
    );
  }
  const names = path.split('.').slice(1);
  // A result that only says that nothing was found cannot be sent or processed.
  if (names.length === 0 && whole.found === 0)
    throw new UnresolvedError(
      `${source === '0' ? 'The last answer' : `Step ${source}`} found nothing, so there is nothing to use.`,
    );
  if (names.length === 0) return source === 'input' ? whole : (whole.result ?? null);
  const inside = (from: Json | undefined): Json | undefined =>
    names.reduce<Json | undefined>((at, name) => {
      if (Array.isArray(at)) return name === 'length' ? at.length : at[Number(name)];
      return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }, from);
  const found = inside(whole) ?? inside(whole.result);
  if (found === undefined) throw new UnresolvedError(`{{${source}${path}}}: there is no "${names.join('.')}" in it.`);
  return found;
}

/**
 * An input with its references resolved, converted to text where the schema wants text. Resolved values may have `max`
 * characters together. Throws UnresolvedError.
 */
export function filled(input: JsonObject, schema: TSchema, results: Results, max: number): JsonObject {
  let any = false;
  everyString(input, () => {
    any = true;
  });
  const value = any ? (fill(input, results, { left: max, max }) as JsonObject) : input;
  return fits(schema, value) ? value : (fitted(value, schema) as JsonObject);
}

/** Characters that references may still add. */
interface ReferenceBudget {
  left: number;
  readonly max: number;
}

function taken<T extends Json>(value: T, room: ReferenceBudget): T {
  room.left -= typeof value === 'string' ? value.length : JSON.stringify(value).length;
  if (room.left >= 0) return value;
  throw new UnresolvedError(`The referenced results have more than ${room.max} characters.`);
}

function fill(value: Json, results: Results, room: ReferenceBudget): Json {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return value;
    const only = ONLY.exec(value);
    if (only !== null) return taken(look(only[1] as string, only[2] ?? '', results), room);
    return value.replace(IN_TEXT, (_, escaped: string | undefined, of: string, path: string) =>
      escaped === undefined ? taken(asText(look(of, path, results)), room) : escaped,
    );
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, results, room));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, results, room)]));
}

interface Shape {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: TSchema };
  readonly items?: TSchema;
}

/** Converts a value to the schema's type where only the form differs: a number to text, text to a number, lines to a list. */
function fitted(value: Json, schema: TSchema): Json {
  const { type, properties, items } = schema as Shape;
  if (properties !== undefined && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
        return [name, own === undefined || fits(own, one) ? one : fitted(one, own)];
      }),
    );
  }
  if (type === 'string' && typeof value !== 'string') return asText(value);
  if ((type === 'number' || type === 'integer') && typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  }
  if (type === 'array') {
    const list: readonly Json[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split('\n')
        : [value];
    return items === undefined ? list : list.map((one) => (fits(items, one) ? one : fitted(one, items)));
  }
  return value;
}
