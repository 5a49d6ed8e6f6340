import type { Command } from '../command.js';
export declare const domainCommands: readonly Command[];
