/** Where and why a text is no JSON; line and column count from 1. */
export interface SyntaxFailure {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface FoundError {
  readonly offset: number;
  readonly message: string;
}

/** The first error in a text that JSON.parse refused, because its own messages depend on the engine and often name no place. */
export function errorIn(text: string): SyntaxFailure {
  const { offset, message } = find(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n'), message };
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$.+-]{1,60}/uy;

const closing = (open: string): string => (open === '{' ? '}' : ']');

function find(text: string): FoundError {
  const open: { readonly sign: string; readonly offset: number }[] = [];
  let offset = 0;
  /** What may follow: a value, a value or `]`, a name, a name or `}`, or what comes after a value. */
  let wants: 'value' | 'first value' | 'name' | 'first name' | 'next' = 'value';
  for (;;) {
    offset = afterSpace(text, offset);
    const sign = text.charAt(offset);
    const inner = open.at(-1);
    if (sign === '') return ended(text, inner, wants);
    if (wants === 'next') {
      if (inner === undefined)
        return { offset, message: `there is more after the end of the value, beginning with ${wordAt(text, offset)}.` };
      if (sign === closing(inner.sign)) open.pop();
      else if (sign === ',') wants = inner.sign === '{' ? 'name' : 'value';
      else if (sign === '}' || sign === ']')
        return { offset, message: `“${sign}” does not close the “${inner.sign}” that is open.` };
      else return { offset, message: `a comma or “${closing(inner.sign)}” is missing before ${wordAt(text, offset)}.` };
      if (sign !== ',') wants = 'next';
      offset += 1;
      continue;
    }
    if ((wants === 'first name' && sign === '}') || (wants === 'first value' && sign === ']')) {
      open.pop();
      wants = 'next';
      offset += 1;
      continue;
    }
    if (wants === 'name' || wants === 'first name') {
      if (sign !== '"') return { offset, message: nameError(text, offset, sign) };
      const string = stringAt(text, offset);
      if (typeof string !== 'number') return string;
      offset = afterSpace(text, string);
      if (text.charAt(offset) !== ':')
        return {
          offset,
          message: `a colon is missing after the name${text.charAt(offset) === '' ? '' : `, before ${wordAt(text, offset)}`}.`,
        };
      offset += 1;
      wants = 'value';
      continue;
    }
    if (sign === '{' || sign === '[') {
      open.push({ sign, offset });
      wants = sign === '{' ? 'first name' : 'first value';
      offset += 1;
      continue;
    }
    const end = scalarAt(text, offset, sign);
    if (typeof end !== 'number') return end;
    offset = end;
    wants = 'next';
  }
}

function afterSpace(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && ' \t\n\r'.includes(text.charAt(offset))) offset += 1;
  return offset;
}

function ended(
  text: string,
  inner: { readonly sign: string; readonly offset: number } | undefined,
  wants: string,
): FoundError {
  const offset = text.trimEnd().length;
  if (inner === undefined) return { offset, message: text.trim() === '' ? 'there is nothing.' : 'a value is missing.' };
  const line = text.slice(0, inner.offset).split('\n').length;
  const what = wants === 'next' ? `“${closing(inner.sign)}” is missing` : 'it ends too early';
  return { offset, message: `${what}: the “${inner.sign}” of line ${line} is still open.` };
}

function nameError(text: string, offset: number, sign: string): string {
  if (sign === '}') return 'there is a comma too many before “}”.';
  if (sign === ',') return 'there is a comma too many.';
  if (sign === "'" || sign === '“' || sign === '‘') return `names stand in straight double quotes, not in ${sign}.`;
  if (sign === '/' || sign === '#') return 'JSON has no comments.';
  return `a name in double quotes is expected, not ${wordAt(text, offset)}.`;
}

function scalarAt(text: string, offset: number, sign: string): number | FoundError {
  if (sign === '"') return stringAt(text, offset);
  for (const word of ['true', 'false', 'null']) {
    if (text.startsWith(word, offset) && !/[\w$]/.test(text.charAt(offset + word.length))) return offset + word.length;
  }
  NUMBER.lastIndex = offset;
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined) {
    const end = offset + number.length;
    if (!/[\w.$]/.test(text.charAt(end))) return end;
    return { offset, message: `${wordAt(text, offset)} is not a valid JSON number.` };
  }
  if (sign === ']' || sign === '}')
    return { offset, message: `a value is missing before “${sign}”; perhaps there is a comma too many.` };
  if (sign === ',') return { offset, message: 'a value is missing before the comma.' };
  if (sign === "'" || sign === '“' || sign === '‘')
    return { offset, message: `strings stand in straight double quotes, not in ${sign}.` };
  if (sign === '/' || sign === '#') return { offset, message: 'JSON has no comments.' };
  return { offset, message: `a value is expected, not ${wordAt(text, offset)}.` };
}

function stringAt(text: string, from: number): number | FoundError {
  for (let offset = from + 1; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) return offset + 1;
    if (code === 0x0a || code === 0x0d)
      return { offset, message: 'a string is not closed on its line; a line break within is written \\n.' };
    if (code < 0x20)
      return {
        offset,
        message: `a string holds the control character U+${code.toString(16).padStart(4, '0').toUpperCase()}; write it as \\u${code.toString(16).padStart(4, '0')}.`,
      };
    if (code === 0x5c) {
      const next = text.charAt(offset + 1);
      if (
        next === 'u'
          ? !/^[0-9a-f]{4}$/i.test(text.slice(offset + 2, offset + 6))
          : !'"\\/bfnrt'.includes(next) || next === ''
      ) {
        return { offset, message: `“\\${next}” means nothing in a string; a backslash is written \\\\.` };
      }
      offset += 1;
    }
  }
  return { offset: from, message: 'the string that begins here is not closed.' };
}

function wordAt(text: string, offset: number): string {
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(offset) ?? 32);
  return `“${word.slice(0, 40)}”`;
}
