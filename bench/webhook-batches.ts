import { median, ratio, spread, whole } from './harness/numbers.ts';
import type { Options, Report } from './harness/report.ts';
import type { Service } from './harness/service.ts';

const BACKLOG = 100_000;
const BATCH = 100;
/** What one that takes single events is measured with, as it takes long. */
const SINGLE = 10_000;
const MAX_SECONDS = 30;
const MIN_RATE = 5_000;

interface Parts {
  /** The database of the service. */
  readonly database: string;
  readonly rounds: number;
  /** Writes so many events to the log. */
  readonly write: (service: Service, count: number) => Promise<void>;
  /** Until one endpoint has these events of the log since then, in requests of up to `batch`. */
  readonly deliver: (
    service: Service,
    since: string,
    events: number,
    batch: number,
  ) => Promise<{ readonly seconds: number; readonly cpu_us: number }>;
}

/** A backlog to one endpoint in batches, and single events for comparison. */
export async function measureBatches(service: Service, options: Options, parts: Parts): Promise<Report> {
  const { database, rounds, write, deliver } = parts;
  const start = new Date().toISOString();
  options.say(`${whole(BACKLOG)} events for one endpoint`);
  await write(service, BACKLOG - SINGLE);
  const last = new Date().toISOString();
  await write(service, SINGLE);
  const single = {
    name: `${database}, one endpoint, ${whole(SINGLE)} single events`,
    since: last,
    events: SINGLE,
    batch: 1,
  };
  const many = {
    name: `${database}, one endpoint, ${whole(BACKLOG)} in batches of ${BATCH}`,
    since: start,
    events: BACKLOG,
    batch: BATCH,
  };
  const cases = [single, many].map((one) => ({ ...one, seconds: [] as number[], cpu_us: [] as number[] }));
  for (let round = 1; round <= rounds; round++) {
    for (const one of cases) {
      options.say(`round ${round} of ${rounds}: ${one.name}`);
      const taken = await deliver(service, one.since, one.events, one.batch);
      one.seconds.push(taken.seconds);
      one.cpu_us.push(taken.cpu_us);
    }
  }
  const rates = cases.map(({ events, seconds }) => seconds.map((taken) => events / taken));
  const rate = median(rates[1] ?? []);
  const seconds = BACKLOG / rate;
  const times = rates[1]?.map((value, at) => value / (rates[0]?.[at] ?? 0)) ?? [];
  return {
    table: cases.map((one, at) => [
      one.name,
      `${median(one.seconds).toFixed(1)} s`,
      spread(one.seconds, (value) => value.toFixed(1)),
      '',
      whole(median(rates[at] ?? [])),
      `${whole(median(one.cpu_us))} µs`,
      '',
    ]),
    wanted: [
      {
        met: rate >= MIN_RATE,
        text: `${database}: ${whole(MIN_RATE)} events a second to one endpoint: ${whole(rate)}`,
      },
      {
        met: seconds <= MAX_SECONDS,
        text: `${database}: a backlog of ${whole(BACKLOG)} in ${MAX_SECONDS} s: ${seconds.toFixed(1)} s`,
      },
    ],
    notes: [`${database}: batches against single events in each round: ${spread(times, ratio)}.`],
  };
}
