// The bystander, of another network than the attacker, and who asks /livez: a process of its own, of normal priority.
import { Agent, request } from 'node:http';

export interface WatchQuestion {
  readonly port: number;
  readonly watch_ms: number;
}

export interface Watched {
  /** Milliseconds of each request of the bystander, and of each of /livez. */
  readonly bystander: readonly number[];
  readonly livez: readonly number[];
  /** What was not answered as it should be. */
  readonly refused: readonly string[];
}

const SEND_EACH_MS = 50;
const PAGE_EACH_MS = 250;
const LIVEZ_EACH_MS = 40;
/** An answer that takes longer counts as none. */
const PATIENCE_MS = 20_000;
/** So many that none of them sends more than a key may. */
const KEYS = 3;
const agents = new Map(
  ['127.0.0.8', '127.0.0.9'].map((localAddress) => [localAddress, new Agent({ keepAlive: true, localAddress })]),
);
let keys: readonly string[] = [];
let port = 0;

interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

function ask(network: string, path: string, body?: object, key = ''): Promise<Outcome> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const began = performance.now();
    const finish = (status: number, text: string): void => resolve({ status, text, ms: performance.now() - began });
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: sent === undefined ? 'GET' : 'POST',
        agent: agents.get(network),
        timeout: PATIENCE_MS,
        headers: {
          ...(sent !== undefined && { 'content-type': 'application/json' }),
          ...(key !== '' && { authorization: `Bearer ${key}` }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => finish(response.statusCode ?? 0, text));
        response.once('error', (error) => finish(0, String(error)));
      },
    );
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    outgoing.once('error', (error) => finish(0, String(error)));
    outgoing.end(sent);
  });
}

async function newKeys(): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let at = 0; at < KEYS; at++) {
    const name = `b${process.pid.toString(36)}${at}${Date.now().toString(36)}`;
    const { status, text } = await ask('127.0.0.9', '/api/v1/namespaces', { name });
    if (status !== 201) throw new Error(`The bystander has no key: ${status} ${text}`);
    keys.push(JSON.parse(text).key.secret);
  }
  return keys;
}

async function watch({ port: asked, watch_ms }: WatchQuestion): Promise<Watched> {
  if (port !== asked) {
    port = asked;
    keys = await newKeys();
  }
  const seen = { bystander: [] as number[], livez: [] as number[], refused: [] as string[] };
  const waiting = new Set<Promise<void>>();
  const note = (into: number[], what: string, outcome: Promise<Outcome>): void => {
    const noted = outcome.then(({ status, text, ms }) => {
      into.push(ms);
      if (status !== 200) seen.refused.push(`${what}: ${status} ${text.slice(0, 200)}`);
    });
    waiting.add(noted);
    void noted.finally(() => waiting.delete(noted));
  };
  let sent = 0;
  const hello = { to: 'hello@agents.mailroom.localhost', body: 'Who are you?', sync: true };
  // Requests begin at their time, whether or not those before were answered, so that a stall delays each of them.
  const timers = [
    setInterval(() => {
      note(seen.bystander, 'send', ask('127.0.0.9', '/api/v1/mail/send', hello, keys[sent++ % keys.length]));
    }, SEND_EACH_MS),
    setInterval(() => note(seen.bystander, 'page', ask('127.0.0.9', `/${hello.to}`)), PAGE_EACH_MS),
    setInterval(() => note(seen.livez, 'livez', ask('127.0.0.8', '/livez')), LIVEZ_EACH_MS),
  ];
  await new Promise((resolve) => setTimeout(resolve, watch_ms));
  for (const timer of timers) clearInterval(timer);
  await Promise.all(waiting);
  return seen;
}

process.on('message', (question: WatchQuestion) => {
  watch(question).then(
    (watched) => process.send?.(watched),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
