import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { AppError, type Code, problems } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import { JsonText } from '@mailroom/behavior/values/json';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { COMPRESS_FROM, compress } from './compress.ts';
import { Constant } from './constant.ts';
import { PROBLEM_JSON, problemDocument, problemHeaders } from './problems.ts';
import type { Answer } from './route.ts';

/** A mutable type, because Fastify's options ask for one; the lists are never changed. */
type Written = Record<string, string | string[]>;

const JSON_TYPE = 'application/json; charset=utf-8';
/** Bytes of a body refused for its size that are still read and dropped. */
export const MAX_DRAIN = 32 * 1024 * 1024;
/** Milliseconds that a refused connection has to receive the reason. */
const REFUSED_MS = 1_000;
const SAFE_REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** The caller's request id if it is safe to repeat, else a new one. */
export function requestId(request: { readonly headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : newId('req', Date.now());
}

/** How a streamed answer is sent. */
export interface Streaming {
  readonly log: Logger;
  /** Aborts when the service stops waiting for answers in progress. */
  readonly over: AbortSignal;
  /** Milliseconds after which a caller that reads nothing is disconnected. */
  readonly stall_ms: number;
}

/** Sends what a handler returned, at once unless it returns a promise; large text is compressed when the caller accepts that. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  streaming: Streaming,
): Promise<void> | undefined {
  const { status, body, headers } = answer;
  if (isStream(body)) return sendStream(request, reply, answer, body, streaming);
  reply.code(status);
  if (headers !== undefined) reply.headers(headers as Written);
  if (body instanceof Constant) return sendConstant(request, reply, body);
  if (body === undefined || Buffer.isBuffer(body)) {
    reply.send(body);
    return undefined;
  }
  const text = typeof body === 'string' ? body : body instanceof JsonText ? body.text : JSON.stringify(body);
  if (typeof body !== 'string') reply.type(JSON_TYPE);
  const accepted = request.headers['accept-encoding'];
  // Fastify adds a charset to texts, which media types on JSON do not have (RFC 8259, section 11).
  const plain = String(headers?.['content-type']).endsWith('+json') ? Buffer.from(text) : text;
  if (text.length >= COMPRESS_FROM && accepted !== undefined) return sendCompressed(reply, text, accepted, plain);
  reply.send(plain);
  return undefined;
}

const isStream = (body: unknown): body is AsyncIterable<Piece> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

type Piece = string | Uint8Array;

/** Bytes come in large pieces, so that few of them are kept for a slow reader. */
const PIECES = 2;

/**
 * Sends text or bytes as they are produced, no faster than the caller reads it. An error before the first chunk is answered as a
 * problem; a later one destroys the connection, so that the caller sees an incomplete answer (RFC 9112, section 8).
 */
async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers }: Answer,
  body: AsyncIterable<Piece>,
  { log, over, stall_ms }: Streaming,
): Promise<void> {
  const pieces = request.method === 'HEAD' ? none : body[Symbol.asyncIterator]();
  const first = await pieces.next();
  // The connection is not reused, since a stop that began meanwhile would wait for it to become idle.
  reply.code(status).headers({ ...(headers as Written | undefined), connection: 'close' });
  const source = Readable.from(rest(first, pieces), {
    signal: over,
    ...(first.value instanceof Uint8Array && { highWaterMark: PIECES }),
  });
  source.on('error', (error) => {
    const known = error instanceof AppError && problems[error.code].status < 500;
    if (!known && !over.aborted) log.error({ request_id: request.id, err: error }, 'an answer broke off');
  });
  if (String(headers?.['content-type']).startsWith('text/event-stream')) endWithCaller(request, reply);
  reply.raw.setTimeout(stall_ms, () => {
    log.warn({ request_id: request.id }, 'an answer broke off: its caller took nothing any more');
    reply.raw.destroy();
  });
  reply.send(source);
}

/** Events have no end, so that none is sent to a caller who ended its side, as each that disconnects does first. */
function endWithCaller({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply): void {
  const end = (): void => void response.destroy();
  if (socket.readableEnded) end();
  socket.once('end', end);
  response.once('close', () => socket.off('end', end));
}

const none: Pick<AsyncIterator<Piece>, 'next' | 'return'> = {
  next: async () => ({ done: true, value: undefined }),
};

async function* rest(
  first: IteratorResult<Piece>,
  pieces: Pick<AsyncIterator<Piece>, 'next' | 'return'>,
): AsyncGenerator<Piece> {
  try {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}

async function sendConstant(request: FastifyRequest, reply: FastifyReply, body: Constant): Promise<void> {
  if (reply.getHeader('content-type') === undefined) reply.type(JSON_TYPE);
  const { encoding, bytes } = await body.as(request.headers['accept-encoding']);
  varyByEncoding(reply);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.send(bytes);
}

function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}

async function sendCompressed(
  reply: FastifyReply,
  text: string,
  accepted: string,
  plain: string | Buffer,
): Promise<void> {
  const compressed = await compress(text, accepted);
  varyByEncoding(reply);
  if (compressed !== undefined) reply.header('content-encoding', compressed.encoding);
  reply.send(compressed?.bytes ?? plain);
}

/** The AppError for an error that Fastify finds before a handler runs. */
const FRAMEWORK: Readonly<Record<string, readonly [Code, string]>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send Content-Type: application/json.'],
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not valid: check its percent-encoding.'],
};

/** The AppError for any error; `max_body` are the bytes that the route takes. */
export function toAppError(error: unknown, max_body?: number): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError('body_too_large', `The body has more than ${max_body} bytes, the maximum here.`, {
      cause: error,
    });
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

/** The problem as a page, for callers that ask for HTML; undefined for others. */
export type ProblemPage = (
  error: AppError,
  request: Pick<FastifyRequest, 'id' | 'url' | 'headers'>,
) => (Pick<Answer, 'headers'> & { readonly body: string }) | undefined;

/** The 5xx problems that are not failures of the service: message loops, full storage, and what an owner paused. */
const isCallers = ({ code, cause }: AppError): boolean =>
  code === 'loop_detected' || code === 'storage_full' || (code === 'unavailable' && cause === undefined);

/** Answers with the problem for `error`; internal errors are logged with their cause. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, problem_page }: { readonly log: Logger; readonly problem_page?: ProblemPage | undefined },
): FastifyReply {
  const appError = toAppError(error, request.routeOptions.bodyLimit);
  const { status } = problems[appError.code];
  if (status >= 500 && !isCallers(appError)) {
    log.error({ request_id: request.id, code: appError.code, err: appError.cause ?? appError }, appError.message);
  }
  // The rest of an oversized body is read and dropped up to a limit, so that the client receives the answer.
  const drains = Number(request.headers['content-length'] ?? 0) <= MAX_DRAIN;
  if (status === 413 && drains) drain(request);
  if (status === 408 || (status === 413 && !drains)) reply.header('connection', 'close');
  else if (status === 413) reply.removeHeader('connection');
  reply.headers(problemHeaders(appError)).code(status).header('x-request-id', request.id);
  const refusal = request.route?.refusal?.(appError);
  if (refusal !== undefined) {
    return reply.code(refusal.status).type(JSON_TYPE).send(JSON.stringify(refusal.body));
  }
  const page = problem_page?.(appError, request);
  if (page !== undefined) return reply.headers((page.headers ?? {}) as Written).send(page.body);
  reply.type(PROBLEM_JSON);
  // As bytes, because Fastify adds a charset to the type of a text.
  return reply.send(Buffer.from(problemDocument(appError.code, appError.message, request.id, appError.errors)));
}

/**
 * Reads and drops the rest of a body within the request's time limit; a body without a length closes the connection.
 */
export function drain({ raw }: Pick<FastifyRequest, 'raw'>): void {
  let freeBytes = MAX_DRAIN;
  raw.on('data', (piece: Buffer) => {
    freeBytes -= piece.length;
    if (freeBytes < 0) raw.destroy();
  });
}

/** Writes an answer straight to the socket for input that Node's parser rejects, as no request exists then. */
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

/** Answers a connection above its network's limit with a problem and closes it, without reading its request. */
export function refuseConnection(socket: Socket): void {
  endWith(socket, 'rate_limited', 'Too many connections are open from your network. Close some, then try again.', 10);
  // The client may never read the answer.
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
