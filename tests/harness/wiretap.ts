import { Agent, request } from 'node:http';
import { connect, type NetConnectOpts, Socket } from 'node:net';

/** A forbidden text on a socket, with what stood around it. */
export interface Leak {
  readonly text: string;
  readonly way: 'read' | 'written';
  readonly around: string;
}

/** A forbidden text is at most this long, in base64 too. */
const MAX_TEXT = 40;
const AROUND = 300;
/** The second word of what a client of PostgreSQL writes first: SSLRequest, or version 3.0. */
const DATABASE_STARTS = new Set([80_877_103, 196_608]);

/** Parts of the base64 of any bytes with this text, at each of the three places where it may begin in a group. */
const base64Parts = (text: string): string[] =>
  [0, 1, 2].map((ahead) => {
    const whole = Buffer.from('x'.repeat(ahead) + text).toString('base64');
    const end = Math.floor((ahead + text.length) / 3) * 4;
    return whole.slice(ahead === 0 ? 0 : 4, end);
  });

/**
 * Looks through all that sockets of this process write and read, in plain text also where TLS is in use, for texts that
 * must not leave: as they are, folded, in base64, or in UTF-16. Sockets to the database are left out.
 */
export class Wiretap {
  readonly #forbidden = new Map<string, readonly string[]>();
  readonly #ends = new WeakMap<Socket, Record<Leak['way'], string>>();
  readonly #exempt = new WeakSet<Socket>();
  readonly #exemptPorts = new Set<number>();
  readonly leaks: Leak[] = [];
  /** Bytes that were looked through. */
  bytes = 0;

  constructor() {
    const look = this.#look.bind(this);
    const { write, push } = Socket.prototype;
    Socket.prototype.write = function (this: Socket, ...args: Parameters<Socket['write']>) {
      look(this, 'written', args[0], args[1]);
      return write.apply(this, args);
    } as Socket['write'];
    Socket.prototype.push = function (this: Socket, ...args: Parameters<Socket['push']>) {
      look(this, 'read', args[0], args[1]);
      return push.apply(this, args);
    };
  }

  /** Looks for this text from now on, in either case. */
  forbid(text: string): void {
    this.#forbidden.set(text.toLowerCase(), base64Parts(text));
  }

  /** A request whose connection is not looked at: of one who may read what is forbidden. */
  unseen(method: string, url: string, key: string, body?: unknown): Promise<{ status: number; text: string }> {
    const agent = new Agent();
    agent.createConnection = (options) => {
      const socket = connect(options as NetConnectOpts);
      this.#exempt.add(socket);
      socket.once('connect', () => {
        const { localPort = 0 } = socket;
        this.#exemptPorts.add(localPort);
        socket.once('close', () => this.#exemptPorts.delete(localPort));
      });
      return socket;
    };
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    request(url, { method, agent, headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      agent.destroy();
      resolve({ status: response.statusCode ?? 0, text });
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  #look(socket: Socket, way: Leak['way'], chunk: unknown, encoding: unknown): void {
    if (this.#forbidden.size === 0 || this.#exempt.has(socket)) return;
    if (socket.remotePort !== undefined && this.#exemptPorts.has(socket.remotePort)) return;
    const bytes = bytesOf(chunk, encoding);
    if (bytes === undefined) return;
    let ends = this.#ends.get(socket);
    if (ends === undefined) {
      if (bytes.length >= 8 && DATABASE_STARTS.has(bytes.readUInt32BE(4))) return void this.#exempt.add(socket);
      ends = { read: '', written: '' };
      this.#ends.set(socket, ends);
    }
    this.bytes += bytes.length;
    // Soft line breaks of quoted-printable, folds of base64, and the zeros of UTF-16 are taken out.
    const text = ends[way] + bytes.toString('latin1').replace(/=\r?\n|[\s\0]+/g, '');
    ends[way] = text.slice(-MAX_TEXT);
    const lower = text.toLowerCase();
    for (const [forbidden, encoded] of this.#forbidden) {
      const places = [lower.indexOf(forbidden), ...encoded.map((part) => text.indexOf(part))];
      const place = places.find((found) => found !== -1);
      if (place !== undefined)
        this.leaks.push({ text: forbidden, way, around: text.slice(Math.max(0, place - AROUND), place + AROUND) });
    }
  }
}

function bytesOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (typeof chunk !== 'string') return undefined;
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}
