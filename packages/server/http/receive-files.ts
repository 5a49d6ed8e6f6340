import type { Readable } from 'node:stream';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../core/access/caller.ts';
import type { Upload } from '../core/files/uploads.ts';
import { drain, MAX_DRAIN } from './answer.ts';
import { type Part, readParts } from './multipart.ts';

/** A multipart body that arrived: its part `message`, or the fields of a form, and the stored files. */
export interface Received {
  readonly json?: Buffer;
  readonly form?: URLSearchParams;
  readonly upload: Upload | undefined;
  /** Why the files of a form could not be stored. */
  readonly failed?: AppError | undefined;
}

interface Options {
  /** Begins an upload of the caller. */
  readonly begin: (caller: Caller) => Upload;
  /** Bytes of the part `message`. */
  readonly max_json: number;
  /** Throws when the part `message` is not what the route takes, so that its files need not arrive first. */
  readonly check: (json: Buffer) => void;
}

/** The name of the part that holds the JSON. */
const MESSAGE = 'message';
/** Bytes of the boundaries and headers of all parts. */
export const OVERHEAD = 64 * 1024;

/**
 * Reads a multipart body and stores its files as they arrive. What it stored is removed when it throws: AppError
 * `malformed_request`, `body_too_large`, `validation_error`, those of `check`, and those of storing a file.
 */
export async function receiveFiles(
  request: FastifyRequest,
  reply: FastifyReply,
  { begin, max_json, check }: Options,
): Promise<Received> {
  const upload = begin(request.caller as Caller);
  const max = upload.limits.max_files + max_json + OVERHEAD;
  let json: Buffer | undefined;
  /** A file that could not be stored, which is reported after what is wrong with the message. */
  let failed: AppError | undefined;
  let files = 0;

  const take = async (part: Part): Promise<void> => {
    if (part.name === MESSAGE) {
      if (json !== undefined) throw invalid(`/${MESSAGE}`, 'There are two parts with this name. Send one.');
      json = await bytesOf(part, max_json, MESSAGE);
      check(json);
    } else if (part.filename === undefined) {
      throw invalid(
        `/${part.name}`,
        'There is no such part. Send the JSON in the part message, and give each file a filename.',
      );
    } else if (failed === undefined) {
      const { filename, content_type, bytes } = part;
      await upload.add({ filename, content_type, bytes }, `/attachments/${files++}`).catch((error: unknown) => {
        if (!(error instanceof AppError) || !LATER.has(error.code)) throw error;
        failed = error;
      });
    }
  };
  try {
    if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(max);
    await readParts(request.body as Readable, request.headers['content-type'] ?? '', max, take);
    if (json === undefined) throw invalid(`/${MESSAGE}`, 'This part is needed: the JSON of the message.');
    if (failed !== undefined) throw failed;
    return { json, upload };
  } catch (error) {
    await upload[Symbol.asyncDispose]();
    dropRest(request, reply);
    throw error;
  }
}

const LATER: ReadonlySet<string> = new Set(['storage_full', 'unavailable']);

/** The bytes of a part. AppError `body_too_large` above `max`, at the field `name`. */
export async function bytesOf({ bytes }: Part, max: number, name: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > max) throw tooLarge(max, `/${name}`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}

/** Reads what is still to come and drops it, so that the caller receives the answer. */
export function dropRest(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.readableEnded || raw.destroyed) return;
  if (Number(request.headers['content-length'] ?? 0) > MAX_DRAIN) reply.header('connection', 'close');
  else drain(request);
  raw.resume();
}

function tooLarge(max: number, pointer?: string): AppError {
  const message = `This has more than ${max} bytes, the maximum.`;
  if (pointer === undefined)
    return new AppError('body_too_large', `The request has more than ${max} bytes, the maximum.`);
  return new AppError('body_too_large', `${pointer}: ${message}`, { errors: [{ pointer, message }] });
}
