/** By the first two code units, as one number. Stems have at least two. */
type Index = ReadonlyMap<number, readonly string[]>;

const pairAt = (text: string, at: number): number => (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);

/** Finds which of many stems a text has, in one pass over it. */
export function stemFinder(stems: Iterable<string>): (text: string) => ReadonlySet<string> {
  const index: Index = Map.groupBy(new Set(stems), (stem) => pairAt(stem, 0));
  return (text) => {
    const found = new Set<string>();
    const open = new Map(index);
    for (let position = 0; position < text.length && open.size > 0; position += 1) {
      const pair = pairAt(text, position);
      const candidates = open.get(pair);
      if (candidates === undefined) continue;
      const rest = candidates.filter((stem) => !text.startsWith(stem, position));
      if (rest.length === candidates.length) continue;
      for (const stem of candidates) if (!rest.includes(stem)) found.add(stem);
      if (rest.length === 0) open.delete(pair);
      else open.set(pair, rest);
    }
    return found;
  };
}
