/** What a check found: `fail` keeps something from working, `warn` will or may, `skip` was not looked at. */
export type FindingStatus = 'ok' | 'warn' | 'fail' | 'skip';
/** The result of one check. */
export interface Finding {
    /** What was looked at, such as `tls` or `database`; several findings may have the same. */
    readonly check: string;
    readonly status: FindingStatus;
    /** What is there, on one line, without secrets. */
    readonly found: string;
    /** What to do, on one line; '' where nothing is to be done. */
    readonly advice: string;
}
export declare const ok: (check: string, found: string) => Finding;
export declare const warn: (check: string, found: string, advice: string) => Finding;
export declare const fail: (check: string, found: string, advice: string) => Finding;
export declare const skip: (check: string, found: string, advice?: string) => Finding;
/** Findings for a person: a line each, with the advice on a line below. */
export declare function findingLines(findings: readonly Finding[]): readonly string[];
/** Why a request or connection failed, by the code that is innermost, for `found`. */
export declare function reasonOf(error: unknown): string;
