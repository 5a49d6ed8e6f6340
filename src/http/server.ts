import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:zlib';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { Logger } from 'pino';
import type { Caller } from '../core/caller.ts';
import { missingScope } from '../core/caller.ts';
import type { Code } from '../core/error.ts';
import { AppError, problems } from '../core/error.ts';
import { newId } from '../core/ids.ts';
import { hasScope } from '../core/key.ts';
import { readJson } from './json.ts';
import { count } from './limits.ts';
import { acceptsJson, checkMediaType } from './media.ts';
import { PROBLEM_JSON, problemDocument, problemHeaders } from './problems.ts';
import type { Answer, Call, Route } from './route.ts';
import { compileCheck } from './validate.ts';
import type { Who } from './who.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
  interface FastifyRequest {
    caller: Caller | null;
    began: number;
  }
}

export interface ServerOptions {
  readonly who: Who;
  readonly log: Logger;
  readonly rate_limits: boolean;
  readonly json_most: number;
  readonly request_ms: number;
  readonly trust_proxy: readonly string[];
}

/** Published for each answer: `{ method, route, status, ms }`. */
const answered = channel('mailroom:http:answered');

const JSON_TYPE = 'application/json; charset=utf-8';
/** Smaller answers fit one packet either way. */
const COMPRESS_FROM = 1024;
const EXPOSED =
  'Location, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, X-Request-Id';
const PAGE_HEADERS = { 'x-content-type-options': 'nosniff' };
const API_HEADERS = { ...PAGE_HEADERS, 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
const DRAIN_MOST = 32 * 1024 * 1024;
const SAFE_REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** The kernel of every HTTP door: parsing, checks in the contract's order, problems, limits, one log line a request. */
export async function makeServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log } = options;
  const access = log.child({}, { redact: [] });
  const app = fastify({
    logger: false,
    genReqId: requestId,
    trustProxy: options.trust_proxy.length > 0 ? [...options.trust_proxy] : false,
    bodyLimit: options.json_most,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    requestTimeout: options.request_ms,
    routerOptions: { maxParamLength: 1024 },
    http: {
      // Checked below: Node's own refusal has no problem document.
      requireHostHeader: false,
      headersTimeout: Math.min(options.request_ms, 10_000),
      connectionsCheckingInterval: 500,
      maxHeaderSize: 16 * 1024,
    },
    clientErrorHandler: (error, socket) => refuseRaw(error as NodeJS.ErrnoException, socket),
    frameworkErrors: (error, request, reply) => {
      void answerError(error, request as FastifyRequest, reply as unknown as FastifyReply, log);
    },
  });
  app.server.on('checkExpectation', (request: IncomingMessage, response) => {
    const id = requestId(request);
    response.writeHead(417, { 'content-type': PROBLEM_JSON, 'x-request-id': id, connection: 'close' });
    response.end(
      problemDocument('expectation_failed', 'Only "Expect: 100-continue" can be met. Leave the header out.', id),
    );
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('began', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  await app.register(import('@fastify/compress'), {
    // On request, by `send`: as a hook it would cost those who take no compressed answers too.
    global: false,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    threshold: COMPRESS_FROM,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  // Callbacks, not promises: each promise of a hook costs every request a turn of the queue.
  app.addHook('onRequest', (request, reply, done) => {
    request.began = performance.now();
    reply.headers(request.url.startsWith('/api/') ? API_HEADERS : PAGE_HEADERS).header('x-request-id', request.id);
    const { route } = request.routeOptions.config;
    if (request.headers.host === undefined && request.raw.httpVersionMinor > 0) done(NO_HOST);
    else if (route === undefined) done();
    else admit(request, reply, route, options).then(() => done(), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    tell(request, reply, access);
    done();
  });
  app.setErrorHandler(async (error, request, reply) => answerError(error, request, reply, log));
  return app;
}

/** Adds `routes`; with them OPTIONS, and 405 for a method that a path does not have. Call it once, with all of them. */
export function addRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  const methods = new Map<string, Set<string>>();
  for (const route of routes) {
    const known = methods.get(route.path) ?? new Set(['OPTIONS']);
    known.add(route.method);
    if (route.method === 'GET') known.add('HEAD');
    methods.set(route.path, known);
    addRoute(app, route);
  }
  const table = [...methods].map(([path, known]) => ({
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    allow: [...known].sort().join(', '),
  }));
  const allowed = (path: string): string | undefined => table.find(({ pattern }) => pattern.test(path))?.allow;

  app.options('*', { config: {} }, async (request, reply) => {
    const allow = allowed(pathOf(request));
    if (allow === undefined) throw nothingHere(request);
    reply.header('allow', allow).header('access-control-allow-methods', allow);
    reply.header('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, Prefer, X-Request-Id');
    return reply.header('access-control-max-age', '86400').code(204).send();
  });
  app.setNotFoundHandler(async (request, reply) => {
    const allow = allowed(pathOf(request));
    if (allow === undefined) throw nothingHere(request);
    reply.header('allow', allow);
    throw new AppError('method_not_allowed', `${request.method} is not for this path; it takes ${allow}.`);
  });
}

function addRoute(app: FastifyInstance, route: Route): void {
  const checkParams = route.params && compileCheck(route.params);
  const checkQuery = route.query && compileCheck(route.query);
  const checkBody = route.body && compileCheck(route.body);
  const handle = route.handle as (call: Call) => Promise<Answer> | Answer;
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { route },
    handler: async (request, reply) => {
      // JSON before shape: a body that is none is told before a query that is wrong.
      const body =
        checkBody === undefined ? undefined : readJson((request.body as Buffer | undefined) ?? Buffer.alloc(0));
      const query = { ...(request.query as Record<string, unknown>) };
      checkParams?.(request.params);
      checkQuery?.(query);
      checkBody?.(body);
      const answer = await handle({
        caller: request.caller as Caller,
        params: request.params as Record<string, string>,
        query,
        body,
        headers: request.headers,
        request_id: request.id,
        gone: () => goneSignal(request, reply),
      });
      return send(request, reply, answer);
    },
  });
}

/** The checks that need no body, in the contract's order: key, scope, rate, media type. */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  options: ServerOptions,
): Promise<void> {
  const caller = await options.who.caller(request.headers.authorization, request.ip);
  request.caller = caller;
  checkWho(caller, route);
  if (options.rate_limits && route.limits !== undefined) {
    const { headers, refused } = count(route.limits, countedAs(caller, route));
    reply.headers(headers);
    if (refused !== undefined) throw refused;
  }
  checkMediaType(request.headers, route.body !== undefined);
  if (!acceptsJson(request.headers.accept) && producesJson(route)) {
    throw new AppError(
      'not_acceptable',
      'The answer is application/json. Send Accept: application/json, or leave the header out.',
    );
  }
}

/** A key, or what is open to strangers by network: a key that anyone can make must not buy more of it. */
const countedAs = (caller: Caller, { who }: Route): string =>
  caller.kind === 'key' && who !== 'public' ? caller.key.id : caller.network;

const producesJson = (route: Route): boolean =>
  Object.values(route.answers).every(({ type }) => type === undefined || type === 'application/json');

function checkWho(caller: Caller, { who }: Route): void {
  if (who === 'public') return;
  if (caller.kind === 'guest') {
    throw new AppError(
      'missing_key',
      'Send an API key: Authorization: Bearer mr_live_…. Creating a namespace gives you one.',
    );
  }
  if (caller.kind === 'thread') {
    if (who === 'key_or_thread') return;
    throw new AppError(
      'invalid_key',
      "A thread token reads, waits for and cancels its thread's messages, nothing else. Send an API key.",
    );
  }
  if (who !== 'key' && who !== 'key_or_thread' && !hasScope(caller.key, who)) throw missingScope(who);
}

function send(request: FastifyRequest, reply: FastifyReply, { status, body, headers }: Answer): FastifyReply {
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (body === undefined) return reply.send();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (typeof body !== 'string') reply.type(JSON_TYPE);
  if (text.length < COMPRESS_FROM || request.headers['accept-encoding'] === undefined) return reply.send(text);
  reply.compress(text);
  return reply;
}

/** Aborts when the caller hangs up; made for those who wait only. */
function goneSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort('the caller is gone');
  if (request.raw.socket.destroyed) abort();
  else reply.raw.once('close', abort);
  return controller.signal;
}

/** One line of the log and one figure for the metrics: a request's method, path, answer and time; never what it holds. */
function tell(request: FastifyRequest, reply: FastifyReply, access: Logger): void {
  const ms = performance.now() - request.began;
  const { method } = request;
  const status = reply.statusCode;
  if (answered.hasSubscribers) answered.publish({ method, route: request.routeOptions.url ?? 'none', status, ms });
  if (!access.isLevelEnabled('info')) return;
  const key_id = request.caller?.kind === 'key' ? request.caller.key.id : undefined;
  access.info({
    request_id: request.id,
    method,
    path: pathOf(request),
    status,
    ms: Math.round(ms * 100) / 100,
    key_id,
  });
}

const NO_HOST = new AppError('malformed_request', 'An HTTP/1.1 request needs a Host header (RFC 9112, section 3.2).');

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] as string;

const nothingHere = (request: FastifyRequest): AppError =>
  new AppError(
    'not_found',
    `There is nothing at ${pathOf(request).slice(0, 200)}. GET /api/v1/openapi.json lists what there is.`,
  );

/** The caller's own id if it is safe to repeat, else a new one. */
function requestId(request: { readonly headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : newId('req', Date.now());
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
  FST_ERR_ASYNC_CONSTRAINT: ['malformed_request', 'The request is not valid.'],
};

function toAppError(error: unknown): AppError {
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
    {
      cause: error,
    },
  );
}

async function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): Promise<FastifyReply> {
  const known = toAppError(error);
  const { status } = problems[known.code];
  if (status >= 500 && known.code !== 'loop_detected') {
    log.error({ request_id: request.id, code: known.code, err: known.cause ?? known }, known.message);
  }
  // Of a body that is too large the rest is read and dropped, so that the answer arrives, if it is known to end soon.
  const drains = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= DRAIN_MOST;
  if (status === 408 || (status === 413 && !drains)) reply.header('connection', 'close');
  else if (status === 413) reply.removeHeader('connection');
  reply.headers(problemHeaders(known)).code(status).type(PROBLEM_JSON).header('x-request-id', request.id);
  return reply.send(problemDocument(known.code, known.message, request.id, known.faults));
}

/** What Node's parser refuses never becomes a request: the answer is written to the socket as it is. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Socket): void {
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
  const id = requestId({ headers: {} });
  const body = problemDocument(code, detail, id);
  const { status, title } = problems[code];
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_JSON}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
}
