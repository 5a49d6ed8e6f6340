/** The last three characters of a text as 15 bits; capital and small letters of ASCII are the same. */
const next = (gram: number, unit: number): number => ((gram << 5) ^ (unit | 0x20)) & 0x7fff;

/**
 * The sequences of three characters of a text, by which a search can be left out that needs a word: what has none of the
 * sequences of a word does not have the word. Different sequences may have the same bits, so that the reverse does not hold.
 */
export class Grams {
  readonly #bits = new Uint32Array(1024);
  readonly isAscii: boolean;

  constructor(text: string) {
    let gram = 0;
    let units = 0;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      units |= unit;
      gram = next(gram, unit);
      this.#bits[gram >> 5] = (this.#bits[gram >> 5] as number) | (1 << (gram & 31));
    }
    this.isAscii = units < 0x80;
  }

  /** False where the text has none of these words of at least three characters, in capital or small letters. */
  mayHave(words: readonly string[]): boolean {
    return words.length === 0 || words.some((word) => this.#mayHave(word));
  }

  #mayHave(word: string): boolean {
    let gram = 0;
    for (let index = 0; index < word.length; index += 1) {
      gram = next(gram, word.charCodeAt(index));
      if (index >= 2 && ((this.#bits[gram >> 5] as number) & (1 << (gram & 31))) === 0) return false;
    }
    return true;
  }
}
