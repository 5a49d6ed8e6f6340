/** Below this each integer has its own cell; above it a cell is at most 1/64 of its values wide. */
const EXACT = 128;
const HALF = EXACT / 2;

const cellOf = (value: number): number => {
  if (value < EXACT) return Math.max(0, Math.floor(value));
  const shift = Math.floor(Math.log2(value)) - 6;
  return EXACT + (shift - 1) * HALF + (Math.floor(value / 2 ** shift) - HALF);
};

/** The middle of a cell. */
const middleOf = (cell: number): number => {
  if (cell < EXACT) return cell;
  const shift = Math.floor((cell - EXACT) / HALF) + 1;
  const from = (((cell - EXACT) % HALF) + HALF) * 2 ** shift;
  return Math.round(from + (2 ** shift - 1) / 2);
};

/**
 * Counts values in little memory; quantiles are exact to within a hundredth. There is one for each mailbox and hour, and
 * `createHistogram` of `node:perf_hooks` takes 25 KiB each, whatever it counts.
 */
export class Histogram {
  readonly #counts = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(value: number, times = 1): void {
    const cell = cellOf(value);
    this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + times);
    this.#count += times;
  }

  addAll(other: Histogram): void {
    for (const [cell, times] of other.#counts) {
      this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + times);
      this.#count += times;
    }
  }

  /** The smallest value that at least this part of all values does not exceed; null when there are none. */
  quantile(part: number): number | null {
    if (this.#count === 0) return null;
    let rank = Math.max(1, Math.ceil(part * this.#count));
    for (const cell of [...this.#counts.keys()].sort((a, b) => a - b)) {
      rank -= this.#counts.get(cell) as number;
      if (rank <= 0) return middleOf(cell);
    }
    return null;
  }
}
