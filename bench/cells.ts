import { percent, ratio, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';

/** Namespaces at each step, with 0.01 messages a second each on average: 100,000 in all at the last. */
const STEPS = [1_000, 100_000, 1_000_000, 10_000_000];
const MEAN_RATE = 0.01;
/** Few namespaces make most of the messages: shares fall with this power (Pareto), up to a ceiling for one. */
const TAIL = 1.16;
const MAX_OF_ONE = 2_000;
/** Messages a second that a cell takes: half of what one PostgreSQL does (docs/scaling.md). */
const CAPACITY = 10_000;
/** From here on a cell gets no new namespaces, and what grew is moved away. */
const FULL = 0.8;
/** Of the messages of a namespace, those to other namespaces. */
const OUTSIDE = 0.4;
const LOOKUPS = 1_000_000;
/** Two characters of the 32 of an id: its cell. */
const MAX_CELLS = 32 ** 2;
const SEED = 0x9e3779b9;

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The final rate of each namespace, unknown when it is placed. */
function ratesOf(count: number, random: () => number): Float64Array {
  const rates = Float64Array.from({ length: count }, () =>
    Math.min(MAX_OF_ONE / MEAN_RATE, (1 - random()) ** (-1 / TAIL)),
  );
  const scale = (count * MEAN_RATE) / rates.reduce((sum, rate) => sum + rate, 0);
  return rates.map((rate) => Math.min(MAX_OF_ONE, rate * scale));
}

interface Placed {
  readonly cells: number;
  /** Load of the fullest cell, as a share of its capacity, before anything is moved. */
  readonly fullest: number;
  readonly moved: number;
  readonly after: number;
  readonly crossing: number;
}

/** Which of two cells has fewer. */
const lesser = (counts: Float64Array, a: number, b: number): number => ((counts[a] ?? 0) <= (counts[b] ?? 0) ? a : b);

/** Moves the largest that fit from cells above `FULL` to the emptiest one; returns how many. */
function rebalance(rates: Float64Array, places: Uint16Array, loads: Float64Array): number {
  let moved = 0;
  const order = [...loads.keys()].filter((cell) => (loads[cell] ?? 0) > FULL * CAPACITY);
  for (const cell of order) {
    const here = [...places.keys()].filter((at) => places[at] === cell && (rates[at] ?? 0) > 1);
    here.sort((a, b) => (rates[b] ?? 0) - (rates[a] ?? 0));
    for (const at of here) {
      if ((loads[cell] ?? 0) <= FULL * CAPACITY) break;
      const target = loads.indexOf(Math.min(...loads));
      const rate = rates[at] ?? 0;
      if ((loads[target] ?? 0) + rate > FULL * CAPACITY) continue;
      places[at] = target;
      loads[target] = (loads[target] ?? 0) + rate;
      loads[cell] = (loads[cell] ?? 0) - rate;
      moved++;
    }
  }
  return moved;
}

function place(count: number): Placed & { readonly places: Uint16Array } {
  const random = randomFrom(SEED);
  const rates = ratesOf(count, random);
  const cells = Math.max(1, Math.ceil((count * MEAN_RATE) / (CAPACITY * FULL * FULL)));
  const loads = new Float64Array(cells);
  const places = new Uint16Array(count);
  const counts = new Float64Array(cells);
  // What a new namespace will send is unknown, so it goes to the cell of two that has fewer.
  for (const [at, rate] of rates.entries()) {
    const cell = lesser(counts, Math.floor(random() * cells), Math.floor(random() * cells));
    places[at] = cell;
    counts[cell] = (counts[cell] ?? 0) + 1;
    loads[cell] = (loads[cell] ?? 0) + rate;
  }
  const fullest = Math.max(...loads) / CAPACITY;
  const moved = rebalance(rates, places, loads);
  const total = loads.reduce((sum, load) => sum + load, 0);
  const same = loads.reduce((sum, load) => sum + (load / total) ** 2, 0);
  return { cells, fullest, moved, after: Math.max(...loads) / CAPACITY, crossing: OUTSIDE * (1 - same), places };
}

/** The table of all namespaces, as a router keeps it: a hash of the name, open addressing, two bytes for the cell. */
function router(places: Uint16Array) {
  const slots = 2 ** Math.ceil(Math.log2(places.length * 1.5));
  const hashes = new Float64Array(slots);
  const cells = new Uint16Array(slots);
  const hashOf = (name: number): number =>
    (Math.imul(name + 1, 0x9e3779b1) >>> 0) * 2 ** 20 + ((name * 7) % 2 ** 20) + 1;
  const slotOf = (hash: number): number => {
    let slot = hash % slots;
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) % slots;
    return slot;
  };
  for (const [name, cell] of places.entries()) {
    const hash = hashOf(name);
    const slot = slotOf(hash);
    hashes[slot] = hash;
    cells[slot] = cell;
  }
  return { bytes: hashes.byteLength + cells.byteLength, cellOf: (name: number) => cells[slotOf(hashOf(name))] };
}

async function run(options: Options): Promise<Report> {
  const rows: string[][] = [];
  let last: ReturnType<typeof place> | undefined;
  for (const count of STEPS) {
    options.say(`${whole(count)} namespaces`);
    last = place(count);
    const { cells, fullest, moved, after, crossing } = last;
    rows.push([
      whole(count),
      whole(count * MEAN_RATE),
      whole(cells),
      percent(fullest),
      whole(moved),
      percent(after),
      percent(crossing),
      percent(1 / cells),
    ]);
  }
  const { places, after, cells, moved } = last as NonNullable<typeof last>;
  const table = router(places);
  const random = randomFrom(SEED + 1);
  const from = process.cpuUsage();
  let wrong = 0;
  for (let look = 0; look < LOOKUPS; look++) {
    const name = Math.floor(random() * places.length);
    if (table.cellOf(name) !== places[name]) wrong++;
  }
  const { user, system } = process.cpuUsage(from);
  return {
    table: [
      ['namespaces', 'messages/s', 'cells', 'fullest', 'moved', 'fullest then', 'cross cells', 'lost with a cell'],
      ...rows,
    ],
    wanted: [
      { met: after <= 1, text: `no cell above its capacity at ${whole(places.length)} namespaces: ${percent(after)}` },
      { met: moved <= places.length / 1000, text: `moved of them, at most one in a thousand: ${whole(moved)}` },
      {
        met: cells <= MAX_CELLS,
        text: `two characters of an id name the cell, of ${whole(MAX_CELLS)}: ${whole(cells)}`,
      },
      { met: wrong === 0, text: `the table of the router finds each namespace: ${whole(wrong)} wrong` },
    ],
    notes: [
      `A simulation with a fixed seed: rates fall as a Pareto distribution of ${ratio(TAIL)}, at most ${whole(MAX_OF_ONE)} a second for one; a cell takes ${whole(CAPACITY)} a second and is full at ${percent(FULL)}.`,
      `The router's table of ${whole(places.length)} namespaces takes ${Math.round(table.bytes / 2 ** 20)} MiB; a look-up ${ratio((user + system) / LOOKUPS)} µs of processor.`,
    ],
  };
}

export const cells: Benchmark = { name: 'cells', about: 'a simulation of 10 million namespaces in cells', run };
