/** The most answers that are kept of one function, and the longest text that they are kept of. */
const MAX_KEPT = 4_096;
const MAX_LENGTH = 32;

/**
 * A function of a text that keeps its answers, because the grammar asks of every few words of an instruction what they
 * name, and most words come again.
 */
export function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T | null>();
  return (text) => {
    if (text.length > MAX_LENGTH) return compute(text);
    const known = kept.get(text);
    if (known !== undefined) return known === null ? (undefined as T) : known;
    const found = compute(text);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, found ?? null);
    return found;
  };
}
