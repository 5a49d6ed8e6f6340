import type { Millis } from '@mailroom/behavior/values/clock';
import type { SMTPServerDataStream } from 'smtp-server';
import type { HeldBytes } from '../../core/limits/held-bytes.ts';
import { SmtpFailure } from './failure.ts';

/** The least bytes of a mail that arrive in a time. */
export interface MinSpeed {
  readonly bytes: number;
  readonly ms: Millis;
}

interface Options {
  readonly max_bytes: number;
  readonly held: HeldBytes;
  readonly network: string;
  readonly min_speed: MinSpeed;
  /** Why the mail is not taken, whatever it says: none of it is kept. */
  readonly refusal: SmtpFailure | undefined;
  /** Bytes arrived. */
  readonly onBytes: () => void;
  /** Ends the connection of a mail that is too slow. */
  readonly onSlow: () => void;
}

const CR = 13;
const LF = 10;
/** The parts in which a mail is kept, in bytes: the first one, and the largest. */
const FIRST_PART = 16 * 1024;
const MAX_PART = 1024 * 1024;

const bareLineEnd = (): SmtpFailure =>
  new SmtpFailure(550, '5.6.11', 'A line ends in CR or LF alone. End lines in CR LF.');

/**
 * The bytes of a mail; `held` counts them until `release`. Reads to the end in any case, since only then an answer can be sent.
 * SmtpFailure when it is refused, too large, too slow or not whole, there is no room, or a line ends in CR or LF alone,
 * which servers read differently so that one mail could hide another (RFC 5321, section 2.3.8).
 */
export async function readContent(
  stream: SMTPServerDataStream,
  { max_bytes, held, network, min_speed, refusal, onBytes, onSlow }: Options,
): Promise<{ readonly raw: Uint8Array<ArrayBuffer>; readonly release: () => void }> {
  const content = new Content();
  let failure = refusal;
  let size = 0;
  let last = 0;
  let seen = 0;
  const timer = setInterval(() => {
    if (size - seen < min_speed.bytes) onSlow();
    seen = size;
  }, min_speed.ms);
  timer.unref();
  const fail = (reason: SmtpFailure): void => {
    failure = reason;
    content.clear();
    holding.release();
  };
  const full = (): void => fail(new SmtpFailure(452, '4.3.1', 'Many mails are being received. Try again later.'));
  const holding = held.begin(network, full);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      onBytes();
      if (failure !== undefined) continue;
      if (size > max_bytes) fail(new SmtpFailure(552, '5.3.4', `A mail has at most ${max_bytes} bytes.`));
      else if (!holding.take(chunk.length)) full();
      else if (hasBareLineEnd(chunk, last)) fail(bareLineEnd());
      else content.add(chunk);
      last = chunk.at(-1) ?? last;
    }
  } catch {
    // No matter of the operator, and no one is left to be told.
    fail(new SmtpFailure(451, '4.4.2', 'The connection ended within the mail.'));
  } finally {
    clearInterval(timer);
  }
  if (failure === undefined && last === CR) fail(bareLineEnd());
  if (failure !== undefined) {
    holding.release();
    throw failure;
  }
  holding.whole();
  return { raw: content.whole(), release: holding.release };
}

/** Bytes in few parts, since each chunk that arrives, which may be a byte, would take a hundred more. */
class Content {
  #parts: Uint8Array<ArrayBuffer>[] = [];
  /** The bytes used of the last part. */
  #used = 0;
  #size = 0;

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    for (let rest = chunk; rest.length > 0; ) {
      let part = this.#parts.at(-1);
      if (part === undefined || this.#used === part.length) {
        part = new Uint8Array(Math.min(MAX_PART, Math.max(FIRST_PART, (part?.length ?? 0) * 2)));
        this.#parts.push(part);
        this.#used = 0;
      }
      const piece = rest.subarray(0, part.length - this.#used);
      part.set(piece, this.#used);
      this.#used += piece.length;
      rest = rest.subarray(piece.length);
    }
  }

  clear(): void {
    this.#parts = [];
    this.#used = 0;
    this.#size = 0;
  }

  /** All of them; they are kept here no longer. */
  whole(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#size);
    let offset = 0;
    for (const part of this.#parts) {
      const piece = part.subarray(0, all.length - offset);
      all.set(piece, offset);
      offset += piece.length;
    }
    this.clear();
    return all;
  }
}

/** Whether an LF follows no CR, or a CR precedes no LF, in a chunk that follows the byte `lastByte`. */
function hasBareLineEnd(chunk: Buffer, lastByte: number): boolean {
  if (lastByte === CR && chunk[0] !== LF) return true;
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1))
    if ((at === 0 ? lastByte : chunk[at - 1]) !== CR) return true;
  for (let at = chunk.indexOf(CR); at >= 0 && at < chunk.length - 1; at = chunk.indexOf(CR, at + 1))
    if (chunk[at + 1] !== LF) return true;
  return false;
}
