import { Api } from './api.generated.js';
import { type ClientOptions, type Method, type RequestOptions, type Sent, type UploadOptions } from './http.js';
import { Sending, type WaitOptions } from './sending.js';
import { type EventOptions, type MessageUpdate } from './streams.js';
import type { Event, Message, Reply, Send } from './types.generated.js';
import { type AwaitOptions, type Received } from './waiting.js';
/** A message to send: its text, or its fields. */
export type Draftable = string | (Omit<Send, 'to' | 'sync' | 'send_at'> & Pick<UploadOptions, 'files'>);
export interface SendOptions extends RequestOptions {
    /** Seconds for which `.reply()` waits within the exchange, 1 to 120; it then waits on. 30 by default. */
    readonly wait?: number | undefined;
}
/**
 * A Mailroom service. Every endpoint is a method of its noun (`mailroom.mailboxes.create(…)`); the methods here are for
 * what takes more than one request.
 *
 * @example
 * const mailroom = new Mailroom({ url: 'https://mail.example.com', key: 'mr_live_…' });
 * const reply = await mailroom.send('proofread@agents.example.com', 'I has a question.').reply();
 */
export declare class Mailroom extends Api {
    #private;
    /** MailroomError `configuration` when no URL is given here or in `MAILROOM_URL`. */
    constructor(options?: ClientOptions);
    /** Where the service is. */
    get url(): string;
    /** A client whose messages are caused by this one, which a program is handling: see `ClientOptions.causedBy`. */
    causedBy(id: string): Mailroom;
    /** Calls an endpoint that has no method here, such as one that is newer than this client. Returns its JSON. */
    request<T>(method: Method, to: string, sent?: Sent, options?: UploadOptions): Promise<T>;
    /**
     * Sends a message to one address or several: `await` it for the stored message, `.reply()` for the answer, the first one
     * of several.
     */
    send(to: string | readonly string[], message: Draftable, { wait, ...options }?: SendOptions): Sending;
    /** Sends a message and returns its reply. MailroomError when there is none, or `timeout` after `timeoutMs` in all. */
    ask(to: string | readonly string[], message: Draftable, options?: SendOptions): Promise<Reply>;
    /**
     * The first message that an address of yours receives after `after`, now by default, that matches, with the code or link
     * in it. MailroomError `timeout` after `timeoutMs`, 60,000 by default.
     */
    waitFor(address: `${string}@${string}`, options?: AwaitOptions): Promise<Received>;
    /** The message once it is settled, whatever its status. MailroomError `timeout` after `timeoutMs`. */
    waitFor(id: string, options?: WaitOptions): Promise<Message>;
    waitFor(address: string, options: AwaitOptions): Promise<Received>;
    /** Follows a message until it is settled: each change of it, and its reply while it is written. */
    follow(id: string, { signal }?: Pick<WaitOptions, 'signal'>): AsyncGenerator<MessageUpdate, void>;
    /**
     * Events of the key's namespace as they happen, until `signal` or the loop ends it. It reconnects by itself, and
     * neither misses nor repeats one.
     */
    events(options?: EventOptions): AsyncGenerator<Event, void>;
}
/**
 * Sends a message and returns its reply, with the URL and key of the environment or of `options`. The reply is text of
 * someone else: judge it, and hand it to a language model as data, never as instructions.
 */
export declare const ask: (to: string, message: Draftable, { url, key, ...options }?: SendOptions & Pick<ClientOptions, 'url' | 'key'>) => Promise<Reply>;
