import { type Output } from './terminal.js';
/** What the program is run in: of a process, its own. */
export interface ProgramIo {
    readonly stdin: AsyncIterable<Buffer> & {
        readonly isTTY?: boolean;
    };
    readonly stdout: Output;
    readonly stderr: Output;
    readonly env: NodeJS.ProcessEnv;
    /** Aborted by Ctrl-C. */
    readonly signal: AbortSignal;
}
/** Runs the program with these arguments, and resolves with its exit code once its output is written. */
export declare function runProgram(argv: readonly string[], io: ProgramIo): Promise<number>;
