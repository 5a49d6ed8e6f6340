import type { TSchema } from 'typebox';
import type { ResourceScope } from '../../core/sign-in/protected-resources.ts';
import type { LocalCall } from '../../http/local-routes.ts';

/** A JSON object. */
export type JsonObject = { readonly [name: string]: unknown };

/** What a tool returns, as the protocol has it (MCP, "Tools": Tool Result). */
export interface ToolResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
}

/** What a tool asks the user of the client, who then calls it again (MCP 2026-07-28, "Multi Round-Trip Requests"). */
export interface Questions {
  /** Each by its name. */
  readonly questions: Readonly<Record<string, Question>>;
  /** What the tool is told when it is called again; it passes through the client. */
  readonly state: string;
}

/** A form that the client shows its user (MCP, "Elicitation"). */
export interface Question {
  readonly message: string;
  /** A flat schema of an object. */
  readonly schema: JsonObject;
}

/** The user of a client that can ask them. */
export interface User {
  /** What they answered to a question: the form, or null where they declined. Undefined before they were asked. */
  answer(name: string): JsonObject | null | undefined;
  /** What the tool handed over as it asked. */
  readonly state: string | undefined;
}

/** What a tool may use of one request. */
export interface ToolCall {
  /** The name of the namespace of the caller's key; '' for a guest. */
  readonly namespace: string;
  /** Throws AppError for a caller who may not call this route of the API, whatever it would send. */
  checkAccess(id: string): void;
  /** Calls a route of the API as the caller of the request. */
  call<T>(id: string, of: Pick<LocalCall, 'params' | 'query' | 'body' | 'headers'>): Promise<T>;
  /** As `call`, as the guest who holds this token of a thread. */
  callAs<T>(threadToken: string, id: string, of: Pick<LocalCall, 'params' | 'query'>): Promise<T>;
  /** The messages of a stream of events, each time this one changes, until `over` aborts. */
  follow(id: string, over: AbortSignal): AsyncIterable<Envelope>;
  /** Shows the caller what happens; absent where it did not ask for that. */
  readonly progress?: ((message: string) => Promise<void>) | undefined;
  /** Absent where the client asks its user nothing. */
  readonly user?: User | undefined;
  readonly signal: AbortSignal;
}

/** A tool: its description, and the routes of the API that it calls. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What an access token needs for it. */
  readonly scope?: ResourceScope;
  /** The route of the API whose callers alone may call the tool; without it the tool's own calls say who may. */
  readonly route?: string;
  /** A schema of an object. */
  readonly input: TSchema;
  /** A schema of `structuredContent`, where that has one. */
  readonly output?: TSchema;
  /** What a client may tell its user about a call (MCP, `ToolAnnotations`). */
  readonly annotations: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  /** Throws AppError. */
  run(args: JsonObject, call: ToolCall): Promise<ToolResult | Questions>;
}

/** What this protocol reads of a message. */
export interface Envelope extends JsonObject {
  readonly id: string;
  readonly thread_id: string;
  readonly to: string;
  readonly status: string;
  readonly waiting_for: string | null;
  readonly progress?: readonly { readonly text: string }[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly reply: { readonly body: string; readonly data: unknown; readonly attachments?: readonly File[] } | null;
  /** The token of a guest's thread. */
  readonly thread_token?: string;
}

export interface File {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
}

export const ATTACHMENT = 'mailroom://attachments/';

/** A file as a resource that a client may read. */
export const resourceOf = ({ id, filename, content_type, size }: File) => ({
  uri: ATTACHMENT + id,
  name: filename,
  mimeType: content_type,
  size,
});
const SETTLED: ReadonlySet<string> = new Set(['completed', 'input_required', 'rejected', 'failed', 'canceled']);

export const isSettled = ({ status }: Envelope): boolean => SETTLED.has(status);

/** An argument that is a text; of another kind, one that names nothing. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A JSON value, for programs and as text for models. */
export const jsonResult = (value: JsonObject): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** How a message stands: its reply as text, and what programs continue with. */
export function messageResult(message: Envelope): ToolResult {
  const { id, thread_id, status, error, reply, thread_token } = message;
  const files = reply?.attachments ?? [];
  const links = files.map((file) => ({ type: 'resource_link', ...resourceOf(file) }));
  const structuredContent = {
    id,
    thread_id,
    status,
    reply: reply?.body ?? null,
    data: reply?.data ?? null,
    attachments: files,
    error: error?.message ?? null,
    ...(thread_token !== undefined && { thread_token }),
  };
  const failed = status === 'failed' || status === 'rejected' || status === 'canceled';
  return {
    content: [{ type: 'text', text: sentenceOf(message) }, ...links],
    structuredContent,
    ...(failed && { isError: true }),
  };
}

/** A message that is a draft until it is sent. */
export interface Scheduled {
  readonly draft_id: string;
  readonly to: string;
  readonly send_at: string;
}

/** When a message will be sent, and as which draft. */
export const scheduledResult = ({ draft_id, to, send_at }: Scheduled): ToolResult => ({
  content: [{ type: 'text', text: `It is sent to ${to} at ${send_at}; until then it is the draft ${draft_id}.` }],
  structuredContent: { draft_id, status: 'scheduled', to, send_at },
});

function sentenceOf({ id, thread_id, to, status, waiting_for, error, reply }: Envelope): string {
  if (status === 'input_required')
    return `${reply?.body ?? ''}\n\n(It asks back. Answer in the same thread: thread_id ${thread_id}.)`;
  if (SETTLED.has(status)) return reply?.body ?? error?.message ?? `The message was ${status}.`;
  // It may be this message that is reviewed, or the answer to it.
  if (waiting_for === 'review') return `It waits until an owner has reviewed it. Read ${id} later for its answer.`;
  const why = waiting_for === 'approval' ? 'It waits for the approval of the owner' : 'There is no answer yet';
  return `${why}. ${to} has the message: read ${id} for its answer.`;
}
