import { type Command } from '../command.js';
export declare const auditCommands: readonly Command[];
