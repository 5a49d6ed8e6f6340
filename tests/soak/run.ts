/**
 * `npm run soak`: the long form of tests that `npm test` has in short form. It kills nodes and databases under load,
 * then holds a steady rate and watches memory. It runs on loopback with temporary folders, and exits with 1 when a
 * promise is broken or memory grows.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chaos } from '../../packages/server/tests/process/chaos.ts';
import { crash } from '../../packages/server/tests/process/crash.ts';
import { type Client, connect } from '../harness/client.ts';
import { sqlite } from '../harness/database.ts';
import { startNodes } from '../harness/nodes.ts';
import { startPostgres } from '../harness/postgres.ts';
import { startService } from '../harness/service.ts';
import { longTests } from './long-tests.ts';
import type { Growth } from './slope.ts';
import { type Stretch, steady } from './steady.ts';

const MAIN = join(import.meta.dirname, '../../packages/server/main.js');
/** Kills in a round of chaos, after which every promise is checked. */
const KILLS_A_ROUND = 20;
const NODES = 3;
const RESUMED_MS = 10_000;
/** Below this time a process has not settled: its memory is printed but not judged. */
const JUDGED_MINUTES = 8;
const MAX = { kills: 10_000, minutes: 24 * 60, rate: 1_000, seed: 1e9 };

const usage = `npm run soak -- [OPTION…]

  --kills N     how often a node is killed, on PostgreSQL and again on SQLite (default 100, 0 for none)
  --minutes M   minutes of steady load, on SQLite and again on PostgreSQL (default 15, 0 for none);
                memory is judged from ${JUDGED_MINUTES} on
  --rate R      requests a second of the steady load (default 50)
  --seed S      the seed of the random numbers, to repeat a run
  --no-tests    skips the long form of the tests
`;
const { values } = parseArgs({
  allowNegative: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    kills: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '15' },
    rate: { type: 'string', default: '50' },
    tests: { type: 'boolean', default: true },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const wrong = (Object.keys(MAX) as (keyof typeof MAX)[]).find(
  (name) => !(Number(values[name]) >= (name === 'rate' ? 1 : 0) && Number(values[name]) <= MAX[name]),
);

const began = performance.now();
const broken: string[] = [];
const say = (text: string): void =>
  console.log(`${((performance.now() - began) / 60_000).toFixed(1).padStart(6)} min  ${text}`);
const fail = (texts: readonly string[]): void => {
  for (const text of texts.slice(0, 20)) say(`BROKEN ${text}`);
  if (texts.length > 20) say(`BROKEN and ${texts.length - 20} more`);
  broken.push(...texts);
};
const MB = (bytes: number): string => (bytes / 1e6).toFixed(1);
const ms = (value: number): string => value.toFixed(1);

if (values.help || wrong !== undefined) {
  console[values.help ? 'log' : 'error'](
    values.help ? usage : `--${wrong} wants a number up to ${wrong && MAX[wrong]}.\n\n${usage}`,
  );
  process.exitCode = values.help ? 0 : 1;
} else {
  // Child processes end with this process, also when it is interrupted.
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code));
  if (values.tests && !(await longTests())) fail(['a test failed in its long form']);
  await soak(Number(values.kills), Number(values.minutes), Number(values.rate), Number(values.seed));
  say(broken.length === 0 ? 'no promise was broken' : `${broken.length} promises were broken`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

async function soak(kills: number, minutes: number, rate: number, seed: number): Promise<void> {
  say(`--kills ${kills} --minutes ${minutes} --rate ${rate} --seed ${seed}`);
  await using postgres = await startPostgres();
  for (let done = 0; done < kills; done += KILLS_A_ROUND) {
    const count = Math.min(KILLS_A_ROUND, kills - done);
    const report = await chaos({ postgres, kills: count, seed: seed + done });
    const { broken: promises, ...figures } = report;
    say(`PostgreSQL ${postgres.major}, ${NODES} nodes: ${JSON.stringify(figures)}`);
    fail(promises);
    for (const [kind, time] of Object.entries(report.resumed_ms)) {
      if (time > RESUMED_MS) fail([`after a ${kind} no send succeeded for ${Math.round(time)} ms`]);
    }
  }
  if (kills > 0) {
    const { broken: promises, ...figures } = await crash({ database: sqlite, rounds: kills, seed });
    say(`SQLite, one node: ${JSON.stringify(figures)}`);
    fail(promises);
  }
  if (minutes > 0) {
    await using service = await startService({ main: MAIN });
    await hold('SQLite', [connect(service.url)], minutes, rate);
  }
  if (minutes > 0) {
    await using nodes = await startNodes({ postgres, count: NODES, main: MAIN });
    await hold(
      `PostgreSQL ${postgres.major}`,
      nodes.all.map((node) => node.client),
      minutes,
      rate,
    );
  }
}

/** Runs a steady load and prints the results. */
async function hold(name: string, clients: readonly Client[], minutes: number, rate: number): Promise<void> {
  const printStretch = ({ minutes: at, requests, p50, p99, rss, heap }: Stretch): void =>
    say(
      `${name} at ${at.toFixed(1)} min: ${requests} requests, p50 ${ms(p50)} ms, p99 ${ms(p99)} ms, ` +
        `RSS ${rss.map(MB).join(' ')} MB, heap ${heap.map(MB).join(' ')} MB`,
    );
  const report = await steady({ clients, minutes, rate, say: printStretch });
  const { requests, p50, p99, max } = report;
  say(`${name}: ${requests} requests, p50 ${ms(p50)} ms, p99 ${ms(p99)} ms, longest ${ms(max)} ms`);
  fail(report.broken);
  const line = ({ slope, error, share }: Growth): string =>
    `${MB(slope)} ± ${MB(error)} MB an hour (${(100 * share).toFixed(1)} % in the time measured)`;
  for (const what of ['heap', 'rss'] as const) {
    for (const [i, found] of report[what].entries()) {
      say(`${name}, node ${i + 1}: ${what} grows by ${line(found)}`);
      if (found.clear && minutes >= JUDGED_MINUTES) fail([`${name}, node ${i + 1}: ${what} grows by ${line(found)}`]);
    }
  }
}
