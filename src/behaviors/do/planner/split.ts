const MASK = '\u0001';

/** Quoted text and placeholders, so that what stands in them separates nothing: same length, other letters. */
export const masked = (text: string): string =>
  text.replace(/"[^"]*"|“[^”]*”|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|\{\{[^}]*\}\}/gu, (quoted) =>
    MASK.repeat(quoted.length),
  );

const THEN =
  /\s*[,;.!?]?\s+(?:and\s+)?(?:then|after that|afterwards|finally|lastly)\b[,:]?\s+|\s*;\s+|\s+(?:→|->|=>)\s+|[.!?]\s+(?=\p{Lu})|,\s+(?:and\s+)?(?:second|secondly|third|thirdly|fourth|fourthly|fifth|next)\b[,:]?\s+/giu;
const AND = /\s*,?\s+(?:and(?: also)?|plus also|also)\s+/gi;

/** The parts between what separates instructions: "then", a semicolon, an arrow, the end of a sentence. */
export function atThen(text: string): string[] {
  return cutAt(text, masked(text).matchAll(THEN));
}

/** Each way to cut in two at an "and". */
export function* atAnd(text: string): Generator<readonly [string, string]> {
  for (const { index, 0: sign } of masked(text).matchAll(AND)) {
    yield [text.slice(0, index).trim(), text.slice(index + sign.length).trim()];
  }
}

function cutAt(text: string, separators: Iterable<RegExpMatchArray>): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index = 0, 0: sign } of separators) {
    parts.push(text.slice(from, index).trim());
    from = index + sign.length;
  }
  parts.push(text.slice(from).trim());
  return parts.filter((part) => part !== '');
}
