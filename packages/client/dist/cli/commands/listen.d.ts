import { type Command } from '../command.js';
export declare const listen: Command;
