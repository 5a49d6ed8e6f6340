import { type Command } from '../command.js';
export declare const accountCommands: readonly Command[];
