import type { Message, Reply } from './types.generated.js';
/** How to wait for a message. */
export interface WaitOptions {
    readonly signal?: AbortSignal | undefined;
    /** Milliseconds until a `MailroomError` `timeout` is thrown; without it the wait has no end. */
    readonly timeoutMs?: number | undefined;
}
/** Whether the message has its final status; a question (`input_required`) is one. */
export declare const isSettled: ({ status }: Pick<Message, 'status'>) => boolean;
/**
 * The reply of a settled message; null where it was filed and is not handled (`not_answered`), MailroomError with the
 * message's own code where it has none for another reason.
 */
export declare function replyOf(message: Message): Reply | null;
/** What a `Sending` needs of the client. */
interface Sender {
    /** Sends it; with `sync` it waits for the reply within the exchange, so long. */
    send(sync?: WaitOptions): Promise<Message>;
    waitFor(id: string, options: WaitOptions): Promise<Message>;
}
/**
 * A message on its way: `await` it for the stored message, or `.reply()` for the answer. It is sent in either case, once.
 */
export declare class Sending implements PromiseLike<Message> {
    #private;
    constructor(sender: Sender);
    /** The reply, however long it takes; a question (`input_required`) is one. MailroomError when there will be none. */
    reply(options?: WaitOptions): Promise<Reply | null>;
    /** The message once it is settled, whatever its status. */
    settled(options?: WaitOptions): Promise<Message>;
    then<A = Message, B = never>(done?: ((message: Message) => A | PromiseLike<A>) | null, failed?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<A | B>;
    catch<B = never>(failed: (error: unknown) => B | PromiseLike<B>): Promise<Message | B>;
}
export {};
