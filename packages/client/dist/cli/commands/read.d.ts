import { type Command } from '../command.js';
export declare const readCommands: readonly Command[];
