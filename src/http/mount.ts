import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError, problems } from '../core/values/error.ts';
import type { Limiter } from '../core/values/limits.ts';
import { networkOf } from './authenticate.ts';
import { count } from './limits.ts';
import { PROBLEM_JSON, problemDocument, problemHeaders } from './problems.ts';

/** What of a request is known before it is handed over. */
export interface Handed {
  /** What stands for the parameter of the mount's path. */
  readonly name: string;
  /** The path below the mount, from `/` on, with the query. */
  readonly below: string;
  /** Who asks, as far as whom we believe says. */
  readonly ip: string;
  readonly request_id: string;
}

/** Takes a request as Node gives it, its body unread, and answers it. Resolves when it did. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse, of: Handed) => Promise<void>;

/**
 * A path below which a program of its own answers: a library that is its own HTTP server. It is handed Node's request and
 * response; the kernel keeps the request id, `nosniff`, the limit, the log and the metrics.
 */
export interface Mount {
  /** With one `{name}`. Ends in `/*` for all that is below; without it, it is that path alone. */
  readonly path: string;
  /** A pattern of what may stand for the parameter, as it stands in the URL; others are other paths. */
  readonly names: string;
  /** Counted per network. */
  readonly limits?: readonly Limiter[];
  /** Counted beside those, by what is below the mount. */
  readonly limitsOf?: (below: string) => readonly Limiter[];
  /** Who takes the requests of this name. AppError when nobody does, told as any problem is. */
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
    // Without the pattern: routes with one come before those without, and a mount is what is left.
    url: mount.path.replace(/\{(\w+)\}/, ':$1'),
    // In `onRequest`, as nothing has read of the body there.
    onRequest: (request, reply, done) => {
      request.route = { path: mount.path, asked: request.url.split('?', 1)[0] as string };
      take(request, reply, { mount, base, names }, kernel).catch(done);
    },
    handler: () => undefined,
  });
}

/** Rejects while the request can still be answered as any other. */
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
    await handle(request.raw, reply.raw, {
      name,
      below: query < 0 ? below : below + request.url.slice(query),
      ip: request.ip,
      request_id: request.id,
    });
  } catch (error) {
    fail(error, request, reply, log);
  }
}

/** It broke after it was handed over. */
function fail(error: unknown, { id }: FastifyRequest, { raw }: FastifyReply, log: Logger): void {
  const known = error instanceof AppError ? error : undefined;
  const code = known?.code ?? 'internal';
  const { status } = problems[code];
  if (status >= 500) log.error({ request_id: id, code, err: known?.cause ?? error }, 'a mounted program broke');
  if (raw.headersSent) {
    raw.destroy();
    return;
  }
  const body = problemDocument(code, known?.message ?? 'Something broke here. Try again.', id);
  raw.writeHead(status, {
    ...(known === undefined ? {} : problemHeaders(known)),
    'content-type': PROBLEM_JSON,
    'content-length': Buffer.byteLength(body),
  });
  raw.end(body);
}
