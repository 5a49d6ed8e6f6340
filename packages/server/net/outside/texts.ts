import type { JsonObject } from '@mailroom/behavior/values/json';

/** Maximum characters of a name, a title, and a description that a remote gives. */
const MAX_NAME = 100;
const MAX_DESCRIPTION = 2_000;

/** A text of a remote as it is kept: without U+0000 and lone surrogates, which no store keeps, and of at most `max` characters. */
export const keptText = (text: unknown, max = MAX_DESCRIPTION): string =>
  typeof text === 'string' ? text.slice(0, max).replaceAll('\0', '\ufffd').toWellFormed().trim() : '';

/** As `keptText`, in one line. */
export const keptLine = (text: unknown, max = MAX_NAME): string =>
  keptText(text, max * 4)
    .replace(/[\s\p{C}]+/gu, ' ')
    .slice(0, max)
    .toWellFormed()
    .trim();

/** What a remote says about a failure, as a quotation that no text of it ends. */
export const quoted = (text: unknown): string => `“${keptLine(text, 500).replace(/[“”]/g, '"')}”`;

/** The object as JSON, if it has at most `max` bytes and can be kept. */
export function keptObject(value: unknown, max: number): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  try {
    const text = JSON.stringify(value);
    return Buffer.byteLength(text) <= max && !/\\u0000|\\ud[89a-f]/i.test(text)
      ? (JSON.parse(text) as JsonObject)
      : undefined;
  } catch {
    // It is nested too deeply.
    return undefined;
  }
}
