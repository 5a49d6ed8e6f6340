/** A mail of a file or folder, or why it is none. */
export interface FoundMail {
    /** Where it is, for a person. */
    readonly place: string;
    /** When it came, in RFC 3339, as far as that is known beside its own date. */
    readonly received_at?: string | undefined;
    readonly mail: {
        readonly bytes: Uint8Array<ArrayBuffer>;
    } | {
        readonly problem: string;
    };
}
/** Larger mails are taken by no service. */
export declare const MAX_MAIL: number;
/** The mails of an mbox file, one at a time. UsageError for a file that is none. */
export declare function mailsOfMbox(path: string): AsyncGenerator<FoundMail>;
