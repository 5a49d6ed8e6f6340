/** Maximum number of answers that are kept, and of characters of their texts. */
const MAX = 2_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Keeps what was written and waits for its turn to leave, so that it is not read again. Beyond the limits the oldest go,
 * and those are read.
 */
export class WaitingAnswers<T> {
  readonly #sizeOf: (answer: T) => number;
  readonly #kept = new Map<string, T>();
  #characters = 0;

  constructor(sizeOf: (answer: T) => number) {
    this.#sizeOf = sizeOf;
  }

  keep(id: string, answer: T): void {
    this.take(id);
    this.#kept.set(id, answer);
    this.#characters += this.#sizeOf(answer);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX && this.#characters <= MAX_CHARACTERS) break;
      this.take(oldest);
    }
  }

  take(id: string): T | undefined {
    const answer = this.#kept.get(id);
    if (answer !== undefined) {
      this.#kept.delete(id);
      this.#characters -= this.#sizeOf(answer);
    }
    return answer;
  }
}
