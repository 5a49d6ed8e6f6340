import { type Command } from '../command.js';
export declare const reviewCommands: readonly Command[];
