import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Compared, compare, disturbance } from './harness/compare.ts';
import { fill } from './harness/fill.ts';
import { median, ms, ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, ownerKey, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 6;
const OLD = 200_000;
const DAY_MS = 86_400_000;
/** From then on a pass is behind, and is measured too. */
const BEHIND_MS = 11_000;
const WANTED_ROWS = 20_000;
const SAMPLE_MS = 250;
const MINUTE_MS = 60_000;
const FIRST_AGE_MS = 200 * DAY_MS;

/** Few waits between the sends, so that the service is always busy. */
const CONNECTIONS = [4, 64];
/** In that hour a compaction would hold the writes up. */
const KEEP = { COMPACT_HOUR: 'off' };
const RETIRE = { ...KEEP, RETENTION_DAYS: '30' };

/** Exchanges of some months, all older than a month. */
async function fillOld(options: Options, name: string): Promise<string> {
  await using starting = await startService(options, name);
  const { folder } = starting;
  await starting[Symbol.asyncDispose]();
  const { openSqlite } = await import('@mailroom/server/store/sqlite/store');
  await using store = await openSqlite(join(folder, 'mailroom.db'));
  const first = Date.now() - FIRST_AGE_MS;
  const at = (n: number): number => first + n * MINUTE_MS;
  await fill(store, { key: ownerKey(folder), local_part: 'hello', count: OLD, at, reply: QUESTION });
  return folder;
}

function oldLeft(folder: string): number {
  const db = new DatabaseSync(join(folder, 'mailroom.db'), { readOnly: true });
  const row = db.prepare('select count(*) as count from messages where created_at < ?').get(Date.now() - 30 * DAY_MS);
  db.close();
  return Number(row?.count);
}

/** Watches how far the deletion came, by the oldest message: each exchange is a minute after the one before, and two rows. */
function watchOldest(folder: string) {
  const db = new DatabaseSync(join(folder, 'mailroom.db'), { readOnly: true });
  const oldest = db.prepare('select created_at from messages order by id limit 1');
  const samples: { readonly at: number; readonly minutes: number }[] = [];
  const timer = setInterval(() => {
    samples.push({ at: performance.now(), minutes: Number(oldest.get()?.created_at) / MINUTE_MS });
  }, SAMPLE_MS);
  return {
    /** Rows a second since a time. */
    since(from: number): number {
      const [first, last] = [samples.find(({ at }) => at >= from), samples.at(-1)];
      if (first === undefined || last === undefined || last.at === first.at) return Number.NaN;
      return (2 * (last.minutes - first.minutes)) / ((last.at - first.at) / 1000);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      db.close();
    },
  };
}

/** As `idempotency`, of a deletion that is behind. */
async function behind(options: Options, name: string, settings: Record<string, string>) {
  await using service = await startService(options, name, settings);
  using watched = watchOldest(service.folder);
  const from = performance.now() + BEHIND_MS;
  const [measured] = await compare(
    [{ name, server: service, submission: service.submission(HELLO, [QUESTION], true) }],
    { connections: 64, rounds: 1, cold_ms: BEHIND_MS, warm_ms: 0, measure_ms: 4000 },
    (text) => options.say(`behind, ${text}`),
  );
  return { measured: measured as Compared, rows: watched.since(from) };
}

/**
 * One start of the service for one load: the two loads run one after the other, because they would disturb each other.
 */
async function idempotency(options: Options, name: string, settings: Record<string, string>, connections: number) {
  await using service = await startService(options, name, settings);
  const rowsBefore = oldLeft(service.folder);
  const [measured] = await compare(
    [{ name, server: service, submission: service.submission(HELLO, [QUESTION], true) }],
    { connections, rounds: 1, cold_ms: 2500, warm_ms: 0, measure_ms: 4000 },
    (text) => options.say(`${connections} connections, ${text}`),
  );
  return {
    measured: measured as Compared,
    retired: rowsBefore - oldLeft(service.folder),
    left: oldLeft(service.folder),
  };
}

async function run(options: Options): Promise<Report> {
  options.say(`storing ${whole(OLD)} old messages`);
  const kept = await fillOld(options, 'kept');
  await cp(kept, join(options.folder, 'retired'), { recursive: true });
  const rounds = options.rounds ?? ROUNDS;
  const all: Compared[] = [];
  const table: string[][] = [['sync hello', 'p50', 'p99', 'p99 with it to without', 'in rounds', 'requests/s']];
  const wanted: Report['wanted'][number][] = [];
  let retired = 0;
  for (const connections of CONNECTIONS) {
    const without: Compared[] = [];
    const during: Compared[] = [];
    for (let round = 1; round <= rounds; round++) {
      without.push((await idempotency(options, 'kept', KEEP, connections)).measured);
      const one = await idempotency(options, 'retired', RETIRE, connections);
      if (one.left === 0) throw new Error('no old messages were left: the measurement included no retention');
      retired += one.retired;
      during.push(one.measured);
    }
    all.push(...without, ...during);
    const shares = during.map((one, at) => one.of('p99') / (without[at]?.of('p99') ?? Number.NaN));
    for (const [name, those] of [
      [`${connections} connections, nothing is retired`, without],
      [`${connections} connections, while old messages go`, during],
    ] as const) {
      const figure = (of: 'p50' | 'p99' | 'rate'): number => median(those.map((one) => one.of(of)));
      const compared = those === during ? [ratio(median(shares)), spread(shares, ratio)] : ['', ''];
      table.push([name, ms(figure('p50')), ms(figure('p99')), ...compared, whole(figure('rate'))]);
    }
    const share = median(shares);
    wanted.push({
      met: share <= 1.2,
      text: `p99 at ${connections} connections within 1.2 of the other: ${ratio(share)}`,
    });
  }
  const [quiet, busy]: [Compared[], Compared[]] = [[], []];
  const deleted: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    quiet.push((await behind(options, 'kept', KEEP)).measured);
    const { measured, rows } = await behind(options, 'retired', RETIRE);
    busy.push(measured);
    deleted.push(rows);
  }
  all.push(...quiet, ...busy);
  const rates = busy.map((one, at) => one.of('rate') / (quiet[at]?.of('rate') ?? Number.NaN));
  wanted.push(
    {
      met: median(deleted) >= WANTED_ROWS,
      text: `a backlog goes by ${whole(WANTED_ROWS)} rows a second beside load: ${whole(median(deleted))} (${spread(deleted, whole)})`,
    },
    {
      met: median(rates) >= 0.8,
      text: `the load keeps 0.8 of its rate: ${ratio(median(rates))} (${spread(rates, ratio)})`,
    },
  );
  return {
    table,
    wanted,
    notes: [
      disturbance(all),
      `Median of ${rounds} rounds, in turn; each starts the service on a store of ${whole(OLD)} messages, of which ${whole(retired)} were retired in all.`,
    ],
  };
}

export const retention: Benchmark = { name: 'retention', about: 'sends while old messages are deleted', run };
