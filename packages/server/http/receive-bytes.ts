import type { Readable } from 'node:stream';
import { SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namespaceOf } from '../core/access/caller.ts';
import { dropRest } from './receive-files.ts';
import type { TakenBytes } from './route.ts';

/** A body that is held in memory until it is disposed of. */
export interface HeldBody extends Disposable {
  readonly bytes: Buffer;
}

/**
 * Reads a body as it arrives. AppError `body_too_large`, `malformed_request` when it breaks off, `unavailable` when there
 * is no room for it now.
 */
export async function receiveBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { max, held }: TakenBytes,
): Promise<HeldBody> {
  const { caller } = request;
  let lost = false;
  const holding = held.begin((caller && (namespaceOf(caller) ?? caller.network)) ?? '', () => {
    lost = true;
  });
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(max);
    for await (const piece of request.body as Readable) {
      size += piece.length;
      if (size > max) throw tooLarge(max);
      if (lost || !holding.take(piece.length)) throw full();
      pieces.push(piece);
    }
    holding.whole();
    return { bytes: Buffer.concat(pieces, size), [Symbol.dispose]: holding.release };
  } catch (error) {
    holding.release();
    dropRest(request, reply);
    if (error instanceof AppError) throw error;
    throw new AppError('malformed_request', 'The body broke off. Send the request again, whole.', { cause: error });
  }
}

const tooLarge = (max: number): AppError =>
  new AppError('body_too_large', `The body has more than ${max} bytes, the maximum here.`);

const full = (): AppError =>
  new AppError('unavailable', 'Many mails are being received. Send it again in a moment.', { retry_after_ms: SECOND });
