import { isJson } from '../core/values/json.ts';

/** The maximum number of JSON values found in a text; an instruction never has more. */
const MAX_JSON = 20;

/** The start and end of JSON values in a text, in which nothing separates instructions. */
export function jsonIn(text: string): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let left = MAX_JSON;
  for (let at = 0; at < text.length && left > 0; at++) {
    const sign = text[at];
    if ((sign !== '{' && sign !== '[') || text.startsWith('{{', at) || /[\w.)\]}]/.test(text[at - 1] ?? '')) continue;
    left--;
    const end = closeOf(text, at);
    if (end === undefined || !isJson(text.slice(at, end))) continue;
    found.push([at, end]);
    at = end - 1;
  }
  return found;
}

/** The position after the bracket that closes the one at `from`. */
function closeOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      do at = text.indexOf('"', at + 1);
      while (at > 0 && text[at - 1] === '\\');
      if (at < 0) return undefined;
    } else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}
