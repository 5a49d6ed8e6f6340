import { MailroomError } from './error.js';
import { type Http } from './http.js';
import type { Event, Message } from './types.generated.js';
export interface EventOptions {
    /** The id of the last event you have; without it the stream starts now. */
    readonly after?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    /** Types to yield, such as `message.received`, or `message.*`; all by default. */
    readonly types?: readonly string[] | undefined;
    /** Called with each place in the log, to store it and to continue there after a restart. */
    readonly onCursor?: ((id: string) => void) | undefined;
    /** Called when the service cannot be reached; the connection is opened again after a pause. */
    readonly onInterrupted?: ((error: MailroomError) => void) | undefined;
}
/** A message as it changes, or the reply as it is written so far. */
export type MessageUpdate = {
    readonly type: 'message';
    readonly message: Message;
} | {
    readonly type: 'draft';
    readonly text: string;
};
/** Events as they happen, without a gap: after an interruption it continues after the last one. */
export declare function followEvents(http: Http, options: EventOptions): AsyncGenerator<Event, void>;
/** A message until it is settled: each change, and its reply while it is written. */
export declare function followMessage(http: Http, to: string, settled: (message: Message) => boolean, signal?: AbortSignal): AsyncGenerator<MessageUpdate, void>;
