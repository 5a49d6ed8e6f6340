import { type Command } from '../command.js';
export declare const webhookCommands: readonly Command[];
