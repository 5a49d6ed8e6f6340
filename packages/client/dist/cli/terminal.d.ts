/** A stream to write to, as `process.stdout` is one. */
export interface Output {
    readonly isTTY?: boolean;
    readonly columns?: number;
    write(text: string): unknown;
}
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';
/** A value as JSON in which no character steers a terminal: those that may are escaped (RFC 8259, section 7). */
export declare const jsonOf: (value: unknown, indent?: number) => string;
/** A text of others, harmless on a terminal. */
export declare const harmless: (text: string) => string;
/** A text on one line. */
export declare const oneLine: (text: string) => string;
/** Where results go (standard output) and what accompanies them (standard error). */
export declare class Terminal {
    #private;
    constructor(out: Output, err: Output, env: NodeJS.ProcessEnv);
    /** Whether results are read by a person. */
    get interactive(): boolean;
    /** Whether a person sees the progress. */
    get shows(): boolean;
    style(style: Style, text: string): string;
    /** A line of the result, in which nothing but our styles steers the terminal. */
    line(text?: string): void;
    /** A text of others as the result; steering characters are removed for people, and kept for programs. */
    text(text: string): void;
    json(value: unknown): void;
    /** A line beside the result. */
    note(text: string): void;
    /** Shows on standard error that something takes time, with what `text` says; nothing where no person sees it. */
    progress(text: () => string): void;
    /** Ends the progress. */
    done(): void;
    /**
     * A table of texts that fits the terminal: the widest columns are cut, but not the first, which is there to be copied.
     * Where that leaves little of the last one, it has a line of its own below the others; where even that does not fit,
     * there are no columns.
     * For programs its columns are separated by tabs, whole and without a head.
     */
    table(head: readonly string[], rows: readonly (readonly string[])[]): void;
}
export {};
