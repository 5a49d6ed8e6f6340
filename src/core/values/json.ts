/** Any JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** JSON text that is stored and sent unchanged, such as signed data. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The parsed value, for embedding it in other JSON. */
  toJSON(): Json {
    return JSON.parse(this.text) as Json;
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
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
