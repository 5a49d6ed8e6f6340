import type { TObject, TSchema } from 'typebox';
import type { Definition, Route } from './route.ts';

/** A route of a page, or of what belongs to one: it is public, and not in the OpenAPI document. */
export const pageRoute = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  method: 'GET' | 'POST',
  path: string,
  definition: Pick<Definition<P, Q, B>, 'handle'> & Partial<Definition<P, Q, B>>,
): Route =>
  ({
    id: `${method} ${path}`,
    tag: 'Pages',
    summary: path,
    access: 'public',
    answers: {},
    problems: [],
    ...definition,
    method,
    path,
  }) as unknown as Route;

/** Pages at fixed paths, other than files. */
const FIXED = /^(?:\/[a-z-]+)+$/;

/** For each page at a fixed path a redirect to it from the same path with a slash at the end. */
export function slashRedirects(routes: readonly Route[]): readonly Route[] {
  const pages = new Set(routes.flatMap(({ method, path }) => (method === 'GET' && FIXED.test(path) ? [path] : [])));
  return [...pages].map((path) => {
    const location = `../${path.slice(path.lastIndexOf('/') + 1)}`;
    return pageRoute('GET', `${path}/`, { handle: () => ({ status: 308, headers: { location } }) });
  });
}
