import type { Millis } from './values/clock.ts';
import type { Json, JsonObject } from './values/json.ts';

/** A server of tools (MCP) or an agent (A2A) of others, which an owner listed. */
export interface OutsideRemote {
  readonly kind: 'mcp' | 'a2a';
  /** An MCP endpoint, or an agent card or the URL below which it is. */
  readonly url: string;
  /** Sent as a bearer token to the origin of `url` alone. */
  readonly token?: string | undefined;
}

/** A tool as its server describes it; an agent has one, `ask`. None of it is checked. */
export interface OutsideTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly input: JsonObject;
  /** Whether the server says that it changes nothing, and that repeating a call changes nothing more. */
  readonly read_only: boolean;
  readonly idempotent: boolean;
}

/** The tools of a remote at one time. */
export interface OutsideTools {
  /** The name that the remote gives itself; '' when it gives none. */
  readonly title: string;
  /** Where calls go: for an agent the URL that its card names. */
  readonly url: string;
  readonly tools: readonly OutsideTool[];
  /** How many more it has, which are left out because of their number, name or size. */
  readonly left_out: number;
}

/** What a call of a tool returned. */
export interface OutsideResult {
  readonly text: string;
  /** Structured content; null when there is none. */
  readonly data: Json;
  /** The state of an agent's task that did not end, and what continues it. */
  readonly task?: { readonly state: string; readonly id: string; readonly context_id: string } | undefined;
}

/** Limits of one operation. */
export interface OutsideLimits {
  readonly ms: Millis;
  /** Maximum bytes of all responses together. */
  readonly bytes: number;
  readonly signal: AbortSignal;
}

/** A remote could not be used; the message is a sentence for people that names its host and nothing secret. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError';
  /** Whether the call may have happened all the same. */
  readonly uncertain: boolean;

  constructor(message: string, uncertain = false) {
    super(message);
    this.uncertain = uncertain;
  }
}

/** Uses servers and agents of others over the guarded network. */
export interface OutsideClient {
  /** Why a URL cannot be one, as a sentence that says how to fix it; its name is looked up. Undefined when it can. */
  urlError(url: string): Promise<string | undefined>;
  /** Connects, and lists the tools. Throws OutsideError or the signal's reason. */
  list(remote: OutsideRemote, limits: OutsideLimits): Promise<OutsideTools>;
  /**
   * Calls a tool. `id` identifies the call, the same when it is repeated. Throws OutsideError, also when the remote reports a
   * failure, or the signal's reason.
   */
  call(
    remote: OutsideRemote,
    call: { readonly tool: OutsideTool; readonly input: JsonObject; readonly id: string },
    limits: OutsideLimits,
  ): Promise<OutsideResult>;
}

/** Whether to connect again in place of using what was listed minutes ago. */
export interface OutsideAsked {
  readonly fresh?: boolean;
  readonly signal: AbortSignal;
}

/** A tool as its owner sees it. */
interface OutsideToolView {
  /** As it is called in steps: `SERVER.TOOL`. */
  readonly task: string;
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  readonly effects: 'reads' | 'writes';
  /** Whether each use waits for the owner's approval. */
  readonly approval: boolean;
  readonly sha256: string;
}

/** A listed server or agent as its owner sees it. */
export interface OutsideView {
  readonly name: string;
  readonly kind: 'mcp' | 'a2a';
  readonly url: string;
  /** The name that it gives itself; '' when it gives none or cannot be reached. */
  readonly title: string;
  /** Why it cannot be used, as a sentence; null when it can. */
  readonly error: string | null;
  readonly tools: readonly OutsideToolView[];
  /** Of all its tools together; null when they are not known. */
  readonly tools_sha256: string | null;
  /** Whether the owner accepted exactly these tools. */
  readonly accepted: boolean;
  /** How many tools are left out because of their number, name or size. */
  readonly left_out: number;
}
