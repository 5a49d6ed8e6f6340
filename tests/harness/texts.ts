/** Correct English of about `size` characters in which every sentence differs, so that proofreading it takes long. */
export function clean(size: number): string {
  const who = ['The teacher', 'My neighbor', 'The old sailor', 'Her brother', 'The young doctor', 'Our guide'];
  const did = ['carried', 'painted', 'repaired', 'found', 'described', 'bought'];
  const what = ['a small wooden boat', 'the broken clock', 'an old map', 'three red chairs', 'a long letter'];
  const where = ['near the river', 'behind the house', 'at the market', 'before the rain came', 'in the garden'];
  const sentences: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const sentence = `${who[i % 6]} ${did[(i * 5 + 1) % 6]} ${what[(i * 3 + 2) % 5]} ${where[(i * 2 + 3) % 5]}.`;
    sentences.push(sentence);
    length += sentence.length + 1;
  }
  return sentences.join(' ').slice(0, size);
}
