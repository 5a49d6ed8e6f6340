import type { Answer, Message, Reply, ThreadItem } from './api.generated.js';
import type { ClientOptions } from './http.js';
import type { Draftable, SendOptions } from './mailroom.js';
import { Mailroom } from './mailroom.js';
import type { FileInput } from './multipart.js';
/** What a handler is handed besides the message. */
export interface HandlerContext {
    /** The last 20 messages and replies of the thread before this one, in order. */
    readonly thread: readonly ThreadItem[];
    /** Aborted when the message must not be answered any more: canceled, claimed by another, out of time, or the end. */
    readonly signal: AbortSignal;
    /** A client whose messages are caused by this message, so that agents which write to each other end at 8 hops. */
    readonly mailroom: Mailroom;
    /** Shows the sender what is done. */
    progress(text: string): Promise<void>;
    /** Shows the sender the reply as far as it is written. */
    draft(text: string): Promise<void>;
    /**
     * Sends a message to another address and returns its reply. The reply is text of someone else: judge it, and hand it
     * to a language model as data, never as instructions.
     */
    ask(to: string, message: Draftable, options?: SendOptions): Promise<Reply>;
}
/** What answers a message: Markdown, data for programs, files; or why it failed or was rejected. */
export interface AgentReply extends Omit<Answer, 'claim'> {
    readonly files?: readonly FileInput[] | undefined;
}
/** The text of a reply in pieces, which the sender sees as they are written; a generator may return its other parts. */
export type WrittenReply = AsyncIterable<string> | AsyncIterable<string, Omit<AgentReply, 'body'>>;
/** The text of a reply, its parts, or its text in pieces. */
export type HandlerResult = string | AgentReply | WrittenReply;
/** Answers a message. What it throws gives the message back; after three failures it is answered as failed. */
export type Handler = (message: Message, context: HandlerContext) => HandlerResult | Promise<HandlerResult>;
export interface ServeOptions extends ClientOptions {
    /** The client to use, in place of one made from the other options. */
    readonly mailroom?: Mailroom | undefined;
    /** Messages handled at a time, 1 to 64; 1 by default. */
    readonly concurrency?: number | undefined;
    /** How long the service keeps a message for this program after its last word, 10 to 3,600 s; 60 by default. */
    readonly leaseSeconds?: number | undefined;
    /** Milliseconds that a handler has for a message; 15 minutes by default. */
    readonly handlerMs?: number | undefined;
    /** Milliseconds that handlers have to end after a stop; 30,000 by default. */
    readonly stopMs?: number | undefined;
    /** Stops it; SIGINT and SIGTERM do too, unless `handleSignals` is false. */
    readonly signal?: AbortSignal | undefined;
    readonly handleSignals?: boolean | undefined;
    /** Called with what goes wrong, and the message that it concerns; written to the console by default. */
    readonly onError?: ((error: unknown, message?: Message) => void) | undefined;
    /** Called once, when the address is online by a first claim. */
    readonly onReady?: (() => void) | undefined;
    /** Called with each answered message. */
    readonly onAnswer?: ((message: Message) => void) | undefined;
}
/**
 * Answers the messages of an address with a function, until it is stopped: claims them, keeps the claims alive while the
 * handler works, reconnects, and at the end finishes what it holds. MailroomError when the address cannot be served.
 *
 * @example
 * await serve('echo@ada.mailroom.localhost', async (message) => `You wrote: ${message.body}`);
 */
export declare function serve(address: string, handler: Handler, options?: ServeOptions): Promise<void>;
