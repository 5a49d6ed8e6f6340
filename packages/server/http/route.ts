import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Channel } from '@mailroom/behavior/message';
import type { AppError, Code } from '@mailroom/behavior/values/error';
import type { TObject, TSchema } from 'typebox';
import type { Caller } from '../core/access/caller.ts';
import type { Scope } from '../core/entities/key.ts';
import type { Upload } from '../core/files/uploads.ts';
import type { HeldBytes } from '../core/limits/held-bytes.ts';
import type { Limiter } from '../core/values/limits.ts';

/** Node's request, whose body may be read already, and its response. */
export interface RawExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a handler receives of a request that passed every check. */
export interface Call<P = Record<string, string>, Q = Record<string, unknown>, B = unknown> {
  readonly caller: Caller;
  /** `HEAD` for a GET whose body is not sent. */
  readonly method: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The protocol that the call came by, where it is another than the API. */
  readonly channel?: Channel;
  /** The body as it came, for a protocol that parses it itself. */
  readonly bytes: Buffer;
  /** The files of a multipart body; removed after the call unless it keeps them. */
  readonly upload?: Upload | undefined;
  /** Why the files of a form could not be stored; `upload` may hold some of them. */
  readonly upload_error?: AppError | undefined;
  /** The fields of a form; empty where the route takes none. */
  readonly form: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly request_id: string;
  /** Whether the request came over https, as reported by trusted proxies. */
  readonly secure: boolean;
  /** Aborts when the caller has disconnected. */
  readonly gone: () => AbortSignal;
  /**
   * Aborts when the caller has disconnected or ended its side, as each that disconnects does first: for what would last or
   * be lost without a reader. An answer is sent still.
   */
  readonly left: () => AbortSignal;
  /** For a library that reads requests itself; it sends nothing. */
  readonly raw: () => RawExchange;
}

/** How a form takes files. */
export interface FormFiles {
  /** Bytes of all files of a form. */
  readonly max: number;
  /** Begins an upload; `form` has the fields before the first file. AppError for a caller who may not send the form. */
  begin(call: Pick<Call, 'caller' | 'headers' | 'secure' | 'form'>): Promise<Upload>;
}

/** A body that is bytes of a type, not JSON. */
export interface TakenBytes {
  readonly type: string;
  /** Bytes of one body. */
  readonly max: number;
  /** The memory for all such bodies at a time, shared by namespaces. */
  readonly held: HeldBytes;
}

export interface Answer {
  readonly status: number;
  /**
   * JSON, serialized (`JsonText`) or not; a string as text; a Buffer as bytes; an `AsyncIterable` of text or bytes,
   * streamed no faster than the caller reads it. An error midway breaks the connection, so that the caller sees an
   * incomplete answer.
   */
  readonly body?: unknown;
  /** Several values of one name, as for `set-cookie`, are a list. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** JSON Lines: one JSON text per line (jsonlines.org). No media type is registered; this one is customary. */
export const JSON_LINES = 'application/x-ndjson';

export interface Declared {
  readonly description: string;
  /** For JSON Lines: the schema of each line. */
  readonly schema?: TSchema;
  /** `application/json` by default. */
  readonly type?: string;
  /** Other media types that the caller may ask for, each with its schema. */
  readonly also?: Readonly<Record<string, TSchema>>;
  /** Also available as a stream of server-sent events when the caller asks for it. */
  readonly streams?: true;
  readonly headers?: readonly string[];
}

/**
 * Who may call: anyone, any key, a key with a scope, or also a guest with its thread's token. `session`: only the pages,
 * for who signed in to them, so that a leaked key cannot; such a route is in `LocalRoutes` alone, and not served over HTTP.
 */
type Access = 'public' | 'key' | 'key_or_thread' | 'session' | Scope;

/** What a request shows of its caller. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly ip: string;
  readonly params: Readonly<Record<string, string>>;
}

/** An endpoint: its route, its checks and its entry in the OpenAPI document. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters, as in OpenAPI. */
  readonly path: string;
  /**
   * A pattern for all path parameters, or for those it names, as they stand in the URL; a path that does not match is
   * another path.
   */
  readonly names?: string | Readonly<Record<string, string>>;
  /** The OpenAPI operationId. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Another scope with which a key may do a part of it; the route checks which. */
  readonly or_scope?: Scope;
  /** The caller of a request, for a route that takes more than keys and tokens of threads. Throws AppError. */
  readonly authenticate?: (request: Credentials) => Caller | Promise<Caller>;
  /** Also for an account that signed in, with this scope. */
  readonly accounts?: Scope;
  /** The write itself checks the key, so that the look-up before it may be a second old. */
  readonly checks_key?: true;
  /** Counted per key, or per network for a guest. */
  readonly limits?: readonly Limiter[];
  /** In place of `limits` for local callers. */
  readonly local_limits?: readonly Limiter[];
  /** Counted for all keys of a namespace together. */
  readonly counted_for?: 'namespace';
  /** A request over the limits passes with a solved challenge (`Altcha`). */
  readonly challenge?: true;
  /** Failures are not counted, because the limit is on things created. */
  readonly counts?: 'successes';
  readonly params?: TObject;
  readonly query?: TObject;
  /** The schema of a required JSON body; without it the body is ignored. */
  readonly body?: TSchema;
  /**
   * Also takes `multipart/form-data`: the JSON in a part `message`, and files, for which this begins an upload of the
   * caller.
   */
  readonly upload?: (caller: Caller) => Upload;
  /** Takes a body of another type instead, which is `bytes` of the call. */
  readonly takes?: TakenBytes;
  /** Bytes of the body, where fewer than for other JSON documents. */
  readonly max_body?: number;
  /** A missing body is read as an empty object. */
  readonly body_optional?: true;
  /** Takes an HTML form instead, only from pages of this site. */
  readonly form?: true;
  /** The form may be `multipart/form-data`, with files. */
  readonly form_files?: FormFiles;
  /** Verifies a signature of the agent that sends the request, if it has one (Web Bot Auth), and names it in `caller`. */
  readonly signed?: true;
  /** Takes an `Idempotency-Key`. */
  readonly idempotency?: boolean;
  /** Further request headers with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media types of the JSON body besides `application/json`. */
  readonly types?: readonly string[];
  /** The answer to a problem, where the route speaks a protocol with errors of its own; the headers of problems are added. */
  readonly refusal?: (error: AppError) => Answer;
  /** By status. */
  readonly answers: Readonly<Record<number, Declared>>;
  /** Problems besides those that all routes share. */
  readonly problems: readonly Code[];
  /** Headers of problems besides the usual ones, by status. */
  readonly problem_headers?: Readonly<Record<number, readonly string[]>>;
  // Each route has its own parameter types; `route` below ties them to the schemas.
  handle(call: never): Promise<Answer> | Answer;
}

/** The pattern of a path parameter, if it has one. */
export const patternOf = (
  name: string,
  { names }: { readonly names?: Route['names'] | undefined },
): string | undefined => (typeof names === 'string' ? names : names?.[name]);

/** The type that `Accept` must allow: JSON or JSON Lines. Pages and plain texts are sent whatever it says. */
export function mediaTypeOf({ answers }: Route): 'application/json' | typeof JSON_LINES | undefined {
  const types = new Set(Object.values(answers).map(({ type = 'application/json' }) => type));
  if (types.size !== 1) return undefined;
  const [type] = types;
  return type === 'application/json' || type === JSON_LINES ? type : undefined;
}

/** Server-sent events (WHATWG HTML, section 9.2). */
export const EVENT_STREAM = 'text/event-stream';

/** Whether the route can answer with a stream of events. */
export const streams = ({ answers }: Route): boolean =>
  Object.values(answers).some((answer) => answer.streams === true);

type StaticOf<S> = S extends TSchema ? import('typebox').Static<S> : Record<string, never>;

/** What declares a route, with `handle` typed by its schemas. */
export type Definition<P, Q, B> = Omit<Route, 'params' | 'query' | 'body' | 'handle'> & {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  handle(call: Call<StaticOf<P>, StaticOf<Q>, StaticOf<B>>): Promise<Answer> | Answer;
};

/** Declares a route and types `handle` by its schemas. */
export const route = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  definition: Definition<P, Q, B>,
): Route => definition as unknown as Route;

/** Declares an operation of the API. */
export const operation = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  method: Route['method'],
  path: string,
  id: string,
  definition: Omit<Definition<P, Q, B>, 'method' | 'path' | 'id'>,
): Route => ({ ...definition, method, path, id }) as unknown as Route;
