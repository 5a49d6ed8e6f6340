import { AppError } from '../core/error.ts';
import type { Route } from './route.ts';

/** The methods each path takes, for OPTIONS and 405. */
export class Methods {
  readonly #table: readonly { readonly pattern: RegExp; readonly allow: string }[];

  constructor(routes: readonly Route[]) {
    const methods = new Map<string, Set<string>>();
    for (const { path, method } of routes) {
      const known = methods.get(path) ?? new Set(['OPTIONS']);
      known.add(method);
      if (method === 'GET') known.add('HEAD');
      methods.set(path, known);
    }
    // What is spelled out goes before what takes any name, as where requests are routed.
    const names = (path: string): number => path.split('{').length;
    const paths = [...methods].sort(([a], [b]) => names(a) - names(b));
    this.#table = paths.map(([path, known]) => ({
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      allow: [...known].sort().join(', '),
    }));
  }

  /** As `Allow` writes them. AppError `not_found` for a path that is none. */
  of(path: string): string {
    const found = this.#table.find(({ pattern }) => pattern.test(path));
    if (found !== undefined) return found.allow;
    throw new AppError(
      'not_found',
      `There is nothing at ${path.slice(0, 200)}. GET /api/v1/openapi.json lists what there is.`,
    );
  }
}
