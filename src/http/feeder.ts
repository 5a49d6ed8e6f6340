import type { Socket } from 'node:net';

/** Bytes that the parser is handed at once: of the shortest requests there are 40 in them, of 64 KiB there were 2,500; */
const SLICE = 1024;
/** and while a body is read. */
const BODY_SLICE = 4 * 1024;

export interface Feeder {
  /** Whether bytes that were read wait for the parser, or the socket is not read. */
  readonly held: boolean;
  resume(): void;
}

interface Parsed {
  /** Node's own mark on a socket whose writes wait: its parser must not be fed then. */
  readonly _paused?: boolean;
}

/**
 * Hands a connection's bytes to Node's HTTP parser in slices and stops while `isFull`, and tells how much of it was a body's. Node parses all it read before it
 * looks whether anybody takes the answers: 64 KiB of short requests are 2,500 at once, each with its objects.
 */
export function feedInSlices(
  socket: Socket,
  isFull: () => boolean,
  inBody: () => boolean,
  onBody: (bytes: number) => void,
): Feeder {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (parse === undefined) throw new Error('This Node.js reads its connections in another way.');
  const parsed = socket as Parsed;
  let rest: Buffer | undefined;
  let stopped = false;
  const feed = (bytes: Buffer): void => {
    let left = bytes;
    while (left.length > 0) {
      if (socket.destroyed) return;
      if (isFull()) {
        rest = left;
        stopped = true;
        socket.pause();
        return;
      }
      if (parsed._paused === true) {
        rest = left;
        return;
      }
      const body = inBody();
      const max = body ? BODY_SLICE : SLICE;
      const slice = left.length <= max ? left : left.subarray(0, max);
      left = left.subarray(slice.length);
      if (body) onBody(slice.length);
      parse(slice);
    }
  };
  const goOn = (): void => {
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
  // Also when Node reads on by itself, as its own writes were taken.
  socket.on('resume', () => {
    if (stopped && isFull()) socket.pause();
    else {
      stopped = false;
      goOn();
    }
  });
  return {
    get held() {
      return stopped || rest !== undefined;
    },
    resume: () => void socket.resume(),
  };
}
