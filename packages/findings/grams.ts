/** The last three characters of a text as 15 bits; capital and small letters of ASCII are the same. */
const next = (gram: number, unit: number): number => ((gram << 5) ^ (unit | 0x20)) & 0x7fff;

/** Words of at least three characters, each as its sequences of three. */
export type Words = readonly (readonly number[])[];

/** The words by which `Grams` is asked, prepared once. */
export const wordsOf = (words: readonly string[]): Words =>
  words.map((word) => {
    let gram = 0;
    return Array.from({ length: word.length }, (_, at) => (gram = next(gram, word.charCodeAt(at)))).slice(2);
  });

/**
 * The sequences of three characters of a text, by which a search can be left out that needs a word: what has none of the
 * sequences of a word does not have the word. Different sequences may have the same bits, so that the reverse does not hold.
 */
export class Grams {
  readonly #bits: Uint32Array;
  readonly isAscii: boolean;

  constructor(text: string) {
    const bits = new Uint32Array(1024);
    let gram = 0;
    let units = 0;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      units |= unit;
      gram = next(gram, unit);
      bits[gram >> 5] = (bits[gram >> 5] as number) | (1 << (gram & 31));
    }
    this.#bits = bits;
    this.isAscii = units < 0x80;
  }

  /** False where the text has none of these words, in capital or small letters. */
  mayHave(words: Words): boolean {
    const bits = this.#bits;
    return (
      words.length === 0 ||
      words.some((grams) => grams.every((gram) => ((bits[gram >> 5] as number) & (1 << (gram & 31))) !== 0))
    );
  }
}
