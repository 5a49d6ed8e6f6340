import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import { planOf } from '../../planner/index.ts';
import { makeTasks } from '../../tasks/index.ts';
import { context } from './harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const now = Date.parse('2026-11-25T09:10:00Z');

/** The results of a message, or undefined where it asks. */
async function resultsOf(body: string): Promise<readonly Json[] | undefined> {
  const plan = planOf(body, { tasks, now, time_zone: 'UTC', max_steps: 50, before: false });
  if (plan.kind !== 'plan') return undefined;
  const results: Json[] = [];
  for (const { task: name, input } of plan.steps) {
    const found = tasks.find((one) => one.name === name);
    assert.ok(found, name);
    results.push(((await found.run(input, context())) as { readonly result: Json }).result);
  }
  return results;
}

/** The same numbers in every run (mulberry32). */
function random(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

type Next = (max: number) => number;
/** How values of a kind are written; in the smallest unit they are whole numbers. */
interface Spelling {
  readonly kind: string;
  readonly most: number;
  readonly write: (value: number) => string;
  /** What a figure of them is as text; a number in the unit of the values by default. */
  readonly figure?: (value: number) => string;
  /** How many of the smallest are one. */
  readonly parts: number;
}

const groups = (n: number, sign: string): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, sign);
const cents = (value: number, group: string, point: string): string =>
  `${value < 0 ? '-' : ''}${groups(Math.floor(Math.abs(value) / 100), group)}${point}${String(Math.abs(value) % 100).padStart(2, '0')}`;
const lakh = (n: number): string =>
  n < 1_000
    ? String(n)
    : `${String(Math.floor(n / 1_000)).replace(/\B(?=(?:\d{2})+$)/g, ',')},${String(n % 1_000).padStart(3, '0')}`;
const two = (n: number): string => String(n).padStart(2, '0');
const inHours = (minutes: number): string =>
  [minutes >= 60 ? `${Math.floor(minutes / 60)} h` : '', minutes % 60 > 0 || minutes === 0 ? `${minutes % 60} min` : '']
    .filter((one) => one !== '')
    .join(' ');
const plainly = { parts: 1, most: 9_000_000 };
const money = { parts: 100, most: 900_000_00 };

const SPELLINGS: readonly Spelling[] = [
  { kind: 'plain numbers', ...plainly, write: String },
  { kind: 'thousands with commas', ...plainly, write: (v) => groups(v, ',') },
  { kind: 'thousands with apostrophes', ...plainly, write: (v) => groups(v, "'") },
  { kind: 'thousands with blanks', ...plainly, write: (v) => groups(v, ' ') },
  { kind: 'lakhs', ...plainly, write: lakh },
  { kind: 'decimals', ...money, write: (v) => cents(v, ',', '.') },
  { kind: 'decimal commas', ...money, write: (v) => cents(v, '.', ',') },
  { kind: 'decimals without groups', ...money, write: (v) => cents(v, '', '.') },
  { kind: 'signed numbers', ...money, write: (v) => cents(v - 30_000_000, ',', '.'), parts: 100 },
  {
    kind: 'amounts of an account',
    ...money,
    write: (v) => (v < 30_000_000 ? `(${cents(v, ',', '.')})` : cents(v, ',', '.')),
  },
  { kind: 'dollars', ...money, write: (v) => `$${cents(v, ',', '.')}` },
  { kind: 'euros behind', ...money, write: (v) => `${cents(v, '.', ',')} €` },
  { kind: 'whole pounds', ...plainly, write: (v) => `£${groups(v, ',')}` },
  { kind: 'francs by their code', ...money, write: (v) => `CHF ${cents(v, "'", '.')}` },
  { kind: 'rupees', ...plainly, write: (v) => `Rs ${lakh(v)}` },
  { kind: 'percents', parts: 10, most: 990, write: (v) => `${v / 10}%` },
  { kind: 'kilograms', parts: 10, most: 5_000, write: (v) => `${v / 10} kg` },
  { kind: 'milliseconds', ...plainly, write: (v) => `${v}ms` },
  { kind: 'lengths of time', parts: 1, most: 600, write: inHours, figure: inHours },
  { kind: 'minutes', parts: 1, most: 600, write: (v) => `${v} min`, figure: inHours },
  {
    kind: 'hours and minutes with a colon',
    parts: 1,
    most: 1_400,
    write: (v) => `${Math.floor(v / 60)}:${two(v % 60)}`,
    figure: (v) => `${Math.floor(v / 60)}:${two(v % 60)}`,
  },
];
/** The value of what is written where its sign depends on it. */
const signed = ({ kind }: Spelling, value: number): number =>
  kind === 'signed numbers'
    ? value - 30_000_000
    : kind === 'amounts of an account' && value < 30_000_000
      ? -value
      : value;

const NAMES = 'Pelican Heron Osprey Kestrel Wren Plover Avocet Dunlin'.split(' ');
const LAYOUTS: readonly (readonly [name: string, line: (name: string, value: string, at: number) => string])[] = [
  ['colon', (name, value) => `${name}: ${value}`],
  ['blank', (name, value) => `${name} ${value}`],
  ['tab', (name, value) => `${name}\t${value}`],
  ['equals', (name, value) => `${name} = ${value}`],
  ['dash', (name, value) => `${name} – ${value}`],
  ['bars', (name, value) => `| ${name} | ${value} |`],
  ['semicolon', (name, value) => `${name};${value}`],
  ['comma', (name, value) => `${name},${value}`],
  ['dots', (name, value) => `${name} ..... ${value}`],
  ['marks', (name, value) => `- ${name}: ${value}`],
  ['numbers', (name, value, at) => `${at + 1}. ${name}: ${value}`],
  ['values alone', (_, value) => value],
];

interface Measured {
  readonly asks: readonly string[];
  readonly of: (values: readonly number[]) => number | readonly number[];
}
const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);
const order = (values: readonly number[], sign: number): readonly number[] =>
  values.map((_, at) => at).sort((a, b) => ((values[a] as number) - (values[b] as number)) * sign);
const MEASURES: readonly Measured[] = [
  {
    asks: ['add these up', 'What is the total?', 'sum of these please', 'What do they come to altogether?'],
    of: total,
  },
  { asks: ['what is the average?', 'the mean of these'], of: (v) => total(v) / v.length },
  {
    asks: ['median please', 'What is the median of these?'],
    of: (v) => {
      const sorted = v.toSorted((a, b) => a - b);
      const middle = sorted.length >> 1;
      return sorted.length % 2 === 1
        ? (sorted[middle] as number)
        : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
    },
  },
  { asks: ['difference between the highest and the lowest'], of: (v) => Math.max(...v) - Math.min(...v) },
  { asks: ['which is the highest?', 'the highest of these'], of: (v) => order(v, -1).slice(0, 1) },
  { asks: ['which is the lowest?', 'what is the lowest?'], of: (v) => order(v, 1).slice(0, 1) },
  { asks: ['top 2', 'the two highest'], of: (v) => order(v, -1).slice(0, 2) },
  { asks: ['sort these, lowest first', 'put them in ascending order'], of: (v) => order(v, 1) },
];

/** Lines with blank ones and comments between them, and a total that is right. */
const withNoise = (lines: readonly string[], next: Next): string =>
  lines.flatMap((line) => (next(6) === 0 ? ['', line] : next(9) === 0 ? ['# so far', line] : [line])).join('\n');

/** Whether an answer says what was calculated apart from it. */
function isRight(
  expected: number | readonly number[],
  result: Json | undefined,
  lines: readonly string[],
  { parts, figure }: Spelling,
): boolean {
  const bare = (line: string): string =>
    line
      .replace(/^(?:- |\d\. )/, '')
      .replace(/^\| (.*) \|$/, '$1')
      .trim();
  if (typeof expected !== 'number') {
    const wanted = expected.map((at) => bare(lines[at] as string));
    const said = (Array.isArray(result) ? result : [result]).map((one) => bare(String(one)));
    return (
      said.join('\n') === wanted.join('\n') ||
      said.join('\n') === wanted.map((one) => one.replace(/^\| | \|$/g, '')).join('\n')
    );
  }
  const text = typeof result === 'string' || typeof result === 'number' ? String(result) : '';
  if (figure !== undefined && Number.isInteger(expected)) return text === figure(expected);
  if (figure !== undefined) return text.includes(figure(Math.floor(expected)));
  return Math.abs(Number.parseFloat(text) - expected / parts) < 1e-6 * Math.max(1, Math.abs(expected / parts));
}

for (const [at, spelling] of SPELLINGS.entries())
  test(`rows of ${spelling.kind} are measured rightly or asked about, in every layout`, async () => {
    const next = random(at + 1);
    let right = 0;
    let all = 0;
    for (const [layout, line] of LAYOUTS)
      for (const measure of MEASURES.filter((_, nth) => (nth + at) % 2 === 0 || layout === 'colon')) {
        const count = 3 + next(4);
        const written = new Set<number>();
        while (written.size < count)
          written.add(
            1 + (next(3) === 0 ? next(spelling.most) : next(Math.min(spelling.most, 3_000 * spelling.parts))),
          );
        const texts = [...written].map(spelling.write);
        const values = [...written].map((value) => signed(spelling, value));
        const lines = texts.map((text, row) => line(NAMES[row] as string, text, row));
        const question = measure.asks[next(measure.asks.length)] as string;
        const rows = layout === 'numbers' || layout === 'bars' ? lines.join('\n') : withNoise(lines, next);
        const body = next(3) === 0 ? `${rows}\n\n${question}` : `${question}\n\n${rows}`;
        const results = await resultsOf(body);
        all++;
        if (results === undefined) continue;
        assert.ok(isRight(measure.of(values), results.at(-1), lines, spelling), JSON.stringify([body, results]));
        right++;
      }
    assert.ok(right * 4 >= all, `${right} of ${all} are answered`);
  });

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS: readonly (readonly [kind: string, write: (day: Date) => string])[] = [
  ['ISO dates', (d) => d.toISOString().slice(0, 10)],
  ['days before months', (d) => `${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()}`],
  ['months before days', (d) => `${MONTHS[d.getUTCMonth()]?.slice(0, 3)} ${d.getUTCDate()}, ${d.getUTCFullYear()}`],
  ['dotted dates', (d) => `${two(d.getUTCDate())}.${two(d.getUTCMonth() + 1)}.${d.getUTCFullYear()}`],
  ['slashed dates, day first', (d) => `${two(d.getUTCDate())}/${two(d.getUTCMonth() + 1)}/${d.getUTCFullYear()}`],
  ['slashed dates, month first', (d) => `${two(d.getUTCMonth() + 1)}/${two(d.getUTCDate())}/${d.getUTCFullYear()}`],
  ['times of the day', (d) => `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}`],
  [
    'times with am and pm',
    (d) => `${d.getUTCHours() % 12 || 12}:${two(d.getUTCMinutes())} ${d.getUTCHours() < 12 ? 'am' : 'pm'}`,
  ],
];
const ORDERED: readonly Measured[] = [
  { asks: ['which is the earliest?', 'what is the earliest of these?'], of: (v) => order(v, 1).slice(0, 1) },
  { asks: ['which is the latest?', 'the latest one'], of: (v) => order(v, -1).slice(0, 1) },
  { asks: ['put these in chronological order', 'sort these, earliest first'], of: (v) => order(v, 1) },
  { asks: ['sort these, latest first'], of: (v) => order(v, -1) },
];
for (const [at, [kind, write]] of DAYS.entries())
  test(`rows of ${kind} are put in their order or asked about, in every layout`, async () => {
    const next = random(100 + at);
    let right = 0;
    for (const [, line] of LAYOUTS)
      for (const measure of ORDERED) {
        const isClock = kind.startsWith('times');
        const moments = new Set<number>();
        while (moments.size < 4)
          moments.add(isClock ? next(1_440) * 60_000 : Date.UTC(2025, 0, 1) + next(900) * 86_400_000);
        const values = [...moments];
        const lines = values.map((one, row) => line(NAMES[row] as string, write(new Date(one)), row));
        const question = measure.asks[next(measure.asks.length)] as string;
        const results = await resultsOf(`${question}\n\n${lines.join('\n')}`);
        if (results === undefined) continue;
        assert.ok(
          isRight(measure.of(values), results.at(-1), lines, { kind, parts: 1, most: 0, write: String }),
          JSON.stringify([question, lines, results]),
        );
        right++;
      }
    assert.ok(right > 0, 'some are answered');
  });

const LIMITED: readonly (readonly [words: string, holds: (value: number, limit: number) => boolean])[] = [
  ['over', (value, limit) => value > limit],
  ['more than', (value, limit) => value > limit],
  ['under', (value, limit) => value < limit],
  ['at least', (value, limit) => value >= limit],
  ['at most', (value, limit) => value <= limit],
];
for (const [at, spelling] of SPELLINGS.entries())
  test(`rows of ${spelling.kind} are counted and chosen by a limit that is written as they are, or asked about`, async () => {
    const next = random(200 + at);
    for (const [, line] of LAYOUTS)
      for (const [words, holds] of LIMITED) {
        const written = Array.from({ length: 5 }, () => 1 + next(Math.min(spelling.most, 5_000 * spelling.parts)));
        const limit =
          next(2) === 0 ? (written[0] as number) : 1 + next(Math.min(spelling.most, 5_000 * spelling.parts));
        const lines = written.map((value, row) => line(NAMES[row] as string, spelling.write(value), row));
        const counts = next(2) === 0;
        const question = `${counts ? 'how many are' : 'which of these are'} ${words} ${spelling.write(limit)}?`;
        const results = await resultsOf(`${question}\n\n${lines.join('\n')}`);
        if (results === undefined) continue;
        const chosen = written.flatMap((value, row) =>
          holds(signed(spelling, value), signed(spelling, limit)) ? [row] : [],
        );
        const told = JSON.stringify([question, lines, results]);
        if (counts) assert.equal(Number(results.at(-1)), chosen.length, told);
        else if (chosen.length === 0) assert.equal(results.at(-1), 'None of them.', told);
        else assert.ok(isRight(chosen, results.at(-1), lines, spelling), told);
      }
  });
