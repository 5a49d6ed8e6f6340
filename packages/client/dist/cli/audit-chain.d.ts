/** What is wrong with a line of an export. */
export interface AuditFault {
    /** Counted from 1. */
    readonly line: number;
    readonly message: string;
}
/** What an export of an audit log proves. */
export interface AuditReport {
    readonly namespace: string | null;
    readonly entries: number;
    /** When the first entry was written; null where there is none. */
    readonly since: string | null;
    /** Whether it begins with the first entry that the namespace ever had. */
    readonly complete: boolean;
    /** The hash of the last entry, to compare with that of another export. */
    readonly head: string | null;
    readonly faults: readonly AuditFault[];
}
/** Checks the lines of an export: that each entry is as it was written, and follows the one before it. */
export declare function verifyAudit(lines: AsyncIterable<string> | Iterable<string>): Promise<AuditReport>;
