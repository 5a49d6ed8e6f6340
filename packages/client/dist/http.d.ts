import { type FileInput } from './multipart.js';
/** What every call takes besides its own arguments. */
export interface RequestOptions {
    /** Ends the call; it then throws the signal's reason. */
    readonly signal?: AbortSignal | undefined;
    /** Milliseconds for one attempt, on top of what the service is asked to wait. */
    readonly timeoutMs?: number | undefined;
    /**
     * Makes the request safe to repeat. One is made for you; give your own to repeat it after a restart, or null where
     * repeating it is safe without one.
     */
    readonly idempotencyKey?: string | null | undefined;
    /** Further request headers, such as `If-Match`. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
/** The same for calls that take files. */
export interface UploadOptions extends RequestOptions {
    /** Up to 20 files, 10 MiB each and 25 MiB together unless the operator sets other limits. */
    readonly files?: readonly FileInput[] | undefined;
}
export interface ClientOptions {
    /** Where the service is, such as `https://mail.example.com`; else the environment's `MAILROOM_URL`. */
    readonly url?: string | undefined;
    /** The API key, `mr_live_…`; else the environment's `MAILROOM_KEY`. Public endpoints need none. */
    readonly key?: string | undefined;
    /** Milliseconds for one attempt, 60,000 by default. */
    readonly timeoutMs?: number | undefined;
    /** How often a request is repeated after 429, 502, 503, 504 or a failure of the network; 3 by default. */
    readonly maxRetries?: number | undefined;
    /**
     * The message that is being handled: messages sent meanwhile are caused by it, so that agents which write to each other
     * end at 8 hops. Else the environment's `MAILROOM_MESSAGE_ID`, which `mailroom serve` sets.
     */
    readonly causedBy?: string | undefined;
    /** Replaces the global `fetch`. */
    readonly fetch?: typeof fetch | undefined;
    /** Named in the `User-Agent`, where the platform allows it. */
    readonly agent?: string | undefined;
}
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Query = {
    readonly [name: string]: string | number | boolean | undefined;
};
/** A body that is no JSON. */
export type Bytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
/** What a request holds. */
export interface Sent {
    readonly query?: Query | undefined;
    readonly body?: unknown;
    /** A body that is no JSON; repeating it does nothing twice. */
    readonly bytes?: {
        readonly type: string;
        readonly content: Bytes;
    };
    /** Whether the endpoint takes an `Idempotency-Key`. */
    readonly idempotent?: boolean;
}
/** A path with its parameters encoded; an address keeps its `@`. */
export declare const path: (texts: TemplateStringsArray, ...values: readonly string[]) => string;
/** Sends requests: with the key, retries, time-outs, and errors as `MailroomError`. */
export declare class Http {
    #private;
    readonly url: string;
    constructor(options: ClientOptions);
    /** The JSON of an answer; undefined for 204. */
    json<T>(method: Method, to: string, sent?: Sent, options?: UploadOptions): Promise<T>;
    /** The answer itself, whose body the caller reads; the time-out ends with its headers. */
    raw(method: Method, to: string, sent?: Sent, options?: RequestOptions): Promise<Response>;
    /** A list, page by page as it is read. */
    list<T>(to: string, query?: Query, options?: RequestOptions): List<T>;
    /** The values of JSON Lines, as they arrive. */
    lines<T>(to: string, options?: RequestOptions): AsyncGenerator<T, void>;
}
/** Doubles with each attempt; half of it is random, so that many clients do not return together. */
export declare const pauseMs: (attempt: number) => number;
/** A page as the service sends it. */
export interface Page<T> {
    readonly items: readonly T[];
    readonly next_cursor: string | null;
}
/** A list: `for await` reads all of it, page by page; `page` reads one. */
export declare class List<T> implements AsyncIterable<T> {
    #private;
    constructor(read: (cursor?: string) => Promise<Page<T>>);
    /** The first page, or the one at `cursor`. */
    page(cursor?: string): Promise<Page<T>>;
    /** All items, or the first `max`. */
    all(max?: number): Promise<T[]>;
    [Symbol.asyncIterator](): AsyncGenerator<T, void>;
}
export {};
