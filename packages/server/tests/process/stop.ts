import { Agent, request } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { connect, unique } from '../../../../tests/harness/client.ts';
import type { Database } from '../../../../tests/harness/database.ts';
import { gatesOf } from '../../../../tests/harness/gated.ts';
import { newFolder, PROOF_MAIN, removeFolder, type Service, startService } from '../../../../tests/harness/service.ts';
import { slowness } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { each } from './promises.ts';

/** The answer to a request; `whole` when its body is complete. */
interface Reply {
  readonly status: number;
  readonly text: string;
  readonly whole: boolean;
}

/** A request that was written to a connection, and its answer, or an error when there was none. */
interface Asked {
  readonly what: string;
  readonly reply: Promise<Reply | Error>;
  /** Resolves when the system has taken its bytes. */
  readonly written: Promise<void>;
}

/** Sends one request over a connection of the agent, or over its own. */
function ask(url: string, what: string, method: string, agent: Agent | undefined, key: string, body?: object): Asked {
  const sent = request(url, {
    method,
    agent: agent ?? false,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
  });
  const reply = new Promise<Reply | Error>((resolve) => {
    sent.on('error', resolve);
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('error', resolve);
      answer.on('close', () => resolve({ status: answer.statusCode ?? 0, text, whole: answer.complete }));
    });
  });
  const written = new Promise<void>((resolve) => {
    sent.on('finish', resolve);
    sent.on('error', () => resolve());
  });
  sent.end(body && JSON.stringify(body));
  return { what, reply, written };
}

export interface StopReport {
  /** How long it took to end after SIGTERM, in ms. */
  readonly ms: number;
  /** How long it had at most, in ms. */
  readonly max_ms: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Messages that it had accepted when it ended. */
  readonly accepted: number;
  /** How many of these it had not answered with their settlement. */
  readonly unsettled: number;
  /** A description of every broken promise. */
  readonly broken: string[];
}

const KEPT = 100;
const FRESH = 20;
/** On an idle machine; a slow one has as much more as it is slower, because it has to answer all of them in time. */
const STOP_SECONDS = 4;

/**
 * Stops a service while hundreds of unread requests are in its connections and long work runs, then starts it again and
 * checks everything that it accepted.
 */
export async function stop(database: Database): Promise<StopReport> {
  const folder = newFolder();
  const broken: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: KEPT });
  const seconds = Math.ceil(STOP_SECONDS * (await slowness()));
  const env = {
    DATABASE_URL: await database.fresh(folder),
    GATES: folder,
    LEASE_SECONDS: '1',
    STOP_SECONDS: String(seconds),
  };
  const start = (): Promise<Service> => startService({ folder, env, main: PROOF_MAIN });
  try {
    const service = await start();
    const client = connect(service.url);
    const home = await client.newNamespace();
    const { address: hello } = await client.newMailbox(home);
    const { address: slow } = await client.newMailbox(home, { behavior: { name: 'gated' } });
    const { address: paused } = await client.newPaused(home);
    const held = await client.send(home.key, { to: paused, body: 'Hold on.' });
    // It runs longer than the stop waits, so it is left to the next start.
    const long = await client.send(home.key, { to: slow, body: unique('long '), data: { ms: 60_000 } });
    await gatesOf(folder).began(long.body.body);

    const urlOf = (path: string): string => `${service.url}/api/v1${path}`;
    const send = (what: string, fields: object) => (over: Agent | undefined) =>
      ask(urlOf('/mail/send'), what, 'POST', over, home.key, { body: unique(), ...fields });
    const kinds: readonly ((over: Agent | undefined) => Asked)[] = [
      send('sync', { to: hello, sync: true }),
      send('async', { to: hello }),
      send('sync and slow', { to: slow, sync: true, data: { ms: 300 } }),
      send('async and slow', { to: slow, data: { ms: 1_500 } }),
      send('sync and too slow', { to: slow, sync: true, data: { ms: 60_000 } }),
      send('held', { to: paused, sync: true }),
      (over) => ask(urlOf(`/mail/messages/${held.body.id}?wait=60`), 'wait', 'GET', over, home.key),
      (over) => ask(urlOf(`/mail/messages/${long.body.id}?wait=60`), 'wait for long', 'GET', over, home.key),
      (over) => ask(urlOf('/mail/messages?limit=200'), 'list', 'GET', over, home.key),
    ];
    await Promise.all(
      Array.from({ length: KEPT }, () => ask(`${service.url}/livez`, 'livez', 'GET', agent, home.key).reply),
    );
    const count = (sockets: NodeJS.ReadOnlyDict<readonly unknown[]>) => Object.values(sockets).flat().length;
    await until(
      5_000,
      async () => count(agent.freeSockets),
      (free) => free === KEPT,
    );

    // While the process is frozen the system buffers the requests, so that it finds them together with the signal.
    process.kill(service.pid, 'SIGSTOP');
    const requests = Array.from({ length: KEPT + FRESH }, (_, i) =>
      (kinds[i % kinds.length] as (typeof kinds)[number])(i < KEPT ? agent : undefined),
    );
    await Promise.all(requests.map(({ written }) => written));
    const began = performance.now();
    const stopping = service.stop();
    process.kill(service.pid, 'SIGCONT');
    const replies = await Promise.all(requests.map(async ({ what, reply }) => ({ what, reply: await reply })));
    const exit = await stopping;
    const ms = performance.now() - began;
    if (exit.code !== 0) broken.push(`it ended with ${JSON.stringify(exit)}: ${service.logs()}`);

    const statuses: Record<string, number> = {};
    const accepted = new Map<string, Envelope>();
    for (const { what, reply } of replies) {
      const status = reply instanceof Error ? reply.message : `${reply.status}${reply.whole ? '' : ', cut off'}`;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!['200', '202', '503'].includes(status)) broken.push(`${what} was answered with ${status}`);
      if (reply instanceof Error || !reply.whole) continue;
      const body = JSON.parse(reply.text) as Envelope;
      if (reply.status < 300 && body.id !== undefined) accepted.set(body.id, body);
    }
    for (const error of await database.errors(env.DATABASE_URL)) broken.push(error);

    await using second = await start();
    const there = connect(second.url);
    await there.change(home.key, paused, { status: 'online' });
    for (const { to, body } of accepted.values()) if (to === slow) gatesOf(folder).open(body);
    await each([...accepted.values()], async (envelope) => {
      const now = await there.read(home.key, envelope.id, '?wait=20');
      if (now.body.status !== 'completed') broken.push(`${envelope.id} was accepted and is ${now.text.slice(0, 300)}`);
      else if (envelope.settled_at !== null && !isDeepStrictEqual(now.body, envelope))
        broken.push(`${envelope.id} was settled and is another: ${now.text.slice(0, 300)}`);
    });
    const unsettled = [...accepted.values()].filter(({ settled_at }) => settled_at === null).length;
    return { ms, max_ms: seconds * 1_000, statuses, accepted: accepted.size, unsettled, broken };
  } finally {
    agent.destroy();
    removeFolder(folder);
  }
}
