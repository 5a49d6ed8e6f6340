import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId, threadOf } from '../src/core/ids.ts';
import { sha256 } from '../src/core/key.ts';
import type { Message } from '../src/core/message.ts';
import type { Store } from '../src/core/store.ts';
import { openPostgres } from '../src/store/postgres/store.ts';
import { type Postgres, query, startPostgres } from '../tests/harness/postgres.ts';
import { median, ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { ownerKey, QUESTION, type Service, startService } from './harness/service.ts';

const NODE = fileURLToPath(new URL('servers/node.ts', import.meta.url));
const ROUNDS = 3;
const WAITING = 20_000;
/** How many messages each node handles at a time. */
const CONCURRENCY = 32;
const IN_FLIGHT = 500;

type Kind = 'wait' | 'hello';
const WORK: Readonly<Record<Kind, string>> = {
  wait: 'work that waits 20 ms',
  hello: 'work that does not wait (hello)',
};

/** Puts so many letters into a paused mailbox, through the store's own `accept`. */
async function fill(store: Store, key: string, localPart: string): Promise<void> {
  const sender = await store.keys.bySha256(sha256(key));
  const mailbox = await store.mailboxes.byAddress(localPart, 'agents');
  if (sender === undefined || mailbox === undefined) throw new Error('the key or the mailbox is missing');
  let made = 0;
  const write = async (): Promise<void> => {
    while (made++ < WAITING) {
      const now = Date.now();
      const id = newId('msg', now);
      const message: Message = {
        id,
        thread_id: threadOf(id),
        in_reply_to: null,
        retry_of: null,
        mailbox_id: mailbox.id,
        to: `${localPart}@agents`,
        from: null,
        sender_kind: 'key',
        sender_id: sender.id,
        sender_namespace_id: sender.namespace_id,
        key_id: sender.id,
        channel: 'api',
        hops: 0,
        subject: null,
        body: QUESTION,
        data: null,
        status: 'submitted',
        waiting_for: null,
        error_code: null,
        error_message: null,
        reply_body: null,
        reply_data: null,
        created_at: now,
        settled_at: null,
      };
      const accepted = await store.messages.accept({ message, waiting_most: WAITING, from_mailbox_id: null });
      if (accepted.kind !== 'accepted' || !accepted.held) throw new Error(`filling: ${accepted.kind}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, write));
}

/** Messages a second that so many nodes get through, from the moment the mailbox is resumed. */
async function drain(options: Options, postgres: Postgres, nodes: number, kind: Kind): Promise<number> {
  const DATABASE_URL = await postgres.newDatabase();
  const name = `drain-${kind}-${nodes}-${Date.now()}`;
  const settings = { DATABASE_URL, RUN_MOST: String(CONCURRENCY) };
  const services: Service[] = [await startService(options, name, settings, NODE)];
  await using stack = new AsyncDisposableStack();
  const first = stack.use(services[0] as Service);
  const behavior = kind === 'wait' ? { name: kind } : { name: kind, settings: { name: 'Ada', introduction: 'Hello!' } };
  await first.call('/namespaces/agents/mailboxes', { local_part: 'drained', behavior });
  await first.call('/mailboxes/drained@agents.mailroom.localhost', { status: 'paused' }, 'PATCH');
  for (let more = 1; more < nodes; more++) stack.use(await startService(options, name, settings, NODE));
  {
    await using store = await openPostgres(DATABASE_URL, { alongside: true });
    await fill(store, ownerKey(join(options.folder, name)), 'drained');
  }
  await query(DATABASE_URL, 'vacuum analyze');
  const from = performance.now();
  await first.call('/mailboxes/drained@agents.mailroom.localhost', { status: 'online' }, 'PATCH');
  for (;;) {
    const [row] = await query(DATABASE_URL, 'select exists (select 1 from jobs) as some');
    if (row?.some !== true) break;
    await sleep(20);
  }
  const seconds = (performance.now() - from) / 1000;
  const [row] = await query(
    DATABASE_URL,
    `select count(*)::int as settled from messages where status = 'completed' and reply_body is not null`,
  );
  if (row?.settled !== WAITING) throw new Error(`${row?.settled} of ${WAITING} were answered`);
  return WAITING / seconds;
}

async function run(options: Options): Promise<Report> {
  await using postgres = await startPostgres();
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
      `Median of ${rounds} rounds. ${CONCURRENCY} messages at a time on each node (RUN_MOST), PostgreSQL ${postgres.major} on this machine.`,
      'From the moment the mailbox is resumed until the last message is settled; each round fills a new database.',
    ],
  };
}

export const drain20k: Benchmark = {
  name: 'drain',
  about: '20,000 waiting messages, one node and two on PostgreSQL',
  run,
};
