import type { Context, Incoming } from '@mailroom/behavior';
import type { OutsideResult } from '@mailroom/behavior/outside';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type { Step, Tasks } from '@mailroom/english-instructions/plan/index';
import type { Fetched, Limits, OutsideToolOf } from '@mailroom/english-instructions/tasks/task';

/** Limits of a run; each is a setting of the service. */
export interface ExecutionLimits extends Limits {
  /** Maximum steps of a message. */
  readonly steps: number;
  /** Maximum bytes of all outputs of a message together, as JSON. */
  readonly total_bytes: number;
  /** Maximum bytes of the reply with its receipt, as sent; 1 MiB by default. */
  readonly reply_bytes?: number;
}

/** GET through the network guard, which throws an error with a sentence for people when it refuses or fails. */
export interface Get {
  (url: string, wanted: { readonly accept: string; readonly signal: AbortSignal }): Promise<Fetched>;
  /** Throws such an error where the URL alone says that it is never fetched. */
  check?(url: string): Promise<void>;
}

/** Calls a tool of others for a step. Throws OutsideError. */
export type CallOutside = (
  tool: OutsideToolOf,
  input: JsonObject,
  of: { readonly step: number; readonly ms: Millis; readonly signal: AbortSignal },
) => Promise<OutsideResult>;

/** The part of a message's context that an execution needs. */
export type Within = Pick<Context<unknown>, 'clock' | 'signal' | 'sender' | 'services' | 'report' | 'caller'>;

export interface ExecutionParts {
  readonly message: Pick<Incoming, 'thread_id' | 'hops'>;
  readonly context: Within;
  readonly tasks: Tasks;
  readonly limits: ExecutionLimits;
  readonly time_zone: string;
  readonly mailDomain: string;
  readonly get: Get;
  /** Where the owner may list servers and agents of others. */
  readonly outside?: CallOutside | undefined;
  /** The value of `{{0}}`: the last output of the earlier thread. */
  readonly before?: JsonObject | undefined;
  /** The steps of instructions that run later, also those planned within them; undefined where they cannot be told. */
  readonly stepsLater?: (instructions: string) => Promise<readonly Step[] | undefined>;
  /** Returns the state of a model's run, which is kept with the steps. */
  readonly kept?: () => Json;
}

/** Where the message itself is at hand, with all that its handler has. */
export interface MessageParts extends ExecutionParts {
  readonly message: Incoming;
  readonly context: Context<unknown>;
}
