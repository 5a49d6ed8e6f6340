export interface Options {
  /** How often each contender is measured. */
  readonly rounds?: number;
  /** The service's own log, written to a file. */
  readonly log_level: string;
  /** A temporary folder of this run, removed afterwards. */
  readonly folder: string;
  /** Of a benchmark of many parts: those whose names contain it. */
  readonly only?: string;
  /** Prints the progress. */
  say(text: string): void;
}

export interface Benchmark {
  readonly name: string;
  readonly about: string;
  run(options: Options): Promise<Report>;
}

export interface Report {
  /** The first row is the heading. */
  readonly table: readonly (readonly string[])[];
  readonly wanted: readonly Wanted[];
  readonly notes: readonly string[];
}

export interface Wanted {
  readonly met: boolean;
  readonly text: string;
}

/** A Markdown table, padded so that the source reads well too: first column aligned left, figures right. */
function table(rows: Report['table']): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const lines = rows.map((row) => `| ${row.map(pad).join(' | ')} |`);
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  lines.splice(1, 0, `| ${rule.join(' | ')} |`);
  return lines.join('\n');
}

export function show({ name, about }: Benchmark, machine: string, report: Report): string {
  const wanted = report.wanted.map(({ met, text }) => `${met ? 'pass' : 'MISS'}  ${text}`);
  const parts = [`## ${name}: ${about}`, machine, table(report.table), wanted.join('\n'), report.notes.join('\n')];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
