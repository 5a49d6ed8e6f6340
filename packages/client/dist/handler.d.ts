import type { Draftable, Mailroom, SendOptions } from './mailroom.js';
import type { FileInput } from './multipart.js';
import type { Answer, Message, Reply, ThreadItem } from './types.generated.js';
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
