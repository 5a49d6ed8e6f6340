/**
 * `node scripts/bench-ratios.ts BASE HEAD`: what two files with the output of `npm run bench` say about a change, as a
 * Markdown table. Figures are ratios within a run, or times, each the median of its runs.
 */
import { readFileSync } from 'node:fs';
import { median } from '../bench/harness/numbers.ts';

/** A goal of a benchmark with what was measured: `pass  at least 0.40 of raw: 0.47`. */
const GOAL = /^(?:pass|MISS) {2}(.+): ([\d.,]+)/;

/** The figures of each goal, by benchmark and goal. */
function figuresIn(text: string): ReadonlyMap<string, readonly number[]> {
  const figures = new Map<string, number[]>();
  let benchmark = '';
  for (const line of text.split('\n')) {
    benchmark = /^## (\w+):/.exec(line)?.[1] ?? benchmark;
    const [, goal, figure = ''] = GOAL.exec(line) ?? [];
    if (goal === undefined) continue;
    const name = `${benchmark}: ${goal}`;
    figures.set(name, [...(figures.get(name) ?? []), Number(figure.replaceAll(',', ''))]);
  }
  return figures;
}

const [base, head] = process.argv.slice(2).map((file) => figuresIn(readFileSync(file, 'utf8')));
if (base === undefined || head === undefined) throw new Error('Name two files: node scripts/bench-ratios.ts BASE HEAD');
console.log('| goal | base | head | head to base |\n| --- | ---: | ---: | ---: |');
for (const [name, figures] of head) {
  const [before, after] = [median(base.get(name) ?? []), median(figures)];
  const ratio = Number.isFinite(before) && before > 0 ? (after / before).toFixed(2) : 'new';
  console.log(`| ${name} | ${Number.isFinite(before) ? before : ''} | ${after} | ${ratio} |`);
}
