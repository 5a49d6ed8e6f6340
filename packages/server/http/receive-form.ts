import type { Readable } from 'node:stream';
import { AppError } from '@mailroom/behavior/values/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Upload } from '../core/files/uploads.ts';
import { appendField, MAX_FIELDS, tooManyFields } from './forms.ts';
import { type Part, readParts } from './multipart.ts';
import { bytesOf, dropRest, OVERHEAD, type Received } from './receive-files.ts';

interface Options {
  /** Begins an upload with the fields that arrived before the first file. */
  readonly begin: (form: URLSearchParams) => Promise<Upload>;
  /** Bytes of all files. */
  readonly max_files: number;
  /** Bytes of all fields together. */
  readonly max_fields: number;
}

/**
 * Reads a multipart form and stores its files as they arrive. What keeps the files from being stored is returned with
 * the fields, so that a page can show what was typed. What was stored is removed when it throws: AppError
 * `malformed_request`, `body_too_large` for the fields, `validation_error`, and those of `begin`.
 */
export async function receiveForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { begin, max_files, max_fields }: Options,
): Promise<Received> {
  const form = new URLSearchParams();
  let upload: Upload | undefined;
  let failed: AppError | undefined;
  let [fields, files, size] = [0, 0, 0];

  const take = async (part: Part): Promise<void> => {
    const { name, filename, content_type, bytes } = part;
    if (filename === undefined) {
      if (++fields > MAX_FIELDS) throw tooManyFields();
      const text = await bytesOf(part, max_fields - size, name);
      size += text.length;
      appendField(form, name, text.toString('utf8'));
      return;
    }
    // Browsers send this for a field in which no file was chosen.
    if (filename === '' || failed !== undefined) return;
    upload ??= await begin(form);
    await upload.add({ filename, content_type, bytes }, `/attachments/${files++}`).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      failed = error;
    });
  };
  try {
    const max = max_files + max_fields + OVERHEAD;
    await readParts(request.body as Readable, request.headers['content-type'] ?? '', max, take);
  } catch (error) {
    dropRest(request, reply);
    // A browser sends the fields first, so they are there when the files are too large.
    const tooLarge = error instanceof AppError && error.code === 'body_too_large' && error.errors.length === 0;
    if (tooLarge && upload !== undefined) return { form, upload, failed: failed ?? error };
    await upload?.[Symbol.asyncDispose]();
    throw error;
  }
  return { form, upload, failed };
}
