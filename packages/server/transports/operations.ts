import { Type } from 'typebox';
import { operation, type Route } from '../http/route.ts';

const Alive = Type.Object({ status: Type.Literal('ok') }, { $id: 'Alive' });

/** Endpoints for load balancers, orchestrators and Prometheus. */
export const operationRoutes = (parts: {
  readonly probe: () => Promise<void>;
  readonly metrics: () => Promise<string>;
}): readonly Route[] => [
  operation('GET', '/livez', 'getLivez', {
    tag: 'Operations',
    summary: 'Whether the process runs',
    access: 'public',
    answers: { 200: { description: 'It does.', schema: Alive } },
    problems: [],
    handle: () => ({ status: 200, body: { status: 'ok' } }),
  }),
  operation('GET', '/readyz', 'getReadyz', {
    tag: 'Operations',
    summary: 'Whether it can serve: writes to the database',
    access: 'public',
    answers: { 200: { description: 'It can.', schema: Alive } },
    problems: [],
    async handle() {
      await parts.probe();
      return { status: 200, body: { status: 'ok' } };
    },
  }),
  operation('GET', '/metrics', 'getMetrics', {
    tag: 'Operations',
    summary: 'Prometheus metrics',
    access: 'public',
    answers: { 200: { description: 'Text format 0.0.4.', schema: Type.String(), type: 'text/plain' } },
    problems: [],
    async handle() {
      return {
        status: 200,
        body: await parts.metrics(),
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      };
    },
  }),
];
