import { type Command } from '../command.js';
export declare const addressCommands: readonly Command[];
