/** One series of a histogram: the number of values under each bound, their total number, and their sum. */
class Series {
  readonly labels: readonly string[];
  readonly counts: Float64Array;
  readonly #bounds: readonly number[];
  count = 0;
  sum = 0;

  constructor(labels: readonly string[], bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length);
  }

  add(value: number): void {
    this.count++;
    this.sum += value;
    for (let i = 0; i < this.#bounds.length; i++) {
      if (value <= (this.#bounds[i] as number)) {
        this.counts[i] = (this.counts[i] as number) + 1;
        return;
      }
    }
  }
}

/** A Prometheus histogram, one series for each set of label values. */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  /** The series of these label values. */
  of(a = '', b = '', c = ''): Series {
    const key = `${a} ${b} ${c}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = new Series([a, b, c], this.#bounds);
      this.#series.set(key, series);
    }
    return series;
  }

  /** Prometheus text format 0.0.4. */
  text(labels: readonly string[]): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const series of this.#series.values()) {
      let below = 0;
      this.#bounds.forEach((bound, i) => {
        below += series.counts[i] as number;
        lines.push(`${this.#name}_bucket${written(labels, series.labels, bound)} ${below}`);
      });
      lines.push(`${this.#name}_bucket${written(labels, series.labels, '+Inf')} ${series.count}`);
      lines.push(`${this.#name}_sum${written(labels, series.labels)} ${series.sum}`);
      lines.push(`${this.#name}_count${written(labels, series.labels)} ${series.count}`);
    }
    return `${lines.join('\n')}\n`;
  }

  /** The number of values of each series, as a separate counter. */
  countText(name: string, help: string, labels: readonly string[]): string {
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} counter`];
    for (const series of this.#series.values()) lines.push(`${name}${written(labels, series.labels)} ${series.count}`);
    return `${lines.join('\n')}\n`;
  }
}

function written(names: readonly string[], values: readonly string[], le?: number | string): string {
  const pairs = names.map((name, i) => `${name}="${(values[i] as string).replace(/[\\"\n]/g, escaped)}"`);
  if (le !== undefined) pairs.push(`le="${le}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`);
