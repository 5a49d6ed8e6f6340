/** A text whose combining marks are joined to their letters, and how to get from a place in it to one of the original. */
export interface Joined {
  readonly text: string;
  /** Where a place of `text` stands in the original, both in UTF-16 code units. */
  readonly original: (place: number) => number;
}

/**
 * Letters with combining marks as the single characters that Unicode has for them (NFC, UAX 15), as taggers and
 * dictionaries know no others. All else stays as it is.
 */
export function joinMarks(text: string): Joined {
  if (!/\p{M}/u.test(text)) return { text, original: (place) => place };
  const parts: string[] = [];
  /** Behind each joined letter: its place in what is made, and by how much the original is longer up to there. */
  const ends: [place: number, longer: number][] = [];
  let at = 0;
  let longer = 0;
  for (const match of text.matchAll(/\p{L}\p{M}{1,8}/gu)) {
    const joined = match[0].normalize('NFC');
    if (joined.length >= match[0].length) continue;
    parts.push(text.slice(at, match.index), joined);
    at = match.index + match[0].length;
    longer += match[0].length - joined.length;
    ends.push([at - longer, longer]);
  }
  parts.push(text.slice(at));
  return { text: parts.join(''), original: (place) => place + longerAt(ends, place) };
}

function longerAt(ends: readonly (readonly [number, number])[], place: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as readonly [number, number])[0] <= place) low = middle + 1;
    else high = middle;
  }
  return ends[low - 1]?.[1] ?? 0;
}
