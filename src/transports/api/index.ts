import type { Limiter } from '../../core/values/limits.ts';
import type { Route } from '../../http/route.ts';
import type { DocumentParts } from './documents.ts';
import { documentRoutes } from './documents.ts';

/** The routes of the API with the limit on changes, and the documents that describe them. */
export function apiRoutes(routes: readonly Route[], changes: Limiter, documents: DocumentParts): readonly Route[] {
  const counted = routes.map((route) => withLimit(route, changes));
  return [...counted, ...documentRoutes(counted, documents)];
}

/** Changes are limited because each one stores an event, and a loop of changes would fill the disk. */
function withLimit(route: Route, changes: Limiter): Route {
  if (route.method === 'GET' || route.access === 'public' || route.limits !== undefined) return route;
  return { ...route, limits: [changes], counted_for: 'namespace' };
}
