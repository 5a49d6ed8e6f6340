import { type Command } from '../command.js';
export declare const listCommands: readonly Command[];
