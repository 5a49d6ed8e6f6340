import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Asked {
  readonly method?: string;
  /** Sent as a bearer token. */
  readonly key?: string | undefined;
  /** Sent as JSON, or as it is where it is a text or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Its text as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a flood reads what it needs, and fails where that is not there.
  json(): any;
}

export interface Home {
  readonly name: string;
  readonly key: string;
  /** A mailbox of it. */
  address: string;
}

/** What the requests of an attacker need. */
export interface AttackTarget {
  readonly port: number;
  /** Where it takes mail, and where mail programs send; 0 where it does not. */
  readonly smtp: number;
  readonly submission: number;
  /** The owner key of the house namespace. */
  readonly owner_key: string;
  /** Ports of endpoints for webhooks: some that answer, and some that never do. */
  readonly endpoints: readonly number[];
}

/** Connections to each network's own address at most; the service allows more. */
const MAX_SOCKETS = 64;
const ANSWER_MS = 30_000;
/** Texts of answers are kept up to this length. */
const MAX_TEXT = 4 * 1024 * 1024;

/** The attacker of one round, from networks of its own. */
export class Attacker {
  readonly target: AttackTarget;
  readonly networks: readonly string[];
  readonly #agents = new Map<string, Agent>();
  readonly #sockets = new Set<Socket>();
  /** How often each status was answered, once the flood has begun. */
  readonly statuses = new Map<string, number>();
  #flooding = false;
  over = false;
  #serial = 0;

  constructor(target: AttackTarget, networks: readonly string[]) {
    this.target = target;
    this.networks = networks;
    for (const localAddress of networks)
      this.#agents.set(localAddress, new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, localAddress }));
  }

  /** A text that was not used before. */
  unique(prefix = 'x'): string {
    return `${prefix}${process.pid.toString(36)}${(++this.#serial).toString(36)}${Date.now().toString(36)}`;
  }

  count(status: string | number): void {
    if (!this.#flooding || this.over) return;
    this.statuses.set(String(status), (this.statuses.get(String(status)) ?? 0) + 1);
  }

  /** Runs what floods for so long, then ends all its connections. */
  async run(flood: () => Promise<unknown>, ms: number): Promise<Readonly<Record<string, number>>> {
    this.#flooding = true;
    const running = flood();
    running.catch(() => {});
    await sleep(ms);
    this.end();
    await Promise.race([running, sleep(5_000)]);
    return Object.fromEntries(this.statuses);
  }

  end(): void {
    this.over = true;
    for (const agent of this.#agents.values()) agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Does it again and again, so many at a time from each network, until the round is over. */
  async loop(width: number, work: (network: string, serial: number) => Promise<unknown>): Promise<void> {
    await Promise.all(
      this.networks.flatMap((network) =>
        Array.from({ length: width }, async (_, lane) => {
          for (let at = lane; !this.over; at += width) {
            const began = performance.now();
            await work(network, at);
            // What fails at once would keep this process from its timers.
            if (performance.now() - began < 1) await sleep(1);
          }
        }),
      ),
    );
  }

  /** Sends a request, and counts the status of its answer. */
  call(network: string, path: string, { method, key, body, headers = {} }: Asked = {}): Promise<Answered> {
    const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return new Promise((resolve) => {
      const finish = (status: number, text: string, got: IncomingHttpHeaders = {}): void => {
        this.count(status === 0 ? 'closed' : status);
        resolve({ status, text, headers: got, json: () => JSON.parse(text) });
      };
      if (this.over) return finish(0, '');
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.target.port,
          path,
          method: method ?? (sent === undefined ? 'GET' : 'POST'),
          agent: this.#agents.get(network),
          timeout: ANSWER_MS,
          headers: {
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(sent !== undefined && {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(sent as string)),
            }),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            if (text.length < MAX_TEXT) text += chunk;
          });
          response.once('end', () =>
            finish(response.complete ? (response.statusCode ?? 0) : 0, text, response.headers),
          );
          response.once('error', () => finish(0, text));
        },
      );
      outgoing.once('timeout', () => outgoing.destroy());
      outgoing.once('error', () => finish(0, ''));
      outgoing.end(sent);
    });
  }

  /** The same below `/api/v1`. */
  api(network: string, path: string, asked: Asked = {}): Promise<Answered> {
    return this.call(network, `/api/v1${path}`, asked);
  }

  /** Opens a connection; undefined where that fails. */
  dial(network: string, port = this.target.port): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      if (this.over) return resolve(undefined);
      const socket = connect({ host: '127.0.0.1', port, localAddress: network });
      this.#sockets.add(socket);
      socket.once('connect', () => resolve(socket));
      socket.once('error', () => resolve(undefined));
      socket.once('close', () => {
        this.#sockets.delete(socket);
        resolve(undefined);
      });
    });
  }

  /** A namespace of this network with a mailbox of this behavior. */
  async home(network: string, behavior: object = HELLO): Promise<Home> {
    const made = await this.api(network, '/namespaces', { body: { name: this.unique('f') } });
    if (made.status !== 201) throw new Error(`no namespace: ${made.status} ${made.text}`);
    const { namespace, key } = made.json();
    const home: Home = { name: namespace.name, key: key.secret, address: '' };
    home.address = await this.mailbox(network, home, behavior);
    return home;
  }

  async mailbox(network: string, { name, key }: Home, behavior: object): Promise<string> {
    const creation = await this.api(network, `/namespaces/${name}/mailboxes`, {
      key,
      body: { local_part: this.unique('m'), behavior },
    });
    if (creation.status !== 201) throw new Error(`no mailbox: ${creation.status} ${creation.text}`);
    return creation.json().address;
  }

  /** One for each network. */
  async homes(behavior: object = HELLO): Promise<(network: string) => Home> {
    const all = new Map<string, Home>();
    for (const network of this.networks) all.set(network, await this.home(network, behavior));
    return (network) => all.get(network) as Home;
  }
}

export const HELLO = { name: 'hello', settings: { name: 'Eve', introduction: 'I flood.' } };
export const BY_HAND = { name: 'agent', settings: { by_hand: true } };

/** A body of `multipart/form-data` with this JSON and one file. */
export function withFile(json: object, file: Buffer, name = 'a.bin') {
  const boundary = 'flood';
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="message"\r\nContent-Type: application/json\r\n\r\n` +
    `${JSON.stringify(json)}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  return {
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** Prepares outside the measured time, and returns what floods until the round is over. */
export interface Flood {
  readonly name: string;
  /** Settings of the service that is flooded. */
  readonly settings?: Readonly<Record<string, string>>;
  begin(attacker: Attacker): Promise<() => Promise<unknown>>;
}
