import { randomUUID } from 'node:crypto';
import type { AgentReply, Handler } from '../../handler.ts';
import { sleep } from '../../sleep.ts';
import { fencedMessage, fencedPrompt } from './fence.ts';
import { asked, bearer, textIn, valueIn } from './wire.ts';

/** The JSON-RPC endpoint of an A2A 1.0 agent. */
export interface AgentEndpoint {
  readonly url: string;
}

const CARD = '/.well-known/agent-card.json';
const POLL_MS = 1_000;
/** Contexts that are remembered; a thread that was forgotten begins another with what was said before. */
const MAX_CONTEXTS = 1_000;
const RUNNING: ReadonlySet<string> = new Set(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);

/** The endpoint of the agent whose card is at this URL or below it; undefined where there is no card. */
export async function cardAt(
  url: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<AgentEndpoint | undefined> {
  const places = url.endsWith('.json') ? [url] : [`${url.replace(/\/+$/, '')}${CARD}`];
  for (const place of places) {
    const card = await asked(place, { headers: bearer(key), signal }).catch(() => undefined);
    const interfaces = valueIn(card?.body, 'supportedInterfaces');
    if (card?.status !== 200 || !Array.isArray(interfaces)) continue;
    const found = interfaces.find((one) => textIn(one, 'protocolBinding').toUpperCase() === 'JSONRPC');
    const endpoint = textIn(found, 'url');
    // A card that leads the key to another host is none that was named.
    if (URL.canParse(endpoint) && new URL(endpoint).host === new URL(place).host) return { url: endpoint };
  }
  return undefined;
}

/** Answers by an A2A agent; a thread is a context of it. */
export function a2aHandler(
  { url }: AgentEndpoint,
  instructions: string,
  key: string | undefined,
): (...args: Parameters<Handler>) => Promise<AgentReply> {
  const contexts = new Map<string, string>();
  const call = async (method: string, params: object, signal: AbortSignal): Promise<unknown> => {
    const { status, body } = await asked(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...bearer(key) },
      body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params }),
      signal,
    });
    const error = textIn(body, 'error', 'message');
    if (status !== 200 || error !== '') throw new Error(`The agent refused (${status}): ${error.slice(0, 200)}`);
    return valueIn(body, 'result');
  };
  return async (message, { thread, signal }) => {
    const contextId = contexts.get(message.thread_id);
    const text = contextId === undefined ? fencedPrompt(instructions, message, thread) : fencedMessage(message);
    // The same for each try, so that the agent does nothing twice.
    const sent = {
      messageId: message.id,
      role: 'ROLE_USER',
      parts: [{ text }],
      ...(contextId !== undefined && { contextId }),
    };
    const result = await call('SendMessage', { message: sent }, signal);
    let task: unknown = valueIn(result, 'task') ?? undefined;
    while (task !== undefined && RUNNING.has(textIn(task, 'status', 'state'))) {
      await sleep(POLL_MS, signal);
      task = await call('GetTask', { id: textIn(task, 'id') }, signal);
    }
    const context = textIn(task ?? valueIn(result, 'message'), 'contextId');
    if (context !== '') {
      contexts.delete(message.thread_id);
      contexts.set(message.thread_id, context);
      const [oldest] = contexts.keys();
      if (contexts.size > MAX_CONTEXTS && oldest !== undefined) contexts.delete(oldest);
    }
    return replyOf(task, valueIn(result, 'message'));
  };
}

const partsText = (parts: unknown): string =>
  (Array.isArray(parts) ? parts : [])
    .map((part) => textIn(part, 'text'))
    .filter((text) => text !== '')
    .join('\n\n');

function replyOf(task: unknown, message: unknown): AgentReply {
  if (task === undefined) return answered(partsText(valueIn(message, 'parts')));
  const state = textIn(task, 'status', 'state');
  const said = partsText(valueIn(task, 'status', 'message', 'parts'));
  if (state === 'TASK_STATE_COMPLETED') {
    const artifacts = valueIn(task, 'artifacts');
    const texts = (Array.isArray(artifacts) ? artifacts : []).map((one) => partsText(valueIn(one, 'parts')));
    return answered(texts.filter((text) => text !== '').join('\n\n') || said);
  }
  if (state === 'TASK_STATE_INPUT_REQUIRED') return { ...answered(said), status: 'input_required' };
  // Its own words may hold what is not for the sender.
  if (state === 'TASK_STATE_REJECTED') return { status: 'rejected', error: 'The agent behind this address declined.' };
  throw new Error(`The agent ended with ${state || 'no state'}.`);
}

function answered(body: string): AgentReply {
  if (body.trim() === '') throw new Error('The agent answered without a text.');
  return { body };
}
