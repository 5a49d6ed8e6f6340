import type { AgentReply, Handler } from '../../handler.js';
/** The JSON-RPC endpoint of an A2A 1.0 agent. */
export interface AgentEndpoint {
    readonly url: string;
}
/** The endpoint of the agent whose card is at this URL or below it; undefined where there is no card. */
export declare function cardAt(url: string, key: string | undefined, signal: AbortSignal): Promise<AgentEndpoint | undefined>;
/** Answers by an A2A agent; a thread is a context of it. */
export declare function a2aHandler({ url }: AgentEndpoint, instructions: string, key: string | undefined): (...args: Parameters<Handler>) => Promise<AgentReply>;
