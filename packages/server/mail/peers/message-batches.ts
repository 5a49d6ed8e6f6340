import type { Clock } from '@mailroom/behavior/values/clock';
import { ASK_ALONE, MAX_PEER_MESSAGES, type PeerMessage, type PeerResult } from '../../core/entities/peer-message.ts';
import type { PeerHttp, PeerResponse } from '../../net/peer-http.ts';
import { AGAIN, ATTEMPT_MS } from './attempt.ts';
import { resultsIn } from './peer-message.ts';
import { type RequestKey, signedHeaders } from './request-signature.ts';

interface Parts {
  readonly http: Pick<PeerHttp, 'request'>;
  readonly clock: Clock;
  /** The largest response. */
  readonly max_response: number;
}

interface Waiting {
  readonly json: string;
  /** Goes without others, because a batch did not say what became of it. */
  readonly alone: boolean;
  readonly resolve: (result: PeerResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A door of a peer with the key that signs, and what waits for it. */
interface Door {
  readonly url: URL;
  readonly key: RequestKey;
  waiting: Waiting[];
  requests: number;
  scheduled: boolean;
}

/** Requests to one door at a time: what comes meanwhile shares the next one. */
const MAX_REQUESTS = 2;
/** Bytes of a batch of several. */
const MAX_BYTES = 512 * 1024;

/** Hands messages over in signed batches. None waits for others: it leaves at once, or as one of a few requests ends. */
export class MessageBatches {
  readonly #parts: Parts;
  /** Those in use. */
  readonly #doors = new Map<string, Door>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What became of a message; `retry_after` in seconds. Rejects with PeerFailed. */
  send(message: PeerMessage, url: URL, key: RequestKey): Promise<PeerResult> {
    const name = `${key.key.selector} ${key.domain} ${url.href}`;
    const door = this.#doors.get(name) ?? { url, key, waiting: [], requests: 0, scheduled: false };
    this.#doors.set(name, door);
    const { promise, resolve, reject } = Promise.withResolvers<PeerResult>();
    door.waiting.push({ json: JSON.stringify(message), alone: false, resolve, reject });
    this.#schedule(name, door);
    return promise;
  }

  /** What one turn of the event loop brings goes together. */
  #schedule(name: string, door: Door): void {
    if (door.scheduled) return;
    door.scheduled = true;
    setImmediate(() => {
      door.scheduled = false;
      while (door.requests < MAX_REQUESTS && door.waiting.length > 0) {
        door.requests += 1;
        void this.#hand(door, takeBatch(door)).finally(() => {
          door.requests -= 1;
          if (door.waiting.length > 0) this.#schedule(name, door);
          else if (door.requests === 0 && !door.scheduled) this.#doors.delete(name);
        });
      }
    });
  }

  async #hand(door: Door, batch: readonly Waiting[]): Promise<void> {
    try {
      const response = await this.#request(door, `{"messages":[${batch.map(({ json }) => json).join(',')}]}`);
      const { status, text } = response;
      const results = status === 200 ? resultsIn(text) : undefined;
      for (const [index, waiting] of batch.entries()) {
        const result = results?.[index];
        // One of several may be why all were refused, or why there is no room for what the response says.
        const isUnclear = result === undefined ? status < 500 && !AGAIN.has(status) : result.status === ASK_ALONE;
        if (isUnclear && batch.length > 1) door.waiting.unshift({ ...waiting, alone: true });
        else waiting.resolve(result ?? statusOf(response));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #request({ url, key }: Door, body: string): Promise<PeerResponse> {
    const { http, clock, max_response: bytes } = this.#parts;
    const signature = signedHeaders({ method: 'POST', url, body }, key, clock());
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...signature };
    return http.request(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(ATTEMPT_MS), bytes });
  }
}

/** As many as go together. */
function takeBatch({ waiting }: Door): readonly Waiting[] {
  let [count, bytes] = [0, 0];
  for (const { json, alone } of waiting) {
    bytes += json.length;
    const isTogether = count === 0 || (!alone && bytes <= MAX_BYTES && count < MAX_PEER_MESSAGES);
    if (!isTogether) break;
    count += 1;
    if (alone) break;
  }
  return waiting.splice(0, count);
}

/** What a response says of each of its messages. */
const statusOf = ({ status, headers }: PeerResponse): PeerResult => {
  const seconds = Number(headers['retry-after']);
  return { status, ...(seconds > 0 && { retry_after: seconds }) };
};
