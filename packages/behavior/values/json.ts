/** Any JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A string of JSON, and the colon behind it when it is a name. */
const STRING = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/**
 * The value of JSON text. Throws SyntaxError. V8 14.6 may give an object a name of one that it read before: after
 * `{"\\u":1}` it reads the name in `{"\u007e\u0041":1}` as `\u`. Only names with a backslash are mistaken for others, so
 * a value with such a name is read again, without its names.
 */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (!text.includes('\\') || !objectsIn(value).some(hasBackslash)) return value;
  const names: string[] = [];
  const numbered = text.replace(STRING, (all, name: string, colon?: string) =>
    colon === undefined ? all : `"n${names.push(JSON.parse(name) as string) - 1}":`,
  );
  const again = JSON.parse(numbered) as Json;
  for (const object of objectsIn(again)) {
    const entries = Object.entries(object);
    for (const [number] of entries) Reflect.deleteProperty(object, number);
    for (const [number, value] of entries) {
      const name = names[Number(number.slice(1))] as string;
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    }
  }
  return again;
}

const hasBackslash = (object: JsonObject): boolean => Object.keys(object).some((name) => name.includes('\\'));

/** All objects of a value, however deep they are. */
function objectsIn(value: Json): JsonObject[] {
  const found: JsonObject[] = [];
  const stack: Json[] = [value];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    if (!Array.isArray(item)) found.push(item as JsonObject);
    for (const inner of Object.values(item) as Json[]) stack.push(inner);
  }
  return found;
}

/** JSON text that is stored and sent unchanged, such as signed data. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The parsed value, for embedding it in other JSON. */
  toJSON(): Json {
    return parseJson(this.text);
  }
}

/** The JSON text as it is stored and sent. */
export const textOf = (value: Json | JsonText): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);

export type JsonObject = { readonly [name: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the text is exactly one JSON value. */
export function isJson(text: string): boolean {
  // An exception costs more than a look at the first sign.
  if (!/^\s*["[{\d\-ftn]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
