import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { AppError } from '@mailroom/behavior/values/error';

/** A part of a `multipart/form-data` body (RFC 7578). */
export interface Part {
  readonly name: string;
  /** As the caller wrote it; undefined for a part that is not a file. */
  readonly filename: string | undefined;
  /** Null when the caller declared none. */
  readonly content_type: string | null;
  readonly bytes: AsyncIterable<Buffer>;
}

type Header = Readonly<Record<string, readonly string[] | undefined>>;

/** Lines of the header of a part. */
const MAX_LINES = 20;
/** Bytes of a boundary (RFC 2046, section 5.1.1). */
const MAX_BOUNDARY = 70;

/** Whether the body is `multipart/form-data`, whatever its parameters. */
export const isMultipart = (type: string | undefined): boolean =>
  type !== undefined && /^multipart\/form-data(?:;| |$)/i.test(type);

/**
 * Reads the parts of a body as they arrive and calls `onPart` with one after the other; the body is read no faster than
 * it takes their bytes. Rejects with the error of `onPart`, AppError `malformed_request` for a body that is broken or
 * breaks off, and `body_too_large` above `max` bytes; the rest of the body is then not read.
 */
export function readParts(
  body: Readable,
  type: string,
  max: number,
  onPart: (part: Part) => Promise<void>,
): Promise<void> {
  const dicer = new Dicer({ boundary: boundaryOf(type), maxHeaderPairs: MAX_LINES });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let over = false;
  let received = 0;
  let headless = false;
  let current: Readable | undefined;
  let work = Promise.resolve();

  const stop = (): void => {
    over = true;
    body.unpipe(dicer);
    body.off('data', count).off('close', broken).off('error', broken);
  };
  const fail = (error: unknown): void => {
    if (over) return;
    stop();
    // The reader of its bytes ends first, so that nothing is written after this rejects.
    current?.destroy(error as Error);
    void work.catch(() => {}).then(() => reject(error));
  };
  const done = (): void => {
    if (over) return;
    stop();
    resolve();
  };
  const broken = (): void => fail(brokenOff());
  const count = (bytes: Buffer): void => {
    received += bytes.length;
    if (received > max) fail(new AppError('body_too_large', `The request has more than ${max} bytes.`));
  };
  const take = async (header: Header, bytes: Readable): Promise<void> => {
    if (over) return;
    current = bytes;
    await onPart(partOf(header, bytes));
    current = undefined;
    bytes.resume();
  };

  dicer.on('part', (part) => {
    if (headless) fail(malformed());
    headless = true;
    part.on('error', broken);
    part.on('header', (header: object) => {
      headless = false;
      work = work.then(() => take(header as Header, part as unknown as Readable));
      work.catch(fail);
    });
  });
  dicer.on('error', broken);
  dicer.on('finish', () => {
    if (headless) fail(malformed());
    else work.then(done, () => {});
  });
  body.on('data', count).once('close', broken).once('error', broken);
  body.once('end', () => body.off('close', broken));
  body.pipe(dicer);
  return promise;
}

/** AppError `malformed_request` when the media type has no boundary. */
function boundaryOf(type: string): string {
  const parameter = parametersOf(type).get('boundary');
  if (parameter === undefined || parameter === '' || parameter.length > MAX_BOUNDARY) {
    throw new AppError(
      'malformed_request',
      'The Content-Type multipart/form-data has no boundary of 1 to 70 characters. Let your HTTP client set this header itself.',
    );
  }
  return parameter;
}

function partOf(header: Header, bytes: Readable): Part {
  const disposition = header['content-disposition']?.[0];
  const parameters = disposition === undefined ? undefined : parametersOf(utf8(disposition));
  const name = parameters?.get('name');
  if (disposition === undefined || !/^form-data *(?:;|$)/i.test(disposition) || name === undefined) throw malformed();
  const filename = parameters?.get('filename*') ?? parameters?.get('filename');
  return {
    name,
    filename,
    content_type: header['content-type']?.[0] ?? null,
    // A reader that stops early leaves the rest to be dropped, so that the next part follows.
    bytes: bytes.iterator({ destroyOnReturn: false }),
  };
}

/** Header values arrive as Latin-1; clients send UTF-8 (RFC 7578, section 5.1). */
function utf8(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** `name=value` or `name="value"`, after a semicolon. */
const PARAMETER = /; *([\w-]+\*?) *= *(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gsu;

/**
 * The parameters of a header. In quotes, a backslash before another character than a quote or a backslash stays, since
 * some clients send whole paths; browsers write a quote and line breaks as `%22`, `%0D` and `%0A` (HTML, section
 * "Multipart form data").
 */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (found.has(key)) continue;
    const value = quoted === undefined ? token : unquoted(quoted);
    const text = key.endsWith('*') ? extended(value) : value;
    if (text !== undefined) found.set(key, text);
  }
  return found;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\"': '"', '\\\\': '\\', '%22': '"', '%0D': '\r', '%0A': '\n' };
const unquoted = (text: string): string => text.replace(/\\["\\]|%22|%0D|%0A/gu, (found) => ESCAPES[found] as string);

/** `UTF-8''…` with percent-encoding (RFC 8187, section 3.2); undefined for anything else. */
function extended(value: string): string | undefined {
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/isu.exec(value) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

const malformed = (): AppError =>
  new AppError(
    'malformed_request',
    'A part of the body has no valid header. Each part needs Content-Disposition: form-data; name="…", and a file its filename.',
  );

const brokenOff = (): AppError =>
  new AppError(
    'malformed_request',
    'The multipart body is not complete: it does not end with its boundary. Send the request again, whole.',
  );
