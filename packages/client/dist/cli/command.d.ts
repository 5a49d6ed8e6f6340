import type { Mailroom } from '../mailroom.js';
import type { Account, Accounts } from './accounts.js';
import type { Terminal } from './terminal.js';
/** An option of a command, as `node:util` parseArgs takes it, with its help. */
export interface Option {
    readonly type: 'string' | 'boolean';
    readonly short?: string;
    readonly multiple?: true;
    /** What its value is, in the help; without it the option takes none. */
    readonly value?: string;
    readonly help: string;
}
/** The values of options, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
/** What a command is handed. */
export interface Context {
    readonly values: Values;
    readonly positionals: readonly string[];
    /** The program that follows `--`. */
    readonly rest: readonly string[];
    readonly terminal: Terminal;
    readonly accounts: Accounts;
    /** Where it writes to, with the key in use, or an empty one. */
    guest(): Pick<Account, 'url' | 'key'>;
    /** A client with the key in use, or without one where `guest` allows it. */
    client(guest?: 'guest'): Mailroom;
    /** Aborted by Ctrl-C. */
    readonly signal: AbortSignal;
    readonly env: NodeJS.ProcessEnv;
    readonly json: boolean;
    /** Whether standard input is what a person types. */
    readonly typed: boolean;
    /** The text of standard input. */
    input(): Promise<string>;
}
/** A command of the program. */
export interface Command {
    /** One word, or two such as `address add`. */
    readonly name: string;
    readonly summary: string;
    /** Its positional arguments, as the help shows them. */
    readonly args?: string;
    /** The fewest and the greatest number of positional arguments. */
    readonly count: readonly [number, number];
    readonly options?: Readonly<Record<string, Option>>;
    /** Whether a program with arguments of its own follows `--`. */
    readonly program?: true;
    /** Arguments of calls, each with what it does. */
    readonly examples: readonly (readonly [string, string])[];
    /** Resolves with an exit code where it is not 0. */
    run(context: Context): Promise<number | undefined>;
}
/** A call that cannot work as it was written. */
export declare class UsageError extends Error {
}
/** The value of an option that takes one. */
export declare const textOf: ({ values }: Pick<Context, 'values'>, name: string) => string | undefined;
/** The values of an option that may be repeated. */
export declare const textsOf: ({ values }: Pick<Context, 'values'>, name: string) => readonly string[];
/** The value of an option as a whole number of at least `min`. */
export declare function numberOf(context: Pick<Context, 'values'>, name: string, min?: number): number | undefined;
/** The value of an option as a JSON object; `@FILE` reads a file. */
export declare function objectOf(context: Pick<Context, 'values'>, name: string, read: (file: string) => string): {
    [name: string]: unknown;
} | undefined;
