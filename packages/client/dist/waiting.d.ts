import { type Http } from './http.js';
import type { WaitOptions } from './sending.js';
import type { AwaitedMessage, Message, WaitRequest } from './types.generated.js';
/** Which message an address waits for, and until when. */
export interface AwaitOptions extends WaitOptions, Omit<WaitRequest, 'after' | 'wait'> {
    /** Only what was received after this time, or after the message with this id; now by default. */
    readonly after?: string | Date | undefined;
}
/** A message that an address received, with what was asked to be extracted where it was found. */
export interface Received extends Omit<AwaitedMessage, 'message'> {
    readonly message: Message;
}
/** Waits for a message that an address receives, in as many requests as it takes. MailroomError `timeout`. */
export declare function waitForMessage(http: Http, address: string, options: AwaitOptions): Promise<Received>;
