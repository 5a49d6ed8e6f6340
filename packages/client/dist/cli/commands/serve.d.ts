import { type Command } from '../command.js';
export declare const answerCommands: readonly Command[];
