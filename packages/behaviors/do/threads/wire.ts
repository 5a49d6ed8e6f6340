import type { Outcome } from '@mailroom/behavior';
import type { Signer } from '@mailroom/behavior/host';
import type { ThreadMessage } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';
import type { Plan, Step } from '@mailroom/english-instructions/plan/index';
import type { Limits } from '@mailroom/english-instructions/tasks/task';
import type { Party } from '@mailroom/steps/rights';
import type { ExecutionLimits } from '@mailroom/steps/running/execution-parts';
import type { Before, CalledOff, Earlier, Follower } from '../reading/thread.ts';

/** The data that a thread starts with. */
export interface ThreadData {
  readonly limits: ExecutionLimits;
  readonly signers: readonly Signer[];
}

/**
 * A message that is handled for the first time, as a tuple, because an object's field names would be copied with each
 * message. `now`: the time of handling by the sender's clock; `at`: the same by the monotonic clock,
 * `performance.timeOrigin + performance.now()`. `mailbox`: its full address. `settings`: its settings as JSON text, by
 * which the thread caches them. `party`: the sender's group. `before`: what matters of its thread, if there is one.
 * `signer`: the header of the signer of its receipt, which the thread was given before.
 */
export type Job = readonly [
  id: string,
  body: string,
  data: Json,
  now: Millis,
  at: number,
  mailbox: string,
  settings: string,
  party: Party,
  before: Earlier | null,
  signer: string,
];

/** A message in a thread with earlier messages, whose relation to them is wanted. */
export interface FollowJob {
  readonly kind: 'follow';
  readonly message: Follower;
  readonly thread: readonly ThreadMessage[];
  readonly now: Millis;
  readonly settings: string;
  readonly party: Party;
}

/** A single step of a plan that runs elsewhere, of a task that needs only its input. */
export interface StepJob {
  readonly kind: 'step';
  readonly task: string;
  readonly input: Json;
  readonly now: Millis;
  readonly time_zone: string;
  readonly limits: Limits;
}

/** Instructions that run later, whose steps are wanted. */
export interface LaterJob {
  readonly kind: 'later';
  readonly instructions: string;
  readonly now: Millis;
  readonly settings: string;
  readonly party: Party;
}

/** A request to the thread: handle a message or a part of one, keep a signer, or load what takes long. */
export type WorkerRequest = Job | FollowJob | StepJob | LaterJob | Signer | 'prepare';

/** Progress of a message that takes more than one time slice: the current step, or a checkpoint to store. */
export type Saying = { readonly report: string } | { readonly checkpoint: Json };

/**
 * The result: it ran (text for people, reason of a failure or null, signed receipt), it gets another outcome, or its plan
 * must run on the main thread. Null: the request was no message.
 */
export type WorkerResult =
  | readonly [body: string, detail: string | null, receipt: string]
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'before'; readonly before: Before | CalledOff }
  | { readonly kind: 'later'; readonly steps: readonly Step[] | null }
  | { readonly kind: 'output'; readonly output: Json }
  /** The error in the step's input, for people. */
  | { readonly kind: 'fault'; readonly message: string }
  | null;
