import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Ask, type Client, clientOver, unique } from '../../../../tests/harness/client.ts';
import type { Node } from '../../../../tests/harness/nodes.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import type { OnBroken } from './promises.ts';

/** Longer than any answer takes, waits included. */
const HUNG_MS = 75_000;
/** How long a request is retried before the test fails. */
const PATIENCE_MS = 90_000;
/** The longest pause before a request, which keeps the machine busy but not overloaded. */
const PAUSE_MS = 250;

/** A successful send, in milliseconds of `performance.now()`. */
interface Success {
  readonly began: number;
  readonly ended: number;
}

/** A client of many nodes that retries requests and checks every answer. */
export interface Steadfast {
  /**
   * Sends to any node. After a 503 or a broken connection it retries on another node with the same `Idempotency-Key`,
   * or with a new text when the message has no key, since the first one may have been accepted.
   */
  readonly client: Client;
  readonly successes: readonly Success[];
  /** The number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many connections broke because their node ended. */
  readonly cut: number;
  /** Marks a node as about to be killed or as serving again, so that errors around that moment are excused. */
  changes(node: Node, serves: boolean): void;
  /** From now on every request fails as with a broken connection. */
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
    const left = nodes.length === 1 ? nodes : nodes.filter((node) => node !== than);
    return left[Math.floor(random() * left.length)] as Node;
  };
  const excused = (node: Node, began: number): boolean => down.has(node) || (changed.get(node) ?? 0) >= began;

  /** Sends one request to one node; undefined when another node should be tried. */
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
    let request: Ask = { ...ask, headers: { ...own, ...ask.headers } };
    const until = performance.now() + PATIENCE_MS;
    for (let node = other(); performance.now() < until; node = other(node)) {
      await pause(random() * PAUSE_MS);
      if (over) break;
      const answer = await tryOn<T>(node, method, path, request);
      if (answer !== undefined) return answer;
      if (renewed) request = { ...request, body: { ...(request.body as object), body: unique('again ') } };
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

/** Describes what is wrong in an answer other than 503. */
function wrongIn(method: string, path: string, ask: Ask, answer: Answer<unknown>): string | undefined {
  const { status } = answer;
  // An earlier attempt, whose answer was cut off, has done it.
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
