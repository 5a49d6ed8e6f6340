import type { Channel } from '@mailroom/behavior/message';
import { AppError } from '@mailroom/behavior/values/error';
import { JsonText } from '@mailroom/behavior/values/json';
import type { Caller } from '../core/access/caller.ts';
import type { Upload } from '../core/files/uploads.ts';
import { inAuditScope } from '../core/ports/audit-scope.ts';
import { checkAccess, countCall, refundCall } from './admit.ts';
import { scopeOf } from './audit-scope.ts';
import type { Challenges } from './challenges.ts';
import type { Answer, Call, Route } from './route.ts';
import { compileCheck } from './validate.ts';

/** A call of a route without a request of its own. */
export interface LocalCall {
  readonly caller: Caller;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The files that came with the request. */
  readonly upload?: Upload | undefined;
  readonly channel: Channel;
  readonly request_id: string;
  readonly secure: boolean;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
}

interface Checked {
  readonly route: Route;
  readonly checks: Readonly<Record<'params' | 'query' | 'body', ((value: unknown) => void) | undefined>>;
}

/**
 * The routes of the API, called within this process by other protocols: with the same checks of scope, limits and shape
 * as over HTTP, in the same order.
 */
export class LocalRoutes {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #checked = new Map<string, Checked>();
  readonly #options: { readonly rate_limits: boolean; readonly challenges: Challenges };

  constructor(routes: readonly Route[], options: { readonly rate_limits: boolean; readonly challenges: Challenges }) {
    this.#routes = new Map(routes.map((route) => [route.id, route]));
    this.#options = options;
  }

  /** The route with this operation id. */
  route(id: string): Route {
    return this.#of(id).route;
  }

  /** Throws AppError for a caller who may not call this route. */
  checkAccess(id: string, caller: Caller): void {
    checkAccess(caller, this.#of(id).route);
  }

  /** Throws AppError as the route is answered over HTTP. */
  async call(id: string, request: LocalCall): Promise<Answer> {
    const { route, checks } = this.#of(id);
    const { caller, params = {}, query = {}, body, headers = {}, upload, channel, request_id, secure } = request;
    checkAccess(caller, route);
    const counted = this.#options.rate_limits ? await countCall(caller, route, this.#options.challenges) : undefined;
    if (counted?.refused !== undefined) throw counted.refused;
    try {
      checks.params?.(params);
      checks.query?.(query);
      checks.body?.(body);
      const run = route.handle as (call: Call) => Promise<Answer> | Answer;
      const local: Call = {
        caller,
        method: route.method,
        params,
        query,
        body,
        bytes: Buffer.alloc(0),
        form: new URLSearchParams(),
        headers,
        upload,
        channel,
        request_id,
        secure,
        gone: () => request.signal,
        left: () => request.signal,
        raw: () => {
          throw new AppError('internal', 'This route reads the request itself.');
        },
      };
      return await inAuditScope(scopeOf(caller, channel), () => run(local));
    } catch (error) {
      if (counted !== undefined && route.counts !== undefined) refundCall(caller, route);
      throw error;
    }
  }

  /** As `call`, of a route that answers with JSON. */
  async json<T>(id: string, of: LocalCall): Promise<T> {
    const { body } = await this.call(id, of);
    return (body instanceof JsonText ? JSON.parse(body.text) : body) as T;
  }

  #of(id: string): Checked {
    const known = this.#checked.get(id);
    if (known !== undefined) return known;
    const route = this.#routes.get(id);
    if (route === undefined) throw new Error(`There is no route ${id}.`);
    const check = (part: 'params' | 'query' | 'body') => {
      const schema = route[part];
      return schema === undefined ? undefined : compileCheck(schema);
    };
    const made = { route, checks: { params: check('params'), query: check('query'), body: check('body') } };
    this.#checked.set(id, made);
    return made;
  }
}
