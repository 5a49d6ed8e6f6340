import type { Command } from '../command.js';
export declare const suppressionCommands: readonly Command[];
