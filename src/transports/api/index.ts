import type { Parts } from '../../http/parts.ts';
import type { Route } from '../../http/route.ts';
import { behaviorRoutes } from './behaviors.ts';
import { challengeRoutes } from './challenges.ts';
import { clientRoutes } from './clients.ts';
import { decisionRoutes } from './decisions.ts';
import { documentRoutes } from './documents.ts';
import { eventRoutes } from './events.ts';
import { exportRoutes } from './export.ts';
import { jwksRoutes } from './jwks.ts';
import { keyRoutes } from './keys.ts';
import { mailboxRoutes } from './mailboxes.ts';
import { messageRoutes } from './messages.ts';
import { namespaceRoutes } from './namespaces.ts';
import { registrationTokenRoutes } from './registration-tokens.ts';
import { sendRoutes } from './send.ts';
import { serviceRoutes } from './services.ts';

/** Every route of the API, and the documents that describe them. */
export function apiRoutes(parts: Parts, operations: readonly Route[], version: string): readonly Route[] {
  const routes = [
    ...sendRoutes(parts),
    ...challengeRoutes(parts),
    ...messageRoutes(parts),
    ...decisionRoutes(parts),
    ...mailboxRoutes(parts),
    ...clientRoutes(parts),
    ...registrationTokenRoutes(parts),
    ...serviceRoutes(parts),
    ...namespaceRoutes(parts),
    ...exportRoutes(parts),
    ...behaviorRoutes(parts),
    ...eventRoutes(parts),
    ...keyRoutes(parts),
    ...jwksRoutes(parts),
    ...operations,
  ].map((route) => counted(route, parts));
  return [...routes, ...documentRoutes(routes, parts, version)];
}

/** Changes are limited because each one stores an event, and a loop of changes would fill the disk. */
function counted(route: Route, { limiters }: Parts): Route {
  if (route.method === 'GET' || route.access === 'public' || route.limits !== undefined) return route;
  return { ...route, limits: [limiters.changes], counted_for: 'namespace' };
}
