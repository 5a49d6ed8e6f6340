import Negotiator from 'negotiator';
import { Type } from 'typebox';
import type { Limiter } from '../../core/values/limits.ts';
import type { ProblemPage } from '../../http/answer.ts';
import { pageRoute, slashRedirects } from '../../http/page-route.ts';
import type { Route } from '../../http/route.ts';
import { assetAnswer } from './assets.ts';
import { PAGE_HEADERS } from './headers.ts';
import { page } from './layout.ts';
import { problemPage } from './pages/problem.ts';

/** The routes of pages with the limit on page views, and the files that pages load. */
export const webRoutes = (routes: readonly Route[], views: Limiter): readonly Route[] => [
  pageRoute('GET', '/static/{file}', {
    params: Type.Object({ file: Type.String() }),
    handle: ({ params, headers }) => assetAnswer(params.file, headers),
  }),
  ...[...routes, ...slashRedirects(routes)].map((one) => withLimit(one, views)),
];

/** Counts page views and console requests against the limit; signing in to the console has a limit of its own. */
const withLimit = (route: Route, views: Limiter): Route =>
  route.limits === undefined && (route.method === 'GET' || route.path.startsWith('/console/'))
    ? { ...route, limits: [views] }
    : route;

/** Problems as pages, for clients that prefer HTML to JSON; the API always answers with JSON. */
export const webProblem: ProblemPage = (error, { id, url, headers }) => {
  if (url.startsWith('/api/') || headers.accept === undefined) return undefined;
  const accepted = new Negotiator({ headers: { accept: headers.accept } });
  if (accepted.mediaType(['application/problem+json', 'application/json', 'text/html']) !== 'text/html')
    return undefined;
  return { body: page(problemPage(error, url, id)), headers: PAGE_HEADERS };
};
