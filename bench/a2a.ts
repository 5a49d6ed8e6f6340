import { a2aSubmission, startA2a } from './harness/baselines.ts';
import { type Compared, compare, disturbance, type Submission } from './harness/compare.ts';
import { ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, ownerKey, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = 64;
/** In the place of a number: a repeated `messageId` would be answered from what is stored. */
const SERIAL = '#'.repeat(12);

/** A blocking send to hello: by A2A, by our own API, and to echo agents on the SDK, which keep nothing. */
async function run(options: Options): Promise<Report> {
  await using reference = await startA2a(options, 'lifecycle');
  await using single = await startA2a(options, 'task');
  await using service = await startService(options, 'a2a');
  const authorization = `Bearer ${ownerKey(service.folder)}`;
  const message = { messageId: `bench-${SERIAL}`, role: 'ROLE_USER', parts: [{ text: QUESTION }] };
  const a2a = (path: string, body: object): Submission => ({
    path: `/a2a/${HELLO}${path}`,
    headers: { authorization, 'a2a-version': '1.0' },
    bodies: [JSON.stringify(body)],
    serial: SERIAL,
    status: '200',
    expect: 'TASK_STATE_COMPLETED',
  });
  const send = service.submission(HELLO, [QUESTION], true);
  const repeatable = { ...send.headers, 'idempotency-key': `bench-send-${SERIAL}` };
  const rounds = options.rounds ?? ROUNDS;
  const compared = await compare(
    [
      { name: 'our sync send', server: service, submission: send },
      {
        name: 'with an Idempotency-Key',
        server: service,
        submission: { ...send, headers: repeatable, serial: SERIAL },
      },
      {
        name: 'A2A, JSON-RPC',
        server: service,
        submission: a2a('', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
      },
      { name: 'A2A, HTTP+JSON', server: service, submission: a2a('/v1/message:send', { message }) },
      {
        name: "echo with the reference agent's lifecycle",
        server: reference,
        submission: a2aSubmission('lifecycle'),
      },
      { name: 'echo on the SDK, one event', server: single, submission: a2aSubmission('task') },
    ],
    { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 2000 },
    options.say,
  );
  const [own, , jsonRpc, , lifecycle, one] = compared as [Compared, Compared, Compared, Compared, Compared, Compared];
  const share = jsonRpc.of('ratio');
  const cpu = (other: Compared): number => other.of('cpu_us') / jsonRpc.of('cpu_us');
  const times = (other: Compared): number => share / other.of('ratio');
  const toEcho = (other: Compared): string => `${ratio(times(other))} (CPU time: ${ratio(cpu(other))})`;
  return {
    table: [
      ['at 64 connections', 'requests/s', 'ratio', 'in rounds', 'CPU a request'],
      ...compared.map((each) => [
        each.name,
        whole(each.of('rate')),
        ratio(each.of('ratio')),
        spread(
          each.rounds.map((round) => round.ratio),
          ratio,
        ),
        `${each.of('cpu_us').toFixed(0)} µs`,
      ]),
    ],
    wanted: [
      { met: share >= 0.6, text: `at least 0.6 of our sync send: ${ratio(share)} (CPU time: ${ratio(cpu(own))})` },
      {
        met: times(lifecycle) >= 3,
        text: `at least 3 times an echo with the reference agent's lifecycle: ${toEcho(lifecycle)}`,
      },
    ],
    notes: [
      `To an echo on the SDK that publishes one completed task: ${toEcho(one)}.`,
      disturbance(compared),
      `Median of ${rounds} rounds; ratios are within a round.`,
    ],
  };
}

export const a2a: Benchmark = {
  name: 'a2a',
  about: 'a blocking A2A send to hello, beside our own sync send and echoes on the SDK in memory',
  run,
};
