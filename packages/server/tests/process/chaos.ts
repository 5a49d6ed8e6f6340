import { setTimeout as pause } from 'node:timers/promises';
import { chance } from '../../../../tests/harness/chance.ts';
import { type Client, clientOver, unique } from '../../../../tests/harness/client.ts';
import { postgresOn } from '../../../../tests/harness/database.ts';
import { type Node, type Nodes, startNodes } from '../../../../tests/harness/nodes.ts';
import type { Postgres } from '../../../../tests/harness/postgres.ts';
import type { ThreadItem } from '../../../../tests/harness/wire.ts';
import { check, each, load, type OnBroken, type Round, setUp } from './promises.ts';
import { makeSteadfast, type Steadfast } from './steadfast.ts';

export interface ChaosOptions {
  readonly postgres: Postgres;
  readonly seed: number;
  /** How often a node is killed. */
  readonly kills: number;
  /** After this many kills a node is also frozen past its lease; default three. */
  readonly kills_per_freeze?: number;
  /** The shortest time between disturbances; default two seconds. */
  readonly period_ms?: number;
  /** How often PostgreSQL is stopped with `immediate` and started again in between; default once. */
  readonly outages?: number;
  /** Settings such as DEFECT, see `proof-main.ts`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Prints the progress. */
  readonly say?: (text: string) => void;
}

export interface ChaosReport {
  readonly kills: number;
  readonly freezes: number;
  readonly outages: number;
  readonly seconds: number;
  /** How many messages the nodes acknowledged. */
  readonly acknowledged: number;
  /** Rows of messages in the database at the end. */
  readonly stored: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that broke when their node ended. */
  readonly cut: number;
  /** Runs that another node started again. */
  readonly repeated: number;
  /** The longest time without a successful send. */
  readonly longest_gap_ms: number;
  /** The longest time from a disturbance to a successful send that began after it. */
  readonly resumed_ms: Readonly<Record<Disturbance['kind'], number>>;
  /** A description of every broken promise. */
  readonly broken: readonly string[];
}

interface Disturbance {
  readonly kind: 'kill' | 'freeze' | 'outage';
  /** When the other nodes could continue: at the kill or freeze, or when PostgreSQL was back. */
  readonly at: number;
}

const LEASE_S = 2;
const PERIOD_MS = 2_000;
const CONVERSATIONS = 2;
const THREAD_LENGTH = 4;

/** Runs three nodes and PostgreSQL under mixed load with repeated disturbances, then checks every promise. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { postgres, kills, kills_per_freeze = 3, period_ms = PERIOD_MS, outages = 1, say = () => {} } = options;
  const random = chance(options.seed);
  const broken: string[] = [];
  const report: OnBroken = (text) => void broken.push(text);
  const disturbances: Disturbance[] = [];
  await using nodes = await startNodes({
    postgres,
    env: { LEASE_SECONDS: String(LEASE_S), SYNC_SECONDS: '10', LOG_LEVEL: 'warn', ...options.env },
  });
  const caller = makeSteadfast(nodes.all, random, report);
  const round = await setUp(caller.client, true);
  const threads = new Map<string, string[]>();
  const began = performance.now();
  const loading = Promise.allSettled([
    load(caller.client, round, { random }),
    ...Array.from({ length: CONVERSATIONS }, () => converse(caller.client, round, threads)),
  ]);
  const any = (): Node => nodes.all[Math.floor(random() * nodes.all.length)] as Node;
  const disturbed = (kind: Disturbance['kind']): void => void disturbances.push({ kind, at: performance.now() });
  const period = (): Promise<unknown> => pause(period_ms + (random() * period_ms) / 2);
  let outagesLeft = outages;
  for (let i = 1; i <= kills; i++) {
    await period();
    const victim = any();
    caller.changes(victim, false);
    await victim.kill();
    disturbed('kill');
    await pause(random() * 500);
    await victim.start();
    caller.changes(victim, true);
    if (i % kills_per_freeze === 0) {
      const frozen = any();
      frozen.freeze();
      disturbed('freeze');
      await pause((LEASE_S + 1) * 1_000);
      frozen.thaw();
    }
    if (outagesLeft > 0 && i >= ((outages - outagesLeft + 1) * kills) / (outages + 1)) {
      outagesLeft--;
      await period();
      await postgres.stop('immediate');
      await pause(500 + random() * 1_000);
      await postgres.start();
      disturbed('outage');
    }
    say(`${i} of ${kills} kills, ${round.promised.size} messages acknowledged, ${broken.length} promises broken`);
  }
  await period();
  caller.end();
  for (const end of await loading) {
    if (end.status === 'rejected' && !(end.reason instanceof TypeError)) report(`the load broke: ${end.reason}`);
  }
  const seconds = (performance.now() - began) / 1_000;
  for (const { name, up, logs } of nodes.all) if (!up) report(`${name} has ended: ${logs().slice(-2_000)}`);
  await afterwards(nodes, round, threads, any, report).catch((error: unknown) => report(`the check broke: ${error}`));
  for (const problem of await postgresOn(postgres).errors(nodes.database)) report(problem);
  if (broken.length > 0) {
    for (const { name, logs } of nodes.all) {
      const errors = logs()
        .split('\n')
        .filter((line) => line.includes('"level":"error"') && !line.includes('"code":"unavailable"'));
      if (errors.length > 0) broken.push(`the last errors in the log of ${name}: ${errors.slice(-5).join('\n')}`);
    }
  }
  const noted = nodes.gates.noted().filter(({ step }) => step === 'began');
  return {
    kills,
    freezes: disturbances.filter(({ kind }) => kind === 'freeze').length,
    outages: outages - outagesLeft,
    seconds,
    acknowledged: round.promised.size + [...threads.values()].flat().length,
    stored: (await nodes.sql(`select id from messages where substr(id, 24) = '0'`)).length,
    statuses: Object.fromEntries(caller.statuses),
    cut: caller.cut,
    repeated: noted.length - new Set(noted.map(({ body }) => body)).size,
    ...gaps(caller, disturbances),
    broken,
  };
}

/**
 * Sends messages in one thread after another, each after the reply to the one before, until the caller is stopped; adds
 * their ids to `threads`.
 */
async function converse(client: Client, { home, hello }: Round, threads: Map<string, string[]>): Promise<void> {
  for (;;) {
    const ids: string[] = [];
    let thread_id: string | undefined;
    while (ids.length < THREAD_LENGTH) {
      const submission = {
        to: hello,
        body: unique('message '),
        sync: true,
        ...(thread_id === undefined ? {} : { thread_id }),
      };
      const answer = await client.send(home.key, submission, { 'idempotency-key': unique('message-') });
      if (answer.status > 299) return;
      thread_id = answer.body.thread_id;
      ids.push(answer.body.id);
      threads.set(thread_id, ids);
    }
  }
}

/** Checks every promise after all nodes serve again and nothing disturbs them. */
async function afterwards(
  nodes: Nodes,
  round: Round,
  threads: ReadonlyMap<string, readonly string[]>,
  any: () => Node,
  report: OnBroken,
): Promise<void> {
  const client = clientOver('any node', (method, path, ask) => any().client.api(method, path, ask));
  await check(client, round, report);
  await each([...threads], async ([id, sentIds]) => {
    const items = await client.all<ThreadItem>(`/mail/threads/${id}?limit=200`, round.home.key);
    const sent = items.filter((item) => item.kind === 'message').map((item) => item.id);
    // The last message may be stored although its answer was cut off.
    if (sentIds.some((one, i) => sent[i] !== one) || sent.length > sentIds.length + 1)
      report(`the thread ${id} of ${sentIds.join()} has ${sent.join()}`);
    for (const submitted of sentIds) {
      const replies = items.filter((item) => item.kind === 'reply' && item.in_reply_to === submitted).length;
      if (replies !== 1) report(`${submitted} of the thread ${id} has ${replies} replies`);
    }
  });
  for (const node of nodes.all) {
    const answer = await node.client.send(round.home.key, { to: round.hello, body: unique('last '), sync: true });
    if (answer.status !== 200) report(`${node.name} does not serve in the end: ${answer.status} ${answer.text}`);
  }
  const twice = await nodes.sql(
    `select body from messages where substr(id, 24) = '0' group by body having count(*) > 1`,
  );
  for (const { body } of twice) report(`${body} is stored twice`);
}

function gaps(
  { successes }: Steadfast,
  disturbances: readonly Disturbance[],
): Pick<ChaosReport, 'longest_gap_ms' | 'resumed_ms'> {
  const ends = successes.map(({ ended }) => ended).sort((a, b) => a - b);
  const longest_gap_ms = ends.reduce((max, end, i) => Math.max(max, end - (ends[i - 1] ?? end)), 0);
  const resumed_ms = { kill: 0, freeze: 0, outage: 0 };
  for (const { kind, at } of disturbances) {
    // Without a success after it, the service never resumed.
    const resumed = successes.reduce(
      (least, { began, ended }) => (began < at ? least : Math.min(least, ended)),
      Infinity,
    );
    resumed_ms[kind] = Math.max(resumed_ms[kind], resumed - at);
  }
  return { longest_gap_ms, resumed_ms };
}
