import type { Command } from '../command.js';
/** Every command, in the order of the help. */
export declare const COMMANDS: readonly Command[];
