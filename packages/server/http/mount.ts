import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, problems } from '@mailroom/behavior/values/error';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { inAuditScope } from '../core/ports/audit-scope.ts';
import type { Limiter } from '../core/values/limits.ts';
import { networkOf } from './authenticate.ts';
import { count } from './limits.ts';
import { PROBLEM_JSON, problemDocument, problemHeaders } from './problems.ts';

/** What is known of a request before it is handed over. */
export interface Handed {
  /** The value of the parameter in the mount's path. */
  readonly name: string;
  /** The path below the mount, starting with `/`, with the query. */
  readonly below: string;
  /** The caller's address, as reported by trusted proxies. */
  readonly ip: string;
  readonly request_id: string;
}

/** Answers one of Node's requests, whose body is unread; resolves when the answer is sent. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse, of: Handed) => Promise<void>;

/**
 * A path below which a library with its own HTTP server answers with Node's request and response. The kernel still
 * applies the request id, `nosniff`, the limits, the log and the metrics.
 */
export interface Mount {
  /** Has one `{name}`; ends in `/*` to include everything below, else it is that path alone. */
  readonly path: string;
  /** A pattern for the parameter as it stands in the URL; a path that does not match is another path. */
  readonly names: string;
  /** Counted per network. */
  readonly limits?: readonly Limiter[];
  /** Additional limits that depend on the path below the mount. */
  readonly limitsOf?: (below: string) => readonly Limiter[];
  /** The handler for this name; an AppError is answered as a problem. */
  find(name: string): Promise<RawHandler>;
}

/** What a mount needs of the server's options. */
interface Kernel {
  readonly log: Logger;
  readonly rate_limits: boolean;
  readonly stopping: AbortSignal;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export function addMount(app: FastifyInstance, mount: Mount, kernel: Kernel): void {
  const base = mount.path.replace(/\/\*$/, '');
  const names = new RegExp(`^(?:${mount.names})$`);
  app.route({
    method: [...METHODS],
    exposeHeadRoute: false,
    // Without the pattern, because a mount must match only after all routes with a pattern.
    url: mount.path.replace(/\{(\w+)\}/, ':$1'),
    // In `onRequest`, because nothing has read the body at that point.
    onRequest: (request, reply, done) => {
      request.route = { path: mount.path, asked: request.url.split('?', 1)[0] as string };
      take(request, reply, { mount, base, names }, kernel).catch(done);
    },
    handler: () => undefined,
  });
}

/** Rejects while the request can still be answered with a problem. */
async function take(
  request: FastifyRequest,
  reply: FastifyReply,
  { mount, base, names }: { readonly mount: Mount; readonly base: string; readonly names: RegExp },
  { log, rate_limits, stopping }: Kernel,
): Promise<void> {
  const params = Object.entries(request.params as Record<string, string>);
  const [, name] = params.find(([key]) => key !== '*') as [string, string];
  if (!names.test(name)) throw new AppError('not_found', 'There is nothing at this path.');
  const at = base.split('/').length;
  const below = `/${request.url.split('?', 1)[0]?.split('/').slice(at).join('/')}`;
  const limits = [...(mount.limits ?? []), ...(mount.limitsOf?.(below) ?? [])];
  if (rate_limits && limits.length > 0) {
    const { headers, refused } = await count(limits, networkOf(request.ip));
    reply.headers(headers);
    if (refused !== undefined) throw refused;
  }
  const handle = await mount.find(name);
  const query = request.url.indexOf('?');
  reply.hijack();
  for (const [header, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(header, value);
  }
  if (stopping.aborted) reply.raw.setHeader('connection', 'close');
  try {
    const handed = {
      name,
      below: query < 0 ? below : below + request.url.slice(query),
      ip: request.ip,
      request_id: request.id,
    };
    const origin = { channel: 'sign_in', network: networkOf(request.ip) } as const;
    await inAuditScope({ origin }, () => handle(request.raw, reply.raw, handed));
  } catch (error) {
    fail(error, request, reply, log);
  }
}

/** The handler failed after the request was handed over. */
function fail(error: unknown, { id }: FastifyRequest, { raw }: FastifyReply, log: Logger): void {
  const appError = error instanceof AppError ? error : undefined;
  const code = appError?.code ?? 'internal';
  const { status } = problems[code];
  if (status >= 500) log.error({ request_id: id, code, err: appError?.cause ?? error }, 'a mounted program broke');
  if (raw.headersSent) {
    raw.destroy();
    return;
  }
  const body = problemDocument(code, appError?.message ?? 'Something broke here. Try again.', id);
  raw.writeHead(status, {
    ...(appError === undefined ? {} : problemHeaders(appError)),
    'content-type': PROBLEM_JSON,
    'content-length': Buffer.byteLength(body),
  });
  raw.end(body);
}
