import { type Command } from '../command.js';
export declare const send: Command;
