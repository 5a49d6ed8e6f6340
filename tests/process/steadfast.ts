import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Ask, Client } from '../harness/client.ts';
import { clientOver, unique } from '../harness/client.ts';
import type { Node } from '../harness/nodes.ts';
import type { Envelope } from '../harness/wire.ts';
import type { OnBroken } from './promises.ts';

/** Longer than any answer may take, waits included. */
const HUNG_MS = 75_000;
/** How long one request is repeated before it counts as refused for good. */
const PATIENCE_MS = 90_000;
/** The longest rest before a request: the machine is to be busy, not full. */
const PAUSE_MS = 250;

/** A send that succeeded; milliseconds of `performance.now()`. */
interface Success {
  readonly began: number;
  readonly ended: number;
}

/** A caller of many nodes who does not give up, and looks closely at every answer. */
export interface Steadfast {
  /**
   * Asks any node; after a 503 or a cut connection another one, with the same `Idempotency-Key`, or with another text
   * when a message is sent without one: the first may have been accepted.
   */
  readonly client: Client;
  readonly successes: readonly Success[];
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many connections were cut by the end of their node. */
  readonly cut: number;
  /** This node is about to be killed, or serves again: what breaks around that moment is not held against it. */
  changes(node: Node, serves: boolean): void;
  /** From now on every request ends as one whose connection broke. */
  end(): void;
}

export function makeSteadfast(nodes: readonly Node[], random: () => number, report: OnBroken): Steadfast {
  const statuses = new Map<number, number>();
  const successes: Success[] = [];
  const down = new Set<Node>();
  const changed = new Map<Node, number>();
  let cut = 0;
  let over = false;

  const other = (than?: Node): Node => {
    const left = nodes.filter((node) => node !== than);
    return left[Math.floor(random() * left.length)] as Node;
  };
  const excused = (node: Node, began: number): boolean => down.has(node) || (changed.get(node) ?? 0) >= began;

  /** One request to one node; undefined when another is to be asked. */
  const tryOn = async <T>(node: Node, method: string, path: string, ask: Ask): Promise<Answer<T> | undefined> => {
    const began = performance.now();
    const what = `${method} ${path} on ${node.name}`;
    try {
      const answer = await node.client.api<T>(method, path, { ...ask, signal: AbortSignal.timeout(HUNG_MS) });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 503) {
        if (!/^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? '')) report(`${what}: 503 without Retry-After`);
        return undefined;
      }
      const wrong = wrongIn(method, path, ask, answer);
      if (wrong !== undefined) report(`${what}: ${wrong}: ${answer.status} ${answer.text.slice(0, 300)}`);
      else if (isSend(method, path)) successes.push({ began, ended: performance.now() });
      return answer;
    } catch (error) {
      if (error instanceof TypeError) {
        cut++;
        if (!excused(node, began)) report(`${what}: it lives, and cut the connection: ${error.cause}`);
      } else if (error instanceof DOMException) report(`${what}: no answer in ${HUNG_MS} ms`);
      else throw error;
      return undefined;
    }
  };

  const api = async <T>(method: string, path: string, ask: Ask = {}): Promise<Answer<T>> => {
    const renewed = isSend(method, path) && ask.headers?.['idempotency-key'] === undefined;
    const own = method === 'POST' && !renewed ? { 'idempotency-key': unique('again-') } : {};
    let asked: Ask = { ...ask, headers: { ...own, ...ask.headers } };
    const until = performance.now() + PATIENCE_MS;
    for (let node = other(); performance.now() < until; node = other(node)) {
      await pause(random() * PAUSE_MS);
      if (over) break;
      const answer = await tryOn<T>(node, method, path, asked);
      if (answer !== undefined) return answer;
      if (renewed) asked = { ...asked, body: { ...(asked.body as object), body: unique('again ') } };
    }
    if (!over) report(`${method} ${path}: no node answered in ${PATIENCE_MS} ms`);
    throw new TypeError('It is over');
  };

  return {
    client: clientOver('any node', api),
    successes,
    statuses,
    get cut() {
      return cut;
    },
    changes(node, serves) {
      changed.set(node, performance.now());
      if (serves) down.delete(node);
      else down.add(node);
    },
    end() {
      over = true;
    },
  };
}

const isSend = (method: string, path: string): boolean => method === 'POST' && path === '/mail/send';

/** What is wrong in an answer that is not a 503, in words. */
function wrongIn(method: string, path: string, ask: Ask, answer: Answer<unknown>): string | undefined {
  const { status } = answer;
  // Done by an earlier request whose answer was cut off.
  if (method === 'DELETE' && (status === 404 || status === 410)) return undefined;
  if (status < 200 || status > 299) return 'neither success nor 503';
  if (!isSend(method, path)) return undefined;
  const sent = ask.body as { readonly to: string; readonly body: string; readonly sync?: boolean };
  const envelope = answer.body as Envelope;
  if (envelope.to !== sent.to || envelope.body !== sent.body) return 'the answer to another message';
  if (envelope.reply !== null && envelope.reply.in_reply_to !== envelope.id) return 'the reply to another message';
  if ((envelope.status === 'completed') !== (envelope.reply !== null))
    return 'completed without a reply, or the reverse';
  if (status === 200 && sent.sync === true && envelope.settled_at === null) return 'a 200 for what is not settled';
  return undefined;
}
