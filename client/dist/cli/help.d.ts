import type { Command, Option } from './command.js';
/** The options of every command. */
export declare const COMMON: Readonly<Record<string, Option>>;
/** The help of one command. */
export declare function commandHelp({ name, args, summary, options, examples }: Command): string;
/** The help of the program. */
export declare function programHelp(commands: readonly Command[]): string;
