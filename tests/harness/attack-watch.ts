// A worker thread, so that an attacker's loop in the test does not look like a stall of the service.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Sight } from './attack.ts';

const { port, ownerKey } = workerData as { port: number; ownerKey: string };
const LOOK_EACH_MS = 40;
/** Below the default limit of 600 sends a minute and key. */
const SEND_EACH_MS = 150;
/** An answer that takes longer counts as none. */
const PATIENCE_MS = 20_000;
const MESSAGE = JSON.stringify({ to: 'hello@agents.mailroom.localhost', body: 'Who are you?', sync: true });

interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** A client with its own connection and its own local address. */
function caller(localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  return (method: string, path: string, body?: string): Promise<Outcome> =>
    new Promise((resolve) => {
      const began = performance.now();
      const finish = (status: number, text: string): void => resolve({ status, text, ms: performance.now() - began });
      const headers = { authorization: `Bearer ${ownerKey}`, 'content-type': 'application/json' };
      const outgoing = request(
        { host: '127.0.0.1', port, method, path, agent, timeout: PATIENCE_MS, ...(body !== undefined && { headers }) },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () => finish(response.statusCode ?? 0, text));
          response.on('error', (error) => finish(0, String(error)));
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
      outgoing.on('error', (error) => finish(0, String(error)));
      outgoing.end(body);
    });
}

class Looking {
  #stopped = false;
  #longest_ms = 0;
  #asked = 0;
  #unanswered = 0;
  readonly #sends: number[] = [];
  readonly #refused: string[] = [];
  readonly #done: Promise<unknown>;

  constructor() {
    this.#done = Promise.all([this.#look(), this.#send()]);
  }

  async end(): Promise<Sight> {
    this.#stopped = true;
    await this.#done;
    const sorted = this.#sends.toSorted((a, b) => a - b);
    return {
      longest_ms: Math.round(this.#longest_ms),
      asked: this.#asked,
      unanswered: this.#unanswered,
      bystander: {
        sent: sorted.length,
        refused: this.#refused.slice(0, 10),
        p99_ms: Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0),
      },
    };
  }

  async #look(): Promise<void> {
    const ask = caller('127.0.0.8');
    while (!this.#stopped) {
      const { status, ms } = await ask('GET', '/livez');
      this.#asked += 1;
      if (status !== 200) this.#unanswered += 1;
      this.#longest_ms = Math.max(this.#longest_ms, ms);
      await pause(Math.max(0, LOOK_EACH_MS - ms));
    }
  }

  async #send(): Promise<void> {
    const ask = caller('127.0.0.9');
    while (!this.#stopped) {
      const { status, text, ms } = await ask('POST', '/api/v1/mail/send', MESSAGE);
      this.#sends.push(ms);
      if (status !== 200 || !text.includes('"status":"completed"'))
        this.#refused.push(`${status} ${text.slice(0, 300)}`);
      await pause(Math.max(0, SEND_EACH_MS - ms));
    }
  }
}

let looking: Looking | undefined;
parentPort?.on('message', async (word: 'begin' | 'end') => {
  if (word === 'begin') {
    looking = new Looking();
    parentPort?.postMessage(null);
  } else parentPort?.postMessage(await looking?.end());
});
