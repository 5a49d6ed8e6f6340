import type { Thread } from '../../types.generated.js';
import { type Command } from '../command.js';
export declare const STATES: readonly ['open', 'waiting', 'done', 'later'];
/** The state that an option names; another word is an error of usage. */
export declare function stateOf(given: string | undefined): Thread['state'] | undefined;
/** Says where a conversation stands, who takes care of it, and notes something beside it. */
export declare const mark: Command;
