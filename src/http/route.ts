import type { TObject, TSchema } from 'typebox';
import type { Caller } from '../core/access/caller.ts';
import type { Scope } from '../core/entities/key.ts';
import type { Code } from '../core/values/error.ts';
import type { Limiter } from '../core/values/limits.ts';

/** What a handler is given of a request that passed every check. */
export interface Call<P = Record<string, string>, Q = Record<string, unknown>, B = unknown> {
  readonly caller: Caller;
  /** `HEAD` for a GET whose answer nobody is told. */
  readonly method: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The fields of a form; empty where the route takes none. */
  readonly form: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly request_id: string;
  /** Whether it came over https, as far as whom we believe says. */
  readonly secure: boolean;
  /** Aborts when the caller is gone. */
  readonly gone: () => AbortSignal;
}

export interface Answer {
  readonly status: number;
  /**
   * JSON, written already or not (`JsonText`); text when it is a string; bytes when it is a Buffer; text that is sent as it
   * comes, no faster than the caller takes it, when it is an `AsyncIterable<string>`. What throws midway breaks the connection
   * off, so that nobody takes a part for the whole.
   */
  readonly body?: unknown;
  /** Several values of one name, as of `set-cookie`, are a list. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** JSON Lines: a JSON text a line (jsonlines.org). No type is registered for them; this one is the custom. */
export const JSON_LINES = 'application/x-ndjson';

export interface Declared {
  readonly description: string;
  /** Of JSON Lines: of each line. */
  readonly schema?: TSchema;
  /** `application/json` unless said. */
  readonly type?: string;
  /** The same as a stream of server-sent events, for whoever asks for that. */
  readonly streams?: true;
  readonly headers?: readonly string[];
}

/** Who may call: anyone, any key, a key with a scope, or also a guest with the token of its thread. */
export type Access = 'public' | 'key' | 'key_or_thread' | Scope;

/** An endpoint: what makes the route, its checks and its place in the OpenAPI document. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters, as OpenAPI writes it. */
  readonly path: string;
  /**
   * A pattern of what may stand for the path's parameters, or for those it names, as it stands in the URL; others are other
   * paths.
   */
  readonly names?: string | Readonly<Record<string, string>>;
  /** The OpenAPI operationId. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** What it writes is written only if the key still works at that moment, so that a look-up may be a second old. */
  readonly checks_key?: true;
  /** Counted per key, or per network of a guest, */
  readonly limits?: readonly Limiter[];
  /** or for all keys of a namespace together. */
  readonly counted_for?: 'namespace';
  /** What the limits refuse passes with a solved challenge (`Altcha`). */
  readonly challenge?: true;
  /** What fails is not counted: the limit is one of things made, not of tries. */
  readonly counts?: 'successes';
  readonly params?: TObject;
  readonly query?: TObject;
  /** JSON that is needed; without it a body is not looked at. */
  readonly body?: TSchema;
  /** Bytes of its body, where they are fewer than of any JSON document. */
  readonly max_body?: number;
  /** No body at all is an empty object. */
  readonly body_optional?: true;
  /** It takes an HTML form instead, of this site's own pages only. */
  readonly form?: true;
  /** It takes an `Idempotency-Key`. */
  readonly idempotency?: boolean;
  /** Further request headers, with what they do. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By status. */
  readonly answers: Readonly<Record<number, Declared>>;
  /** What can go wrong beside what each route shares. */
  readonly problems: readonly Code[];
  // The parameters' types are each route's own; `route` below ties them to the schemas.
  handle(call: never): Promise<Answer> | Answer;
}

/** The pattern of one of a path's parameters, if it has one. */
export const patternOf = (
  name: string,
  { names }: { readonly names?: Route['names'] | undefined },
): string | undefined => (typeof names === 'string' ? names : names?.[name]);

/** What `Accept` is held against: JSON or JSON Lines. Pages and plain texts are for whoever asks. */
export function mediaTypeOf({ answers }: Route): 'application/json' | typeof JSON_LINES | undefined {
  const types = new Set(Object.values(answers).map(({ type = 'application/json' }) => type));
  if (types.size !== 1) return undefined;
  const [type] = types;
  return type === 'application/json' || type === JSON_LINES ? type : undefined;
}

/** Server-sent events (WHATWG HTML, section 9.2). */
export const EVENT_STREAM = 'text/event-stream';

/** Whether it answers with a stream of events too. */
export const streams = ({ answers }: Route): boolean =>
  Object.values(answers).some((answer) => answer.streams === true);

type StaticOf<S> = S extends TSchema ? import('typebox').Static<S> : Record<string, never>;

/** Writes a route down so that `handle` knows what its schemas let through. */
export const route = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  definition: Omit<Route, 'params' | 'query' | 'body' | 'handle'> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    handle(call: Call<StaticOf<P>, StaticOf<Q>, StaticOf<B>>): Promise<Answer> | Answer;
  },
): Route => definition as unknown as Route;
