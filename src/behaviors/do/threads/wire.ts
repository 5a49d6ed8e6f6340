import type { Message } from '../../../core/entities/message.ts';
import type { Outcome } from '../../../core/ports/behavior.ts';
import type { Millis } from '../../../core/values/clock.ts';
import type { Json } from '../../../core/values/json.ts';
import type { Signer } from '../../../keyring/jws.ts';
import type { Limits } from '../../../tasks/task.ts';
import type { Party } from '../owner/rights.ts';
import type { Plan } from '../plan/index.ts';
import type { Before, Earlier, Follower } from '../reading/thread.ts';
import type { ExecutionLimits } from '../running/execution-parts.ts';

/** What the thread is started with. */
export interface ThreadData {
  readonly limits: ExecutionLimits;
  readonly signer: Signer;
}

/**
 * A message that is handled for the first time, as a list: the names of an object's fields would be copied with each of them.
 * `now`: when it is handled, by the clock of whoever does; `at`: the same by the one that does not jump,
 * `performance.timeOrigin + performance.now()`. `mailbox`: its full address. `settings`: its settings as JSON text, by which
 * the thread knows them again. `party`: whose message it is. `before`:
 * what counts of its thread, if it goes on with one.
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
];

/** A message that goes on with a thread: what the messages before say of it. */
export interface FollowJob {
  readonly kind: 'follow';
  readonly message: Follower;
  readonly thread: readonly Message[];
  readonly now: Millis;
  readonly settings: string;
  readonly party: Party;
}

/** A step of a plan that runs elsewhere, of a task that needs nothing but its input. */
export interface StepJob {
  readonly kind: 'step';
  readonly task: string;
  readonly input: Json;
  readonly now: Millis;
  readonly time_zone: string;
  readonly limits: Limits;
}

/** What the thread is asked: to do a message or a part of one, to sign those that come after it with another key, or to get ready. */
export type WorkerRequest = Job | FollowJob | StepJob | Signer | 'prepare';

/** What is told of a message that takes more than one turn: the step it is at, or where it is, to be kept. */
export type Saying = { readonly report: string } | { readonly checkpoint: Json };

/**
 * What it comes to: it ran (the text for people, why it failed or null, the signed receipt), it is to be answered otherwise,
 * or it is to run where it can reach what it needs. Null: it was no message.
 */
export type WorkerResult =
  | readonly [body: string, detail: string | null, receipt: string]
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'before'; readonly before: Before | 'called off' }
  | { readonly kind: 'output'; readonly output: Json }
  /** What is wrong with the step's input, for people. */
  | { readonly kind: 'fault'; readonly message: string }
  | null;
