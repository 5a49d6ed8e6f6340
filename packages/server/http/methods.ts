import { AppError } from '@mailroom/behavior/values/error';
import type { Mount } from './mount.ts';
import { patternOf, type Route } from './route.ts';

interface Entry {
  readonly pattern: RegExp;
  /** The number of parameters in the path. */
  readonly names: number;
  /** The parameters match any name, also one that does not exist. */
  readonly open: boolean;
  readonly method: string;
}

/** The methods of each path, for OPTIONS and 405. */
export class Methods {
  readonly #routes: readonly Route[];
  readonly #mounts: readonly Mount[];
  readonly #fixed: ReadonlySet<string>;
  #made: readonly Entry[] | undefined;

  constructor(routes: readonly Route[], mounts: readonly Mount[] = []) {
    this.#routes = routes;
    this.#mounts = mounts;
    this.#fixed = new Set(routes.map(({ path }) => path).filter((path) => !path.includes('{')));
  }

  /** Made with the first use, because a start should not wait for it. */
  get #table(): readonly Entry[] {
    this.#made ??= tableOf(this.#routes, this.#mounts);
    return this.#made;
  }

  /** Whether a route has this path without parameters, so that it is no name of another route. */
  isFixed(path: string): boolean {
    return this.#fixed.has(path);
  }

  /** The methods in the form of `Allow`; AppError `not_found` for an unknown path. */
  of(path: string): string {
    const first = this.#first(path);
    const found = this.#table.filter(({ pattern, names }) => names === first.names && pattern.test(path));
    const methods = found.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
  }

  /** The problem of a request without a route: a wrong method when its path certainly exists, else not found. */
  refusal(method: string, path: string): { readonly error: AppError; readonly allow?: string } {
    try {
      if (this.#first(path).open) throw nothing(path);
      const allow = this.of(path);
      return { error: new AppError('method_not_allowed', `${method} is not for this path; it takes ${allow}.`), allow };
    } catch (error) {
      return { error: error as AppError };
    }
  }

  #first(path: string): Entry {
    const first = this.#table.find(({ pattern }) => pattern.test(path));
    if (first === undefined) throw nothing(path);
    return first;
  }
}

const nothing = (path: string): AppError =>
  new AppError('not_found', `There is nothing at ${path.slice(0, 200)}. GET /api/v1/openapi.json lists what there is.`);

/** Paths without parameters come first, as in routing. */
function tableOf(routes: readonly Route[], mounts: readonly Mount[]): readonly Entry[] {
  const entries: Entry[] = routes.map(({ path, method, names }) => ({
    pattern: new RegExp(
      `^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, (_, name: string) => `(?:${patternOf(name, { names }) ?? '[^/]+'})`)}$`,
    ),
    names: path.split('{').length - 1,
    open: names !== undefined,
    method,
  }));
  // A mount answers for its own methods, so its paths have none here.
  for (const { path, names } of mounts) {
    const pattern = path
      .replace(/[.]/g, '\\.')
      .replace(/\{\w+\}/, `(?:${names})`)
      .replace(/\/\*$/, '/.*');
    entries.push({ pattern: new RegExp(`^${pattern}$`), names: Infinity, open: true, method: 'OPTIONS' });
  }
  return entries.sort((a, b) => a.names - b.names);
}
