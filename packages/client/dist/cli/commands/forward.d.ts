import { type Command } from '../command.js';
export declare const forward: Command;
