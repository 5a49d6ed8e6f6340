import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import fastify from 'fastify';
import type { Logger } from 'pino';
import { type Caller, writingKey } from '../core/access/caller.ts';
import { type AppError, invalid } from '../core/values/error.ts';
import { admit, refund } from './admit.ts';
import type { AgentSignatures } from './agent-signature.ts';
import { checkDigest } from './agent-signature.ts';
import type { ProblemPage } from './answer.ts';
import { refuseConnection, refuseRaw, requestId, send, sendProblem, toAppError } from './answer.ts';
import type { Authenticator } from './authenticate.ts';
import { addressesIn, networkOf } from './authenticate.ts';
import type { Challenges } from './challenges.ts';
import type { ConnectionLimits } from './connections/connections.ts';
import { Connections } from './connections/connections.ts';
import { malformedHead, originForm } from './connections/malformed.ts';
import type { Rejections } from './connections/rejections.ts';
import { inSlices, SMALL } from './connections/unread.ts';
import { isShared } from './constant.ts';
import { FORM, MAX_FORM, readForm } from './forms.ts';
import { readJson } from './json.ts';
import { Methods } from './methods.ts';
import type { Mount } from './mount.ts';
import { addMount } from './mount.ts';
import { PROBLEM_JSON, problemDocument } from './problems.ts';
import type { Received } from './receive-files.ts';
import { receiveFiles } from './receive-files.ts';
import { receiveForm } from './receive-form.ts';
import type { Answer, Call, Route } from './route.ts';
import { patternOf } from './route.ts';
import { compileCheck } from './validate.ts';

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

export interface ServerOptions {
  readonly authenticator: Authenticator;
  /** Verifies the signatures of agents; without it, signed requests are taken as unsigned ones. */
  readonly signatures?: AgentSignatures | undefined;
  readonly log: Logger;
  /** Takes one line per request; undefined when the access log is off. */
  readonly access: AccessLog | undefined;
  readonly rate_limits: boolean;
  /** Only the machine of the service reaches it: it listens on a loopback address and has no public URL. */
  readonly local?: boolean;
  /** Counts refused requests. */
  readonly rejections: Rejections;
  readonly challenges: Challenges;
  /** Bytes of a JSON document. */
  readonly max_json: number;
  /** Values of a JSON document. */
  readonly max_values: number;
  /** Limits of connections in this process. */
  readonly connections: ConnectionLimits;
  /** Milliseconds a request may take to arrive, and a caller may read nothing of a streamed answer. */
  readonly request_ms: number;
  /** The public URL is https, whether or not a proxy reports it. */
  readonly https: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trust_proxy: readonly string[];
  /** Renders a problem as a page for browsers; without it they get the problem document. */
  readonly problem_page?: ProblemPage;
  /** Aborts when the service begins to stop; from then on each answer closes its connection. */
  readonly stopping: AbortSignal;
  /** Aborts when the service stops waiting for answers in progress. */
  readonly over: AbortSignal;
}

/** Not imported: an import reads every export of `node:http`, and one of them loads Node's own undici, 30 ms a start. */
const { createServer } = process.getBuiltinModule('node:http');

/** Published for each answer: `{ method, route, status, ms }`. */
const answered = channel('mailroom:http:answered');

const EXPOSED =
  'Location, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, X-Request-Id, Content-Disposition';
/** Milliseconds a connection without a request is kept, longer than proxies usually keep theirs. */
const KEEP_ALIVE_MS = 72_000;
const NO_FORM = new URLSearchParams();
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
/** Methods whose answers no cache keeps for a page of another origin (RFC 9110, section 9.2.3). */
const UNCACHED: ReadonlySet<string> = new Set(['POST', 'PATCH', 'DELETE']);

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
    reply.header('allow', allow).header('access-control-allow-methods', allow);
    reply.header(
      'access-control-allow-headers',
      'Authorization, Altcha, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Range, Content-Digest, Signature, Signature-Agent, Signature-Input, X-Request-Id',
    );
    return reply.header('access-control-max-age', '86400').code(204).send();
  });
  for (const route of routes) {
    if (route.access === 'session') throw new Error(`${route.id} is for sessions, and not served over HTTP.`);
    if (route.upload === undefined && route.form_files === undefined) addRoute(app, route, options);
    // A scope of its own, because elsewhere bodies of this type are not read as they arrive.
    else
      await app.register(async (scope) => {
        scope.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body));
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
  if (!request.is404 && !hasEmptyName(request.params as Record<string, string>)) return undefined;
  const { error, allow } = methods.refusal(request.method, pathOf(request));
  if (allow !== undefined) reply.header('allow', allow);
  return error;
}

/** Whether a parameter is empty, as behind a slash at the end, which the router takes for a name. */
function hasEmptyName(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) if (params[name] === '' && name !== '*') return true;
  return false;
}

function addRoute(app: FastifyInstance, route: Route, options: ServerOptions): void {
  const checkParams = route.params && compileCheck(route.params);
  const checkQuery = route.query && compileCheck(route.query);
  const checkBody = route.body && compileCheck(route.body);
  const run = route.handle as (call: Call) => Promise<Answer> | Answer;
  const streaming = { log: options.log, over: options.over, stall_ms: options.request_ms };
  const answer: Handle = async (request, reply, files) => {
    // JSON is parsed before the query is validated, so malformed JSON is reported first.
    const sent = files?.json ?? (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    if (request.digest !== undefined) await checkDigest(request.digest, sent);
    const none = route.body_optional === true && sent.length === 0;
    const body = checkBody === undefined ? undefined : none ? {} : readJson(sent, options.max_values);
    const query = request.url.includes('?') ? readQuery(request) : {};
    checkParams?.(request.params);
    checkQuery?.(query);
    checkBody?.(body);
    const result = await run({
      caller: request.caller as Caller,
      method: request.method,
      params: request.params as Record<string, string>,
      query,
      body,
      bytes: sent,
      upload: files?.upload,
      upload_error: files?.failed,
      form: route.form ? (files?.form ?? readForm(sent)) : NO_FORM,
      headers: request.headers,
      request_id: request.id,
      secure: options.https || request.protocol === 'https',
      gone: () => goneSignal(request, reply),
      left: () => goneSignal(request, reply, true),
      raw: () => ({ request: request.raw, response: reply.raw }),
    });
    const sending = send(request, reply, result, streaming);
    if (sending !== undefined) await sending;
  };
  const handle = takingFiles(answer, route, options, (json) => checkBody?.(readJson(json, options.max_values)));
  const fail = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      // A send that wrote nothing: a key revoked meanwhile gets `invalid_key`.
      if (route.checks_key) await options.authenticator.caller(request.headers.authorization, request.ip);
      else if (route.counts !== undefined && options.rejections.isFree(request)) refund(request, reply, route);
      reply.send(error);
    } catch (other) {
      reply.send(other);
    }
  };
  app.route({
    method: route.method,
    bodyLimit: Math.min(route.form ? MAX_FORM : (route.max_body ?? options.max_json), options.max_json),
    url: route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const pattern = patternOf(name, route);
      return pattern === undefined ? `:${name}` : `:${name}(${pattern})`;
    }),
    onRequest: (request, reply, done) => {
      request.route = route;
      try {
        const admitted = admit(request, reply, route, options);
        if (admitted === undefined) done();
        else admitted.then(() => done(), done);
      } catch (error) {
        done(error as AppError);
      }
    },
    // It returns nothing, as Fastify would wait for a promise, and a promise of a reply for the reply.
    handler: (request, reply) => {
      handle(request, reply).catch((error: unknown) => fail(error, request, reply));
    },
  });
}

/** Whether the answer is for pages of other origins: those name theirs, but a cache may serve them an earlier answer. */
const isForPages = ({ url, method, headers }: FastifyRequest): boolean =>
  url.startsWith('/api/') && (headers.origin !== undefined || !UNCACHED.has(method));

function readQuery(request: FastifyRequest): Record<string, unknown> {
  const query = { ...(request.query as Record<string, unknown>) };
  for (const [name, value] of Object.entries(query)) {
    if (String(value).includes('\0')) throw invalid(`/${name}`, 'U+0000 is in no text here. Leave it out.');
  }
  return query;
}

type Handle = (request: FastifyRequest, reply: FastifyReply, files?: Received) => Promise<void>;

/** Receives the files of a multipart body first, and removes them afterwards unless the call kept them. */
function takingFiles(
  handle: Handle,
  { upload: begin, form_files: formFiles }: Route,
  { max_json, https }: ServerOptions,
  check: (json: Buffer) => void,
): Handle {
  const receive = (request: FastifyRequest, reply: FastifyReply): Promise<Received> | undefined => {
    if (begin !== undefined) return receiveFiles(request, reply, { begin, check, max_json });
    const { caller, headers, protocol } = request;
    const secure = https || protocol === 'https';
    return (
      formFiles &&
      receiveForm(request, reply, {
        begin: (form) => formFiles.begin({ caller: caller as Caller, headers, secure, form }),
        max_files: formFiles.max,
        max_fields: max_json,
      })
    );
  };
  if (begin === undefined && formFiles === undefined) return handle;
  const withFiles: Handle = async (request, reply) => {
    const files = await receive(request, reply);
    await using _ = files?.upload;
    await handle(request, reply, files);
  };
  return (request, reply) => (request.body instanceof Readable ? withFiles : handle)(request, reply);
}

/** Aborts when the caller disconnects or, with `half`, ends its side; created only for handlers that wait. */
function goneSignal(request: FastifyRequest, reply: FastifyReply, half = false): AbortSignal {
  const { socket } = request.raw;
  const controller = new AbortController();
  const abort = (): void => controller.abort('the caller is gone');
  if (socket.destroyed || (half && socket.readableEnded)) abort();
  else reply.raw.once('close', abort);
  if (half && !controller.signal.aborted) {
    socket.once('end', abort);
    // The connection may have many more requests.
    reply.raw.once('close', () => socket.off('end', abort));
  }
  return controller.signal;
}

/** Writes the access log line and publishes the metric: method, path, status and time, never content. */
function logAnswer(request: FastifyRequest, reply: FastifyReply, access: AccessLog | undefined): void {
  const ms = performance.now() - request.began;
  const { method } = request;
  const status = reply.statusCode;
  if (answered.hasSubscribers) answered.publish({ method, route: request.route?.path ?? 'none', status, ms });
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
