import { Type } from 'typebox';
import { MESSAGE_OUTPUT } from './outputs.ts';
import {
  type Envelope,
  isSettled,
  type JsonObject,
  messageResult,
  type Tool,
  type ToolCall,
  type ToolResult,
  textOf,
} from './tool.ts';

/** Seconds that a tool waits for an answer. */
const WAIT_S = 45;
const MAX_WAIT_S = 60;
/** Seconds after which each wait ends, because clients give up after 60 (their `DEFAULT_REQUEST_TIMEOUT_MSEC`). */
const LONGEST_WAIT_S = 55;
/** After this time a caller who wants progress is shown it, in seconds. */
const PATIENCE_S = 1;
/** Characters of a progress. */
const MAX_PROGRESS = 200;

const Wait = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_S,
    default: WAIT_S,
    description: `Seconds to wait for the answer, ${LONGEST_WAIT_S} at most. After that, go on with the tool read.`,
  }),
);
const ThreadToken = Type.Optional(
  Type.String({ maxLength: 200, description: 'Without a key: the thread_token of the first answer.' }),
);

/** The message once it is settled, or as it stands at `until` (as `performance.now`); meanwhile its progress is shown. */
async function watched(message: Envelope, until: number, call: ToolCall): Promise<Envelope> {
  const left = Math.floor(until - performance.now());
  if (call.progress === undefined || isSettled(message) || left <= 0) return message;
  for await (const seen of call.follow(message.id, AbortSignal.timeout(left))) {
    if (isSettled(seen)) break;
    await call.progress((seen.progress?.at(-1)?.text ?? `${seen.to}: ${seen.status}`).slice(0, MAX_PROGRESS));
  }
  // A stream does not show secrets that are read once.
  return call.call<Envelope>('getMessage', { params: { id: message.id } });
}

/** Sends with a key and waits: at first as a sync send, which costs one write where the answer comes at once. */
export async function sendAndWait(
  fields: JsonObject,
  wait: number,
  call: ToolCall,
  headers: Record<string, string> = {},
): Promise<ToolResult> {
  const until = performance.now() + wait * 1000;
  const first = call.progress === undefined ? wait : Math.min(wait, PATIENCE_S);
  const sync = first > 0;
  const message = await call.call<Envelope>('sendMessage', {
    body: { ...fields, sync },
    headers: { ...headers, ...(sync && { prefer: `wait=${first}` }) },
  });
  return messageResult(await watched(message, until, call));
}

export const waitOf = ({ wait = WAIT_S }: JsonObject): number => Math.min(Number(wait), LONGEST_WAIT_S);

const Message = Type.String({ minLength: 1, description: 'What to ask, as you would write it in an e-mail.' });
const Thread = Type.Optional(Type.String({ maxLength: 64, description: 'Continues the thread of an earlier answer.' }));
export const IdempotencyKey = Type.Optional(
  Type.String({ maxLength: 255, description: 'A repeated call with the same key sends nothing again.' }),
);
const AskAsGuest = Type.Object(
  { message: Message, thread_id: Thread, thread_token: ThreadToken },
  { additionalProperties: false },
);
const Ask = Type.Object(
  {
    message: Message,
    thread_id: Thread,
    subject: Type.Optional(Type.String({ maxLength: 998 })),
    data: Type.Optional(Type.Unknown({ description: 'Any JSON beside the text, for an address that reads it.' })),
    idempotency_key: IdempotencyKey,
    wait: Wait,
  },
  { additionalProperties: false },
);

/** Writes to this address and waits for the answer. */
export const askTool = (address: string, about: string, guest: boolean): Tool => ({
  name: 'ask',
  title: `Ask ${address}`,
  description: `Sends a message to ${address} and returns its answer. ${about}`.trim(),
  scope: 'mail:send',
  route: guest ? 'tryMailbox' : 'sendMessage',
  input: guest ? AskAsGuest : Ask,
  output: MESSAGE_OUTPUT,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ message, wait, idempotency_key, ...more }, call) {
    const fields = { to: address, body: message, ...more };
    if (guest) return messageResult(await call.call<Envelope>('tryMailbox', { body: fields }));
    const headers = typeof idempotency_key === 'string' ? { 'idempotency-key': idempotency_key } : {};
    return sendAndWait(fields, waitOf({ wait }), call, headers);
  },
});

const MessageId = Type.String({ maxLength: 64, description: 'The id that ask or send returned: msg_….' });

/** Reads a message: its answer, or how far it is. */
export const READ: Tool = {
  name: 'read',
  title: 'Read a message',
  description: 'Returns a message and its answer by its id, or waits for the answer.',
  scope: 'messages:read',
  input: Type.Object({ id: MessageId, wait: Wait, thread_token: ThreadToken }, { additionalProperties: false }),
  output: MESSAGE_OUTPUT,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(args, call) {
    const id = textOf(args.id);
    const request = { params: { id }, query: { wait: String(waitOf(args)) } };
    const { thread_token } = args;
    if (typeof thread_token === 'string')
      return messageResult(await call.callAs<Envelope>(thread_token, 'getMessage', request));
    if (call.progress === undefined) return messageResult(await call.call<Envelope>('getMessage', request));
    const until = performance.now() + waitOf(args) * 1000;
    const message = await call.call<Envelope>('getMessage', { params: { id } });
    return messageResult(await watched(message, until, call));
  },
};
