import { unique } from '../../../../tests/harness/client.ts';
import { type Node, startNodes } from '../../../../tests/harness/nodes.ts';
import type { Postgres } from '../../../../tests/harness/postgres.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, ThreadItem } from '../../../../tests/harness/wire.ts';

export interface FrozenOptions {
  readonly postgres: Postgres;
  /** Settings such as DEFECT, see `proof-main.ts`. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface FrozenReport {
  /** How many runs the frozen node finished while the other node owned them. */
  readonly tried: number;
  /** A description of every broken promise. */
  readonly broken: string[];
}

const MESSAGES = 6;
/** Longer than a lease plus the interval at which the other node looks for work. */
const RUN_MS = 3_000;

/**
 * Freezes a node that handles messages until the other node has claimed them, finished all but one and still runs that;
 * then lets it continue to the end of every run. It must settle none.
 */
export async function frozen({ postgres, env = {} }: FrozenOptions): Promise<FrozenReport> {
  await using nodes = await startNodes({ postgres, count: 2, env: { LEASE_SECONDS: '1', ...env } });
  const [victim, heir] = nodes.all as [Node, Node];
  const { gates } = nodes;
  const home = await victim.client.newNamespace();
  const { address: to } = await victim.client.newMailbox(home, { behavior: { name: 'gated' } });
  const send = async (body: string): Promise<Envelope> =>
    (await victim.client.send(home.key, { to, body, data: { ms: RUN_MS } })).body;
  const sent = await Promise.all(Array.from({ length: MESSAGES }, () => send(unique())));
  const began = await Promise.all(sent.map(({ body }) => gates.began(body)));
  const its = sent.filter((_, i) => began[i]?.node === victim.name);
  victim.freeze();
  // What ran on a node that hangs runs one at a time elsewhere; the last one continues.
  const finished: Envelope[] = [];
  const taken = await Promise.all(
    its.map(async (message) => {
      const noted = await gates.began(message.body, victim.name);
      if (finished.length < its.length - 1) {
        finished.push(message);
        gates.open(message.body);
      }
      return noted;
    }),
  );
  const answersBefore = await Promise.all(finished.map(({ id }) => heir.client.read(home.key, id, '?wait=20')));
  // Now the time of the frozen node's runs is over, and that of the other node's runs is not.
  const over = Math.max(...began.map(({ at }) => at)) + RUN_MS;
  await until(
    RUN_MS,
    async () => Date.now(),
    (now) => now > over,
  );
  victim.thaw();
  const ended = await Promise.all(
    its.map(({ body }) =>
      gates.sees((noted) => noted.body === body && noted.node === victim.name && noted.step !== 'began'),
    ),
  );
  const broken: string[] = [];
  for (const { id, thread_id, body } of its) {
    const { body: now } = await heir.client.read(home.key, id, '?wait=20');
    if (now.status !== 'completed') broken.push(`${body} is ${now.status}`);
    if (now.reply?.body !== heir.name) broken.push(`${body} was settled by ${now.reply?.body}, who had lost it`);
    const first = answersBefore.find((answer) => answer.body.id === id);
    if (first !== undefined && first.text !== JSON.stringify(now)) broken.push(`${body} was settled twice`);
    const items = await heir.client.all<ThreadItem>(`/mail/threads/${thread_id}`, home.key);
    const replies = items.filter((item) => item.kind === 'reply').length;
    if (replies !== 1) broken.push(`${body} has ${replies} replies`);
  }
  const tried = its.filter((_, i) => {
    const end = ended[i];
    return end?.step === 'ended' && end.at < (taken[i]?.at ?? 0) + RUN_MS;
  });
  return { tried: tried.length, broken };
}
