import { statSync } from 'node:fs';
import { join } from 'node:path';
import { newId, threadOf } from '../src/core/ids.ts';
import { sha256 } from '../src/core/key.ts';
import type { Message } from '../src/core/message.ts';
import { type Compared, compare, disturbance } from './harness/compare.ts';
import { mebibytes, median, ms, ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, ownerKey, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 4;
const MILLION = 1_000_000;
const IN_FLIGHT = 2000;
const MINUTE_MS = 60_000;

/**
 * A million exchanges of the one mailbox and the one key that are measured afterwards, copies of a real one, a minute
 * apart: through the store's own `accept`, as the service would have written them, only without HTTP.
 */
async function fill(options: Options, name: string): Promise<{ seconds: number; bytes: number }> {
  await using starting = await startService(options, name);
  await starting.call('/mail/send', { to: HELLO, body: QUESTION, sync: true });
  const { folder } = starting;
  await starting[Symbol.asyncDispose]();

  const { openSqlite } = await import('../src/store/sqlite/store.ts');
  const file = join(folder, 'mailroom.db');
  const from = performance.now();
  {
    await using store = await openSqlite(file);
    const key = await store.keys.bySha256(sha256(ownerKey(folder)));
    const sent = await store.messages.page({ sender_namespace_id: key?.namespace_id ?? '' }, null, 1);
    const [sample] = sent.items;
    if (sample?.status !== 'completed') throw new Error('the exchange to copy is missing');
    const first = Date.now() - MILLION * MINUTE_MS;
    let made = 0;
    const keepWriting = async (): Promise<void> => {
      while (made < MILLION) {
        const at = first + made++ * MINUTE_MS;
        const id = newId('msg', at);
        const message: Message = { ...sample, id, thread_id: threadOf(id), created_at: at, settled_at: at };
        const { kind } = await store.messages.accept({ message, waiting_most: 1, from_mailbox_id: null });
        if (kind !== 'accepted') throw new Error(`filling: ${kind}`);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, keepWriting));
  }
  return { seconds: (performance.now() - from) / 1000, bytes: statSync(file).size };
}

async function run(options: Options): Promise<Report> {
  options.say('storing a million messages');
  const filled = await fill(options, 'million');
  const rounds = options.rounds ?? ROUNDS;
  const all: Compared[][] = [];
  for (let round = 1; round <= rounds; round++) {
    // Anew in every round, or the empty one would fill.
    await using empty = await startService(options, `empty-${round}`);
    await using full = await startService(options, 'million');
    const letter = (service: typeof empty) => service.letter(HELLO, [QUESTION], true);
    all.push(
      await compare(
        [
          { name: 'on an empty store', server: empty, letter: letter(empty) },
          { name: 'after a million messages', server: full, letter: letter(full) },
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
      `Median of ${rounds} rounds; each starts both services anew and has an empty store of its own.`,
      `The million went in through the store at ${whole(MILLION / filled.seconds)} a second, ${mebibytes(filled.bytes)}.`,
    ],
  };
}

export const million: Benchmark = { name: 'million', about: 'the same send after a million stored messages', run };
