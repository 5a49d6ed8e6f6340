import type { SMTPServerDataStream } from 'smtp-server';
import { SmtpFailure } from './failure.ts';

/** Bytes of mails that are received at the same time, of which no more are held in memory. */
export class HeldBytes {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** False when there is no room for them. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

const CR = 13;
const LF = 10;

/**
 * The bytes of a mail; `held` counts them until `release`. Reads to the end in any case, since only then an answer can be
 * sent. SmtpFailure when it is too large or not whole, there is no room, or a line ends in CR or LF alone, which servers read
 * differently so that one mail could hide another (RFC 5321, section 2.3.8).
 */
export async function readContent(
  stream: SMTPServerDataStream,
  { max_bytes, held }: { readonly max_bytes: number; readonly held: HeldBytes },
): Promise<{ readonly raw: Uint8Array<ArrayBuffer>; readonly release: () => void }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let taken = 0;
  let last = 0;
  let failure: SmtpFailure | undefined;
  const release = (): void => {
    held.release(taken);
    taken = 0;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (failure !== undefined) continue;
      if (size > max_bytes) failure = new SmtpFailure(552, '5.3.4', `A mail has at most ${max_bytes} bytes.`);
      else if (!held.take(chunk.length))
        failure = new SmtpFailure(452, '4.3.1', 'Many mails are being received. Try again later.');
      else {
        taken += chunk.length;
        if (hasBareLineEnd(chunk, last))
          failure = new SmtpFailure(550, '5.6.11', 'A line ends in CR or LF alone. End lines in CR LF.');
      }
      last = chunk.at(-1) ?? last;
      if (failure === undefined) chunks.push(chunk);
      else chunks.length = 0;
    }
    if (failure === undefined && last === CR)
      failure = new SmtpFailure(550, '5.6.11', 'A line ends in CR or LF alone. End lines in CR LF.');
    if (failure !== undefined) throw failure;
  } catch (error) {
    release();
    if (error instanceof SmtpFailure) throw error;
    // No matter of the operator, and no one is left to be told.
    throw new SmtpFailure(451, '4.4.2', 'The connection ended within the mail.');
  }
  const raw = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    raw.set(chunk, at);
    at += chunk.length;
  }
  return { raw, release };
}

/** Whether an LF follows no CR, or a CR precedes no LF, in a chunk that follows the byte `before`. */
function hasBareLineEnd(chunk: Buffer, before: number): boolean {
  if (before === CR && chunk[0] !== LF) return true;
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1))
    if ((at === 0 ? before : chunk[at - 1]) !== CR) return true;
  for (let at = chunk.indexOf(CR); at >= 0 && at < chunk.length - 1; at = chunk.indexOf(CR, at + 1))
    if (chunk[at + 1] !== LF) return true;
  return false;
}
