import { type Command } from '../command.js';
export declare const keyCommands: readonly Command[];
