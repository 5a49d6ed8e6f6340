import { isJson } from '@mailroom/behavior/values/json';

/** The maximum number of JSON values found in a text; an instruction never has more. */
const MAX_JSON = 20;

/** The start and end of JSON values in a text, in which nothing separates instructions. */
export function jsonIn(text: string): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let attempts = MAX_JSON;
  for (let index = 0; index < text.length && attempts > 0; index++) {
    const sign = text[index];
    if ((sign !== '{' && sign !== '[') || text.startsWith('{{', index) || /[\w.)\]}]/.test(text[index - 1] ?? ''))
      continue;
    attempts--;
    const end = closeOf(text, index);
    if (end === undefined || !isJson(text.slice(index, end))) continue;
    found.push([index, end]);
    index = end - 1;
  }
  return found;
}

/** The position after the bracket that closes the one at `from`. */
function closeOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const sign = text[index];
    if (sign === '"') {
      do index = text.indexOf('"', index + 1);
      while (index > 0 && text[index - 1] === '\\');
      if (index < 0) return undefined;
    } else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return index + 1;
  }
  return undefined;
}
