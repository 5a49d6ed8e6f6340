const pairAt = (text: string, at: number): number => (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);

/** Finds which of many stems of at least two code units a text has, in one pass over it. */
export function stemFinder(stems: Iterable<string>): (text: string) => ReadonlySet<string> {
  // By the first two code units, as one number.
  const index = Map.groupBy(new Set(stems), (stem) => pairAt(stem, 0));
  return (text) => {
    const found = new Set<string>();
    for (let position = 0; position < text.length; position += 1) {
      for (const stem of index.get(pairAt(text, position)) ?? [])
        if (!found.has(stem) && text.startsWith(stem, position)) found.add(stem);
    }
    return found;
  };
}
