import type { Socket } from 'node:net';

/** Bytes handed to the parser at a time; they hold up to 40 of the shortest requests. */
export const SLICE = 1024;

export interface Feeder {
  /** Whether bytes wait for the parser, or the socket is not read. */
  readonly held: boolean;
  resume(): void;
}

/**
 * Hands a connection's bytes to Node's HTTP parser in slices, stops while `isFull`, and reports those of a body, of which
 * a slice has `ofBody` bytes at most. Node would parse all it read at once: 64 KiB of short requests are 2,500 request
 * objects.
 */
export function feedInSlices(
  socket: Socket,
  isFull: () => boolean,
  ofBody: () => number | undefined,
  onBody: (bytes: Buffer) => void,
): Feeder {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (parse === undefined) throw new Error('This Node.js reads its connections in another way.');
  let rest: Buffer | undefined;
  let stopped = false;
  const feed = (bytes: Buffer): void => {
    let unread = bytes;
    while (unread.length > 0) {
      if (socket.destroyed) return;
      if (isFull()) {
        rest = unread;
        stopped = true;
        socket.pause();
        return;
      }
      // Node pauses it while its answers or a body are not read, and resumes it afterwards.
      if (socket.isPaused()) {
        rest = unread;
        return;
      }
      const body = ofBody();
      const max = body ?? SLICE;
      const slice = unread.length <= max ? unread : unread.subarray(0, max);
      unread = unread.subarray(slice.length);
      if (body !== undefined) onBody(slice);
      parse(slice);
    }
  };
  const proceed = (): void => {
    if (rest === undefined) return;
    const bytes = rest;
    rest = undefined;
    feed(bytes);
  };
  socket.removeListener('data', parse);
  socket.on('data', (bytes: Buffer) => {
    if (rest === undefined) feed(bytes);
    else rest = Buffer.concat([rest, bytes]);
  });
  // Node also resumes the socket itself when its own writes are flushed.
  socket.on('resume', () => {
    if (stopped && isFull()) socket.pause();
    else {
      stopped = false;
      proceed();
    }
  });
  return {
    get held() {
      return stopped || rest !== undefined;
    },
    resume: () => void socket.resume(),
  };
}
