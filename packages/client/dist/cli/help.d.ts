import type { Command, Option } from './command.js';
/** The options of every command. */
export declare const COMMON: Readonly<Record<string, Option>>;
/** The help of one command, which names those of `commands` that begin with its name. */
export declare function commandHelp({ name, args, summary, options, examples }: Command, commands?: readonly Command[]): string;
/** The help of commands that begin with the same word. */
export declare const groupHelp: (commands: readonly Command[]) => string;
/** The help of the program. */
export declare function programHelp(commands: readonly Command[]): string;
