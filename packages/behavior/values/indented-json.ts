/** JSON longer than this many characters is shown without indentation. */
const MAX_INDENTED = 64 * 1024;

/** JSON for people: indented by two, unless deep nesting would make it too long. */
export function indentedJson(value: unknown, max = MAX_INDENTED): string {
  const text = JSON.stringify(value) ?? 'null';
  return indentedLength(text, 2, max) > max ? text : JSON.stringify(value, null, 2);
}

/** The length of compact JSON after indentation, counted up to `max`: 60 KB at depth 500 would become 30 MB. */
export function indentedLength(text: string, indent: number, max = Number.POSITIVE_INFINITY): number {
  if (indent === 0) return text.length;
  let size = 0;
  let depth = 0;
  let quoted = false;
  for (let offset = 0; offset < text.length && size <= max; offset += 1) {
    const code = text.charCodeAt(offset);
    size += 1;
    if (code === QUOTE) quoted = !quoted;
    else if (quoted) {
      if (code !== BACKSLASH) continue;
      offset += 1;
      size += 1;
    } else if (code === BRACKET || code === BRACE) {
      const empty = text.charCodeAt(offset + 1) === code + 2;
      if (empty) {
        offset += 1;
        size += 1;
      } else {
        depth += 1;
        size += 1 + depth * indent;
      }
    } else if (code === BRACKET + 2 || code === BRACE + 2) {
      depth -= 1;
      size += 1 + depth * indent;
    } else if (code === COMMA) size += 1 + depth * indent;
    else if (code === COLON) size += 1;
  }
  return size;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BRACKET = 91;
const BACKSLASH = 92;
const BRACE = 123;
