import type { AgentReply, Handler } from '../../handler.ts';
import { UsageError } from '../command.ts';
import { fencedItem, fencedMessage } from './fence.ts';
import { asked, bearer, textIn } from './wire.ts';

interface ChatOptions {
  /** Up to `/chat/completions`. */
  readonly url: string;
  readonly model: string | undefined;
  readonly key: string | undefined;
  readonly instructions: string;
  readonly signal: AbortSignal;
}

/** Answers by an OpenAI-compatible server; a session is the last messages of the thread. UsageError where none is there. */
export async function chatHandler(
  options: ChatOptions,
): Promise<(...args: Parameters<Handler>) => Promise<AgentReply>> {
  const { key, instructions, signal } = options;
  const url = options.url.replace(/\/+$/, '');
  const model = options.model ?? (await firstModel(url, key, signal));
  return async (message, { thread, signal: over }) => {
    const said = thread.map((item) =>
      item.kind === 'reply' ? { role: 'assistant', content: item.body } : { role: 'user', content: fencedItem(item) },
    );
    const messages = [
      { role: 'system', content: instructions },
      ...said,
      { role: 'user', content: fencedMessage(message) },
    ];
    const { status, body } = await asked(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(key) },
      body: JSON.stringify({ model, messages }),
      signal: over,
    });
    const text = textIn(body, 'choices', 0, 'message', 'content');
    // What is thrown gives the message back; its sender reads none of it.
    if (status !== 200 || text.trim() === '') throw new Error(`The model answered ${status} without a text.`);
    return { body: text.trim() };
  };
}

async function firstModel(url: string, key: string | undefined, signal: AbortSignal): Promise<string> {
  const { status, body } = await asked(`${url}/models`, { headers: bearer(key), signal }).catch((error: unknown) => {
    throw new UsageError(`No agent answers at ${url}: ${(error as Error).message}`);
  });
  const name = textIn(body, 'data', 0, 'id');
  if (status !== 200 || name === '')
    throw new UsageError(`${url} is neither an A2A agent nor names its models (status ${status}). Give --model NAME.`);
  return name;
}
