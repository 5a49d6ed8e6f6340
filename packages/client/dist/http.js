import { errorOf, MailroomError } from './error.js';
import { exchange } from './exchange.js';
import { chunksOf, multipart } from './multipart.js';
import { sleep } from './sleep.js';
const RETRIED = new Set([429, 502, 503, 504]);
/** A longer pause is for the caller to decide about, in seconds. */
const MAX_RETRY_AFTER_S = 60;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
/** What stands before a path without a slash at its beginning. */
const API = '/api/v1/';
/** Where a request sends a message, or will. */
const SENDS = new Set(['mail/send', 'mail/drafts']);
const environment = (name) => globalThis.process?.env?.[name];
/** A path with its parameters encoded; an address keeps its `@`. */
export const path = (texts, ...values) => String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value).replaceAll('%40', '@')));
/** Sends requests: with the key, retries, time-outs, and errors as `MailroomError`. */
export class Http {
    url;
    #options;
    #key;
    #causedBy;
    constructor(options) {
        const url = options.url ?? environment('MAILROOM_URL');
        if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url))
            throw new MailroomError(url === undefined
                ? 'The URL of the service is missing: new Mailroom({url}), or MAILROOM_URL in the environment.'
                : `"${url}" is not the URL of a service. Give one such as https://mail.example.com.`, { code: 'configuration' });
        this.url = url.replace(/\/$/, '');
        this.#options = options;
        // A file with a key often ends in a line break, which no header may have.
        this.#key = (options.key ?? environment('MAILROOM_KEY'))?.trim();
        this.#causedBy = options.causedBy ?? environment('MAILROOM_MESSAGE_ID');
    }
    /** The JSON of an answer; undefined for 204. */
    async json(method, to, sent = {}, options = {}) {
        const read = async (response) => response.status === 204 ? undefined : (await response.json());
        return this.#send(method, to, sent, options, read, read);
    }
    /** The answer itself, whose body the caller reads; the time-out ends with its headers. */
    raw(method, to, sent = {}, options = {}) {
        return this.#send(method, to, sent, options, (response) => response);
    }
    /** A list, page by page as it is read. */
    list(to, query = {}, options = {}) {
        return new List((cursor) => this.json('GET', to, { query: cursor === undefined ? query : { ...query, cursor } }, options));
    }
    /** The values of JSON Lines, as they arrive. */
    async *lines(to, options = {}) {
        const { body } = await this.raw('GET', to, {}, options);
        let rest = '';
        if (body === null)
            return;
        for await (const text of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
            const lines = (rest + text).split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines)
                if (line !== '')
                    yield JSON.parse(line);
        }
        if (rest !== '')
            yield JSON.parse(rest);
    }
    async #send(method, to, { query = {}, body, bytes, idempotent = false }, options, read, readText) {
        const url = new URL(this.url + (to.startsWith('/') ? '' : API) + to);
        for (const [name, value] of Object.entries(query))
            if (value !== undefined)
                url.searchParams.set(name, String(value));
        const { files = [] } = options;
        const caused = this.#causedBy !== undefined && method === 'POST' && SENDS.has(to);
        const content = caused ? { caused_by: this.#causedBy, ...body } : body;
        const encoded = bytes !== undefined ? asBytes(bytes) : files.length > 0 ? multipart(content, files) : asJson(content);
        const headers = {
            ...(encoded !== undefined && { 'content-type': encoded.type }),
            ...(this.#key !== undefined && this.#key !== '' && { authorization: `Bearer ${this.#key}` }),
            ...(this.#options.agent !== undefined && { 'user-agent': this.#options.agent }),
            ...(idempotent &&
                options.idempotencyKey !== null && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
            ...options.headers,
        };
        const waits = Number(query.wait ?? /\bwait=(\d+)/.exec(headers.prefer ?? '')?.[1] ?? 0) * 1000;
        const timeoutMs = (options.timeoutMs ?? this.#options.timeoutMs ?? 60_000) + waits;
        // Without the key a repeated POST could do its work twice, unless the service refused it.
        const safe = method !== 'POST' || idempotent || bytes !== undefined;
        const retries = encoded?.repeatable === false ? 0 : (this.#options.maxRetries ?? 3);
        const request = { method, headers, redirect: 'manual' };
        if (encoded !== undefined)
            Object.assign(request, { body: encoded.body, duplex: 'half' });
        for (let attempt = 0;; attempt++) {
            const error = await this.#attempt(url, request, timeoutMs, options.signal, read, readText);
            if (!(error instanceof Failure))
                return error;
            // The network is not to blame for what a file's stream throws.
            if (encoded?.failures !== undefined && encoded.failures.length > 0)
                throw encoded.failures[0];
            const { problem } = error;
            const again = problem.status === undefined ? safe : RETRIED.has(problem.status);
            const pause_s = problem.retry_after;
            if (!again || attempt >= retries || (pause_s ?? 0) > MAX_RETRY_AFTER_S)
                throw problem;
            await sleep(pause_s === undefined ? pauseMs(attempt) : pause_s * 1000, options.signal);
        }
    }
    /** One exchange; a failure is returned, because it may be tried again. */
    async #attempt(url, request, timeoutMs, signal, read, readText) {
        signal?.throwIfAborted();
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(), timeoutMs);
        const { method = 'GET', body } = request;
        const headers = request.headers;
        const plain = headers['accept-encoding'] === 'identity' && typeof body === 'string';
        let status;
        try {
            if (plain && exchange !== undefined && readText !== undefined && this.#options.fetch === undefined) {
                const signals = signal === undefined ? [late.signal] : [signal, late.signal];
                const answered = await exchange(url, { method, headers, body }, signals);
                ({ status } = answered);
                return answered.ok ? await readText(answered) : new Failure(await errorOf(answered, url.href));
            }
            const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
            const response = await (this.#options.fetch ?? fetch)(url, { ...request, signal: either });
            ({ status } = response);
            if (!response.ok)
                return new Failure(await errorOf(response, url.href));
            return await read(response);
        }
        catch (cause) {
            signal?.throwIfAborted();
            if (cause instanceof SyntaxError)
                return new Failure(new MailroomError(`${url.href} answered ${status} without JSON; is it a Mailroom service?`, {
                    code: 'unexpected_answer',
                    status,
                    cause,
                }));
            return new Failure(late.signal.aborted
                ? new MailroomError(`${url.host} did not answer within ${timeoutMs / 1000} s.`, { code: 'timeout', cause })
                : new MailroomError(`${url.host} cannot be reached: ${reasonOf(cause)}.`, { code: 'network_error', cause }));
        }
        finally {
            clearTimeout(timer);
        }
    }
}
/** A failed attempt. */
class Failure {
    problem;
    constructor(problem) {
        this.problem = problem;
    }
}
const asBytes = ({ type, content }) => ({
    body: new Blob([content]),
    type,
    repeatable: true,
});
const asJson = (body) => body === undefined ? undefined : { body: JSON.stringify(body), type: 'application/json', repeatable: true };
/** Doubles with each attempt; half of it is random, so that many clients do not return together. */
export const pauseMs = (attempt) => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
/** Node says "fetch failed", and why in the cause. */
function reasonOf(error) {
    const { cause, message, code } = error;
    if (cause?.code === 'ERR_SSL_WRONG_VERSION_NUMBER' || cause?.code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
        return 'it does not speak TLS; its URL may begin with http://';
    return cause?.message || cause?.code || message || code || String(error);
}
/** A list: `for await` reads all of it, page by page; `page` reads one. */
export class List {
    #read;
    constructor(read) {
        this.#read = read;
    }
    /** The first page, or the one at `cursor`. */
    page(cursor) {
        return this.#read(cursor);
    }
    /** All items, or the first `max`. */
    async all(max = Number.POSITIVE_INFINITY) {
        const items = [];
        if (max <= 0)
            return items;
        for await (const item of this) {
            items.push(item);
            if (items.length >= max)
                break;
        }
        return items;
    }
    async *[Symbol.asyncIterator]() {
        for (let cursor;;) {
            const { items, next_cursor } = await this.#read(cursor);
            yield* items;
            // The list of events always has a cursor, which stays the same while nothing happens.
            if (next_cursor === null || (items.length === 0 && next_cursor === cursor))
                return;
            cursor = next_cursor;
        }
    }
}
