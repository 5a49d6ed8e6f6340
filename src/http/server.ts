import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { Logger } from 'pino';
import type { Caller } from '../core/access/caller.ts';
import { type AppError, invalid } from '../core/values/error.ts';
import { admit, giveBack } from './admit.ts';
import type { ProblemPage } from './answer.ts';
import { refuseConnection, refuseRaw, requestId, send, sendProblem, toAppError } from './answer.ts';
import type { Authenticator } from './authenticate.ts';
import { addressesIn, networkOf } from './authenticate.ts';
import type { Challenges } from './challenges.ts';
import type { ConnectionLimits } from './connections.ts';
import { Connections } from './connections.ts';
import { isShared } from './constant.ts';
import { FORM, MAX_FORM, readForm } from './forms.ts';
import { readJson } from './json.ts';
import { malformedHead, originForm } from './malformed.ts';
import { Methods } from './methods.ts';
import type { Mount } from './mount.ts';
import { addMount } from './mount.ts';
import { PROBLEM_JSON, problemDocument } from './problems.ts';
import type { Rejections } from './rejections.ts';
import type { Answer, Call, Route } from './route.ts';
import { patternOf } from './route.ts';
import { compileCheck } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What was asked for; null for what is no route of ours. Fastify's `routeOptions` is made anew at each look. */
    route: (Pick<Route, 'path'> & { readonly asked?: string }) | null;
    caller: Caller | null;
    began: number;
  }
}

/** What is told of each request: never what it holds. `key_id` is empty when no key was shown. */
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
  readonly log: Logger;
  /** Takes one line a request; undefined when nobody reads them. */
  readonly access: AccessLog | undefined;
  readonly rate_limits: boolean;
  /** Counts what was refused. */
  readonly rejections: Rejections;
  readonly challenges: Challenges;
  /** Bytes of a JSON document. */
  readonly max_json: number;
  /** Values of a JSON document. */
  readonly max_values: number;
  /** What connections may hold of this process. */
  readonly connections: ConnectionLimits;
  /** How long a request may take to arrive, and how long a caller may take nothing of an answer that is streamed. */
  readonly request_ms: number;
  /** The outside reaches it by https, whether or not a proxy says so. */
  readonly https: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-*` is believed. */
  readonly trust_proxy: readonly string[];
  /** How browsers are told of a problem; without it, as everyone else. */
  readonly problem_page?: ProblemPage;
  /** Aborts when the service begins to stop: from then on each answer is its connection's last. */
  readonly stopping: AbortSignal;
  /** Aborts when it waits no longer for answers that are on their way. */
  readonly over: AbortSignal;
}

/** Published for each answer: `{ method, route, status, ms }`. */
const answered = channel('mailroom:http:answered');

const EXPOSED =
  'Location, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, X-Request-Id, Content-Disposition';
/** How long a connection without a request is kept; longer than proxies keep theirs, as usual. */
const KEEP_ALIVE_MS = 72_000;
const NO_FORM = new URLSearchParams();
const PAGE_HEADERS = { 'x-content-type-options': 'nosniff' };
/** A year, this host alone (RFC 6797, section 6.1): what else has a name below it is not ours to decide on. */
const HSTS = 'max-age=31536000';
const API_HEADERS = { ...PAGE_HEADERS, 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };

/** The kernel of every HTTP door: parsing, checks in the contract's order, problems, limits, one log line a request. */
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
      networkOf: (address) => (options.rate_limits && !proxies(address) ? networkOf(address) : undefined),
    },
    (request, response) => handle(request, response),
  );
  const app = fastify({
    logger: false,
    genReqId: requestId,
    trustProxy: options.trust_proxy.length > 0 ? [...options.trust_proxy] : false,
    bodyLimit: options.max_json,
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
      // It is late since it was not read: its answers come first.
      if (connections.isHeld(socket) && (error as NodeJS.ErrnoException).code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
      refuseRaw(error as NodeJS.ErrnoException, socket);
    },
    frameworkErrors: (error, request, reply) => {
      sendProblem(error, request as FastifyRequest, reply as unknown as FastifyReply, options);
    },
  });
  app.decorateRequest('route', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('began', 0);
  app.removeAllContentTypeParsers();
  // The usual ones by name: Fastify remembers who reads those, and looks at each of the others anew.
  for (const type of ['application/json', FORM, '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  }
  // Callbacks, not promises: each promise of a hook costs every request a turn of the queue.
  app.addHook('onRequest', (request, reply, done) => {
    request.began = performance.now();
    reply.headers(request.url.startsWith('/api/') ? API_HEADERS : PAGE_HEADERS).header('x-request-id', request.id);
    if (options.https) reply.header('strict-transport-security', HSTS);
    const malformed = malformedHead(request.raw);
    if (malformed !== undefined) {
      // What stands behind it may be meant for somebody else.
      connections.end(request.raw.socket);
      reply.header('connection', 'close');
    }
    done(malformed ?? refusal(request, reply, methods));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close');
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const room = connections.handOver(reply.raw, bytes, isShared(payload));
    if (room === undefined) done();
    else room.then(() => done(), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    tell(request, reply, options.access);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error);
    sendProblem(options.rate_limits ? rejections.refused(known, request) : known, request, reply, options);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
  app.options('*', (request, reply) => {
    const allow = methods.of(pathOf(request));
    reply.header('allow', allow).header('access-control-allow-methods', allow);
    reply.header(
      'access-control-allow-headers',
      'Authorization, Altcha, Content-Type, Idempotency-Key, Prefer, X-Request-Id',
    );
    return reply.header('access-control-max-age', '86400').code(204).send();
  });
  for (const route of routes) addRoute(app, route, options);
  for (const mount of mounts) addMount(app, mount, options);
  return app;
}

/** Node's server, with each of its connections watched. */
function listenWith(connections: Connections, { request_ms }: ServerOptions): Server {
  const server = createServer({
    // Checked by `malformedHead`: Node's own refusal has no problem document.
    requireHostHeader: false,
    requestTimeout: request_ms,
    headersTimeout: Math.min(request_ms, 10_000),
    connectionsCheckingInterval: 500,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16 * 1024,
  });
  server.on('checkExpectation', refuseExpectation);
  connections.watch(server, refuseConnection);
  return server;
}

/** What is wrong with a request whatever its route: the path, then the method, before all else. */
function refusal(request: FastifyRequest, reply: FastifyReply, methods: Methods): AppError | undefined {
  if (!request.is404) return undefined;
  const { error, allow } = methods.refusal(request.method, pathOf(request));
  if (allow !== undefined) reply.header('allow', allow);
  return error;
}

function addRoute(app: FastifyInstance, route: Route, options: ServerOptions): void {
  const checkParams = route.params && compileCheck(route.params);
  const checkQuery = route.query && compileCheck(route.query);
  const checkBody = route.body && compileCheck(route.body);
  const handle = route.handle as (call: Call) => Promise<Answer> | Answer;
  const streaming = { log: options.log, over: options.over, stall_ms: options.request_ms };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // JSON before shape: a body that is none is told before a query that is wrong.
    const sent = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const none = route.body_optional === true && sent.length === 0;
    const body = checkBody === undefined ? undefined : none ? {} : readJson(sent, options.max_values);
    const query = { ...(request.query as Record<string, unknown>) };
    for (const [name, value] of Object.entries(query)) {
      if (String(value).includes('\0')) throw invalid(`/${name}`, 'U+0000 is in no text here. Leave it out.');
    }
    checkParams?.(request.params);
    checkQuery?.(query);
    checkBody?.(body);
    const result = await handle({
      caller: request.caller as Caller,
      method: request.method,
      params: request.params as Record<string, string>,
      query,
      body,
      form: route.form ? readForm(sent) : NO_FORM,
      headers: request.headers,
      request_id: request.id,
      secure: options.https || request.protocol === 'https',
      gone: () => goneSignal(request, reply),
    });
    return send(request, reply, result, streaming);
  };
  /** A send that wrote nothing has not checked its key: revoked meanwhile, it is told that and nothing else. */
  const checked = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    answer(request, reply).catch(async (error: unknown) => {
      await options.authenticator.caller(request.headers.authorization, request.ip);
      throw error;
    });
  const counted = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    answer(request, reply).catch((error: unknown) => {
      if (options.rejections.isFree(request)) giveBack(request, reply, route);
      throw error;
    });
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
    handler: route.checks_key ? checked : route.counts === undefined ? answer : counted,
  });
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
function tell(request: FastifyRequest, reply: FastifyReply, access: AccessLog | undefined): void {
  const ms = performance.now() - request.began;
  const { method } = request;
  const status = reply.statusCode;
  if (answered.hasSubscribers) answered.publish({ method, route: request.route?.path ?? 'none', status, ms });
  access?.(
    request.id,
    method,
    // Who is handed the request may have changed its URL.
    request.route?.asked ?? pathOf(request),
    status,
    ms,
    request.caller?.kind === 'key' ? request.caller.key.id : '',
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
