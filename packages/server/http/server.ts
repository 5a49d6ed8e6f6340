import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AppError } from '@mailroom/behavior/values/error';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { type Caller, writingKey } from '../core/access/caller.ts';
import { addRoute, type RouteOptions } from './add-route.ts';
import { type ProblemPage, refuseConnection, refuseRaw, requestId, sendProblem, toAppError } from './answer.ts';
import { addressesIn, networkOf } from './authenticate.ts';
import { type ConnectionLimits, Connections } from './connections/connections.ts';
import { malformedHead, originForm } from './connections/malformed.ts';
import { inSlices, SMALL } from './connections/unread.ts';
import { isShared } from './constant.ts';
import { FORM } from './forms.ts';
import { Methods } from './methods.ts';
import { addMount, type Mount } from './mount.ts';
import { PROBLEM_JSON, problemDocument } from './problems.ts';
import type { Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The matched route; null when none matched. Kept here because Fastify rebuilds `routeOptions` at each access. */
    route: (Pick<Route, 'path' | 'refusal'> & { readonly asked?: string }) | null;
    caller: Caller | null;
    /** The `Content-Digest` that the body must have, because a signature covers it. */
    digest: string | undefined;
    began: number;
  }
}

/** What the log keeps of each request, never its content; `key_id` is empty when no key was shown. */
export type AccessLog = (
  request_id: string,
  method: string,
  path: string,
  status: number,
  ms: number,
  key_id: string,
) => void;

export interface ServerOptions extends RouteOptions {
  /** Takes one line per request; undefined when the access log is off. */
  readonly access: AccessLog | undefined;
  /** Limits of connections in this process. */
  readonly connections: ConnectionLimits;
  /** Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trust_proxy: readonly string[];
  /** Renders a problem as a page for browsers; without it they get the problem document. */
  readonly problem_page?: ProblemPage;
  /** Aborts when the service begins to stop; from then on each answer closes its connection. */
  readonly stopping: AbortSignal;
}

/** Not imported: an import reads every export of `node:http`, and one of them loads Node's own undici, 30 ms a start. */
const { createServer } = process.getBuiltinModule('node:http');

/** Published for each answer: `{ method, route, status, ms }`. */
const answered = channel('mailroom:http:answered');

const EXPOSED =
  'Location, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, X-Request-Id, Content-Disposition';
/** Milliseconds a connection without a request is kept, longer than proxies usually keep theirs. */
const KEEP_ALIVE_MS = 72_000;

/** Routes are checked by `validate.ts`; Fastify would load its own compilers for schemas at each start. */
const NO_SCHEMAS = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => JSON.stringify,
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

const PAGE_HEADERS = { 'x-content-type-options': 'nosniff' };
/** A year, for this host only (RFC 6797, section 6.1), because its subdomains may belong to others. */
const HSTS = 'max-age=31536000';
const CORS_HEADERS = {
  ...PAGE_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/** The paths of probes. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** Methods whose answers no cache keeps for a page of another origin (RFC 9110, section 9.2.3). */
const UNCACHED: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The HTTP kernel: parsing, checks in the contract's order, problems, limits, one log line per request. */
export async function makeServer(
  routes: readonly Route[],
  options: ServerOptions,
  mounts: readonly Mount[] = [],
): Promise<FastifyInstance> {
  const { stopping, rejections } = options;
  const methods = new Methods(routes, mounts);
  const proxies = addressesIn(options.trust_proxy);
  let handle: RequestListener = () => undefined;
  const connections = new Connections(
    {
      ...options.connections,
      stall_ms: options.request_ms,
      onGivenUp: () => options.log.warn('a connection was closed: its caller took nothing any more, or too little'),
      onLate: (socket) => refuseRaw(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
      networkOf: (address) => (options.rate_limits && !proxies(address) ? networkOf(address) : undefined),
    },
    (request, response) => handle(request, response),
  );
  const checkHead = ({ raw }: FastifyRequest, reply: FastifyReply): AppError | undefined => {
    const malformed = malformedHead(raw);
    if (malformed === undefined) return undefined;
    // The bytes after it may be meant for another server.
    connections.end(raw.socket);
    reply.header('connection', 'close');
    return malformed;
  };
  const app = fastify({
    logger: false,
    genReqId: requestId,
    trustProxy: options.trust_proxy.length > 0 ? [...options.trust_proxy] : false,
    bodyLimit: options.max_json,
    schemaController: { compilersFactory: NO_SCHEMAS },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    rewriteUrl: (request) => originForm(request as IncomingMessage),
    routerOptions: { maxParamLength: 1024 },
    serverFactory: (handler) => {
      handle = handler as RequestListener;
      return listenWith(connections, options);
    },
    clientErrorHandler: (error, socket) => {
      // The request is late because its connection was not read; the earlier answers come first.
      if (connections.isHeld(socket) && (error as NodeJS.ErrnoException).code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
      if (!connections.isEnding(socket)) refuseRaw(error as NodeJS.ErrnoException, socket);
    },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for a path that cannot be decoded.
      reply.headers(isForPages(request as FastifyRequest) ? CORS_HEADERS : PAGE_HEADERS);
      const malformed = checkHead(request as FastifyRequest, reply as unknown as FastifyReply);
      sendProblem(malformed ?? error, request as FastifyRequest, reply as unknown as FastifyReply, options);
    },
  });
  app.decorateRequest('route', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('digest', undefined);
  app.decorateRequest('began', 0);
  app.removeAllContentTypeParsers();
  // Named types are parsed faster: Fastify caches their parsers and matches any other type at each request.
  for (const type of ['application/json', FORM, '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  }
  // Callbacks, because each promise of a hook costs every request a turn of the microtask queue.
  app.addHook('onRequest', (request, reply, done) => {
    request.began = performance.now();
    reply.headers(isForPages(request) ? CORS_HEADERS : PAGE_HEADERS).header('x-request-id', request.id);
    if (options.https) reply.header('strict-transport-security', HSTS);
    done(checkHead(request, reply) ?? refusal(request, reply, methods));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close');
    const whole = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '';
    const room = connections.handOver(reply.raw, whole.length, isShared(payload));
    const proceed = (): void => {
      if (whole.length > SMALL && request.method !== 'HEAD') {
        const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole;
        reply.header('content-length', bytes.length);
        done(null, inSlices(bytes));
      } else done();
    };
    if (room === undefined) proceed();
    else room.then(proceed, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply, options.access);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error, request.routeOptions.bodyLimit);
    sendProblem(options.rate_limits ? rejections.refused(known, request) : known, request, reply, options);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
  app.options('*', (request, reply) => {
    const allow = methods.of(pathOf(request));
    reply.header('allow', allow).code(204);
    // Half a preflight would let no page in, and say that one may come.
    if (!isForPages(request)) return reply.send();
    reply.header('access-control-allow-methods', allow);
    reply.header(
      'access-control-allow-headers',
      'Authorization, Altcha, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Range, Content-Digest, Signature, Signature-Agent, Signature-Input, X-Request-Id',
    );
    return reply.header('access-control-max-age', '86400').send();
  });
  for (const route of routes) {
    if (route.access === 'session') throw new Error(`${route.id} is for sessions, and not served over HTTP.`);
    const streamed = route.takes?.type ?? ((route.upload ?? route.form_files) ? 'multipart/form-data' : undefined);
    if (streamed === undefined) addRoute(app, route, options);
    // A scope of its own, because elsewhere bodies of this type are not read as they arrive.
    else
      await app.register(async (scope) => {
        scope.addContentTypeParser(streamed, (_request, body, done) => done(null, body));
        addRoute(scope, route, options);
      });
  }
  for (const mount of mounts) addMount(app, mount, options);
  return app;
}

/** Node's server with all of its connections watched. */
function listenWith(connections: Connections, { request_ms }: ServerOptions): Server {
  const server = createServer({
    // `malformedHead` checks the Host, because Node's own refusal has no problem document.
    requireHostHeader: false,
    // `Connections` gives a body that keeps arriving more time.
    requestTimeout: 0,
    headersTimeout: Math.min(request_ms, 10_000),
    connectionsCheckingInterval: 500,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16 * 1024,
  });
  // A client may end its side after its last request and still wait for the answer (RFC 9293, section 3.6).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('checkExpectation', refuseExpectation);
  connections.watch(server, refuseConnection);
  return server;
}

/** The problem of a request independent of its route: first the path, then the method. */
function refusal(request: FastifyRequest, reply: FastifyReply, methods: Methods): AppError | undefined {
  const path = pathOf(request);
  if (!request.is404 && !hasWrongName(request.params as Record<string, string>, methods.isFixed(path)))
    return undefined;
  const { error, allow } = methods.refusal(request.method, path);
  if (allow !== undefined) reply.header('allow', allow);
  return error;
}

/**
 * Whether the router took for a name what is none: nothing, as behind a slash at the end, or a path of its own (`fixed`)
 * that has another method.
 */
function hasWrongName(params: Readonly<Record<string, string>>, fixed: boolean): boolean {
  for (const name in params) if (name !== '*' && (fixed || params[name] === '')) return true;
  return false;
}

/** Whether the answer is for pages of other origins: those name theirs, but a cache may serve them an earlier answer. */
const isForPages = ({ url, method, headers }: FastifyRequest): boolean =>
  url.startsWith('/api/') && (headers.origin !== undefined || !UNCACHED.has(method));

/** Writes the access log line and publishes the metric: method, path, status and time, never content. */
function logAnswer(request: FastifyRequest, reply: FastifyReply, access: AccessLog | undefined): void {
  const ms = performance.now() - request.began;
  const { method } = request;
  const status = reply.statusCode;
  if (answered.hasSubscribers) answered.publish({ method, route: request.route?.path ?? 'none', status, ms });
  // Probes come every few seconds, and say something only when they fail.
  if (status < 400 && PROBES.has(request.route?.path ?? '')) return;
  access?.(
    request.id,
    method,
    // A mount may have changed the request's URL.
    request.route?.asked ?? pathOf(request),
    status,
    ms,
    (request.caller && writingKey(request.caller)?.id) ?? '',
  );
}

function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const id = requestId(request);
  response.writeHead(417, { 'content-type': PROBLEM_JSON, 'x-request-id': id, connection: 'close' });
  response.end(
    problemDocument('expectation_failed', 'Only "Expect: 100-continue" can be met. Leave the header out.', id),
  );
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] as string;
