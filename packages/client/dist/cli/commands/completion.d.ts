import { type Command } from '../command.js';
/** The command that prints the completions of a shell. */
export declare const completion: (commands: () => readonly Command[]) => Command;
