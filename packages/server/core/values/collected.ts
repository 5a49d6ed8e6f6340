/**
 * Answers the calls of one turn of the event loop by one read, in which each key is asked for once. `read` returns what it
 * found, by the text of the key.
 */
export function collected<K, V>(
  textOf: (key: K) => string,
  read: (keys: readonly K[]) => Promise<ReadonlyMap<string, V>>,
): (key: K) => Promise<V | undefined> {
  let reading: Promise<ReadonlyMap<string, V>> | undefined;
  let keys = new Map<string, K>();
  const all = async (): Promise<ReadonlyMap<string, V>> => {
    // The other calls of this turn come first.
    await Promise.resolve();
    const these = [...keys.values()];
    reading = undefined;
    keys = new Map();
    return read(these);
  };
  return async (key) => {
    const text = textOf(key);
    keys.set(text, key);
    reading ??= all();
    return (await reading).get(text);
  };
}
