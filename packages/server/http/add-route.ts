import { Readable } from 'node:stream';
import { type AppError, invalid } from '@mailroom/behavior/values/error';
import { wellFormed } from '@mailroom/behavior/values/well-formed';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Caller } from '../core/access/caller.ts';
import { inAuditScope } from '../core/ports/audit-scope.ts';
import type { Tracing } from '../core/ports/tracing.ts';
import { type Admission, admit, refund } from './admit.ts';
import { checkDigest } from './agent-signature.ts';
import { send } from './answer.ts';
import { channelOf, scopeOf } from './audit-scope.ts';
import { MAX_FORM, readForm } from './forms.ts';
import { readJson } from './json.ts';
import { receiveBytes } from './receive-bytes.ts';
import { type Received, receiveFiles } from './receive-files.ts';
import { receiveForm } from './receive-form.ts';
import { type Answer, type Call, patternOf, type Route } from './route.ts';
import { tracedRequest } from './traced-request.ts';
import { compileCheck } from './validate.ts';

/** What a route needs of the server. */
export interface RouteOptions extends Admission {
  readonly log: Logger;
  /** Bytes of a JSON document. */
  readonly max_json: number;
  /** Values of a JSON document. */
  readonly max_values: number;
  /** Milliseconds a request may take to arrive, and a caller may read nothing of a streamed answer. */
  readonly request_ms: number;
  /** The public URL is https, whether or not a proxy reports it. */
  readonly https: boolean;
  /** Where requests are traced; undefined where they are not. */
  readonly tracing?: Tracing | undefined;
  /** Aborts when the service stops waiting for answers in progress. */
  readonly over: AbortSignal;
}

const NO_FORM = new URLSearchParams();

/** Adds a route: admission, checks in the contract's order, the call and its answer. */
export function addRoute(app: FastifyInstance, route: Route, options: RouteOptions): void {
  const checkParams = route.params && compileCheck(route.params);
  const checkQuery = route.query && compileCheck(route.query);
  const checkBody = route.body && compileCheck(route.body);
  const run = route.handle as (call: Call) => Promise<Answer> | Answer;
  const channel = channelOf(route);
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
    const caller = request.caller as Caller;
    const call: Call = {
      caller,
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
    };
    const result = await inAuditScope(scopeOf(caller, channel), () => run(call));
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
      if (request.url.includes('%00')) storable(request.params as Record<string, string>);
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
      const act = (): void => {
        handle(request, reply).catch((error: unknown) => fail(error, request, reply));
      };
      if (options.tracing === undefined || route.tag === 'Operations') act();
      else tracedRequest(options.tracing, route, request, reply, act);
    },
  });
}

/** Makes names that no database can keep others that nothing has. */
function storable(params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) params[name] = wellFormed(value);
}

function readQuery(request: FastifyRequest): Record<string, unknown> {
  const query = { ...(request.query as Record<string, unknown>) };
  for (const [name, value] of Object.entries(query)) {
    if (String(value).includes('\0')) throw invalid(`/${name}`, 'U+0000 is in no text here. Leave it out.');
  }
  return query;
}

type Handle = (request: FastifyRequest, reply: FastifyReply, files?: Received) => Promise<void>;

/** Receives the bytes of a body, or the files of a multipart body, first, and removes them afterwards unless the call kept them. */
function takingFiles(
  handle: Handle,
  { upload: begin, form_files: formFiles, takes }: Route,
  { max_json, https }: RouteOptions,
  check: (json: Buffer) => void,
): Handle {
  if (takes !== undefined)
    return async (request, reply) => {
      if (!(request.body instanceof Readable)) return handle(request, reply);
      using body = await receiveBytes(request, reply, takes);
      await handle(request, reply, { json: body.bytes, upload: undefined });
    };
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
