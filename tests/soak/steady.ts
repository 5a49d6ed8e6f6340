import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type Home, unique } from '../harness/client.ts';
import { type Growth, growth } from './slope.ts';

export interface SteadyOptions {
  /** Processes of the service on one database, used in turn. */
  readonly clients: readonly Client[];
  readonly minutes: number;
  /** Requests a second, regardless of how long the answers take. */
  readonly rate: number;
  /** Called with each stretch of time as it ends. */
  readonly say: (stretch: Stretch) => void;
}

/** Measurements of one stretch of time; memory in bytes for each process. */
export interface Stretch {
  /** Minutes since the beginning, at the end of the stretch. */
  readonly minutes: number;
  readonly requests: number;
  /** Milliseconds, from the time at which each request was due. */
  readonly p50: number;
  readonly p99: number;
  readonly rss: readonly number[];
  readonly heap: readonly number[];
}

export interface SteadyReport {
  readonly requests: number;
  /** Milliseconds, over the whole time except the warm-up. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The growth of each process after the warm-up, in bytes an hour. */
  readonly rss: readonly Growth[];
  readonly heap: readonly Growth[];
  /** Descriptions of answers that were not successful. */
  readonly broken: readonly string[];
}

interface Sample {
  readonly hours: number;
  readonly rss: readonly number[];
  readonly heap: readonly number[];
}

const SAMPLE_MS = 2_000;
const STRETCHES = 15;
/** The share of the time that is not measured, while code is compiled and caches and connections fill. */
const WARM_UP = 0.3;
const MAX_IN_FLIGHT = 200;

/** Holds a steady rate of sends and reads, and measures memory and response times. */
export async function steady({ clients, minutes, rate, say }: SteadyOptions): Promise<SteadyReport> {
  const [first] = clients;
  if (first === undefined) throw new Error('There is no client');
  const home = await first.newNamespace();
  const { address: to } = await first.newMailbox(home);
  const broken: string[] = [];
  const samples: Sample[] = [];
  const times: number[] = [];
  const inFlight = new Set<Promise<void>>();
  const began = performance.now();
  const length_ms = minutes * 60_000;
  const ago = (): number => performance.now() - began;
  const measured = { fromSample: 0, fromTime: 0 };
  const stretches = { done: 0, fromTime: 0 };
  let requests = 0;
  let sampled = 0;
  let last = '';

  const send = async (client: Client, due: number): Promise<void> => {
    try {
      const answer = await ask(client, home, to, requests, last);
      if (answer.status > 299) broken.push(`after ${Math.round(due / 1_000)} s: ${answer.status} ${answer.text}`);
      else last = answer.body.id;
    } catch (error) {
      broken.push(`after ${Math.round(due / 1_000)} s: ${error}`);
    }
    times.push(ago() - due);
  };

  while (ago() < length_ms) {
    for (; (requests * 1_000) / rate < ago() && inFlight.size < MAX_IN_FLIGHT; requests++) {
      const client = clients[requests % clients.length] as Client;
      const asked: Promise<void> = send(client, (requests * 1_000) / rate).then(() => void inFlight.delete(asked));
      inFlight.add(asked);
    }
    if (ago() >= sampled * SAMPLE_MS) {
      sampled++;
      samples.push({ hours: ago() / 3_600_000, ...(await memory(clients)) });
    }
    if (ago() >= ((stretches.done + 1) * length_ms) / STRETCHES) {
      stretches.done++;
      const now = samples.at(-1) as Sample;
      const part = times.slice(stretches.fromTime);
      stretches.fromTime = times.length;
      say({ minutes: ago() / 60_000, requests: part.length, ...quantiles(part), rss: now.rss, heap: now.heap });
    }
    if (measured.fromSample === 0 && ago() >= WARM_UP * length_ms) {
      measured.fromSample = samples.length;
      measured.fromTime = times.length;
    }
    await pause(5);
  }
  await Promise.all(inFlight);
  const after = samples.slice(measured.fromSample);
  const of = (what: 'rss' | 'heap'): Growth[] =>
    clients.map((_, i) => growth(after.map((sample) => ({ x: sample.hours, y: sample[what][i] as number }))));
  return { requests, ...quantiles(times.slice(measured.fromTime)), rss: of('rss'), heap: of('heap'), broken };
}

/**
 * Of twenty requests twelve are sync sends (every second one with an idempotency key), four async sends and four reads.
 */
function ask(client: Client, home: Home, to: string, n: number, last: string): ReturnType<Client['read']> {
  const turn = n % 20;
  if (turn >= 16 && last !== '') return client.read(home.key, last);
  const headers = turn % 2 === 0 ? { 'idempotency-key': unique('soak-') } : undefined;
  return client.send(home.key, { to, body: unique('Who are you? '), sync: turn < 12 }, headers);
}

/** The figures that each process reports about itself. */
async function memory(clients: readonly Client[]): Promise<Omit<Sample, 'hours'>> {
  const texts = await Promise.all(clients.map(async (client) => (await client.api('GET', '//metrics')).text));
  const read = (name: string): number[] =>
    texts.map((text) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]));
  return { rss: read('process_resident_memory_bytes'), heap: read('nodejs_heap_size_used_bytes') };
}

function quantiles(times: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
