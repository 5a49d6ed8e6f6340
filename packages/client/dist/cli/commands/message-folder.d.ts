import type { Mailroom } from '../../mailroom.js';
import type { Message } from '../../types.generated.js';
/** A file that a program left. */
interface LeftFile {
    readonly filename: string;
    readonly content_type: string | undefined;
    readonly content: Uint8Array<ArrayBuffer>;
}
/** The files of a message while a program answers it, and those that the program leaves for its reply. */
export declare class MessageFolder {
    #private;
    /** Holds the files of the message. */
    readonly attachments: string;
    /** What the program writes here is attached to its answer. */
    readonly out: string;
    private constructor();
    /** A folder that only this user can read, with the files of the message in it. */
    static of({ attachments }: Message, mailroom: Mailroom, signal: AbortSignal): Promise<MessageFolder>;
    /** What the program left, by name; throws where it is more than a reply may have. */
    left(): Promise<readonly LeftFile[]>;
    remove(): Promise<void>;
}
export {};
