import type { Socket } from 'node:net';
import type { Millis } from '@mailroom/behavior/values/clock';

/** A socket that sent so much since its last turn is not read before the next one; Node.js reads as much at a time. */
const READ_BYTES = 64 * 1024;
/** Sockets that are read again in each turn, of all networks and of one. */
const MAX_AGAIN = 16;
const MAX_AGAIN_OF_NETWORK = 4;
/** After a longer turn half as many are read in the next, down to one, and after a shorter one twice as many. */
const LONG_MS: Millis = 10;
const SHORT_MS: Millis = 5;

/**
 * Bounds what is read in a turn of the event loop of sockets that send as fast as they can: each is read once, and again
 * when it is its network's turn. Else a few dozen that send mails or files hold up all others for a second, since
 * Node.js reads each of them up to 32 times in a turn.
 */
export class PacedReads {
  /** What reads the sockets that wait for their turn, by network, in the order of the networks' turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #now: () => Millis;
  #max = MAX_AGAIN;
  #scheduled = false;

  constructor(now: () => Millis = () => performance.now()) {
    this.#now = now;
  }

  /** How many sockets wait to be read again. */
  get waiting(): number {
    let count = 0;
    for (const sockets of this.#waiting.values()) count += sockets.length;
    return count;
  }

  /** Paces a socket, which counts for this network; one of TLS itself, since it reads past the socket below it. */
  watch(socket: Socket, network: string): void {
    const push = socket.push.bind(socket);
    const read = socket._read.bind(socket);
    let bytes = 0;
    // Node.js reads no further where this says that there is enough; before any listener, since each of them would have
    // the socket read before its reader is there.
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
      bytes += chunk?.length ?? 0;
      return push(chunk, encoding) && bytes < READ_BYTES;
    };
    // What pauses and resumes the socket meanwhile, such as a pipe, does not have it read earlier.
    socket._read = (size: number): void => {
      if (bytes < READ_BYTES) read(size);
      else
        this.#wait(network, () => {
          bytes = 0;
          if (!socket.destroyed) read(size);
        });
    };
  }

  #wait(network: string, readAgain: () => void): void {
    const waiting = this.#waiting.get(network);
    if (waiting === undefined) this.#waiting.set(network, [readAgain]);
    else waiting.push(readAgain);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const began = this.#now();
    setImmediate(() => {
      this.#scheduled = false;
      const took = this.#now() - began;
      if (took > LONG_MS) this.#max = Math.max(1, this.#max >> 1);
      else if (took < SHORT_MS) this.#max = Math.min(MAX_AGAIN, this.#max * 2);
      this.#readAgain();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  #readAgain(): void {
    let room = this.#max;
    for (const [network, sockets] of [...this.#waiting]) {
      if (room <= 0) return;
      this.#waiting.delete(network);
      const next = sockets.splice(0, Math.min(room, MAX_AGAIN_OF_NETWORK));
      if (sockets.length > 0) this.#waiting.set(network, sockets);
      room -= next.length;
      for (const readAgain of next) readAgain();
    }
  }
}
