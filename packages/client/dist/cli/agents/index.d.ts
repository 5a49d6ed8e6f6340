import type { Handler } from '../../handler.js';
import { type Context } from '../command.js';
/**
 * What answers with an assistant: by `agent` a shell command, the URL of an OpenAI-compatible server, or that of an A2A
 * agent or its card. UsageError where nothing of these is there.
 */
export declare function agentHandler(agent: string, context: Context): Promise<Handler>;
