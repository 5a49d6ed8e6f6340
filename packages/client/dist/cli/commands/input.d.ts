import type { FileInput } from '../../multipart.js';
import { type Context } from '../command.js';
/** The text of a message: an argument, or standard input for `-` and where it is no terminal. */
export declare function inputOf({ positionals, typed, input }: Context, call: string): Promise<string>;
/** Files to attach; they are read as they leave. */
export declare function filesOf(context: Context): Promise<readonly FileInput[]>;
/** The JSON of `--data`; undefined without it. */
export declare function dataOf(context: Context): unknown;
