/** What JSON can say (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** JSON that is written already, such as what is signed as it stands: stored and sent so, and not written again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What it says: read, where it becomes part of something else. */
  toJSON(): Json {
    return JSON.parse(this.text) as Json;
  }
}

/** As it is stored and sent. */
export const textOf = (value: Json | JsonText): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);

export type JsonObject = { readonly [name: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether it is the text of a JSON value and nothing else. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
