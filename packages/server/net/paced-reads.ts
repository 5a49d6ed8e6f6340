import type { Socket } from 'node:net';

/** What Node.js reads of a socket at a time; with as much, it reads again, up to 32 times in a turn of the event loop. */
const READ_BYTES = 64 * 1024;
/** Sockets that are read again in each turn, of all networks and of one. */
const MAX_AGAIN = 16;
const MAX_AGAIN_OF_NETWORK = 4;

/**
 * Bounds what is read in a turn of the event loop of sockets that send as fast as they can: each is read once or
 * twice, and again when it is its network's turn. Else a few dozen that send mails or files hold up all others for a second.
 */
export class PacedReads {
  /** The sockets that wait to be read again, by network, in the order of the networks' turns. */
  readonly #waiting = new Map<string, Socket[]>();
  #scheduled = false;

  /** How many sockets wait to be read again. */
  get waiting(): number {
    let count = 0;
    for (const sockets of this.#waiting.values()) count += sockets.length;
    return count;
  }

  /** Paces a socket, which counts for this network. */
  watch(socket: Socket, network: string): void {
    const push = socket.push.bind(socket);
    // Before any listener, since each of them would have the socket read before its reader is there.
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
      const more = push(chunk, encoding);
      if (more && chunk !== null && chunk.length >= READ_BYTES && !socket.isPaused()) this.#pause(socket, network);
      return more;
    };
  }

  #pause(socket: Socket, network: string): void {
    socket.pause();
    const waiting = this.#waiting.get(network);
    if (waiting === undefined) this.#waiting.set(network, [socket]);
    else waiting.push(socket);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#readAgain();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  #readAgain(): void {
    let room = MAX_AGAIN;
    for (const [network, sockets] of [...this.#waiting]) {
      if (room <= 0) return;
      this.#waiting.delete(network);
      const next = sockets.splice(0, Math.min(room, MAX_AGAIN_OF_NETWORK));
      if (sockets.length > 0) this.#waiting.set(network, sockets);
      room -= next.length;
      for (const socket of next) socket.resume();
    }
  }
}
