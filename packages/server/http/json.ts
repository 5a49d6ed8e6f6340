import { isUtf8 } from 'node:buffer';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { type Json, parseJson } from '@mailroom/behavior/values/json';
import { DATA_LEVELS } from '../core/entities/message-view.ts';

/** Levels of a whole document: `data` begins one below the top. */
const MAX_LEVELS = DATA_LEVELS + 1;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** So far below 0 that no number of names in one document makes up for it. */
const FORBIDDEN = Number.NEGATIVE_INFINITY;

/**
 * Reads a request's JSON (RFC 8259) as I-JSON (RFC 7493, section 2): UTF-8, unique names, no lone surrogates; also no
 * U+0000, no number beyond a double, no more than `MAX_LEVELS`. Throws AppError `malformed_json`, `validation_error`,
 * and `body_too_large` above `max_values`.
 */
export function readJson(bytes: Buffer, max_values = Number.POSITIVE_INFINITY): Json {
  // RFC 8259, section 8.1: a byte order mark may be passed over.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text === '') throw new AppError('malformed_json', 'The body is empty. Send a JSON object.');
  if (!isUtf8(bytes)) throw new AppError('malformed_json', 'The body is not UTF-8. JSON is sent as UTF-8.');
  // Counted before parsing: a list of a million zeros takes 2 MB as text and 8 MB in memory.
  const colons = count(text, max_values);
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new AppError('malformed_json', `The body is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  // Only an escape can put a lone surrogate or U+0000 into a string, so that other strings need no check.
  const names = namesIn(value, 1, text.includes('\\u'));
  if (names < 0) refuse(value, '', 1);
  if (names !== colons) {
    throw invalid(repeatedName(text), 'This name stands twice in one object. Send each name once.');
  }
  return value;
}

/**
 * The number of names in all objects of `value`, or below 0 when it holds a forbidden string, number or depth: keeping
 * the pointers that say where would take most of the time.
 */
function namesIn(value: Json, level: number, strings: boolean): number {
  if (typeof value === 'string') return strings && isForbidden(value) ? FORBIDDEN : 0;
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : FORBIDDEN;
  if (typeof value !== 'object' || value === null) return 0;
  if (level > MAX_LEVELS) return FORBIDDEN;
  let names = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) names += namesIn(value[i] as Json, level + 1, strings);
    return names;
  }
  const object = value as { readonly [name: string]: Json };
  for (const name of Object.keys(object)) {
    if (strings && isForbidden(name)) return FORBIDDEN;
    names += 1 + namesIn(object[name] as Json, level + 1, strings);
  }
  return names;
}

/** Throws for the first forbidden value, with its pointer. */
function refuse(value: Json, pointer: string, level: number): void {
  if (typeof value === 'string') checkString(value, pointer);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw invalid(pointer, 'This number is too large. Send it as a string.');
  }
  if (typeof value !== 'object' || value === null) return;
  if (level > MAX_LEVELS) throw invalid(pointer.slice(0, 200), `This is nested more than ${DATA_LEVELS} levels deep.`);
  for (const [name, inner] of Object.entries(value)) {
    const here = `${pointer}/${escapeName(name)}`;
    checkString(name, here);
    refuse(inner as Json, here, level + 1);
  }
}

const isForbidden = (text: string): boolean => !text.isWellFormed() || text.includes('\0');

function checkString(text: string, pointer: string): void {
  if (!text.isWellFormed())
    throw invalid(pointer, 'This holds half of a surrogate pair, which is no character. Remove it.');
  if (text.includes('\0')) throw invalid(pointer, 'This holds U+0000. Remove it.');
}

const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * The number of names in the source, which are its colons outside strings. AppError `body_too_large` above `max_values`
 * values: one, plus one for each comma and each list or object.
 */
function count(text: string, max_values: number): number {
  let names = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = closing(text, i);
      // The string does not end, which the parser reports.
      if (i < 0) return names;
    } else if (code === COLON) names++;
    else if ((code === COMMA || code === LIST || code === OBJECT) && ++values > max_values) {
      throw new AppError(
        'body_too_large',
        `The JSON document has more than ${max_values} values. Send less at a time, or longer texts instead of lists.`,
      );
    }
  }
  return names;
}

/** The index at which the string that begins at `at` ends; below 0 when it does not. */
function closing(text: string, at: number): number {
  let end = at;
  do {
    end = text.indexOf('"', end + 1);
  } while (end >= 0 && escaped(text, end));
  return end;
}

/** Whether an odd number of backslashes stands before `index`. */
function escaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (index - before) % 2 === 0;
}

/** A name in a JSON pointer (RFC 6901, section 3). */
export const escapeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The pointer of the first repeated name; `text` must hold one. */
function repeatedName(text: string): string {
  const path: { readonly seen: Set<string> | undefined; at: string | number }[] = [];
  let string: readonly [from: number, to: number] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const top = path.at(-1);
    switch (text[i]) {
      case '"':
        string = [i, closing(text, i) + 1];
        i = string[1] - 1;
        break;
      case '{':
        path.push({ seen: new Set(), at: '' });
        break;
      case '[':
        path.push({ seen: undefined, at: 0 });
        break;
      case '}':
      case ']':
        path.pop();
        break;
      case ',':
        if (typeof top?.at === 'number') top.at++;
        break;
      case ':': {
        if (top?.seen === undefined) break;
        const name = JSON.parse(text.slice(...string)) as string;
        top.at = name;
        if (top.seen.has(name)) return path.map((level) => `/${escapeName(String(level.at))}`).join('');
        top.seen.add(name);
      }
    }
  }
  return '';
}
