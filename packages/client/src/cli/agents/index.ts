import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AgentReply, Handler } from '../../handler.ts';
import { type Context, textOf, UsageError } from '../command.ts';
import { answerOf } from '../commands/agent-program.ts';
import { a2aHandler, cardAt } from './a2a.ts';
import { chatHandler } from './chat.ts';
import { fencedPrompt, RULES } from './fence.ts';

/** The rules for every agent, and what the owner adds to them. */
function instructionsOf(context: Context): string {
  const given = textOf(context, 'instructions');
  if (given === undefined) return RULES;
  if (!given.startsWith('@')) return `${RULES}\n\n${given}`;
  try {
    return `${RULES}\n\n${readFileSync(given.slice(1), 'utf8').trim()}`;
  } catch (error) {
    throw new UsageError(`--instructions ${given} cannot be read: ${(error as Error).message}`);
  }
}

/** A UUID (version 8, RFC 9562) that is the same for each message of a thread, also after a restart. */
function sessionOf(thread: string): string {
  const hex = createHash('sha256').update(`mailroom session ${thread}`).digest('hex');
  const [a, b, c, d, e] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20), hex.slice(20, 32)];
  return `${a}-${b}-8${c}-9${d}-${e}`;
}

/** A shell command that is given each message with what was said before, and prints the answer. */
function commandHandler(command: string, instructions: string, context: Context) {
  const shell = process.platform === 'win32' ? ['cmd', '/c', command] : ['sh', '-c', command];
  return (...[message, handling]: Parameters<Handler>): Promise<AgentReply> => {
    const env = { MAILROOM_SESSION: sessionOf(message.thread_id), MAILROOM_AGENT_KEY: undefined };
    const input = fencedPrompt(instructions, message, handling.thread);
    return whole(answerOf(shell, message, handling, context, { input, env }));
  };
}

/** The whole text of what a program prints, with its files, so that the next message of its thread begins after it. */
async function whole(pieces: ReturnType<typeof answerOf>): Promise<AgentReply> {
  let body = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return { ...value, body };
    body += value;
  }
}

/** Messages of a thread one after the other, since each belongs to the same session. */
function inThreadOrder(handler: (...args: Parameters<Handler>) => Promise<AgentReply>): Handler {
  const last = new Map<string, Promise<unknown>>();
  return async (message, handling) => {
    const before = last.get(message.thread_id);
    const answered = (async () => {
      await before?.catch(() => {});
      handling.signal.throwIfAborted();
      return handler(message, handling);
    })();
    last.set(message.thread_id, answered);
    try {
      return await answered;
    } finally {
      if (last.get(message.thread_id) === answered) last.delete(message.thread_id);
    }
  };
}

/**
 * What answers with an assistant: by `agent` a shell command, the URL of an OpenAI-compatible server, or that of an A2A
 * agent or its card. UsageError where nothing of these is there.
 */
export async function agentHandler(agent: string, context: Context): Promise<Handler> {
  const instructions = instructionsOf(context);
  if (!/^https?:\/\//i.test(agent)) {
    if (agent.trim() === '') throw new UsageError('--agent is a command such as "claude -p", or a URL.');
    return inThreadOrder(commandHandler(agent, instructions, context));
  }
  if (!URL.canParse(agent)) throw new UsageError(`--agent ${agent} is not a URL.`);
  const key = context.env.MAILROOM_AGENT_KEY;
  const card = await cardAt(agent, key, context.signal);
  if (card !== undefined) return inThreadOrder(a2aHandler(card, instructions, key));
  const model = textOf(context, 'model');
  return inThreadOrder(await chatHandler({ url: agent, model, key, instructions, signal: context.signal }));
}
