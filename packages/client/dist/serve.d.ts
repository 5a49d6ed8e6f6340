import type { Handler } from './handler.js';
import { type ClientOptions } from './http.js';
import { Mailroom } from './mailroom.js';
import type { Message } from './types.generated.js';
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
