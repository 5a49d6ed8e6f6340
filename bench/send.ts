import { setTimeout as sleep } from 'node:timers/promises';
import { a2aSubmission, rawSubmission, startA2a, startRaw } from './harness/baselines.ts';
import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { median, ratio, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, type Service, startService } from './harness/service.ts';

const ROUNDS = 8;
const CONNECTIONS = 64;

/** Waits until the last message is settled, because async sends are accepted faster than they are handled. */
async function allSettled(service: Service): Promise<void> {
  for (const status of ['submitted', 'working']) {
    for (;;) {
      const path = `/mailboxes/${HELLO}/messages?limit=1&status=${status}`;
      const { items } = (await service.call(path)) as { items: unknown[] };
      if (items.length === 0) break;
      await sleep(50);
    }
  }
}

/** Every message answered with 200 must be readable. */
async function oneExchange(service: Service): Promise<void> {
  const sent = (await service.call('/mail/send', { to: HELLO, body: QUESTION, sync: true })) as { id: string };
  const read = (await service.call(`/mail/messages/${sent.id}`)) as { status: string; reply: object | null };
  if (read.status !== 'completed' || read.reply === null) throw new Error(`not settled: ${JSON.stringify(read)}`);
}

async function run(options: Options): Promise<Report> {
  await using raw = await startRaw(options);
  await using sync = await startService(options, 'sync-sends');
  // Without this limit the waiting messages would end the measurement early, because sends are accepted faster than
  // handled.
  await using later = await startService(options, 'async-sends', { LIMIT_WAITING: '1000000' });
  await using task = await startA2a(options, 'task');
  await using message = await startA2a(options, 'message');
  await oneExchange(sync);

  const contenders = [
    { name: 'raw node:http, JSON in and out', server: raw, submission: rawSubmission },
    { name: 'Mailroom, sync hello, durable', server: sync, submission: sync.submission(HELLO, [QUESTION], true) },
    {
      name: 'Mailroom, async send, durable',
      server: later,
      submission: later.submission(HELLO, [QUESTION], false),
      settle: () => allSettled(later),
    },
    { name: 'A2A agent, echo task in memory', server: task, submission: a2aSubmission('task') },
    { name: 'A2A agent, bare echo message', server: message, submission: a2aSubmission('message') },
  ];
  const rounds = options.rounds ?? ROUNDS;
  const plan = { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 2000 };
  const compared = await compare(contenders, plan, options.say);
  const [, hello, accepted, agent, bare] = compared as [Compared, Compared, Compared, Compared, Compared];

  const toAgent = (other: Compared): number =>
    median(hello.rounds.map((round, index) => round.rate / (other.rounds[index]?.rate ?? Number.NaN)));
  const handled = accepted.rounds.map((round) => round.sent / round.settled_s);

  return {
    table: figures(compared),
    wanted: [{ met: toAgent(agent) >= 3.5, text: `at least 3.5 times the A2A agent: ${ratio(toAgent(agent))}` }],
    notes: [
      disturbance(compared),
      `Median of ${rounds} rounds, each one after the other; ratios are within a round. CPU is the server's, all threads,`,
      'and of async sends with the handling. `hello` compares a sync hello with raw in pairs.',
      `Bytes an answer, with head: ${compared.map((one) => whole(one.of('answer_bytes'))).join(', ')}.`,
      `Async: ${whole(median(handled))} messages a second accepted, handled and settled, from first send to last reply.`,
      `To the A2A agent that answers with a bare message, no task: ${ratio(toAgent(bare))}.`,
    ],
  };
}

export const send: Benchmark = {
  name: 'send',
  about: 'a send at 64 connections, beside raw node:http and an A2A agent',
  run,
};
