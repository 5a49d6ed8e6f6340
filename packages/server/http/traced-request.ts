import type { FastifyReply, FastifyRequest } from 'fastify';
import { inTrace, type Tracing } from '../core/ports/tracing.ts';
import type { Route } from './route.ts';

/** Answers a request in a span of its own, below that of the caller's `traceparent`. */
export function tracedRequest(
  tracing: Tracing,
  { method, path }: Pick<Route, 'method' | 'path'>,
  request: FastifyRequest,
  { raw }: FastifyReply,
  answer: () => void,
): void {
  const { traceparent } = request.headers;
  const span = tracing.begin(`${method} ${path}`, {
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: { 'http.request.method': method, 'http.route': path },
  });
  raw.once('close', () => {
    const { statusCode } = raw;
    span.end({ 'http.response.status_code': statusCode }, statusCode >= 500);
  });
  inTrace(span.traceparent, answer);
}
