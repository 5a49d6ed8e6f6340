import type { Context, Incoming } from '../../../core/ports/behavior.ts';
import type { Json, JsonObject } from '../../../core/values/json.ts';
import type { Fetched, Limits } from '../../../tasks/task.ts';
import type { Tasks } from '../plan/index.ts';

/** What running may take: each is a setting of the service. */
export interface ExecutionLimits extends Limits {
  /** Of a message. */
  readonly steps: number;
  /** Of all outputs of a message together, as JSON. */
  readonly total_bytes: number;
  /** Of the reply with its receipt, as sent; 1 MiB by default. */
  readonly reply_bytes?: number;
}

/** GET through the guard; what it refuses or cannot reach it throws with a sentence for people. */
export type Get = (url: string, wanted: { readonly accept: string; readonly signal: AbortSignal }) => Promise<Fetched>;

/** What an execution needs of a message's context. */
export type Within = Pick<Context<unknown>, 'clock' | 'signal' | 'sender' | 'services' | 'report' | 'caller'>;

export interface ExecutionParts {
  readonly message: Pick<Incoming, 'thread_id' | 'hops'>;
  readonly context: Within;
  readonly tasks: Tasks;
  readonly limits: ExecutionLimits;
  readonly time_zone: string;
  readonly mailDomain: string;
  readonly get: Get;
  /** What `{{0}}` means: the last output of the thread before. */
  readonly before?: JsonObject | undefined;
  /** What a model's run keeps beside its steps. */
  readonly kept?: () => Json;
}

/** Where the message itself is at hand, with all that its handler has. */
export interface MessageParts extends ExecutionParts {
  readonly message: Incoming;
  readonly context: Context<unknown>;
}
