/** Where and why a text is no JSON; line and column count from 1. */
export interface SyntaxFailure {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface FoundError {
  readonly at: number;
  readonly message: string;
}

/** The first error in a text that JSON.parse refused, because its own messages depend on the engine and often name no place. */
export function errorIn(text: string): SyntaxFailure {
  const { at, message } = find(text);
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - before.lastIndexOf('\n'), message };
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$.+-]{1,60}/uy;

const closing = (open: string): string => (open === '{' ? '}' : ']');

function find(text: string): FoundError {
  const open: { readonly sign: string; readonly at: number }[] = [];
  let at = 0;
  /** What may follow: a value, a value or `]`, a name, a name or `}`, or what comes after a value. */
  let wants: 'value' | 'first value' | 'name' | 'first name' | 'next' = 'value';
  for (;;) {
    at = afterSpace(text, at);
    const sign = text.charAt(at);
    const inner = open.at(-1);
    if (sign === '') return ended(text, inner, wants);
    if (wants === 'next') {
      if (inner === undefined)
        return { at, message: `there is more after the end of the value, beginning with ${shown(text, at)}.` };
      if (sign === closing(inner.sign)) open.pop();
      else if (sign === ',') wants = inner.sign === '{' ? 'name' : 'value';
      else if (sign === '}' || sign === ']')
        return { at, message: `“${sign}” does not close the “${inner.sign}” that is open.` };
      else return { at, message: `a comma or “${closing(inner.sign)}” is missing before ${shown(text, at)}.` };
      if (sign !== ',') wants = 'next';
      at += 1;
      continue;
    }
    if ((wants === 'first name' && sign === '}') || (wants === 'first value' && sign === ']')) {
      open.pop();
      wants = 'next';
      at += 1;
      continue;
    }
    if (wants === 'name' || wants === 'first name') {
      if (sign !== '"') return { at, message: nameError(text, at, sign) };
      const string = stringAt(text, at);
      if (typeof string !== 'number') return string;
      at = afterSpace(text, string);
      if (text.charAt(at) !== ':')
        return {
          at,
          message: `a colon is missing after the name${text.charAt(at) === '' ? '' : `, before ${shown(text, at)}`}.`,
        };
      at += 1;
      wants = 'value';
      continue;
    }
    if (sign === '{' || sign === '[') {
      open.push({ sign, at });
      wants = sign === '{' ? 'first name' : 'first value';
      at += 1;
      continue;
    }
    const end = scalarAt(text, at, sign);
    if (typeof end !== 'number') return end;
    at = end;
    wants = 'next';
  }
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}

function ended(
  text: string,
  inner: { readonly sign: string; readonly at: number } | undefined,
  wants: string,
): FoundError {
  const at = text.trimEnd().length;
  if (inner === undefined) return { at, message: text.trim() === '' ? 'there is nothing.' : 'a value is missing.' };
  const line = text.slice(0, inner.at).split('\n').length;
  const what = wants === 'next' ? `“${closing(inner.sign)}” is missing` : 'it ends too early';
  return { at, message: `${what}: the “${inner.sign}” of line ${line} is still open.` };
}

function nameError(text: string, at: number, sign: string): string {
  if (sign === '}') return 'there is a comma too many before “}”.';
  if (sign === ',') return 'there is a comma too many.';
  if (sign === "'" || sign === '“' || sign === '‘') return `names stand in straight double quotes, not in ${sign}.`;
  if (sign === '/' || sign === '#') return 'JSON has no comments.';
  return `a name in double quotes is expected, not ${shown(text, at)}.`;
}

function scalarAt(text: string, at: number, sign: string): number | FoundError {
  if (sign === '"') return stringAt(text, at);
  for (const word of ['true', 'false', 'null']) {
    if (text.startsWith(word, at) && !/[\w$]/.test(text.charAt(at + word.length))) return at + word.length;
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined) {
    const end = at + number.length;
    if (!/[\w.$]/.test(text.charAt(end))) return end;
    return { at, message: `${shown(text, at)} is not a valid JSON number.` };
  }
  if (sign === ']' || sign === '}')
    return { at, message: `a value is missing before “${sign}”; perhaps there is a comma too many.` };
  if (sign === ',') return { at, message: 'a value is missing before the comma.' };
  if (sign === "'" || sign === '“' || sign === '‘')
    return { at, message: `strings stand in straight double quotes, not in ${sign}.` };
  if (sign === '/' || sign === '#') return { at, message: 'JSON has no comments.' };
  return { at, message: `a value is expected, not ${shown(text, at)}.` };
}

function stringAt(text: string, from: number): number | FoundError {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x0a || code === 0x0d)
      return { at, message: 'a string is not closed on its line; a line break within is written \\n.' };
    if (code < 0x20)
      return {
        at,
        message: `a string holds the control character U+${code.toString(16).padStart(4, '0').toUpperCase()}; write it as \\u${code.toString(16).padStart(4, '0')}.`,
      };
    if (code === 0x5c) {
      const next = text.charAt(at + 1);
      if (
        next === 'u' ? !/^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6)) : !'"\\/bfnrt'.includes(next) || next === ''
      ) {
        return { at, message: `“\\${next}” means nothing in a string; a backslash is written \\\\.` };
      }
      at += 1;
    }
  }
  return { at: from, message: 'the string that begins here is not closed.' };
}

function shown(text: string, at: number): string {
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 32);
  return `“${word.slice(0, 40)}”`;
}
