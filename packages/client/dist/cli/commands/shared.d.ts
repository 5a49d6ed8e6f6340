import { MailroomError } from '../../error.js';
import type { Mailroom } from '../../mailroom.js';
import type { Attachment, Message } from '../../types.generated.js';
import { type Context } from '../command.js';
import type { Terminal } from '../terminal.js';
/** The name of the namespace of the key in use. */
export declare const namespaceOf: (mailroom: Mailroom, signal: AbortSignal) => Promise<string>;
/** The address as given, or the one of this name in the key's own namespace. MailroomError where there is none. */
export declare function ownAddress(mailroom: Mailroom, given: string, signal: AbortSignal): Promise<string>;
/** As `ownAddress`; throws too when the service cannot be reached or the key does not work, before it is waited for. */
export declare function reachable(mailroom: Mailroom, given: string, signal: AbortSignal): Promise<string>;
/** Says once that a stream broke, and again after it was whole for some time. */
export declare function interruptions(terminal: Terminal): (error: MailroomError) => void;
/** A time as a person says it: `12:05` today, else `20 Nov` or `2025-11-20`. */
export declare function shortTime(timestamp: string, now?: Date): string;
/** A number of bytes as a person says it. */
export declare function shortSize(bytes: number): string;
export declare const fileLine: ({ filename, size, id }: Attachment) => string;
/** Who wrote a message, for a list. */
export declare const senderOf: ({ from, sender }: Message) => string;
/** Asks before something that cannot be undone; `--yes` answers for programs. UsageError where no person is there. */
export declare function confirm({ values, typed, signal }: Context, question: string): Promise<boolean>;
export declare const YES: {
    readonly type: 'boolean';
    readonly short: 'y';
    readonly help: 'do not ask';
};
