/** The exit codes, which scripts may rely on. */
export declare const EXIT_CODES: Readonly<Record<number, string>>;
/** The exit code for an error. */
export declare function exitCodeOf(error: unknown): number;
/** What may fix an error, for the codes where the service cannot know it. */
export declare function adviceOf(error: unknown): string | undefined;
/** An error as JSON, for programs. */
export declare function errorJson(error: unknown): string;
/** An error as lines for a person; `options` are those of the command, without dashes. */
export declare function errorLines(error: unknown, options?: readonly string[]): readonly string[];
