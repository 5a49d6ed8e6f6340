/** Checks for JSON by strangers, as text, before it is parsed and stored. */

/** Deeper JSON is refused, because later readers may use the stack for each level. */
export const MAX_JSON_DEPTH = 500;

/** The nesting depth of arrays and objects; any number for text that is no JSON. */
export function jsonDepth(json: string): number {
  let deepest = 0;
  let level = 0;
  let quoted = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === 34) quoted = !quoted;
    else if (code === 92) index += 1;
    else if (quoted) continue;
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++level);
    else if (code === 93 || code === 125) level -= 1;
  }
  return deepest;
}

/** Replaces U+0000 and lone surrogates, which the stores cannot keep and JSON has as escapes, by U+FFFD. */
export const wellFormedJson = (json: string): string =>
  json.replace(/\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u(?:d[89a-f][0-9a-f]{2}|0000)/gi, (found) =>
    found.length === 6 ? '\ufffd' : found,
  );
