import type { Route } from './route.ts';
import { route } from './route.ts';

/** What all page routes share: they are public and not in the OpenAPI document. */
export const pageRoute = (method: 'GET' | 'POST', path: string) =>
  ({
    method,
    path,
    id: `${method} ${path}`,
    tag: 'Pages',
    summary: path,
    access: 'public',
    answers: {},
    problems: [],
  }) as const;

/** Pages at fixed paths, other than files. */
const FIXED = /^(?:\/[a-z-]+)+$/;

/** For each page at a fixed path a redirect to it from the same path with a slash at the end. */
export function slashRedirects(routes: readonly Route[]): readonly Route[] {
  const pages = new Set(routes.flatMap(({ method, path }) => (method === 'GET' && FIXED.test(path) ? [path] : [])));
  return [...pages].map((path) => {
    const location = `../${path.slice(path.lastIndexOf('/') + 1)}`;
    return route({ ...pageRoute('GET', `${path}/`), handle: () => ({ status: 308, headers: { location } }) });
  });
}
