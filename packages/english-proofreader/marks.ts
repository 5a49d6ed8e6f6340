/** A text with combining marks joined to their letters, and the mapping of positions to the original. */
export interface Joined {
  readonly text: string;
  /** Maps a position in `text` to the original, both in UTF-16 code units. */
  readonly original: (place: number) => number;
}

/**
 * Replaces letters with combining marks by single characters (NFC, UAX 15), because taggers and dictionaries know no
 * others. Other text is unchanged.
 */
export function joinMarks(text: string): Joined {
  if (!/\p{M}/u.test(text)) return { text, original: (place) => place };
  const parts: string[] = [];
  /** For each joined letter its end in the result, and how much longer the original is up to there. */
  const ends: [place: number, longer: number][] = [];
  let offset = 0;
  let longer = 0;
  for (const match of text.matchAll(/\p{L}\p{M}{1,8}/gu)) {
    const joined = match[0].normalize('NFC');
    if (joined.length >= match[0].length) continue;
    parts.push(text.slice(offset, match.index), joined);
    offset = match.index + match[0].length;
    longer += match[0].length - joined.length;
    ends.push([offset - longer, longer]);
  }
  parts.push(text.slice(offset));
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
