import type { AgentReply, Handler } from '../../handler.js';
interface ChatOptions {
    /** Up to `/chat/completions`. */
    readonly url: string;
    readonly model: string | undefined;
    readonly key: string | undefined;
    readonly instructions: string;
    readonly signal: AbortSignal;
}
/** Answers by an OpenAI-compatible server; a session is the last messages of the thread. UsageError where none is there. */
export declare function chatHandler(options: ChatOptions): Promise<(...args: Parameters<Handler>) => Promise<AgentReply>>;
export {};
