import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Compared, compare, disturbance } from './harness/compare.ts';
import { fill } from './harness/fill.ts';
import { mebibytes, median, ms, ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, ownerKey, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 4;
const MILLION = 1_000_000;
const MINUTE_MS = 60_000;

/** A million exchanges of the mailbox and the key that are measured afterwards, a minute apart. */
async function fillMillion(options: Options, name: string): Promise<{ seconds: number; bytes: number }> {
  await using starting = await startService(options, name);
  const sent = (await starting.call('/mail/send', { to: HELLO, body: QUESTION, sync: true })) as {
    reply: { body: string };
  };
  const { folder } = starting;
  await starting[Symbol.asyncDispose]();

  const { openSqlite } = await import('@mailroom/server/store/sqlite/store');
  const file = join(folder, 'mailroom.db');
  const from = performance.now();
  {
    await using store = await openSqlite(file);
    const first = Date.now() - MILLION * MINUTE_MS;
    const at = (n: number): number => first + n * MINUTE_MS;
    await fill(store, { key: ownerKey(folder), local_part: 'hello', count: MILLION, at, reply: sent.reply.body });
  }
  return { seconds: (performance.now() - from) / 1000, bytes: statSync(file).size };
}

async function run(options: Options): Promise<Report> {
  options.say('storing a million messages');
  const filled = await fillMillion(options, 'million');
  const rounds = options.rounds ?? ROUNDS;
  const all: Compared[][] = [];
  for (let round = 1; round <= rounds; round++) {
    // Every round starts on a new store, because the empty one would fill.
    await using empty = await startService(options, `empty-${round}`);
    await using full = await startService(options, 'million');
    const submission = (service: typeof empty) => service.submission(HELLO, [QUESTION], true);
    all.push(
      await compare(
        [
          { name: 'on an empty store', server: empty, submission: submission(empty) },
          { name: 'after a million messages', server: full, submission: submission(full) },
        ],
        { connections: 64, rounds: 2, cold_ms: 2500, warm_ms: 400, measure_ms: 2500 },
        (text) => options.say(`start ${round} of ${rounds}, ${text}`),
      ),
    );
  }

  const rows = [0, 1].map((index) => {
    const name = all[0]?.[index]?.name ?? '';
    return { name, rounds: all.flatMap((compared) => compared[index]?.rounds ?? []) };
  });
  const share = median(rows[1]?.rounds.map((round) => round.ratio) ?? []);
  return {
    table: [
      ['sync hello at 64 connections', 'requests/s', 'ratio', 'ratio in rounds', 'p50', 'p99', 'CPU a request'],
      ...rows.map(({ name, rounds }) => [
        name,
        whole(median(rounds.map((round) => round.rate))),
        ratio(median(rounds.map((round) => round.ratio))),
        spread(
          rounds.map((round) => round.ratio),
          ratio,
        ),
        ms(median(rounds.map((round) => round.p50))),
        ms(median(rounds.map((round) => round.p99))),
        `${median(rounds.map((round) => round.cpu_us)).toFixed(0)} µs`,
      ]),
    ],
    wanted: [{ met: share >= 0.5, text: `at least half of the empty rate: ${ratio(share)}` }],
    notes: [
      disturbance(all.flat()),
      `Median of ${rounds} rounds; each restarts both services, with a new empty store.`,
      `The million went in through the store at ${whole(MILLION / filled.seconds)} a second, ${mebibytes(filled.bytes)}.`,
    ],
  };
}

export const million: Benchmark = { name: 'million', about: 'the same send after a million stored messages', run };
