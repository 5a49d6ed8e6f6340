import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '@mailroom/server/store/postgres/store';
import { type Postgres, query } from '../tests/harness/postgres.ts';
import { fill } from './harness/fill.ts';
import { median, ratio, spread, whole } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { ownerKey, type Service, startService } from './harness/service.ts';

const NODE = fileURLToPath(new URL('servers/node.ts', import.meta.url));
const ROUNDS = 3;
const WAITING = 20_000;
/** How many messages each node handles at a time. */
const CONCURRENCY = 32;

type Kind = 'wait' | 'hello';
const WORK: Readonly<Record<Kind, string>> = {
  wait: 'work that waits 20 ms',
  hello: 'work that does not wait (hello)',
};

/** Messages a second that this many nodes handle, from the moment the mailbox is resumed. */
async function drain(options: Options, postgres: Postgres, nodes: number, kind: Kind): Promise<number> {
  const DATABASE_URL = await postgres.newDatabase();
  const name = `drain-${kind}-${nodes}-${Date.now()}`;
  const settings = { DATABASE_URL, RUN_MAX: String(CONCURRENCY) };
  const services: Service[] = [await startService(options, name, settings, NODE)];
  await using stack = new AsyncDisposableStack();
  const first = stack.use(services[0] as Service);
  const behavior = kind === 'wait' ? { name: kind } : { name: kind, settings: { name: 'Ada', introduction: 'Hello!' } };
  await first.call('/namespaces/agents/mailboxes', { local_part: 'drained', behavior });
  await first.call('/mailboxes/drained@agents.mailroom.localhost', { status: 'paused' }, 'PATCH');
  for (let more = 1; more < nodes; more++) stack.use(await startService(options, name, settings, NODE));
  {
    await using store = await openPostgres(DATABASE_URL, { alongside: true });
    await fill(store, {
      key: ownerKey(join(options.folder, name)),
      local_part: 'drained',
      count: WAITING,
      at: () => Date.now(),
    });
  }
  await query(DATABASE_URL, 'vacuum analyze');
  const from = performance.now();
  await first.call('/mailboxes/drained@agents.mailroom.localhost', { status: 'online' }, 'PATCH');
  for (;;) {
    const [row] = await query(DATABASE_URL, 'select exists (select 1 from handlings) as some');
    if (row?.some !== true) break;
    await sleep(20);
  }
  const seconds = (performance.now() - from) / 1000;
  const [row] = await query(DATABASE_URL, `select count(*)::int as settled from messages where reply_id is not null`);
  if (row?.settled !== WAITING) throw new Error(`${row?.settled} of ${WAITING} were answered`);
  return WAITING / seconds;
}

async function run(options: Options): Promise<Report> {
  await using postgres = await startSyncedPostgres();
  const rounds = options.rounds ?? ROUNDS;
  const rates: Record<Kind, Record<1 | 2, number[]>> = { wait: { 1: [], 2: [] }, hello: { 1: [], 2: [] } };
  for (let round = 1; round <= rounds; round++) {
    for (const kind of ['wait', 'hello'] as const) {
      for (const nodes of [1, 2] as const) {
        options.say(`round ${round} of ${rounds}: ${WORK[kind]}, ${nodes} node${nodes > 1 ? 's' : ''}`);
        rates[kind][nodes].push(await drain(options, postgres, nodes, kind));
      }
    }
  }
  const shares = (kind: Kind): number[] => rates[kind][2].map((two, at) => two / (rates[kind][1][at] as number));
  return {
    table: [
      [`${whole(WAITING)} waiting`, 'one node', 'two nodes', 'ratio', 'ratio in rounds'],
      ...(['wait', 'hello'] as const).map((kind) => [
        WORK[kind],
        `${whole(median(rates[kind][1]))}/s`,
        `${whole(median(rates[kind][2]))}/s`,
        ratio(median(shares(kind))),
        spread(shares(kind), ratio),
      ]),
    ],
    wanted: [
      {
        met: median(shares('wait')) >= 1.6,
        text: `twice the nodes, 1.6 times as fast: ${ratio(median(shares('wait')))}`,
      },
      { met: median(shares('hello')) >= 1, text: `not slower where nothing waits: ${ratio(median(shares('hello')))}` },
    ],
    notes: [
      `Median of ${rounds} rounds. ${CONCURRENCY} messages at a time on each node (RUN_MAX), PostgreSQL ${postgres.major} on this machine.`,
      'From the moment the mailbox is resumed until the last message is settled; each round fills a new database.',
    ],
  };
}

export const drain20k: Benchmark = {
  name: 'drain',
  about: '20,000 waiting messages, one node and two on PostgreSQL',
  run,
};
