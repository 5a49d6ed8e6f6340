import { type Json, parseJson } from '@mailroom/behavior/values/json';
import { TaskError } from '../task.ts';
import { asText } from '../text/input.ts';
import { errorIn, type SyntaxFailure } from './syntax-error.ts';

/** Deeper values could not be serialized everywhere they are used. */
const MAX_DEPTH = 200;

export type Parsed = { readonly value: Json; readonly text: string } | { readonly error: SyntaxFailure };

/** The value of JSON text or of a value, or the place of a syntax error. Throws TaskError when it is too long or too deep. */
export function tryParse(given: unknown): Parsed {
  const text = typeof given === 'string' ? given : written(given);
  const plain = asText(text, 'JSON').replace(/^\ufeff/, '');
  shallow(plain);
  try {
    return { value: parseJson(plain), text: plain };
  } catch {
    return { error: errorIn(plain) };
  }
}

/** Parses where only JSON is accepted. Throws TaskError with line and column. */
export function parse(given: unknown): { readonly value: Json; readonly text: string } {
  const parsed = tryParse(given);
  if ('error' in parsed) throw new TaskError(`This is not valid JSON: ${errorText(parsed.error)}`);
  return parsed;
}

/** A syntax error as a sentence. */
export const errorText = ({ line, column, message }: SyntaxFailure): string =>
  `line ${line}, column ${column}: ${message}`;

function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    throw new TaskError(`This is nested more than ${MAX_DEPTH} levels deep.`);
  }
}

function shallow(text: string): void {
  let depth = 0;
  let inside = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inside) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inside = false;
    } else if (code === 0x22) inside = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TaskError(`This is nested more than ${MAX_DEPTH} levels deep.`);
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
}
