import { type Command } from '../command.js';
export declare const tail: Command;
