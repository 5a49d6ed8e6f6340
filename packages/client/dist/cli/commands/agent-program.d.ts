import type { AgentReply, HandlerContext } from '../../handler.js';
import type { Message } from '../../types.generated.js';
import { type Context } from '../command.js';
/** UsageError for a program that cannot be started, which would fail each message. Windows finds programs its own way. */
export declare function checkProgram(program: string, { PATH }: NodeJS.ProcessEnv): void;
/** What a program is given where that is not the message alone. */
export interface ProgramInput {
    readonly input: string;
    readonly env: NodeJS.ProcessEnv;
}
/** The answer of a program: its output as it is printed, and the files that it leaves in `MAILROOM_OUT`. */
export declare function answerOf(command: readonly string[], message: Message, { mailroom, signal }: Pick<HandlerContext, 'mailroom' | 'signal'>, context: Context, { input, env }?: ProgramInput): AsyncGenerator<string, Pick<AgentReply, 'files'>>;
