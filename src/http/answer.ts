import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Code } from '../core/values/error.ts';
import { AppError, problems } from '../core/values/error.ts';
import { newId } from '../core/values/ids.ts';
import { JsonText } from '../core/values/json.ts';
import { COMPRESS_FROM, compress } from './compress.ts';
import { Constant } from './constant.ts';
import { PROBLEM_JSON, problemDocument, problemHeaders } from './problems.ts';
import type { Answer } from './route.ts';

/** Fastify's type is of lists that it might change, which it does not. */
type Written = Record<string, string | string[]>;

const JSON_TYPE = 'application/json; charset=utf-8';
/** Of a body that is refused for its size, this much is read and dropped. */
const MAX_DRAIN = 32 * 1024 * 1024;
/** How long a connection that is refused has to take why. */
const REFUSED_MS = 1_000;
const SAFE_REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** The caller's own id if it is safe to repeat, else a new one. */
export function requestId(request: { readonly headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : newId('req', Date.now());
}

/** How an answer is sent that goes on for long. */
export interface Streaming {
  readonly log: Logger;
  /** Aborts when the service waits no longer for what is on its way. */
  readonly over: AbortSignal;
  /** A caller that takes nothing for so long is given up. */
  readonly stall_ms: number;
}

/** Sends what a handler answered; large text compressed, if the caller takes that. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  streaming: Streaming,
): FastifyReply | Promise<FastifyReply> {
  const { status, body, headers } = answer;
  if (isStream(body)) return sendStream(request, reply, answer, body, streaming);
  reply.code(status);
  if (headers !== undefined) reply.headers(headers as Written);
  if (body === undefined || Buffer.isBuffer(body)) return reply.send(body);
  if (body instanceof Constant) return sendConstant(request, reply, body);
  const text = typeof body === 'string' ? body : body instanceof JsonText ? body.text : JSON.stringify(body);
  if (typeof body !== 'string') reply.type(JSON_TYPE);
  const accepted = request.headers['accept-encoding'];
  if (text.length < COMPRESS_FROM || accepted === undefined) return reply.send(text);
  return sendCompressed(reply, text, accepted);
}

const isStream = (body: unknown): body is AsyncIterable<string> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/**
 * Sends text as it comes, no faster than the caller takes it. What goes wrong before the first piece is a problem as
 * always; after it the connection is destroyed, which tells the caller that the answer is not whole (RFC 9112, section 8).
 */
async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers }: Answer,
  body: AsyncIterable<string>,
  { log, over, stall_ms }: Streaming,
): Promise<FastifyReply> {
  const pieces = request.method === 'HEAD' ? none : body[Symbol.asyncIterator]();
  const first = await pieces.next();
  // Not to be used again: a stop that began meanwhile would wait until it was idle for long enough.
  reply.code(status).headers({ ...(headers as Written | undefined), connection: 'close' });
  const source = Readable.from(rest(first, pieces), { signal: over });
  source.on('error', (error) => {
    const known = error instanceof AppError && problems[error.code].status < 500;
    if (!known && !over.aborted) log.error({ request_id: request.id, err: error }, 'an answer broke off');
  });
  reply.raw.setTimeout(stall_ms, () => {
    log.warn({ request_id: request.id }, 'an answer broke off: its caller took nothing any more');
    reply.raw.destroy();
  });
  return reply.send(source);
}

const none: Pick<AsyncIterator<string>, 'next' | 'return'> = {
  next: async () => ({ done: true, value: undefined }),
};

async function* rest(
  first: IteratorResult<string>,
  pieces: Pick<AsyncIterator<string>, 'next' | 'return'>,
): AsyncGenerator<string> {
  try {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}

async function sendConstant(request: FastifyRequest, reply: FastifyReply, body: Constant): Promise<FastifyReply> {
  if (reply.getHeader('content-type') === undefined) reply.type(JSON_TYPE);
  const { encoding, bytes } = await body.as(request.headers['accept-encoding']);
  varyByEncoding(reply);
  return (encoding === undefined ? reply : reply.header('content-encoding', encoding)).send(bytes);
}

function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}

async function sendCompressed(reply: FastifyReply, text: string, accepted: string): Promise<FastifyReply> {
  const compressed = await compress(text, accepted);
  varyByEncoding(reply);
  if (compressed === undefined) return reply.send(text);
  return reply.header('content-encoding', compressed.encoding).send(compressed.bytes);
}

/** What Fastify finds wrong before a handler runs, in our words. */
const FRAMEWORK: Readonly<Record<string, readonly [Code, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'body_too_large',
    'The JSON document is too large. The limit is in the documentation of this endpoint.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send Content-Type: application/json.'],
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not valid: check its percent-encoding.'],
};

/** What went wrong, in our words. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as FastifyError;
  const known = FRAMEWORK[code];
  if (known !== undefined) return new AppError(known[0], known[1], { cause: error });
  if (code === 'ECONNRESET' || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return new AppError('malformed_request', 'The request broke off or is not valid HTTP.', { cause: error });
  }
  return new AppError(
    'internal',
    'Nothing you sent is lost if you were given its id. Try again; if it repeats, send us the request_id.',
    { cause: error },
  );
}

/** A problem as a person is told who looks at pages; undefined for who does not. */
export type ProblemPage = (
  error: AppError,
  request: Pick<FastifyRequest, 'id' | 'url' | 'headers'>,
) => (Pick<Answer, 'headers'> & { readonly body: string }) | undefined;

/** Of the 5xx those that are no fault of ours: a circle of messages, full storage, and what an owner paused. */
const isCallers = ({ code, cause }: AppError): boolean =>
  code === 'loop_detected' || code === 'storage_full' || (code === 'unavailable' && cause === undefined);

/** Answers with the problem that `error` is; what is our doing goes to the log with its cause. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, problem_page }: { readonly log: Logger; readonly problem_page?: ProblemPage | undefined },
): FastifyReply {
  const known = toAppError(error);
  const { status } = problems[known.code];
  if (status >= 500 && !isCallers(known)) {
    log.error({ request_id: request.id, code: known.code, err: known.cause ?? known }, known.message);
  }
  // Of a body that is too large the rest is read and dropped, so that the answer arrives: as much as it says, or may be.
  const drains = Number(request.headers['content-length'] ?? 0) <= MAX_DRAIN;
  if (status === 413 && drains) drain(request);
  if (status === 408 || (status === 413 && !drains)) reply.header('connection', 'close');
  else if (status === 413) reply.removeHeader('connection');
  reply.headers(problemHeaders(known)).code(status).header('x-request-id', request.id);
  const page = problem_page?.(known, request);
  if (page !== undefined) return reply.headers((page.headers ?? {}) as Written).send(page.body);
  reply.type(PROBLEM_JSON);
  return reply.send(problemDocument(known.code, known.message, request.id, known.errors));
}

/** Reads and drops what is left of a body; one without an end is broken off. The time it may take is the request's. */
function drain({ raw }: FastifyRequest): void {
  let left = MAX_DRAIN;
  raw.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) raw.destroy();
  });
}

/** What Node's parser refuses never becomes a request: the answer is written to the socket as it is. */
export function refuseRaw(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [code, detail]: readonly [Code, string] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['request_timeout', 'The request did not arrive in time. Send it again, whole.']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['headers_too_large', 'The headers are larger than 16 KiB in all.']
        : ['malformed_request', 'This is not valid HTTP/1.1.'];
  endWith(socket, code, detail);
}

/** Of a network that has too many connections: the next is told so and closed, whatever it would ask. */
export function refuseConnection(socket: Socket): void {
  endWith(socket, 'rate_limited', 'Too many connections are open from your network. Close some, then try again.', 10);
  // It need not take the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}

function endWith(socket: Socket, code: Code, detail: string, retry_after_s?: number): void {
  const id = requestId({ headers: {} });
  const body = problemDocument(code, detail, id);
  const { status, title } = problems[code];
  const retry = retry_after_s === undefined ? '' : `Retry-After: ${retry_after_s}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_JSON}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${id}\r\n${retry}Connection: close\r\n\r\n${body}`,
  );
}
